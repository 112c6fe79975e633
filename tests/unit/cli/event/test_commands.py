"""`kifu event`, from a file to the standings: what is done, what is said, what is asked first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from kifu.v1.tournament_service_pb2 import TournamentSummary

from domain.telling.names import countdown
from replay_cli.cells import width
from replay_cli.reaching import hosting
from service.client.client import Client
from tests.unit.cli.clis import answer, run

NUMBERS = count(1)
PEOPLE = ["Ann Ösel", "Ben Berg", "Cleo Costa", "Dan Dorn", "Eva Eder"]
EVENT = """
event = "{name}"
[end]
turns = 3
[format]
game = "gundam"
mode = "{mode}"
minutes = 35
rounds = 2
[players]
file = "players.csv"
[officials]
"Jo Judge" = "head judge"
"""


@pytest.fixture(scope="module", autouse=True)
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A server that all of these find by the environment."""
    data = tmp_path_factory.mktemp("event") / "m.kifu"
    with hosting.hosted(data, adds=True) as serving, pytest.MonkeyPatch.context() as patch:
        patch.setenv("KIFU_SERVER", serving.address)
        patch.setenv("KIFU_TOKEN", serving.token)
        patch.setenv("COLUMNS", "80")
        yield


def files(folder: Path, name: str, mode: str = "table") -> Path:
    """The file of an event with five players, of whom the last has no list, beside the table."""
    rows = [f"{one};K{n};{'ST0' + str(n) * (n < 5)}" for n, one in enumerate(PEOPLE, 1)]
    rows[-1] = "Eva Eder;K5;"
    (folder / "players.csv").write_text("\n".join(["name;id;deck", *rows]), "utf-16")
    file = folder / "event.toml"
    file.write_text(EVENT.format(name=name, mode=mode))
    return file


@pytest.fixture
def event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An event of which no match is recorded."""
    name = f"Cup {next(NUMBERS)}"
    made = run("event", "new", files(tmp_path, name, "none")).stdout
    assert "5 players were entered." in made
    monkeypatch.setenv("KIFU_EVENT", name.upper())
    return name


def shown(*args: object, code: int = 0) -> str:
    """What a command prints, which fits 80 columns; what is folded is joined again."""
    done = run("event", *args, code=code)
    assert all(width(line.rstrip()) <= 80 for line in done.output.splitlines()), done.output
    return done.stdout + " ".join(done.stderr.split())


def test_a_round_takes_three_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches are opened at all tables, wait, and go on with the round."""
    opened = answer("event", "new", files(tmp_path, "Harbour Open"))
    monkeypatch.setenv("KIFU_EVENT", opened["id"])
    checked = {row["name"]: row["list"] for row in answer("event", "decks", "check")}
    assert checked == {**dict.fromkeys(PEOPLE[:4], "accepted"), "Eva Eder": "missing"}
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("player,player\nEva Eder,Ben Berg\n")
    assert "no list is accepted of Eva Eder" in shown("open", "--from", pairs, code=1)
    shown("decks", "hand-in", "Eva", "ST01")
    shown("decks", "accept")
    shown("pair", "--swiss")
    text = shown("open")
    assert "Pairings by table" in text
    assert all(name in text for name in PEOPLE)
    assert "round 1 is open, and waits: kifu event start" in text
    round_ = answer("event", "show")
    (bye,) = [one["table"] for one in round_["tables"] if one["state"] == "bye"]
    matches = {one["match"] for one in round_["tables"] if one["match"]}
    assert {one["id"] for one in answer("list", "--state", "waiting")} == matches
    assert len(matches) == 2
    assert "round 1 has started: 35:00 on the clock" in shown("start")
    lacking = shown("end", code=1)
    assert "round 1 lacks the result of:" in lacking
    assert f"table {bye} " not in lacking
    slips = answer("event", "print", "slips", "--codes")["slips"]
    assert sorted(one["match"] for one in slips) == sorted(matches)
    ((code,),) = {tuple(one["code"] for one in slip["codes"]) for slip in slips[:1]}
    page = tmp_path / "slips.html"
    shown("print", "slips", "--codes", "-o", page, "--address", "hall.example:7777")
    assert page.stat().st_mode & 0o077 == 0
    assert page.read_text().count("<svg") == 2
    assert code not in page.read_text()  # it was exchanged
    run("event", "print", "names", "--codes", code=2)
    for one in answer("event", "show")["tables"]:
        if one["match"]:
            assert 0 < one["left_ms"] <= 2_100_000
            shown("result", one["table"], "1-0")
    unasked = shown("end", code=1)
    assert "Round 1 ends with the results of 3 tables." in unasked
    assert "nobody can be asked here: --yes says that it is meant" in unasked
    assert answer("event", "show")["stage"] == "started"
    run("event", "end", stdin="n\n")
    assert answer("event", "show")["stage"] == "started"
    assert "round 1 has ended" in run("event", "end", stdin="y\n").output
    assert answer("event", "show")["stage"] == "ended"


