"""Two servers on one database, for all tests that need no others."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.support import postgres, serving
from tests.support.serving import Running


@pytest.fixture(scope="module")
def servers(
    postgres_server: postgres.Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Running, Running]]:
    with two_servers(postgres_server.database(), tmp_path_factory.mktemp("many")) as found:
        yield found


@contextmanager
def two_servers(url: str, folder: Path) -> Iterator[tuple[Running, Running]]:
    """Two servers, which sign with the same key."""
    with ExitStack() as stack:
        found = []
        for name in "ab":
            data = folder / name / "m.kifu"
            data.parent.mkdir()
            if found:
                shutil.copy(folder / "a" / "m.kifu-key", data.with_name("m.kifu-key"))
            running = serving.running(data, store=url, http_port=0)
            found.append(stack.enter_context(running))
        yield found[0], found[1]
