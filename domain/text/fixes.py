"""Fixes as they are typed: one line each, verb first, cards by their numbers.

How each verb is typed its row says (`domain.officials.corrections.verbs`); what stands in a field
is read here, by the name of the field (`_FIELDS`). `notation` lists them for people. Names of cards
become their ids where the match is known (`identified`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from domain.effects.constant.calculator import LAYERS, OPERATIONS
from domain.officials.corrections.fixes import Fix
from domain.officials.corrections.verbs import VERBS
from domain.record.position import Position
from domain.record.values import Ref, Value
from domain.text.names import Names
from domain.words.phrases import joined, phrase

if TYPE_CHECKING:
    from domain.engine.rulebook import Rulebook

_SEATS = "abcdefghijklmnopqrstuvwxyz"
#: A word; what has spaces in it stands in quotation marks (`57="Zaku II"`).
_WORD = re.compile(r'(?:[^\s"]|"[^"]*"?)+')
#: What a lasting effect does, beside adding to a figure.
_OPS = OPERATIONS | {"forbid", "allow"}


class BadFix(ValueError):
    """A fix that can't be read; the text says why."""


class Options(NamedTuple):
    """Parts of a line of which each may be left out, in any order."""

    parts: list[list[Any]]


# -- how a verb is typed ---------------------------------------------------------------------------


@lru_cache
def _parts(typed: str) -> list[Any]:
    """The words (`to`), fields (`{place}`) and options of how a verb is typed."""
    return _until_closed(iter(re.findall(r"[][]|{[^{}]*}|[^][{}\s]+", typed)))


def _until_closed(tokens: Iterator[str]) -> list[Any]:
    found: list[Any] = []
    for token in tokens:
        if token == "]":
            break
        if token != "[":
            found.append(token)
            continue
        if not found or not isinstance(found[-1], Options):
            found.append(Options([]))
        found[-1].parts.append(_until_closed(tokens))
    return found


def notation() -> Iterator[tuple[str, str]]:
    """How corrections are typed, verb by verb, and what each means."""
    for verb, row in VERBS.items():
        yield _usage(verb), row.means


def _usage(verb: str) -> str:
    """`move CARDS to PLACE [at AT]`."""
    names = {name: one.shown or name.upper() for name, one in _FIELDS.items()}
    between = re.sub(r"([|=])(?=\w+})", r"}\1{", VERBS[verb].typed)
    return f"{verb} {between.format_map(names)}"


# -- reading a line --------------------------------------------------------------------------------


def read(text: str) -> Fix:
    """The fix that a line means; raises `BadFix`."""
    words = _Words(text)
    verb = words.take(phrase("a verb"))
    if verb not in VERBS:
        raise BadFix(
            phrase("there is no {verb!r}; there are: {verbs}", verb=verb, verbs=joined(", ", VERBS))
        )
    try:
        fields = _read(words, _parts(VERBS[verb].typed))
        if words.left:
            raise BadFix(phrase("{words!r} is too much", words=" ".join(words.left)))
    except BadFix as bad:
        raise BadFix(phrase("{bad}; write: {usage}", bad=bad, usage=_usage(verb))) from None
    return Fix(verb, **fields)


def identified(fix: Fix, p: Position, rules: Rulebook) -> Fix:
    """The fix with ids for the names of cards, first those of their owners' lists.

    A name that no card has stays as it is. Raises `names.BadText` if several have it.
    """
    owners = [p.card(n).owner if n in p.cards else -1 for n in fix.cards]
    owners += [-1] * (len(fix.names) - len(owners))
    named = [
        Names(p, rules, seat).identity(name) for name, seat in zip(fix.names, owners, strict=False)
    ]
    return replace(fix, names=tuple(named))


class _Words:
    """The words of a fix, taken one after the other."""

    def __init__(self, text: str) -> None:
        self.left: list[str] = [word.replace('"', "") for word in _WORD.findall(text)]

    def take(self, what: str) -> str:
        if not self.left:
            raise BadFix(phrase("{what} is missing", what=what))
        return self.left.pop(0)

    def next_in(self, words: Collection[str]) -> bool:
        """Whether the next word is one of these."""
        return bool(self.left) and self.left[0] in words


def _read(words: _Words, parts: Sequence[Any]) -> dict[str, Any]:
    """The fields that parts of a line stand for."""
    found: dict[str, Any] = {}
    for part in parts:
        if isinstance(part, Options):
            left = sorted(part.parts, key=lambda one: one[0].startswith("{"))
            while (one := next((one for one in left if _begins(words, one)), None)) is not None:
                left.remove(one)
                found |= _read(words, one)
        elif part.startswith("{"):
            found |= _field(words, part.strip("{}"))
        elif words.take(repr(part)) != part:
            raise BadFix(phrase("{part!r} is missing", part=part))
    return found


