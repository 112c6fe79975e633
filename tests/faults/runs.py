"""One run: a cluster, people at tables, faults drawn from a seed, and the audit of what came of it.

`Report` says what was done, and what is wrong; a run is good if nothing is.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct

from tests.faults import drawn, events
from tests.faults.checking import checkpoints
from tests.faults.checking.audit import audit
from tests.faults.checking.checkpoints import Watcher
from tests.faults.events import Organiser
from tests.faults.journal import Call, Journal, Took
from tests.faults.load import CALM, Desk, Load
from tests.faults.machines.cluster import Cluster, cluster


class Run(Struct, frozen=True, kw_only=True):
    """What is to be done; `gap` is how many seconds lie between two faults.

    `plant`: a bug that the servers are to have (`planted`); `apart`: each server is in a network
    namespace of its own.
    """

    seed: int
    faults: int
    servers: int = 3
    tables: int = 4
    events: int = 1
    gap: tuple[float, float] = (0.3, 1.5)
    plant: str = ""
    apart: bool = False


class Report(Struct):
    """What was done and seen, and what is wrong."""

    wrong: list[str]
    faults: dict[str, int]
    calls: dict[str, int]
    matches: int
    restarts: int
    seconds: float
    checkpoints: int
    errors: dict[str, int]


def carry_out(run: Run, folder: Path, say: Callable[[str], object] = lambda text: None) -> Report:
    """Do it all, in a folder of its own."""
    begun, journal = time.monotonic(), Journal()
    settings: dict[str, Any] = {"plant": run.plant} if run.plant else {}
    with cluster(folder, run.servers, run.apart, **settings) as found:
        desk = Desk(found.addresses(), found.token, journal)
        load = Load(desk, run.tables, run.seed)
        organisers = [Organiser(desk, Random(run.seed), load.stopping) for _ in range(run.events)]
        watcher = Watcher(desk.patient, Random(run.seed), load.stopping)
        for one in (*organisers, watcher):
            one.start()
        plan = drawn.plan(run.seed, run.faults, found, run.gap)
        for number, fault in enumerate(drawn.carry_out(plan, found), 1):
            say(f"{number:4} {fault.at:7.1f} s  {fault.kind.name} ({fault.target})")
        found.heal()
        found.wait()
        wrong = _calm(load, journal, found)
        load.stop()
        for one in (*organisers, watcher):
            one.join(CALM)
        wrong += _caught_up(load)
        load.leave()
        wrong += [repr(error) for error in load.wrong]
        wrong += events.wrong(found.store, desk.patient, organisers)
        wrong += checkpoints.wrong(found.store, watcher)
        wrong += audit(found.store, desk.patient, journal)
        desk.close()
        wrong += [f"somebody was told {text}, {n} times" for text, n in journal.odd().items()]
        ended = sum(server.ended for server in found.servers)
        if ended:
            wrong.append(f"servers have ended by themselves {ended} times")
        restarts = sum(server.starts for server in found.servers)
    seconds, counts = time.monotonic() - begun, journal.counts()
    kinds = drawn.counted(plan)
    return Report(
        wrong, kinds, counts, len(load.opened), restarts, seconds, len(watcher.seen), journal.errors
    )


def _calm(load: Load, journal: Journal, found: Cluster) -> list[str]:
    """Once no fault is left, every server takes commands, soon; which one does not."""
    began = time.monotonic()
    waiting = set(range(len(found.servers)))
    while waiting and time.monotonic() < began + CALM:
        time.sleep(0.5)
        with journal.lock:
            recent = [call for call in journal.calls[-2000:] if call.called > began]
        waiting -= {call.server for call in recent if _added(call)}
    return [f"server {n} takes no command though all is mended" for n in sorted(waiting)]


def _added(call: Call) -> bool:
    return isinstance(call.outcome, Took) and bool(call.match)


def _caught_up(load: Load) -> list[str]:
    """Followers get all there is, soon; who does not.

    Who left when the match was over asks for what an official has added since.
    """
    until, desk = time.monotonic() + CALM, load.desk
    ends = {one.id: desk.patient[0].match(one.id).entries for one in load.opened}
    behind = list(load.followers)
    while behind and time.monotonic() < until:
        behind = [one for one in behind if one.after < ends[one.opened.id]]
        for one in behind:
            if not one.is_alive() and one.wrong is None:
                one.act()
        time.sleep(0.1)
    return [
        f"{one.opened.id}: follower {one.number} has {one.after} entries of {ends[one.opened.id]}"
        for one in behind
    ]