def test_results_are_entered_corrected_and_withdrawn(event: str, tmp_path: Path) -> None:
    shown("open")
    shown("start")
    tables = {one["table"]: one for one in answer("event", "show")["tables"]}
    first = tables[1]["player 1"]
    assert f"{first} won" in shown("result", 1, "1-0")
    assert "has a result: correct it" in shown("result", 1, "0-1", code=1)
    assert "is no result" in run("event", "result", 1, "lucky", code=2).output
    assert "no table 9" in shown("result", 9, "1-0", code=3)
    assert f"{tables[1]['player 2']} won" in shown("correct", 1, "0-1", "--why", "misread")
    assert "no result" in shown("withdraw", 1, "--why", "they play on")
    (tmp_path / "results.csv").write_text("table,result\n1,1-0\n2,both lost\n3,bye\n")
    found = shown("result", "--from", tmp_path / "results.csv")
    assert "table 2" in found
    assert "nobody won" in found
    assert "All tables have theirs." in found
    shown("end", "--yes")
    assert "going" not in shown("end", code=1)
    log = [row["what"] for row in answer("event", "log")]
    assert any(
        f"table 1 corrected: 0-1, {tables[1]['player 2']} won: misread" in one for one in log
    )
    assert "has no result: they play on" in shown("log", "-n", 9)
    rows = answer("event", "standings")
    assert [row["points"] for row in rows] == [3, 3, 0, 0, 0]
    assert {row["name"] for row in rows[:2]} == {first, tables[3]["player 1"]}
    assert shown("standings").splitlines()[3].split()[1:3] == rows[0]["name"].split()
    shown("export", "results", "-o", tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text("utf-8-sig").splitlines()[1].startswith("1,1,")
    shown("export", "standings", "-o", tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text()) == rows
    assert "Player" in shown("print", "standings")
    shown("open")
    assert "round 2 has not ended" in shown("finish", code=1)
    shown("start")
    for table in (1, 2):
        shown("result", table, "draw")
    shown("end", "--yes")
    assert "all 2 rounds that were planned are over" in shown("open", code=1)
    assert "ends after 2 rounds with the standings as they are" in shown("finish", code=1)
    assert f"{event} has ended" in shown("finish", "--yes")
    assert "the event has ended" in shown("players", "add", "Zoë", code=1)


def test_pairings_come_from_a_file_and_go_on_the_wall(event: str, tmp_path: Path) -> None:
    pairings = tmp_path / "pairings.csv"
    pairings.write_text("table,player,player\n7,K1,Ben Berg\n8,Cleo,#4\n")
    page = tmp_path / "wall.html"
    text = shown("pair", "--from", pairings, "--print", page, "--paper", "letter")
    assert "note: these do not play: Eva Eder" in text
    assert "Cleo Costa" in page.read_text()
    assert "size: letter" in page.read_text()
    pairings.write_text("player,player\nAnn,Zoe\n")
    assert "line 2, column player 2: no player is called 'Zoe'" in shown(
        "pair", "--from", pairings, code=1
    )
    assert [one["table"] for one in answer("event", "show")["tables"]] == [7, 8]
    assert answer("event", "pair", "--bracket")["by"] == "elimination"
    for what, seen in (("names", "Ann Ösel"), ("slips", "Signature"), ("pairings", "Ann Ösel")):
        assert seen in shown("print", what)
        shown("print", what, "-o", page)
        assert seen in page.read_text()
    assert "can't be written" in shown("print", "slips", "-o", tmp_path / "no" / "x.html", code=3)


def test_players_drop_come_late_and_are_called_otherwise(event: str, tmp_path: Path) -> None:
    assert "Zoë is player 6." in shown("players", "add", "Zoë", "--key", "K9")
    assert "there is a player zoë already" in shown("players", "add", "zoë", code=1)
    shown("players", "drop", "K9", "--why", "the last train")
    assert "player Zoë has dropped already" in shown("players", "drop", "#6", code=1)
    shown("players", "reinstate", "6")
    assert "player 6 is Zoë Zorn (K9)." in shown("players", "correct", "6", "--name", "Zoë Zorn")
    assert "may be Ben Berg" not in shown("players", "drop", "Nobody", code=3)
    people = answer("event", "players")
    assert people[-1] == {
        "number": 6, "name": "Zoë Zorn", "key": "K9", "dropped": False, "list": "",
    }  # fmt: skip
    more = tmp_path / "more.csv"
    more.write_text("name,deck,town\nFinn,ST02,Ulm\nann ösel,,\n")
    assert "line 3, column name: 'ann ösel' is a player already" in shown(
        "players", "import", more, code=1
    )
    more.write_text("name,deck,town\nFinn,ST02,Ulm\nGita,,\n")
    found = shown("players", "import", more)
    assert "2 players were entered." in found
    assert "not looked at: town" in found
    shown("officials", "Kim", "--role", "scorekeeper")
    assert answer("event", "officials") == {"Jo Judge": "head judge", "Kim": "scorekeeper"}


def test_lists_are_fixed_reopened_shown_and_published(event: str, tmp_path: Path) -> None:
    assert "is accepted: it is fixed" in shown("decks", "hand-in", "Ann", "ST02", code=1)
    shown("decks", "reopen", "Ann", "--why", "a card was misread")
    (tmp_path / "ann.toml").write_text('name = "Mine"\n[main]\n"ST01-001" = 9\n')
    (tmp_path / "lists.csv").write_text("name,deck\nAnn Ösel,ann.toml\n")
    assert "Ann Ösel: " in shown("decks", "import", tmp_path / "lists.csv")
    assert "there are faults in the list of Ann Ösel" in shown("decks", "accept", "Ann", code=1)
    text = shown("decks", "show", "Ann")
    assert "   9 ST01-001  Gundam" in text
    assert "! " in text
    assert "Everybody can read 3 lists" in shown("decks", "publish", code=1)
    shown("decks", "publish", "--yes")


def test_codes_are_printed_for_an_event_that_is_named_anyhow(event: str, tmp_path: Path) -> None:
    sheet = tmp_path / "slips.html"
    seen = shown("codes", "--for=players", "--for=officials", "--slips", sheet)
    assert [seen.count(name) for name in (*PEOPLE, "head judge")] == [1] * 6
    assert sheet.read_text("utf-8").count("<svg") == 6
    assert "6 slips are in" in seen
    assert len(answer("codes", "--event", event, "--for", "player=ann ösel")["codes"]) == 1
    assert "there is no event" in run("codes", "--event", "Nowhere", code=3).stderr


def test_clocks_and_calls(event: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no round is paired yet" in shown("show")
    shown("open")
    assert "has not been started" in shown("extend", "5", code=1)
    shown("start")
    assert "table 2 has 1:30 more." in shown("extend", "1:30", "--tables", "2", "--why", "a call")
    assert "round 1 has 2:00 less." in shown("extend", "--", "-2")
    assert "tables 1, 2 stand still." in shown("pause", "--tables", "1,2")
    assert answer("event", "log")[-1]["what"] == "tables 1, 2 of round 1 stand still"
    assert shown("show").count("stands still") == 2
    shown("resume")
    left = {one["table"]: one["left_ms"] for one in answer("event", "show")["tables"]}
    assert 85_000 < left[2] - left[1] < 95_000
    assert "are no tables such as 3,5" in run("event", "pause", "--tables", "x", code=2).output
    assert "call 1: a judge to table 2" in shown("call", "raise", 2, "slow play")
    assert "slow play" in shown("show")
    shown("call", "take", 1)
    assert answer("event", "call", "list")[0]["taken_by"]
    assert "2:00 were given" in shown("call", "answer", 1, "warned", "--give", "2")
    assert "nobody calls" in shown("call", "list")
    assert "warned" in shown("call", "list", "--all")
    taken = answer("event", "call", "list", "--all")[0]
    assert taken["raised"] <= taken["taken"] <= taken["answered"]
    came, took = (
        countdown(taken[end] - taken[start])
        for start, end in (("raised", "taken"), ("taken", "answered"))
    )
    shown("call", "raise", 1)
    monkeypatch.setattr(Client, "watch_tournament", Client.list_tournament_entries)  # and ends
    assert shown("call", "watch").splitlines() == ["call 2, table 1: waits"]
    monkeypatch.setattr(
        Client, "watch_tournament", lambda at, id_, _: at.list_tournament_entries(id_)
    )
    assert shown("call", "watch").splitlines()[1:] == [
        "call 1, table 2 “slow play”: waits",
        f"call 1, table 2 “slow play”: organiser goes there, after {came}",
        f"call 1, table 2 “slow play”: settled in {took}, 2:00 more for the table: warned",
        "call 2, table 1: waits",
    ]
    asked = shown("time", code=1)
    assert "Time is called for tables 1, 2 of round 1: 3 turns more." in asked
    shown("time", "--yes")
    assert shown("show").count("time called") == 2
    entry = answer("event", "penalty", "Ann", "warning", "--note", "late")["entry"]
    assert "late" in shown("penalty", "Ann")
    assert "there are no penalties" in shown("penalty", "Ben Berg")
    shown("penalty", "--withdraw", entry, "--why", "he was in time")
    assert "withdrawn: he was in" in " ".join(shown("penalty").split())
    shown("note", "watch table 2", "--table", 2, "--player", "Ann")
    assert answer("event", "log")[-1]["what"] == "note about table 2, Ann Ösel: watch table 2"


def test_which_event_is_meant(event: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = files(tmp_path, "Another", "none")
    other.with_name("players.csv").write_text("name\nAnn\n")
    assert "1 player was entered." in run("event", "new", other).stdout
    assert "· 1 player\n" in shown("show", "-e", "Another")
    assert "Another" in shown("list")
    other.write_text(other.read_text().replace("rounds = 2", "rounds = 5"))
    shown("change", other, "--why", "more came", "-e", "Another")
    assert answer("event", "show", "-e", "Another")["planned"] == 5
    assert shown("show").startswith(event)
    monkeypatch.delenv("KIFU_EVENT")
    asked = shown("open", code=2)
    assert "several events may be meant: name one with --event" in asked
    assert event in asked
    assert "there is no event 'x'; there are:" in shown("open", "-e", "x", code=3)
    (id_,) = [one["event_id"] for one in answer("event", "list") if one["name"] == "Another"]
    assert shown("show", "-e", id_).startswith("Another")


def test_the_public_reads_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = answer("event", "new", files(tmp_path, "Open to all", "none"))
    monkeypatch.setenv("KIFU_TOKEN", opened["public"])
    assert [row["key"] for row in answer("event", "players")] == [""] * 5
    assert shown("show").startswith("Open to all")
    run("event", "open", code=4)
    monkeypatch.setenv("KIFU_TOKEN", opened["official"])
    assert "round 1 is open" in shown("open")


def test_a_match_whose_round_has_ended_is_none_that_is_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results were typed: what was opened at the tables waits no more."""
    opened = answer("event", "new", files(tmp_path, "Typed"))
    id_ = opened["id"]
    monkeypatch.setenv("KIFU_EVENT", id_)
    monkeypatch.setenv("KIFU_TOKEN", opened["official"])
    shown("players", "drop", "Eva Eder")
    shown("open")
    shown("start")
    assert "several matches may be meant" in run("desk", "note", "x", code=2).output
    for table in (1, 2):
        shown("result", table, "1-0")
    shown("end", "--yes")
    assert "no matches" in run("list", "--event", id_, "--state", "waiting").stdout
    assert len(answer("list", "--event", id_)) == 2
    shown("players", "drop", "Ann Ösel")
    shown("players", "drop", "Ben Berg")
    shown("open")
    run("desk", "note", "x")


def test_a_damaged_event_is_named_and_keeps_no_other_from_being_found(
    event: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KIFU_EVENT")
    (whole,) = [one for one in answer("event", "list") if one["name"] == event]
    rows = [
        TournamentSummary(event_id="torn", broken="event torn: entry 3 is damaged"),
        TournamentSummary(event_id=whole["event_id"], name=event),
    ]
    monkeypatch.setattr(Client, "list_tournaments", lambda client: iter(rows))
    assert "is damaged" in " ".join(shown("list").split())
    assert "Ann Ösel" in shown("players")
