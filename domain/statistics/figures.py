"""Figures: the facts of many matches added up, and the selection of those matches.

A rate is wins of games that somebody won, with its Wilson interval: games without a winner are
counted, and change no rate. Where both seats play the same deck its rate learns nothing from that.
How facts are read from a match is in `facts`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from math import sqrt
from typing import NamedTuple

from msgspec import Struct, field

from domain.record.position import seat_letter
from domain.record.schema.citations import without_edition
from domain.statistics.facts import WAYS, Facts, Game

#: How many standard deviations a 95 % interval reaches to each side.
Z = 1.959964


class Wanted(Struct, frozen=True, kw_only=True):
    """Which matches are counted: those that fit all that is given; empty: any.

    `event` is the id of an event, with which those of its matches begin; `edition` that of the
    rulebook (`1.0`: the first); `best_of` the format; `since` and `until` are when matches were
    opened (ms since 1970, the latter excluded); `deck` and `card` are of either seat.
    """

    game: str = ""
    edition: str = ""
    event: str = ""
    best_of: int = 0
    since: int = 0
    until: int = 0
    labels: Mapping[str, str] = {}
    deck: str = ""
    versus: str = ""
    card: str = ""

    def fits(self, match: str, one: Facts) -> bool:
        """Whether a match is counted."""
        edition = one.game.partition("@")[2] or "1.0"
        return (
            self.game in ("", one.game, without_edition(one.game))
            and self.edition in ("", edition)
            and (not self.event or match.startswith(f"{self.event}."))
            and self.best_of in (0, one.best_of)
            and self.since <= one.at
            and (not self.until or one.at < self.until)
            and all(one.labels.get(name) == value for name, value in self.labels.items())
            and self._decks(one.decks)
            and (not self.card or any(self._has_card(game) for game in one.games))
        )

    def _decks(self, decks: tuple[str, ...]) -> bool:
        """Whether these were played: one by a seat, the other one by another."""
        if not self.versus:
            return not self.deck or self.deck in decks
        return any(
            deck == self.deck and self.versus in (*decks[:seat], *decks[seat + 1 :])
            for seat, deck in enumerate(decks)
        )

    def _has_card(self, game: Game) -> bool:
        return any(self.card in ids for side in game.sides for ids in side.cards)


class Rate(NamedTuple):
    """So many games won of so many that somebody won."""

    won: int
    of: int

    @property
    def value(self) -> float:
        """The share; 0 of none."""
        return self.won / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The Wilson interval at 95 %; from 0 to 1 of none."""
        if not self.of:
            return 0.0, 1.0
        share, z2 = self.value, Z * Z / self.of
        middle = (share + z2 / 2) / (1 + z2)
        half = Z / (1 + z2) * sqrt(share * (1 - share) / self.of + z2 / (4 * self.of))
        return max(0.0, middle - half), min(1.0, middle + half)


class Tallied(Struct):
    """Wins and losses, counted by something."""

    won: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)

    def rate(self, key: str) -> Rate:
        """The rate of one."""
        return Rate(self.won[key], self.won[key] + self.lost[key])

    def __iter__(self) -> Iterator[str]:
        """All there are, the most frequent first."""
        names = self.won.keys() | self.lost.keys()
        return iter(sorted(names, key=lambda name: (-self.won[name] - self.lost[name], name)))


class Figures(Struct):
    """What matches add up to; `add` takes one more. All counts are of games but `matches`.

    `turns` and `answers` and the times beside them (ms) are sums; `cards` has the ways in which
    cards are seen (`facts.WAYS`), `against` pairs of decks by games that the first one won.
    """

    matches: int = 0
    games: int = 0
    undecided: int = 0
    turns: int = 0
    ms: int = 0
    answers: int = 0
    answer_ms: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    decks: Tallied = field(default_factory=Tallied)
    played: Counter[str] = field(default_factory=Counter)
    seats: Tallied = field(default_factory=Tallied)
    order: Tallied = field(default_factory=Tallied)
    against: Counter[tuple[str, str]] = field(default_factory=Counter)
    cards: tuple[Tallied, ...] = field(default_factory=lambda: tuple(Tallied() for _ in WAYS))

    def add(self, one: Facts, *, cards: bool) -> None:
        """Count a match, and its cards if they are asked for: these take longest."""
        self.matches += 1
        for game in one.games:
            self._add(one.decks, game)
            if cards and game.winner >= 0:
                for seat, side in enumerate(game.sides):
                    for tallied, ids in zip(self.cards, side.cards, strict=True):
                        _count(tallied, seat == game.winner).update(ids)

    def _add(self, decks: tuple[str, ...], game: Game) -> None:
        self.games += 1
        self.turns += game.turns
        self.ms += game.ms
        self.lengths[game.turns] += 1
        self.ends[game.why] += 1
        self.played.update(decks)
        for side in game.sides:
            self.answers += side.answers
            self.answer_ms += side.ms
        if game.winner < 0:
            self.undecided += 1
            return
        for seat, deck in enumerate(decks):
            won = seat == game.winner
            _count(self.seats, won)[seat_letter(seat)] += 1
            if game.first >= 0:
                _count(self.order, won)["first" if seat == game.first else "second"] += 1
            others = [other for n, other in enumerate(decks) if n != seat]
            if deck not in others:
                _count(self.decks, won)[deck] += 1
            if won:
                self.against.update((deck, other) for other in others)

    def versus(self, deck: str, other: str) -> Rate:
        """The rate of a deck against another."""
        won, lost = self.against[deck, other], self.against[other, deck]
        return Rate(won, won + (lost if deck != other else 0))


def _count(tallied: Tallied, won: bool) -> Counter[str]:
    return tallied.won if won else tallied.lost


def added(many: Iterable[Facts], *, cards: bool = True) -> Figures:
    """What matches add up to, with their cards or without."""
    found = Figures()
    for one in many:
        found.add(one, cards=cards)
    return found


def chosen(many: Iterable[tuple[str, Facts]], wanted: Wanted) -> Iterator[tuple[str, Facts]]:
    """The matches that are wanted, with their ids."""
    return ((match, one) for match, one in many if wanted.fits(match, one))
