"""A match that has ended is repacked: the same entries in fewer rows, whoever reads meanwhile."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.record.entries import TYPES, active, encode
from domain.record.folding.fold import fold_all
from domain.record.points import Point
from domain.record.views import OFFICIAL, PUBLIC, position
from service.live.matches import Matches
from service.store import history
from service.store.derived import checks, listing
from service.store.history import History
from service.store.layout import packing, repacking, training
from service.store.layout.compression import Compression
from service.store.records import Conflict, Records, StoreError, Work
from tests.toy import RULEBOOKS, TOY
from tests.unit.store.records import AT, REWINDS, dictionary, toy_commands, toy_log, undone_commands

ID = "k7f3q"
COMMANDS = undone_commands(90, 5, REWINDS)
LOG = [entry for command in COMMANDS for entry in command]
ROWS = "SELECT count(*) FROM stored_events WHERE originator_id=?"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the match, which has ended, and its snapshots."""
    path = tmp_path_factory.mktemp("whole") / "matches.kifu"
    with pytest.MonkeyPatch.context() as patch, closing(Records(path)) as found:
        patch.setattr(history, "EVERY", 60)
        found.use_dictionary("toy", dictionary())
        for command in COMMANDS:
            found.write(Work(ID, command, listing.derive(ID, command, at=AT), "toy"))
        found.write(Work(ID, (), History(found).advance(ID)))
    return path


@pytest.fixture
def records(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Records]:
    monkeypatch.setattr(history, "EVERY", 60)
    with closing(Records(shutil.copy(whole, tmp_path / "matches.kifu"))) as found:
        found.use_dictionary("toy", dictionary())
        yield found


def same(records: Records) -> None:
    assert records.entries(ID) == LOG
    assert records.entries(ID, 100, 300) == LOG[100:300]
    past = History(records)
    for seq in range(3, len(LOG), 97):
        for viewer in (OFFICIAL, PUBLIC, 1):
            assert past.position(ID, viewer, Point(seq=seq)) == position(active(LOG[:seq]), viewer)
    for tag, kind in TYPES.items():
        assert records.tagged(ID, tag) == [e for e in LOG if type(e.event) is kind]
    assert checks.faults(records, ID) == []


