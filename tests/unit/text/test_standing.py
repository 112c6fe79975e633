"""Auto-passes as typed and shown."""

from __future__ import annotations

import pytest

from domain.engine.passes.standing import Standing
from domain.games import rulebook
from domain.text import standing
from domain.text.names import BadText

MANIFEST = rulebook("gundam").manifest


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ("pass until the turn ends", Standing(turn=True)),
        ("pass until the turn ends or the rival acts", Standing(turn=True, rival=True)),
        ("pass in end until withdrawn", Standing(steps=("end",))),
        ("pass in main, end until the rival acts", Standing(rival=True, steps=("main", "end"))),
    ],
)
def test_what_is_written_is_read(typed: str, left: Standing) -> None:
    assert standing.parse(typed, MANIFEST) == left
    assert standing.parse(standing.write(left, MANIFEST), MANIFEST) == left


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ("pass  until turn", Standing(turn=True)),
        ("pass until rival or turn", Standing(turn=True, rival=True)),
        ("pass in end", Standing(steps=("end",))),
        ("pass until game", Standing()),
        ("pass", None),
        ("pass GM", None),
        ("attack until turn", None),
    ],
)
def test_it_may_be_shorter(typed: str, left: Standing | None) -> None:
    assert standing.parse(typed, MANIFEST) == left


@pytest.mark.parametrize("typed", ["pass until it rains", "pass in bed", "pass in end until"])
def test_what_it_cant_say_is_explained(typed: str) -> None:
    if typed.endswith("until"):
        typed += " noon"
    with pytest.raises(BadText, match="is none of"):
        standing.parse(typed, MANIFEST)
