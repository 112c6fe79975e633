"""What is so of files only; what all stores do is in `contract`."""

from __future__ import annotations

import ast
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import eventsourcing.persistence as library
import pytest

from domain.games import names, rulebook
from domain.record.entries import Entry
from service.store.derived import listing
from service.store.derived.searching import Wanted, search
from service.store.layout import compression, training
from service.store.layout.packing import pack
from service.store.layout.rows import RowMapper
from service.store.postgres.recorder import PostgresRecorder
from service.store.records import Records, StoreError, Work
from service.store.sqlite.recorder import SQLiteRecorder
from tests.unit.store.records import AT, dictionary, toy_log

ID = "k7f3q"


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    found = Records(tmp_path / "matches.kifu")
    found.use_dictionary("toy", dictionary())
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


# -- what is used of the `eventsourcing` library is its public surface -----------------------------


ROOT = Path(__file__).parents[3]
SOURCES = [
    path for layer in ("domain", "service", "replay_cli") for path in (ROOT / layer).rglob("*.py")
]
OURS = (RowMapper, SQLiteRecorder, PostgresRecorder)


def _imports(path: Path) -> list[tuple[str, str]]:
    """What a module imports of the library: modules and names."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("eventsourcing"):
            found += [(node.module or "", name.name) for name in node.names]
        if isinstance(node, ast.Import):
            found += [(one.name, "") for one in node.names if one.name.startswith("eventsourcing")]
    return found


def test_only_public_names_of_its_persistence_are_imported() -> None:
    used = {one for path in SOURCES if "eventsourcing" in path.read_text("utf-8")
            for one in _imports(path)}  # fmt: skip
    assert {module for module, _ in used} == {"eventsourcing.persistence"}
    assert all(name and not name.startswith("_") and hasattr(library, name) for _, name in used)


@pytest.mark.parametrize("cls", OURS)
def test_nothing_private_of_its_classes_is_overridden(cls: type) -> None:
    theirs = [base for base in cls.__mro__ if base.__module__.startswith("eventsourcing")]
    own = [base for base in cls.__mro__ if base.__module__.startswith("service")]
    private = {name for base in theirs for name in vars(base) if name.startswith("_")} - {
        *dir(object)
    }
    standard = {"__annotations__", "__dict__", "__weakref__", "__abstractmethods__", "_abc_impl",
                "__parameters__", "__orig_bases__", "__module__"}  # fmt: skip
    assert theirs
    assert not (private - standard) & {name for base in own for name in vars(base)}


def test_its_event_store_reads_what_records_have(tmp_path: Path) -> None:
    log = toy_log()
    with closing(Records(tmp_path / "matches.kifu")) as records:
        records.write(Work("match", log))
        rows = list(records.events.get("match"))
        assert [entry for row in rows for entry in row.entries] == records.entries("match") == log
