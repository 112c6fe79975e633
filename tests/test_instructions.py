"""No piece of work takes more instructions than the committed table allows it."""

from __future__ import annotations

import json

import pytest

from domain.words.tables import languages
from tests.benchmarks import instructions


@pytest.mark.long
def test_no_work_takes_more_instructions_than_the_table_has() -> None:
    if why := instructions.missing():
        pytest.skip(why)
    table, now = json.loads(instructions.TABLE.read_text())["instructions"], instructions.counted()
    assert now.keys() == table.keys()
    more = {name: n / table[name] for name, n in now.items()}
    slower = {name: f"{by:.3f}" for name, by in more.items() if by > instructions.BOUND}
    assert not slower, "python -m tests.benchmarks.instructions --save, if that is what is meant"


@pytest.mark.long
def test_help_in_other_languages_takes_little_more_than_in_english() -> None:
    if why := instructions.uncounted():
        pytest.skip(why)
    english, *others = (
        min(instructions.counted_of("--lang", tag, "--help") for _ in range(2))
        for tag in ("en", *languages())
    )
    assert [other for other in others if other > 1.3 * english] == []
