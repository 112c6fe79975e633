"""`kifu store check` finds what damage can be found, names what it is of, and never stops at it.

Each value of each table is damaged in turn, in every way that a value can be; so are rows, and the
bytes of the file.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from service.keeping.check.store import Tally, check
from service.store.derived.listing import UNPACKED
from service.store.records import Records, StoreError
from service.store.schema import DERIVED, KEPT, TABLES
from tests.support import stores
from tests.support.marks import each
from tests.unit.cli.clis import answer, run

NAMED = {table.name: table for table in KEPT}
#: What no other value says anything of, so that another that is as good can't be told from it.
UNBOUND = {
    ("matches", "seed"), ("dictionaries", "name"),
    ("auto_passes", "state"), ("auto_passes", "seat"),
    ("card_photos", "card"), ("card_photos", "photo"),
    ("chains", "lefts"), ("checkpoints", "time"),
    ("log_keys", "size"), ("log_keys", "time"), ("log_keys", "endorsed"),
    *(("tokens", name) for name in NAMED["tokens"].columns),
    *(("codes", name) for name in NAMED["codes"].columns),
    ("cosignatures", "line"), ("tiles", "level"),
    ("archived", "at"), ("archived", "viewer"), ("archived", "anchor"),
}  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stores.filled(tmp_path_factory.mktemp("store") / "matches.kifu")


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(whole, tmp_path / "damaged.kifu"))


def found(path: Path, *, quick: bool = False) -> list[Any]:
    with closing(Records(path, reading=True)) as records:
        return list(check(records, Tally(), quick=quick))


def test_every_table_is_kept_or_derived_or_of_others(whole: Path) -> None:
    others = {"openings", "public_entries", "attempts", "entrances", "marks"}
    assert stores.tables(whole).keys() - {"sqlite_sequence"} == {*NAMED, *DERIVED, *others}
    assert TABLES.keys() == {*NAMED, *DERIVED, *others}
    assert all(stores.tables(whole)[name] for name in (*NAMED, *DERIVED))


def test_nothing_is_wrong_with_what_is_whole(whole: Path) -> None:
    before, tally = whole.read_bytes(), Tally()
    with closing(Records(whole, reading=True)) as records:
        assert list(check(records, tally)) == []
    assert (tally.matches, tally.events) == (4, 1)
    assert tally.leaves > 256
    assert found(whole, quick=True) == []
    assert whole.read_bytes() == before
    output = run("store", "check", str(whole)).stdout
    assert "4 matches" in output
    assert "nothing was changed" in output
    assert answer("store", "check", str(whole))["faults"] == []


def damages(value: Any) -> Iterator[Any]:
    """What may become of a value."""
    yield None
    match value:
        case int():
            yield from (value ^ 1, value + (1 << 20), -1, "x")
        case str():
            yield from ("", value + "x", chr(ord(value[0]) ^ 1) + value[1:] if value else "y", 7)
        case bytes():
            at = len(value) // 2
            yield from (b"", value[:-1], b"x", 7.5)
            yield value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :]
            yield bytes([value[0] ^ 0x80]) + value[1:]
            yield value[:-1] + bytes([value[-1] ^ 1])


def _set(path: Path, table: str, column: int, old: tuple[Any, ...], value: Any) -> list[Any]:
    """Damage a value of a row; what has become of it, nothing if that is not possible."""
    with closing(sqlite3.connect(path)) as connection:
        cursor = connection.execute(f"SELECT * FROM {table}")
        names, before = [name for name, *_ in cursor.description], {*cursor}
        where = " AND ".join(f"{name} IS ?" for name in names)
        sql = f"UPDATE {table} SET {names[column]}=? WHERE {where}"
        try:
            connection.execute(sql, (value, *old))
        except sqlite3.IntegrityError:
            return []
        connection.commit()
        now = {*connection.execute(f"SELECT * FROM {table}")}
        return [row[column] for row in now - before]


@pytest.mark.parametrize("table", each(3, [*NAMED, *(name for name in DERIVED if name != "lists")]))
def test_a_value_that_is_another_is_found(whole: Path, tmp_path: Path, table: str) -> None:
    rng, path, missed = Random(table), tmp_path / "damaged.kifu", []
    seedless = type(None) if table == "matches" else None
    with closing(sqlite3.connect(whole)) as connection:
        cursor = connection.execute(f"SELECT * FROM {table}")
        columns = [name for name, *_ in cursor.description]
        rows = [row for row in cursor if row[0] != UNPACKED]  # where nothing need stand
    for index, column in enumerate(columns):
        at = rng.randrange(len(rows))
        some = [*damages(rows[at][index])]
        for value in rng.sample(some, min(2, len(some))):
            shutil.copy(whole, path)
            for new in _set(path, table, index, rows[at], value):
                typed = (table, column) in UNBOUND and type(new) in (
                    type(rows[at][index]),
                    seedless,
                )
                if not typed and not found(path, quick=table != "snapshots"):
                    missed.append((column, rows[at][index], new))
    assert missed == []


@pytest.mark.parametrize("table", [*NAMED])
def test_a_row_that_is_gone_is_found(copy: Path, table: str) -> None:
    key = NAMED[table].key[-1 if table == "access" else 0]
    with closing(sqlite3.connect(copy)) as connection:
        gone = connection.execute(
            f"DELETE FROM {table} WHERE {key}=(SELECT min({key}) FROM {table})"
        ).rowcount
        connection.commit()
    assert gone
    bare = table in ("seeds", "auto_passes", "card_photos", "tokens", "codes", "cosignatures")
    assert bool(found(copy, quick=True)) != bare


@pytest.mark.parametrize("seed", range(12))
def test_no_byte_of_a_file_stops_it(copy: Path, seed: int) -> None:
    rng, data = Random(seed), bytearray(copy.read_bytes())
    for _ in range(rng.choice((1, 3, 200))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    copy.write_bytes(data)
    try:
        found(copy)
    except StoreError:
        run("store", "check", str(copy), code=1)


def test_it_says_of_what(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("UPDATE snapshots SET views=x'00' WHERE id=?", (stores.OVER,))
        connection.execute("DELETE FROM stored_events WHERE originator_id=?", (stores.TABLES[0],))
        connection.commit()
    faults = answer_of(copy)
    subjects = {(one["subject"], one["part"]) for one in faults}
    assert (f"match {stores.OVER}", "derived") in subjects
    assert (f"match {stores.TABLES[0]}", "chain") in subjects
    assert (f"match {stores.TABLES[0]}", "log") in subjects
    quick = answer_of(copy, "--quick")
    assert f"match {stores.OVER}" not in {one["subject"] for one in quick}


def answer_of(path: Path, *options: str) -> list[dict[str, str]]:
    import json

    found = run("store", "check", str(path), *options, "--json", code=1).stdout
    faults: list[dict[str, str]] = json.loads(found)["faults"]
    return faults
