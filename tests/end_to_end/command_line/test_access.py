"""Commands warn before they show hidden cards; the log of access as an organiser reads it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from domain.record.events import CardsKnown
from domain.record.interventions import Looked
from domain.record.schema.policy import Policy
from replay_cli.output import REFUSED
from service.client.client import Client, Opened
from tests.end_to_end.service.test_access import ended
from tests.support.marks import each
from tests.support.serving import Running
from tests.unit.cli.clis import answer, on_terminal, run

#: What shows what is hidden.
COMMANDS = {
    "show": ("show", ()), "decisions": ("decisions", ()), "watch": ("watch", ()),
    "why": ("why", ("9",)), "diff": ("diff", ("seq:9", "now")), "export": ("export", ()),
    "why-not": ("why-not", ("pass", "--decision", "1")),
}  # fmt: skip


@pytest.fixture
def match(organiser: Client) -> Opened:
    return ended(organiser)


@pytest.fixture
def where(server: Running) -> tuple[str, ...]:
    return "--server", server.address, "--token", server.token


@pytest.mark.parametrize("name", each(3, COMMANDS))
def test_a_look_is_recorded_in_silence(
    organiser: Client, match: Opened, where: tuple[str, ...], name: str
) -> None:
    command, more = COMMANDS[name]
    found = run(command, match.id, *more, *where, "--why", "a dispute")
    assert "recorded" not in found.stderr
    assert {line.why for line in organiser.access(match.id)} == {"a dispute"}
    seat = (*where[:3], match.seats[0])
    assert "recorded" not in run("show", match.id, *seat).stderr


def test_a_look_at_a_live_match_is_announced_as_an_entry(
    organiser: Client, where: tuple[str, ...]
) -> None:
    policy = Policy(replay_evidence="investigation")
    live = organiser.open_match("toy", ["A", "B"], ["ones", "tens"], policy=policy)
    assert "recorded in the match, visible to everybody" in run("show", live.id, *where).stderr


def test_at_a_terminal_one_is_asked_before_all_can_see_it(
    organiser: Client, match: Opened, where: tuple[str, ...], tmp_path: Path
) -> None:
    policy = Policy(replay_evidence="rulings")
    live = organiser.open_match("toy", ["A", "B"], ["ones", "tens"], policy=policy)
    show = [sys.executable, "-m", "replay_cli", "show", live.id, *where]

    def looks() -> int:
        entries = organiser.with_token(live.public).events(live.id)
        return sum(isinstance(entry.event, Looked) for entry in entries)

    assert on_terminal(show, b"n\n", b"Go on?", tmp_path) == 1
    assert looks() == 0
    assert on_terminal(show, b"y\n", b"Go on?", tmp_path) == 0
    assert looks() == 1
    show[4] = match.id
    assert on_terminal(show, b"", b"turn", tmp_path) == 0  # that is in the log of access alone


def test_the_log_is_listed_and_checked(
    organiser: Client, match: Opened, where: tuple[str, ...]
) -> None:
    run("export", match.id, *where, "--yes", "--why", "the players asked")
    text = run("audit", "access", match.id, *where).stdout
    assert "entries" in text
    assert "the players" in text
    assert "the log of access is whole; its head is" in text
    found = answer("audit", "access", match.id, *where)
    assert [line["what"] for line in found["lines"]] == ["entries"]
    assert found["fault"] == ""
    noted = ("audit", "access", *where, "--head")
    assert "is whole" in run(*noted, found["head"]).stdout
    forged = f"1:{'0' * 64}"
    assert "does not lead to the head" in run(*noted, forged, code=1).stderr
    for bad in ("7", "x:00", f"-1:{'0' * 64}"):
        assert "is no head" in run(*noted, bad, code=2).stderr
    official = (*where[:3], match.official)
    assert "organiser" in run("audit", "access", *official, code=4).stderr


def test_an_entry_is_disclosed_to_others(
    organiser: Client, match: Opened, where: tuple[str, ...], tmp_path: Path
) -> None:
    seat = organiser.with_token(match.seats[0])
    made = next(
        entry
        for entry in seat.events(match.id)
        if isinstance(entry.event, CardsKnown) and entry.event.cards.to == 1
    )
    mine = (*where[:3], match.seats[0])
    path = tmp_path / "shown.kifu-proof"
    shown = ("export", match.id, *mine, "--as", "public", "--disclose", made.seq, "-o", path)
    run(*shown)
    printed = " ".join(run("audit", path, code=3).stdout.split())
    assert f"proven what is disclosed was sealed: entry {made.seq} (cards.known)" in printed
    nothing = ("export", match.id, *mine, "--as", "public", "--disclose", 1, "-o", path)
    assert "entry 1 has nothing" in run(*nothing, code=REFUSED).output
    run("export", match.id, *mine, "--disclose", made.seq, code=2)
