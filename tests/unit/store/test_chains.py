"""The chains of a file: written with the entries, and noticed where those are others."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.record.entries import Entry
from domain.record.events import MatchOpened
from domain.record.proof.chain import Head, chained, genesis
from domain.record.proof.openings import Unproven, follow
from domain.record.views import OFFICIAL, PUBLIC, redact
from service.store import chains
from service.store.commit import Committer
from service.store.derived import checks, listing
from service.store.file import StoreError, read_address
from service.store.layout import packing
from service.store.layout.chaining import FROM_HERE, Chain, ChainBroken, Links
from service.store.layout.compaction import compact
from service.store.records import Conflict, Records, Work
from tests.unit.store.records import toy_commands, toy_log

ID = "aaaaa"
VIEWERS = (OFFICIAL, PUBLIC, 0, 1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "matches.kifu"


@pytest.fixture
def records(path: Path) -> Iterator[Records]:
    with closing(Records(path)) as found:
        yield found


def keep(records: Records, commands: Sequence[Sequence[Entry]], match: str = ID) -> list[bytes]:
    """Write a match command by command; the hashes that were told."""
    found = []
    for command in commands:
        links = linked(records, Work(match, command, listing.derive(match, command)))
        assert links.head == chains.head(records, match)
        assert links.head.hash == links.hashes[-1]
        found += links.hashes
    return found


def linked(records: Records, work: Work) -> Links:
    """Write a work; how it was chained."""
    (found,) = records.write(work)
    assert found is not None
    return found


def chain_of(records: Records, match: str = ID) -> Chain:
    found = chains.find(records, match)
    assert found is not None
    return found


def begun(log: Sequence[Entry], match: str = ID, since: int = 0) -> Head:
    assert isinstance(log[0].event, MatchOpened)
    return genesis(match, log[0].event, since)


def unchained(path: Path) -> None:
    """Make a file of it as the version before wrote them."""
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("DROP TABLE chains")
        file.execute("PRAGMA user_version=2")


def changed(path: Path, sql: str, *parameters: object) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        assert file.execute(sql, parameters).rowcount


def test_a_head_is_what_the_entries_lead_to(records: Records) -> None:
    commands = toy_commands(turns=20)
    told = keep(records, commands)
    log = [entry for command in commands for entry in command]
    chain = chain_of(records)
    assert chain.head == chained(begun(log), log, chain.secret)
    assert chains.check(records, ID) == chains.head(records, ID) == chain.head
    assert dict(chains.heads(records)) == {ID: chain.head}
    for seq in (0, 1, 7, len(log) // 2, len(log) - 1):
        there = chained(begun(log), log[:seq], chain.secret)
        assert chains.head(records, ID, seq) == there
        following = chains.heads_of(records, ID, log[seq : seq + 5])
        assert [head.hash for head in following] == told[seq : seq + 5]
        assert chains.heads_of(records, ID, log[seq : seq + 5], there) == following
        assert not seq or told[seq - 1] == there.hash


@pytest.mark.parametrize("viewer", VIEWERS)
def test_every_viewer_proves_his_copy_and_any_part_of_it(records: Records, viewer: int) -> None:
    log = toy_log(turns=12)
    keep(records, [log])
    copy = [redact(entry, viewer) for entry in log]
    whole = chains.proof(records, ID, viewer)
    assert follow(whole, copy, viewer) == chains.head(records, ID)
    first = chains.proof(records, ID, viewer, until=20)
    second = chains.proof(records, ID, viewer, 20, 30)
    assert follow(first, copy[:20], viewer) == second.before
    assert follow(second, copy[20:30], viewer) == chains.head(records, ID, 30)
    with pytest.raises(Unproven):
        follow(replace(whole, match="bbbbb"), copy, viewer)
    with pytest.raises(Unproven):
        follow(whole, copy[:-1], viewer)
    with pytest.raises(Unproven):
        follow(whole, [*copy[:-1], replace(copy[-1], time=copy[-1].time + 1)], viewer)


def test_each_match_has_a_secret_of_its_own(records: Records) -> None:
    log = toy_log()
    for match in ("aaaaa", "bbbbb"):
        keep(records, [log], match)
    one, other = (chain_of(records, match) for match in ("aaaaa", "bbbbb"))
    assert one.secret != other.secret
    assert one.head.hash != other.head.hash


# -- what does not fit -----------------------------------------------------------------------------


def rewritten(change: Callable[[list[Entry]], list[Entry]]) -> Callable[[Path, list[Entry]], None]:
    """A change of the entries by somebody who makes all checksums and listings right."""

    def tamper(path: Path, log: list[Entry]) -> None:
        entries = change(list(log))
        with closing(Records(path)) as records:
            compression = records.row_mapper.compression
            rows = [packing.pack(ID, run, compression, 0) for run in packing.runs(entries)]
            records.write(Work("", (), [
                ("DELETE FROM stored_events WHERE originator_id=?", (ID,)),
                *(("INSERT INTO stored_events VALUES (?,?,?,?)", (ID, *row)) for row in rows),
            ]))  # fmt: skip
            for statements in checks.rebuild_statements(records, ID):
                records.write(Work(ID, (), statements))

    return tamper


def statement(sql: str) -> Callable[[Path, list[Entry]], None]:
    return lambda path, log: changed(path, sql)


def _cited(log: list[Entry]) -> list[Entry]:
    return [*log[:9], replace(log[9], cites=("toy:9",)), *log[10:]]


def _named(log: list[Entry]) -> list[Entry]:
    opened = log[0].event
    assert isinstance(opened, MatchOpened)
    return [replace(log[0], event=replace(opened, seats=("Eve", "Ben"))), *log[1:]]


def _swapped(log: list[Entry]) -> list[Entry]:
    one, other = log[-2], log[-1]
    return [*log[:-2], replace(one, event=other.event), replace(other, event=one.event)]


TAMPERINGS = {
    "a citation": rewritten(_cited),
    "a name": rewritten(_named),
    "events swapped": rewritten(_swapped),
    "the end cut": rewritten(lambda log: log[:-1]),
    "an entry more": rewritten(lambda log: [*log, replace(log[-1], seq=len(log) + 1)]),
    "another match": rewritten(lambda log: toy_log(seed=7)[: len(log)]),
    "another secret": statement("UPDATE chains SET secret=zeroblob(32)"),
    "another hash": statement("UPDATE chains SET hash=zeroblob(32)"),
    "a hash too short": statement("UPDATE chains SET hash=x'00'"),
    "another number": statement("UPDATE chains SET seq=seq-1"),
    "no number": statement("UPDATE chains SET seq='x'"),
    "chained since": statement("UPDATE chains SET since=3"),
    "exchanged chains": statement(
        "UPDATE chains SET (secret, hash) = (SELECT secret, hash FROM chains WHERE id='other')"
        " WHERE id='aaaaa'"
    ),
}


@pytest.mark.parametrize("how", TAMPERINGS)
def test_entries_that_do_not_fit_are_noticed(path: Path, how: str) -> None:
    log = toy_log()
    with closing(Records(path)) as records:
        keep(records, [log])
        keep(records, [toy_log(seed=3)], "other")
    TAMPERINGS[how](path, log)
    with closing(Records(path)) as records:
        with pytest.raises(ChainBroken, match="do not fit"):
            chains.check(records, ID)
        assert list(checks.rebuild(records))
        with pytest.raises(ChainBroken):  # it is not made to fit
            chains.check(records, ID)


def test_each_bit_of_a_chain_counts(path: Path) -> None:
    with closing(Records(path)) as records:
        keep(records, toy_commands(turns=2))
        chain = chain_of(records)
        for name, whole in (("hash", chain.head.hash), ("secret", chain.secret)):
            sql = f"UPDATE chains SET {name}=?"
            for bit in range(256):
                flipped = (int.from_bytes(whole) ^ 1 << bit).to_bytes(32)
                records.write(Work("", (), [(sql, (flipped,))]))
                with pytest.raises(ChainBroken):
                    chains.check(records, ID)
            records.write(Work("", (), [(sql, (whole,))]))
        assert chains.check(records, ID) == chain.head


def test_what_was_compared_is_not_compared_again(records: Records) -> None:
    commands = toy_commands(turns=20)
    keep(records, commands[:9])
    known = chains.check(records, ID)
    keep(records, commands[9:])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("service.store.chains.genesis", None)
        head = chains.check(records, ID, known)
    assert head == chains.check(records, ID)
    assert head is not None
    assert known is not None
    for wrong in (replace(known, hash=bytes(32)), replace(head, hash=bytes(32))):
        with pytest.raises(ChainBroken):
            chains.check(records, ID, wrong)
    assert chains.check(records, ID, replace(known, hash=bytes(32), since=3)) == head


def test_nothing_is_chained_over_what_was_cut_or_added(path: Path) -> None:
    log = toy_log()
    for change in (log[:-1], [*log, replace(log[-1], seq=len(log) + 1)]):
        path.unlink(missing_ok=True)
        with closing(Records(path)) as records:
            keep(records, [log])
            keep(records, [toy_log(seed=3)[:9]], "other")
        rewritten(lambda _, change=change: change)(path, log)  # type: ignore[misc]
        with closing(Records(path)) as records:
            following = replace(log[-1], seq=len(change) + 1)
            with pytest.raises(ChainBroken, match="ends at entry"):
                records.write(Work(ID, [following]))
            assert records.last(ID) == len(change)
            links = linked(records, Work("other", [toy_log(seed=3)[9]]))  # others go on
            assert links.head.seq == 10


def test_a_conflict_is_one_before_it_is_anything_else(records: Records) -> None:
    log = toy_log()
    keep(records, [log])
    was = chains.head(records, ID)
    with pytest.raises(Conflict):
        records.write(Work(ID, [log[-1]]))
    assert chains.check(records, ID) == was


# -- files of before -------------------------------------------------------------------------------


def test_a_file_without_chains_is_read_as_it_is(path: Path) -> None:
    log = toy_log()
    with closing(Records(path)) as records:
        keep(records, [log])
    unchained(path)
    with closing(Records(path, reading=True)) as records:
        assert records.layout == 2
        assert records.entries(ID) == log
        assert chains.head(records, ID) is chains.check(records, ID) is None
        assert list(chains.heads(records)) == []
        assert checks.faults(records, ID) == []
        with pytest.raises(chains.Unchained):
            chains.proof(records, ID, PUBLIC)
    assert read_address(path)[1] == 2  # nobody has touched it


def test_it_is_chained_from_where_it_stands_once_it_is_written(path: Path) -> None:
    commands = toy_commands(turns=10)
    with closing(Records(path)) as records:
        for match in ("aaaaa", "bbbbb"):
            keep(records, commands[:4], match)
    unchained(path)
    log = [entry for command in commands[:5] for entry in command]
    since = len(log) - len(commands[4])
    with closing(Records(path)) as records:
        assert read_address(path)[1] == 3
        assert chains.head(records, "aaaaa") is None
        links = linked(records, Work("aaaaa", commands[4]))
        assert links.head.since == since
        assert len(links.hashes) == len(commands[4])
        links = linked(records, Work("bbbbb", (), since=FROM_HERE))
        assert links.head.since == links.head.seq == since
        assert records.write(Work("bbbbb", (), since=FROM_HERE)) == [None]  # it has one now
        assert chains.head(records, "bbbbb") == links.head
        for match in ("aaaaa", "bbbbb"):
            assert chains.check(records, match) is not None
            proof = chains.proof(records, match, PUBLIC)
            copy = [redact(entry, PUBLIC) for entry in records.entries(match)]
            assert follow(proof, copy, PUBLIC).since == since
        chain = chain_of(records)
        assert chain.head == chained(begun(log, since=since), log, chain.secret)


def test_a_record_that_is_written_whole_says_since_when(records: Records) -> None:
    log = toy_log()
    links = linked(records, Work(ID, log, since=len(log)))
    assert links.head.since == len(log)
    chain = chain_of(records)
    again = linked(records, Work(ID, [replace(log[-1], seq=len(log) + 1)], since=len(log)))
    assert chain.secret == chain_of(records).secret  # older heads can still be compared with
    assert chains.check(records, ID) == again.head


def test_it_stays_through_repacking_and_compaction(path: Path) -> None:
    with closing(Records(path)) as records:
        keep(records, toy_commands())
        was = chains.head(records, ID)
        assert list(compact(records)) == [(ID, None)]
        assert chains.check(records, ID) == was


# -- what fails in between -------------------------------------------------------------------------


def test_what_is_not_committed_is_not_chained(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands = toy_commands()
    with closing(Records(path)) as records:
        keep(records, commands[:3])
        was = chains.head(records, ID)
        records.stage(Work(ID, commands[3]))  # and the process ends
    with closing(Records(path)) as records:
        assert chains.check(records, ID) == was
        with monkeypatch.context() as patch:

            def fail(*_: object) -> None:
                raise StoreError("the disk is full")

            patch.setattr("service.store.records.chaining.extend", fail)
            with pytest.raises(StoreError, match="full"):
                records.write(Work(ID, commands[3]))
        assert records.last(ID) == (was and was.seq)
        keep(records, commands[3:])
        assert chains.check(records, ID) == chains.head(records, ID)


def test_one_match_that_does_not_fit_hinders_no_other(path: Path) -> None:
    log = toy_log()

    async def go(records: Records) -> None:
        committer = Committer(records)
        works = [Work(match, [log[9]]) for match in ("aaaaa", "bbbbb", "ccccc")]
        found = await asyncio.gather(*map(committer.submit, works), return_exceptions=True)
        assert [type(one) for one in found] == [Links, ChainBroken, Links]
        await committer.close()

    with closing(Records(path)) as records:
        for match in ("aaaaa", "bbbbb", "ccccc"):
            keep(records, [log[:9]], match)
        records.write(Work("", (), [("UPDATE chains SET seq=8 WHERE id='bbbbb'", ())]))
        asyncio.run(go(records))
        assert [records.last(match) for match in ("aaaaa", "bbbbb", "ccccc")] == [10, 9, 10]
