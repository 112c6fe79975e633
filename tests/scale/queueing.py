"""Waiting in queues, in numbers: how long one waits for a server that others use as well.

A delay is a distribution on a grid of time (`Delay`), so that what comes one after the other is
added up by convolution and a percentile is read off, not guessed. `waiting` is the exact wait of
M/G/1 (Pollaczek and Khinchine: a geometric number of residual jobs), for jobs of any sizes that
come by chance; `shared_flush` is what a commit waits for where one flush serves all that have
gathered.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import ceil, exp, log

from msgspec import Struct

#: Points of a grid, and the part of a distribution that may lie beyond its end.
POINTS, BEYOND = 800, 0.0005


class Jobs(Struct, frozen=True):
    """A kind of work: how often it comes a second, and how long it takes: any of these sizes."""

    rate: float
    sizes: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Seconds that one takes on the average."""
        return sum(self.sizes) / len(self.sizes)

    @property
    def load(self) -> float:
        """The part of a server that it takes."""
        return self.rate * self.mean


class Delay(Struct, frozen=True):
    """A distribution of seconds: what probability lies at each multiple of `step`."""

    step: float
    parts: tuple[float, ...]

    def quantile(self, part: float) -> float:
        """What `part` of all cases do not exceed."""
        for at, total in enumerate(accumulate(self.parts)):
            if total >= part:
                return at * self.step
        return len(self.parts) * self.step

    @property
    def mean(self) -> float:
        """Seconds on the average."""
        return sum(at * part for at, part in enumerate(self.parts)) * self.step

    def then(self, sizes: Sequence[float]) -> Delay:
        """This delay, and after it something that takes any of these times."""
        reach = len(self.parts) + max(round(size / self.step) for size in sizes)
        found = [0.0] * (reach + 1)
        for size in sizes:
            shift, weight = round(size / self.step), 1 / len(sizes)
            for at, part in enumerate(self.parts):
                found[at + shift] += part * weight
        return Delay(self.step, tuple(found))


def utilisation(jobs: Sequence[Jobs]) -> float:
    """The part of a server that is busy; from 1 on it never catches up."""
    return sum(one.load for one in jobs)


def waiting(jobs: Sequence[Jobs]) -> Delay:
    """How long a job waits until one server begins with it, first come first served.

    Raises `ValueError` where they are more than it can do.
    """
    busy = utilisation(jobs)
    if busy >= 1:
        raise ValueError("the queue grows for ever")
    sizes = [(one.rate, size, len(one.sizes)) for one in jobs for size in one.sizes if one.rate]
    if not sizes or busy < BEYOND:
        return Delay(1e-4, (1.0,))
    second = sum(rate * size * size / n for rate, size, n in sizes)
    mean, largest = second / 2 / (1 - busy), max(size for _, size, _ in sizes)
    horizon = largest + mean / busy * log(busy / BEYOND) * 1.3
    step = horizon / POINTS
    residual = _residual(sizes, busy, step)
    return Delay(step, tuple(_geometric(residual, busy)))


def _residual(sizes: Sequence[tuple[float, float, int]], busy: float, step: float) -> list[float]:
    """What is left of a job that is met under way: evenly anything up to its size."""
    reach = ceil(max(size for _, size, _ in sizes) / step) + 1
    found = [0.0] * (reach + 1)
    for rate, size, n in sizes:
        weight = rate / n / busy
        for at in range(reach + 1):
            low, high = max(0.0, (at - 0.5) * step), min(size, (at + 0.5) * step)
            if high <= low:
                break
            found[at] += weight * (high - low)
    return found


def _geometric(residual: Sequence[float], busy: float) -> list[float]:
    """The sum of a geometric number of residuals (Panjer's recursion)."""
    first = 1 - busy * residual[0]
    found = [(1 - busy) / first]
    for at in range(1, POINTS):
        reach = min(at, len(residual) - 1)
        total = sum(residual[k] * found[at - k] for k in range(1, reach + 1))
        found.append(busy / first * total)
    return found


def shared_flush(rate: float, flush: float, points: int = 10) -> tuple[float, ...]:
    """What a commit takes where one flush at a time serves all that came before it began.

    Who comes while none is under way has his own; who comes during one waits for its end as well.
    Equally likely seconds.
    """
    chain = flush * exp(min(rate * flush, 50.0))  # flushes follow one another while somebody comes
    busy = chain / (chain + 1 / rate) if rate else 0.0
    waits = round(busy * 100)
    late = [flush * (1 + (at + 0.5) / max(waits, 1)) for at in range(waits)]
    return tuple([flush] * (100 - waits) + late)


def erlang(load: float, servers: int) -> float:
    """The probability to wait, where `servers` share one queue and `load` of them are busy."""
    if load >= servers:
        return 1.0
    blocked = 1.0
    for n in range(1, servers + 1):
        blocked = load * blocked / (n + load * blocked)
    return blocked / (1 - load / servers * (1 - blocked))
