"""What is left out of a run, as the browser, database or server that it needs is not installed.

What is measured, and how it is shown, is in `table`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

#: What was left out, and why.
LEFT_OUT: dict[str, str] = {}
#: Packages of this repository: that one of them is not found is a defect.
_OWN = {"domain", "kifu", "replay_cli", "service", "tests"}


@contextmanager
def leaving_out(name: str) -> Iterator[None]:
    """Leave out what needs a program or a package that is not installed."""
    try:
        yield
    except (pytest.skip.Exception, FileNotFoundError, ModuleNotFoundError) as error:
        if isinstance(error, ModuleNotFoundError) and str(error.name).partition(".")[0] in _OWN:
            raise
        LEFT_OUT[name] = str(error)


def print_left_out() -> None:
    """Print what was left out, and why."""
    for name, why in LEFT_OUT.items():
        print(f"left out: {name}: {why}")
