"""A server meets what a newer one wrote: it adds nothing to that match, says why, and goes on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import msgspec
import pytest

from domain.record.entries import TYPES
from domain.record.points import Point
from service.client.client import CallError
from service.store.layout import packing
from service.store.records import Records
from tests.support import serving


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
