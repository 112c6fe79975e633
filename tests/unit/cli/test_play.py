"""`kifu play`: the page that it opens lets the organiser in, and leads to where he invites."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

from replay_cli.commands.running.play import invitation
from service.settings import Serving, Settings
from tests.unit.cli.clis import answer, run


def test_it_leads_from_the_key_to_the_invitation() -> None:
    serving = Serving("h:1", 1, "t", Settings(data=Path("m")), entrance="http://h:2/in#KEY")
    assert invitation(serving) == "http://h:2/in?to=/play#KEY"


def test_a_match_against_the_bot_in_the_terminal(tmp_path: Path) -> None:
    """Numbers and typed acts answer; what can't be read is asked anew; conceding ends it."""
    with patch("replay_cli.commands.running.play.need_terminal"):
        found = run(
            "play", "--against", "bot", "--game", "hollow_flux", "--seed", 1,
            "--data", tmp_path / "m.kifu",
            stdin="\n".join(["nonsense", *["1"] * 6, "concede", ""]),
        )  # fmt: skip
    assert "player B wins the match" in found.stdout
    assert "Guard Deck" in found.stdout
    (one,) = answer("list", "-d", tmp_path / "m.kifu")
    assert one["state"] == "MATCH_STATE_ENDED"


def test_the_page_or_the_terminal() -> None:
    assert "picked on the page" in run("play", "--decks", "HX-A,HX-B", code=2).stderr
    assert "needs a terminal" in run("play", "--against", "bot", code=2).stderr
