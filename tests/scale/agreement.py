"""The model beside the simulation: each figure that both have, and how far apart they may be.

Utilisations are means over a minute of a round, percentiles come of some hundred to some ten
thousand commands: so the bounds are what chance does to a simulation of that length, and what the
formulas leave out (that matches come in step at first, that the caches of a match ask at once).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import Struct

from tests.scale import model
from tests.scale.constants import Constants
from tests.scale.queueing import Delay
from tests.scale.settings import Setting
from tests.scale.simulation import Found, Simulation

#: Seconds that are played: until a server fails, and then; longer where there is no other, and few
#: matches.
FAILS, SECONDS, ALONE, SEED = 130.0, 145.0, 1800.0, 1
#: From how many matches on that is enough; else so many seconds more.
MANY, FEW = 100, 400.0
#: How far apart the two may be: parts of the larger one; and of requests that the edges answer.
LOAD, MIDDLE, LATE, HITS = 0.2, 0.2, 0.4, 0.02
#: The same for the ten seconds after a failure.
AFTER = 0.35
#: Of how many commands at least there is a load and a median, and a 99th percentile.
ENOUGH = (100, 500)


class Pair(Struct, frozen=True):
    """A figure of both: seconds, if it is one of `times`, else a part or a number."""

    what: str
    model: float
    simulation: float
    bound: float
    times: bool = False

    @property
    def apart(self) -> float:
        """How far: a part of the larger one; of hits, by how much."""
        most = max(self.model, self.simulation)
        whole = 1.0 if self.bound == HITS else most
        return abs(self.model - self.simulation) / whole if most else 0.0

    @property
    def agree(self) -> bool:
        """Whether that is within the bound."""
        return self.apart <= self.bound


@cache
def played(setting: Setting, c: Constants, seed: int = SEED) -> Found:
    """A round of a setting, of which a server fails near the end if there are several."""
    where = model.deployment(setting, c)
    played = Simulation(setting, c, where.seats, where.crowd, seed)
    if where.crowd == 1:
        return played.run(ALONE)
    more = 0.0 if setting.matches >= MANY else FEW
    return played.run(SECONDS + more, FAILS + more)


def pairs(setting: Setting, c: Constants) -> Iterator[Pair]:
    """All figures that both have."""
    found = played(setting, c)
    predicted = model.outcome(setting, c, model.deployment(setting, c))
    if len(found.commands) >= ENOUGH[0]:
        yield Pair("a server of seats is busy", predicted.seat, found.seat, LOAD)
    yield Pair("a server of followers is busy", predicted.crowd, found.crowd, LOAD)
    if predicted.after_failure and model.rate(setting) * model.BACK >= ENOUGH[0]:
        yield Pair(
            "the same, after one failed", predicted.after_failure, found.after_failure, AFTER
        )
    yield Pair("the database is busy", predicted.database, found.database, LOAD)
    yield from _times("a command", predicted.command, found.commands)
    yield from _times("a command at the start", predicted.command_start, found.commands_start)
    yield from _times("the last follower is told", predicted.notified, found.notified)
    yield Pair("the edges answer", predicted.hits, 1 - found.missed / found.requests, HITS)
    origin = found.origin_each * predicted.commits
    yield Pair("requests/s of the service", predicted.origin, origin, LOAD)
    yield Pair("pages/s of the service", predicted.pages, found.pages_each, LOAD)
    if predicted.reads:
        yield Pair(
            "reads/s of the database", predicted.reads, found.reads_each * predicted.commits, LOAD
        )


def _times(what: str, predicted: Delay, found: Sequence[float]) -> Iterator[Pair]:
    some = sorted(found)
    for part, bound, least in ((0.5, MIDDLE, ENOUGH[0]), (0.99, LATE, ENOUGH[1])):
        if len(some) < least:
            return
        seen = some[int(len(some) * part)]
        yield Pair(f"{what}, p{part * 100:.0f}", predicted.quantile(part), seen, bound, times=True)
