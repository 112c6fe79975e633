"""Deck lists as people paste them, in whatever form a deck builder gives: `read`.

    // Earth Federation                       comments and empty lines say nothing
    Units (24)                                nor do headings, unless they name a part: [resource]
    4 GD01-008 Guntank                        a count, a number, a name, in any order
    4x GD01-008_p1 · GD01-008 x4              another picture of a card is the same card
    4 Guntank (GD01) 008                      the set and the number in it, apart
    3 Guntank                                 a name, if there is one card of that name
    SB: 2 Guntank                             a part, for one line
    Count,Card Number,Card Name               a table with such heads, separated by commas or others
    {"main": ["GD01-008", …]}                 JSON: cards, cards with counts, rows with such heads

Where no heading says so, a card goes into the part in which the ready-made decks of its game have
such cards (`Parts`). All that is wrong is named at once, each fault with its line, and an unknown
card with the nearest one. Our own notation, `decklists`, is one of these forms; the forms that a
game declares are read by `deckfiles`.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

from domain.text.decklists import MOST
from domain.text.plain import plain
from domain.words.phrases import joined, phrase

#: How many faults of a list are named; how many cards, where several are meant; how long a line is
#: shown.
NAMED, MEANT, SHOWN = 20, 8, 60
#: How long a row may be.
LONG = 400
_COMMENT = ("#", "//", "--", "==", "**", "http://", "https://")
#: What stands before a row of a list with points or numbers.
_BULLET = re.compile(r"^(?:[-–•·*]\s+|\d{1,3}[.)]\s+(?=\d{1,4}\s*[xX×]?\s))(?=\S)")
#: A part for one line.
_PREFIX = re.compile(r"([A-Za-z ]+):\s*+(?!\d*\s*(?:cards?)?$)(.+)")
#: How many cards a part has, after its name.
_SIZE = re.compile(r"[\s:]+\d{1,3}(?:\s+cards?)?$")
#: Where JSON begins, maybe after a word or two.
_JSON = re.compile(r"[^\[\]{}\n]{0,40}([\[{].*)", re.DOTALL)
_HEADING = re.compile(r"\[(?P<a>[^\]]+)\]|(?P<b>[^\d:]+?)\s*(?:\(\s*\d+[^)]*\):?|:\s*\d*)")
#: A count and a card, in either order.
_COUNTS = (
    re.compile(r"\(?(?P<n>\d{1,4})\)?(?:\s*[xX×])?[\s,;|]+(?P<card>.+)"),
    re.compile(r"(?P<n>\d{1,4})[xX×](?P<card>.+)"),
    re.compile(r"[xX×]\s*(?P<n>\d{1,4})[\s,;|]+(?P<card>.+)"),
    re.compile(r"(?P<card>.+?)\s*[(\[]\s*[xX×]?\s*(?P<n>\d{1,4})\s*[xX×]?\s*[)\]]"),
    re.compile(r"(?P<card>.+?)[\s,;|]*[xX×*]\s*(?P<n>\d{1,4})"),
    re.compile(r"(?P<card>.+?)\s*[:=,;|\s]\s*(?P<n>\d{1,4})"),
)
#: What a number may have after it for another picture of the card.
_PICTURE = re.compile(r"[_-](?:p|r|alt|aa|sp|pr)\d*", re.IGNORECASE)
_EDGES, _MARKS = " -–:,;|", "#/-=* "
_BETWEEN = re.compile(r"[\s,;|()\[\]]+")
_SEPARATORS = ",;\t|"
#: The heads of columns, as they are compared.
_HEADS: Mapping[str, tuple[str, ...]] = {
    "count": ("count", "quantity", "qty", "copies", "amount", "number of copies", "#", "x"),
    "id": (
        "id",
        "card number",
        "card_number",
        "cardnumber",
        "card id",
        "number",
        "code",
        "card",
        "collector number",
    ),
    "name": ("name", "card name", "card_name", "title"),
    "part": ("part", "section", "board", "zone", "deck"),
    "set": ("set", "set code", "set_code", "expansion"),
}
#: Names of parts beside their own.
_PARTS = {
    "main deck": "main",
    "deck": "main",
    "maindeck": "main",
    "sideboard": "side",
    "sb": "side",
}


class BadList(ValueError):
    """A text that is no list of cards that there are; it names its `faults`, each with its line."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__(joined("; ", faults))
        self.faults = faults


