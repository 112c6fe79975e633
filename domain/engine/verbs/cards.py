"""The verbs for cards: making, moving, turning, showing, ordering, attaching, removing them.

Verbs know zones and audiences from the manifest, and no game. A verb that has nothing to do emits
nothing. At a real table (`Heading.mode`) cards are unknown until somebody names them: where a
card's identity must be shown to all, or a rule depends on it, and nobody has named it,
`NameRequired` is raised, and the sender of the command repeats it with the name. So rulebooks need
not know which kind of table it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from domain.engine.signals import Chance, Play, identified
from domain.engine.verbs.emitter import Emitter
from domain.record import events as ev
from domain.record.position import NOBODY, seat_of
from domain.record.values import EVERYONE, OFFICIALS, Ref, Sealed, Value


class Cards(Emitter):
    """A table's verbs for cards."""

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
                n=len(ids),
                cards=Sealed(manifest.follow(place, up), numbers),
                place=place,
                owner=owner,
                token=token,
                up=manifest.lies_up(place) if up is None else up,
                orient=lies,
                why=why,
                part=part,
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
        on arrival. Seats that newly see them learn their identities. `mixed` where nobody can say
        any more which of them is which.
        """
        arrived: list[int] = []
        if hide:  # chance orders them: how those of several places are mixed is not to be seen
            cards = sorted(cards, key=self._whence)
        with self.at_once():
            if not same:
                self._hand_over([n for n in cards if hide or self.pos.cards[n].place != dst], cites)
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

    def _hand_over(self, cards: Iterable[int], cites: tuple[str, ...]) -> None:
        """Conserved counters do not go with a card that leaves (`manifest.Conserved`)."""
        for kept in self.manifest.conserved:
            for number in cards:
                held = self.pos.counters(number, kept.kind)
                if held:
                    to = f"{kept.to}/{self.pos.cards[number].owner}"
                    moved = ev.CountersMoved(kept.kind, held, number, to)
                    self.emit(moved, kept.rule, *cites[:1])

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
        jumbled = mixed and len(cards) > 1 and follows != EVERYONE
        pairs = list(zip(cards, now, strict=True))
        if not keep and follow & ~follows:  # who saw them go may not see in which order they lie
            pairs.sort()
        self.emit(
            ev.CardsMoved(
                n=len(cards),
                was=Sealed(follow, tuple(was for was, _ in pairs)),
                now=Sealed(
                    follow if keep else follows, () if jumbled else tuple(n for _, n in pairs)
                ),
                src=src,
                dst=dst,
                at=at,
                up=manifest.lies_up(dst) if up is None else up,
                orient=orient if orient is not None else (zone.orients or ("",))[0],
                why=why,
                kept=keep,
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

    def show(self, cards: Sequence[int], to: int, why: str, *cites: str) -> None:
        """Let an audience know which cards these are, zone by zone, at one moment.

        Those of a zone are listed from the lowest up.
        """
        p = self.pos
        if to == EVERYONE:
            identified(p, cards)
        with self.at_once():
            for place, lying in groupby(cards, lambda number: p.cards[number].place):
                pairs = tuple((number, p.cards[number].id) for number in lying)
                self.emit(ev.CardsKnown(len(pairs), place, Sealed(to, pairs), why), *cites)

    def reveal(self, cards: Sequence[int], why: str, *cites: str) -> list[int]:
        """Show all which cards these are that stay where they lie; their numbers from now on.

        One of a hand gets a new number: by its old one all would learn since when it has lain
        there. In a stack numbers say only where they lie.
        """
        now: list[int] = []
        identified(self.pos, cards)
        with self.at_once():
            for (place, follow, up), group in groupby(cards, self._whence):
                lying = list(group)
                if self.manifest.zone(place).follow == "owner" and follow != EVERYONE:
                    lying = self._renumbered(lying, place, follow, up, why, cites)
                self.show(lying, EVERYONE, why, *cites)
                now += lying
        return now

    def _renumbered(
        self, cards: list[int], place: str, follow: int, up: bool, why: str, cites: tuple[str, ...]
    ) -> list[int]:
        """Cards of one place come by new numbers there, by which all can follow them."""
        now = list(range(self.pos.next_card, self.pos.next_card + len(cards)))
        was, orient = Sealed(follow, tuple(cards)), self.pos.cards[cards[0]].orient
        seen = Sealed(EVERYONE, tuple(now))
        moved = ev.CardsMoved(len(cards), was, seen, place, place, None, up, orient, why, False)
        self.emit(moved, *cites)
        return now

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
        """Say what cards count as beside their print; no figures: they are themselves."""
        if cards:
            self.emit(ev.CardsDefined(tuple(cards), dict(figures)), *cites)

    def depart(self, cards: Sequence[int], cause: str, blame: Ref, dst: str, *cites: str) -> None:
        """Cards are on their way out to a zone, and not gone yet; no cause: they stay after all.

        The position keeps why, where to and what they were (`Position.departures`).
        """
        self._in_sight(*cards)
        if cards:
            self.emit(ev.DepartureBegan(tuple(cards), cause, blame, dst), *cites)

    def link(self, cards: Sequence[int], host: int, role: str, *cites: str) -> None:
        """Cards belong to another one from where they lie; host 0: to none any more."""
        self._in_sight(host, *cards)
        if cards:
            self.emit(ev.CardsLinked(tuple(cards), host, role), *cites)

    def remove(self, cards: Sequence[int], why: str, *cites: str) -> None:
        """Take cards out of the game, before all eyes: one that lay hidden is shown first."""
        hidden = [number for number in cards if self.pos.cards[number].follow != EVERYONE]
        for _, group in groupby(hidden, lambda number: self.pos.cards[number].place):
            self.show(list(group), EVERYONE, why, *cites)
        if cards:
            with self.at_once():
                self._hand_over(cards, cites)
                self.emit(ev.CardsRemoved(tuple(cards), why), *cites)
