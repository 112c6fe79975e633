"""The Swiss system: players of like scores meet, and no pair meets twice.

Pairing is a matching of least cost. Two players cost the square of how far their points lie apart,
so that pairing within a score group is best, and two small steps down are better than a great one;
among all that are best the seed draws one. An odd one out has a bye: the last in points without
one, drawn among equals. Each player is first matched with those next to him only, more of them if
that fails: all against all takes too long where there are hundreds.

Where nobody can be left without a rematch, as few as possible are made, and `Paired` names them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from domain.tournament.chance import BITS, drawn
from domain.tournament.record import Table
from domain.tournament.scores import Score
from domain.words.phrases import Phrase, phrase

#: The rounds that find one winner among so many players and tell the first eight from the others:
#: powers of two, and beyond them the chart of the DCI's "Swiss Pairings"; more players, `MOST`.
ROUNDS = {2: 1, 4: 2, 8: 3, 16: 4, 32: 5, 64: 6, 128: 7, 226: 8, 409: 9}
MOST = 10
#: How many of those behind him a player is matched with at first, and then; after that, all.
WIDTHS = (8, 32)


class Entrant(Struct, frozen=True):
    """A player to be paired; `met` has each opponent, once for each match."""

    player: int
    points: int = 0
    met: tuple[int, ...] = ()
    byes: int = 0


class Paired(Struct, frozen=True):
    """Tables by number, the highest scores first and a bye last.

    `rematches` are numbers of tables, `second_bye` is a player: what could not be avoided.
    """

    tables: tuple[Table, ...]
    rematches: tuple[int, ...] = ()
    second_bye: int = 0

    def caveats(self, names: Mapping[int, str]) -> list[Phrase]:
        """The caveats for an organiser, in words."""
        text = "no pairing without a rematch exists: table {n} is one"
        found = [phrase(text, n=number) for number in self.rematches]
        if self.second_bye:
            text = "everybody has had a bye: {name} has another"
            found.append(phrase(text, name=names[self.second_bye]))
        return found


def rounds(players: int) -> int:
    """How many rounds so many players need."""
    return next((n for most, n in ROUNDS.items() if players <= most), MOST)


def entrants(active: Iterable[int], scores: Mapping[int, Score]) -> list[Entrant]:
    """Those who play on, with what they have scored so far."""
    return [
        Entrant(player, score.points, score.met, score.byes)
        for player in active
        for score in (scores[player],)
    ]


def pair(players: Sequence[Entrant], seed: int) -> Paired:
    """Pair all of them; the same players and seed give the same pairing."""
    order = sorted(players, key=lambda one: (-one.points, drawn(seed, one.player)))
    if len(order) % 2 == 0:
        return _numbered(_matched(order, seed) or _with_rematches(order, seed))
    fewest = min(one.byes for one in order)
    byes = [one for one in reversed(order) if one.byes == fewest]
    rests = {bye.player: [one for one in order if one is not bye] for bye in byes}
    for bye in byes:
        if (pairs := _matched(rests[bye.player], seed)) is not None:
            return _numbered(pairs, bye)
    bye = min(byes, key=lambda one: _rematches(_with_rematches(rests[one.player], seed)))
    return _numbered(_with_rematches(rests[bye.player], seed), bye)


Pairs = list[tuple[Entrant, Entrant]]


def _matched(order: Sequence[Entrant], seed: int) -> Pairs | None:
    """Players in order, paired without a rematch; None if that can't be done."""
    everybody = max(len(order) - 1, 0)
    for width in sorted({min(width, everybody) for width in (*WIDTHS, everybody)}):
        pairs = _match(order, seed, _candidates(order, width))
        if 2 * len(pairs) == len(order):
            return pairs
    return None


def _with_rematches(order: Sequence[Entrant], seed: int) -> Pairs:
    """Players in order, paired with as few rematches as can be."""
    return _match(order, seed, ((a, b) for a in range(len(order)) for b in range(a)))


def _candidates(order: Sequence[Entrant], width: int) -> Iterator[tuple[int, int]]:
    """Each with the next so many whom he has not met, as places in the order."""
    for place, one in enumerate(order):
        left = width
        for other in range(place + 1, len(order)):
            if left and order[other].player not in one.met:
                left -= 1
                yield place, other


def _match(order: Sequence[Entrant], seed: int, edges: Iterable[tuple[int, int]]) -> Pairs:
    """The best matching along these edges: of most pairs, then fewest rematches, then least cost.

    Random weights for each two make the best matching unique, almost certainly, so that any solver
    finds the same.
    """
    import networkx  # which takes longer to load than most commands take

    gap = (order[0].points - order[-1].points) ** 2 + 1 if order else 1
    lot = len(order) << BITS  # more than all drawn weights together
    rematch = gap * lot * len(order)
    costs = {}
    for a, b in edges:
        one, other = order[a], order[b]
        apart = (one.points - other.points) ** 2
        costs[a, b] = one.met.count(other.player) * rematch + apart * lot
        costs[a, b] += drawn(seed, *sorted((one.player, other.player)))
    most = max(costs.values(), default=0)
    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_weighted_edges_from((a, b, most - cost) for (a, b), cost in costs.items())
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    return [(order[a], order[b]) for a, b in sorted(tuple(sorted(two)) for two in matching)]


def _rematches(pairs: Pairs) -> int:
    return sum(one.met.count(other.player) for one, other in pairs)


def _numbered(pairs: Pairs, bye: Entrant | None = None) -> Paired:
    """Pairs, which are in order of the better of the two, as tables."""
    tables = [Table(n, one.player, other.player) for n, (one, other) in enumerate(pairs, 1)]
    rematches = [n for n, (one, other) in enumerate(pairs, 1) if other.player in one.met]
    if bye is not None:
        tables.append(Table(len(tables) + 1, bye.player, 0))
    second = bye.player if bye is not None and bye.byes else 0
    return Paired(tuple(tables), tuple(rematches), second)
