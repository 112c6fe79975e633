"""PostgreSQL itself says of every statement of a server that it looks into one part of a table.

Each is planned without knowing what is asked for, as statements are that are kept ready, so that
what is left out is left out when it is carried out.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from psycopg import sql

from service.store.postgres import heads
from service.store.records import Records
from tests.support.in_process import open_servicers
from tests.unit.store.test_statements import KEYS, everything

_PART = re.compile(r"(\w+)_\d+")


@contextmanager
def sent(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, tuple[Any, ...]]]:
    """The statements that are sent within, and the values of one of each."""
    found: dict[str, tuple[Any, ...]] = {}
    real = psycopg.RawCursor.execute

    def call(self: Any, query: Any, params: Any = None, **more: Any) -> Any:
        found.setdefault(str(query), tuple(params or ()))
        return real(self, query, params, **more)

    with monkeypatch.context() as patch:
        patch.setattr(psycopg.RawCursor, "execute", call)
        yield found


def scanned(plan: dict[str, Any]) -> Iterator[str]:
    """The parts that were looked into."""
    if plan.get("Actual Loops") and "Relation Name" in plan and "Scan" in plan["Node Type"]:
        yield plan["Relation Name"]
    for step in plan.get("Plans", ()):
        yield from scanned(step)


def parts(connection: psycopg.Connection[Any], text: str, values: tuple[Any, ...]) -> Counter[str]:
    """Into how many parts of each table a statement looks."""
    connection.execute(f"PREPARE asked AS {text}".encode())
    given = sql.SQL("({})").format(sql.SQL(",").join(map(sql.Literal, values)))
    explain = sql.SQL("EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE asked{}")
    found = connection.execute(explain.format(given if values else sql.SQL(""))).fetchone()
    assert found is not None
    names = {name for name in scanned(found[0][0]["Plan"]) if _PART.fullmatch(name)}
    return Counter(name.rpartition("_")[0] for name in names)


def _as_it_is(
    connection: psycopg.Connection[Any], text: str, values: tuple[Any, ...]
) -> tuple[Any, ...]:
    """The values of a statement; of what follows a head, those with which it follows it now."""
    if text != heads._APPEND:
        return values
    sql = "SELECT secret, since, seq, hash, lefts, seq + 1 FROM chains WHERE id=%s"
    row = connection.execute(sql, (values[0],)).fetchone()
    assert row is not None
    return (values[0], row[5], *values[2:6], *row[:5])


def test_every_statement_looks_into_one_part(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> dict[str, tuple[Any, ...]]:
        Records(postgres_url).close()
        with sent(monkeypatch) as found:
            async with open_servicers(postgres_url) as servicers:  # type: ignore[arg-type]
                await everything(servicers)
                return dict(found)

    found = asyncio.run(asyncio.wait_for(run(), 120))
    kept = {
        text: values
        for text, values in found.items()
        if re.match(r"SELECT|UPDATE|DELETE|WITH", text)  # a row that is new goes to one part
        and any(re.search(rf"\b{table}\b", text) for table in KEYS)
    }
    assert len(kept) > 20
    wide, seen = {}, 0
    with psycopg.connect(postgres_url) as connection:
        connection.execute("SET plan_cache_mode = force_generic_plan")
        connection.execute("SET enable_seqscan = off")  # tables are small here
        connection.commit()
        assert parts(connection, "SELECT id FROM matches WHERE opened=$1", (5,))["matches"] > 1
        connection.rollback()
        connection.execute("DEALLOCATE ALL")
        for text, values in kept.items():
            looked = parts(connection, text, _as_it_is(connection, text, values))
            connection.rollback()
            connection.execute("DEALLOCATE ALL")
            seen += len(looked)
            if not re.search(r" IN \([$]", text) and max(looked.values(), default=0) > 1:
                wide[text] = looked
    assert seen > 10
    assert not wide
