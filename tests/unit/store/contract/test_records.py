"""Records are kept as they were written, or the reader is told what is wrong with them."""

from __future__ import annotations

from typing import Any

import pytest

from domain.record.entries import TYPES, Entry
from service.store.derived import listing
from service.store.derived.searching import Wanted, search
from service.store.history import History
from service.store.layout import training
from service.store.records import Conflict, Records, StoreError, Work
from tests.support.databases import Place
from tests.support.marks import each
from tests.toy import TOY
from tests.unit.store.records import AT, dictionary, toy_commands, toy_log, toy_match

ID = "k7f3q"


@pytest.fixture
def records(place: Place) -> Records:
    found = place.records()
    found.use_dictionary("toy", dictionary())
    return found


def keep(records: Records, commands: list[list[Entry]], match: str = ID) -> None:
    for command in commands:
        records.write(Work(match, command, listing.derive(match, command, at=AT), "toy"))


def spoil(place: Place, sql: str, *values: object) -> None:
    """Somebody tampers with the database."""
    assert place.change(sql, *values)


def number_of(place: Place, match: str) -> int:
    """The number of the dictionary that the first row of a match was written with."""
    sql = "SELECT state FROM stored_events WHERE originator_id=? ORDER BY originator_version"
    return int(place.look(sql, match)[0][0][4])


def test_what_was_written_is_read_in_any_slice(records: Records) -> None:
    log = toy_log()
    keep(records, [log])
    assert records.entries(ID) == log
    assert records.entries(ID, 10, 20) == log[10:20]
    assert records.entries(ID, 10, limit=3) == log[10:13]
    assert records.entries(ID, len(log)) == []
    assert records.last(ID) == len(log)
    assert (records.entries("other"), records.last("other")) == ([], 0)


def test_who_asks_for_a_text_with_nul_in_it_finds_nothing(records: Records) -> None:
    log = toy_log()
    keep(records, [log])
    for match in (f"{ID}\0", f"{ID[:2]}\0{ID[2:]}", "\0"):
        assert (records.entries(match), records.last(match)) == ([], 0)
        assert records.version(match) == records.version("other")
        assert search(records, Wanted(game=match)).matches == []
        with records.reading():
            assert records.last(match) == 0
    assert records.last(ID) == len(log)


def test_a_record_survives_another_process_and_needs_no_rulebook(
    place: Place, records: Records
) -> None:
    log = toy_log()
    keep(records, [log])
    repeated = place.records(reading=True)
    assert repeated.entries(ID) == log
    repeated.close()


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


def test_a_missing_entry_is_named(place: Place, records: Records) -> None:
    keep(records, [[entry] for entry in toy_log()])
    spoil(place, "DELETE FROM stored_events WHERE originator_version=17")
    with pytest.raises(StoreError, match=f"match {ID}: entry 17 is missing"):
        records.entries(ID)
    assert records.entries(ID, 0, 16) == toy_log()[:16]
    assert records.entries(ID, 17) == toy_log()[17:]


@pytest.mark.parametrize("junk", each(3, [b"junk" * 9, b"", b"\x00", None, 7, "words"]))
@pytest.mark.parametrize(("last", "named"), [(14, "entries 9 to 14 are"), (15, "entry 15 is")])
def test_damaged_entries_are_named_and_no_others_harmed(
    place: Place, records: Records, junk: object, last: int, named: str
) -> None:
    log = toy_log()
    if place.shared and not isinstance(junk, bytes):
        pytest.skip("columns have types there")
    keep(records, [log[:8], log[8:14], log[14:15], log[15:]])
    spoil(place, "UPDATE stored_events SET state=? WHERE originator_version=?", junk, last)
    for read in (records.entries, lambda match: records.find(match, 1, 99)):
        with pytest.raises(StoreError, match=f"match {ID}: {named} damaged"):
            read(ID)
    assert records.entries(ID, 0, 8) == log[:8]
    assert records.entries(ID, 15) == log[15:]


