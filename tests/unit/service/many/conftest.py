"""Two servers' matches on one database, in one process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest

from service.live.matches import Matches
from service.store.records import Records
from tests.support import blocking
from tests.toy import RULEBOOKS

#: What is done with the matches of two servers.
Test = Callable[[Matches, Matches], Coroutine[Any, Any, None]]
Pair = Callable[[Test], None]


@pytest.fixture(autouse=True)
def unblocked() -> Iterator[None]:
    """No loop waits for the database."""
    with blocking.watched() as found:
        yield
    assert not found, found[0]


@pytest.fixture
def pair(postgres_url: str) -> Pair:
    """Runs something with two servers' matches."""

    def run(test: Test) -> None:
        async def go() -> None:
            with ExitStack() as stack:
                records = [stack.enter_context(closing(Records(postgres_url))) for _ in "ab"]
                both = [Matches(one, RULEBOOKS) for one in records]
                try:
                    await test(*both)
                finally:
                    for one in both:
                        await one.close()

        asyncio.run(asyncio.wait_for(go(), 60))

    return run
