"""Side decks: between the games of a series a seat hands in its list again, out of the same cards.

The answer is a text that its seat alone may read, so that nobody else can tell whether anything was
exchanged. It says

- nothing: the list stands as it is
- cards that change places, by name or by id: `2 Trap Hole -> Dust Tornado; Dark Hole -> Waboku`
- the whole list, part by part: `main: 3 T01, T02; side: 2 T03`
- `?`, at a real table: nobody who keeps the record was told. Any card may then be named that was in
  the list, in whichever part.

A game declares a `SideDeck`: the row of its act, and the step between two games. The lists are
recorded once all have answered: the table of the last game still lies there while they do, and its
rules do nothing more. A player who concedes meanwhile loses the next game (`engine.series`), and
lists are handed in for the one after it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from domain.engine.rulebook import DeckFault, Refusal, Step, go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.choices.legality import refuse
from domain.games.kit.choices.rows import Pick, Row
from domain.record import events as ev
from domain.record.decisions import SECRET, UNSTATED, Act, Offer, Option, Part
from domain.record.position import UNKNOWN, Position
from domain.record.values import Sealed, Value
from domain.words.phrases import message_of, phrase

#: The decision and its one act, the step, and the part of a list that stays aside; the part of the
#: act.
KIND, LIST = "side", "list"
#: What stands between cards that change places.
FOR = "->"
#: How long a list may be, in characters.
LONGEST = 4000
RULE = "house:side"
_ROW = re.compile(r"(?:(\d{1,3}) )?(\S+)")
_COUNTED = re.compile(r"(\d{1,3}) +(.+)")

Parts = Mapping[str, tuple[str, ...]]
#: The names of cards, by id.
Called = Mapping[str, str]


def written(parts: Mapping[str, Iterable[str]]) -> str:
    """A list as the text of an answer."""
    rows = {part: ", ".join(f"{n} {c}" for c, n in Counter(cards).items())
            for part, cards in parts.items()}  # fmt: skip
    return "; ".join(f"{part}: {row}" for part, row in rows.items())


def read(text: str, own: Parts, called: Called) -> Parts:
    """The list of an answer, for the player who has this one; `ValueError` if it is malformed."""
    text = text.strip()
    if not text:
        return own
    if text == UNSTATED:
        return _unstated(own)
    return _exchanged(text, own, called) if FOR in text else _listed(text)


def sizes(parts: Parts) -> dict[str, int]:
    """How many cards each part has; of an unknown list, as of the one before it."""
    found = {part: len(cards) for part, cards in parts.items()}
    if _is_unstated(parts):
        found[KIND] -= sum(n for part, n in found.items() if part != KIND)
    return found


def _unstated(own: Parts) -> Parts:
    """A list of which nobody knows which of its cards are aside: all of them may be."""
    if _is_unstated(own):
        return own
    every = tuple(card for cards in own.values() for card in cards)
    hidden = {part: (UNKNOWN,) * len(cards) for part, cards in own.items() if part != KIND}
    return {**hidden, KIND: every}


def _is_unstated(parts: Parts) -> bool:
    return any(UNKNOWN in cards for cards in parts.values())


def _pool(parts: Parts) -> Counter[str]:
    """All cards of a list, in any part."""
    return Counter(card for cards in parts.values() for card in cards if card != UNKNOWN)


def _listed(text: str) -> Parts:
    parts: dict[str, tuple[str, ...]] = {}
    for piece in text.split(";"):
        part, colon, rows = piece.partition(":")
        if not colon or part.strip() in parts:
            raise ValueError(
                phrase("{given!r} is no `PART: 2 CARD, CARD`", given=piece.strip()[:60])
            )
        parts[part.strip()] = tuple(_cards(rows))
    return parts


def _cards(rows: str) -> Iterator[str]:
    for row in filter(None, map(str.strip, rows.split(","))):
        found = _ROW.fullmatch(row)
        if found is None:
            raise ValueError(phrase("{given!r} is no `2 CARD`", given=row[:60]))
        yield from [found[2]] * int(found[1] or 1)


def _exchanged(text: str, own: Parts, called: Called) -> Parts:
    """Cards that are played and cards from aside change places, one for one."""
    if _is_unstated(own):
        raise ValueError(phrase("the cards of the side deck are not known: give the whole list"))
    parts = {part: [*cards] for part, cards in own.items()}
    aside = parts.get(KIND, [])
    for piece in filter(None, map(str.strip, text.split(";"))):
        out, arrow, into = map(str.strip, piece.partition(FOR))
        n, leaving = _named(out, own, called)
        once, coming = _named(into, own, called)
        if not arrow or not leaving or not coming or once != 1:
            raise ValueError(phrase("{given!r} is no `2 CARD -> CARD`", given=piece[:60]))
        for _ in range(n):
            part = next((p for p, cards in parts.items() if p != KIND and leaving in cards), "")
            if not part:
                raise ValueError(phrase("{card} is not played so often", card=out))
            if coming not in aside:
                raise ValueError(phrase("{card} is not aside so often", card=into))
            parts[part][parts[part].index(leaving)] = coming
            aside[aside.index(coming)] = leaving
    return {part: tuple(cards) for part, cards in parts.items()}


def _named(given: str, own: Parts, called: Called) -> tuple[int, str]:
    """How many of which card of a list a text names, by id or by name; "": none.

    Raises `ValueError` for a name that several of them have.
    """
    if card := _one(given, own, called):
        return 1, card
    found = _COUNTED.fullmatch(given)
    return (int(found[1]), _one(found[2], own, called)) if found is not None else (1, "")


def _one(name: str, own: Parts, called: Called) -> str:
    """The card of a list that is called so, by id or by name; "": none is."""
    pool, bare = _pool(own), name.lower()
    named = [card for card in pool if bare == card.lower()]
    named = named or [card for card in pool if bare == called.get(card, card).lower()]
    if len(named) > 1:
        cards = ", ".join(named)
        raise ValueError(phrase("{name} may be {cards}: write the number", name=name, cards=cards))
    return named[0] if named else ""


class SideDeck(NamedTuple):
    """A game's declaration: its cards, the faults of a list, and the rules that allow it."""

    known: Callable[[tuple[str, ...]], Mapping[str, Any]]
    faults: Callable[[Parts, Mapping[str, Any], Mapping[str, Value]], Sequence[DeckFault]]
    cites: tuple[str, ...]

    def row(self, label: str) -> Row:
        """The row of the act."""

        def check(t: Table, seat: int, act: Act) -> Refusal | None:
            decision = t.pos.decision
            if decision is None or decision.kind != KIND or seat not in decision.seats:
                return refuse("lists are made again between two games", *self.cites, RULE)
            text, rule = self.objection(t.pos, seat, _text(act))
            return refuse(text, *((rule,) if rule else self.cites), RULE) if text else None

        lacking = Pick(LIST, {"": ("a list is handed in as one text", *self.cites, RULE)})
        return Row(
            name=KIND, label=label, at=(KIND,), when=(check,), picks=(lacking,), parts=(LIST,),
            allows=(*self.cites, RULE),
        )  # fmt: skip

    def step(self, first: str, *next_game: str) -> Step:
        """The step between two games: who has cards aside hands in a list; then goes to `first`."""

        def between(t: Table) -> Play:
            handed = {}
            for seat in range(t.manifest.seats):
                if self._own(t.pos, seat).get(KIND):
                    handed[seat] = yield from self.ask(t, seat)
            for seat, parts in handed.items():
                name, _ = t.pos.heading.decks[seat]
                made = ev.DeckRegistered(seat, name, sizes(parts), Sealed(1 << seat, dict(parts)))
                t.emit(made, *self.cites, RULE)
            go(t, first, *next_game)

        return between

    def ask(self, t: Table, seat: int) -> Play:
        """Ask a seat for its list of the next game; returns it."""
        offer = Offer((Option(KIND, 0, (Part(LIST, SECRET, 0, LONGEST),)),))
        act = yield from t.ask(seat, KIND, offer, *self.cites, RULE)
        return read(_text(act), self._own(t.pos, seat), self._called(t.pos))

    def objection(self, p: Position, seat: int, text: str) -> tuple[str, str]:
        """The fault of an answer: a sentence and the rule, if one; empty if none."""
        own = self._own(p, seat)
        if text.strip() == UNSTATED and p.heading.mode != "table":
            return phrase("only at a real table the side deck may stay unknown"), ""
        try:
            parts = read(text, own, self._called(p))
        except ValueError as error:
            return message_of(error), ""
        if parts is own or _is_unstated(parts):
            return "", ""
        if _pool(parts) != _pool(own):
            return phrase("a list is made again from the cards of the one before"), ""
        if sizes(parts) != sizes(own):
            return phrase("as many cards are put in as are taken out"), ""
        found = self.faults(parts, self.known(p.heading.prints), p.heading.options)
        return (found[0].text, found[0].rule) if found else ("", "")

    def _called(self, p: Position) -> Called:
        return {card: facts.name for card, facts in self.known(p.heading.prints).items()}

    @staticmethod
    def _own(p: Position, seat: int) -> Parts:
        return p.heading.decks[seat][1] or {}


def _text(act: Act) -> str:
    return str(act.picks[0][0]) if act.picks and act.picks[0] else ""
