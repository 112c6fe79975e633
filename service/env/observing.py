"""Observations: what a seat sees of the table and of its menu, as one array of whole numbers.

It is made of the position that the seat's own entries fold to, and of nothing else, into the
sections and columns of the `layout`. The seat itself is 1, the rival 2.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from struct import Struct
from typing import Any

import msgspec
import numpy as np

from domain.record import events as ev
from domain.record.decisions import Offer
from domain.record.entries import Entry
from domain.record.folding.fold import fold
from domain.record.position import Card, Position, seat_of, zone_of
from domain.record.values import Ref, Value
from domain.record.views import redact
from service.env.layout import LINE, PICKED, WAIT, WAITING, Array, Layout, code, number
from service.env.menu import ACTIONS, AMOUNT, PAGE, Menu

#: Events that leave cards, counters and marks as they are.
QUIET = frozenset(
    (
        ev.StepBegan, ev.TurnBegan, ev.FrameOpened, ev.FrameClosed, ev.DecisionOpened,
        ev.OptionsOffered, ev.DecisionMade, ev.Interjected, ev.ModifierBegan, ev.ModifierEnded,
        ev.EffectTriggered, ev.ActDeclared, ev.ActResolving, ev.ActEnded, ev.NotDone,
        ev.EffectScheduled, ev.ScheduleEnded, ev.AttackDeclared, ev.AttackChanged, ev.AttackEnded,
        ev.DamageDealt, ev.ChanceDrawn,
    )
)  # fmt: skip
#: Of others the places, or what lies there, that each of them changes; whatever is not here may
#: change anything.
CHANGING: dict[type[ev.Event], Callable[[Any], Iterable[Ref]]] = {
    ev.CardsMade: lambda event: (event.place,),
    ev.CardsMoved: lambda event: (event.src, event.dst),
    ev.CardsKnown: lambda event: (event.place,),
    ev.CardsOrdered: lambda event: (event.place,),
    ev.CardsTurned: lambda event: event.cards,
    ev.CardsControlled: lambda event: event.cards,
    ev.CountersMoved: lambda event: (event.src, event.dst),
    ev.StatsSet: lambda event: [subject for subject, _, _ in event.stats.value or ()],
    ev.Marked: lambda event: (event.subject,),
}
#: Rows of cards that are kept at most.
KNOWN = 20_000

_encode = msgspec.msgpack.Encoder().encode
_NOTHING: Mapping[str, Any] = {}


class TooManyCards(ValueError):
    """More cards lie on the table than an observation has rows."""


class Observer:
    """Follows a match as one seat sees it (`pos`), and makes its observations."""

    def __init__(self, layout: Layout, seat: int) -> None:
        self.layout, self.seat, self.pos = layout, seat, Position()
        self._changed = True  # the table is to be looked at anew
        self._pack = Struct(f"={len(layout.columns)}i").pack
        self._known: dict[bytes, bytes] = {}
        self._places: dict[str, tuple[list[int], bytes]] = {}  # the cards there, their rows
        self._rows: dict[int, int] = {}
        self._cards = self._held = b""

    def follow(self, entries: Iterable[Entry]) -> None:
        """Take further entries of the match, of which only what the seat may see counts."""
        for entry in entries:
            seen = redact(entry, self.seat)
            fold(self.pos, seen)
            if type(seen.event) not in QUIET:
                self._note(seen.event)

    def _note(self, event: ev.Event) -> None:
        """Note which places are to be packed anew."""
        self._changed = True
        changing = CHANGING.get(type(event))
        if changing is None:
            self._places.clear()
            return
        for ref in changing(event):
            card = self.pos.cards.get(ref) if isinstance(ref, int) else None
            self._places.pop(card.place if card is not None else str(ref), None)

    @property
    def offer(self) -> Offer | None:
        """What is on offer to the seat now; None: it is not asked."""
        decision = self.pos.decision
        return decision.offers.get(self.seat) if decision is not None else None

    def observed(self, menu: Menu | None) -> Array:
        """What the seat observes; `menu` is its own, if it is to act.

        Raises `TooManyCards`.
        """
        if self._changed:
            self._look(self.pos)
        parts = (
            _packed(self._flow(self.pos, menu)),
            self._held,
            _packed(self._waiting(self.pos), WAITING * len(WAIT)),
            _packed(self._picked(menu), PICKED),
            _packed(self._menu(self.pos, menu), ACTIONS * len(LINE)),
            self._cards,
        )
        return np.frombuffer(bytearray(b"".join(parts)), np.int32)

    # -- the table -------------------------------------------------------------------------------

    def _look(self, pos: Position) -> None:
        """Pack the cards that the seat can tell apart, and what is counted."""
        rows, out = dict[int, int](), list[bytes]()
        for place in self.layout.places[self.seat]:
            if pos.zones.get(place):
                kept = self._places.get(place)
                if kept is None:
                    kept = self._places[place] = self._packed_cards(pos.cards, pos.zones[place])
                numbers, packed = kept
                at = len(rows) + 1
                rows.update(zip(numbers, range(at, at + len(numbers)), strict=True))
                out.append(packed)
        if len(rows) > self.layout.rows:
            raise TooManyCards(f"{len(rows)} cards lie here, more than {self.layout.rows} rows")
        out.append(bytes(4 * len(self.layout.columns) * (self.layout.rows - len(rows))))
        self._cards, self._held = b"".join(out), _packed(self._counted(pos))
        self._rows, self._changed = rows, False

    def _packed_cards(
        self, cards: Mapping[int, Card], numbers: Iterable[int]
    ) -> tuple[list[int], bytes]:
        """The cards of a place and those that are laid with them, and their rows."""
        every = [one for n in numbers if n for one in (n, *_laid_with(cards, cards[n]))]
        found = list[bytes]()
        for n in every:
            key = _encode(cards[n])  # a card as it is has always the same row
            if (row := self._known.get(key)) is None:
                row = self._known[key] = self._pack(*self._features(cards[n]))
            found.append(row)
        if len(self._known) > KNOWN:
            self._known.clear()
        return every, b"".join(found)

    def _features(self, card: Card) -> list[int]:
        zone, layout = zone_of(card.place), self.layout
        return [
            layout.cards.get(card.id, 0),
            layout.zones[zone],
            1 + (card.owner != self.seat),
            1 + (card.controller != self.seat),
            int(card.up),
            layout.orients[zone].get(card.orient, 0),
            int(card.token),
            layout.roles.get(card.role, 0),
            card.came,
            int(bool(card.departing)),
            *_spread(layout.stats, card.stats),
            *_spread(layout.kinds, card.counters),
            *_spread(layout.marks, card.marks),
        ]

    def _counted(self, pos: Position) -> list[int]:
        """The counts of cards and counters in each place, and what is noted of each seat."""
        layout, seat = self.layout, self.seat
        places, sides = layout.places[seat], (f"seat/{seat}", f"seat/{1 - seat}")
        kinds, marks = layout.kinds, layout.marks
        found = [len(pos.zones.get(place, ())) for place in places]
        counted = [0] * (len(kinds) * (len(places) + len(sides)))
        for at, holder in enumerate((*places, *sides)):
            for kind, n in pos.holders.get(holder, _NOTHING).items():
                counted[at * len(kinds) + kinds[kind] - 1] = n
        for side in sides:
            counted += _spread(marks, pos.marks.get(side, _NOTHING))
        return found + counted

    # -- what goes on ----------------------------------------------------------------------------

    def _flow(self, pos: Position, menu: Menu | None) -> list[int]:
        layout, score = self.layout, pos.score or [0, 0]
        attack, decision = pos.attack, pos.decision
        option = menu.option if menu is not None else None
        return [
            pos.turn,
            self._whose(pos.turn_seat),
            layout.steps.get(pos.step, 0),
            pos.game,
            score[self.seat],
            score[1 - self.seat],
            layout.decisions.get(decision.kind, 0) if decision is not None else 0,
            int(menu is not None),
            self._row(decision.about) if decision is not None else 0,
            self._row(attack.attacker) if attack is not None else 0,
            self._row(attack.target) if attack is not None else 0,
            self._named(attack.target) if attack is not None else 0,
            self._row(attack.defender) if attack is not None else 0,
            layout.acts.get(option.kind, 0) if option is not None else 0,
            layout.parts.get(menu.part, 0) if menu is not None else 0,
            menu.now.at if menu is not None else 0,
            menu.page if menu is not None else 0,
        ]

    def _waiting(self, pos: Position) -> list[int]:
        found = list[int]()
        for one in [*pos.pending.values()][-WAITING:] if pos.pending else ():
            found += (self._row(one.source), code(one.effect), self._whose(one.seat),
                      int(one.resolving))  # fmt: skip
        return found

    def _picked(self, menu: Menu | None) -> list[int]:
        picks = menu.now.picks if menu is not None else ()
        return [self._row(ref) for ref in [*chain.from_iterable(picks)][-PICKED:]]

    def _menu(self, pos: Position, menu: Menu | None) -> list[int]:
        found, layout = list[int](), self.layout
        for line in menu.lines if menu is not None else ():
            if line is None or line.sort == PAGE:
                found += (line.sort if line is not None else 0, *[0] * (len(LINE) - 1))
                continue
            option = line.option
            ref = option.card if option is not None else line.ref
            amount = int(ref) if line.sort == AMOUNT else 0
            ref = 0 if line.sort == AMOUNT else ref
            card = pos.cards.get(ref) if isinstance(ref, int) else None
            place = zone_of(ref) if isinstance(ref, str) else ""
            found += (
                line.sort,
                layout.acts.get(option.kind, 0) if option is not None else 0,
                self._row(ref),
                layout.cards.get(card.id, 0) if card is not None else 0,
                self._named(ref),
                layout.zones.get(place, 0),
                code(place),
                code(option.effect) if option is not None else 0,
                amount,
                len(option.parts) if option is not None else 0,
            )
        return found

    def _row(self, ref: Ref) -> int:
        return self._rows.get(ref, 0) if isinstance(ref, int) else 0

    def _whose(self, seat: int) -> int:
        return 0 if seat < 0 else 1 + (seat != self.seat)

    def _named(self, ref: Ref) -> int:
        """Whose place, or which seat, a name means."""
        named = isinstance(ref, str) and ref[-2:] in ("/0", "/1")
        return self._whose(seat_of(str(ref))) if named else 0


def _spread(columns: Mapping[str, int], values: Mapping[str, Value]) -> list[int]:
    """Values by name, each in its column."""
    found = [0] * len(columns)
    for name, value in values.items():
        if name in columns:
            found[columns[name] - 1] = number(value)
    return found


def _laid_with(cards: Mapping[int, Card], card: Card) -> list[int]:
    """The cards that are laid with one, and with those."""
    found = []
    for n in card.attached:
        if n in cards:
            found += [n, *_laid_with(cards, cards[n])]
    return found


def _packed(values: list[int], size: int = 0) -> bytes:
    """Numbers as bytes, and zeros up to a size."""
    return array("i", values).tobytes() + bytes(4 * max(size - len(values), 0))
