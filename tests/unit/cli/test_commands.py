"""The program: help, looking things up, scenarios, and sentences for what is wrong."""

from __future__ import annotations

import socket
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc

from domain.engine.match import Match
from domain.officials import clocks
from domain.record.entries import Entry
from domain.record.points import Point
from domain.record.schema.policy import Clocks, EndOfTime
from domain.telling.book import Book
from domain.telling.names import countdown, time_left
from domain.telling.narration import narrate
from replay_cli.drawing import board
from replay_cli.drawing.lines import Columns
from replay_cli.main import COMMANDS
from replay_cli.reaching.connection import milliseconds, parse_point
from tests.unit.cli.clis import answer, run
from tests.unit.officials.test_clocks import SETUP, begin, by, play_to


def test_help_reads_well() -> None:
    text = run("--help").stdout
    for name, entry in COMMANDS.items():
        assert f"  {name} " in text
        assert entry.line in text
    assert max(map(len, text.splitlines())) <= 100
    assert "Exit codes" in text


def test_what_is_no_command() -> None:
    result = run("shwo", code=2)
    assert "There is no command 'shwo'. Did you mean show?" in result.stderr


def test_a_database_address_for_a_file_is_recognised_and_not_printed() -> None:
    for command in (("list",), ("show", "k7f3q"), ("open",)):
        data = run(*command, "-d", "postgresql://kifu:hush@db/kifu", code=3).output
        assert "--server" in data
        assert "hush" not in data


def test_words_of_card_texts_are_printed_for_a_game_and_nothing_else() -> None:
    assert "| `do` | fields |" in run("cards", "--words", "--game", "gundam").stdout
    for more in (["ST01-004"], ["--json"], ["--deck", "ST01"]):
        assert "--words goes with --game only" in run("cards", "--words", *more, code=2).stderr


KINDS = ("renumbered", "wording", "meaning", "new", "gone")


def test_rules() -> None:
    (rule,) = answer("rules", "ygo:turn.phase.2")
    assert "Battle Phase" in rule["gist"]
    below = answer("rules", "ygo:turn")
    assert len(below) > 5
    assert all(row["id"].startswith("ygo:turn") for row in below)
    assert "gcg@1.9:3-2-6-3" in run("rules", "link", "attack").stdout
    assert "no rule" in run("rules", "zeppelin", code=3).stderr
    (reading,) = answer("rules", "reading:hf/A19")
    assert reading["kind"] == "reading"
    assert "hands" in reading["gist"]


def test_rules_of_several_editions() -> None:
    """The newest, if none is named; and what a rule is in the others."""
    (rule,) = answer("rules", "8-5-2-3-1")
    assert (rule["id"], rule["in"]) == ("gcg@1.9:8-5-2-3-1", {"1.0": ["gcg@1.0:7-6-2-4-1"]})
    (old,) = answer("rules", "gcg@1.0:7-6-2-4-1")
    assert (old["id"], old["in"]) == ("gcg@1.0:7-6-2-4-1", {"1.9": ["gcg@1.9:8-5-2-3-1"]})
    assert answer("rules", "7-6-2-4-1", "--edition", "1.0") == [old]
    assert (
        "'gundam@9.9'; there are gundam, gundam@1.9"
        in run("rules", "1", "--edition", "9.9", code=3).stderr
    )


def test_what_changed_between_editions() -> None:
    changes = answer("rules", "--changes", "1.0", "1.9")
    found = {change: [one for one in changes if one["change"] == change] for change in KINDS}
    assert sum(map(len, found.values())) == len(changes)
    assert found["new"][0]["id"] == "gcg@1.9:1-2-3"
    assert "gcg@1.0:11-1-1-3" in {one["was"] for one in found["gone"]}
    assert "first edition" in run("rules", "--changes", "1.9", "1.0", code=2).stderr


def test_rule_coverage(tmp_path) -> None:
    result = run("rules", "--coverage", "--tests", tmp_path, code=1)
    assert "without a witness" in result.stdout
    assert run("rules", "--coverage", "--all", "--json", "--tests", tmp_path, code=1)


def test_cards() -> None:
    (card,) = answer("cards", "ST01-001")
    assert (card["name"], card["ap"], card["hp"]) == ("Gundam", 3, 4)
    assert {c["type"] for c in answer("cards", "pilot", "--deck", "ST03")} >= {"pilot"}
    assert "Zaku Ⅱ" in run("cards", "zaku ii").stdout, "typographical variants are found"
    output = " ".join(run("cards", "ST01-004").stdout.split())
    assert "deploy When this card is deployed: rest 1 of your opponent's Units with HP 2" in output
    assert answer("cards", "ST01-004")[0]["texts"]["deploy"].startswith("When this card is")
    assert "no card" in run("cards", "zeppelin", code=3).stderr
    assert "there is no deck" in run("cards", "--deck", "X", code=3).stderr


