"""A record in which an earlier version put what no message can carry: it is read, and marked."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import msgspec
import pytest

from domain.record import events as ev
from domain.record.entries import TYPES, Entry, name_of
from domain.record.interventions import Unreadable
from domain.record.points import Point
from domain.record.values import EVERYONE, RULES, Sealed
from domain.record.views import OFFICIAL, PUBLIC
from service.client.client import CallError, Client
from service.store.derived import listing
from service.store.layout import packing
from service.store.records import Records, Work
from tests.support import serving
from tests.unit.cli.clis import run
from tests.unit.store.records import toy_commands

#: Beyond an int32 and an int64.
HUGE, VAST = 3_000_000_000, 2**63 + 5
WRONG = (
    ev.CountersMoved("points", HUGE, "", "seat/0"),
    ev.Marked("seat/1", "told", VAST),
    ev.StatsSet(Sealed(EVERYONE, (("seat/0", "power", VAST),))),
)
VIEWS = [OFFICIAL, PUBLIC, 0, 1]


@pytest.fixture(scope="module")
def log() -> list[Entry]:
    commands = toy_commands(turns=9)
    found = [entry for command in commands[: len(commands) // 2] for entry in command]
    for event in WRONG:
        last = found[-1]
        found.append(Entry(last.seq + 1, last.time, last.moment + 1, 0, RULES, ("toy:4",), event))
    return found


@pytest.fixture(scope="module")
def kifu(log: list[Entry], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    path = tmp_path_factory.mktemp("damaged") / "matches.kifu"
    records = Records(path)
    records.write(Work("damag", log, listing.derive("damag", log)))
    records.close()
    running = serving.start(path)
    with running.client() as client:
        yield client
    assert running.stop() == 0


@pytest.mark.parametrize("viewer", VIEWS)
def test_every_viewer_reads_it_with_the_entries_marked(
    kifu: Client, log: list[Entry], viewer: int
) -> None:
    listed = list(kifu.events("damag", view=viewer))
    assert [entry.seq for entry in listed] == [entry.seq for entry in log]
    marked = listed[-len(WRONG) :]
    for entry, event in zip(marked, WRONG, strict=True):
        assert isinstance(entry.event, Unreadable)
        assert entry.event.event == name_of(event)
        assert entry.event.reason
    aside = [(e.seq, e.time, e.moment, e.frame, e.by, e.cites) for e in marked]
    assert aside == [(e.seq, e.time, e.moment, e.frame, e.by, e.cites) for e in log[-3:]]
    watched = kifu.watch("damag", view=viewer)
    assert [next(watched) for _ in log] == listed


@pytest.mark.parametrize("viewer", VIEWS)
def test_positions_tell_the_nearest_number_that_there_is_room_for(
    kifu: Client, viewer: int
) -> None:
    pos = kifu.position("damag", view=viewer)
    assert pos.counters("seat/0", "points") == 2**31 - 1
    assert pos.marks["seat/1"]["told"] == 2**63 - 1
    assert pos.stats["seat/0"]["power"] == 2**63 - 1
    assert len(list(kifu.decisions("damag", view=viewer, offers=True))) == pos.decisions


def test_a_copy_says_that_it_is_not_the_whole(kifu: Client, log: list[Entry]) -> None:
    from domain.engine.checks.verify import UNVERIFIED, verify
    from tests.toy import TOY

    found = verify(list(kifu.events("damag")), TOY)
    assert (found.kind, found.seq) == (UNVERIFIED, len(log) - 2)


def test_it_is_exported_and_shown(kifu: Client, tmp_path: Path) -> None:
    address = kifu._channel._channel.target().decode()  # type: ignore[attr-defined]
    token = dict(kifu._metadata)["authorization"].removeprefix("Bearer ")
    where = ["--server", address, "--token", token]
    file = tmp_path / "copy.jsonl"
    for arguments in (["export", "damag", "-o", file], ["show", "damag"]):
        run(*arguments, *where)
    assert file.read_text().count('"unreadable"') == len(WRONG)


# -- a server meets what a newer one wrote: it adds nothing to that match, says why, and goes on ---


def plant(data: Path, match: str) -> int:
    """Add an event of the future to a match, as its server would; how many entries it has then."""
    with closing(Records(data)) as records:
        last = records.last(match) + 1
        rows = msgspec.msgpack.encode([[0, 0, 0, 0, (), [max(TYPES) + 1, "new"]]])
        row = packing._packed(match, last, "1", rows, records.row_mapper.compression, 0, 1)
    with closing(sqlite3.connect(data)) as file, file:
        file.execute("INSERT INTO stored_events VALUES (?,?,?,?)", (match, *row))
        file.execute("UPDATE chains SET seq=?, hash=zeroblob(32) WHERE id=?", (last, match))
    return last


def test_nothing_is_added_and_what_can_be_read_is(tmp_path: Path) -> None:
    data = tmp_path / "m.kifu"
    running = serving.start(data)
    with running.client() as host:
        opened, other = (
            host.open_match("toy", ["A", "B"], ["ones", "tens"], seed=n) for n in range(2)
        )
        serving.play(tuple(map(host.with_token, opened.seats)), opened, Random(1), 3)
        known = list(host.events(opened.id))
        before = host.position(opened.id)
    assert running.stop() == 0
    last = plant(data, opened.id)
    assert last == known[-1].seq + 1
    running = serving.start(data)
    with running.client() as host:
        seats = tuple(map(host.with_token, opened.seats))
        for refused in (
            lambda: serving.play(seats, opened, Random(1), 1),
            lambda: host.note(opened.id, "who wrote this?"),
            lambda: host.position(opened.id),
            lambda: list(host.watch(opened.id, after=last - 1, patience=0)),
        ):
            with pytest.raises(CallError) as error:
                refused()
            assert (error.value.code, error.value.reason) == ("UNAVAILABLE", "RECORD_NEWER")
            assert error.value.after == 1
            assert error.value.metadata["seq"] == str(last)
            followed, seen = host.watch(opened.id, patience=0), []
        with pytest.raises(CallError):
            seen.extend(followed)
        assert [entry.seq for entry in seen] == [entry.seq for entry in known]
        assert host.position(opened.id, Point(seq=last - 1)).decision == before.decision
        assert {one.id for one in host.list_matches()} == {opened.id, other.id}
        others = tuple(map(host.with_token, other.seats))
        assert serving.play(others, other, Random(1), 5) == 5, "no other match is touched"
    assert running.stop() == 0
    with closing(Records(data)) as records:
        assert records.last(opened.id) == last
