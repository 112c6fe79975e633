"""What a newer version wrote: it is told from damage, and what comes before it is read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.record import events as ev
from domain.record.entries import TYPES, Entry
from service.store import chains
from service.store.derived import listing
from service.store.errors import StoreError
from service.store.layout import packing
from service.store.layout.newer import Newer
from service.store.records import Records, Work
from service.store.tables import tournaments
from tests.support.tournaments import opened
from tests.unit.store.records import toy_log

ID, EVENT = "aaaaa", "ev3t"
FUTURE = [max(TYPES) + 1, "something that comes to be", 3]


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    with closing(Records(tmp_path / "matches.kifu")) as found:
        yield found


def plain(entries: list[Entry]) -> list[Any]:
    """Entries as they stand in a row, in lists that can be changed."""
    return list(msgspec.msgpack.decode(packing.plain(entries)))


def plant(records: Records, last: int, rows: list[Any]) -> None:
    """Put a row into a file as if another version had written it."""
    data, topic = msgspec.msgpack.encode(rows), str(len(rows))
    row = packing._packed(ID, last, topic, data, records.row_mapper.compression, 0, 1)
    sql = "INSERT INTO stored_events VALUES (?,?,?,?)"
    records.write(Work("", (), [(sql, (ID, *row))]))


def begun(records: Records) -> list[Entry]:
    """A match that has some entries; all that there are to be."""
    log = toy_log()
    records.write(Work(ID, log[:10], listing.derive(ID, log[:10])))
    return log


def more(event: list[Any], *places: int) -> None:
    """Give an event a field that it does not have, at its end or in something within it."""
    for place in places:
        event = event[place]
    event.append("more")


def test_a_type_that_is_not_known(records: Records) -> None:
    log = begun(records)
    rows = plain(log[10:14])
    rows[2][5] = FUTURE
    plant(records, 14, rows)
    assert records.entries(ID, 0, 12) == log[:12], "all before it"
    assert records.entries(ID, 10, 12) == log[10:12]
    assert records.run(ID, 12) == log[10:12]
    for after in (0, 10, 12, 13):
        with pytest.raises(Newer, match=r"^match aaaaa: entry 13 is of a newer version"):
            records.entries(ID, after)
    with pytest.raises(Newer):
        records.run(ID, 13)
    with pytest.raises(StoreError):
        chains.check(records, ID)


@pytest.mark.parametrize("places", [(), (3,), (3, 1), (3, 1, 0, 0), (3, 1, 0, 0, 2, 0)])
def test_a_field_that_is_not_known(records: Records, places: tuple[int, ...]) -> None:
    """Of the event, and of what is in it: what is sealed, the offer, an option, a part of that."""
    log = begun(records)
    at = next(n for n, e in enumerate(log[10:], 10) if type(e.event) is ev.OptionsOffered)
    rows = plain(log[10 : at + 1])
    more(rows[-1][5], *places)
    plant(records, at + 1, rows)
    with pytest.raises(Newer, match=rf"entry {at + 1} .*more of options.offered"):
        records.entries(ID)
    assert records.entries(ID, 0, at) == log[:at]


def test_more_of_a_group_of_cards(records: Records) -> None:
    log = begun(records)
    rows = plain(log[10:12])
    change = ["attack", "forbid", True, {"zone": "field", "more": 1}]
    rows[0][5] = [31, 1, 1, [], change, "turn"]
    plant(records, 12, rows)
    with pytest.raises(Newer, match=r"entry 11 .*more of modifier.began"):
        records.entries(ID)


def test_more_of_an_entry(records: Records) -> None:
    log = begun(records)
    rows = plain(log[10:12])
    rows[0].append("more")
    plant(records, 12, rows)
    with pytest.raises(Newer, match=r"entry 11 .*more of an entry"):
        records.entries(ID)
    assert records.entries(ID, 0, 10) == log[:10]


@pytest.mark.parametrize(
    "wrong",
    [
        [5, "no such fields"],
        [],
        "no event",
        ["a text", 1],
        [next(iter(TYPES)), {"a": "map"}],
    ],
)
def test_what_is_damaged_is_not_taken_for_newer(records: Records, wrong: Any) -> None:
    log = begun(records)
    rows = plain(log[10:12])
    rows[1][5] = wrong
    plant(records, 12, rows)
    with pytest.raises(StoreError, match="entries 11 to 12 are damaged") as found:
        records.entries(ID)
    assert not isinstance(found.value, Newer)


def test_of_an_event_of_organisers(records: Records) -> None:
    kept = tournaments.Tournaments(records)
    (first,) = opened(people=0).collect()
    also, before = kept.saved(EVENT, [first])
    data = msgspec.msgpack.encode([2, 6, "x", [250, "future"]])
    row = (EVENT, 2, "250", tournaments.linked(before.hash, data) + data)
    records.write(Work("", (), [*also, (tournaments._INSERT, row)]))
    with pytest.raises(Newer, match="event ev3t: entry 2 is of a newer version"):
        kept.log(EVENT)
    spoilt = row[3][:-1] + b"!"
    records.write(
        Work(
            "",
            (),
            [("UPDATE tournament_entries SET state=? WHERE originator_version=2", (spoilt,))],
        )
    )
    with pytest.raises(StoreError, match="entry 2 is damaged"):
        kept.log(EVENT)