def _begins(words: _Words, parts: Sequence[str]) -> bool:
    """Whether an option comes next: its word does, or what may stand in its field."""
    known: Collection[str] | None = [parts[0]]
    if parts[0].startswith("{"):
        known = _FIELDS[parts[0].strip("{}")].words
    return words.next_in(known) if known is not None else bool(words.left)


def _field(words: _Words, names: str) -> dict[str, Any]:
    first, either, other = names.partition("|")
    if either:
        first = first if words.left and "/" in words.left[0] else other
    name = first.partition("=")[0]
    found = _FIELDS[name].read(words)
    return found if isinstance(found, dict) else {name: found}


def _number(what: str) -> Callable[[_Words], int]:
    def number(words: _Words) -> int:
        word = words.take(what).removeprefix("@")
        try:
            return int(word)
        except ValueError:
            raise BadFix(phrase("{what}: {word!r} is no number", what=what, word=word)) from None

    return number


def _text(what: str) -> Callable[[_Words], str]:
    return lambda words: words.take(what)


def _ref(what: str) -> Callable[[_Words], Ref]:
    def ref(words: _Words) -> Ref:
        word = words.take(what).lstrip("@")
        return int(word) if word.isdecimal() else word

    return ref


def _cards(words: _Words) -> dict[str, Any]:
    """The numbers of cards, with the names of those that are named along."""
    cards: list[int] = []
    names: list[str] = []
    while words.left and words.left[0].partition("=")[0].lstrip("@").isdecimal():
        number, _, name = words.left.pop(0).lstrip("@").partition("=")
        cards.append(int(number))
        names += [name] if name else []
    if not cards:
        raise BadFix(phrase("a card's number is missing"))
    return {"cards": tuple(cards), "names": tuple(names)}


def _names(words: _Words) -> tuple[str, ...]:
    found = []
    while words.left and words.left[0] != "at":
        found.append(words.take(phrase("a card")))
    return tuple(found)


def _seat(words: _Words) -> int:
    word = words.take(phrase("a player")).lower()
    if word.isdecimal():
        return int(word)
    if len(word) != 1 or word not in _SEATS:
        raise BadFix(phrase("{word!r} is no player", word=word))
    return _SEATS.index(word)


def _op(words: _Words) -> str:
    return " ".join(words.take(phrase("how")) for known in (LAYERS, _OPS) if words.next_in(known))


def _value(word: str) -> Value:
    if word in ("yes", "no"):
        return word == "yes"
    return int(word) if word.lstrip("+-").isdecimal() else word


def _figures(words: _Words) -> dict[str, Any]:
    figures = {}
    while words.left:
        key, sign, value = words.left.pop(0).partition("=")
        if not sign:
            raise BadFix(phrase("{key!r} is no figure: write `power=3`", key=key))
        figures[key] = _value(value)
    return {"figures": figures}


_LIES = phrase("how it lies")


class _Field(NamedTuple):
    """What stands in a field of a fix: how it is read, how it is shown, which words may begin it.

    What is read is its value, or several fields; `words` None are any.
    """

    read: Callable[[_Words], Any]
    shown: str = ""
    words: Collection[str] | None = None


_FIELDS: Mapping[str, _Field] = {
    "cards": _Field(_cards),
    "names": _Field(_names, "NAME"),
    "place": _Field(_text(phrase("a place"))),
    "at": _Field(_number(phrase("where in the place")), "N"),
    "up": _Field(lambda words: words.take(_LIES) == "up", "up|down", ("up", "down")),
    "orient": _Field(_text(_LIES), "HOW"),
    "kind": _Field(_text(phrase("which kind"))),
    "n": _Field(_number(phrase("how many"))),
    "src": _Field(_ref(phrase("from where")), "WHERE"),
    "dst": _Field(_ref(phrase("to where")), "WHERE"),
    "subject": _Field(_ref(phrase("on what")), "CARD|SEAT"),
    "value": _Field(lambda words: _value(words.take(phrase("a value")))),
    "op": _Field(_op, "CHANGE", {*LAYERS, *_OPS}),
    "until": _Field(_text(phrase("until when")), "WHEN"),
    "host": _Field(_number(phrase("a host")), "CARD"),
    "role": _Field(_text(phrase("a role"))),
    "seat": _Field(_seat, "PLAYER"),
    "seats": _Field(lambda words: (_seat(words),), "PLAYER"),
    "ids": _Field(lambda words: _cards(words)["cards"], "NUMBERS"),
    "effect": _Field(_text(phrase("a text")), "TEXT"),
    "turn": _Field(_number(phrase("which turn"))),
    "figures": _Field(_figures, "power=3"),
}
