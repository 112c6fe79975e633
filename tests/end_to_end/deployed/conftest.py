"""A database as people run one: what is committed is on the disk."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support import postgres


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Server]:
    """A PostgreSQL with its own settings, which `kifu doctor` finds nothing wrong with."""
    with postgres.running(quick=False) as server:
        yield server
