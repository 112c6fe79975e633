"""The table: the verbs a rulebook plays with. Each emits an event and folds it at once.

While a match is being resumed, the table holds the rest of the record (`tail`) and every verb must
come to the entry that stands there: the first difference raises `Diverged`. So the same rulebook
code plays a match, resumes it and verifies it.

Verbs know zones and audiences from the manifest, and no game. What they need from outside (an
answer, chance) they `yield` for: `Ask` and `Chance` are answered by the driver in `rulebook`.
A verb that has nothing to do emits nothing.

At a real table (`Heading.mode`) cards are unknown until somebody names them. Where a card's
identity must be told to all, or a rule depends on it, and nobody has named it, `NameRequired` is
raised: whoever sent the command repeats it with the name. So rulebooks need not know which kind it
is.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any

from msgspec import Struct

from domain.record import bounds
from domain.record import events as ev
from domain.record.decisions import Act, Offer
from domain.record.events import (
    EVERYONE,
    OFFICIAL,
    OFFICIALS,
    RULES,
    TABLE,
    AnyEvent,
    Change,
    Entry,
    Ref,
    Sealed,
    Value,
)
from domain.record.fold import fold
from domain.record.manifest import Manifest
from domain.record.position import NOBODY, Position, seat_of


class Ask(Struct, frozen=True):
    """The game waits for the open decision to be answered; send `{seat: Act}`."""


class Chance(Struct, frozen=True):
    """The game waits for chance: an order of `of` cards, or one of `of` outcomes.

    The kinds are `shuffle` (an order that nobody sees), `order` (one that is seen), and any other
    for a single outcome.
    """

    kind: str
    of: int
    cites: tuple[str, ...]
    to: int = OFFICIALS


#: What a rulebook's generators yield, are sent, and return.
Play = Generator[Ask | Chance, Any, Any]


class Need(Struct, frozen=True):
    """A card that must be named, by its number, and where it lies."""

    number: int
    place: str


class NameRequired(Exception):
    """Cards of a real table must be named before this can go on."""

    def __init__(self, needs: Sequence[Need]) -> None:
        where = ", ".join(f"@{need.number} ({need.place})" for need in needs)
        super().__init__(f"say which card it is: {where}")
        self.needs = tuple(needs)


class RollRequired(Exception):
    """Chance fell at a real table, and nobody has said how: an order, or one `of` outcomes."""

    def __init__(self, kind: str, of: int) -> None:
        super().__init__(f"say how chance fell: {kind}, of {of}")
        self.kind, self.of = kind, of


def unknown(p: Position, number: int) -> bool:
    """Whether this is a card of a real table that nobody has named yet."""
    return p.heading.mode == "table" and not p.card(number).id


def identified(p: Position, numbers: Iterable[int]) -> None:
    """Make sure that cards have been named; raises `NameRequired`."""
    if p.heading.mode == "table":
        needs = [Need(n, p.card(n).place) for n in numbers if not p.card(n).id]
        if needs:
            raise NameRequired(needs)


class Diverged(Exception):
    """The rulebook no longer does what the record says, from entry `seq` on."""

    def __init__(self, seq: int, recorded: Entry | None, emitted: Entry | None) -> None:
        super().__init__(f"the rulebook and the record part at entry {seq}")
        self.seq, self.recorded, self.emitted = seq, recorded, emitted


def _tellable(value: Value) -> Value:
    return bounds.within(value) if type(value) is int else value


#: Events after which a derived number or a rule process may be due.
_TOUCHING = frozenset(
    {
        ev.CardsMade, ev.CardsMoved, ev.CardsTurned, ev.CardsControlled, ev.CardsAttached,
        ev.CardsDefined, ev.CardsRemoved, ev.CountersMoved, ev.ModifierBegan, ev.ModifierEnded,
        ev.TurnBegan, ev.Marked, ev.AttackDeclared, ev.AttackEnded,
    }
)  # fmt: skip


class Over(Exception):
    """Raised by a rulebook to end the game at once, from however deep."""


class Table:
    """A position, the entries that were added to it, and the verbs that add them."""

    def __init__(
        self, pos: Position, manifest: Manifest, tail: Sequence[Entry] = (), last: int = 0
    ) -> None:
        self.pos = pos
        self.manifest = manifest
        self.tail = tail
        self.last = last or pos.seq  # of the whole log, abandoned lines included
        self.at = 0  # how much of the tail has been run
        self.now = pos.time
        self.out: list[Entry] = []
        self.at_rest = False
        self.touched = True  # since derived numbers were last brought up to date
        self.swept = 1  # cards numbered below this have been looked over by the rule processes
        self.floor = 0  # no decision opened from now on is numbered this or lower
        self.rested = 0  # the last decision that was opened at rest; 0: not known
        self.since = 0  # the moment at which the latest waiting effect began to be carried out
        self.offered: dict[int, Offer] = {}  # what is open to each seat, as it was asked
        self.carried = 0  # clauses of texts since somebody answered or a step began
        self.depth = 0  # how deep texts are carrying out each other
        self.again: Callable[[], Offer] | None = None  # what is open, as things stand by now
        self.rolls: list[tuple[int, ...]] = []  # how chance fell at a real table, as was stated
        self._batch = 0  # the moment that open batches share; 0 outside one
        self._speaker = RULES  # by whom the verbs emit

    # -- emitting --------------------------------------------------------------------------------

    def emit(self, event: AnyEvent, *cites: str, by: int | None = None) -> Entry:
        """Add an event to the record, cited, and fold it; by whoever is speaking."""
        p = self.pos
        frames = p.frames
        resuming = self.at < len(self.tail)
        entry = Entry(
            self.tail[self.at].seq if resuming else self.last + 1,
            self.now,
            self._batch or p.moment + 1,
            frames[-1].id if frames else 0,
            self._speaker if by is None else by,
            cites,
            event,
        )
        if resuming:
            recorded = self.tail[self.at]
            if entry != recorded:
                raise Diverged(recorded.seq, recorded, entry)
            self.at += 1
        else:
            self.out.append(entry)
            self.last = entry.seq
        self.at_rest = False
        if type(event) in _TOUCHING:
            self.touched = True
        fold(p, entry)
        return entry

    def input(self, event: AnyEvent, *cites: str, by: int) -> AnyEvent:
        """Take what comes from outside: from the record while resuming, else this event."""
        if self.at < len(self.tail):
            entry = self.tail[self.at]
            moment = self._batch or self.pos.moment + 1
            timely = entry.moment == moment or entry.by in (OFFICIAL, TABLE)  # several at once
            placed = entry.input and timely and entry.frame == self.pos.frame
            if not placed or (cites and entry.cites != cites):
                raise Diverged(entry.seq, entry, None)
            self.at += 1
            self.now = entry.time
            self.at_rest = False
            fold(self.pos, entry)
            return entry.event
        self.emit(event, *cites, by=by)
        return event

    @property
    def moment(self) -> int:
        """The moment of the open batch, or else of the last entry."""
        return self._batch or self.pos.moment

    @property
    def resuming(self) -> bool:
        """Whether part of the record is still to be run again."""
        return self.at < len(self.tail)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Everything emitted within happens at one moment."""
        if self._batch:
            yield
            return
        self._batch = self.pos.moment + 1
        try:
            yield
        finally:
            self._batch = 0

    @contextmanager
    def speaking(self, by: int) -> Iterator[None]:
        """Everything that is emitted within is by somebody else than the rules."""
        was, self._speaker = self._speaker, by
        try:
            yield
        finally:
            self._speaker = was

    def open_frame(self, kind: str, *cites: str, cause: int = 0, **facts: Value) -> int:
        """Open a frame that outlasts this step; its id, to close it with."""
        p = self.pos
        number = p.next_frame
        self.emit(ev.FrameOpened(number, kind, p.frame, cause or p.seq, facts), *cites)
        return number

    def close_frame(self, number: int, *cites: str, outcome: str = "") -> None:
        """Close a frame."""
        self.emit(ev.FrameClosed(number, outcome), *cites)

    # -- asking ----------------------------------------------------------------------------------

    def ask(
        self,
        seat: int,
        kind: str,
        offer: Offer | Callable[[], Offer],
        *cites: str,
        about: Ref = 0,
        public: bool = False,
    ) -> Generator[Ask, dict[int, Act], Act]:
        """Wait for one seat to choose; the act it chose.

        An offer that may depend on cards nobody has named is given as a function, to be asked again
        once they are. `public` where neither the options nor the answer tell anything hidden: then
        all see them.
        """
        p = self.pos
        self.again, offer = (None, offer) if isinstance(offer, Offer) else (offer, offer())
        self.offered = {seat: offer}
        to = EVERYONE if public else 1 << seat
        digest = Sealed(OFFICIALS, p.digest())
        n = self._number()
        self.rested = n if self.at_rest else self.rested
        self.emit(ev.DecisionOpened(n, (seat,), kind, about, self.at_rest, digest), *cites)
        self.emit(ev.OptionsOffered(n, seat, Sealed(to, offer)), *cites[:1])
        acts = yield _ASK
        return acts[seat]

    def _number(self) -> int:
        """The next decision's number: none is given twice, on whatever line it was opened."""
        if self.at < len(self.tail):
            event = self.tail[self.at].event
            if type(event) is ev.DecisionOpened and event.n > self.pos.decisions:
                return event.n
        return max(self.pos.decisions, self.floor) + 1

    # -- cards -----------------------------------------------------------------------------------

    def top(self, place: str, n: int = 1) -> list[int]:
        """The top `n` numbers of a zone, topmost first; fewer if there are fewer."""
        zone = self.pos.zones.get(place, [])
        return zone[: -n - 1 : -1] if n > 0 else []

    def make(
        self,
        ids: Sequence[str],
        place: str,
        why: str,
        *cites: str,
        owner: int = NOBODY,
        token: bool = False,
        orient: str | None = None,
        up: bool | None = None,
        seen: int | None = None,
    ) -> tuple[int, ...]:
        """Bring cards into the game; their numbers. `seen`: who knows them (default: by zone)."""
        if not ids:
            return ()
        manifest, zone = self.manifest, self.manifest.zone(place)
        first = self.pos.next_card
        numbers = tuple(range(first, first + len(ids)))
        lies = orient if orient is not None else (zone.orients or ("",))[0]
        to = manifest.made(place, up) if seen is None else seen
        owner = seat_of(place) if owner < 0 else owner
        part = "" if token else self._part(owner, ids)
        if to != EVERYONE and self.pos.heading.mode == "table":
            ids = [""] * len(ids)
        self.emit(
            ev.CardsMade(
                len(ids),
                Sealed(manifest.follow(place, up), numbers),
                place,
                owner,
                token,
                manifest.lies_up(place) if up is None else up,
                lies,
                why,
                part,
            ),
            *cites,
        )
        pairs = tuple(zip(numbers, ids, strict=True))
        self.emit(ev.CardsKnown(len(ids), place, Sealed(to, pairs), why), *cites[:1])
        return numbers

    def _part(self, seat: int, ids: Sequence[str]) -> str:
        """Which part of a seat's list these cards are; empty if none."""
        _, parts = self.pos.heading.decks.get(seat, ("", None))
        return next((part for part, cards in (parts or {}).items() if [*cards] == [*ids]), "")

    def move(
        self,
        cards: Sequence[int],
        dst: str,
        why: str,
        *cites: str,
        at: int | None = None,
        up: bool | None = None,
        orient: str | None = None,
        host: int = 0,
        role: str = "",
        hide: bool = False,
        mixed: bool = False,
        same: bool = False,
    ) -> list[int]:
        """Move cards to a zone, in that order, at one moment; their numbers there.

        A move within a zone keeps the object unless `hide` asks for new numbers; one between zones
        that all can follow does if it is to stay the `same`. With a `host`, they are attached to it
        on arrival. Whoever newly sees them gets to know them. `mixed` where nobody can say any more
        which of them is which.
        """
        arrived: list[int] = []
        if hide:  # chance orders them: how those of several places are mixed is not to be seen
            cards = sorted(cards, key=self._whence)
        with self.at_once():
            for (src, follow, lay_up), group in groupby(cards, self._whence):
                seers = self.manifest.faces(src, lay_up) & follow
                arrived += self._move(
                    list(group), src, follow, seers, dst, why, cites, at, up, orient, mixed,
                    same or (src == dst and not hide),
                )  # fmt: skip
            if host and arrived:
                self._in_sight(host)
                self.emit(ev.CardsAttached(tuple(arrived), host, role), *cites[:1])
        return arrived

    def _whence(self, number: int) -> tuple[str, int, bool]:
        card = self.pos.cards[number]
        return card.place, card.follow, card.up

    def _move(
        self,
        cards: list[int],
        src: str,
        follow: int,
        seers: int,
        dst: str,
        why: str,
        cites: tuple[str, ...],
        at: int | None,
        up: bool | None,
        orient: str | None,
        mixed: bool,
        keep: bool,
    ) -> list[int]:
        p, manifest = self.pos, self.manifest
        zone = manifest.zone(dst)
        now = cards if keep else list(range(p.next_card, p.next_card + len(cards)))
        sees, follows = manifest.faces(dst, up), manifest.follow(dst, up)
        shown = sees & ~(seers & follows)
        if shown and sees == EVERYONE and not keep:
            identified(p, cards)
        ids = [p.cards[number].id for number in cards]
        untold = mixed and len(cards) > 1 and follows != EVERYONE
        pairs = list(zip(cards, now, strict=True))
        if not keep and follow & ~follows:  # who saw them go may not see in which order they lie
            pairs.sort()
        self.emit(
            ev.CardsMoved(
                len(cards),
                Sealed(follow, tuple(was for was, _ in pairs)),
                Sealed(follow if keep else follows, () if untold else tuple(n for _, n in pairs)),
                src,
                dst,
                at,
                manifest.lies_up(dst) if up is None else up,
                orient if orient is not None else (zone.orients or ("",))[0],
                why,
                keep,
            ),
            *cites,
        )
        if shown and not keep:
            known = tuple(zip(now, ids, strict=True))
            self.emit(ev.CardsKnown(len(cards), dst, Sealed(sees, known), why), *cites[:1])
        return now

    def turn(
        self, cards: Iterable[int], *cites: str, orient: str | None = None, up: bool | None = None
    ) -> tuple[int, ...]:
        """Turn those cards that do not lie that way already; which they were.

        The cards are named to all, so they must be such as all can follow. All get to know what
        is turned up.
        """
        p = self.pos
        changed = tuple(
            number
            for number in cards
            if (orient is not None and p.cards[number].orient != orient)
            or (up is not None and p.cards[number].up != up)
        )
        self._in_sight(*changed)
        hidden = [number for number in changed if up and not p.cards[number].up]
        if hidden:
            with self.at_once():
                self.emit(ev.CardsTurned(changed, up, orient), *cites)
                for _, together in groupby(hidden, lambda number: p.cards[number].place):
                    self.show(list(together), EVERYONE, "reveal", *cites[:1])
        elif changed:
            self.emit(ev.CardsTurned(changed, up, orient), *cites)
        return changed

    def in_sight(self, ref: Ref) -> bool:
        """Whether all can tell what this is from others: no card that lies hidden among some."""
        card = self.pos.cards.get(ref) if isinstance(ref, int) else None
        return card is None or card.follow == EVERYONE

    def _in_sight(self, *refs: Ref) -> None:
        for ref in refs:
            if not self.in_sight(ref):
                raise ValueError(f"@{ref} lies hidden: it can't be named before all")

    def show(self, cards: Sequence[int], to: int, why: str, *cites: str) -> None:
        """Let an audience know which cards these are, zone by zone, at one moment.

        Those of a zone are told from the lowest up.
        """
        p = self.pos
        if to == EVERYONE:
            identified(p, cards)
        with self.at_once():
            for place, lying in groupby(cards, lambda number: p.cards[number].place):
                pairs = tuple((number, p.cards[number].id) for number in lying)
                self.emit(ev.CardsKnown(len(pairs), place, Sealed(to, pairs), why), *cites)

    def order(self, place: str, numbers: Sequence[int], why: str, *cites: str) -> None:
        """Lay the cards of a zone in this order, bottom to top."""
        order = Sealed(self.manifest.follow(place), tuple(numbers))
        self.emit(ev.CardsOrdered(place, len(numbers), 0, order, why), *cites)

    def shuffle(self, place: str, *cites: str) -> Play:
        """Shuffle a zone: all its cards get new numbers, and nobody can follow them."""
        n = len(self.pos.zone(place))
        order = yield Chance("shuffle", n, cites)
        base = self.pos.next_card
        follows = Sealed(OFFICIALS, tuple(order))
        self.emit(ev.CardsOrdered(place, n, base, follows, "shuffle"), *cites)

    def control(self, cards: Sequence[int], seat: int, *cites: str) -> None:
        """Give a seat control of cards."""
        self._in_sight(*cards)
        if cards:
            self.emit(ev.CardsControlled(tuple(cards), seat), *cites)

    def define(self, cards: Sequence[int], figures: Mapping[str, Value], *cites: str) -> None:
        """Say what cards count as while they lie face down; no figures: they are themselves."""
        if cards:
            self.emit(ev.CardsDefined(tuple(cards), dict(figures)), *cites)

    def depart(self, cards: Sequence[int], cause: str, blame: Ref, dst: str, *cites: str) -> None:
        """Cards are on their way out to a zone, and not gone yet."""
        self._in_sight(*cards)
        if cards:
            self.emit(ev.DepartureBegan(tuple(cards), cause, blame, dst), *cites)

    def remove(self, cards: Sequence[int], why: str, *cites: str) -> None:
        """Take cards out of the game, before all eyes: one that lay hidden is shown first."""
        hidden = [number for number in cards if self.pos.cards[number].follow != EVERYONE]
        for _, group in groupby(hidden, lambda number: self.pos.cards[number].place):
            self.show(list(group), EVERYONE, why, *cites)
        if cards:
            self.emit(ev.CardsRemoved(tuple(cards), why), *cites)

    # -- numbers ---------------------------------------------------------------------------------

    def counters(self, kind: str, n: int, *cites: str, src: Ref = "", dst: Ref = "") -> int:
        """Move up to `n` counters, as many as the source holds; how many that was.

        Nobody holds more than can be told (`house:bounds`).
        """
        if src != "":
            n = min(n, self.pos.counters(src, kind))
        if dst != "":
            n = min(n, bounds.RANGE - self.pos.counters(dst, kind))
        self._in_sight(src, dst)
        if n > 0:
            self.emit(ev.CountersMoved(kind, n, src, dst), *cites)
        return max(n, 0)

    def modify(
        self,
        source: Ref,
        targets: Iterable[Ref],
        change: Change,
        until: str,
        *cites: str,
        scope: str = "",
    ) -> int:
        """Start a lasting effect; its id."""
        number = self.pos.next_modifier
        began = ev.ModifierBegan(number, source, tuple(targets), change, until, scope)
        self.emit(began, *cites)
        return number

    def end_modifiers(self, ids: Iterable[int], why: str, *cites: str) -> None:
        """End lasting effects."""
        self.emit(ev.ModifierEnded(tuple(ids), why), *cites)

    def expire(self, until: str, *cites: str) -> int:
        """End the lasting effects that last until then, at one moment; how many."""
        ids = tuple(key for key, m in self.pos.modifiers.items() if m.until == until)
        if ids:
            self.end_modifiers(ids, until, *cites)
        return len(ids)

    def stats(
        self, figures: Iterable[tuple[int, dict[str, Value]]], cites: Mapping[str, str]
    ) -> bool:
        """Record all the derived numbers of these cards, those that changed; whether any did.

        `cites` says which rule each of them is derived by. None of them goes further than can be
        told (`house:bounds`).
        """
        cards = self.pos.cards
        changed = [
            (number, key, value)
            for number, now in figures
            if now != (was := cards[number].stats)
            for key in {**now, **was}
            if (value := _tellable(now.get(key))) != was.get(key)
        ]
        if changed:
            rules = dict.fromkeys(cites[key] for _, key, _ in changed)
            self.emit(ev.StatsSet(Sealed(EVERYONE, tuple(changed))), *rules)
        return bool(changed)

    def mark(self, subject: Ref, key: str, value: Value, *cites: str) -> None:
        """Note a fact, or erase it (None), unless it stands so already."""
        if self.pos.mark(subject, key) != value:
            self._in_sight(subject)
            self.emit(ev.Marked(subject, key, value), *cites)

    # -- effects ---------------------------------------------------------------------------------

    def trigger(
        self,
        effect: str,
        source: Ref,
        seat: int,
        cause: int,
        *cites: str,
        optional: bool = False,
        group: int = 0,
        about: Ref = 0,
    ) -> int:
        """An effect was triggered and waits, with those of a `group` or of its moment; its id.

        `about`: the card that it befell, where all can tell it from others.
        """
        number = self.pos.next_act
        self._in_sight(about)
        triggered = ev.EffectTriggered(number, effect, source, seat, cause, optional, group, about)
        self.emit(triggered, *cites)
        return number

    def group(self) -> int:
        """The group of all that triggers until the next waiting effect is carried out."""
        newest = max((act.group for act in self.pos.waiting()), default=0)
        return newest if newest > self.since else self.moment

    def declare(
        self,
        kind: str,
        source: Ref,
        seat: int,
        *cites: str,
        effect: str = "",
        targets: Iterable[Ref] = (),
        x: int = 0,
        speed: int = 0,
        mode: str = "",
    ) -> int:
        """Somebody declares an act; its id."""
        number = self.pos.next_act
        self.emit(
            ev.ActDeclared(number, kind, source, effect, seat, tuple(targets), x, speed, mode),
            *cites,
        )
        return number

    def resolve(self, act: int, *cites: str) -> None:
        """Begin to carry out a waiting effect or declared act, as a frame."""
        self.emit(ev.ActResolving(act, self.pos.next_frame), *cites)
        if self.pos.pending[act].kind == "triggered":
            self.since = self.moment

    def end_act(self, act: int, outcome: str, *cites: str) -> None:
        """A waiting effect or declared act is over."""
        self.emit(ev.ActEnded(act, outcome), *cites)

    def not_done(
        self, what: str, ref: Ref, why: str, *cites: str, asked: int = 0, done: int = 0
    ) -> None:
        """Record that something asked for did not happen, or not wholly."""
        self.emit(ev.NotDone(what, ref, why, asked, done), *cites)


_ASK = Ask()
