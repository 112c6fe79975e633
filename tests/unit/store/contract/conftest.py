"""A store of each kind, for tests that say what all of them do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.databases import InFile, InPostgres, Place


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """An empty database of each kind."""
    found: Place = (
        InFile(tmp_path / "matches.kifu")
        if request.param == "sqlite"
        else InPostgres(request.getfixturevalue("postgres_url"))
    )
    yield found
    found.close()