@pytest.mark.parametrize("column", ["originator_version", "topic", "state"])
def test_no_bit_of_a_row_can_be_another(place: Place, records: Records, column: str) -> None:
    log = toy_log()
    keep(records, [log[:8], log[8:14], log[14:]])
    ((kept, state),) = place.look(
        f"SELECT {column}, state FROM stored_events WHERE originator_version=14"
    )
    where, which = ("state", state) if column != "state" else ("originator_version", 14)
    update = f"UPDATE stored_events SET {column}=? WHERE {where}=?"
    data = kept if column == "state" else str(kept).encode()
    for bit in range(0, len(data) * 8, 35 if place.shared else 7):
        other: Any = bytes(b ^ (bit // 8 == at) << bit % 8 for at, b in enumerate(data))
        if column == "originator_version":
            other = kept ^ 1 << bit
        elif column == "topic" and place.shared:
            if not bytes.isascii(other) or b"\0" in other:
                continue  # is no text there
            other = other.decode()
        spoil(place, update, other, which)
        with pytest.raises(StoreError, match=f"match {ID}: (entr.* (damaged|missing)|an entry is)"):
            records.entries(ID)
    spoil(place, update, kept, which)
    assert records.entries(ID) == log


def test_a_row_of_another_match_is_noticed(place: Place, records: Records) -> None:
    keep(records, [toy_log(seed=1)[:9]], "aaaaa")
    keep(records, [toy_log(seed=2)[:9]], "bbbbb")
    state = records.row("SELECT state FROM stored_events WHERE originator_id='aaaaa'")[0]
    spoil(place, "UPDATE stored_events SET state=? WHERE originator_id='bbbbb'", state)
    with pytest.raises(StoreError, match="match bbbbb: entries 1 to 9 are damaged"):
        records.entries("bbbbb")


def test_entries_are_found_by_their_kind_without_reading_every_row(
    place: Place, records: Records
) -> None:
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
    spoil(place, "UPDATE stored_events SET state=? WHERE originator_version=?", b"", middle)
    assert records.find(ID, 6) == len(log)


def test_a_new_dictionary_leaves_old_records_readable(place: Place, records: Records) -> None:
    keep(records, [toy_log()], "aaaaa")
    reader = place.records(reading=True)
    assert reader.entries("aaaaa") == toy_log()
    records.use_dictionary("toy", training.train(TOY, 30, 2048))
    keep(records, [toy_log()], "bbbbb")
    assert [number_of(place, match) for match in ("aaaaa", "bbbbb")] == [1, 2]
    assert reader.entries("bbbbb") == toy_log()  # it learns of the other as it reads
    reader.close()
    records.close()
    repeated = place.records()
    assert repeated.entries("aaaaa") == repeated.entries("bbbbb") == toy_log()
    repeated.use_dictionary("toy", dictionary())
    keep(repeated, [toy_log()], "ccccc")
    assert number_of(place, "ccccc") == 1


def test_a_damaged_dictionary_is_noticed_and_mended_where_it_is_known(
    place: Place, records: Records
) -> None:
    keep(records, [toy_log()])
    for bit in (0, 77, len(dictionary()) * 8 - 1):
        flipped = bytearray(dictionary())
        flipped[bit // 8] ^= 1 << bit % 8
        spoil(place, "UPDATE dictionaries SET data=?", bytes(flipped))
        reader = place.records(reading=True)
        with pytest.raises(StoreError, match=r"entries 1 to .* damaged .*dictionary 1"):
            reader.entries(ID)
        reader.close()
    records.use_dictionary("toy", dictionary())
    assert place.records(reading=True).entries(ID) == toy_log()


def test_matches_are_found_by_label_and_state(records: Records) -> None:
    for at, (event, table) in enumerate([("gp", "1"), ("gp", "2"), ("cup", "1")]):
        match = toy_match(labels={"event": event, "table": table})
        entries = match.collect()
        if table == "2":
            match.interject(0, "concede", 5)
            entries += match.collect()
        keep(records, [entries], f"m{at}")

    def ids(**labels: str) -> list[str]:
        return [one.id for one in search(records, Wanted(labels)).matches]

    assert ids() == ["m2", "m1", "m0"]
    assert ids(event="gp") == ["m1", "m0"]
    assert ids(event="gp", table="1") == ["m0"]
    assert ids(event="nothing") == []
    ended = search(records, Wanted({"event": "gp"}, state=listing.ENDED)).matches
    assert [(one.id, one.ended, one.outcome.winner) for one in ended] == [("m1", True, 1)]
    live, after = search(records, Wanted(game="toy", state=listing.LIVE), limit=1)
    assert ([one.id for one in live], after) == (["m2"], (live[0].heading.at, "m2"))
    assert [one.id for one in search(records, before=after).matches] == ["m1", "m0"]


def test_snapshots_are_small_compared_with_the_entries(records: Records) -> None:
    keep(records, [toy_log(turns=60)])
    records.write(Work(ID, (), History(records).advance(ID)))
    entries = records.row("SELECT sum(length(state)) FROM stored_events")[0]
    snapshots = records.row("SELECT sum(length(views)) FROM snapshots")[0]
    assert 0 < snapshots < entries


def test_a_dictionary_halves_what_is_stored(records: Records) -> None:
    log = toy_log(turns=20)
    for row in (log[at : at + 8] for at in range(0, len(log), 8)):
        keep(records, [row])
        records.write(Work("plain", row))
    size = "SELECT sum(length(state)) FROM stored_events WHERE originator_id=?"
    assert records.row(size, ID)[0] < records.row(size, "plain")[0] / 2
    assert records.entries(ID) == records.entries("plain") == log
