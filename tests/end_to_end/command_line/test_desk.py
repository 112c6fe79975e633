"""`kifu desk` against a real server, as officials type it."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.record.decisions import Act
from service.client.client import Client, Opened
from tests.support.serving import Running, play
from tests.unit.cli.clis import answer, run

#: What one may always do.
DULL = {"main": "end", "block": "no-block", "action": "pass"}

#: Cards of A's hand that nobody has seen, and whether they can be deployed in its first turn.
UNSEEN = {
    "GM": (False, "ILLEGAL_ACT"), "Demi Trainer": (False, "CARD_NOT_IN_LIST"),
}  # fmt: skip


@pytest.fixture(scope="module")
def match(organiser: Client) -> Opened:
    """A match of a real game, some decisions in."""
    opened = organiser.open_match("gundam", ["Ann", "Ben"], ["ST01", "ST03"], seed=4)
    play(tuple(map(organiser.with_token, opened.seats)), opened, Random(4), 20)
    return opened


@pytest.fixture
def where(server: Running, match: Opened) -> tuple[str, ...]:
    """The match, and the options that name it to a command."""
    return match.id, "--server", server.address, "--token", match.official


@pytest.fixture
def at_rest(organiser: Client, match: Opened) -> Any:
    """The open decision, which can be asked again."""
    seats, rng = tuple(map(organiser.with_token, match.seats)), Random(4)
    while (decision := organiser.position(match.id).decision) is not None and not decision.rest:
        play(seats, match, rng, 1)
    return decision


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("rule", "so it is", "-r", "gcg:7-3-1"), "The ruling was recorded"),
        (("penalise", "A", "warning", "--note", "late"), "The penalty was recorded"),
        (("note", "hm", "--public"), "The note was recorded"),
        (("flag", "gcg:6-3-1", "looked", "--who", "B"), "The irregularity was recorded"),
    ],
)
def test_acts_of_officials_are_recorded(
    where: tuple[str, ...], args: tuple[str, ...], expected: str
) -> None:
    text = run("desk", args[0], *where, *args[1:]).stdout
    assert expected in text
    assert "is open" in text


def test_a_match_stands_still_and_goes_on(where: tuple[str, ...]) -> None:
    assert "The match is paused" in run("desk", "pause", *where, "--why", "a spill").stdout
    assert "The match goes on" in run("desk", "resume", *where).stdout


def test_acts_of_officials_are_shown(organiser: Client, where: tuple[str, ...]) -> None:
    run("desk", "rule", *where, "the block was late")
    seq = list(organiser.events(where[0]))[-2].seq
    assert "ruling: the block was late" in run("why", where[0], seq, *where[1:]).stdout


def test_a_position_is_put_right(where: tuple[str, ...], at_rest: Any) -> None:
    fix = ("--fix", "draw 1 from deck/0 to hand/0", "--why", "forgotten")
    assert "The position was put right" in run("desk", "correct", *where, *fix).stdout
    bad = run("desk", "correct", *where, "--fix", "juggle 5", "--why", "x", code=2)
    assert "there is no 'juggle'" in bad.stderr
    worse = run("desk", "correct", *where, "--fix", "move 9999 to hand/0", "--why", "x", code=1)
    assert "no card @9999" in worse.stderr
    assert "by house:correction" in worse.stderr


def test_a_play_against_the_rules(where: tuple[str, ...], at_rest: Any) -> None:
    refused = run("desk", "play", *where, "AB"[at_rest.seats[0]], DULL[at_rest.kind], code=1)
    assert "it is legal: choose it" in refused.stderr
    assert "is no player" in run("desk", "play", *where, "Q", "end", code=2).stderr


def test_a_card_in_no_list_is_played_and_a_scorekeeper_gives_it_another_name(
    organiser: Client, server: Running
) -> None:
    opened = organiser.open_match(
        "gundam", ["Ann", "Ben"], ["ST01", "ST03"], mode="table", rolls=[(0,)]
    )
    keeper = organiser.with_token(opened.scorekeeper)
    for seat, kind in ((0, "first"), (0, "keep"), (1, "keep")):
        decision = keeper.position(opened.id).decision
        assert decision is not None
        keeper.choose(opened.id, decision.n, Act(kind), seat=seat)
    at = (opened.id, "--server", server.address, "--token")
    asked = [answer("why-not", *at, opened.official, f"A: deploy {one}") for one in UNSEEN]
    assert [(one["allowed"], one["reason"]) for one in asked] == [*UNSEEN.values()]
    for token in (opened.seats[0], opened.public):  # how many a list has left may be hidden to them
        assert "called 'GM'" in run("why-not", *at, token, "A: deploy GM", code=1).stderr
    played = run("desk", "play", *at, opened.official, "A", "deploy Demi Trainer")
    assert "The irregularity was recorded" in played.stdout
    (card,) = keeper.position(opened.id).zone("battle", 0)
    for called, is_ in (("ST01-004", "ST01-004"), ('"gundam (ma form)"', "ST01-002")):
        name = ("--fix", f"name {card}={called}", "--why", "named wrongly")
        assert "put right" in run("desk", "correct", *name, *at, opened.scorekeeper).stdout
        assert keeper.position(opened.id).card(card).id == is_
    several = ("--fix", f"name {card}=g", "--why", "named wrongly")
    assert (
        "may be Gundam" in run("desk", "correct", *several, *at, opened.scorekeeper, code=2).stderr
    )
    moved = ("--fix", f"move {card} to trash/0", "--why", "x")
    assert "an official" in run("desk", "correct", *moved, *at, opened.scorekeeper, code=4).stderr


def test_what_is_missing_to_begin_is_named_with_the_way_to_give_it(
    organiser: Client, server: Running
) -> None:
    opened = organiser.open_match(
        "gundam", ["Ann", "Ben"], ["ST01", "ST03"], mode="table", wait=True
    )
    at = (opened.id, "--server", server.address, "--token", opened.official)
    refused = run("desk", "begin", *at, code=1).stderr
    assert "who won the roll, A Ann or B Ben?" in refused
    assert "--roll" in refused
    assert "The match has begun" in run("desk", "begin", *at, "--roll", "A").stdout


def test_a_match_that_goes_on_waiting_has_not_begun(organiser: Client, server: Running) -> None:
    opened = organiser.open_match("toy", ["Ann", "Ben"], ["ones", "tens"], chance="shared")
    organiser.with_token(opened.seats[0]).commit_seed(opened.id, b"x" * 32)
    at = (opened.id, "--server", server.address, "--token", opened.official)
    begun = run("desk", "begin", *at).stdout
    assert "The match goes on waiting" in begun
    assert "has begun" not in begun
    assert "The match has begun" in run("desk", "begin", *at).stdout


def test_going_back_is_previewed_first(where: tuple[str, ...], at_rest: Any) -> None:
    n = at_rest.n - 5
    text = run("desk", "rewind", *where, n, "--preview").stdout
    assert f"Going back to decision {n} undoes" in text
    assert "player" in text
    assert answer("desk", "rewind", *where, n, "--preview")["decisions"][0]["n"] == n
    assert "say why" in run("desk", "rewind", *where, n, code=2).stderr
    assert "The match went back" in run("desk", "rewind", *where, n, "--why", "x", "-y").stdout
    assert "no decision" in run("desk", "rewind", *where, 9999, "--preview", code=1).stderr
    assert "is not N=" in run("desk", "rewind", *where, n, "--card", "x=y", code=2).stderr


def test_a_fork_is_played_on(server: Running, where: tuple[str, ...], at_rest: Any) -> None:
    forked = answer("desk", "fork", *where, at_rest.n)
    there = (forked["match"], "--server", server.address, "--token", forked["token"])
    assert "chose; decision" in run("desk", "choose", *there, DULL[at_rest.kind]).stdout
    repeated = run("desk", "fork", *there, 1, code=1)
    assert "a fork is not forked again" in repeated.stderr


def test_only_a_real_table_is_undone(where: tuple[str, ...]) -> None:
    assert "players act for themselves" in run("desk", "undo", *where, code=1).stderr


def test_players_are_not_let_in(server: Running, match: Opened, where: tuple[str, ...]) -> None:
    seat = (match.id, "--server", server.address, "--token", match.seats[0])
    assert "this is for an official" in run("desk", "rule", *seat, "mine", code=4).stderr


def test_cards_are_brought_from_files_to_a_match_that_goes_on(
    organiser: Client, server: Running, tmp_path: Path
) -> None:
    opened = organiser.open_match(
        "gundam", ["Ann", "Ben"], ["ST01", "ST03"], mode="table", rolls=[(0,)]
    )
    at = ("--server", server.address, "--token")
    toml, csv = tmp_path / "a.toml", tmp_path / "b.csv"
    figures = 'type = "unit"\ncolor = "blue"\nlv = 1\ncost = 1\nap = 2\nhp = 2\n'
    toml.write_text(f'[[card]]\nid = "PR-01"\nname = "Harbour Watch"\n{figures}', "utf-8")
    csv.write_text(
        "number,name,type,colour,lv,cost,ap,hp,effect\n"
        "PR-02,Quay Guard,UNIT,Blue,1,1,2,2,<Blocker>\n",
        "utf-8",
    )
    assert "The match has that card" in run(
        "desk", "prints", opened.id, str(toml), *at, opened.scorekeeper
    ).stdout  # fmt: skip
    read = run("desk", "prints", opened.id, str(csv), "--yes", *at, opened.official)
    assert "Quay Guard" in read.stderr
    twice = run("desk", "prints", opened.id, str(toml), *at, opened.official, code=1)
    assert "already: Harbour Watch" in twice.stderr
    run("desk", "prints", opened.id, str(csv), "--yes", *at, opened.seats[0], code=4)
    run("desk", "prints", opened.id, "missing.toml", *at, opened.official, code=2)
    organiser.with_token(opened.scorekeeper).interject(opened.id, Act("concede"), seat=0)
    shown = run("watch", opened.id, *at, opened.official).stdout
    assert "Harbour Watch" in shown
    assert len(organiser.match(opened.id).prints) == 2
    assert organiser.verify(opened.id).verdict == 1
