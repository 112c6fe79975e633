"""All connections in use: whoever wants another waits for a bounded time, and nobody for ever."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier, Event

import pytest

from service.store.errors import Gone
from service.store.postgres import connections
from service.store.records import Records, Work
from tests.support.postgres import pool_of
from tests.support.waiting import PATIENCE
from tests.unit.store.records import toy_log

ID, LOG = "k7f3q", toy_log(turns=20)


@pytest.fixture
def records(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Records]:
    monkeypatch.setattr(connections, "FREE", 1.0)
    monkeypatch.setattr(connections, "LEAST", connections.MOST)  # all are there before it is tried
    with closing(Records(postgres_url)) as found:
        pool_of(found).wait(PATIENCE)
        found.write(Work(ID, LOG[:5]))
        yield found


def test_who_reads_at_one_time_needs_one_connection(records: Records) -> None:
    barrier = Barrier(connections.MOST, timeout=PATIENCE)

    def read(_: int) -> int:
        with records.reading():
            barrier.wait()
            last = records.last(ID)
            barrier.wait()  # every connection is in use now
            with records.reading():
                return last + len(records.entries(ID)) + records.version(ID).seq

    with ThreadPoolExecutor(connections.MOST) as pool:
        assert set(pool.map(read, range(connections.MOST))) == {15}


def test_a_caller_without_a_connection_fails_and_others_go_on(records: Records) -> None:
    held, over = Barrier(connections.MOST + 1, timeout=PATIENCE), Event()

    def hold(_: int) -> int:
        with records.reading():
            last = records.last(ID)
            held.wait()
            over.wait(PATIENCE)
            return last + len(records.entries(ID))

    with ThreadPoolExecutor(connections.MOST + 4) as pool:
        holding = [pool.submit(hold, n) for n in range(connections.MOST)]
        held.wait()
        begun = time.monotonic()
        waiting = [pool.submit(records.version, ID), pool.submit(records.entries, ID)]
        waiting.append(pool.submit(records.write, Work(ID, LOG[5:6])))  # type: ignore[arg-type]
        assert [type(one.exception()) for one in waiting] == [Gone] * 3
        assert time.monotonic() - begun < 12
        over.set()
        assert {one.result() for one in holding} == {10}
    assert records.version(ID).seq == 5  # it was never away
    records.write(Work(ID, LOG[5:6]))
