"""Acts of officials as they are typed: `rewind 46 --put-back random --why "an illegal block"`.

What each takes is its row (`domain.officials.acts`): `kifu desk` makes its commands of that, a page
its forms, and a line of a scenario is read by it (`words`). A text is read by the sort of its field
(`value`); what depends on the match is filled in at last (`meant`), the same for all three. Fixes
of a correction are in `fixes`.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from domain.engine.rulebook import Rulebook
from domain.officials import acts
from domain.officials.acts import ACTS, OfficialAct
from domain.officials.ways import AS_THEY_WERE, WAYS
from domain.record.position import NOBODY, SEATS, Position
from domain.record.values import BY_OFFICIAL
from domain.text import fixes, reading
from domain.words.fields import Kind, Typed, typed
from domain.words.phrases import Phrase, joined, phrase

#: The ways to put revealed cards back, as typed.
BACK = {way.replace(" ", "-"): way for way in WAYS}
assert BACK["as-they-were"] == AS_THEY_WERE
#: What takes back the end of a match: it is typed as an act of its own.
REOPEN = "reopen"
#: The acts that need a store, or its users.
WITH_STORE = ("accept", "adopt", "undo")
#: The fields of each act that are typed, in order; those in their places come first.
TYPED: Mapping[str, Sequence[Typed]] = {
    name: [one for one in typed(act).values() if one.field.kind != Kind.SEEN]
    for name, act in ACTS.items()
} | {REOPEN: [typed(acts.CorrectPosition)["why"]]}


class BadAct(ValueError):
    """An act of an official that can't be read; the text says why."""


class At(Protocol):
    """The context in which an act is read: the match as the official sees it."""

    @property
    def pos(self) -> Position:
        """How it stands."""

    @property
    def rules(self) -> Rulebook:
        """Its rulebook."""


# -- the text of one field -------------------------------------------------------------------------


def value(one: Typed, text: str) -> Any:
    """The value of a text for a field, in any match; raises `ValueError`."""
    read = _READ.get(one.field.kind)
    if read is not None:
        return read(text)
    if one.field.kind == Kind.NUMBER:
        if not text.isdecimal() or int(text) < one.field.least:
            raise ValueError(
                phrase("{text!r} is no number from {least} up", text=text, least=one.field.least)
            )
        return int(text)
    return text


def _seat(text: str) -> int:
    if len(text) != 1 or text.upper() not in SEATS:
        raise ValueError(phrase("{text!r} is no player such as A", text=text))
    return SEATS.index(text.upper())


def _person(text: str) -> int:
    known = {"official": BY_OFFICIAL, "nobody": NOBODY}
    return known[text] if text in known else _seat(text)


def _winner(text: str) -> int:
    return NOBODY if text.lower() == "draw" else _seat(text)


def _clock(text: str) -> str:
    return text if text == "round" else f"seat/{_seat(text)}"


def _score(text: str) -> tuple[int, ...]:
    games = text.split("-")
    if not all(part.isascii() and part.isdecimal() for part in games):
        raise ValueError(phrase("{text!r} is no score such as 2-1", text=text))
    return tuple(map(int, games))


def _way(text: str) -> str:
    if text not in BACK:
        raise ValueError(
            phrase("{text!r} is not one of {ways}", text=text, ways=joined(", ", BACK))
        )
    return BACK[text]


def _card(text: str) -> tuple[int, str]:
    number, _, way = text.partition("=")
    if not number.isdecimal() or way not in BACK:
        raise ValueError(phrase("{text!r} is not N={ways}", text=text, ways="|".join(BACK)))
    return int(number), BACK[way]


def span(text: str) -> int:
    """A time as minutes and seconds, in milliseconds: `2:00`, `1:02:03`, `-1:30`; `5`: minutes."""
    sign = -1 if text.startswith("-") else 1
    parts = text.removeprefix("-").split(":")
    parts = parts if len(parts) > 1 else [*parts, "0"]
    if len(parts) > 3 or not all(part.isascii() and part.isdecimal() for part in parts):
        raise ValueError(phrase("{text!r} is no time such as 1:30", text=text))
    seconds = 0
    for part in parts:
        seconds = seconds * 60 + int(part)
    return sign * seconds * 1000


def roll(text: str) -> tuple[int, ...]:
    """How chance fell: a player's letter, or outcomes counted from 0 (`2`, `1,0,2`)."""
    outcomes = text.split(",")
    if all(word.isascii() and word.isdecimal() and len(word) < 7 for word in outcomes):
        return tuple(map(int, outcomes))
    if len(text) == 1 and text.isalpha() and text.isascii():
        return (ord(text.upper()) - ord("A"),)
    raise ValueError(phrase("{text!r} is no player and no outcome", text=text))


def _print(text: str) -> str:
    try:
        msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise ValueError(
            phrase("a card is a table of its figures, as JSON: {error}", error=error)
        ) from None
    return text


_READ: Mapping[Kind, Callable[[str], Any]] = {
    Kind.SEAT: _seat,
    Kind.PERSON: _person,
    Kind.WINNER: _winner,
    Kind.CLOCK: _clock,
    Kind.SCORE: _score,
    Kind.WAY: _way,
    Kind.WAYS: _card,
    Kind.SPAN: span,
    Kind.ROLLS: roll,
    Kind.FIX: fixes.read,
    Kind.PRINT: _print,
    Kind.YES: lambda text: text not in ("", "no", "false"),
    Kind.RUNNING: {"run": True, "stop": False}.get,
}


# -- a line ----------------------------------------------------------------------------------------


