"""Codes and tokens of a service in this process."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from tests.unit.credentials.test_exchange import Desk, opened


@pytest.fixture
def desk(tmp_path: Path) -> AbstractAsyncContextManager[Desk]:
    return opened(tmp_path)
