"""The progress of a tournament: standings, places, the next pairings.

Swiss rounds are played until as many as its format plans are over; then, if it has a cut, those at
the top play on in single elimination, which tells their places. Rounds whose pairings were given
count as Swiss ones. The caller that pairs a round gives the seed of the drawing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.tournament.pairing import bracket, swiss
from domain.tournament.record import ELIMINATION, SWISS, Table
from domain.tournament.scores import Played, scores
from domain.tournament.standings import Standing, standings
from domain.tournament.state import Round, Stage, State
from domain.words.phrases import Phrase, phrase


class CannotPair(ValueError):
    """There is no next round to be paired; the text says why."""


class Place(Struct, frozen=True):
    """A player's place at the end: a rank, which several may share, and how he stood in points."""

    rank: int
    standing: Standing


class Next(Struct, frozen=True):
    """A pairing of the next round, how it was found, and what an organiser should know of it."""

    by: str
    tables: tuple[Table, ...]
    caveats: tuple[Phrase, ...] = ()


def planned(s: State) -> int:
    """How many Swiss rounds there are to be."""
    first = s.rounds[0] if s.rounds else None
    if s.format.rounds:
        return s.format.rounds
    if first is not None and first.stage != Stage.PAIRED:
        return swiss.rounds(sum(len(table.players) for table in first.tables.values()))
    return swiss.rounds(len(active(s)))


def active(s: State) -> list[int]:
    """Those who have not dropped, by number."""
    return [player.number for player in s.players.values() if not player.dropped]


def played(rounds: Sequence[Round]) -> Iterator[Played]:
    """The tables of rounds that have a result."""
    for one in rounds:
        for seating in one.tables.values():
            if seating.outcome is not None:
                yield Table(seating.number, seating.first, seating.second), seating.outcome


def standing(s: State) -> list[Standing]:
    """All players by the points of their Swiss rounds, level ones by the format's tie-breaks."""
    return standings(
        s.players,
        played(_swiss(s)),
        points=s.format.points,
        tiebreaks=s.format.tiebreaks,
        seed=s.at,
        penalties=Counter(one.player for one in s.penalties.values() if not one.withdrawn),
    )


def places(s: State) -> list[Place]:
    """All players in the order of their places: first those of the elimination, by its rounds."""
    found = {one.player: one for one in standing(s)}
    rounds = _elimination(s)
    if not rounds:
        return [Place(one.rank, one) for one in found.values()]
    seated = {n for table in rounds[0].tables.values() for n in table.players}
    seeds = [player for player in found if player in seated]
    top = bracket.placed(seeds, [[*played([one])] for one in rounds])
    rest = [one for one in found.values() if one.player not in seated]
    # A rank among the rest is shared by those who shared one before, and begins behind the top.
    ranks = [len(seeds) + 1 + sum(o.rank < one.rank for o in rest) for one in rest]
    return [
        *(Place(rank, found[player]) for rank, player in top),
        *(Place(rank, one) for rank, one in zip(ranks, rest, strict=True)),
    ]


def next_round(s: State, seed: int, by: str = "") -> Next:
    """Pair the round that comes next, or the last again; raises `CannotPair`, `bracket.Undecided`.

    `by` says how, where what the format plans is not what is wanted.
    """
    over, knockout = _over(s), _elimination(s)
    if by == SWISS or (not by and not knockout and len(over) < planned(s)):
        if knockout:
            raise CannotPair(phrase("single elimination has begun"))
        return _swiss_round(s, seed)
    if knockout:
        return _further(s, knockout[-1])
    if not (s.format.cut or by == ELIMINATION):
        raise CannotPair(phrase("all {n} rounds that were planned are over", n=planned(s)))
    return _cut(s)


def _swiss_round(s: State, seed: int) -> Next:
    entered = swiss.entrants(active(s), scores(s.players, played(_over(s)), s.format.points))
    if not entered:
        raise CannotPair(phrase("no player is left to be paired"))
    found = swiss.pair(entered, seed)
    names = {player.number: player.name for player in s.players.values()}
    return Next(SWISS, found.tables, tuple(found.caveats(names)))


def _cut(s: State) -> Next:
    """The first round of the elimination: of all who play on, or of as many as the cut has."""
    order = [one for one in standing(s) if not s.players[one.player].dropped]
    if len(order) < 2:
        raise CannotPair(phrase("no player is left to be paired"))
    cut = s.format.cut or len(order)
    caveats = []
    if len(order) > cut and order[cut - 1].rank == order[cut].rank:
        names = (s.players[one.player].name for one in (order[cut - 1], order[cut]))
        text = "{last} and {first} are level: a draw by lot lets {last} play on"
        caveats = [phrase(text, last=next(names), first=next(names))]
    tables = bracket.first([one.player for one in order[:cut]])
    return Next(ELIMINATION, tables, tuple(caveats))


def _further(s: State, last: Round) -> Next:
    tables = [Table(one.number, one.first, one.second) for one in last.tables.values()]
    outcomes = {n: one.outcome for n, one in last.tables.items() if one.outcome is not None}
    gone = {player.number for player in s.players.values() if player.dropped}
    found = bracket.following(tables, outcomes, gone)
    if not found:
        raise CannotPair(phrase("the last match has been played"))
    return Next(ELIMINATION, found)


def _over(s: State) -> list[Round]:
    """The rounds that the next one follows: one that is not opened is paired again."""
    return [one for one in s.rounds if one.stage != Stage.PAIRED]


def _elimination(s: State) -> list[Round]:
    return [one for one in _over(s) if one.by == ELIMINATION]


def _swiss(s: State) -> list[Round]:
    return [one for one in _over(s) if one.by != ELIMINATION]
