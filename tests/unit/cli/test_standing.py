"""`kifu standing`: left, shown and withdrawn by a seat's token, or for a seat at a real table."""

from __future__ import annotations

from pathlib import Path

from tests.unit.cli.clis import run


def test_it_is_left_for_a_seat_at_a_real_table(tmp_path: Path) -> None:
    data = tmp_path / "table.kifu"
    run("open", "--mode", "table", "--roll", "A", "--deck", "ST01", "--deck", "ST03", "-d", data)
    said = run("standing", "--seat", "B", "--until", "rival", "-d", data).output
    assert said.startswith("player B: pass until the rival acts")
