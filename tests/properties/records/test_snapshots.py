"""After any acts of officials a stored match reads at any point as its entries, and goes on."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from hypothesis import given

from domain.record.entries import Entry, active
from domain.record.events import DecisionMade, DecisionOpened
from domain.record.folding.fold import fold_all
from domain.record.points import Point
from domain.record.views import OFFICIAL, PUBLIC, position
from service.store.derived import listing
from service.store.history import History
from service.store.records import Records, Work
from tests.playouts import Setup, resume
from tests.properties.people.test_officials import officiated
from tests.properties.strategies import examples, points, seeds, setups

ID = "k7f3q"


@contextmanager
def stored(log: list[Entry], where: list[float]) -> Iterator[History]:
    """A log in a file, with snapshots close together that were made at these points of it."""
    with tempfile.TemporaryDirectory() as folder, patch("service.store.history.EVERY", 30):
        records = Records(Path(folder) / "matches.kifu")
        history, written = History(records), 0
        for cut in [*sorted(int(share * len(log)) for share in where), len(log)]:
            some, written = log[written:cut], max(written, cut)
            records.write(Work(ID, some, listing.derive(ID, some, at=log[0].event.at)))
            records.write(Work(ID, (), history.advance(ID)))
        yield history
        records.close()


@examples(6)
@given(setups(best_of=(1, 3)), seeds, points(6))
def test_snapshots_tell_the_truth_and_serve_every_line(
    setup: Setup, seed: int, where: list[float]
) -> None:
    _, log, _ = officiated(setup, seed)
    with stored(log, where) as history:
        assert history.audit(ID) == 0
        assert history.records.row("SELECT count(*) FROM snapshots")[0] >= len(log) // 300
        for share in where:
            seq = 1 + int(share * (len(log) - 1))
            for viewer in (OFFICIAL, PUBLIC, 1):
                found = history.position(ID, viewer, Point(seq=seq))
                assert found == position(active(log[:seq]), viewer)
                assert found == history.position(ID, viewer, upto=seq)


@examples(6)
@given(setups(best_of=(1, 3)), seeds, points(6))
def test_it_goes_on_from_its_snapshot_as_from_its_start(
    setup: Setup, seed: int, where: list[float]
) -> None:
    match, log, _ = officiated(setup, seed)
    with stored(log, where) as history:
        base = history.resting(ID)
        start = base.seq if base is not None else 0
        repeated = resume(setup, log[start:], base)
        assert start > 0 or len(log) < 300
        assert repeated.pos == match.pos == fold_all(active(log))
        assert repeated.collect() == []
        assert max(repeated.table.asked.last, repeated.pos.decisions) == max(
            entry.event.n for entry in log if isinstance(entry.event, DecisionOpened)
        )


@examples(6)
@given(setups(best_of=(1, 3)), seeds, points(6))
def test_every_decision_is_listed_once_with_its_last_answer(
    setup: Setup, seed: int, where: list[float]
) -> None:
    _, log, _ = officiated(setup, seed)
    line = {entry.seq for entry in active(log)}
    with stored(log, where) as history:
        found = history.decisions(ID, OFFICIAL, 1, 10_000)
        opened = [e for e in log if isinstance(e.event, DecisionOpened)]
        assert [one.seq for one in found] == [entry.seq for entry in opened]
        assert [one.n for one in found] == list(range(1, len(found) + 1))
        assert {one.seq for one in found if not one.abandoned} <= line
        assert not {one.seq for one in found if one.abandoned} & line
        standing = [one for one in found if not one.abandoned]
        assert history.decisions(ID, OFFICIAL, 1, 10_000, active=True) == standing
        made = {e.seq for e in log if isinstance(e.event, DecisionMade) and e.seq in line}
        assert {side.seq for one in standing for side in one.sides.values() if side.seq} == made
