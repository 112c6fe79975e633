"""The log of access: chained line by line; whatever is altered in it is found."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from service.identity import Identity, Role
from service.live import access as live
from service.live.access import AccessLog
from service.live.matches import Matches
from service.store import access
from service.store.access import BEFORE, Head, Line
from service.store.records import Records, StoreError, Work
from tests.unit.service.test_live import run

ADA = Identity(Role.ORGANISER, "Ada")


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    """A file with nine lines."""
    found = Records(tmp_path / "matches.kifu")
    head = Head()
    for n in range(1, 10):
        match = f"match{n % 2}"
        line = Line(n, 1000 * n, "Ada", "organiser", match, "entries", "official", n, "a dispute")
        head, statement = access.appended(head, line)
        found.write(Work(match, (), [statement]))
    yield found
    found.close()


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


ALTERED = [
    "UPDATE access SET line=(SELECT line FROM access WHERE n=4) WHERE n=5",
    "UPDATE access SET line=x'c1' WHERE n=5",
    "UPDATE access SET line='text' WHERE n=5",
    "UPDATE access SET hash=zeroblob(32) WHERE n=9",
    "UPDATE access SET hash='text' WHERE n=9",
    "DELETE FROM access WHERE n=1",
    "DELETE FROM access WHERE n=5",
    "UPDATE access SET n=10 WHERE n=9",
    "UPDATE access SET n=0 WHERE n=1",
]


@pytest.mark.parametrize("sql", ALTERED)
def test_what_is_altered_is_found(records: Records, sql: str) -> None:
    records.write(Work("", (), [(sql, ())]))
    assert access.check(records)
    access.lines(records)


def test_each_flipped_bit_of_a_line_is_found(records: Records) -> None:
    line = records.row("SELECT line FROM access WHERE n=5")["line"]
    for bit in range(len(line) * 8):
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
        head, statement = access.appended(head, forged)
        records.write(Work("", (), [statement]))
    assert access.check(records) == ""
    assert "does not lead" in access.check(records, noted)


def test_a_file_of_before_has_no_log(tmp_path: Path) -> None:
    path = tmp_path / "matches.kifu"
    records = Records(path)
    records.write(Work("", (), [("DROP TABLE access", ())]))
    records.close()
    records = Records(path, reading=True)
    assert (access.head(records), access.lines(records), access.check(records)) == (Head(), [], "")
    records.close()


def test_readers_at_once_are_chained_one_after_the_other(tmp_path: Path) -> None:
    async def test(matches: Matches) -> None:
        people = [Identity(Role.OFFICIAL, f"judge {n}") for n in range(20)]
        await asyncio.gather(*(matches.access.add(one, "m", "stream", "seat/1") for one in people))
        assert access.head(matches.records).n == 20
        await matches.access.add(people[3], "m", "stream", "seat/1")
        assert access.head(matches.records).n == 20, "he goes on reading the same"
        await matches.access.add(people[3], "m", "stream", "seat/0")
        await matches.access.add(people[3], "m", "stream", "seat/1", "asked by a player")
        assert access.head(matches.records).n == 22
        assert access.check(matches.records) == ""

    run(tmp_path, test)


def test_who_reads_on_for_long_is_written_down_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "COVERS", 0.0)

    async def test(matches: Matches) -> None:
        for _ in range(3):
            await matches.access.add(ADA, "m", "entries", "official")
        assert access.head(matches.records).n == 3

    run(tmp_path, test)


@pytest.mark.parametrize("made", [False, True])
def test_a_line_that_may_not_be_there_is_no_hole_in_the_chain(tmp_path: Path, made: bool) -> None:
    """A commit fails, or seems to: what comes next follows what is there."""

    async def test(matches: Matches) -> None:
        await matches.access.add(ADA, "m", "entries", "official")
        commit = matches.records.commit

        def failing() -> None:
            if made:
                commit()
            else:
                matches.records._recorder.writer.rollback()
            raise StoreError("the disk is gone")

        matches.records.commit = failing  # type: ignore[method-assign]
        with pytest.raises(StoreError):
            await matches.access.add(ADA, "m", "position", "official")
        matches.records.commit = commit  # type: ignore[method-assign]
        await matches.access.add(ADA, "m", "position", "official")
        assert access.head(matches.records).n == 2 + made
        assert access.check(matches.records) == ""

    run(tmp_path, test)


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
