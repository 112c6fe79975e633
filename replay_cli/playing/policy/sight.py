"""What a seat has seen of a match, and worlds that agree with it.

A `Sight` folds the entries that its seat may see (`domain.record.views`), and nothing else. A world
is a match that goes on from there: cards that the seat can't name are dealt at random out of what
is left of the lists, so a world tells nothing that the seat does not know.

Worlds begin where the rulebook can be started afresh (`Game.between_acts`); where the seat is asked
in the middle of something, the acts since then are carried out again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random

from domain.engine.match import Match
from domain.engine.rulebook import Refused
from domain.engine.signals import RollRequired
from domain.engine.table import Table
from domain.games.kit.game import Game
from domain.record import events as ev
from domain.record.decisions import Act, Offer
from domain.record.entries import Entry
from domain.record.folding.fold import fold
from domain.record.position import UNKNOWN, Card, Position, decoded, seat_of
from domain.record.views import OFFICIAL, answered
from replay_cli.playing.bots import seeded_dice

#: The cards of a list by its parts.
Parts = Mapping[str, Sequence[str]]


class Unsure(Exception):
    """No world can be dealt here: what was done since the last beginning can't be repeated."""


class Sight:
    """A match as one seat sees it, or as officials do (`OFFICIAL`), up to the present decision."""

    def __init__(self, rules: Game, viewer: int, lists: Mapping[int, Parts] | None = None) -> None:
        """`lists` are those of seats that are known; else a list is assumed (`_assumed`)."""
        self.rules, self.viewer, self.lists = rules, viewer, dict(lists or {})
        self.pos = Position()
        self._made: dict[str, str] = {}  # which part of a list lay in a place at first
        self._sizes: dict[int, dict[str, int]] = {}
        self._start = b""
        self._since: list[tuple[int, Act] | None] = []

    def take(self, entry: Entry) -> None:
        """Follow a further entry, as the viewer sees it."""
        event, pos = entry.event, self.pos
        if isinstance(event, ev.DecisionMade):
            self._note(event)
        elif isinstance(event, ev.Interjected):
            self._since.append(None)
        fold(pos, entry)
        if isinstance(event, ev.DeckRegistered):
            self._sizes[event.seat] = dict(event.sizes)
        elif isinstance(event, ev.GameBegan):
            self._made = {}
        elif isinstance(event, ev.CardsMade) and not event.token:
            self._place(event)
        elif isinstance(event, ev.OptionsOffered) and self.rules.between_acts(pos):
            self._start, self._since = pos.encoded(), []

    def _note(self, made: ev.DecisionMade) -> None:
        decision = self.pos.decision
        offer = decision.offers.get(made.seat) if decision is not None else None
        _, act = answered(made, offer, self.viewer == OFFICIAL)
        known = act is not None and (offer is not None or not act.picks)
        self._since.append((made.seat, act) if known and act is not None else None)

    def _place(self, made: ev.CardsMade) -> None:
        held = set(self._made.values())
        for part, n in self._sizes.get(made.owner, {}).items():
            if n == made.n and f"{made.owner}/{part}" not in held:
                self._made[made.place] = f"{made.owner}/{part}"
                return

    # -- dealing -----------------------------------------------------------------------------------

    def world(self, seed: str) -> Match:
        """A match that this seat can't tell from the real one, at its decision. Raises `Unsure`."""
        if not self._start:
            raise Unsure
        pos = decoded(self._start)
        self._deal(pos, Random(seed))
        pos.heading.mode, pos.clocks, pos.deadline = "dealer", {}, 0
        match = Match(self.rules, Table(pos, self.rules.manifest), seeded_dice(seed))
        match.driver.start(anew=True)
        for one in self._since:
            self._repeat(match, one)
        if not self._same(match.pos):
            raise Unsure
        return match

    def _repeat(self, match: Match, one: tuple[int, Act] | None) -> None:
        decision = match.pos.decision
        if one is None or decision is None or match.pos.over:
            raise Unsure
        try:
            match.choose(one[0], decision.n, one[1], match.pos.time)
        except (Refused, RollRequired):
            raise Unsure from None

    def _same(self, pos: Position) -> bool:
        """Whether the world asks what the real match asks."""
        there, here = pos.decision, self.pos.decision
        if there is None or here is None or there.kind != here.kind or there.seats != here.seats:
            return False
        offer = here.offers.get(here.seats[0])
        return offer is None or there.offers.get(here.seats[0]) == offer

    def _deal(self, pos: Position, rng: Random) -> None:
        """Give each card that can't be named or followed a number and a name."""
        unnamed: dict[int, list[Card]] = {}
        for card in pos.cards.values():
            if card.id in ("", UNKNOWN):
                unnamed.setdefault(card.owner, []).append(card)
        free = _unused(pos)
        for place, zone in pos.zones.items():
            if 0 not in zone:
                continue
            seat = seat_of(place)
            for at, number in enumerate(zone):
                if not number:
                    zone[at] = next(free)
                    card = pos.cards[zone[at]] = self._hidden(place, seat)
                    unnamed.setdefault(seat, []).append(card)
        for seat in sorted(unnamed):
            self._name(pos, seat, unnamed[seat], rng)
        for seat, (name, parts) in pos.heading.decks.items():
            if parts is None:
                cards = {part: tuple(ids) for part, ids in self._list(pos, seat).items()}
                pos.heading.decks[seat] = name, cards

    def _hidden(self, place: str, seat: int) -> Card:
        m = self.rules.manifest
        orients = m.zone(place).orients
        return Card(
            "", seat, seat, place, False, orients[0] if orients else "",
            seen=m.faces(place), follow=m.follow(place),
        )  # fmt: skip

    def _name(self, pos: Position, seat: int, cards: list[Card], rng: Random) -> None:
        """Name cards of a seat out of what is left of its list, from the part that lay there."""
        left = self._left(pos, seat)
        most = max(left, key=lambda part: len(self._list(pos, seat)[part]))
        for some in left.values():
            rng.shuffle(some)
        cards.sort(key=lambda card: card.place)
        for card in cards:
            part = self._made.get(card.place, "").partition("/")[2] or most
            pool = left.get(part) or left[most] or next(filter(None, left.values()), None)
            card.id = pool.pop() if pool else rng.choice(self._list(pos, seat)[most])

    def _left(self, pos: Position, seat: int) -> dict[str, list[str]]:
        """What is left of a list, part by part, once the cards that can be named are taken out."""
        mine = (card for card in pos.cards.values() if card.owner == seat and not card.token)
        named = Counter(card.id for card in mine if card.id)
        left = dict[str, list[str]]()
        for part, ids in self._list(pos, seat).items():
            left[part] = []
            for one in sorted(ids):
                if named[one]:
                    named[one] -= 1
                else:
                    left[part].append(one)
        return left

    def _list(self, pos: Position, seat: int) -> Parts:
        found = self.lists.get(seat)
        if found is None:
            name, registered = pos.heading.decks[seat]
            found = self.lists[seat] = registered or self._assumed(name, seat)
        return found

    def _assumed(self, name: str, seat: int) -> Parts:
        """The ready-made list of that name; of another name, one of the same sizes, or any."""
        decks = self.rules.decks
        if name in decks:
            return decks[name]
        alike = (
            parts for parts in decks.values()
            if {part: len(ids) for part, ids in parts.items()} == self._sizes.get(seat)
        )  # fmt: skip
        return next(alike, next(iter(decks.values())))

    @property
    def offer(self) -> Offer | None:
        """What is on offer to this seat now; None: it is not asked."""
        decision = self.pos.decision
        return decision.offers.get(self.viewer) if decision is not None else None

    def follow(self, entries: Iterable[Entry]) -> None:
        """Follow further entries."""
        for entry in entries:
            self.take(entry)


def _unused(pos: Position) -> Iterator[int]:
    """Numbers of cards that this seat never saw: the real hidden ones are among them."""
    number = 0
    while True:
        number += 1
        if number not in pos.cards and number not in pos.departed:
            yield number