@pytest.mark.parametrize(
    ("game", "word", "heads", "row"),
    [
        ("gundam", "guntank", "Lv AP HP cost", "ST01-004 Guntank unit 3 2 3 2"),
        ("hollow_flux", "lantern", "power cost", "HX-02 Lantern Duelist character 5000 4"),
        ("yugioh", "stardust", "ATK DEF stars", "44508094 Stardust Dragon monster 2500 2000 8"),
        ("battle_spirits", "red", "cost levels", "26RSD01-001 Mushakko spirit 3 1 2000; 2 3000"),
        ("battle_spirits", "nexus", "cost levels",
         "26RSD01-010 Utmost Depth: The Windfang Crag nexus 3 0; 2"),
    ],
)  # fmt: skip
def test_a_list_of_cards_has_the_figures_of_its_game(
    game: str, word: str, heads: str, row: str
) -> None:
    head, *rows = [
        " ".join(line.split()) for line in run("cards", word, "--game", game).stdout.split("\n")
    ]
    assert head == f"card name type {heads}"
    assert any(one == row for one in rows), rows


SCENARIO = """\
scenario A unit attacks the turn after it came
game gundam
position
    A battle: GM
A: attack GM -> player
    then attack.declared GM   gcg:7-3-1
"""


def test_scenarios(tmp_path) -> None:
    good, bad = tmp_path / "good.scenario", tmp_path / "bad.scenario"
    good.write_text(SCENARIO)
    bad.write_text(SCENARIO.replace("gcg:7-3-1", "gcg:7-4-1"))
    result = run("scenario", good, "-v")
    assert "1 scenario, 0 failed" in result.stdout
    assert "attacks player B with GM" in result.stdout
    result = run("scenario", tmp_path, code=1)
    assert "2 scenarios, 1 failed" in result.stdout
    assert f"{bad}:6" in result.stdout
    assert "expected" in result.stdout
    assert "happened" in result.stdout
    failed, *_, passed = answer_of(tmp_path)
    assert (failed["passed"], passed["passed"]) == (False, True)
    assert [one["game"] for one in answer_of(tmp_path)] == ["gundam", "gundam@1.9"] * 2
    assert not run("scenario", good).stderr


def test_files_of_a_folder_that_are_left_out_are_named_with_the_reason(tmp_path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "good.scenario").write_text(SCENARIO)
    (tmp_path / "linked").symlink_to(tmp_path / "below")
    for n in range(12):
        (tmp_path / f"{n:02}.txt").write_text(SCENARIO)
    result = run("scenario", tmp_path)
    assert "1 scenario, 0 failed" in result.stdout
    names, links = sorted(result.stderr.splitlines(), reverse=True)
    assert names.startswith(f"left out, names that do not end in .scenario: {tmp_path}/00.txt,")
    assert names.endswith("09.txt, … and 2 more")
    assert links == f"left out, folders behind a link: {tmp_path}/linked"


def answer_of(path) -> list[dict]:
    import json

    return json.loads(run("scenario", path, "--json", code=1).stdout)


def test_a_scenario_that_cant_be_read(tmp_path) -> None:
    path = tmp_path / "odd.scenario"
    path.write_text("scenario odd\ngame gundam\nposition\n    A nowhere: GM\n")
    assert "line 4" in run("scenario", path, code=1).stdout
    assert "there is no file" in run("scenario", tmp_path / "none", code=3).stderr


def test_no_server_and_no_file(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KIFU_SERVER", raising=False)
    result = run("list", code=3)
    assert result.stderr.startswith("kifu: there is no file matches.kifu")
    refused = run("list", "-s", "127.0.0.1:1", "-t", "x", code=3).stderr
    assert refused == "kifu: the server at 127.0.0.1:1 can't be reached\n"
    monkeypatch.setenv("KIFU_HOST", "0.0.0.0")
    monkeypatch.setenv("KIFU_PORT", "1")
    assert run("list", "-t", "x", code=3).stderr == refused, "told by the environment"


def test_what_is_not_there_is_called_by_its_name(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for args in (["verify"], ["show"], ["replay"], ["dispute", "--turn", "1"], ["export"]):
        data = run(args[0], "missing.jsonl", *args[1:], code=3).stderr
        assert data == "kifu: there is no file missing.jsonl\n", args
    data = run("why-not", "missing.jsonl", "pass", code=3).stderr
    assert data == "kifu: there is no file missing.jsonl\n"
    data = run("export", "-o", "no/such.jsonl", code=3).stderr
    assert data == "kifu: no/such.jsonl can't be written: there is no folder no\n"


def test_a_port_that_cannot_be_used_is_one_line(tmp_path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "replay_cli", "serve", "-p", str(port), "-d", tmp_path / "m"],
            capture_output=True, text=True, timeout=60,
        )  # fmt: skip
    data = f"kifu: can't listen on 127.0.0.1:{port}: address already in use\n"
    assert (done.returncode, done.stderr) == (3, data)


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (["show", "--decision", "1", "--seq", "2"], "name one point"),
        (["show", "--time", "soon"], "is no time"),
        (["list", "-s", "host:99999"], "is no address"),
        (["list", "-s", "http://host:1"], "is no address"),
        (["diff", "1"], "from where to where"),
        (["why", "gundam"], "which entry"),
        (["list", "--label", "x"], "not NAME=VALUE"),
        (["serve", "--tls-cert", __file__], "belong together"),
        (["simulate", "-n", "0"], "not in the range"),
        (["verify", "--offline"], "needs --data"),
    ],
)
def test_usage(args: list[str], text: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "matches.kifu").touch()
    assert text in run(*args, code=2).stderr


