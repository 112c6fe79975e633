"""How often a server waits for the database: counted on the wire."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from service.store.derived import listing
from service.store.history import History
from service.store.records import Must, Records, Version, Work
from service.store.tables import lists
from tests.support import wires
from tests.support.postgres import pool_of
from tests.support.waiting import PATIENCE
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
        pool_of(found).wait(PATIENCE)  # what it opens by itself is no trip of ours
        found.write(Work(ID, LOG[:8], listing.derive(ID, LOG[:8], at=AT)))
        found.write(Work(ID, (), History(found).advance(ID)))
        yield found


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


@pytest.mark.parametrize("what", TRIPS)
def test_nothing_is_asked_twice(records: Records, wire: Wire, what: str) -> None:
    work, trips = TRIPS[what]
    before = wire.trips
    work(records)
    assert wire.trips - before == trips
