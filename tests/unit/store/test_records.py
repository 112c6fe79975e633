"""What is so of files only; what all stores do is in `contract`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.games import names, rulebook
from domain.record.entries import Entry
from service.store.derived import listing
from service.store.derived.searching import Wanted, search
from service.store.layout import compression, training
from service.store.layout.packing import pack
from service.store.records import Records, StoreError, Work
from tests.toy import TOY
from tests.unit.store.records import AT, toy_log

ID = "k7f3q"
DICTIONARY = training.train(TOY, 20, 4096)


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    found = Records(tmp_path / "matches.kifu")
    found.use_dictionary("toy", DICTIONARY)
    yield found
    found.close()


def keep(records: Records, commands: list[list[Entry]], match: str = ID) -> None:
    for command in commands:
        records.write(Work(match, command, listing.derive(match, command, at=AT), "toy"))


def test_commits_are_on_the_disk_before_they_are_reported(records: Records) -> None:
    row = records.row("PRAGMA synchronous")
    assert row[0] == 2  # FULL
    assert records.row("PRAGMA journal_mode")[0] == "wal"


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("these are notes and no database at all" * 100)
    with pytest.raises(StoreError, match="no file of matches, or damaged"):
        Records(text)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE stored_events (x)")
    with pytest.raises(StoreError, match="something else"):
        Records(other)
    with pytest.raises(StoreError, match="No such file"):
        Records(tmp_path / "nowhere" / "matches.kifu")


def test_a_file_of_a_later_layout_is_refused(records: Records) -> None:
    with sqlite3.connect(records.path) as connection:
        connection.execute("PRAGMA user_version=99")
    records.close()
    for reading in (False, True):
        with pytest.raises(StoreError, match="layout 99"):
            Records(records.path, reading=reading)


def test_a_torn_file_is_reported(records: Records) -> None:
    keep(records, [toy_log(turns=40)])
    records.close()
    whole = records.path.read_bytes()
    records.path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StoreError):
        Records(records.path).entries(ID)


# -- dictionaries --------------------------------------------------------------------------------


@pytest.mark.parametrize("game", names())
def test_each_game_brings_a_dictionary_that_knows_its_records(game: str) -> None:
    rules, sizes = rulebook(game), []
    known = compression.Compression(lambda: {1: compression.shipped(game)})
    for number in (0, 1):
        rows = list(training.played(rules, 1_000_003, 60))
        sizes.append(sum(len(pack("match", row, known, number)[2]) for row in rows))
    assert sizes[1] < sizes[0] / 2.5


# -- the listing ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "state"),
    [({}, None), ({}, 1), ({}, 2), ({"a": "b"}, None), ({"a": "b", "c": "d"}, 0)],
)
def test_no_search_reads_the_whole_listing(
    records: Records, labels: dict[str, str], state: int | None
) -> None:
    asked: list[str] = []
    connection = sqlite3.connect(records.path)
    original = records.rows

    def explain(sql: str, *values: object) -> object:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {sql}", values).fetchall()
        asked.extend(row[3] for row in plan)
        return original(sql, *values)

    records.rows = explain  # type: ignore[method-assign, assignment]
    search(records, Wanted(labels, state=state), (5, "x"))
    connection.close()
    assert asked
    assert not [step for step in asked if "TEMP B-TREE" in step]
    assert not [step for step in asked if step.startswith("SCAN") and "INDEX" not in step]