def words(text: str) -> tuple[str, dict[str, Any]]:
    """The act that a line names, and what it says, by field; raises `BadAct`.

    Reasons may be left out.
    """
    try:
        name, *typed_words = shlex.split(text)
    except ValueError as error:
        raise BadAct(
            phrase("it can't be read: {error}", error=error) if text else phrase("no act is named")
        ) from None
    if name not in TYPED:
        raise BadAct(
            phrase(
                "officials do not {name!r}; there are: {acts}", name=name, acts=joined(", ", TYPED)
            )
        )
    places = [one for one in TYPED[name] if not one.field.flags]
    options = {flag: one for one in TYPED[name] for flag in one.field.flags}
    given: dict[str, Any] = {}
    while typed_words:
        word = typed_words.pop(0)
        one = options.get(word) if word.startswith("-") else places.pop(0) if places else None
        if one is None:
            raise BadAct(
                phrase(
                    "{name} does not take {word!r}; it takes {words}",
                    name=name,
                    word=word,
                    words=_taken(name),
                )
            )
        bare = one.field.kind == Kind.YES
        if one.field.flags and not bare and not typed_words:
            raise BadAct(phrase("{word} is followed by nothing", word=word))
        try:
            found = value(one, typed_words.pop(0) if one.field.flags and not bare else word)
        except ValueError as error:
            raise BadAct(phrase("{word}: {error}", word=word, error=error)) from None
        given[one.name] = (*given.get(one.name, ()), found) if one.many else found
    missing = [one for one in TYPED[name] if one.needed and one.name not in (*given, "why")]
    if missing:
        raise BadAct(phrase("{name} takes {words}", name=name, words=_taken(name)))
    return name, given


def usage(name: str) -> str:
    """An act as it is typed, but for what an official says of chance."""
    return f"{name} {_taken(name)}".strip()


def _taken(name: str) -> str:
    return " ".join(
        one.field.flags[-1] if one.field.flags else one.word
        for one in TYPED[name]
        if one.field.kind != Kind.ROLLS
    )


# -- what is meant in a match ----------------------------------------------------------------------


def meant(name: str, given: Mapping[str, Any], at: At) -> OfficialAct:
    """The act that is meant in a match by what was typed; raises `BadAct`, `notation.BadText`.

    What the official saw goes along: the open decision, the result that stands.
    """
    values = {key: found for key, found in given.items() if found is not None}
    for one in TYPED[name]:
        if one.field.kind in (Kind.SEAT, Kind.PERSON, Kind.WINNER):
            _require_seat(values.get(one.name, NOBODY), at)
    values |= {one.name: dict(values[one.name]) for one in TYPED[name]
             if one.field.kind == Kind.WAYS and one.name in values}  # fmt: skip
    fill = _FILL.get(name)
    values |= fill(values, at) if fill is not None else {}
    if any(one.name == "why" for one in TYPED[name]):
        values.setdefault("why", "")
    return (acts.RewindMatch if name == REOPEN else ACTS[name])(**values)


def _require_seat(seat: int, at: At) -> None:
    letters = SEATS[: at.rules.manifest.seats] if seat >= 0 else ""
    if seat >= len(letters) and letters:
        raise BadAct(
            phrase(
                "{letter!r} is no player; there are {letters}",
                letter=SEATS[seat],
                letters=joined(" and ", letters),
            )
        )


def _decision(at: At) -> int:
    return at.pos.decision.n if at.pos.decision is not None else 0


def _result(values: Mapping[str, Any], at: At) -> dict[str, Any]:
    return {"result": at.pos.results[-1].seq if at.pos.over else 0}


def _penalty(values: Mapping[str, Any], at: At) -> dict[str, Any]:
    if not (values.get("kind") or values.get("infraction")):
        raise BadAct(
            phrase("name the penalty, or (in a match of an event) what for: --infraction NAME")
        )
    return _result(values, at)


def _shuffle(values: Mapping[str, Any], at: At) -> dict[str, Any]:
    seat, cutter = values["seat"], values.get("cutter", 1 - values["seat"])
    return {
        "shuffler": values.get("shuffler", seat), "cutter": None if cutter == NOBODY else cutter,
    }  # fmt: skip


def _play(values: Mapping[str, Any], at: At) -> dict[str, Any]:
    act, names = reading.read(values["act"], at.pos, at.rules, values["seat"], any_card=True)
    return {"act": act, "names": names, "decision": _decision(at)}


def _correct(values: Mapping[str, Any], at: At) -> dict[str, Any]:
    named = tuple(fixes.identified(fix, at.pos, at.rules) for fix in values["fixes"])
    return {"fixes": named, "decision": _decision(at)}


def _rewind(values: Mapping[str, Any], at: At) -> dict[str, Any]:
    return {"open_decision": _decision(at), **_result(values, at)}


def _reopen(values: Mapping[str, Any], at: At) -> dict[str, Any]:
    return {"decision": at.pos.decisions, **_rewind(values, at)}


#: What else an act says, by what was typed and the match.
_FILL: Mapping[str, Callable[[Mapping[str, Any], At], dict[str, Any]]] = {
    "penalise": _penalty,
    "result": _result,
    "shuffle": _shuffle,
    "play": _play,
    "correct": _correct,
    "rewind": _rewind,
    REOPEN: _reopen,
}


def done(act: OfficialAct) -> Phrase:
    """The confirmation of a recorded act."""
    return (
        phrase("The match went back to decision {n}.", n=act.decision)
        if isinstance(act, acts.RewindMatch)
        else act.done
    )
