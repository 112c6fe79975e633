"""The log of access: chained line by line; whatever is altered in it is found."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import msgspec
import pytest
from kifu.v1 import admin_service_pb2

from service.api.admin import AdminServicer
from service.api.calls.errors import Fault
from service.api.calls.pages import Pages
from service.identity import Identity, Role
from service.live import access as live
from service.live.access import AccessLog
from service.live.matches import Matches
from service.store.records import Records, StoreError, Work
from service.store.tables import access
from service.store.tables.access import BEFORE, Head, Line
from tests.support.databases import Place

T = TypeVar("T")
ADA = Identity(Role.ORGANISER, "Ada")
LINE = Line(1, 1000, "Ada", "organiser", "m", "entries", "official", 1, "")


@pytest.fixture
def records(place: Place) -> Records:
    """A store with nine lines."""
    found = place.records()
    head = Head()
    for n in range(1, 10):
        match = f"match{n % 2}"
        line = Line(n, 1000 * n, "Ada", "organiser", match, "entries", "official", n, "a dispute")
        head, statements = access.appended(head, line)
        found.write(Work(match, (), statements))
    return found


def test_lines_are_chained_as_the_page_says(records: Records) -> None:
    hash_, found = BEFORE, access.lines(records)[::-1]
    assert [kept.line.n for kept in found] == list(range(1, 10))
    for kept in found:
        fields = [getattr(kept.line, name) for name in Line.__struct_fields__]
        hash_ = sha256(b"\0" + hash_ + msgspec.msgpack.encode(fields)).digest()
        assert kept.hash == hash_
    assert access.head(records) == Head(9, hash_)
    assert access.check(records) == ""


def test_they_are_listed_from_the_newest(records: Records) -> None:
    assert [kept.line.n for kept in access.lines(records, limit=3)] == [9, 8, 7]
    assert [kept.line.n for kept in access.lines(records, 5, "match1")] == [3, 1]
    assert access.lines(records, 1) == []


#: What somebody does to the lines of a log; those with a text in the place of bytes only in a file.
ALTERED: list[tuple[str, object]] = [
    ("UPDATE access SET line=? WHERE n=5", b"\xc1"),
    ("UPDATE access SET line=? WHERE n=5", "text"),
    ("UPDATE access SET hash=? WHERE n=9", bytes(32)),
    ("UPDATE access SET hash=? WHERE n=9", "text"),
    ("DELETE FROM access WHERE n=?", 1),
    ("DELETE FROM access WHERE n=?", 5),
    ("UPDATE access SET n=? WHERE n=9", 10),
    ("UPDATE access SET n=? WHERE n=1", 0),
]


def test_what_is_altered_is_found(place: Place) -> None:
    """Each in a log of its own."""
    records, (_, line) = place.records(), access.appended(Head(), LINE)
    altered = [("UPDATE access SET line=? WHERE n=5", line[0][1][2]), *ALTERED]
    for n, (sql, value) in enumerate(altered):
        if place.shared and value == "text":
            continue  # columns have types there
        _noted(records, "m", range(1, 10), f"log{n}")
        assert access.check(records, log=f"log{n}") == ""
        assert place.change(f"{sql} AND log=?", value, f"log{n}") == 1
        assert access.check(records, log=f"log{n}"), sql
        access.lines(records, match=f"log{n}")


def test_each_flipped_bit_of_a_line_is_found(place: Place, records: Records) -> None:
    line = bytes(records.row("SELECT line FROM access WHERE n=5")["line"])
    for bit in range(0, len(line) * 8, 29 if place.shared else 1):
        other = bytearray(line)
        other[bit // 8] ^= 1 << bit % 8
        records.write(Work("", (), [("UPDATE access SET line=? WHERE n=5", (bytes(other),))]))
        assert access.check(records), bit


def test_what_was_cut_or_forged_is_found_with_a_head_that_was_noted(records: Records) -> None:
    early, last = access.lines(records)[4], access.head(records)
    noted = Head(early.line.n, early.hash)
    assert access.check(records, noted) == access.check(records, last) == ""
    assert access.check(records, Head()) == ""
    assert "does not lead" in access.check(records, Head(5, bytes(32)))
    assert access.check(records, Head(0, bytes(31)))
    records.write(Work("", (), [("DELETE FROM access WHERE n>7", ())]))
    assert access.check(records) == ""
    assert "ends at line 7" in access.check(records, last)
    assert access.check(records, noted) == ""
    rest = access.lines(records)[::-1]
    records.write(Work("", (), [("DELETE FROM access", ())]))
    assert access.check(records) == ""
    assert access.check(records, noted)
    head = Head()
    for kept in rest:  # somebody else's lines, chained rightly
        forged = msgspec.structs.replace(kept.line, who="Eve")
        head, statements = access.appended(head, forged)
        records.write(Work("", (), statements))
    assert access.check(records) == ""
    assert "does not lead" in access.check(records, noted)


def _noted(records: Records, match: str, numbers: range, log: str) -> None:
    head = access.head(records, log)
    for n in numbers:
        line = Line(n, 1000 * n, "Ada", "organiser", match, "entries", "official", n, "")
        head, statements = access.appended(head, line, log)
        records.write(Work(match, (), statements))


def test_lines_of_all_logs_are_walked_page_by_page(place: Place) -> None:
    records = place.records()
    assert access.lines_of_all(records) == []
    assert access.several(records) == place.shared
    _noted(records, "old", range(1, 4), "")
    for at, match in enumerate(("a", "b", "c")):
        _noted(records, match, range(1, 3 + at), match)
    assert access.several(records)
    everything = access.lines_of_all(records)
    found = [(kept.line.match, kept.line.n) for _, kept in everything]
    assert found[:3] == [("old", 3), ("old", 2), ("old", 1)]
    assert found[3:7] == [("c", 4), ("c", 3), ("c", 2), ("c", 1)]
    assert len(found) == 12
    for size in (1, 2, 3, 5):
        walked: list[tuple[access.Place, access.Kept]] = []
        while page := access.lines_of_all(records, walked[-1][0] if walked else None, size):
            walked += page
        assert walked == everything
    assert access.check_all(records) == ""
    place.change("DELETE FROM access WHERE log='b' AND n=1")
    assert access.check_all(records) == "of match b: line 1 is missing"


class _Lanes:
    """Runs what servers run in threads."""

    async def run(self, read: Callable[[], T]) -> T:
        return read()

    run_long = run


def test_without_a_match_the_logs_of_all_are_listed(place: Place) -> None:
    """Through the servicer: no head is told of several, and one can be asked for of each."""
    records = place.records()
    for match in "abc":
        _noted(records, match, range(1, 3), match)
    matches = cast(Any, SimpleNamespace(records=records, lanes=_Lanes()))
    servicer = AdminServicer(cast(Any, None), matches, Pages(bytes(16)), cast(Any, None))
    asked, found = admin_service_pb2.ListAccessRequest(page_size=3), list[str]()
    while True:
        answer = asyncio.run(servicer.list_access(asked, ADA))
        found += [line.match_id for line in answer.lines]
        if not answer.next_page_token:
            break
        asked.page_token = answer.next_page_token
    assert found == [*"ccbbaa"]
    check = admin_service_pb2.CheckAccessRequest()
    state = asyncio.run(servicer.check_access(check, ADA))
    assert (state.fault, state.HasField("head")) == ("", False)
    check.noted.n = 1
    with pytest.raises(Fault, match="audit access --check"):
        asyncio.run(servicer.check_access(check, ADA))


async def test_readers_at_once_are_chained_one_after_the_other(matches: Matches) -> None:
    people = [Identity(Role.OFFICIAL, f"judge {n}") for n in range(20)]
    await asyncio.gather(*(matches.access.add(one, "m", "stream", "seat/1") for one in people))
    assert access.head(matches.records).n == 20
    await matches.access.add(people[3], "m", "stream", "seat/1")
    assert access.head(matches.records).n == 20, "he goes on reading the same"
    await matches.access.add(people[3], "m", "stream", "seat/0")
    await matches.access.add(people[3], "m", "stream", "seat/1", "asked by a player")
    assert access.head(matches.records).n == 22
    assert access.check(matches.records) == ""


async def test_a_long_stream_is_noted_repeatedly(
    monkeypatch: pytest.MonkeyPatch, matches: Matches
) -> None:
    monkeypatch.setattr(live, "COVERS", 0.0)
    for _ in range(3):
        await matches.access.add(ADA, "m", "entries", "official")
    assert access.head(matches.records).n == 3


@pytest.mark.parametrize("made", [False, True])
async def test_a_line_that_may_not_be_there_is_no_hole_in_the_chain(
    made: bool, matches: Matches
) -> None:
    """A commit fails, or seems to: what comes next follows what is there."""
    await matches.access.add(ADA, "m", "entries", "official")
    commit = matches.records.commit

    def failing() -> None:
        if made:
            commit()
        else:
            matches.records.driver.recorder.writer.rollback()
        raise StoreError("the disk is gone")

    matches.records.commit = failing  # type: ignore[method-assign]
    with pytest.raises(StoreError):
        await matches.access.add(ADA, "m", "position", "official")
    matches.records.commit = commit  # type: ignore[method-assign]
    await matches.access.add(ADA, "m", "position", "official")
    assert access.head(matches.records).n == 2 + made
    assert access.check(matches.records) == ""


def test_where_nothing_can_be_written_reading_goes_on(tmp_path: Path) -> None:
    Records(tmp_path / "matches.kifu").close()
    records = Records(tmp_path / "matches.kifu", reading=True)

    async def test() -> None:
        async def submit(work: Work) -> None:
            raise AssertionError("nothing is written")

        async def in_thread(work: object, *args: object, **more: object) -> None:
            raise AssertionError("nothing is read")

        log = AccessLog(records, submit, lambda: 0, in_thread)
        await log.add(ADA, "m", "entries", "official")

    asyncio.run(test())
    assert access.head(records) == Head()
    records.close()
