"""Two servers' matches on one database, in one process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager

import pytest

from service.live.matches import Matches
from tests.support import blocking
from tests.support.reading import writing


@pytest.fixture(autouse=True)
def unblocked() -> Iterator[None]:
    """No loop waits for the database."""
    with blocking.watched() as found:
        yield
    assert not found, found[0]


@pytest.fixture
def a(postgres_url: str) -> AbstractAsyncContextManager[Matches]:
    """The matches of a server; `b` is another one on the same database."""
    return writing(postgres_url)


@pytest.fixture
def b(postgres_url: str) -> AbstractAsyncContextManager[Matches]:
    return writing(postgres_url)
