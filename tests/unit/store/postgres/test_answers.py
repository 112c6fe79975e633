"""An answer to COMMIT that is lost: what was written is found again, and is there once.

And how often a server waits for the database: counted on the wire, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from psycopg.errors import DiskFull

from service.store import chains
from service.store.derived import listing
from service.store.errors import Full, Gone
from service.store.history import History
from service.store.postgres import recorder
from service.store.records import Conflict, Must, Records, Version, Work
from service.store.tables import lists
from tests.support import wires
from tests.support.postgres import pool_of
from tests.support.waiting import until
from tests.support.wires import Wire
from tests.unit.store.records import AT, toy_log

ID, LOG = "k7f3q", toy_log(turns=20)


@pytest.fixture
def wire(postgres_url: str) -> Iterator[Wire]:
    with wires.to(postgres_url) as found:
        yield found


@pytest.fixture
def records(wire: Wire) -> Iterator[Records]:
    with closing(Records(wire.url)) as found:
        yield found


@pytest.mark.parametrize("losses", [1, 3])
def test_what_was_written_is_found(records: Records, wire: Wire, losses: int) -> None:
    first = Work(ID, LOG[:5], listing.derive(ID, LOG[:5], at=AT))
    for work in (first, Work(ID, LOG[5:8], version=Version(5))):
        wire.losing = losses
        (links,) = records.write(work)
        assert wire.losing == losses - 1  # once it is done, nothing is committed again
        wire.losing = 0
        assert links is not None
        assert links[-1] == chains.head(records, ID) == chains.check(records, ID)
    assert records.entries(ID) == LOG[:8]


def test_a_batch_is_found_as_one(records: Records, wire: Wire) -> None:
    records.write(Work("aaaaa", LOG[:3]))
    wire.losing = 1
    works = [Work("aaaaa", LOG[3:4]), Work("bbbbb", LOG[:2]), Work("aaaaa", LOG[4:6])]
    assert len(records.write(*works)) == 3
    assert (records.last("aaaaa"), records.last("bbbbb")) == (6, 2)


def test_others_who_go_on_meanwhile_are_no_conflict(
    records: Records, wire: Wire, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    records.write(Work(ID, LOG[:5]))
    with closing(Records(postgres_url)) as other:
        meanwhile = [Work(ID, LOG[6:8])]
        records.driver.recorder.on_retry = lambda _: other.write(meanwhile.pop())  # type: ignore[attr-defined]
        wire.losing = 1
        records.write(Work(ID, LOG[5:6]))
        assert (wire.lost, meanwhile) == (1, [])
        assert other.entries(ID) == LOG[:8]
        assert chains.check(other, ID) is not None


def test_others_who_were_quicker_are_one(records: Records, wire: Wire, postgres_url: str) -> None:
    records.write(Work(ID, LOG[:5]))
    wire.cut()  # nothing arrives, and nobody knows
    with closing(Records(postgres_url)) as other:

        def heal(_: str) -> None:
            if other.last(ID) == 5:
                other.write(Work(ID, LOG[5:8]))
            wire.heal()

        records.driver.recorder.on_retry = heal  # type: ignore[attr-defined]
        with pytest.raises(Conflict):
            records.write(Work(ID, LOG[5:7], [lists.added("some", 1, "x")]))
        assert other.entries(ID) == LOG[:8]
        assert not lists.has(other, "some", 1, "x")


def test_what_has_no_entries_is_not_known_to_be_done(records: Records, wire: Wire) -> None:
    wire.losing = 1
    with pytest.raises(Gone):
        records.write(Work("", (), [lists.added("some", 1, "x")]))
    assert lists.has(records, "some", 1, "x")


def test_it_is_looked_for_as_long_as_configured(
    records: Records, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder, "SETTLE", 0.5)
    records.write(Work(ID, LOG[:5]))
    wire.cut()
    with pytest.raises(Gone):
        records.write(Work(ID, LOG[5:6]))


def test_a_full_disk_is_distinguished_from_a_lost_database(records: Records) -> None:
    with pytest.raises(Full), records.driver.translated("written"):
        raise DiskFull("no space left")


# -- how often it is asked -------------------------------------------------------------------------


def several(records: Records) -> None:
    with records.reading():
        records.last(ID)
        records.last(ID)
        records.last(ID)


def _forgotten(records: Records) -> None:
    records.driver.recorder._heads.forget([ID])  # type: ignore[attr-defined]
    records.write(Work(ID, LOG[8:9]))


TRIPS: dict[str, tuple[Callable[[Records], Any], int]] = {
    "how far a match is": (lambda records: records.version(ID), 1),
    "entries": (lambda records: records.entries(ID, 3), 1),
    "nothing": (lambda records: records.reading().__enter__(), 0),
    "three things at one time": (several, 4),
    "a command": (lambda records: records.write(Work(ID, LOG[8:9], version=Version(8))), 1),
    "a command, and more": (
        lambda records: records.write(Work(ID, LOG[8:9], [lists.added("some", 1, ID)])), 1,
    ),
    "a command of a match that was not written here": (_forgotten, 2),
    "commands of three new matches": (
        lambda records: records.write(*(Work(f"m{n}", LOG[:3]) for n in range(3))), 2,
    ),
    "what must change a row": (
        lambda records: records.write(
            Work(ID, LOG[8:9], [Must("DELETE FROM chains WHERE id=? AND seq=9", (ID,))])
        ), 3,
    ),
}  # fmt: skip


def settle(records: Records) -> None:
    """Have the pool open no more connections, which would be counted as trips of the work's."""
    pool = pool_of(records)
    pool.resize(2, 2)
    until(lambda: (stats := pool.get_stats())["pool_available"] == stats["pool_size"])


@pytest.mark.parametrize("what", TRIPS)
def test_nothing_is_asked_twice(records: Records, wire: Wire, what: str) -> None:
    records.write(Work(ID, LOG[:8], listing.derive(ID, LOG[:8], at=AT)))
    records.write(Work(ID, (), History(records).advance(ID)))
    settle(records)
    work, trips = TRIPS[what]
    before = wire.trips
    work(records)
    assert wire.trips - before == trips
