"""A database that is away or hangs: nobody waits for long, nothing is half there, all resumes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import psycopg
import pytest

from service.store import chains
from service.store.errors import Gone
from service.store.postgres import connections, recorder
from service.store.records import Records, Work
from tests.support import postgres
from tests.support.waiting import PATIENCE, until
from tests.unit.store.records import toy_log

ID = "k7f3q"
LOG = toy_log(turns=20)


@pytest.fixture
def records(postgres_url: str) -> Iterator[Records]:
    with closing(Records(postgres_url)) as found:
        found.write(Work(ID, LOG[:5]))
        yield found


def took(work: Callable[[], Any], error: type[Exception] = Gone) -> float:
    """How long something takes to fail, in seconds."""
    begun = time.monotonic()
    with pytest.raises(error):
        work()
    return time.monotonic() - begun


def is_gone(work: Callable[[], Any]) -> bool:
    """Whether something fails because the database is."""
    try:
        work()
    except Gone:
        return True
    return False


def once_back(work: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """What comes of something once it is not `Gone` any more."""
    end = time.monotonic() + seconds
    while True:
        try:
            return work()
        except Gone:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def test_nobody_waits_for_a_database_that_is_known_to_be_away(
    records: Records, postgres_server: postgres.Server
) -> None:
    work = Work(ID, LOG[5:6])
    postgres_server.kill()
    try:
        assert took(lambda: records.version(ID)) < 10
        with ThreadPoolExecutor(20) as pool:
            each = [lambda: records.version(ID), lambda: records.write(work)] * 20
            assert max(pool.map(took, each)) < 2.5
    finally:
        postgres_server.start()
    assert once_back(lambda: records.version(ID)).seq == 5
    records.write(work)
    with ThreadPoolExecutor(12) as pool:  # no connection of before is left
        assert {one.seq for one in pool.map(lambda _: records.version(ID), range(40))} == {6}


def test_a_restarted_database_is_not_noticed(
    records: Records, postgres_server: postgres.Server
) -> None:
    with ThreadPoolExecutor(8) as pool:  # so that there are several connections
        list(pool.map(lambda _: records.entries(ID), range(16)))
    postgres_server.kill()
    postgres_server.start()
    with ThreadPoolExecutor(8) as pool:
        assert [*pool.map(lambda _: len(records.entries(ID)), range(16))] == [5] * 16
    postgres_server.kill()
    postgres_server.start()
    with records.reading():
        assert records.last(ID) == 5
    postgres_server.kill()
    postgres_server.start()
    records.write(Work(ID, LOG[5:6]))
    assert records.entries(ID) == LOG[:6]


def test_who_holds_a_match_for_too_long_lets_others_fail_whole(
    records: Records, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with psycopg.connect(postgres_url) as other:
        other.execute("SELECT 1 FROM chains WHERE id=%s FOR UPDATE", (ID,))
        works = [Work("bbbbb", LOG[:3]), Work(ID, LOG[5:6])]
        assert took(lambda: records.write(*works)) < connections.PATIENCE
        assert records.last("bbbbb") == 0  # the rest goes on
        other.rollback()
    records.write(*works)
    assert records.entries(ID) == LOG[:6]


@pytest.mark.long
def test_a_database_that_stands_still_is_cut_off(
    records: Records, postgres_server: postgres.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "PATIENCE", 1.5)
    monkeypatch.setattr(recorder, "PATIENCE", 1.5)
    monkeypatch.setattr(recorder, "SETTLE", 1.0)
    with postgres_server.paused():
        assert took(lambda: records.write(Work(ID, LOG[5:6]))) < 10
        until_away(records)
        assert took(lambda: records.entries(ID)) < 1.4
    if once_back(lambda: records.last(ID)) == 5:  # nobody was told
        records.write(Work(ID, LOG[5:6]))
    assert records.entries(ID) == LOG[:6]
    assert chains.check(records, ID) is not None


@pytest.mark.long
def test_a_database_that_can_only_be_read_for_a_while_is_away_for_who_writes(
    records: Records, postgres_url: str
) -> None:
    work = Work(ID, LOG[5:6])
    with postgres.read_only(postgres_url):
        with ThreadPoolExecutor(8) as pool:
            assert max(pool.map(took, [lambda: records.write(work)] * 16)) < 10
        with pytest.raises(Gone, match="can only be read now"):
            records.check()
        assert records.entries(ID) == LOG[:5]  # whoever reads goes on
    once_back(records.check)
    records.write(work)
    with ThreadPoolExecutor(12) as pool:  # no connection of before is left
        list(pool.map(lambda n: records.write(Work(f"m{n}", LOG[:3])), range(24)))
    assert records.entries(ID) == LOG[:6]


def test_that_a_database_can_only_be_read_shows_where_nobody_writes(
    records: Records, postgres_server: postgres.Server
) -> None:
    def turn(value: str) -> None:
        with postgres_server.connection("postgres") as connection:
            connection.execute(f"ALTER SYSTEM SET default_transaction_read_only={value}".encode())
            connection.execute("SELECT pg_reload_conf()")

    records.check()
    turn("on")
    try:
        until(lambda: is_gone(records.check))
    finally:
        turn("off")
    once_back(records.check)
    records.write(Work(ID, LOG[5:6]))


def until_away(records: Records) -> None:
    """Wait until it is known that the database is."""
    until(lambda: records.driver._datastore.availability._why)  # type: ignore[attr-defined]
