"""Whatever begins a server of a file forks it, also where no command is run by `clis.run`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.unit.cli.clis import forked_servers


@pytest.fixture(autouse=True, scope="session")
def _forked() -> Iterator[None]:
    with forked_servers():
        yield
