"""What simple cards do: the tables beside this file, each case a scenario of a few lines.

A case stands under its title (`== …`), without the lines that name the scenario and the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.text.scenario import load, run

TABLES = Path(__file__).parent / "tables"


def _cases() -> Iterator[tuple[str, str]]:
    for path in sorted(TABLES.glob("*.txt")):
        _, *cases = path.read_text("utf-8").split("\n== ")
        for case in cases:
            title, _, script = case.partition("\n")
            yield title, script


CASES = dict(_cases())


def test_no_title_stands_twice() -> None:
    assert len([*_cases()]) == len(CASES)


@pytest.mark.parametrize("title", CASES)
def test_what_the_card_does(title: str) -> None:
    report = run(load(f"scenario {title}\ngame yugioh\n{CASES[title]}"))
    assert report.passed, "\n".join(map(str, report.failures))
