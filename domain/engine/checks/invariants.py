"""Invariants of every position, however it came about.

Each card lies in one place, what is destroyed leaves, effects end when they are to, counters that
are conserved are all there, and each viewer's position agrees with the whole one.

`faults` looks at one position, `Watch` follows a record moment by moment, and looks at each open
decision as well at what only shows in the course of things. Limits that a book sets are its game's
(`Rulebook.disorder`). Whether a record is exact is for `verify`, its words for `manifest`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

from domain.engine.rulebook import Rulebook
from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.folding.fold import fold
from domain.record.position import Card, Position, seat_of
from domain.record.schema.manifest import Manifest
from domain.record.values import EVERYONE
from domain.record.views import OFFICIAL, PUBLIC, redact
from domain.words.phrases import labelled, phrase


def faults(p: Position, rules: Rulebook, listed: bool = True) -> list[str]:
    """Everything wrong with a table at an open decision, a sentence each.

    `listed`: it was dealt from the registered lists, so that these say what must be there.
    """
    missing = lost(p) if listed else ()
    found = (missing, unsettled(p), rules.disorder(p, quiet(p)))
    return [*ever(p), *(fault for each in found for fault in each)]


def ever(p: Position) -> list[str]:
    """The faults of any position after a moment, whatever is under way."""
    return [*misplaced(p), *untied(p), *unfollowed(p)]


def quiet(p: Position) -> bool:
    """Whether somebody is asked and nothing is under way but an attack: what was due is done."""
    return (
        p.decision is not None
        and p.decision.rest
        and not p.pending
        and all(p.attack and f.kind == "attack" for f in p.frames)
    )


def misplaced(p: Position) -> Iterator[str]:
    """Cards that lie twice or nowhere, riders that their hosts don't know; true at every entry."""
    places = {number: place for place, zone in p.zones.items() for number in zone}
    lying = [number for zone in p.zones.values() for number in zone]
    lying += [number for card in p.cards.values() if card.attached for number in card.attached]
    if len(lying) != len(set(lying)):
        for number, times in Counter(lying).items():
            if times > 1:
                yield phrase("card {number} lies in {times} places", number=number, times=times)
    for number in set(lying) ^ p.cards.keys():
        yield (
            phrase("card {number} lies nowhere", number=number)
            if number in p.cards
            else phrase("{number} is no card", number=number)
        )
    for number, card in p.cards.items():
        if card.host and card.host not in p.cards:
            yield phrase(
                "card {number} lies with {host}, which is gone", number=number, host=card.host
            )
        elif not (
            number in p.cards[card.host].attached if card.host else places.get(number) == card.place
        ):
            yield phrase("card {number} is not in {place}", number=number, place=card.place)


def untied(p: Position) -> Iterator[str]:
    """Ties to what is no longer there: links of cards, departures of none."""
    for number, link in p.links.items():
        if number not in p.cards or link.host not in p.cards:
            yield phrase(
                "card {number} belongs to {host}, and one of them is gone",
                number=number,
                host=link.host,
            )
    for number in p.departures:
        if number not in p.departed and not (number in p.cards and p.cards[number].departing):
            yield phrase("card {number} has a departure, and stays", number=number)


def unfollowed(p: Position) -> Iterator[str]:
    """Lasting effects on cards that lie hidden: which they act on would tell them from others."""
    for number, modifier in p.modifiers.items():
        for ref in modifier.targets:
            card = p.cards.get(ref) if isinstance(ref, int) else None
            gone = isinstance(ref, int) and card is None and ref not in p.departed
            if gone or (card is not None and card.follow != EVERYONE):
                yield phrase("modifier {number} acts on a hidden card", number=number)


