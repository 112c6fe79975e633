"""`kifu play`: the page that it opens lets the organiser in, and leads to where he invites."""

from __future__ import annotations

from pathlib import Path

from replay_cli.commands.running.play import invitation
from service.settings import Serving, Settings


def test_it_leads_from_the_key_to_the_invitation() -> None:
    serving = Serving("h:1", 1, "t", Settings(data=Path("m")), entrance="http://h:2/in#KEY")
    assert invitation(serving) == "http://h:2/in?to=/play#KEY"
