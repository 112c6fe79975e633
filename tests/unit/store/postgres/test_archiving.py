"""An archiving waits for what servers do to a match by themselves just then, and takes it all."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from service.keeping import archives, retention
from service.keeping.check.store import Tally, check
from service.store.derived import listing
from service.store.postgres.recorder import run
from service.store.postgres.texts import translated
from service.store.records import Records, Statement, Work
from tests.support.waiting import until
from tests.unit.store.records import AT, BY_SERVERS, toy_commands

ID = "k7f3q"
WAITS = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname=current_database() AND wait_event_type='Lock'"
)


@pytest.mark.parametrize("derive", BY_SERVERS)
def test_what_is_not_committed_yet_does_not_stay(
    postgres_url: str, tmp_path: Path, derive: Callable[[Records, str], list[Statement]]
) -> None:
    cup = tmp_path / "cup.kifu"
    with (
        closing(Records(postgres_url)) as records,
        psycopg.connect(postgres_url) as server,
        psycopg.connect(postgres_url, autocommit=True) as onlooker,
        ThreadPoolExecutor(1) as pool,
    ):
        for command in toy_commands(turns=30):
            records.write(Work(ID, command, listing.derive(ID, command, at=AT), "toy"))
        archives.archive(records, cup, [ID])
        for sql, values in derive(records, ID):
            run(server, translated(sql), values)
        taken = pool.submit(retention.take_out, records, cup)
        until(lambda: taken.done() or onlooker.execute(WAITS).fetchall() == [(1,)])
        server.commit()
        assert taken.result() == 1
        assert records.last(ID) == 0
        assert [*check(records, Tally())] == []