def test_the_same_entries_are_in_fewer_rows(records: Records) -> None:
    room = "SELECT sum(length(state)) FROM stored_events"
    before = records.row(room)[0]
    assert records.row(ROWS, ID)[0] == len(COMMANDS)
    assert repacking.to_repack(records) == [ID]
    places = records.row("SELECT count(*) FROM snapshots")[0]
    records.write(Work(ID, (), repacking.repack_statements(records, ID)))
    assert records.row(ROWS, ID)[0] == -(-len(LOG) // packing.CHUNK)
    assert records.row(room)[0] < before * 0.8
    assert places / 2 <= records.row("SELECT count(*) FROM snapshots")[0] <= places / 2 + 1
    same(records)
    assert (repacking.to_repack(records), repacking.repack_statements(records, ID)) == ([], [])


def test_what_comes_after_the_end_follows_and_is_repacked_too(records: Records) -> None:
    records.write(Work(ID, (), repacking.repack_statements(records, ID)))
    more = [replace(LOG[-1], seq=LOG[-1].seq + n) for n in (1, 2, 3)]
    with pytest.raises(Conflict):
        records.write(Work(ID, more[1:]))
    for entry in more:
        records.write(Work(ID, [entry], listing.derive(ID, [entry], at=AT)))
    assert records.entries(ID) == LOG + more
    records.write(Work(ID, (), repacking.repack_statements(records, ID)))
    assert records.row(ROWS, ID)[0] == -(-len(LOG + more) // packing.CHUNK)
    assert records.entries(ID) == LOG + more


def test_rows_that_are_others_by_now_are_left_alone(records: Records) -> None:
    late, repeated = (
        repacking.repack_statements(records, ID),
        repacking.repack_statements(records, ID),
    )
    records.write(Work(ID, (), repeated))
    with pytest.raises(Conflict):
        records.write(Work(ID, (), late))
    same(records)


def test_a_repacking_that_was_interrupted_has_not_happened(records: Records) -> None:
    records.stage(Work(ID, (), repacking.repack_statements(records, ID)))
    with closing(Records(records.path, reading=True)) as reader:
        assert reader.row(ROWS, ID)[0] == len(COMMANDS)
        same(reader)
    records.driver.recorder.writer.rollback()
    same(records)
    assert repacking.to_repack(records) == [ID]


def test_a_match_that_can_not_be_read_is_left_as_it_is(records: Records) -> None:
    with closing(sqlite3.connect(records.path, isolation_level=None)) as connection:
        connection.execute("UPDATE stored_events SET state=x'00' WHERE rowid=9")
    with pytest.raises(StoreError, match="damaged"):
        repacking.repack_statements(records, ID)


def test_what_an_entry_says_is_taken_over_byte_by_byte(records: Records) -> None:
    """An event that was written before its type had some field does not get it."""
    compression, log = Compression(), toy_log()[:100]
    plain = msgspec.msgpack.decode(packing.plain(log))
    entry = next(one for one in plain if TYPES[one[5][0]].__name__ == "CardsMoved")
    shorter = entry[5] = entry[5][:-1]
    topic = packing.pack("other", log, compression, 0)[1]
    row = packing._packed(
        "other", len(log), topic, msgspec.msgpack.encode(plain), compression, 0, 3
    )
    with closing(sqlite3.connect(records.path, isolation_level=None)) as connection:
        connection.execute("INSERT INTO stored_events VALUES (?,?,?,?)", ("other", *row))
    entries = packing.raw_entries(records.stored("other"), compression)
    new = packing.repack("other", list(entries), compression, 0, 19)
    assert packing.unpack("other", new[0], new[1].encode(), new[2], compression) == log
    found = msgspec.msgpack.decode(compression.decompress(new[2][5:], 0))
    assert shorter in [one[5] for one in found]


async def test_a_service_repacks_what_has_ended_and_what_it_did_not_get_to(tmp_path: Path) -> None:
    path = tmp_path / "matches.kifu"
    log = [entry for command in toy_commands(turns=60) for entry in command]

    async def until(records: Records) -> None:
        while repacking.to_repack(records):
            await asyncio.sleep(0.02)

    records = Records(path)
    records.write(*(Work("aaaaa", [e], listing.derive("aaaaa", [e], at=AT)) for e in log))
    matches = Matches(records, RULEBOOKS)  # what another process did not get to
    await until(records)
    assert records.row(ROWS, "aaaaa")[0] == -(-len(log) // packing.CHUNK)
    records.write(*(Work("bbbbb", [e]) for e in log[:-1]))
    await matches.save("ccccc", "toy", log)
    await until(records)
    assert records.entries("aaaaa") == records.entries("ccccc") == log
    assert fold_all(log).over
    await matches.close()
    records.close()


@pytest.mark.parametrize(
    ("turns", "readers"), [(2, 2), pytest.param(25, 6, marks=pytest.mark.long)]
)
def test_readers_are_right_while_others_write_fail_and_repack(
    records: Records, turns: int, readers: int
) -> None:
    """Threads read by three dictionaries while rows come, are refused, fail and are replaced.

    Compressors that threads shared would crash here, or read something else.
    """
    wrong: list[Any] = []
    done = Event()
    logs = {f"m{at}": toy_log(turns, seed=at) for at in range(readers)}

    def read(at: int) -> None:
        past, seen = History(records), 0
        while not done.is_set() or not seen:
            match, log = list(logs.items())[(at + seen) % len(logs)]
            seen += 1
            try:
                found = records.entries(match)
                if found != log[: len(found)]:
                    wrong.append(f"{match}: other entries")
                last = len(found)
                if last and past.position(match, 0, Point(seq=last)) != position(found, 0):
                    wrong.append(f"{match}: another position")
            except Exception as error:
                wrong.append(error)

    threads = [Thread(target=read, args=(at,)) for at in range(readers)]
    for thread in threads:
        thread.start()
    for match, log in logs.items():
        records.use_dictionary("toy", training.train(TOY, 20 + int(match[1]) % 3, 3000))
        for at in range(0, len(log), 9):
            some = log[at : at + 9]
            work = Work(match, some, listing.derive(match, some, at=AT), "toy")
            if at % 27 == 0:
                records.stage(work)  # the disk fails before it is durable
                records.driver.recorder.writer.rollback()
            if at % 45 == 0:
                with pytest.raises(Conflict):
                    records.write(Work(match, log[at + 1 : at + 5]))
            records.write(work)
            if at % 180 == 0:
                records.write(Work(match, (), History(records).advance(match)))
        records.write(Work(match, (), repacking.repack_statements(records, match)))
    done.set()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive(), "a reader hangs"
    assert wrong == []
    assert {match: [*map(encode, records.entries(match))] for match in logs} == {
        match: [*map(encode, log)] for match, log in logs.items()
    }
