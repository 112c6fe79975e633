"""Auto-passes as typed and shown."""

from __future__ import annotations

import pytest

from domain.engine.passes.autopass import AutoPass
from domain.games import rulebook
from domain.text import autopass
from domain.text.names import BadText

MANIFEST = rulebook("gundam").manifest


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ("pass until the turn ends", AutoPass(turn=True)),
        ("pass until the turn ends or the rival acts", AutoPass(turn=True, rival=True)),
        ("pass in end until withdrawn", AutoPass(steps=("end",))),
        ("pass in main, end until the rival acts", AutoPass(rival=True, steps=("main", "end"))),
    ],
)
def test_what_is_written_is_read(typed: str, left: AutoPass) -> None:
    assert autopass.parse(typed, MANIFEST) == left
    assert autopass.parse(autopass.write(left, MANIFEST), MANIFEST) == left


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ("pass  until turn", AutoPass(turn=True)),
        ("pass until rival or turn", AutoPass(turn=True, rival=True)),
        ("pass in end", AutoPass(steps=("end",))),
        ("pass until game", AutoPass()),
        ("pass", None),
        ("pass GM", None),
        ("attack until turn", None),
    ],
)
def test_it_may_be_shorter(typed: str, left: AutoPass | None) -> None:
    assert autopass.parse(typed, MANIFEST) == left


@pytest.mark.parametrize("typed", ["pass until it rains", "pass in bed", "pass in end until"])
def test_what_it_cant_say_is_explained(typed: str) -> None:
    if typed.endswith("until"):
        typed += " noon"
    with pytest.raises(BadText, match="is not one of"):
        autopass.parse(typed, MANIFEST)