def test_points_in_a_word() -> None:
    assert parse_point("57") == parse_point("decision:57") == Point(decision=57)
    assert parse_point("seq:600") == Point(seq=600)
    assert parse_point("1:30") == Point(time=90_000)
    assert parse_point("now") == Point()
    assert milliseconds("1:02:03.5") == 3_723_500


# -- the protocol as files: all there is, and a compiler takes them by themselves ------------------


PROTO = Path(__file__).parents[3] / "proto"


def test_the_files_compile(tmp_path: Path) -> None:
    printed = run("proto", tmp_path / "out").output.split()
    found = sorted(str(path.relative_to(tmp_path / "out")) for path in map(Path, printed))
    ours = [str(path.relative_to(PROTO)) for path in PROTO.glob("kifu/v1/*.proto")]
    errors = ["google/rpc/error_details.proto", "google/rpc/status.proto"]
    assert found == sorted([*ours, *errors])
    includes = [f"-I{tmp_path}/out", f"-I{files('grpc_tools') / '_proto'}"]
    compiled = tmp_path / "set"
    assert protoc.main(["", *includes, f"--descriptor_set_out={compiled}", *found]) == 0
    services = {
        service.name
        for file in FileDescriptorSet.FromString(compiled.read_bytes()).file
        for service in file.service
    }
    assert {"MatchService", "CatalogService", "DeskService"} <= services


def test_a_place_that_can_not_be_written(tmp_path: Path) -> None:
    (tmp_path / "kifu").write_text("")
    printed = run("proto", tmp_path, code=1).output
    assert f"kifu: {tmp_path}/kifu/v1/admin_service.proto can't be written" in printed


# -- `kifu auto-pass`: left, shown and withdrawn by a seat's token, or for a seat at a real table --


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


# -- clocks on the board and in the transcript -----------------------------------------------------


HANDS = Clocks(round=2_100_000, seat=600_000, increment=1_000)
BOOK = Book.of(SETUP.rules)


def called() -> tuple[Match, list[Entry]]:
    match = begin(clocks=HANDS, end=EndOfTime(1, 300_000, ("shield",)))
    play_to(match, 3)
    clocks.call_time(match, by(match))
    return match, match.collect()


def test_the_board_shows_the_clocks_and_what_is_left() -> None:
    match, _ = called()
    drawn = board.draw(BOOK, match.pos).plain.splitlines()
    left = countdown(match.pos.left("round", match.pos.time))
    assert drawn[1] == f"round {left} · time was called, 1 turn left after this one, 5:00 left"
    for seat, name in enumerate(("Ann", "Ben")):
        shown = countdown(match.pos.left(f"seat/{seat}", match.pos.time))
        assert any(f"{name} · {SETUP.decks[seat]} {shown} " in row for row in drawn)
    clocks.pause(match, by(match))
    assert "the match is paused" in board.draw(BOOK, match.pos).plain


def test_the_transcript_tells_of_clocks_and_how_long_answers_took() -> None:
    match, log = called()
    clocks.set_clock(match, by(match), "seat/1", 60_000, False)
    log += match.collect()
    lines = narrate(BOOK, log)
    texts = [line.text for line in lines]
    assert "the round's clock shows 35:00" in texts
    assert "player B's clock shows 1:00, and stands still" in texts
    assert "time was called, 1 turn left after this one, 5:00 left" in texts
    answer = next(line for line in lines if line.ms)
    steps = {word.name: word.label for word in BOOK.manifest.steps}
    assert f"{answer.ms / 1000:.1f}s" in Columns(100, steps, timed=True).render(answer).plain
    assert f"{answer.ms / 1000:.1f}s" not in Columns(100, steps).render(answer).plain


def test_a_clock_that_has_run_out_shows_by_how_much() -> None:
    assert [countdown(ms) for ms in (60_000, 59_999, 0, -3_000, 3_600_000)] == [
        "1:00", "0:59", "0:00", "-0:03", "60:00",
    ]  # fmt: skip
    assert time_left(begin().pos, 5) == ""
