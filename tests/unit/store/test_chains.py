"""The chains of files; what is so of all stores is in `contract`."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from domain.record.views import OFFICIAL, PUBLIC
from service.store import chains
from service.store.commit import Committer
from service.store.errors import StoreError
from service.store.layout.chaining import ChainBroken
from service.store.layout.repacking import compact
from service.store.records import Records, Work
from tests.unit.store.chained import ID, keep
from tests.unit.store.records import toy_commands, toy_log

VIEWERS = (OFFICIAL, PUBLIC, 0, 1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "matches.kifu"


@pytest.fixture
def records(path: Path) -> Iterator[Records]:
    with closing(Records(path)) as found:
        yield found


def changed(path: Path, sql: str, *parameters: object) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        assert file.execute(sql, parameters).rowcount


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
        assert [type(one) for one in found] == [tuple, ChainBroken, tuple]
        await committer.close()

    with closing(Records(path)) as records:
        for match in ("aaaaa", "bbbbb", "ccccc"):
            keep(records, [log[:9]], match)
        records.write(Work("", (), [("UPDATE chains SET seq=8 WHERE id='bbbbb'", ())]))
        asyncio.run(go(records))
        assert [records.last(match) for match in ("aaaaa", "bbbbb", "ccccc")] == [10, 9, 10]