class Card(Protocol):
    """A card as a list names it: `telling.book.CardFacts` is one of these."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def type(self) -> str:
        """Its type."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """What else is printed on it, and whether it is a token."""


Cards = Mapping[str, Card]
Decks = Mapping[str, Mapping[str, Sequence[str]]]


class Parts:
    """Into which part of a list a card goes: where the ready-made decks have such cards.

    A card is of that kind if it has a word (its type, or one of several that are printed together)
    which cards have in no other part; without any it belongs to the first part.
    """

    def __init__(self, known: Cards, decks: Decks) -> None:
        self.names = tuple(dict.fromkeys(part for deck in decks.values() for part in deck))
        found: dict[str, set[str]] = {}
        for deck in decks.values():
            for part, ids in deck.items():
                if part != "side":  # where any card may be
                    cards = (known[id_] for id_ in ids if id_ in known)
                    found.setdefault(part, set()).update(w for card in cards for w in _words(card))
        self._own = {
            part: words.difference(*(other for name, other in found.items() if name != part))
            for part, words in found.items()
        }
        self._first = max(
            self.names, default="main", key=lambda part: max(_sizes(decks, part), default=0)
        )

    def of(self, card: Card) -> str:
        """The part of a card."""
        others = (part for part in self._own if part != self._first)
        return next((p for p in others if self._own[p].intersection(_words(card))), self._first)

    def called(self, heading: str) -> str:
        """The part that a heading names; empty if it names none."""
        bare = plain(heading)
        short = bare.removesuffix(" deck")
        known = (*self.names, "tokens", "side")
        return next((p for p in known if p in (bare, short)), _PARTS.get(bare, ""))


def _sizes(decks: Decks, part: str) -> Iterator[int]:
    return (len(deck.get(part, ())) for deck in decks.values())


def _words(card: Card) -> Iterator[str]:
    yield card.type
    for value in card.facts.values():
        if isinstance(value, list | tuple):
            yield from (one for one in value if isinstance(one, str))


class Line(NamedTuple):
    """A line of a list: its number, what stands there, its heading, and what is wrong with it."""

    n: int
    text: str
    heading: str = ""
    fault: str = ""


def _bare(id_: str) -> str:
    """A number of a card without what stands between its signs."""
    return "".join(mark for mark in plain(id_) if mark.isalnum())


class _Known:
    """The cards there are, by what they are called."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.ids = {plain(id_): id_ for id_ in cards}
        bare: dict[str, list[str]] = {}
        for id_ in cards:
            bare.setdefault(_bare(id_), []).append(id_)
        self._bare = {text: ids[0] for text, ids in bare.items() if len(ids) == 1}
        self.names: dict[str, list[str]] = {}
        for id_, card in cards.items():
            self.names.setdefault(plain(card.name), []).append(id_)
        self._near = 0  # how often it was asked what was meant
        self._shapes = {re.sub(r"\d+", "0", id_) for id_ in self.ids}

    def id_of(self, text: str) -> str:
        """The card of that number, with another picture or without; empty if there is none."""
        for one in (text, _PICTURE.sub("", text)):
            found = self.ids.get(plain(one)) or self._bare.get(_bare(one), "")
            if found and any(mark.isalnum() for mark in one):
                return found
        return ""

    def like_id(self, text: str) -> bool:
        """Whether a text is written like a number of a card."""
        bare = re.sub(r"\d+", "0", plain(_PICTURE.sub("", text)))
        return bool(re.search(r"\d", text)) and bare in self._shapes

    def called(self, name: str) -> list[str]:
        """The cards of that name; tokens only if no other has it."""
        found = self.names.get(plain(name), [])
        return [id_ for id_ in found if not self.cards[id_].facts.get("token")] or found

    def one_called(self, name: str) -> str:
        """The card of that name, or the first of several that are alike; empty if none is."""
        found = self.called(name)
        facts = [self.cards[id_].facts for id_ in found]
        return found[0] if found and facts.count(facts[0]) == len(facts) else ""

    def near(self, text: str) -> str:
        """The card that was probably meant, to go after a fault; empty if none is like that.

        That takes long: for a few faults more than are named it is looked for.
        """
        self._near += 1
        if self._near > 2 * NAMED:
            return ""
        close = get_close_matches(plain(text), [*self.names, *self.ids], 1, 0.7)
        if not close:
            return ""
        id_ = self.ids.get(close[0]) or self.names[close[0]][0]
        return phrase("; did you mean {name} ({card})?", name=self.cards[id_].name, card=id_)


