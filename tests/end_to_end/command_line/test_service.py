"""The command line against the real server: the demo, a served file, what each token may see."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import chdir, closing
from pathlib import Path

import pytest

from domain.record.decisions import Act
from domain.telling.names import letter
from service.client.client import Client
from tests.support.serving import Running
from tests.unit.cli.clis import answer, begun, run, serving


def transcript(output: str) -> list[str]:
    """The demo's output about the match itself, without what is new each time (match, port)."""
    match = output.partition("A real server at ")[2].partition("\nBack to decision")[0]
    return match.split("\n")[2:]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A demo as a newcomer runs it; its file and its output."""
    folder = tmp_path_factory.mktemp("demo")
    with chdir(folder):
        done = run("demo", "--seed", 7)
    assert done.stderr == ""
    return folder / "demo.kifu", done.stdout


@pytest.fixture(scope="module")
def served_demo(
    demo: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, str]]:
    """The same, of a copy that a server serves: commands find it, and need not begin their own."""
    folder = tmp_path_factory.mktemp("copy") / "demo"
    shutil.copytree(demo[0].parent, folder)
    data = folder / demo[0].name
    with serving("-d", data, "-p", 0, cwd=folder):
        yield data, demo[1]


def test_the_demo_tells_a_whole_match(demo: tuple[Path, str]) -> None:
    path, answered = demo
    assert path.exists()
    assert "\x1b" not in answered, "colours only on a terminal"
    for wanted in (
        r"A real server at 127\.0\.0\.1:\d+ records match \w+ \(seed 7\)",
        r"T\d+ +[AB] ",
        r"deploys .+gcg:7-5-2-1",
        r"player [AB] wins the match",
        r"Back to decision \d+: the last real choice of player [AB]",
        r"as player A saw it",
        r"as player B saw it",
        r"→ +\d+  .+",
        r"and chose: ",
        r": exact – ",
        r"The record stays in demo\.kifu",
    ):
        assert re.search(wanted, answered), wanted
    assert max(map(len, answered.split("\n"))) <= 100


@pytest.mark.long
def test_a_demo_that_was_deleted_is_begun_anew_and_another_file_is_not(
    demo: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And its seed repeats the transcript."""
    monkeypatch.chdir(shutil.copytree(demo[0].parent, tmp_path / "copy"))
    Path("demo.kifu").unlink()
    repeated = run("demo", "--seed", 7).stdout
    assert "demo.kifu is gone" in repeated
    assert Counter(spoken(transcript(repeated))) == Counter(spoken(transcript(demo[1])))
    (match,) = answer("list", "-d", "demo.kifu")
    assert match["state"] == "MATCH_STATE_ENDED"
    for file in Path().glob("demo.kifu*"):
        file.rename(file.name.replace("demo", "table"))
    Path("table.kifu").unlink()
    assert "--anew" in run("demo", "--seed", 7, "-d", "table.kifu", code=3).stderr


