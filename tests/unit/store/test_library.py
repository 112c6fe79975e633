"""What is used of the `eventsourcing` library is its public surface."""

from __future__ import annotations

import ast
from contextlib import closing
from pathlib import Path

import eventsourcing.persistence as library
import pytest

from service.store.layout.rows import RowMapper
from service.store.postgres.recorder import PostgresRecorder
from service.store.records import Records, Work
from service.store.sqlite.recorder import SQLiteRecorder
from tests.unit.store.records import toy_log

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