def read(text: str, cards: Cards, decks: Decks) -> dict[str, list[str]]:
    """The list of these cards that a text says, part by part; raises `BadList`.

    `decks` are the ready-made ones of the game.
    """
    known, parts = _Known(cards), Parts(cards, decks)
    found: dict[str, list[str]] = {}
    wrong: list[str] = []
    for line in _lines(text, known, parts):
        n, card, fault = (0, "", line.fault) if line.fault else _row(line.text, known)
        if fault:
            wrong.append(phrase("line {n}: {fault}", n=line.n, fault=fault))
            continue
        part = parts.called(line.heading) or parts.of(known.cards[card])
        found.setdefault(part, []).extend([card] * n)
    if not wrong and not found:
        wrong.append(phrase("it lists no cards"))
    if wrong:
        more = len(wrong) - NAMED
        last = [phrase("and {n} more", n=more)] if more > 0 else []
        raise BadList([*wrong[:NAMED], *last])
    order = {part: at for at, part in enumerate(parts.names)}
    return dict(sorted(found.items(), key=lambda item: order.get(item[0], len(order))))


def completed(parts: Mapping[str, list[str]], decks: Decks) -> dict[str, list[str]]:
    """A list with the parts that it does not have, and that all ready-made decks have alike.

    Deck builders leave those out, such as a deck of cards that only give resources.
    """
    found, several = {**parts}, [*decks.values()]
    for part, cards in several[0].items() if len(several) > 1 else ():
        if part not in found and all(deck.get(part) == cards for deck in several):
            found[part] = [*cards]
    return found


# -- lines -----------------------------------------------------------------------------------------


def _lines(text: str, known: _Known, parts: Parts) -> Iterator[Line]:
    """The lines that say a card."""
    text = text.removeprefix("\ufeff")
    if (value := _json(text)) is not None:
        for n, (row, part) in enumerate(_of_json(value, "", parts), 1):
            yield Line(n, row, part)
        return
    lines = [*enumerate(text.splitlines(), 1)]
    filled = [(n, line.strip()) for n, line in lines if line.strip()]
    if filled and (columns := _columns(filled[0][1])) is not None:
        yield from _of_table(filled[1:], *columns, known)
        return
    heading = ""
    if len(filled) > 1 and _is_title(_BULLET.sub("", filled[0][1], 1), known, parts):
        del filled[0]
    for n, line in filled:
        if (apart := _prefixed(line, parts)) is not None:
            yield Line(n, apart[2], apart[1])
            continue
        if line.startswith(_COMMENT):
            bare = line.strip(_MARKS)
            heading = bare if parts.called(bare) else heading
            continue
        named = _heading(line, known, parts)
        if named is None:
            yield Line(n, line, heading)
        else:
            heading = named


def _is_title(line: str, known: _Known, parts: Parts) -> bool:
    """Whether the first line says how the list is called: neither a card, nor how many of one."""
    like_card = known.called(line) or any(map(known.like_id, _BETWEEN.split(line)))
    named = parts.called(line.strip(_MARKS))
    own = like_card or named or _is_counted(line) or known.near(line)
    return not own and _prefixed(line, parts) is None


def _prefixed(line: str, parts: Parts) -> re.Match[str] | None:
    """A part and a row of it, where a line says both."""
    found = _PREFIX.fullmatch(line)
    return found if found is not None and parts.called(found[1]) else None


def _heading(line: str, known: _Known, parts: Parts) -> str | None:
    """The heading that a line is; None if it is none."""
    found = _HEADING.fullmatch(line)
    bare = (found["a"] or found["b"]) if found is not None else _SIZE.sub("", line)
    if parts.called(bare):
        return bare
    if found is None or known.called(line) or known.called(bare) or known.id_of(bare):
        return None
    return bare


def _columns(line: str) -> tuple[str, dict[str, int]] | None:
    """What separates the cells of a table and where its columns stand, if its heads are known."""
    for separator in _SEPARATORS:
        heads = [plain(cell.strip(' "')) for cell in line.split(separator)]
        at = {
            key: place
            for key, names in _HEADS.items()
            if (place := next((heads.index(one) for one in names if one in heads), -1)) >= 0
        }
        if len(heads) > 1 and "count" in at and ("id" in at or "name" in at):
            return separator, at
    return None


def _of_table(
    lines: Sequence[tuple[int, str]], separator: str, at: Mapping[str, int], known: _Known
) -> Iterator[Line]:
    for n, line in lines:
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]
        row = {key: cells[place] for key, place in at.items() if place < len(cells)}
        if not row.get("id") and not row.get("name"):
            continue
        whole = known.id_of(f"{row.get('set', '')}-{row.get('id', '')}")
        card = whole or row.get("id") or row.get("name", "")
        count = row.get("count") or "1"
        counted = count.isascii() and count.isdecimal()
        fault = "" if counted else phrase("{count!r} is no number", count=count[:SHOWN])
        yield Line(n, f"{count} {card}", row.get("part", ""), fault)