def test_the_printed_commands_work_as_typed(
    demo: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(demo[0].parent)
    printed = re.findall(r"^  (kifu .+?)  +\S", demo[1], re.MULTILINE)
    assert len(printed) >= 6
    for line in printed:
        words = shlex.split(line)[1:]
        if words[0] not in ("serve", "replay"):
            assert run(*words).stdout


def test_a_file_that_lacks_leaves_of_its_log_is_not_verified(
    demo: tuple[Path, str], tmp_path: Path
) -> None:
    data = shutil.copytree(demo[0].parent, tmp_path / "copy") / "demo.kifu"
    assert "1 match:" not in run("verify", "-d", data).stdout, "one is not summed up"
    with closing(sqlite3.connect(data)) as file, file:
        file.execute("DELETE FROM leaves")
    for how in ((), ("--offline",)):
        done = run("verify", "-d", data, *how, code=1)
        assert "the log: diverged" in done.stdout
        assert "1 match: 1 exact, 1 diverged" in done.stdout
    assert "verifying" not in done.stderr


@pytest.mark.long
def test_the_demo_takes_other_decks(demo: tuple[Path, str], tmp_path: Path) -> None:
    """In a file that keeps many matches."""
    data = shutil.copytree(demo[0].parent, tmp_path / "copy") / "demo.kifu"
    answered = answer("demo", "--seed", 1, "--decks", "ST02,ST04", "-d", data, "--best-of", 3)
    assert answered["verdict"] == "exact"
    assert "tokens" not in answered
    match, _ = answer("list", "-d", data)
    assert match["seats"] == ["ST02 bot", "ST04 bot"]
    assert max(match["score"]) == 2 or sum(match["score"]) < 3
    assert "there is no deck 'X'" in run("demo", "--decks", "X,ST01", "-d", data, code=3).stderr
    assert "2 are needed" in run("demo", "--decks", "ST01", "-d", data, code=2).stderr


# -- one match, many looks -------------------------------------------------------------------------


def test_boards_at_any_point_for_anyone(served_demo: tuple[Path, str]) -> None:
    data = served_demo[0]
    n = int(re.search(r"Back to decision (\d+)", served_demo[1])[1])
    seats = [run("show", "-d", data, "--decision", n, "--as", who).stdout for who in "AB"]
    for seat, board in enumerate(seats):
        assert board.split("\n")[0].startswith("turn ")
        kept = board[: board.index("Deck")]
        assert re.search(r"Hand +(\d+ cards?|–)", kept), "the rival's hand is a count"
        assert board.strip() in served_demo[1] or "decision" in board
        assert f"── {letter(seat)} " in board
    public = run("show", "-d", data, "--decision", n, "--as", "public").stdout
    assert "hidden from this viewer" in public or "option" in public
    whole = answer("show", "-d", data, "--seq", 300)
    assert whole["seq"] == 300
    assert run("show", "-d", data, "--time", "0:00").stdout
    assert "no entry 999999" in run("show", "-d", data, "--seq", 999999, code=3).stderr
    assert "is not one of A, B" in run("show", "-d", data, "--as", "C", code=2).stderr


def test_decisions(served_demo: tuple[Path, str]) -> None:
    data = served_demo[0]
    listed = answer("decisions", "-d", data)
    text = run("decisions", "-d", data).stdout
    assert len(text.strip().split("\n")) >= len(listed) > 50
    real = run("decisions", "-d", data, "--real", "--seat", "A").stdout.split("\n")[1:-1]
    assert real
    assert all(re.match(r" *\d+ +\d* +A ", row) for row in real if row[:4].strip())
    one = run("decisions", "-d", data, "--decision", 1).stdout
    assert "gcg:6-2-1-4" in one
    assert "taken after" in one
    hidden = run("decisions", "-d", data, "--as", "public").stdout
    assert "hidden" in hidden
    assert "no decision 9999" in run("decisions", "-d", data, "--decision", 9999, code=3).stderr


def spoken(rows: list[str]) -> list[str]:
    """The words of a transcript, without what it cites."""
    return [word for row in rows for word in row.split() if not re.search(r"\w:[\w-]|…", word)]


def test_the_transcript_is_the_same_from_the_service(served_demo: tuple[Path, str]) -> None:
    data = served_demo[0]
    answered = run("watch", "-d", data, "--as", "official").stdout.rstrip("\n").split("\n")
    rows = [re.sub(r"^ {0,4}\d+ ", "", row) for row in answered]  # without the numbers of entries
    found = Counter(spoken(transcript(served_demo[1])))
    assert not Counter(spoken(rows)) - found, "the same words, folded otherwise"
    assert len(run("watch", "-d", data, "--all").stdout) > len("\n".join(answered))
    late = run("watch", "-d", data, "--after", 1000).stdout
    assert len(late) < len("\n".join(answered))
    rows = run("watch", "-d", data, "--json").stdout.strip().split("\n")
    assert [json.loads(row)["seq"] for row in rows] == list(range(1, len(rows) + 1))


def test_why_and_diff(served_demo: tuple[Path, str]) -> None:
    data = served_demo[0]
    lost = int(re.search(r"kifu why -d demo.kifu (\d+)", served_demo[1])[1])
    chain = answer("why", "-d", data, lost)
    assert chain[0]["event"] == "seat.lost"
    assert chain[-1]["event"] == "decision.made"
    assert all(rule["gist"] for cause in chain for rule in cause["rules"])
    assert run("why", "-d", data, lost, "--as", "public").stdout
    assert "no entry" in run("why", "-d", data, 10**6, code=3).stderr
    changed = answer("diff", "-d", data, 5, "now")
    assert {"what": "over", "before": "no", "after": "yes"} in changed
    assert "nothing is different" in run("diff", "-d", data, 9, 9).stdout
    assert "turn" in run("diff", "-d", data, "seq:100", "0:59").stdout


@pytest.mark.long
def test_verifying_everywhere(demo: tuple[Path, str], tmp_path: Path) -> None:
    data, exported = demo[0], tmp_path / "match.jsonl"
    assert ": exact" in run("verify", "-d", data).stdout
    assert ": exact" in run("verify", "-d", data, "--offline").stdout
    run("export", "-d", data, "-o", exported)
    assert ": exact" in run("verify", exported).stdout
    answered = run("export", "-d", data, "--format", "json", "--proof").stdout
    assert answered == exported.read_text("utf-8")
    whole, theirs = exported.read_bytes(), tmp_path / "theirs.jsonl"
    refused = run("export", "-d", data, "-o", exported, "--as", "public", code=1).stderr
    assert "evidence of another export" in refused
    assert exported.read_bytes() == whole
    run("export", "-d", data, "-o", theirs, "--as", "public")
    assert ": unverified" in run("verify", theirs).stdout


# -- serving ---------------------------------------------------------------------------------------


def test_a_served_file_is_found_and_refuses(tmp_path: Path) -> None:
    data = tmp_path / "matches.kifu"
    with serving("-d", data, "-p", 0, cwd=tmp_path) as served:
        there, token = ["-s", served["address"]], data.with_name("matches.kifu-token")
        for access in (("-d", data), (*there, "-t", served["token"]), (*there, "-t", f"@{token}")):
            assert "no matches" in run("list", *access).stdout
        assert token.stat().st_mode & 0o077 == 0
        second = run("serve", "-d", data, "-p", 0, code=3).stderr
        assert f"answers at {served['address']}" in " ".join(second.split())
        assert "token" in run("list", *there, code=4).stderr
        assert run("list", *there, "-t", "nonsense", code=4).stderr.startswith("kifu: the token")
        missing = run("show", "nomatch", *there, "-t", served["token"], code=3).stderr
        assert "no such match" in missing
        assert "Traceback" not in missing
    assert not data.with_name(f"{data.name}-lock").exists()


def test_a_match_live(server: Running, organiser: Client, tmp_path: Path) -> None:
    """Somebody watches while two seats play; each sees what is his."""
    opened = organiser.open_match("gundam", ["Ann", "Ben"], ["ST01", "ST03"], seed=4)
    public = ["-s", server.address, "-t", opened.public]
    watcher = begun("watch", opened.id, *public, cwd=tmp_path)
    decision = organiser.with_token(opened.seats[0]).position(opened.id).decision
    assert decision is not None
    first = decision.seats[0]
    own = ["-s", server.address, "-t", opened.seats[first]]
    assert "typed" in run("show", opened.id, *own).stdout
    assert "typed" in run("show", *own).stdout, "a seat's token names its match"
    assert "official" in run("show", *own, "--as", letter(1 - first), code=4).stderr
    assert run("list", *public).stdout.count(opened.id) == 1
    organiser.with_token(opened.seats[1]).interject(opened.id, Act("concede"))
    assert "player A wins the match" in watcher.stdout.read()
    assert watcher.wait(60) == 0
    assert ": exact" in run("verify", *public).stdout


def test_a_bot_that_fails_ends_the_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from replay_cli.commands import demo

    monkeypatch.setattr(demo.Player, "choose", lambda self, offer: Act("fly"))
    failed = run("demo", "-d", tmp_path / "d.kifu", code=1)
    assert failed.stderr.startswith("kifu: there is no such act")
    assert "by gcg:" in failed.stderr
