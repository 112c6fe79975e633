from __future__ import annotations

import pytest

from tests.unit.games.gundam.bench import Bench


@pytest.fixture
def b() -> Bench:
    return Bench()