def lost(p: Position) -> Iterator[str]:
    """Cards of the registered lists that are missing, or that nobody brought."""
    for seat, (_, parts) in p.heading.decks.items():
        owned = Counter(c.id for c in p.cards.values() if c.owner == seat and not c.token)
        ways = _possible_lists(tuple(parts.items())) if parts else ()
        if not owned or not ways or owned in ways:
            continue
        if all(owned.total() != way.total() for way in ways):
            yield phrase(
                "seat {seat} has {total} cards of {total2}",
                seat=seat,
                total=owned.total(),
                total2=ways[0].total(),
            )
        elif p.heading.mode == "dealer":  # at a real table nobody knows them all
            yield phrase(
                "seat {seat}: missing {n}, too many {n2}",
                seat=seat,
                n=ways[0] - owned,
                n2=owned - ways[0],
            )


@lru_cache(maxsize=64)
def _possible_lists(parts: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[Counter[str], ...]:
    """The possible contents of a list: all, or without a part that stays aside in this game."""
    return tuple(
        Counter(card for part, cards in parts if part != left for card in cards)
        for left in ("", *(part for part, _ in parts))
    )


def unsettled(p: Position) -> Iterator[str]:
    """The faults of what is destroyed and stays, and of counters taken from a place without any.

    What fights may lie there until its attack is over, though it is fixed as destroyed.
    """
    for holder, counters in _holders(p):
        for kind, n in counters.items():
            if n < 0:
                yield phrase("{holder} holds {n} {kind}", holder=holder, n=n, kind=kind)
    if quiet(p):
        fighting = (p.attack.attacker, p.attack.target) if p.attack is not None else ()
        for number, card in p.cards.items():
            if card.departing and number not in fighting:
                yield phrase(
                    "card {number} is on its way out ({departing}) and stays",
                    number=number,
                    departing=card.departing,
                )


def _holders(p: Position) -> Iterator[tuple[str, dict[str, int]]]:
    yield from (
        (phrase("card {number}", number=number), card.counters) for number, card in p.cards.items()
    )
    yield from p.holders.items()


# -- in the course of things -----------------------------------------------------------------------


#: The attack of a lasting effect that nobody saw begin: it was laid out with a position.
LAID = -1


class Watch:
    """Follows a record; `look` says what is wrong at an open decision."""

    def __init__(self, rules: Rulebook) -> None:
        self._rules = rules
        self._lasting: dict[int, tuple[int, int]] = {}  # a modifier's turn, and its attack's entry
        self._attack = self._looks = 0
        self._passing: list[str] = []  # what was wrong after some moment
        self._unclosed: list[str] = []  # frames that were open as the turn began
        self._eyes = {viewer: Position() for viewer in viewers(rules.manifest)}
        self._supplied: Counter[str] = Counter()  # counters that came from nowhere, or went there

    def take(self, entries: Iterable[Entry]) -> None:
        """Go on with these entries of the active line."""
        for entry in entries:
            if entry.moment != self._eyes[OFFICIAL].moment and not self._passing:
                self._passing = ever(self._eyes[OFFICIAL])
            for viewer, p in self._eyes.items():
                fold(p, redact(entry, viewer))
            match entry.event:
                case ev.AttackDeclared():
                    self._attack = entry.seq
                case ev.AttackEnded():
                    self._attack = 0
                case ev.TurnBegan():
                    self._unclosed = [frame.kind for frame in self._eyes[OFFICIAL].frames]
                case ev.GameBegan():
                    self._attack = 0
                    self._supplied.clear()
                case ev.CountersMoved(kind=kind, n=n, src=src, dst=dst):
                    self._supplied[kind] += n * ((src == "") - (dst == ""))
                case ev.ModifierBegan(id=number) if not entry.input:  # an official's is his
                    turn = self._eyes[OFFICIAL].turn
                    self._lasting[number] = turn, self._attack
                case _:
                    pass

    def look(self, p: Position, listed: bool = True) -> list[str]:
        """Everything wrong with the live position, and with what anybody sees of it.

        Each time all viewers' zones are counted, and the cards of one of them are compared.
        """
        self._looks += 1
        turn = self._looks % len(self._eyes)
        seen = (
            labelled(_viewer_name(viewer), fault)
            for at, (viewer, eyes) in enumerate(self._eyes.items())
            for fault in (
                *miscounted(eyes, p),
                *(unlike(eyes, p, viewer, self._rules.manifest) if at == turn else ()),
            )
        )
        unclosed = (
            phrase("a turn began within a frame: {kind}", kind=kind) for kind in self._unclosed
        )
        found = (*faults(p, self._rules, listed), *self.overstaying(p), *self.leaked(p))
        return [*found, *unclosed, *self._passing, *seen]

    def leaked(self, p: Position) -> Iterator[str]:
        """Counters that are conserved (`manifest.Conserved`), and are not all there."""
        for kept in self._rules.manifest.conserved:
            held = sum(counters.get(kept.kind, 0) for _, counters in _holders(p))
            if held != self._supplied[kept.kind]:
                yield phrase(
                    "{held} {kind} are held of {supplied}",
                    held=held,
                    kind=kept.kind,
                    supplied=self._supplied[kept.kind],
                )

    def overstaying(self, p: Position) -> Iterator[str]:
        """Lasting effects in force after the turn, or the battle, they were to end with."""
        for number, modifier in p.modifiers.items():
            turn, attack = self._lasting.get(number, (p.turn, LAID))
            if modifier.until == "turn" and turn < p.turn:
                yield phrase(
                    "modifier {number} of turn {turn} is in force in turn {turn2}",
                    number=number,
                    turn=turn,
                    turn2=p.turn,
                )
            fought = attack == self._attack != 0 or attack == LAID
            if modifier.until == "battle" and quiet(p) and not fought:
                yield phrase("modifier {number} has outlived its battle", number=number)


def viewers(manifest: Manifest) -> tuple[int, ...]:
    """One of every class of viewers: the seats, the public, officials."""
    return (*range(manifest.seats), PUBLIC, OFFICIAL)


def miscounted(seen: Position, p: Position) -> Iterator[str]:
    """Zones that have another size for a viewer, and numbers that he would count otherwise."""
    if seen.next_card != p.next_card:
        yield phrase(
            "the next card is {next_card} for {next_card2}",
            next_card=seen.next_card,
            next_card2=p.next_card,
        )
    for place in p.zones.keys() | seen.zones.keys():
        n, there = len(p.zones.get(place, ())), len(seen.zones.get(place, ()))
        if n != there:
            yield phrase("{place} has {there} cards for {n}", place=place, there=there, n=n)


def unlike(seen: Position, p: Position, viewer: int, manifest: Manifest) -> Iterator[str]:
    """Cards that a viewer does not see, though he may look at them, or sees otherwise."""
    for place, numbers in p.zones.items():
        open_ = viewer == OFFICIAL or (
            seat_of(place) == viewer and _owner_may_look(manifest, place)
        )
        for number in numbers:
            card = p.cards.get(number)
            if card is not None and (open_ or card.up) and number not in seen.cards:
                yield phrase("card {number} in {place} is not seen", number=number, place=place)
    for number, card in seen.cards.items():
        live = p.cards.get(number)
        if live is None:
            yield phrase("card {number} is gone", number=number)
        elif card.place != live.place or card.host != live.host:
            yield phrase(
                "card {number} lies in {place} for {place2}",
                number=number,
                place=card.place,
                place2=live.place,
            )
        elif card.id not in ("", live.id):
            yield phrase("card {number} is {id} for {id2}", number=number, id=card.id, id2=live.id)
        elif live.up and _visible_state(card) != _visible_state(live):
            yield phrase(
                "card {number} is {shown} for {shown2}",
                number=number,
                shown=_visible_state(card),
                shown2=_visible_state(live),
            )


def _owner_may_look(manifest: Manifest, place: str) -> bool:
    zone = manifest.zone(place)
    return zone.faces != "none" and zone.follow != "none"


def _visible_state(card: Card) -> tuple[object, ...]:
    return card.id, card.controller, card.orient, card.counters, card.stats, card.attached


def _viewer_name(viewer: int) -> str:
    return {OFFICIAL: "an official's eyes", PUBLIC: "the public's eyes"}.get(
        viewer, phrase("seat {viewer}'s eyes", viewer=viewer)
    )
