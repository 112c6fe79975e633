"""No piece of work takes more instructions than the committed table allows it."""

from __future__ import annotations

import json

import pytest

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
