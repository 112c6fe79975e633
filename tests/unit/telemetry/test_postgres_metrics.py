"""What the metrics say of a database: its connections, and what took too long."""

from __future__ import annotations

from contextlib import closing

import pytest

from service.store.records import Records, StoreError
from service.telemetry.metrics import Metrics
from tests.support import postgres


def test_the_pool_and_what_takes_too_long(
    postgres_server: postgres.Server, postgres_url: str
) -> None:
    metrics = Metrics()

    def counted(*of: str) -> float:
        found = {(name, *labels.values()): value for name, labels, value in metrics.all()}
        return found[of]

    def late(records: Records, limit: str, sql: str) -> None:
        with records.reading():
            records.row("SELECT set_config(?, '50', true)", limit)
            with pytest.raises(StoreError):
                records.row(sql)

    database = postgres_url.rpartition("/")[2]
    with closing(Records(postgres_url)) as records:
        records.driver.report(metrics.store)
        with records.reading():
            records.row("SELECT 1")
            assert counted("kifu_store_pool_used") == 1
            assert 1 <= counted("kifu_store_pool_open") <= counted("kifu_store_pool_most")
        assert counted("kifu_store_pool_used") == 0
        assert counted("kifu_store_pool_waiting") == 0
        late(records, "statement_timeout", "SELECT pg_sleep(5)")
        with postgres_server.connection(database) as holder:
            holder.execute("SELECT pg_advisory_lock(7)")
            late(records, "lock_timeout", "SELECT pg_advisory_xact_lock(7)")
        for kind in ("statement", "lock"):
            assert counted("kifu_store_timeouts_total", kind) == 1