def _json(text: str) -> Any:
    """The value that a text is as JSON; None if it is none."""
    found = _JSON.fullmatch(text.strip())
    try:
        value = json.loads(found[1]) if found is not None else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, list | dict) else None


def _of_json(value: Any, part: str, parts: Parts) -> Iterator[tuple[str, str]]:
    """The rows of a list in JSON, each with its part: cards, cards with counts, or tables."""
    if isinstance(value, str):
        yield value, part
    elif isinstance(value, list):
        if len(value) == 2 and {*map(type, value)} == {str, int}:
            yield "{} {}".format(*value), part
            return
        for one in value:
            yield from _of_json(one, part, parts)
    elif isinstance(value, dict):
        yield from _of_object(value, part, parts)


def _of_object(value: Mapping[str, Any], part: str, parts: Parts) -> Iterator[tuple[str, str]]:
    row = {key: value[h] for key, names in _HEADS.items() for h in value if plain(h) in names}
    card = row.get("id") or row.get("name")
    nested = any(isinstance(one, list | dict) for one in value.values())
    if isinstance(card, str) and ("count" in row or "id" in row) and not nested:
        yield f"{row.get('count', 1)} {card}", str(row.get("part") or part)
        return
    for key, one in value.items():
        if type(one) is int:
            yield f"{one} {key}", part
        elif isinstance(one, list | dict):
            yield from _of_json(one, key if parts.called(key) else part, parts)


# -- a row -----------------------------------------------------------------------------------------


def _row(line: str, known: _Known) -> tuple[int, str, str]:
    """How many of which card a line says, or why none."""
    bare = _BULLET.sub("", line, 1)
    for text in dict.fromkeys((line, bare)):
        if whole := known.id_of(text) or known.one_called(text) or _number_and_name(text, known):
            return 1, whole, ""
    if len(line) > LONG:
        return 0, "", phrase("no card is called {text!r}{near}", text=line[:SHOWN], near="")
    line = bare
    found = [found for pattern in _COUNTS if (found := pattern.fullmatch(line))]
    ways = [(int(one["n"]), one["card"].strip(_EDGES)) for one in found] or [(1, line)]
    faults = []
    for n, text in ways:
        card, fault = _card(text, known)
        if card and not found and re.search(r"\d", _numbered(line, known)[1]):
            text = line[:SHOWN]
            return 0, "", phrase("{text!r}: how many? write 4 {card}", text=text, card=card)
        if card and not 0 < n <= MOST:
            return 0, "", phrase("of a card there are 1 to {most}, not {n}", most=MOST, n=n)
        if card:
            return n, card, ""
        faults.append(fault)
    return 0, "", faults[0]


def _is_counted(line: str) -> bool:
    """Whether a line may say how many."""
    return any(pattern.fullmatch(line) for pattern in _COUNTS)


def _card(text: str, known: _Known) -> tuple[str, str]:
    """The card that a text names, or what is wrong with it."""
    if card := known.id_of(text) or known.one_called(text):
        return card, ""
    card, rest = _numbered(text, known)
    if card:
        own = known.cards[card].name
        if plain(rest) in known.names and plain(rest) != plain(own):
            return "", phrase("{card} is {name}, not {other}", card=card, name=own, other=rest)
        return card, ""
    number = next((token for token in _BETWEEN.split(text) if known.like_id(token)), "")
    if number:
        return "", phrase("no card is numbered {card}{near}", card=number, near=known.near(number))
    if named := known.called(text):
        ids = ", ".join([*named[:MEANT], *(["…"] if len(named) > MEANT else [])])
        name = known.cards[named[0]].name
        return "", phrase("{name} may be {cards}: write the number", name=name, cards=ids)
    return "", phrase("no card is called {text!r}{near}", text=text[:SHOWN], near=known.near(text))


def _numbered(text: str, known: _Known) -> tuple[str, str]:
    """The card whose number stands in a text, and what else stands there; empty if none does."""
    tokens = [*filter(None, _BETWEEN.split(text))]
    apart = [f"{one}-{other}" for one, other in pairwise(tokens)]
    for token, whole in (*zip(tokens, tokens, strict=True), *zip(tokens, apart, strict=False)):
        if card := known.id_of(whole):
            before, _, after = text.partition(token)
            if whole != token:  # its set, and its number in it
                after = after.partition(whole.removeprefix(f"{token}-"))[2]
            rest = f"{before} {after}".replace("()", " ").replace("[]", " ")
            return card, " ".join(rest.split()).strip(_EDGES)
    return "", ""


def _number_and_name(line: str, known: _Known) -> str:
    """The card whose number and whose name a line is; empty if it is not that."""
    card, rest = _numbered(line, known)
    return card if card and plain(rest) == plain(known.cards[card].name) else ""
