"""A stored match read at any point is what its entries add up to, whether it was rewound or not.

What is special about a match that was rewound is in `test_store_rewinds`, decisions and the audit
of snapshots are in `test_store_history`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product, takewhile
from pathlib import Path

import pytest

from domain.record.entries import Entry, active
from domain.record.events import DecisionOpened, OptionsOffered
from domain.record.folding.fold import fold_all
from domain.record.points import NoSuchPoint, Point
from domain.record.views import OFFICIAL, PUBLIC, position
from service.store import history
from service.store.history import History
from tests.support.marks import each
from tests.unit.store.records import REWINDS, remembered, toy_log, undone_commands

ID = "k7f3q"
VIEWERS = (OFFICIAL, PUBLIC, 0, 1)
STRAIGHT = toy_log(turns=30)
#: Each record, command by command, and how many commands come between two rounds of snapshots.
RECORDS = {
    "straight": ([STRAIGHT[at : at + 50] for at in range(0, len(STRAIGHT), 50)], 2),
    "rewound": (undone_commands(24, 5, REWINDS), 7),
}


class Stored:
    """A record, its history, and where its decisions are."""

    def __init__(self, log: list[Entry], past: History) -> None:
        self.log, self.past = log, past
        self.opened = {e.event.n: e.seq for e in log if isinstance(e.event, DecisionOpened)}

    def offered(self, n: int) -> int:
        """How many entries there are when decision `n` is open, its options on offer."""
        rest = self.log[self.opened[n] :]
        offers = takewhile(lambda entry: isinstance(entry.event, OptionsOffered), rest)
        return self.opened[n] + len(list(offers))


@pytest.fixture(scope="module", params=RECORDS)
def record(request: pytest.FixtureRequest) -> tuple[list[list[Entry]], int]:
    return RECORDS[request.param]


@pytest.fixture(scope="module", params=each(2, [40, 10_000]), ids=["snapshots", "none"])
def stored(
    request: pytest.FixtureRequest,
    record: tuple[list[list[Entry]], int],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Stored]:
    commands, often = record
    path = tmp_path_factory.mktemp("points") / "matches.kifu"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(history, "EVERY", request.param)
        yield from _read(path, commands, often, request.param)


def _read(path: Path, commands: Sequence[list[Entry]], often: int, every: int) -> Iterator[Stored]:
    with remembered(path, ID, commands, often) as past:
        kept = past.records.row("SELECT count(*) FROM snapshots")[0]
        assert (kept > 8) == (every == 40)
        yield Stored([entry for command in commands for entry in command], past)


def test_any_entry_and_the_end(stored: Stored) -> None:
    log, past = stored.log, stored.past
    for viewer in VIEWERS:
        for seq in range(1, len(log) + 1, 53 if viewer != OFFICIAL else 19):
            assert past.position(ID, viewer, Point(seq=seq)) == position(active(log[:seq]), viewer)
        assert past.position(ID, viewer) == position(active(log), viewer)


def test_any_decision(stored: Stored) -> None:
    for viewer, (n, seq) in product(VIEWERS, stored.opened.items()):
        if viewer != OFFICIAL and n % 6:
            continue
        found = stored.past.position(ID, viewer, Point(decision=n))
        assert found == position(active(stored.log[: stored.offered(n)]), viewer)
        assert found.decision is not None
        assert found.decision.n == n
        assert stored.past.first(ID, Point(decision=n)) == seq


def test_any_time(stored: Stored) -> None:
    log, past = stored.log, stored.past
    for at in range(0, log[-1].time + 5000, 4777):
        whole = [entry for entry in log if entry.time <= at]
        assert past.position(ID, OFFICIAL, Point(time=at)) == fold_all(active(whole))
        first = next((entry.seq for entry in log if entry.time >= at), len(log) + 1)
        assert past.first(ID, Point(time=at)) == first


def test_points_that_are_not_there(stored: Stored) -> None:
    beyond = Point(decision=len(stored.opened) + 1), Point(seq=len(stored.log) + 1)
    for point in (*beyond, Point(decision=99_999)):
        with pytest.raises(NoSuchPoint):
            stored.past.position(ID, OFFICIAL, point)


def test_pages_of_decisions_are_slices_of_all(stored: Stored) -> None:
    for viewer in VIEWERS:
        whole = stored.past.decisions(ID, viewer, 1, 1000)
        assert [one.n for one in whole] == list(stored.opened)
        standing = [one for one in whole if not one.abandoned]
        for start in range(1, len(whole) + 2, 8):
            assert stored.past.decisions(ID, viewer, start, 7) == whole[start - 1 : start + 6]
            some = stored.past.decisions(ID, viewer, start, 4, active=True)
            assert some == [one for one in standing if one.n >= start][:4]
