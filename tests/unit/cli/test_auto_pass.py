"""`kifu auto-pass`: left, shown and withdrawn by a seat's token, or for a seat at a real table."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.cli.clis import answer, run


@pytest.fixture
def opened(tmp_path: Path) -> tuple[Path, list[str]]:
    """A dealt match, and the tokens of its seats."""
    data = tmp_path / "matches.kifu"
    pair = ("--deck", "ST01", "--deck", "ST03", "--chance", "system")
    found = answer("open", "--tokens", "--seats", "Ann,Ben", *pair, "-d", data)
    return data, found["seats"]


def test_a_seat_leaves_one_sees_it_and_withdraws_it(opened: tuple[Path, list[str]]) -> None:
    data, (ann, ben) = opened
    here = ("-d", data, "--token", ben)
    assert "no auto-pass" in run("auto-pass", *here).output
    printed = run("auto-pass", "--until", "turn", "--in", "end", *here).output
    assert printed.startswith("pass in end until the turn ends")
    assert "what passes: no block, passes" in printed
    assert answer("auto-pass", *here) == {"until": ["turn"], "steps": ["end"]}
    assert "no auto-pass" in run("auto-pass", "-d", data, "--token", ann).output
    run("auto-pass", "--withdraw", *here)
    assert answer("auto-pass", *here) is None


def test_it_says_what_is_wrong(opened: tuple[Path, list[str]]) -> None:
    data, (ann, _) = opened
    here = ("-d", data, "--token", ann)
    assert "not both" in run("auto-pass", "--withdraw", "--until", "turn", *here, code=2).output
    assert "no step" in run("auto-pass", "--in", "bed", *here, code=1).output
    run("auto-pass", "--until", "turn", "--seat", "B", *here, code=4)
    run("auto-pass", "--until", "turn", "--seat", "B", "-d", data, code=4)


def test_it_is_left_for_a_seat_at_a_real_table(tmp_path: Path) -> None:
    data = tmp_path / "table.kifu"
    run("open", "--mode", "table", "--roll", "A", "--deck", "ST01", "--deck", "ST03", "-d", data)
    printed = run("auto-pass", "--seat", "B", "--until", "rival", "-d", data).output
    assert printed.startswith("player B: pass until the rival acts")
