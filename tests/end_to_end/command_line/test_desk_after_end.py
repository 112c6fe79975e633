"""`kifu desk` once a match is over: what it says first, what it does, who sees it."""

from __future__ import annotations

import re
from random import Random

import pytest

from domain.record.decisions import Act
from service.client.client import Client, Opened
from tests.support.serving import Running, play
from tests.unit.cli.clis import answer, run


@pytest.fixture
def match(organiser: Client) -> Opened:
    """A match that player A has conceded."""
    opened = organiser.open_match("gundam", ["Ann", "Ben"], ["ST01", "ST03"], seed=4)
    seats = tuple(map(organiser.with_token, opened.seats))
    play(seats, opened, Random(4), 20)
    seats[0].interject(opened.id, Act("concede"))
    return opened


@pytest.fixture
def where(server: Running, match: Opened) -> tuple[str, ...]:
    """The match, and the options that name it to a command."""
    return match.id, "--server", server.address, "--token", match.official


def test_a_result_is_corrected_once_it_was_confirmed(
    organiser: Client, server: Running, where: tuple[str, ...]
) -> None:
    correct = ("desk", "result", *where, "A", "1-0", "--note", "mixed up")
    log = list(organiser.events(where[0]))
    asked = run(*correct, stdin="n\n").output
    assert "is player B won, 0–1; it will be superseded by: player A won, 1–0" in asked
    assert list(organiser.events(where[0])) == log
    unasked = run(*correct, code=1).stderr
    assert "nobody can be asked here: --yes says that it is meant" in unasked
    assert list(organiser.events(where[0])) == log
    text = run(*correct, stdin="y\n").output
    assert "The result was corrected (entries" in text
    assert "the match is over: player A won, 1–0" in text
    repeated = run(*correct, "--yes", code=1).stderr
    assert "that is the result already" in repeated
    assert "by house:result" in repeated
    for bad in (("C", "1-0"), ("A", "one"), ("A", "x-0")):
        run("desk", "result", *where, *bad, "--note", "x", code=2)
    rest = where[1:]
    assert "corrected" in run("list", *rest[:2], "--token", server.token).stdout
    shown = run("show", where[0], *rest, "--as", "public").stdout
    assert "over: player A won · corrected (entry" in shown
    printed = run("watch", where[0], *rest, "--after", len(log)).stdout
    found = " ".join(re.sub(r"house:\S+", "", printed).split())  # the rules stand beside it
    assert "the result is corrected: player A wins the match, 1–0" in found
    assert "(it was: player B wins the match, 0–1): mixed up" in found
    exported = run("export", where[0], *rest).stdout
    assert '[Result "A 1-0"]' in exported
    assert '[Superseded ["B 0-1"]]' in exported


def test_a_penalty_says_what_becomes_of_the_result(where: tuple[str, ...]) -> None:
    penalise = ("desk", "penalise", *where, "B", "disqualification", "--note", "marked")
    asked = run(*penalise, stdin="n\n").output
    assert "By the penalty that will be superseded by: player A won, 0–1" in asked
    assert "player A won, 0–1" in run(*penalise, stdin="y\n").output
    same = run("desk", "penalise", *where, "B", "match-loss", stdin="y\n").output
    assert "its result stays: player A won, 0–1" in same
    assert "its result" not in run("desk", "penalise", *where, "B", "warning").stdout
    done = answer("desk", "penalise", *where, "A", "match-loss", "--yes")
    assert done["decision"] == 0
    assert "a draw, 0–1" in run("desk", "note", *where, "so").stdout


def test_an_end_is_taken_back(organiser: Client, where: tuple[str, ...]) -> None:
    n = organiser.position(where[0]).decisions
    back = ("desk", "rewind", *where, n, "--why", "no concession")
    asked = run(*back, stdin="n\n").output
    assert "The match is over: player B won, 0–1. It will be live again" in asked
    assert f"decision {n} is open" in run(*back, stdin="y\n").output
    assert organiser.position(where[0]).decision is not None


def test_the_end_alone_is_taken_back_without_a_number(
    organiser: Client, where: tuple[str, ...]
) -> None:
    back = ("desk", "reopen", *where, "--why", "no concession")
    log = list(organiser.events(where[0]))
    asked = run(*back, stdin="n\n").stdout
    assert "It will be live again" in asked
    assert list(organiser.events(where[0])) == log
    n = organiser.position(where[0]).decisions
    assert f"decision {n} is open" in run(*back, "--yes").stdout
    assert "is not over" in run(*back, code=1).stderr
