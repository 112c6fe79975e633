"""The progress of a tournament: standings, places, the next pairings.

Swiss rounds are played until as many as its format plans are over; then, if it has a cut, those at
the top play on in single elimination, which tells their places. Rounds whose pairings were given
count as Swiss ones. Where they are played within pods each pod is paired by itself. The caller that
pairs a round gives the seed of the drawing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from domain.tournament.pairing import bracket, pods, swiss
from domain.tournament.record import BY_CHART, ELIMINATION, GIVEN, PLAY_OFF, SWISS, Table
from domain.tournament.scores import Played, scores
from domain.tournament.standings import Standing, standings
from domain.tournament.state import Round, Stage, State
from domain.words.phrases import Phrase, joined, phrase

#: How many of those are named whom something is about.
FEW = 6


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
    if s.format.rounds:
        return s.format.rounds
    n = _entered(s)
    if s.format.pools.within:
        n = max([*map(len, s.pods)] or pods.sizes(n, s.format.pools.pod), default=0)
    return _charted(s, n)[0] or swiss.rounds(n)


def cut(s: State) -> int:
    """How many go on to single elimination; 0: nobody."""
    return _charted(s, _entered(s))[1] if s.format.cut == BY_CHART else s.format.cut


def _entered(s: State) -> int:
    """How many began: the first round's players, once it is open. Late entries alter nothing."""
    first = s.rounds[0] if s.rounds else None
    if first is not None and first.stage != Stage.PAIRED:
        return sum(len(table.players) for table in first.tables.values())
    return len(active(s))


def _charted(s: State, players: int) -> tuple[int, int]:
    """Rounds and cut for so many players by the chart, whose last row is for more as well."""
    rows = [(rounds, cut_) for most, rounds, cut_ in s.format.chart if players <= most]
    return next(iter(rows), s.format.chart[-1][1:] if s.format.chart else (0, 0))


def active(s: State) -> list[int]:
    """Those who have not dropped, by number."""
    return [player.number for player in s.players.values() if not player.dropped]


def absent(s: State) -> list[int]:
    """Those who play on and have not checked in, by number; nobody where nobody has."""
    if not any(player.present for player in s.players.values()):
        return []
    return [number for number in active(s) if not s.players[number].present]


def played(rounds: Sequence[Round]) -> Iterator[Played]:
    """The tables of rounds that have a result."""
    for one in rounds:
        for seating in one.tables.values():
            if seating.outcome is not None:
                yield Table(seating.number, seating.first, seating.second), seating.outcome


def standing(s: State, tiebreaks: Sequence[str] = ()) -> list[Standing]:
    """All players by the points of their Swiss rounds, level ones by the format's tie-breaks.

    Or by these.
    """
    won = (outcome.winner for _, outcome in played(_rounds(s, (PLAY_OFF,))))
    return standings(
        s.players,
        played(_swiss(s)),
        points=s.format.points,
        tiebreaks=tiebreaks or s.format.tiebreaks,
        playoffs=Counter(won),
        least_rate=s.format.least_rate,
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
    knockout = _elimination(s)
    if by == PLAY_OFF:
        return _play_off(s, knockout)
    if by == SWISS or (not by and not knockout and len(_swiss(s)) < planned(s)):
        if knockout:
            raise CannotPair(phrase("single elimination has begun"))
        return _swiss_round(s, seed)
    if knockout:
        return _further(s, knockout[-1])
    if not (cut(s) or by == ELIMINATION):
        raise CannotPair(phrase("all {n} rounds that were planned are over", n=planned(s)))
    return _cut(s)


def _swiss_round(s: State, seed: int) -> Next:
    entered = swiss.entrants(active(s), scores(s.players, played(_swiss(s)), s.format.points))
    if not entered:
        raise CannotPair(phrase("no player is left to be paired"))
    names = {player.number: player.name for player in s.players.values()}
    if s.format.pools.within:
        return _pod_round(s, entered, names, seed)
    found = swiss.pair(entered, seed)
    return Next(SWISS, found.tables, tuple(found.caveats(names)))


def _pod_round(
    s: State, entered: Sequence[swiss.Entrant], names: Mapping[int, str], seed: int
) -> Next:
    """Each pod by itself, one after the other; all byes are last."""
    outside = [names[one.player] for one in entered if not s.pod(one.player)]
    if outside:
        raise CannotPair(phrase("in no pod: {names}", names=joined(", ", outside[:FEW])))
    tables, byes, caveats = list[Table](), list[Table](), list[Phrase]()
    for pod in s.pods:
        found = swiss.pair([one for one in entered if one.player in pod], seed)
        moved = tuple(n + len(tables) for n in found.rematches)
        caveats += replace(found, rematches=moved).caveats(names)
        byes += [one for one in found.tables if not one.second]
        tables += [one for one in found.tables if one.second]
    both = [Table(n, one.first, one.second) for n, one in enumerate([*tables, *byes], 1)]
    return Next(SWISS, tuple(both), tuple(caveats))


def cut_of(s: State) -> list[int]:
    """The players of the elimination, or those who would pass to it now; raises `CannotPair`."""
    rounds = _elimination(s)
    if rounds:
        return [n for table in rounds[0].tables.values() for n in table.players]
    return [one.player for one in _order(s)[: cut(s) or None]]


def _order(s: State) -> list[Standing]:
    """Those who play on, by their standing."""
    order = [one for one in standing(s) if not s.players[one.player].dropped]
    if len(order) < 2:
        raise CannotPair(phrase("no player is left to be paired"))
    return order


def _cut(s: State) -> Next:
    """The first round of the elimination: of all who play on, or of as many as the cut has."""
    order = _order(s)
    n = cut(s) or len(order)
    caveats = []
    if len(order) > n and order[n - 1].rank == order[n].rank:
        names = (s.players[one.player].name for one in (order[n - 1], order[n]))
        text = "{last} and {first} are level: a draw by lot lets {last} play on"
        caveats = [phrase(text, last=next(names), first=next(names))]
    tables = bracket.first([one.player for one in order[:n]])
    return Next(ELIMINATION, tables, tuple(caveats))


def _play_off(s: State, knockout: Sequence[Round]) -> Next:
    """Two by two those who are level by all that counts before play-offs, and by these."""
    names = s.format.tiebreaks
    if PLAY_OFF not in names:
        raise CannotPair(phrase("play-offs are no tie-break of this event"))
    if knockout:
        raise CannotPair(phrase("single elimination has begun"))
    playing = {*active(s)}
    order = [
        one for one in standing(s, names[: names.index(PLAY_OFF) + 1]) if one.player in playing
    ]
    pairs: list[tuple[int, int]] = []
    for _, same in groupby(order, key=lambda one: one.rank):
        level = [one.player for one in same]
        pairs += zip(level[::2], level[1::2], strict=False)
    tables = [Table(n, *pair) for n, pair in enumerate(pairs, 1)]
    if not tables:
        raise CannotPair(phrase("no players are level"))
    return Next(PLAY_OFF, tuple(tables))


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
    return _rounds(s, (ELIMINATION,))


def _swiss(s: State) -> list[Round]:
    return _rounds(s, (SWISS, GIVEN))


def _rounds(s: State, by: Collection[str]) -> list[Round]:
    """The rounds that were paired so."""
    return [one for one in _over(s) if one.by in by]
