"""Which of many cases a short run tries: the others are `long`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def each(n: int, cases: Iterable[Any]) -> list[Any]:
    """All the cases, of which a short run tries one in `n`, the first among them.

    A case is the value of one argument; or of several, as a `pytest.param`.
    """
    return [_case(case, not at % n) for at, case in enumerate(cases)]


def only(short: Iterable[Any], cases: Iterable[Any]) -> list[Any]:
    """All the cases, of which a short run tries these."""
    kept = list(short)
    return [_case(case, case in kept) for case in cases]


def _case(case: Any, is_short: bool) -> Any:
    found = case if isinstance(case, type(pytest.param())) else pytest.param(case)
    return found if is_short else pytest.param(*found.values, marks=pytest.mark.long, id=found.id)
