"""Faults, drawn from a seed: which, of what, when and for how long.

A plan is a list of `Fault`s in the order of their times; what one seed draws is always the same, so
a failure repeats as far as the machine's own times do. `carry_out` makes them, and mends each when
its time is over.
"""

from __future__ import annotations

import heapq
import time
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from tests.faults.machines.cluster import Cluster
from tests.faults.machines.links import BOTH, FROM, TO, Link
from tests.faults.machines.namespaces import disturbable

#: Mends what was done.
Mend = Callable[[], object]
#: Does it to a target, with chance of its own; how it is mended.
Do = Callable[[Cluster, int, Random], Mend]


class Kind(NamedTuple):
    """A kind of fault: of what, how often beside others, for how long, and how it is done."""

    name: str
    of: str
    weight: int
    lasts: tuple[float, float]
    do: Do


class Fault(NamedTuple):
    """A fault that was drawn; times are in seconds since the beginning."""

    at: float
    until: float
    kind: Kind
    target: int
    seed: float


def _nothing() -> None:
    """There is nothing to mend: it mends itself."""


def _kill_server(cluster: Cluster, n: int, rng: Random) -> Mend:
    cluster.servers[n].kill()
    return _nothing


def _replace_server(cluster: Cluster, n: int, rng: Random) -> Mend:
    cluster.servers[n].leave()
    return _nothing


def _kill_server_and_move_its_clock(cluster: Cluster, n: int, rng: Random) -> Mend:
    cluster.servers[n].kill(clock=rng.choice((-3600.0, -5.0, 0.0, 5.0, 3600.0)))
    return _nothing


def _pause_server(cluster: Cluster, n: int, rng: Random) -> Mend:
    cluster.servers[n].pause()
    return cluster.servers[n].resume


def _kill_postgres(cluster: Cluster, n: int, rng: Random) -> Mend:
    assert cluster.postgres is not None
    cluster.postgres.kill()
    return cluster.postgres.start


def _kill_one_of_postgres(cluster: Cluster, n: int, rng: Random) -> Mend:
    assert cluster.postgres is not None
    cluster.postgres.kill_one(rng)
    return _nothing


def _end_one_of_postgres(cluster: Cluster, n: int, rng: Random) -> Mend:
    assert cluster.postgres is not None
    cluster.postgres.end_one(rng)
    return _nothing


def _pause_postgres(cluster: Cluster, n: int, rng: Random) -> Mend:
    assert cluster.postgres is not None
    cluster.postgres.pause()
    return cluster.postgres.resume


def _kill_nats(cluster: Cluster, n: int, rng: Random) -> Mend:
    assert cluster.nats is not None
    cluster.nats.kill()
    return cluster.nats.start


def _pause_nats(cluster: Cluster, n: int, rng: Random) -> Mend:
    assert cluster.nats is not None
    cluster.nats.pause()
    return cluster.nats.resume


def _pull(cluster: Cluster, n: int, rng: Random) -> Mend:
    cluster.namespaces[n].pull()
    return cluster.namespaces[n].plug


def _disturb(cluster: Cluster, n: int, rng: Random) -> Mend:
    cluster.namespaces[n].disturb()
    return cluster.namespaces[n].calm


def _forge(cluster: Cluster, n: int, rng: Random) -> Mend:
    assert cluster.forger is not None
    return cluster.forger.forge(rng)


def _link(of: str, do: Callable[[Link, Random], object]) -> Do:
    """A fault of the link between a server and something."""

    def done(cluster: Cluster, n: int, rng: Random) -> Mend:
        link = cluster.of[of][n]
        do(link, rng)
        return link.heal

    return done


def _tear_next(link: Link, rng: Random) -> None:
    link.tear(rng.choice(BOTH))


