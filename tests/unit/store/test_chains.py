"""The chains of files, of before as well; what is so of all stores is in `contract`."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from domain.record.proof.chain import chained
from domain.record.proof.openings import follow
from domain.record.views import OFFICIAL, PUBLIC, redact
from service.store import chains
from service.store.commit import Committer
from service.store.derived import checks
from service.store.errors import StoreError
from service.store.layout.chaining import ChainBroken, Links
from service.store.layout.compaction import compact
from service.store.layout.work import FROM_HERE
from service.store.records import Records, Work
from service.store.sqlite.file import read_address
from tests.unit.store.chained import ID, begun, chain_of, keep, linked
from tests.unit.store.records import toy_commands, toy_log

VIEWERS = (OFFICIAL, PUBLIC, 0, 1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "matches.kifu"


@pytest.fixture
def records(path: Path) -> Iterator[Records]:
    with closing(Records(path)) as found:
        yield found


def unchained(path: Path) -> None:
    """Make a file of it as the version before wrote them."""
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("DROP TABLE chains")
        file.execute("PRAGMA user_version=2")


def changed(path: Path, sql: str, *parameters: object) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        assert file.execute(sql, parameters).rowcount


# -- what does not fit -----------------------------------------------------------------------------


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

            patch.setattr("service.store.sqlite.recorder.chaining.extended", fail)
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
