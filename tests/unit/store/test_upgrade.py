"""Files of the earlier layout are read as they are, and upgraded without losing anything."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.engine.checks.verify import DIVERGED, verify
from domain.record.points import Point
from service.store.derived import checks, listing
from service.store.history import History
from service.store.layout import upgrade
from service.store.records import Records, StoreError, Unwritable, Work
from service.store.sqlite.lock import FileLock
from tests.golden import DIRECTORIES, logs
from tests.unit.cli.clis import run
from tests.unit.store.records import toy_log

EARLIER = [path for path in DIRECTORIES if path.name in ("engine-1.0", "engine-1.2-2")]


@pytest.fixture(params=EARLIER, ids=lambda path: path.name)
def golden(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


@pytest.fixture
def old(golden: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(golden / "matches.kifu", tmp_path))


def test_it_is_read_as_it_is_and_not_written(golden: Path, old: Path) -> None:
    before = old.read_bytes()
    with pytest.raises(Unwritable, match=f"layout 1, .* `kifu store upgrade {old}` converts it"):
        Records(old)
    with closing(Records(old, reading=True)) as records:
        for match, log in logs(golden).items():
            assert records.entries(match, 5, 9) == log[5:9]
            assert checks.faults(records, match) == []
        with pytest.raises(Unwritable):
            records.write(Work("aaaaa", toy_log()))
    assert old.read_bytes() == before
    assert not upgrade.new_and_kept(old)[0].exists()


def test_an_upgrade_loses_nothing_and_keeps_the_old_file(golden: Path, old: Path) -> None:
    with closing(Records(old, reading=True)) as records:
        listed = [listing.find(records, match) for match in logs(golden)]
    assert run("store", "upgrade", str(old)).exit_code == 0
    kept = upgrade.new_and_kept(old)[1]
    assert sorted(path.name for path in old.parent.iterdir()) == [old.name, kept.name]
    assert old.stat().st_mode & 0o777 == 0o600
    with closing(Records(old)) as records, closing(Records(kept, reading=True)) as before:
        assert (records.layout, before.layout) == (3, 1)
        assert [listing.find(records, match) for match in logs(golden)] == listed
        for match, log in logs(golden).items():
            assert records.entries(match) == before.entries(match) == log
            assert checks.faults(records, match) == []
            assert verify(records.entries(match), None).kind != DIVERGED
            middle = Point(seq=len(log) // 2)
            past, was = History(records), History(before)
            assert past.position(match, 0, middle) == was.position(match, 0, middle)
        match, log = next(iter(logs(golden).items()))
        records.write(Work(match, [replace(log[-1], seq=log[-1].seq + 1)]))  # it can be written
    told = run("store", "upgrade", str(old)).stdout
    assert "already" in told


def test_an_upgrade_that_was_interrupted_is_gone_on_with(golden: Path, old: Path) -> None:
    steps = upgrade.upgrade(old)
    for _ in range(2 if len(logs(golden)) > 2 else 1):
        next(steps)
    steps.close()
    new, kept = upgrade.new_and_kept(old)
    with closing(sqlite3.connect(new)) as connection:
        begun = connection.execute("SELECT max(rowid) FROM stored_events").fetchone()[0]
    assert begun
    assert not kept.exists()
    assert dict(upgrade.upgrade(old)) == dict.fromkeys(logs(golden))
    with closing(Records(old, reading=True)) as records:
        assert records.layout == 3
        assert {match: records.entries(match) for match in records.ids()} == logs(golden)


def test_what_it_can_not_read_it_leaves_where_it_is(golden: Path, old: Path) -> None:
    bad = next(iter(logs(golden)))
    with closing(sqlite3.connect(old, isolation_level=None)) as connection:
        sql = "UPDATE stored_events SET state=x'00ff' WHERE originator_version=7"
        connection.execute(f"{sql} AND originator_id=?", (bad,))
    found = json.loads(run("store", "upgrade", str(old), "--json", code=1).stdout)
    assert (found["upgraded"], [*found["failed"]]) == (False, [bad])
    assert "entry 7 is damaged" in found["failed"][bad]
    with closing(Records(old, reading=True)) as records:
        assert records.layout == 1
    run("store", "upgrade", str(old), "--leave-damaged", code=1)
    with closing(Records(old, reading=True)) as records:
        assert records.layout == 3
        assert {*records.ids()} == {*logs(golden)} - {bad}


@pytest.mark.parametrize("otherwise", ["other entries", "another match", "held"])
def test_an_obstacle_to_an_upgrade_is_named(golden: Path, old: Path, otherwise: str) -> None:
    new, kept = upgrade.new_and_kept(old)
    match, held = next(iter(logs(golden))), None
    if otherwise == "held":
        held = FileLock(old)
    else:
        with closing(Records(new)) as records:
            other = match if otherwise == "other entries" else "zzzzz"
            log = toy_log()
            records.write(Work(other, log, listing.derive(other, log)))
    with pytest.raises(StoreError, match=r"has held it|has match|other matches"):
        list(upgrade.upgrade(old))
    if held is not None:
        held.release()
    assert not kept.exists()
    with closing(Records(old, reading=True)) as records:
        assert records.entries(match) == logs(golden)[match]


def test_no_reader_is_cut_off(old: Path) -> None:
    with closing(sqlite3.connect(old)) as reader:
        reader.execute("PRAGMA journal_mode=WAL")
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM stored_events").fetchone()
        with pytest.raises(StoreError, match="upgraded"):
            list(upgrade.upgrade(old))
    assert os.path.exists(old)
