"""Picks that fit together: how often each member is picked for each part, under all that is asked.

It knows neither offers (`decisions` defines the parts of a `Task`) nor games: parts have so many
picks, a supply has only so much of each member for several parts, totals come out right, symbols
are matched. `solve` finds the picks that come by themselves (the least, from the front), or, with a
source of chance, any; None means that there are none at all.

It goes through the members one by one, with how often each is picked for every part at once, so
that what remains to be found depends on a few sums only, and no dead end is entered twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from random import Random
from typing import NamedTuple

Member = int | str
#: How often each member is picked, part by part.
Counts = list[dict[Member, int]]


class Choice(NamedTuple):
    """A part: its members, how many picks it has, how often one member may be picked.

    `fixed` are picks that were made already. `minimal`: a total in which no pick may be left out
    without falling short (`weights`, `least`).
    """

    members: tuple[Member, ...]
    low: int
    high: int
    cap: int
    fixed: Mapping[Member, int] | None = None
    weights: Mapping[Member, int] = {}
    least: int = 0
    minimal: bool = False


class Supply(NamedTuple):
    """How often a member may be picked for some parts together; who is not listed has no limit."""

    parts: frozenset[int]
    caps: Mapping[Member, int]


class Total(NamedTuple):
    """The total of picks: part by part the worth of each member, and a matching of symbols.

    `wanted` are the symbols asked for, as masks of the colours that meet each; `there` those that
    are there in any case, `brought` what each pick of a part brings.
    """

    worth: Mapping[int, Mapping[Member, int]]
    least: int
    most: int
    wanted: tuple[int, ...] = ()
    there: tuple[int, ...] = ()
    brought: Mapping[int, Mapping[Member, int]] = {}

    def of(self, counts: Sequence[Mapping[Member, int]]) -> int:
        """The total of some picks."""
        plain = sum(
            worth.get(member, 0) * n
            for part, worth in self.worth.items()
            for member, n in counts[part].items()
        )
        return plain + self.matched([*self.there, *_spread(self.brought, counts)])

    def matched(self, symbols: Sequence[int]) -> int:
        """The size of the largest matching of symbols with those that are wanted, each once."""
        taken: dict[int, int] = {}

        def place(at: int, tried: set[int]) -> bool:
            for slot, colours in enumerate(self.wanted):
                if colours & symbols[at] and slot not in tried:
                    tried.add(slot)
                    if slot not in taken or place(taken[slot], tried):
                        taken[slot] = at
                        return True
            return False

        return sum(place(at, set()) for at in range(len(symbols)))


def _spread(
    brought: Mapping[int, Mapping[Member, int]], counts: Sequence[Mapping[Member, int]]
) -> list[int]:
    return [
        colours[member]
        for part, colours in brought.items()
        for member, n in counts[part].items()
        for _ in range(n)
        if colours.get(member)
    ]


class Task(NamedTuple):
    """All that is asked of the picks of an option."""

    parts: tuple[Choice, ...]
    supplies: tuple[Supply, ...] = ()
    totals: tuple[Total, ...] = ()


def solve(task: Task, rng: Random | None = None) -> Counts | None:
    """Picks that meet everything; None if there are none.

    Without `rng` each part, one after the other, has as few picks as it can, and those from the
    front of its members; what brings symbols comes first, so that it is picked only if it must be.
    """
    found = _Search(task, rng).run()
    if found is None or rng is not None:
        return found
    parts = list(task.parts)
    brings = {at for total in task.totals for at in total.brought}
    for at in sorted(range(len(parts)), key=lambda at: at not in brings):
        part = parts[at]
        low, enough = part.low, sum(found[at].values())
        most = low
        while low < enough:
            parts[at] = part._replace(high=most)
            fewer = _Search(task._replace(parts=tuple(parts)), None).run()
            if fewer is None:
                low = most + 1
            else:
                enough = sum(fewer[at].values())
            most = (low + enough) // 2
        parts[at] = part._replace(low=enough, high=enough)
        found = _Search(task._replace(parts=tuple(parts)), None).run()
        assert found is not None
    return found


def solvable(task: Task) -> bool:
    """Whether any picks meet everything."""
    return _Search(task, None).run() is not None


# -- the search ------------------------------------------------------------------------------------

#: How often a member is picked for each part that has it.
Row = tuple[tuple[int, int], ...]
#: What is left to be found depends on: picks a part, totals, lightest picks, symbols brought.
State = tuple[int, tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[tuple[int, ...], ...]]

_NONE = 1 << 60  # no pick so far that could be superfluous


class _Search:
    """One search; `rng` mixes the members and the ways to pick each of them."""

    def __init__(self, task: Task, rng: Random | None) -> None:
        self.task = task
        members = dict.fromkeys(member for part in task.parts for member in part.members)
        self.columns = list(members)
        self.rows = {member: self._rows(member) for member in self.columns}
        if rng is not None:
            rng.shuffle(self.columns)
            for rows in self.rows.values():
                rng.shuffle(rows)
        self.reach = self._reach()
        #: The most that one pick of a part can add, total by total.
        self.tops = [
            [(part, max((0, *worth.values()))) for part, worth in total.worth.items()]
            for total in task.totals
        ]
        self.dead: set[State] = set()
        self.path: list[tuple[Member, Row]] = []

    def run(self) -> Counts | None:
        """Picks that meet everything, or None."""
        for part in self.task.parts:
            if part.fixed is not None and not part.fixed.keys() <= set(part.members):
                return None
        n, totals = len(self.task.parts), len(self.task.totals)
        start = (0, (0,) * n, (0,) * totals, (_NONE,) * n, ((),) * totals)
        if not self._completable(start):
            return None
        counts: Counts = [{} for _ in self.task.parts]
        found = dict(self.path)
        for member in dict.fromkeys(m for part in self.task.parts for m in part.members):
            for part_at, times in found[member]:
                if times:
                    counts[part_at][member] = times
        return counts

    def _rows(self, member: Member) -> list[Row]:
        """The ways to pick a member for the parts that have it, the most first."""
        task = self.task
        at = [n for n, part in enumerate(task.parts) if member in part.members]
        limits = [supply for supply in task.supplies if member in supply.caps]
        ranges = []
        for n in at:
            part = task.parts[n]
            if part.fixed is not None:
                ranges.append([part.fixed.get(member, 0)])
            else:
                most = min([part.cap, part.high, *(s.caps[member] for s in limits if n in s.parts)])
                if part.minimal and part.least > 0 and not part.weights.get(member, 0):
                    most = 0  # it would be superfluous
                ranges.append(list(range(max(most, 0), -1, -1)))
        if len(at) == 1 and task.parts[at[0]].fixed is None:
            return [((at[0], times),) for times in ranges[0]]  # no more than any supply has
        rows = [tuple(zip(at, times, strict=True)) for times in product(*ranges)]
        for supply in limits:
            cap, parts = supply.caps[member], supply.parts
            rows = [row for row in rows if sum(n for part, n in row if part in parts) <= cap]
        return rows

    def _reach(self) -> list[tuple[list[int], list[tuple[int, int]]]]:
        """From each column on: the most picks a part may still get, and how far totals may go."""
        task = self.task
        picks = [0] * len(task.parts)
        spans = [(0, len(total.wanted)) for total in task.totals]
        found = [(picks[:], spans[:])]
        for member in reversed(self.columns):
            rows = self.rows[member]
            most = [0] * len(picks)
            for row in rows:
                for at, times in row:
                    most[at] = max(most[at], times)
            picks = [n + more for n, more in zip(picks, most, strict=True)]
            for n, total in enumerate(task.totals):
                worth = [_worth(total, member, row) for row in rows] or [0]
                spans[n] = (spans[n][0] + min(worth), spans[n][1] + max(worth))
            found.append((picks, spans[:]))
        return found[::-1]

    def _completable(self, state: State) -> bool:
        """Whether the picks can be completed from this state; `path` then has the ways chosen."""
        at = state[0]
        if not self._possible(at, state[1], state[2]):
            return False
        if at == len(self.columns):
            return self._satisfied(state)
        if state in self.dead:
            return False
        member = self.columns[at]
        for row in self.rows[member]:
            self.path.append((member, row))
            if self._completable(self._state_after(state, member, row)):
                return True
            self.path.pop()
        self.dead.add(state)
        return False

    def _state_after(self, state: State, member: Member, row: Row) -> State:
        at, picks, sums, lightest, symbols = state
        now, least = list(picks), list(lightest)
        for part_at, times in row:
            now[part_at] += times
            part = self.task.parts[part_at]
            if times and part.minimal:
                least[part_at] = min(least[part_at], part.weights.get(member, 0))
        totals = self.task.totals
        if not totals:
            return at + 1, tuple(now), sums, tuple(least), symbols
        added = tuple(sums[n] + _worth(total, member, row) for n, total in enumerate(totals))
        brought = tuple(
            tuple(sorted([*symbols[n], *_brings(total, member, row)]))
            for n, total in enumerate(totals)
        )
        return at + 1, tuple(now), added, tuple(least), brought

    def _possible(self, at: int, picks: tuple[int, ...], sums: tuple[int, ...]) -> bool:
        more, spans = self.reach[at]
        for n, left, part in zip(picks, more, self.task.parts, strict=True):
            if n > part.high or n + left < part.low:
                return False
        return not sums or all(
            n + lo <= total.most and n + min(hi, self._addable(at, picks)) >= total.least
            for at, (n, (lo, hi), total) in enumerate(
                zip(sums, spans, self.task.totals, strict=True)
            )
        )

    def _addable(self, total: int, picks: tuple[int, ...]) -> int:
        """How much a total can still grow by the picks that its parts have left."""
        parts, wanted = self.task.parts, len(self.task.totals[total].wanted)
        return wanted + sum((parts[n].high - picks[n]) * top for n, top in self.tops[total])

    def _satisfied(self, state: State) -> bool:
        """Whether complete picks meet what can't be checked part by part: totals and `minimal`."""
        _, _, sums, lightest, symbols = state
        for n, total in enumerate(self.task.totals):
            whole = sums[n] + total.matched([*total.there, *symbols[n]])
            if not total.least <= whole <= total.most:
                return False
        for n, part in enumerate(self.task.parts):
            if part.minimal and lightest[n] != _NONE:
                own = sum(
                    part.weights.get(member, 0) * times
                    for member, row in self.path
                    for part_at, times in row
                    if part_at == n
                )
                if own - lightest[n] >= part.least:
                    return False
        return True


def _worth(total: Total, member: Member, row: Row) -> int:
    found = 0
    for at, n in row:
        if n and at in total.worth:
            found += total.worth[at].get(member, 0) * n
    return found


def _brings(total: Total, member: Member, row: Row) -> list[int]:
    return [
        total.brought[at][member]
        for at, n in row
        if at in total.brought and total.brought[at].get(member)
        for _ in range(n)
    ]
