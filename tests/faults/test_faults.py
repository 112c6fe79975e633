"""Faults under load lose, double and fork nothing; and the audit finds bugs that were planted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.faults.planted import PLANTS
from tests.faults.runs import Run, carry_out

pytestmark = pytest.mark.long


def test_faults_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    report = carry_out(Run(seed=1, faults=40, gap=(0.3, 1.5)), tmp_path)
    assert not report.wrong, report.wrong
    assert report.calls["Took"] > 50


def test_one_server_on_a_file_loses_nothing_either(tmp_path: Path) -> None:
    report = carry_out(Run(seed=2, faults=15, servers=1), tmp_path)
    assert not report.wrong, report.wrong


@pytest.mark.skipif("KIFU_PLANTS" not in os.environ, reason="chance says whether faults meet a bug")
@pytest.mark.parametrize("plant", PLANTS)
def test_planted_bugs_are_found(tmp_path: Path, plant: str) -> None:
    report = carry_out(Run(seed=1, faults=12, gap=(0.5, 1.5), plant=plant), tmp_path)
    assert any("no order explains" in text for text in report.wrong), report
