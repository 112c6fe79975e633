"""Looks: moments as a whole, turns, whose eyes, who is warned; and what shells complete."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing

import pytest

from service.client.client import Opened
from service.store.derived import listing
from service.store.records import Records, Work
from tests.support.serving import Running, running
from tests.unit.cli.clis import answer, log, run

LOG = log(3)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, Opened]]:
    data = tmp_path_factory.mktemp("looking") / "matches.kifu"
    with closing(Records(data)) as records:
        records.write(Work("aaaaa", LOG, listing.derive("aaaaa", LOG)))
    with running(data) as server:
        opened = server.client().open_match("gundam", ["Ann", "Ben"], ["ST01", "ST03"], seed=1)
        yield server, opened


def where(server: Running, token: str = "") -> tuple[str, ...]:
    return "--server", server.address, "--token", token or server.token


def test_a_board_in_mid_moment_is_that_of_its_end(served: tuple[Running, Opened]) -> None:
    server, _ = served
    moments = [entry.moment for entry in LOG]
    first = next(
        at for at in range(300, len(LOG)) if moments[at] == moments[at + 1] != moments[at - 1]
    )
    last = max(at for at, moment in enumerate(moments) if moment == moments[first])
    at, end = LOG[first].seq, LOG[last].seq
    output = run("show", "aaaaa", "--seq", at, "-y", *where(server)).stdout
    whole = run("show", "aaaaa", "--seq", end, "-y", *where(server)).stdout
    assert output.splitlines()[0].endswith(f"shown after the last, {end}")
    assert output.splitlines()[1:] == whole.splitlines()
    assert answer("show", "aaaaa", "--seq", at, "-y", *where(server))["seq"] == at, "as it is"


def test_nobody_looks_as_an_official_who_is_none(served: tuple[Running, Opened]) -> None:
    server, opened = served
    for token, who in ((opened.seats[0], "a player"), (opened.public, "the public")):
        for args in (["show"], ["decisions"], ["why", "3"], ["diff", "1", "now"], ["export"]):
            found = run(*args, "--as", "official", *where(server, token), code=4).stderr
            assert "you may not look through an official's eyes" in found, args
            assert f"that of {who}" in found
        for args in (["why-not", "pass"], ["dispute", "--decision", "1"]):
            found = run(*args, "--as", "official", *where(server, token), code=4).stderr
            assert "you may not look through their eyes" in found, args
    assert run("show", opened.id, "--as", "official", *where(server, opened.official)).stdout


def test_decisions_of_a_turn(served: tuple[Running, Opened]) -> None:
    server, _ = served
    args = ("decisions", "aaaaa", "-y", *where(server))
    every = answer(*args)
    of_turn = answer(*args, "--turn", 3)
    assert of_turn
    assert of_turn == [one for one in every if one["turn"] == 3]
    rows = run(*args, "--turn", 3).stdout.splitlines()[1:]
    assert len([row for row in rows if row[:3].strip()]) == len(of_turn)
    assert "no decision in turn 99" in run(*args, "--turn", 99, code=3).stderr


def test_looks_that_the_log_of_access_has_are_not_announced(
    served: tuple[Running, Opened],
) -> None:
    server, opened = served
    for args in (
        ["why-not", "aaaaa", "A: pass"],
        ["dispute", "aaaaa", "--decision", "9"],
        ["show", "aaaaa"],
    ):
        assert "your access is recorded" not in run(*args, *where(server)).stderr, args
    seen = server.client().with_token(opened.official)
    decision = seen.position(opened.id, view=-1).decision
    fork, token = server.client().fork(opened.id, decision.n)
    assert (
        "your access is recorded"
        not in run("desk", "choose", fork, "first", *where(server, token)).stderr
    )


def test_a_decision_that_can_t_be_asked_anew_names_those_that_can(
    served: tuple[Running, Opened],
) -> None:
    server, _ = served
    opened = [e.event for e in LOG if type(e.event).__name__ == "DecisionOpened"]
    amid = next(one.n for one in opened if not one.rest and one.n > 3)
    near = max(one.n for one in opened if one.rest and one.n < amid)
    args = ("desk", "rewind", "aaaaa", amid, "--preview", *where(server))
    output = " ".join(run(*args).stdout.split())
    if "Seen since" in output:
        assert "can't be asked again" in output
        assert f"Those that can: {near}" in output
        assert "/0" not in output, "places are called by their names"


# -- completion -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("kifu sh", "show"),
        ("kifu show --de", "--decision"),
        ("kifu desk re", "rewind"),
        ("kifu cards --game hol", "hollow_flux"),
        ("kifu open --deck ST0", "ST03"),
        ("kifu list --sort t", "table"),
    ],
)
def test_what_a_shell_completes(typed: str, found: str) -> None:
    assert found in completed(typed)


def completed(typed: str, **env: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", "replay_cli"],
        env={
            **os.environ, **env, "_KIFU_COMPLETE": "bash_complete", "COMP_WORDS": typed,
            "COMP_CWORD": str(len(typed.split()) - 1),
        },
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip


def test_matches_of_the_file_are_completed(served: tuple[Running, Opened], tmp_path) -> None:
    data = tmp_path / "some.kifu"
    with closing(Records(data)) as records:
        records.write(Work("aaaaa", LOG, listing.derive("aaaaa", LOG)))
    assert "aaaaa" in completed("kifu show aa", KIFU_DATA=str(data))
    assert "aaaaa" not in completed("kifu show aa", KIFU_DATA=str(tmp_path / "none"))


def test_scripts_for_shells() -> None:
    for shell in ("bash", "zsh", "fish"):
        text = run("completion", shell).stdout
        assert f"_KIFU_COMPLETE={shell}_complete" in text
