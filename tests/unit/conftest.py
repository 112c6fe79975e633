"""The service in this process, for tests that are coroutines: see `pytest_pyfunc_call`."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # most tests do without
    from service.live.matches import Matches
    from tests.support.halls import Hall
    from tests.support.in_process import Servicers


@pytest.fixture
def matches(tmp_path: Path) -> AbstractAsyncContextManager[Matches]:
    """The matches of a file."""
    from tests.support.reading import writing

    return writing(tmp_path / "matches.kifu")


@pytest.fixture
def servicers(tmp_path: Path) -> AbstractAsyncContextManager[Servicers]:
    """The service on a file."""
    from tests.support.in_process import open_servicers

    return open_servicers(tmp_path / "matches.kifu")


@pytest.fixture
def h(tmp_path: Path) -> AbstractAsyncContextManager[Hall]:
    """A tournament that has just been opened."""
    from tests.support.halls import hall

    return hall(tmp_path / "m.kifu")
