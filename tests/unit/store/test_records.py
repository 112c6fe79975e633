"""Records are kept as they were written, or the reader is told what is wrong with them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.record.entries import Entry
from service.store import listing, shorthand
from service.store.history import History
from service.store.records import Conflict, Records, StoreError, Work
from tests.toy import TOY
from tests.unit.store.records import toy_commands, toy_log, toy_match

ID = "k7f3q"


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    found = Records(tmp_path / "matches.kifu")
    found.learn("toy", "toy 1", lambda: shorthand.sample_of(TOY))
    yield found
    found.close()


def keep(records: Records, commands: list[list[Entry]], match: str = ID) -> None:
    for command in commands:
        records.write(Work(match, command, listing.derive(match, command), "toy"))


def spoil(records: Records, sql: str, *values: object) -> None:
    """Somebody tampers with the file."""
    with sqlite3.connect(records.path) as connection:
        assert connection.execute(sql, values).rowcount != 0


def test_what_was_written_is_read_in_any_slice(records: Records) -> None:
    log = toy_log()
    keep(records, [log])
    assert records.entries(ID) == log
    assert records.entries(ID, 10, 20) == log[10:20]
    assert records.entries(ID, 10, limit=3) == log[10:13]
    assert records.entries(ID, len(log)) == []
    assert records.last(ID) == len(log)
    assert (records.entries("other"), records.last("other")) == ([], 0)


def test_a_record_survives_another_process_and_needs_no_rulebook(records: Records) -> None:
    log = toy_log()
    keep(records, [log])
    again = Records(records.path, reading=True)
    assert again.entries(ID) == log
    again.close()


def test_commits_are_on_the_disk_before_they_are_reported(records: Records) -> None:
    row = records.row("PRAGMA synchronous")
    assert row[0] == 2  # FULL
    assert records.row("PRAGMA journal_mode")[0] == "wal"


def test_a_second_writer_of_the_same_entries_loses_and_changes_nothing(records: Records) -> None:
    opening, first, *_ = toy_commands(seed=1)
    other = toy_commands(seed=2)[1]
    keep(records, [opening, first])
    with pytest.raises(Conflict):
        records.write(Work(ID, other))
    assert records.entries(ID) == opening + first


@pytest.mark.parametrize("cut", [slice(6, 9), slice(5, 5), slice(3, 8)], ids=str)
def test_only_what_follows_the_last_entry_is_written(records: Records, cut: slice) -> None:
    log = toy_log()
    keep(records, [log[:5]])
    torn = [*log[cut], *log[10:12]]
    with pytest.raises(Conflict):
        records.write(Work("bbbbb", log[:2]), Work(ID, torn))
    assert (records.entries(ID), records.last("bbbbb")) == (log[:5], 0)
    keep(records, [log[5:8]])
    assert records.entries(ID) == log[:8]


def test_one_transaction_for_several_matches_is_all_or_nothing(records: Records) -> None:
    a, b = toy_commands(seed=1)[0], toy_commands(seed=2)[0]
    keep(records, [a], "aaaaa")
    with pytest.raises(Conflict):
        records.write(Work("bbbbb", b), Work("aaaaa", a))
    assert records.last("bbbbb") == 0


def test_a_missing_entry_is_named(records: Records) -> None:
    keep(records, [toy_log()])
    spoil(records, "DELETE FROM stored_events WHERE originator_version=17")
    with pytest.raises(StoreError, match=f"match {ID}: entry 17 is missing"):
        records.entries(ID)


@pytest.mark.parametrize(
    "junk", [b"", b"\x00", b"\x00\x93\x01\x02", b"\x01junk", b"\x7fjunk", b"\xff"]
)
def test_a_damaged_entry_is_named(records: Records, junk: bytes) -> None:
    keep(records, [toy_log()])
    spoil(records, "UPDATE stored_events SET state=? WHERE originator_version=9", junk)
    with pytest.raises(StoreError, match=f"match {ID}: entry 9 is damaged"):
        records.entries(ID)


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("these are notes and no database at all" * 100)
    with pytest.raises(StoreError, match="not a database"):
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


# -- shorthand -----------------------------------------------------------------------------------


def test_shorthand_halves_what_is_stored(records: Records) -> None:
    keep(records, [toy_log(turns=20)])
    plain = sum(len(e) for e in map(shorthand.encode, toy_log(turns=20)))
    stored = records.row("SELECT sum(length(state)) FROM stored_events")[0]
    assert stored < plain * 0.6


_FIRST = (
    "SELECT unicode(substr(state, 1, 1)) FROM stored_events"
    " WHERE originator_id=? AND originator_version=1"
)


def test_a_new_sample_leaves_old_records_readable(records: Records) -> None:
    keep(records, [toy_log()], "aaaaa")
    reader = Records(records.path, reading=True)
    assert reader.entries("aaaaa") == toy_log()
    records.learn("toy", "another version", lambda: b"x" * 100 + b"toy:4" * 20)
    keep(records, [toy_log()], "bbbbb")
    numbers = [records.row(_FIRST, match)[0] for match in ("aaaaa", "bbbbb")]
    assert numbers == [1, 2]
    assert reader.entries("bbbbb") == toy_log()  # it learns of the other as it reads
    reader.close()
    records.close()
    again = Records(records.path)
    assert again.entries("aaaaa") == again.entries("bbbbb") == toy_log()
    again.learn("toy", "toy 1", lambda: pytest.fail("it is in the file"))
    again.close()


# -- the listing ---------------------------------------------------------------------------------


def test_matches_are_found_by_label_and_state(records: Records) -> None:
    for at, (event, table) in enumerate([("gp", "1"), ("gp", "2"), ("cup", "1")]):
        match = toy_match(labels={"event": event, "table": table})
        entries = match.collect()
        if table == "2":
            match.interject(0, "concede", 5)
            entries += match.collect()
        keep(records, [entries], f"m{at}")

    def ids(**labels: str) -> list[str]:
        return [one.id for one in listing.search(records, labels)]

    assert ids() == ["m2", "m1", "m0"]
    assert ids(event="gp") == ["m1", "m0"]
    assert ids(event="gp", table="1") == ["m0"]
    assert ids(event="nothing") == []
    ended = listing.search(records, {"event": "gp"}, ended=True)
    assert [(one.id, one.ended, one.outcome.winner) for one in ended] == [("m1", True, 1)]
    assert [one.id for one in listing.search(records, {}, "toy", False, limit=1)] == ["m2"]
    last = listing.find(records, "m2")
    before = (last.heading.at, "m2")
    assert [one.id for one in listing.search(records, {}, before=before)] == ["m1", "m0"]


@pytest.mark.parametrize(
    ("labels", "ended"), [({}, None), ({}, True), ({"a": "b"}, None), ({"a": "b", "c": "d"}, False)]
)
def test_no_search_reads_the_whole_listing(
    records: Records, labels: dict[str, str], ended: bool | None
) -> None:
    asked: list[str] = []
    connection = sqlite3.connect(records.path)
    original = records.rows

    def explain(sql: str, *values: object) -> object:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {sql}", values).fetchall()
        asked.extend(row[3] for row in plan)
        return original(sql, *values)

    records.rows = explain  # type: ignore[method-assign, assignment]
    listing.search(records, labels, ended=ended, before=(5, "x"))
    connection.close()
    assert asked
    assert not [step for step in asked if "TEMP B-TREE" in step]
    assert not [step for step in asked if step.startswith("SCAN") and "INDEX" not in step]


def test_snapshots_are_small_beside_the_entries(records: Records) -> None:
    keep(records, [toy_log(turns=60)])
    records.write(Work(ID, (), History(records).advance(ID)))
    entries = records.row("SELECT sum(length(state)) FROM stored_events")[0]
    snapshots = records.row("SELECT sum(length(views)) FROM snapshots")[0]
    assert 0 < snapshots < entries / 3