_LINKS: dict[str, tuple[int, tuple[float, float], Callable[[Link, Random], object]]] = {
    "cut": (3, (0.1, 2.0), lambda link, rng: link.cut()),
    "swallow both ways": (2, (0.1, 3.0), lambda link, rng: link.swallow(*BOTH)),
    "swallow what is sent": (2, (0.1, 3.0), lambda link, rng: link.swallow(TO)),
    "swallow answers": (4, (0.1, 3.0), lambda link, rng: link.swallow(FROM)),
    "delay": (2, (0.5, 3.0), lambda link, rng: link.slow(rng.uniform(0.005, 0.3))),
    "throttle": (1, (0.5, 2.0), lambda link, rng: link.slow(rate=rng.uniform(5e3, 1e5))),
    "tear": (4, (0.2, 0.5), _tear_next),
}
KINDS = [
    Kind("kill a server", "servers", 8, (0.5, 3.0), _kill_server),
    Kind(
        "kill a server, move its clock", "servers", 4, (0.5, 3.0), _kill_server_and_move_its_clock
    ),
    Kind("ask a server to stop", "servers", 4, (1.0, 4.0), _replace_server),
    Kind("pause a server", "servers", 10, (0.1, 4.0), _pause_server),
    Kind("kill PostgreSQL", "PostgreSQL", 3, (0.1, 1.5), _kill_postgres),
    Kind("kill one process of PostgreSQL", "PostgreSQL", 3, (0.5, 1.0), _kill_one_of_postgres),
    Kind("end one connection of PostgreSQL", "PostgreSQL", 4, (0.1, 0.3), _end_one_of_postgres),
    Kind("pause PostgreSQL", "PostgreSQL", 4, (0.1, 3.0), _pause_postgres),
    Kind("kill NATS", "NATS", 3, (0.1, 2.0), _kill_nats),
    Kind("pause NATS", "NATS", 3, (0.1, 3.0), _pause_nats),
    Kind("forge news", "NATS", 4, (0.5, 3.0), _forge),
    Kind("pull the card of a server", "namespaces", 20, (0.2, 4.0), _pull),
    Kind("disturb the packets of a server", "netem", 10, (0.5, 4.0), _disturb),
    *(
        Kind(f"{what} between servers and {of}", of, weight, lasts, _link(of, do))
        for of in ("clients", "store", "news")
        for what, (weight, lasts, do) in _LINKS.items()
    ),
]


def plan(seed: int, faults: int, cluster: Cluster, gap: tuple[float, float]) -> list[Fault]:
    """So many faults, at times that lie `gap` seconds apart, never two of one target at once."""
    rng, now = Random(seed), 0.0
    kinds = [kind for kind in KINDS if _targets(cluster, kind)]
    busy, found = dict[tuple[str, int], float](), list[Fault]()
    while len(found) < faults:
        [kind] = rng.choices(kinds, [kind.weight for kind in kinds])
        target, lasts, seeded = (
            rng.randrange(_targets(cluster, kind)),
            rng.uniform(*kind.lasts),
            rng.random(),
        )
        if busy.get((kind.of, target), 0.0) > now:
            now += 0.05
            continue
        found.append(Fault(now, now + lasts, kind, target, seeded))
        busy[kind.of, target] = now + lasts
        now += rng.uniform(*gap)
    return found


def _targets(cluster: Cluster, kind: Kind) -> int:
    """How many there are of what a kind of fault is of."""
    singles = {"PostgreSQL": cluster.postgres, "NATS": cluster.nats}
    if kind.of in singles:
        return int(singles[kind.of] is not None)
    if kind.of == "netem":
        return len(cluster.namespaces) if cluster.namespaces and disturbable() else 0
    cards = {"servers": len(cluster.servers), "namespaces": len(cluster.namespaces)}
    return cards[kind.of] if kind.of in cards else len(cluster.of[kind.of])


def carry_out(faults: list[Fault], cluster: Cluster) -> Iterator[Fault]:
    """Make the faults, each at its time, and mend them; each is handed out when it was made."""
    begun, mends = time.monotonic(), list[tuple[float, int, Mend]]()
    for number, fault in enumerate(faults):
        while mends and mends[0][0] <= fault.at:
            _mend(mends, begun)
        _sleep_until(begun + fault.at)
        heapq.heappush(
            mends, (fault.until, number, fault.kind.do(cluster, fault.target, Random(fault.seed)))
        )
        yield fault
    while mends:
        _mend(mends, begun)


def _mend(mends: list[tuple[float, int, Mend]], begun: float) -> None:
    until, _, mend = heapq.heappop(mends)
    _sleep_until(begun + until)
    mend()


def _sleep_until(when: float) -> None:
    time.sleep(max(0.0, when - time.monotonic()))


def counted(faults: list[Fault]) -> dict[str, int]:
    """How many there are of each kind."""
    return dict(Counter(fault.kind.name for fault in faults))
