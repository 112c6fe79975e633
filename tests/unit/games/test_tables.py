"""What simple cards do: the files `GAME/tables`, each case of which is a scenario of a few lines.

A case stands under its title (`== …`), without the lines that name the scenario and the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.text.scenario import load, run

HERE = Path(__file__).parent


def _cases() -> Iterator[tuple[str, str, str]]:
    """The game, the title and the script of each."""
    for path in sorted(HERE.glob("*/tables/*.txt")):
        _, *cases = path.read_text("utf-8").split("\n== ")
        for case in cases:
            title, _, script = case.partition("\n")
            yield path.parts[-3], title, script


CASES = {(game, title): script for game, title, script in _cases()}


def test_no_title_stands_twice() -> None:
    assert len([*_cases()]) == len(CASES)


@pytest.mark.parametrize(("game", "title"), CASES, ids=map(": ".join, CASES))
def test_what_the_card_does(game: str, title: str) -> None:
    report = run(load(f"scenario {title}\ngame {game}\n{CASES[game, title]}"))
    assert report.passed, "\n".join(map(str, report.failures))
