"""Every scenario under tests/scenarios holds."""

from pathlib import Path

import pytest

from domain.scenario import load, run

HERE = Path(__file__).parent / "scenarios"
FILES = sorted(HERE.glob("*/*.scenario"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_scenario(path):
    report = run(load(path.read_text("utf-8")))
    assert report.passed, "\n".join(map(str, report.failures))
