"""Pods: who drafts, or builds his deck, with whom, and in which order they sit.

The order of all players is drawn by a seed, and cut into pods. There are as many as are needed for
none to be larger than a pod is to be, and their sizes differ by one at most: 11 players in pods of
8 are 6 and 5. Where they would have no more than half of that there is a pod less, of which the
first are larger: 9 players are one pod. Who comes later sits down at the end of the smallest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from domain.tournament.chance import drawn

Pods = tuple[tuple[int, ...], ...]


def sizes(players: int, pod: int) -> list[int]:
    """How many players each pod has, the larger ones first."""
    pods = -(-players // pod)
    if pods > 1 and 2 * (players // pods) <= pod:
        pods -= 1
    return [players // pods + (n < players % pods) for n in range(pods)]


def draw(players: Iterable[int], pod: int, seed: int) -> Pods:
    """The pods of these players."""
    order = _drawn(players, seed)
    found, first = [], 0
    for size in sizes(len(order), pod):
        found.append(tuple(order[first : first + size]))
        first += size
    return tuple(found)


def join(pods: Sequence[Sequence[int]], players: Iterable[int], gone: set[int], seed: int) -> Pods:
    """The pods once these have sat down as well; who has `gone` counts no more."""
    found = [[*pod] for pod in pods]
    for player in _drawn(players, seed):
        min(found, key=lambda pod: len({*pod} - gone)).append(player)
    return tuple(map(tuple, found))


def neighbours(pod: Sequence[int], player: int, gone: set[int]) -> tuple[int, int]:
    """Who sits on the left and on the right of a player, of those who have not `gone`; 0: nobody.

    To him who sits on the left the first pack is passed on and the third, the second to the other.
    """
    order = [one for one in pod if one == player or one not in gone]
    at = order.index(player)
    left, right = order[(at + 1) % len(order)], order[at - 1]
    return (left, right) if len(order) > 1 else (0, 0)


def _drawn(players: Iterable[int], seed: int) -> list[int]:
    return sorted(players, key=lambda player: (drawn(seed, player), player))
