"""Each published answer is played by a scenario, or a page says why it is not."""

from __future__ import annotations

import re
from pathlib import Path

SCENARIOS = Path(__file__).parents[3] / "scenarios" / "gundam"
EXCEPTIONS = SCENARIOS / "rulings" / "README.md"
#: The numbers of the answers that are known.
ANSWERS = {
    *range(1, 118, 2),
    *(121, 125, 129, 133, 137, 141, 143, 145, 149, 151, 153, 157, 159, 161, 163, 165, 167, 169),
    *range(173, 426, 4),
    195,
}


def numbers(text: str) -> set[int]:
    return {int(found) for found in re.findall(r"\bQ(\d+)\b", text)}


def test_each_answer_is_played_or_excepted() -> None:
    played = {n for path in SCENARIOS.rglob("*.scenario") for n in numbers(path.read_text("utf-8"))}
    rows = [row for row in EXCEPTIONS.read_text("utf-8").splitlines() if row.startswith("| Q")]
    excepted = {n for row in rows for n in numbers(row.split("|")[1])}
    assert played | excepted == ANSWERS
