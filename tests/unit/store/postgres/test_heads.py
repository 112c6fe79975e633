"""What a process remembers of matches that others write: it is not relied on, nor in the way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest

from service.store import chains
from service.store.postgres import heads
from service.store.records import ChainBroken, Conflict, Records, Version, Work
from service.store.tables import lists
from tests.unit.store.records import toy_log

ID, LOG = "k7f3q", toy_log(turns=20)
_ADDED = (
    "INSERT INTO stored_events SELECT originator_id, 7, topic, state FROM stored_events"
    " WHERE originator_version=5"
)


@pytest.fixture
def records(postgres_url: str) -> Iterator[Records]:
    with closing(Records(postgres_url)) as found:
        found.write(Work(ID, LOG[:4]))
        found.write(Work(ID, LOG[4:5]))
        yield found


@pytest.fixture
def other(postgres_url: str) -> Iterator[Records]:
    with closing(Records(postgres_url)) as found:
        yield found


def test_what_others_have_added_is_a_conflict_and_then_gone_on_from(
    records: Records, other: Records
) -> None:
    other.write(Work(ID, LOG[5:6]))
    with pytest.raises(Conflict):
        records.write(Work(ID, LOG[5:7]), Work("other", LOG[:2]))
    assert (records.last(ID), records.last("other")) == (6, 0)
    for log in (LOG[6:7], LOG[7:8]):
        (links,) = records.write(Work(ID, log))
        assert links is not None
        assert links[-1] == chains.check(other, ID)


def test_what_seats_have_left_with_others_counts(records: Records, other: Records) -> None:
    other.write(Work(ID, (), version=Version(5), left=True))
    with pytest.raises(Conflict):
        records.write(Work(ID, LOG[5:6], version=Version(5)))
    records.write(Work(ID, LOG[5:6]))
    records.write(Work(ID, LOG[6:7], version=Version(6, 1), left=True))
    assert other.version(ID) == Version(7, 2)


@pytest.mark.parametrize("sql", ["DELETE FROM stored_events WHERE originator_version=5", _ADDED])
def test_nothing_follows_entries_that_are_not_what_is_remembered(
    records: Records, postgres_url: str, sql: str
) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(sql.encode())
    with pytest.raises(ChainBroken):
        records.write(Work(ID, LOG[5:6], [lists.added("some", 1, ID)]))
    assert not lists.has(records, "some", 1, ID)


def test_what_is_written_along_is_written_or_nothing_is(records: Records) -> None:
    twice = ("INSERT INTO seeds (id, seed) VALUES (?, ?)", (ID, b"seed"))
    records.write(Work(ID, LOG[5:6], [twice]), Work(ID, LOG[6:7]))
    with pytest.raises(Conflict):
        records.write(Work(ID, LOG[7:8], [twice]))
    assert records.last(ID) == 7
    records.write(Work(ID, LOG[7:8]))
    assert chains.head(records, ID) == chains.check(records, ID)


def test_the_memory_of_heads_is_bounded(records: Records, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heads, "MOST", 2)
    records.write(*(Work(f"m{n}", LOG[:2]) for n in range(3)))
    assert len(records.driver.recorder._heads._kept) == 2  # type: ignore[attr-defined]
    records.write(Work(ID, LOG[5:6]), *(Work(f"m{n}", LOG[2:3]) for n in range(3)))
    assert (records.last(ID), records.last("m0")) == (6, 3)
