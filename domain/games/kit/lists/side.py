"""Side decks: between the games of a series a seat hands in its list anew, out of the same cards.

The answer of the decision (`ask`) is a text that its seat alone may read, so that nobody else can
tell whether anything was exchanged: part by part what it lists (`main: 3 T01, T02; side: 2 T03`),
or nothing for the list as it stands. `objection` is what is wrong with one. `register` records the
lists once all have answered: the table of the last game still lies there while they do.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from domain.engine.rulebook import Rulebook
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.record import events as ev
from domain.record.decisions import SECRET, Offer, Option, Part
from domain.record.position import Position
from domain.record.values import Ref, Sealed
from domain.words.phrases import message_of, phrase

#: The decision, its one act, and the part of it.
KIND, LIST = "side", "list"
#: How long a list may be, in characters.
LONGEST = 4000
_ROW = re.compile(r"(?:(\d{1,3}) )?(\S+)")

Parts = Mapping[str, tuple[str, ...]]


def written(parts: Mapping[str, Iterable[str]]) -> str:
    """A list as the text of an answer."""
    rows = {part: ", ".join(f"{n} {c}" for c, n in Counter(cards).items())
            for part, cards in parts.items()}  # fmt: skip
    return "; ".join(f"{part}: {row}" for part, row in rows.items())


def listed(text: str) -> Parts:
    """The list that a text says; `ValueError` if it says none."""
    parts: dict[str, tuple[str, ...]] = {}
    for piece in text.split(";"):
        part, colon, rows = piece.partition(":")
        if not colon or part.strip() in parts:
            raise ValueError(phrase("{said!r} is no `PART: 2 CARD, CARD`", said=piece.strip()[:60]))
        parts[part.strip()] = tuple(_cards(rows))
    return parts


def _cards(rows: str) -> Iterator[str]:
    for row in filter(None, map(str.strip, rows.split(","))):
        found = _ROW.fullmatch(row)
        if found is None:
            raise ValueError(phrase("{said!r} is no `2 CARD`", said=row[:60]))
        yield from [found[2]] * int(found[1] or 1)


def ask(t: Table, seat: int, *cites: str) -> Play:
    """Ask a seat for its list of the next game; returns it, None: as it stands."""
    offer = Offer((Option(KIND, 0, (Part(LIST, SECRET, 0, LONGEST),)),))
    act = yield from t.ask(seat, KIND, offer, *cites)
    return listed(str(act.picks[0][0])) if act.picks[0][0] else None


def register(t: Table, lists: Mapping[int, Parts | None], *cites: str) -> None:
    """Record the lists that were handed in; of those that stand as well, or it would show."""
    for seat, handed in lists.items():
        name, parts = t.pos.heading.decks[seat]
        parts = parts if handed is None else dict(handed)
        assert parts is not None
        sizes = {part: len(cards) for part, cards in parts.items()}
        t.emit(ev.DeckRegistered(seat, name, sizes, Sealed(1 << seat, parts)), *cites)


def objection(rules: Rulebook, p: Position, seat: int, text: Ref) -> tuple[str, str]:
    """What is wrong with an answer: a sentence and the rule, if one; empty where nothing is."""
    if text == "":
        return "", ""
    try:
        parts = listed(str(text))
    except ValueError as error:
        return message_of(error), ""
    own = p.heading.decks[seat][1] or {}
    brought, handed = (Counter(c for cards in one.values() for c in cards) for one in (own, parts))
    if brought != handed:
        return phrase("a list is made anew out of the cards of the one before"), ""
    if {part: len(cards) for part, cards in own.items()} != {
        part: len(cards) for part, cards in parts.items()
    }:
        return phrase("as many cards are put in as are taken out"), ""
    fault = next(iter(rules.check_deck(parts, p.heading.prints, p.heading.options)), None)
    return (fault.text, fault.rule) if fault is not None else ("", "")
