"""Records are kept as they were written, or the reader is told what is wrong with them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from domain.games import names, rulebook
from domain.record.entries import TYPES, Entry
from service.store.derived import listing
from service.store.history import History
from service.store.layout import compression, training
from service.store.layout.packing import pack
from service.store.records import Conflict, Records, StoreError, Work
from tests.toy import TOY
from tests.unit.store.records import toy_commands, toy_log, toy_match

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
    keep(records, [[entry] for entry in toy_log()])
    spoil(records, "DELETE FROM stored_events WHERE originator_version=17")
    with pytest.raises(StoreError, match=f"match {ID}: entry 17 is missing"):
        records.entries(ID)
    assert records.entries(ID, 0, 16) == toy_log()[:16]
    assert records.entries(ID, 17) == toy_log()[17:]


@pytest.mark.parametrize("junk", [b"", b"\x00", b"junk" * 9, None, 7, "words"])
@pytest.mark.parametrize(("last", "named"), [(14, "entries 9 to 14 are"), (15, "entry 15 is")])
def test_damaged_entries_are_named_and_no_others_harmed(
    records: Records, junk: object, last: int, named: str
) -> None:
    log = toy_log()
    keep(records, [log[:8], log[8:14], log[14:15], log[15:]])
    spoil(records, "UPDATE stored_events SET state=? WHERE originator_version=?", junk, last)
    for read in (records.entries, lambda match: records.find(match, 1, 99)):
        with pytest.raises(StoreError, match=f"match {ID}: {named} damaged"):
            read(ID)
    assert records.entries(ID, 0, 8) == log[:8]
    assert records.entries(ID, 15) == log[15:]


@pytest.mark.parametrize("column", ["originator_version", "topic", "state"])
def test_no_bit_of_a_row_can_be_another(records: Records, column: str) -> None:
    log = toy_log()
    keep(records, [log[:8], log[8:14], log[14:]])
    select = f"SELECT {column} FROM stored_events WHERE originator_version=14"
    update = f"UPDATE stored_events SET {column}=? WHERE rowid=2"
    kept = records.row(select)[0]
    data = kept if column == "state" else str(kept).encode()
    for bit in range(len(data) * 8):
        other: Any = bytes(b ^ (bit // 8 == at) << bit % 8 for at, b in enumerate(data))
        spoil(records, update, kept ^ 1 << bit if column == "originator_version" else other)
        with pytest.raises(StoreError, match=f"match {ID}: (entr.* (damaged|missing)|an entry is)"):
            records.entries(ID)
    spoil(records, update, kept)
    assert records.entries(ID) == log


def test_a_row_of_another_match_is_noticed(records: Records) -> None:
    keep(records, [toy_log(seed=1)[:9]], "aaaaa")
    keep(records, [toy_log(seed=2)[:9]], "bbbbb")
    state = records.row("SELECT state FROM stored_events WHERE originator_id='aaaaa'")[0]
    spoil(records, "UPDATE stored_events SET state=? WHERE originator_id='bbbbb'", state)
    with pytest.raises(StoreError, match="match bbbbb: entries 1 to 9 are damaged"):
        records.entries("bbbbb")


def test_entries_are_found_by_their_kind_without_reading_every_row(records: Records) -> None:
    commands = toy_commands()
    keep(records, commands)
    log = [entry for command in commands for entry in command]
    for tag, kind in TYPES.items():
        there = [entry for entry in log if type(entry.event) is kind]
        numbers = [entry.seq for entry in there]
        assert records.tagged(ID, tag) == there
        assert records.count(ID, tag) == len(there)
        for after, until in ((0, len(log)), (7, 40), (40, 41)):
            some = [n for n in numbers if after < n <= until]
            for nth in (1, 2, -1, -2):
                at = some[nth - 1 if nth > 0 else nth] if len(some) >= abs(nth) else 0
                assert records.find(ID, tag, nth, after, until) == at
    middle = commands[len(commands) // 2][-1].seq
    spoil(records, "UPDATE stored_events SET state=x'' WHERE originator_version=?", middle)
    assert records.find(ID, 6) == len(log)


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

_NUMBER = "SELECT unicode(substr(state, 5, 1)) FROM stored_events WHERE originator_id=?"


def test_a_dictionary_halves_what_is_stored(records: Records) -> None:
    log = toy_log(turns=20)
    for row in (log[at : at + 8] for at in range(0, len(log), 8)):
        keep(records, [row])
        records.write(Work("plain", row))
    size = "SELECT sum(length(state)) FROM stored_events WHERE originator_id=?"
    assert records.row(size, ID)[0] < records.row(size, "plain")[0] / 2
    assert records.entries(ID) == records.entries("plain") == log


def test_a_new_dictionary_leaves_old_records_readable(records: Records) -> None:
    keep(records, [toy_log()], "aaaaa")
    reader = Records(records.path, reading=True)
    assert reader.entries("aaaaa") == toy_log()
    records.use_dictionary("toy", training.train(TOY, 30, 2048))
    keep(records, [toy_log()], "bbbbb")
    assert [records.row(_NUMBER, match)[0] for match in ("aaaaa", "bbbbb")] == [1, 2]
    assert reader.entries("bbbbb") == toy_log()  # it learns of the other as it reads
    reader.close()
    records.close()
    again = Records(records.path)
    assert again.entries("aaaaa") == again.entries("bbbbb") == toy_log()
    again.use_dictionary("toy", DICTIONARY)
    keep(again, [toy_log()], "ccccc")
    assert again.row(_NUMBER, "ccccc")[0] == 1
    again.close()


def test_a_damaged_dictionary_is_noticed_and_mended_where_it_is_known(records: Records) -> None:
    keep(records, [toy_log()])
    assert records.layout == 3
    for bit in (0, 77, len(DICTIONARY) * 8 - 1):
        flipped = bytearray(DICTIONARY)
        flipped[bit // 8] ^= 1 << bit % 8
        spoil(records, "UPDATE dictionaries SET data=?", bytes(flipped))
        reader = Records(records.path, reading=True)
        with pytest.raises(StoreError, match=r"entries 1 to .* damaged .*dictionary 1"):
            reader.entries(ID)
        reader.close()
    records.use_dictionary("toy", DICTIONARY)
    with closing(Records(records.path, reading=True)) as reader:
        assert reader.entries(ID) == toy_log()


@pytest.mark.parametrize("game", names())
def test_each_game_brings_a_dictionary_that_knows_its_records(game: str) -> None:
    rules, sizes = rulebook(game), []
    known = compression.Compression(lambda: {1: compression.shipped(game)})
    for number in (0, 1):
        rows = list(training.played(rules, 1_000_003, 60))
        sizes.append(sum(len(pack("match", row, known, number)[2]) for row in rows))
    assert sizes[1] < sizes[0] / 2.5


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
    ended = listing.search(records, {"event": "gp"}, state=listing.ENDED)
    assert [(one.id, one.ended, one.outcome.winner) for one in ended] == [("m1", True, 1)]
    assert [one.id for one in listing.search(records, {}, "toy", listing.LIVE, limit=1)] == ["m2"]
    last = listing.find(records, "m2")
    before = (last.heading.at, "m2")
    assert [one.id for one in listing.search(records, {}, before=before)] == ["m1", "m0"]


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
    listing.search(records, labels, state=state, before=(5, "x"))
    connection.close()
    assert asked
    assert not [step for step in asked if "TEMP B-TREE" in step]
    assert not [step for step in asked if step.startswith("SCAN") and "INDEX" not in step]


def test_snapshots_are_small_beside_the_entries(records: Records) -> None:
    keep(records, [toy_log(turns=60)])
    records.write(Work(ID, (), History(records).advance(ID)))
    entries = records.row("SELECT sum(length(state)) FROM stored_events")[0]
    snapshots = records.row("SELECT sum(length(views)) FROM snapshots")[0]
    assert 0 < snapshots < entries
