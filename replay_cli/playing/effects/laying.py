"""Lays out positions in which a text of a card may come to something, as lines of a scenario.

What the text speaks of (its groups: whom it is done to, what must be there) and what may bring
about what it waits for is laid as a rule; everything else is drawn. Each draw is a question to a
`Pick`, which may learn from what came of it (`draws`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Protocol, TypeVar

from msgspec.structs import replace

from domain.effects.language.vocabulary import Effect
from domain.effects.select import AGAINST, FIGHTING, MOVED, SPECIAL, passes, zones_of
from domain.games.kit.game import Game
from domain.record.groups import Filter, Group, Test
from domain.text.scenario.text import SEATS
from replay_cli.playing.effects.shelf import Doing, Shelf, Wanted, gives, wanted
from replay_cli.playing.effects.situations import Moment, Row, Slot, Table, situations

T = TypeVar("T")
#: The seats of the player who has the card, and of the other one.
MINE, THEIRS = 0, 1
SEATS_OF = {"yours": MINE, "theirs": THEIRS}


class Pick(Protocol):
    """Draws one of several values in answer to a question."""

    def __call__(self, question: str, values: Sequence[T]) -> T:
        """The value."""


class Layout:
    """Makes up positions of a game. A is the player of the card that is tried."""

    def __init__(self, rules: Game, rng: Random) -> None:
        self.rules, self.rng = rules, rng
        self._has = situations(rules.situations)
        self._shelf = Shelf(rules, self._has)

    def make(self, card: str, effect: Effect, pick: Pick) -> tuple[list[str], set[str]]:
        """The lines of one position, and the cards with which something should be done there."""
        lent = [one for one in self.rules.cards[card].effects if gives(one, effect.name)]
        place = self._place(card, effect, (*lent, effect)[0], pick)
        moment = pick("moment", self._moments(effect))
        table = self._drawn(pick)
        known = self._shelf.helpers(card, effect)
        helpers = [(self.rng.choice(some), pick("helper", (MINE, THEIRS))) for some in known]
        texts = (effect, *lent, *(doing.effect for doing, seat in helpers if seat == MINE))
        liked = self._meet(table, texts, pick)
        for doing, seat in helpers:
            self._help(table, doing, seat, pick)
        self._lay(table, card, place, effect, pick)
        attack = self._attack(table, moment, pick)
        liked.update([card], (doing.card for doing, _ in helpers))
        return [*moment.lines, *self._lines(table), *attack], liked

    def _place(self, card: str, effect: Effect, first: Effect, pick: Pick) -> str:
        """Where the card lies; `first` is its text by which the one that is tried is given."""
        if origins := self._shelf.origins(effect):
            return pick("place", origins)
        usual = self._shelf.usual(card, first)
        usually = bool(usual) and pick("usual", (True, False))
        return pick("place", usual if usually else self._shelf.places(card))

    def _moments(self, effect: Effect) -> list[Moment]:
        """Those in whose turns a text is at work, as far as it says."""
        turns = {one.turn for one in effect.when if one.turn and not one.unless}
        letters = [SEATS[SEATS_OF[turn]] for turn in turns]
        found = [m for m in self._has.moment if all(m.lines[0].endswith(one) for one in letters)]
        return found or self._has.moment

    # -- what is drawn -----------------------------------------------------------------------------

    def _drawn(self, pick: Pick) -> Table:
        """Any cards in each zone, some of which lie otherwise than usual, or have riders."""
        table: Table = {}
        for at, row in enumerate(self._has.zone):
            for seat in (MINE, THEIRS):
                slots = table.setdefault((row.name, seat), [])
                slots += [self._any(row) for _ in range(pick(f"{at}/{seat}", row.n))]
                if row.lies:
                    self._bend(slots, row, str(seat), pick)
        return table

    def _any(self, row: Row) -> Slot:
        return Slot(self.rng.choice(self._shelf.lying(row)))

    def _bend(self, slots: Sequence[Slot], row: Row, whose: str, pick: Pick) -> None:
        share = pick(f"lies {row.name}/{whose}", (0.0, 0.4))
        ridden = pick(f"ridden {row.name}/{whose}", (0.0, 0.5))
        for slot in slots:
            slot.lies += [how for how in row.lies if self.rng.random() < share]
            if row.rider and self.rng.random() < ridden:
                self._rider(slot, row.rider, {}, well=True)

    def _rider(self, slot: Slot, role: str, asked: Filter, *, well: bool) -> None:
        """Lay a card beneath one, if there is any that passes, as a rule one that goes well."""
        some = self._shelf.well(slot.card, role) if well else []
        found = [card for card in some if self._shelf.fits(card, asked)]
        found = found or [c for c in self._shelf.riders[role] if self._shelf.fits(c, asked)]
        if found:
            slot.role, slot.rider = role, self.rng.choice(found)

    # -- what texts speak of -----------------------------------------------------------------------

    def _meet(self, table: Table, texts: Sequence[Effect], pick: Pick) -> set[str]:
        """Lay what texts speak of, and take away what they say must not be there.

        The first is the one that is tried. The cards that something should be done with are those
        on one's own side, now and then, and such as are paid with.
        """
        spoken = list(self._spoken(texts))
        lent = any(gives(one, texts[0].name) for one in texts[1:])
        spare, share = pick("spare", (True, False)), pick("share", (1.0, 0.6))
        friends, more = set[str](), pick("all more", ([], self._has.more))
        for one in spoken if spare else ():
            for place in self._where(one.group) if one.unless else ():
                slots = table[place]
                slots[:] = [s for s in slots if not self._shelf.fits(s.card, one.group.match)]
        for one in spoken:
            places = self._where(one.group)
            if not places or (one.unless and spare) or self.rng.random() > share:
                continue
            zone, seat = self.rng.choice(places)
            for slot in self._met(table, one, zone, seat):
                if seat == MINE:
                    friends.add(slot.card)
                    slot.more += more
                row = self._shelf.rows[zone]
                paired = one.group is texts[0].about or (lent and seat == MINE)
                if paired and row.rider and not slot.rider and slot in table[zone, seat]:
                    self._pair(table, slot, row.rider, replace(texts[0], paired={}), pick)
        needed = self._needed(table, spoken)
        return needed | friends if pick("friends", (False, True)) else needed

    def _spoken(self, texts: Sequence[Effect]) -> Iterator[Wanted]:
        """What texts speak of, the first one above all."""
        effect, *others = texts
        for text in texts:
            yield from wanted(text)
        if any(gives(one, effect.name) for one in others):
            for condition in effect.when:  # it is another card of which that is asked
                yield Wanted(Group(whose="yours", match=condition.this))
        if effect.on in self._has.other:
            match = effect.against.match if effect.against is not None else {}
            yield Wanted(Group(whose="theirs", match={**match, **self._has.other[effect.on]}))

    def _met(self, table: Table, one: Wanted, zone: str, seat: int) -> Iterator[Slot]:
        """Lay cards of a group in a zone, or in hand if they can't lie there."""
        row, asked = self._shelf.rows[zone], one.group.match
        found = self._shelf.fitting(asked)
        lain = [card for card in found if self._shelf.may_lie(row, card)] or row.cards
        held = [c for c in found if self._shelf.may_lie(self._shelf.rows[self._has.held], c)]
        riders = self._shelf.riders.get(row.rider, ())
        beneath = [card for card in riders if card in found]
        for _ in range(one.n):
            if row.rider and row.rider in (asked.get("role"), asked.get("type")) and beneath:
                slot = self._any(row)
                slot.role, slot.rider = row.rider, self.rng.choice(beneath)
            elif lain:
                slot = Slot(self.rng.choice(lain))
                self._as_asked(slot, asked, row)
                if row.lies and one.done in self._has.done:
                    slot.lies.append(self._has.done[one.done])
            elif held:
                slot, zone = Slot(self.rng.choice(held)), self._has.held
            else:
                return
            self._put(table, zone, seat, slot)
            yield slot

    def _where(self, group: Group) -> list[tuple[str, int]]:
        """The places that a group means, as far as they are known beforehand."""
        terms, seats = self._shelf.terms, [MINE, THEIRS]
        zones: Sequence[str] = ("",)
        if group.zone in ("looked", MOVED):
            zones = (self._has.looked,)
        elif group.zone in FIGHTING or group.zone == AGAINST:
            seats = [THEIRS]
        elif group.zone in SPECIAL:
            zones = ()
        else:
            zones = zones_of(terms, group)
        seats = [SEATS_OF[group.whose]] if group.whose in SEATS_OF else seats
        found = [terms.place(zone, seat).split("/") for zone in zones for seat in seats]
        return [(zone, int(seat)) for zone, seat in found if zone in self._shelf.rows]

    def _as_asked(self, slot: Slot, asked: Filter, row: Row) -> None:
        """Have a card lie as a filter asks what is not printed, with figures that pass."""
        role = "" if slot.rider else row.rider
        for key, test in asked.items():
            how = self._how(key, test)
            if how == "rider" and role:
                self._rider(slot, role, {}, well=True)
            elif role and key.startswith(f"{role}-"):
                self._rider(slot, role, {key.removeprefix(f"{role}-"): test}, well=False)
            elif how and ":" not in how and row.lies:
                slot.lies.append(how)
            elif isinstance(test, str) and not self._shelf.fits(slot.card, {key: test}):
                had = self._shelf.figure(slot.card, key)
                more = (n for n in sorted(range(-9, 10), key=abs) if passes(had + n, test))
                slot.more += [f"{key} {n:+}" for n in islice(more, 1)]

    def _how(self, key: str, test: Test) -> str:
        """How a card lies that passes a test of what is not printed; `ZONE: CARD`: with that."""
        return self._has.attribute.get(key, {}).get(str(test).lower(), "")

    def _needed(self, table: Table, spoken: Sequence[Wanted]) -> set[str]:
        """Lay the cards by which others pass a test of what is not printed."""
        tests = [test for one in spoken for test in one.group.match.items()]
        found = [self._how(*test).partition(": ") for test in tests]
        for zone, _, card in found:
            if card:
                table[zone, MINE].insert(0, Slot(card))
        return {card for _, _, card in found if card}

    def _help(self, table: Table, doing: Doing, seat: int, pick: Pick) -> None:
        """Give a player a card that does something: in hand, or there already."""
        slot, row = Slot(doing.card), self._shelf.field(doing.card)
        if row is None or not pick("helped", (True, False)):
            table[self._has.held, seat].append(slot)
            return
        table[row.name, seat].insert(0, slot)
        if row.rider:
            self._pair(table, slot, row.rider, doing.effect, pick)

    # -- the card itself ---------------------------------------------------------------------------

    def _lay(self, table: Table, card: str, place: str, effect: Effect, pick: Pick) -> None:
        if place in self._has.rider:
            row = self._shelf.bearing(place)
            slot = Slot(self._host(card, place, pick), role=place, rider=card)
        else:
            row, slot = self._shelf.rows[place], Slot(card)
            if row.rider:
                self._pair(table, slot, row.rider, effect, pick)
        for role, riders in self._shelf.riders.items():
            if place == self._has.held and card in riders:
                host = Slot(self._host(card, role, pick))
                table[self._shelf.bearing(role).name, MINE].append(host)
        for condition in (*effect.when, *effect.provided):
            self._as_asked(slot, condition.this, row)
        if row.lies:
            how = pick("lies", ("", *row.lies))
            slot.lies += [how] if how else []
            slot.more += pick("more", ([], self._has.more))
        self._put(table, row.name, MINE, slot)

    def _host(self, card: str, role: str, pick: Pick) -> str:
        """A card beneath which one may lie in a role, as a rule one with which it goes well."""
        hosts = self._shelf.lying(self._shelf.bearing(role))
        well = [host for host in hosts if card in self._shelf.well(host, role)]
        usually = bool(well) and pick("host", (True, False))
        return self.rng.choice(well if usually else hosts)

    def _pair(self, table: Table, slot: Slot, role: str, effect: Effect, pick: Pick) -> None:
        """Lay a rider beneath a card, or give one's own player one that may be laid there later."""
        ways: tuple[str, ...] = ("", "any", "well", "later")
        if effect.linked or effect.paired is not None:
            ways = ("well", "later")
        if effect.on in self._has.rider[role].on:
            ways = ("later",)
        how = pick("rider", ways)
        laid = Slot(slot.card)
        if how:
            self._rider(laid, role, effect.paired or {}, well=how != "any")
        if laid.rider and how == "later":
            table[self._has.held, MINE].append(Slot(laid.rider))
        else:
            slot.role, slot.rider = laid.role, laid.rider

    def _attack(self, table: Table, moment: Moment, pick: Pick) -> list[str]:
        """The line of an attack, for which there must be those that fight."""
        if not moment.attack:
            return []
        text = pick("attack", moment.attack)
        for letter, zone in re.findall(r"(\w)\.([\w-]+)#1", text):
            slots = table[zone, SEATS.index(letter)]
            if not slots:
                slots.append(self._any(self._shelf.rows[zone]))
            slots[0].lies.append(moment.lies)
        return [f"attack {text}"]

    # -- as it is written --------------------------------------------------------------------------

    def _put(self, table: Table, zone: str, seat: int, slot: Slot) -> None:
        """Lay a card where it is reached first: uppermost where that counts."""
        slots = table[zone, seat]
        slots.insert(len(slots) if self.rules.manifest.zone(zone).ordered else 0, slot)

    def _lines(self, table: Table) -> list[str]:
        rows, more = [], []
        for (zone, seat), slots in table.items():
            row, letter = self._shelf.rows[zone], SEATS[seat]
            ordered = self.rules.manifest.zone(zone).ordered
            kept = slots[-row.most :] if ordered else slots[: row.most]
            rows.append(f"{letter} {zone}: {', '.join(map(self._written, kept)) or 'none'}")
            for at, slot in enumerate(kept if row.lies else (), 1):
                more += [f"modifier {letter}.{zone}#{at} {one} until turn" for one in slot.more]
        return [*rows, *more]

    def _written(self, slot: Slot) -> str:
        """A card as it is written: with fewer counters than it bears, and each way to lie once."""
        ways: dict[str, str] = {}
        for how in slot.lies:
            kind, _, n = how.partition(" ")
            if kind in self._has.below:
                bears = self._shelf.figure(slot.card, self._has.below[kind]) - 1
                n = str(bears if n == "most" else min(int(n), bears))
                how = f"{kind} {n}" if bears > 0 else ""
            ways[kind] = how
        return str(replace(slot, lies=[how for how in ways.values() if how]))
