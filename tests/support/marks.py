"""Which of many cases a short run tries: the others are `long`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

#: How a case is left to the long run.
LONG = pytest.mark.long


def _param(case: Any, is_short: bool) -> Any:
    if is_short:
        return case
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=LONG)


def each(n: int, cases: Iterable[Any]) -> list[Any]:
    """All the cases, of which a short run tries one in `n`, the first among them."""
    return [_param(case, not at % n) for at, case in enumerate(cases)]


def only(short: Iterable[Any], cases: Iterable[Any]) -> list[Any]:
    """All the cases, of which a short run tries these."""
    kept = list(short)
    return [_param(case, case in kept) for case in cases]
