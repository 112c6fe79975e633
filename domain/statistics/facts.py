"""The facts of one match that statistics are made of: results, lengths, cards of each game.

They are folded from the entries that a viewer may see (`record.views`), and from nothing else: two
matches that he can't tell apart have the same facts. A match that is not over has none. Adding
facts up is in `figures`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.record import events as ev
from domain.record.entries import Entry, active
from domain.record.folding.fold import fold
from domain.record.interventions import ResultCorrected
from domain.record.position import NOBODY, UNKNOWN, Card, Position, seat_of, zone_of
from domain.record.schema.manifest import Manifest
from domain.record.schema.tallies import Tally
from domain.record.views import redact

#: How a card was seen in a game, in the order of `Side.cards`.
LISTED, OPENING, DRAWN, PLAYED = range(4)
WAYS = ("listed", "opening", "drawn", "played")
#: Why a game ended of which an official corrected the result.
CORRECTED = "correction"
#: How boards draw zones in which cards are in play.
_IN_PLAY = ("cards", "passing")


class Side(Struct, array_like=True, frozen=True, gc=False):
    """A seat's part of a game: its answers, how long they took in all (ms), and its cards.

    `cards` are those that the viewer knows of, each once: in the list, in the hand as the first
    turn began, in the hand at any time from then on, played from the hand (or from another place
    that its owner alone looks into, as an extra deck).
    """

    answers: int
    ms: int
    packed: msgspec.Raw  # the cards, as they are stored: most figures need none of them

    @property
    def cards(self) -> tuple[tuple[str, ...], ...]:
        """Its cards, by the ways in which they were seen (`WAYS`)."""
        return _cards(self.packed)


class Game(Struct, array_like=True, frozen=True, gc=False):
    """A game that is over: who took the first turn and who won (-1: nobody), why, how long (ms)."""

    first: int
    winner: int
    why: str
    turns: int
    ms: int
    sides: tuple[Side, ...]


class Facts(Struct, array_like=True, frozen=True, gc=False):
    """A match that is over: what it was opened with, its result as it stands, its games."""

    game: str
    at: int
    best_of: int
    labels: dict[str, str]
    decks: tuple[str, ...]
    winner: int
    score: tuple[int, ...]
    games: tuple[Game, ...]


class Zones(NamedTuple):
    """The zones of a game that facts are about: the hand, those that are played from, in play."""

    hand: str
    held: frozenset[str]
    in_play: frozenset[str]

    @staticmethod
    def of(manifest: Manifest, tallies: Iterable[Tally]) -> Zones:
        """Those of a game."""
        hand = next(one.zone for one in tallies if one.name == "hand")
        held = (z.name for z in manifest.zones if z.faces == z.follow == "owner" and not z.shared)
        in_play = (z.name for z in manifest.zones if z.faces == "all" and z.style in _IN_PLAY)
        return Zones(hand, frozenset(held), frozenset(in_play))


encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(Facts).decode
_cards = msgspec.msgpack.Decoder(tuple[tuple[str, ...], ...]).decode


def facts(entries: Iterable[Entry], viewer: int, zones: Zones) -> Facts | None:
    """The facts of a match as a viewer may know them; None: it is not over. O(entries)."""
    found = _Reading(zones)
    for entry in active(entries):
        if type(entry.event) not in _SKIPPED:
            found.take(redact(entry, viewer))
    return found.facts


class _Reading:
    """The facts of a match as far as it was read. Cards are kept as they are: they get names."""

    def __init__(self, zones: Zones) -> None:
        self._zones, self._p = zones, Position()
        self._games = list[Game]()
        self._over: ev.MatchEnded | ResultCorrected | None = None
        self._start(0)

    def _start(self, time: int) -> None:
        """A game begins."""
        self._began, self._first, self._turns = time, NOBODY, 0
        self._cards = dict[tuple[int, int], list[Card]]()
        self._answers, self._ms = dict[int, int](), dict[int, int]()

    def take(self, e: Entry) -> None:
        """Read the next entry."""
        fold(self._p, e)
        read = _READ.get(type(e.event))
        if read is not None:
            read(self, e.event, e.time)

    def _game_began(self, v: ev.GameBegan, time: int) -> None:
        self._start(time)

    def _turn_began(self, v: ev.TurnBegan, time: int) -> None:
        if not self._turns:
            self._begin(v.seat)
        self._turns += 1

    def _decided(self, v: ev.DecisionMade, time: int) -> None:
        self._answers[v.seat] = self._answers.get(v.seat, 0) + 1
        self._ms[v.seat] = self._ms.get(v.seat, 0) + v.ms

    def _game_ended(self, v: ev.GameEnded, time: int) -> None:
        sides = tuple(map(self._side, range(len(self._p.heading.seats))))
        ms = time - self._began
        self._games.append(Game(self._first, v.winner, v.why, self._turns, ms, sides))

    def _ended(self, v: ev.MatchEnded | ResultCorrected, time: int) -> None:
        self._over = v

    def _begin(self, seat: int) -> None:
        """The first turn begins: what is in the hands is what the game is played with."""
        self._first = seat
        for one in range(len(self._p.heading.seats)):
            hand = self._p.zone(self._zones.hand, one)
            known = [self._p.cards[n] for n in hand if n in self._p.cards]
            self._cards[one, OPENING] = known
            self._cards[one, DRAWN] = [*known]

    def _moved(self, v: ev.CardsMoved, time: int) -> None:
        """Cards came into a hand, or were played from one."""
        if not self._turns or v.src == v.dst:
            return
        src, dst, zones = zone_of(v.src), zone_of(v.dst), self._zones
        numbers = (v.was if v.kept else v.now).value or ()
        arrived = (self._p.cards[n] for n in numbers if n in self._p.cards)
        if dst == zones.hand:
            self._cards.setdefault((seat_of(v.dst), DRAWN), []).extend(arrived)
        elif src in zones.held and dst in zones.in_play:
            played = [*arrived]
            self._cards.setdefault((seat_of(v.src), PLAYED), []).extend(played)
            if src == zones.hand:  # whoever sees it now knows that it was there
                self._cards.setdefault((seat_of(v.src), DRAWN), []).extend(played)

    def _side(self, seat: int) -> Side:
        _, parts = self._p.heading.decks.get(seat, ("", None))
        listed = _each(one for part in (parts or {}).values() for one in part)
        seen = (
            _each(card.id for card in self._cards.get((seat, way), ()) if not card.token)
            for way in (OPENING, DRAWN, PLAYED)
        )
        cards = msgspec.Raw(encode((listed, *seen)))
        return Side(self._answers.get(seat, 0), self._ms.get(seat, 0), cards)

    @property
    def facts(self) -> Facts | None:
        """The facts of the match; None: it is not over."""
        over, heading = self._over, self._p.heading
        if over is None:
            return None
        seats = range(len(heading.seats))
        decks = tuple(heading.decks[seat][0] if seat in heading.decks else "" for seat in seats)
        return Facts(
            heading.game, heading.at, heading.best_of, heading.labels, decks,
            over.winner, over.score, _corrected(self._games, over),
        )  # fmt: skip


def _each(ids: Iterable[str]) -> tuple[str, ...]:
    """Every card that can be named, once."""
    return tuple(sorted(set(ids) - {"", UNKNOWN}))


def _corrected(games: Sequence[Game], over: ev.MatchEnded | ResultCorrected) -> tuple[Game, ...]:
    """The games with winners that fit the result as it stands.

    Where an official corrected it to another score, the winner of the only game is his; of several
    nobody can say which one was meant: none of them has a winner then.
    """
    won = tuple(sum(one.winner == seat for one in games) for seat in range(len(over.score)))
    if not isinstance(over, ResultCorrected) or won == tuple(over.score):
        return tuple(games)
    winner = over.winner if len(games) == 1 else NOBODY
    return tuple(replace(one, winner=winner, why=CORRECTED) for one in games)


_READ: dict[type, Callable[[_Reading, Any, int], None]] = {
    ev.GameBegan: _Reading._game_began,
    ev.TurnBegan: _Reading._turn_began,
    ev.DecisionMade: _Reading._decided,
    ev.CardsMoved: _Reading._moved,
    ev.GameEnded: _Reading._game_ended,
    ev.MatchEnded: _Reading._ended,
    ResultCorrected: _Reading._ended,
}
#: What neither moves cards nor says which they are, and is of no use here: most entries.
_SKIPPED = frozenset((
    ev.StepBegan, ev.FrameOpened, ev.FrameClosed, ev.CountersMoved, ev.ModifierBegan,
    ev.ModifierEnded, ev.StatsSet, ev.Marked, ev.EffectTriggered, ev.ActDeclared, ev.ActResolving,
    ev.ActEnded, ev.NotDone, ev.EffectScheduled, ev.ScheduleEnded, ev.AttackDeclared,
    ev.AttackChanged, ev.AttackEnded, ev.DamageDealt, ev.ChanceDrawn,
))  # fmt: skip
