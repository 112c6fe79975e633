"""The content of a board in phrases: the same on any screen.

Where the match stands, what is open, what lies in the places of a zone, what is noted of a card.
How cards and zones are named is in `names`; how it all is laid out is for the screens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from domain.record.position import Card, Pending
from domain.record.proof import draws
from domain.record.schema.manifest import Slots, Zone
from domain.telling import notices
from domain.telling.names import Names, countdown, letter, player, players, signs, time_left
from domain.words.phrases import Phrase, phrase, renamed


class Place(NamedTuple):
    """Some places of a zone, counted from 1 (0: they are not), and what lies there.

    That is a card's number, or what is said instead; empty: nothing.
    """

    first: int
    last: int
    what: int | str


class Row(NamedTuple):
    """The zones of a seat that stand beside each other; the lower, the nearer to the middle."""

    level: int
    zones: tuple[Zone, ...]


class Table(Names):
    """A position as boards show it."""

    @cached_property
    def slots(self) -> Mapping[str, Slots]:
        """The zones whose places are counted, by name."""
        return {slots.zone: slots for slots in self.book.manifest.slots}

    @cached_property
    def rows(self) -> Sequence[Row]:
        """The rows of a seat's side, from the middle outward."""
        zones = [zone for zone in self.book.manifest.zones if zone.row >= 0 and not zone.shared]
        levels = sorted({zone.row for zone in zones})
        return [Row(one, tuple(zone for zone in zones if zone.row == one)) for one in levels]

    @cached_property
    def shared(self) -> Sequence[Zone]:
        """The zones between the sides."""
        return [zone for zone in self.book.manifest.zones if zone.shared and zone.row >= 0]

    def sides(self, near: int) -> list[int]:
        """The seats in the order of a board: the others, and `near` last."""
        return [*(seat for seat in range(self.book.manifest.seats) if seat != near), near]

    # -- where it stands -------------------------------------------------------------------------

    def where(self) -> list[str]:
        """The turn, the step, the score, the result."""
        p, manifest = self.pos, self.book.manifest
        parts: list[str] = [
            phrase("turn {n}", n=p.turn) if p.turn else phrase("before the first turn")
        ]
        if p.heading.waits:
            parts = [phrase("not begun"), notices.waiting(p.heading.waits, p.heading.labels)]
        if p.turn_seat >= 0 and p.turn:
            parts = [phrase("turn {n}, {player}'s", n=p.turn, player=player(p.turn_seat))]
        parts += [manifest.label("steps", step) for step in self._steps()]
        if p.heading.best_of > 1:
            score = "–".join(map(str, p.score))
            parts.append(phrase("game {n}, {score}", n=p.game, score=score))
        if p.over:
            won = phrase("over: {player} won", player=player(p.winner))
            parts.append(won if p.winner >= 0 else phrase("over: a draw"))
            if len(p.results) > 1:
                parts.append(phrase("corrected (entry {n})", n=p.results[-1].seq))
        return parts

    def _steps(self) -> Iterator[str]:
        """The step, after the one that what is open came out of and goes back to."""
        p, declared = self.pos, self.book.manifest.words("steps")
        facts = (value for frame in reversed(p.frames) for value in frame.facts.values())
        around = (step for step in facts if isinstance(step, str) and step in declared)
        back = next((step for step in around if step != p.step), "")
        if back:
            phase = back.partition("/")[0]
            yield phase if phase in declared else back
        if p.stands_in:
            yield p.stands_in

    def time(self) -> list[str]:
        """The round's clock, what is left of the match once time is called, whether it goes on."""
        p = self.pos
        notes: list[str] = []
        if p.over:
            return notes
        if "round" in p.clocks:
            notes.append(phrase("round {time}", time=countdown(p.left("round", p.time))))
        if p.called:
            notes.append(time_left(p, p.time))
        if p.paused >= 0:
            notes.append(phrase("the match is paused"))
        return notes

    def warnings(self) -> Iterator[Phrase]:
        """What nobody should overlook: that it is unofficial, or predictable."""
        heading = self.pos.heading
        if heading.fork:
            yield phrase("UNOFFICIAL: forked from match {match}", match=heading.fork)
        if heading.chance == draws.SEED:
            yield notices.SEEDED

    def seat_name(self, seat: int) -> tuple[str, str]:
        """A player's name and his deck's; empty where they are not known."""
        heading = self.pos.heading
        name = heading.seats[seat] if seat < len(heading.seats) else ""
        return name, heading.decks.get(seat, ("", None))[0]

    def seat_left(self, seat: int) -> int | None:
        """The milliseconds left on a seat's clock; None if it has none."""
        clock = f"seat/{seat}"
        return self.pos.left(clock, self.pos.time) if clock in self.pos.clocks else None

    def seat_counters(self, seat: int) -> list[tuple[str, Phrase, int]]:
        """The counters of a seat, of every kind that some seat has: kind, name, how many."""
        holders = [self.pos.holders.get(f"seat/{n}", {}) for n in range(self.book.manifest.seats)]
        kinds = dict.fromkeys(kind for holder in holders for kind in holder)
        label = self.book.manifest.label
        return [(kind, label("counters", kind), holders[seat].get(kind, 0)) for kind in kinds]

    # -- what is open ----------------------------------------------------------------------------

    def attack(self) -> Phrase | None:
        """Who attacks what."""
        p = self.pos
        if p.attack is None:
            return None
        attacker = self.ref(p.attack.attacker, apart=True)
        target = self.ref(p.attack.target, apart=True)
        return phrase("attack: {attacker} → {target}", attacker=attacker, target=target)

    def acts(self) -> Iterator[tuple[int, Pending, Phrase]]:
        """What waits or is carried out, the latest last: its link of a chain or 0, in words."""
        for act in self.pos.pending.values():
            effect = act.effect.partition("/")[2] or act.kind
            state = "{card}: {effect} effect waits"
            if act.resolving:
                state = "{card}: {effect} effect being carried out"
            text = phrase(state, card=self.ref(act.source), effect=effect)
            if act.targets:
                text = phrase("{act}, on {targets}", act=text, targets=self.refs(act.targets))
            link = self.link(act.id)
            if link:
                text = phrase("{player}: {act}", player=letter(act.seat), act=text)
            yield link, act, text

    def scheduled(self) -> Iterator[Phrase]:
        """What is due later."""
        manifest = self.book.manifest
        for one in self.pos.scheduled.values():
            what = manifest.label("declarations", one.kind) if one.kind else phrase("effect")
            due = manifest.label("durations", one.due)
            card = self.ref(one.source)
            yield phrase("{card}: {what}, later ({due})", card=card, what=what, due=due)

    def decision(self) -> Phrase | None:
        """What is to be decided, and by whom."""
        one = self.pos.decision
        if one is None:
            return None
        kind, who = self.book.manifest.label("decisions", one.kind), players(one.seats)
        return phrase("decision {n}: {who}, {what}", n=one.n, who=who, what=kind)

    # -- cards -----------------------------------------------------------------------------------

    def lies(self, card: Card) -> str:
        """How a card of its zone lies when it arrives there."""
        return (self.book.manifest.zone(card.place).orients or ("",))[0]

    def counters(self, counters: Mapping[str, int]) -> Iterator[str]:
        """Counters, a kind after the other: by their sign, or by name; a few one by one."""
        manifest = self.book.manifest
        for kind, n in self.held(counters):
            sign = manifest.sign(kind)
            if sign:
                yield signs(sign, n)
            else:
                label = manifest.label("counters", kind)
                yield phrase("{n} {counters}", n=n, counters=label)

    def held(self, counters: Mapping[str, int]) -> list[tuple[str, int]]:
        """The counters that there are, in the manifest's order."""
        if not counters:
            return []
        order = {kind: at for at, kind in enumerate(self.book.manifest.words("counters"))}
        found = sorted(counters.items(), key=lambda one: order.get(one[0], 0))
        return [(kind, n) for kind, n in found if n]

    def riders(self, card: Card) -> Iterator[tuple[str, list[int]]]:
        """What lies with a card, by its role."""
        for role, some in groupby(card.attached, lambda rider: self.pos.cards[rider].role):
            yield role, [*some]

    def role(self, role: str) -> Phrase:
        """A role within a sentence."""
        return renamed(self.book.manifest.label("roles", role), role)

    def face_down(self, card: Card) -> bool:
        """Whether a card lies face down where others lie face up."""
        return not card.up and self.book.manifest.zone(card.place).faces == "all"

    def new(self, card: Card) -> bool:
        """Whether a card came into play this turn."""
        p = self.pos
        return bool(card.came == p.turn and p.turn and self.book.manifest.zone(card.place).orients)

    def bond(self, number: int) -> Phrase | None:
        """As what a card belongs to one that lies elsewhere."""
        link = self.pos.links.get(number)
        if link is None:
            return None
        role = self.book.manifest.label("roles", link.role)
        return phrase("{role} of {host}", role=role, host=self.card(link.host))

    def going(self, number: int, card: Card) -> Phrase | None:
        """Why a card is on its way out, through what, and where to."""
        if not card.departing:
            return None
        why = self.book.manifest.label("reasons", card.departing)
        departure = self.pos.departures.get(number)
        if departure is not None:
            if departure.responsible:
                why = phrase("{why} by {who}", why=why, who=self.ref(departure.responsible))
            why = phrase("{why}, to {place}", why=why, place=self.place(departure.to))
        return phrase("on its way out ({why})", why=why)

    def notes(self, number: int, card: Card) -> Iterator[str]:
        """What is said of a card beside its figures and counters."""
        for role, some in self.riders(card):
            named = self.cards(some)
            yield phrase("{role} {card}", role=self.role(role), card=named) if role else named
        if self.face_down(card):
            yield phrase("face down")
        yield from self.traits(number, card)
        if self.new(card):
            yield phrase("new")
        if bond := self.bond(number):
            yield bond
        if going := self.going(number, card):
            yield going

    # -- zones -----------------------------------------------------------------------------------

    def places(self, zone: Zone, place: str) -> Iterator[Place]:
        """The cards of a zone, or what stands there instead; by its places, if it has some."""
        slots, numbers = self.slots.get(zone.name), self.pos.zone(place)
        if slots is None:
            yield from (Place(0, 0, number) for number in numbers)
            if not numbers:
                yield Place(0, 0, "")
            return
        at = {number: self.pos.mark(number, slots.mark) for number in numbers if number}
        held = self._held(slots, place)
        for taken, some in groupby(range(1, slots.n + 1), lambda n: n in (*at.values(), *held)):
            places = [*some]
            if not taken:
                yield Place(places[0], places[-1], "")
                continue
            for n in places:
                lying: list[int | str] = [card for card in at if at[card] == n]
                yield from (Place(n, n, what) for what in lying or [held[n]])
        counted = range(1, slots.n + 1)
        yield from (Place(0, 0, number) for number in numbers if at.get(number) not in counted)

    def _held(self, slots: Slots, place: str) -> dict[int, Phrase]:
        """The places that cards hold which lie elsewhere, and what is said of them."""
        if not slots.elsewhere:
            return {}
        seat = place.rpartition("/")[2]
        found = {
            number: self.pos.mark(number, slots.elsewhere)
            for other in self.slots if other != slots.zone
            for number in self.pos.zones.get(f"{other}/{seat}", ()) if number
        }  # fmt: skip
        return {
            at: phrase("held for {card}", card=self.card(number))
            for number, at in found.items() if isinstance(at, int)
        }  # fmt: skip
