"""A file is made as small as it can be: matches that wait are repacked, free room is given back."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from service.store.derived import listing
from service.store.layout import repacking
from service.store.records import Records, StoreError, Work
from tests.toy import TOY
from tests.unit.cli.clis import run
from tests.unit.store.records import AT, toy_commands

IDS = [f"match{n}" for n in range(5)]
COMMANDS = toy_commands(turns=60)
LOG = [entry for command in COMMANDS for entry in command]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "matches.kifu"
    with closing(Records(path)) as records:
        records.use_dictionary(TOY.manifest.game)
        for match in IDS:
            works = (Work(match, one, listing.derive(match, one, at=AT), "toy") for one in COMMANDS)
            records.write(*works)
    return path


def damage(data: Path, match: str) -> None:
    with closing(sqlite3.connect(data, isolation_level=None)) as connection:
        sql = "UPDATE stored_events SET state=x'00' WHERE originator_id=? AND originator_version=?"
        connection.execute(sql, (match, len(COMMANDS[0])))


def test_the_file_gets_smaller_and_says_the_same(data: Path) -> None:
    before = data.stat().st_size
    answered = json.loads(run("store", "compact", data, "--json").stdout)
    assert answered == {
        "packed": len(IDS), "before": before, "after": data.stat().st_size, "failed": {}
    }  # fmt: skip
    assert answered["after"] < before * 0.8
    with closing(Records(data, reading=True)) as records:
        assert [records.entries(match) for match in IDS] == [LOG] * len(IDS)
        assert repacking.to_repack(records) == []
        assert records.row("PRAGMA freelist_count")[0] == 0
    assert "takes up" in run("store", "compact", data).stdout


def test_what_can_not_be_read_stays_and_is_reported(data: Path) -> None:
    damage(data, IDS[3])
    answered = json.loads(run("store", "compact", data, "--json", code=1).stdout)
    assert (answered["packed"], [*answered["failed"]]) == (len(IDS) - 1, [IDS[3]])
    with closing(Records(data, reading=True)) as records:
        assert repacking.to_repack(records) == [IDS[3]]
        assert records.entries(IDS[4]) == LOG


def test_a_file_that_somebody_holds_is_left_alone(data: Path) -> None:
    before = data.read_bytes()
    with closing(Records(data)):
        assert "held it since" in run("store", "compact", data, code=3).stderr
    assert data.read_bytes() == before


def test_a_reader_keeps_the_old_file_until_he_is_done(data: Path) -> None:
    with closing(Records(data)) as records, closing(Records(data, reading=True)) as reader:
        with reader.reading():
            assert reader.last(IDS[0]) == len(LOG)
            with pytest.raises(StoreError, match="once no other program reads it"):
                list(repacking.compact(records))
        assert records.entries(IDS[0]) == LOG
        assert list(repacking.compact(records)) == []
