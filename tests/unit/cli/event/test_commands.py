"""`kifu event`, from a file to the standings: what is done, what is said, what is asked first."""

from __future__ import annotations

import csv
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
from tests.support.waiting import until
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
    started = shown("start")
    assert "round 1 has started: 35:00 on the clock" in started
    assert "not begun; who won the roll is missing" in " ".join(started.split())
    assert "has begun" not in started + shown("start")
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
    assert "Zoë Zorn is here: 1 of 6 are checked in." in shown("check-in", "K9", "--id")
    assert "player Zoë Zorn is checked in already" in shown("check-in", "6", code=1)
    assert "Zoë Zorn is not here: 0 of 6" in shown("check-in", "6", "--absent")
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


def test_decks_are_drawn_and_checked_and_lists_are_exported(event: str, tmp_path: Path) -> None:
    drawn = shown("check", "draw", "-n", 2)
    who = drawn.splitlines()[0].removeprefix("to be checked: ")
    assert "0 decks of 5 checked (0.0 %)" in drawn
    assert "say how many more" in shown("check", "draw", code=1)
    text = shown("check", "deck", who, "51 cards")
    assert "a fault, 51 cards" in text
    assert "1 deck of 5 checked (20.0 %)" in text
    assert "as listed" in shown("check", "deck", who)
    shown("check", "draw", "--cut", "-n", 1)
    assert [one["fault"] for one in answer("event", "check", "list")].count("51 cards") == 1
    assert "to be checked" in shown("check", "list")
    shown("export", "lists", "-o", tmp_path / "lists.csv")
    rows = [*csv.DictReader((tmp_path / "lists.csv").read_text("utf-8-sig").splitlines())]
    assert {"name", "part", "count", "card", "card name"} < rows[0].keys()
    assert all(row["card name"] for row in rows)
    shown("export", "lists", "-o", tmp_path / "lists.json")
    assert len(json.loads((tmp_path / "lists.json").read_text())) == len(rows)


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
    assert "2:00 given" in shown("call", "answer", 1, "warned", "--give", "2")
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


def test_infractions_propose_their_penalty_and_lateness_goes_by_the_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = files(tmp_path, "By the book", "none")
    file.write_text(file.read_text().replace("[end]\nturns = 3", 'rules = "bandai-2025"'))
    shown("new", file)
    monkeypatch.setenv("KIFU_EVENT", "By the book")
    first = shown("penalty", "Ann", "--infraction", "slow-play", "--yes")
    assert "Warning for Ann Ösel: it costs no game." in " ".join(first.split())
    asked = shown("penalty", "Ann", "--infraction", "slow-play", code=1)
    assert "Slow play (trm:7.4): usually warning. Before: warning, entry" in asked
    assert "Game Loss for Ann Ösel" in asked
    more = ("--game", "accepted", "--note", "a minute a card", "--json")
    done = answer("event", "penalty", "Ann", "--infraction", "slow-play", "-y", *more[:-1])
    assert done["kind"] == "game-loss"
    listed = " ".join(shown("penalty", "Ann").split())
    assert "Slow play" in listed
    assert "there is no infraction 'x'" in shown("penalty", "Ann", "--infraction", "x", code=1)
    assert "no round" in shown("late", "Ann", code=3)
    shown("open", "--swiss")
    assert "has not been started" in shown("late", "Ann", code=1)
    shown("start")
    late = " ".join(shown("late", "--table", 1, "--yes").split())
    assert late.count("Warning for") == 2
    log = [line["what"] for line in answer("event", "log")]
    assert any("Warning, for Not at the table in time (trm:7.4.2-1)" in what for what in log)
    seated = next(one for one in answer("event", "show")["tables"] if one["state"] != "bye")
    gone = shown("players", "drop", seated["player 1"], code=1)
    assert "drops, and gives up the match at table" in gone


def test_a_desk_proposes_by_the_policy_of_its_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = files(tmp_path, "Desks", "dealer")
    text = file.read_text().replace("[end]\nturns = 3", 'rules = "bandai-2025"')
    file.write_text(text.replace("minutes = 35", 'minutes = 35\noptions.limits = ""'))
    id_ = answer("event", "new", file)["id"]
    monkeypatch.setenv("KIFU_EVENT", "Desks")
    shown("players", "drop", "Eva")
    shown("open", "--swiss")
    shown("start")
    first, *_ = [one["player 2"] for one in answer("event", "show")["tables"]]
    match, slowly = f"{id_}.r1.t1", ("B", "--infraction", "slow-play")

    def desk(*args: object, code: int = 0, stdin: str = "") -> str:
        return " ".join(run("desk", "penalise", *args, code=code, stdin=stdin).output.split())

    asked = desk(match, *slowly, stdin="y\n")
    assert f"Slow play (trm:7.4): usually warning. Warning for {first}." in asked
    assert "The penalty was recorded" in asked
    until(lambda: "Slow play" in shown("penalty", first))
    asked = desk(match, *slowly, stdin="n\n")
    assert "Before: warning, round 1, entry" in asked
    assert "player B loses the game" in asked
    assert "there is no infraction 'x'" in desk(match, "B", "--infraction", "x", code=1)
    assert "name the penalty" in desk(match, "B", code=2)
    assert "several matches may be meant" in desk(*slowly, code=2)  # B is no match
    assert "The penalty was recorded" in desk(match, "A", "caution", "--game", "accepted")
    text = desk(match, "A", "caution", "--game", "lost", code=1)
    assert "a game is one of repaired, irreparable, accepted" in text


def test_a_fault_in_a_deck_costs_what_is_usual_once_that_is_agreed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = files(tmp_path, "Checked", "dealer")
    text = file.read_text().replace("[end]\nturns = 3", 'rules = "bandai-2025"')
    file.write_text(text.replace("minutes = 35", 'minutes = 35\noptions.limits = ""'))
    shown("new", file)
    monkeypatch.setenv("KIFU_EVENT", "Checked")
    text = " ".join(shown("check", "deck", "Ann", "49 cards").split())
    assert "kifu event penalty 'Ann Ösel' --infraction deck-and-list|number-of-cards" in text
    unlike = ("Ann", "49 cards", "--infraction", "number-of-cards")
    asked = shown("check", "deck", *unlike, code=1)
    assert "(trm:7.4): usually game-loss. Game Loss for Ann Ösel: it falls on the next" in asked
    assert len(answer("event", "check", "list")) == 1
    done = " ".join(shown("check", "deck", *unlike, "--yes").split())
    assert "a fault, 49 cards Game Loss for Ann Ösel: it falls on the next match." in done
    (given,) = answer("event", "penalty")
    assert (given["infraction"], given["note"]) == ("number-of-cards", "49 cards")
    assert len(answer("event", "check", "list")) == 2
    shown("check", "deck", "Ben", "--infraction", "number-of-cards", code=2)  # no fault
    bad = shown("check", "deck", "Ben", "x", "--infraction", "x", code=1)
    assert "there is no infraction 'x'" in bad
    shown("players", "drop", "Eva")
    shown("open", "--swiss")
    shown("start")
    (lost,) = [one["match"] for one in answer("event", "show")["tables"] if "Ann" in str(one)]
    until(lambda: answer("event", "penalty")[0]["match"] == lost)


def test_printed_cards_are_asked_before_an_event_brings_them(tmp_path: Path) -> None:
    file = files(tmp_path, "Printed")
    file.write_text(file.read_text().replace("minutes = 35", 'prints = ["printed.json"]'))
    card = {
        "card_number": "ZZ01-001", "name": "Harbour Watch", "card_type": "UNIT", "color": "Blue",
        "level": 3, "cost": 2, "ap_raw": "2", "hp_raw": "4", "zone": "Space Earth",
        "traits": ["Harbour"], "link": "-", "effect": "【Deploy】Draw 1.",
    }  # fmt: skip
    (tmp_path / "printed.json").write_text(json.dumps([card]), "utf-8")
    refused = run("event", "new", file, stdin="n\n", code=1).output
    assert "ZZ01-001 Harbour Watch" in refused
    assert "Is it what they do?" in refused
    assert not [one for one in answer("event", "list") if one["name"] == "Printed"]
    id_ = answer("event", "new", file, "--yes")["id"]
    change = ("event", "change", file, "--why", "so", "--event", id_)
    assert "--yes says that it is meant" in run(*change, code=1).stderr
    run(*change, "--yes")


def test_standings_cite_the_manual_where_it_settles_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = files(tmp_path, "By the formula", "none")
    text = file.read_text().replace("[end]\nturns = 3", 'rules = "bandai-2025"')
    file.write_text(text)
    shown("new", file)
    monkeypatch.setenv("KIFU_EVENT", "By the formula")
    assert "By the formula · by trm:5.4" in shown("standings")
    explained = " ".join(shown("standings", "--explain", "Ann").split())
    assert "by trm:5.4: Points, own win rate without byes" in explained
    file.write_text(text.replace("minutes = 35", "minutes = 35\npoints = [2, 1, 0]"))
    shown("change", file, "--why", "two points", "--yes")
    assert "trm:5.4" not in shown("standings")


def test_who_is_barred_and_appeals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = files(tmp_path, "Strict", "none")
    text = file.read_text().replace("[end]\nturns = 3", 'rules = "bandai-2025"')
    file.write_text(text.replace('"players.csv"', '"players.csv"\nbarred = ["Max Maus"]'))
    shown("new", file)
    monkeypatch.setenv("KIFU_EVENT", "Strict")
    refused = shown("players", "add", "max maus", code=1)
    assert "max maus is barred from this event" in refused
    assert "trm:1.2" in refused
    assert "player Jo Judge is named as an official" in shown("players", "add", "Jo Judge", code=1)
    shown("players", "bar", "Max Maus", "--lift")
    shown("players", "bar", "K99", "--why", "suspended")
    assert "barred from this event" in shown("players", "add", "Max Maus", "--key", "K99", code=1)
    shown("players", "add", "Max Maus")
    shown("open", "--swiss")
    shown("start")
    shown("call", "raise", 1, "is that so?")
    assert "not settled" in shown("appeal", "raise", "no", "--call", 1, code=1)
    shown("call", "answer", 1, "it is")
    assert "appeal 1, for Jo Judge" in shown("appeal", "raise", "no", "--call", 1)
    assert "does not stand" in shown("appeal", "answer", 1, "it is not", "--overturn")
    listed = " ".join(shown("appeal", "list").split())
    assert "call 1" in listed
    assert "overturned; it is" in listed


def test_what_would_change_is_shown_before_it_does(event: str, tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text("player,player\nAnn Ösel,Ben Berg\nCleo Costa,Dan Dorn\nEva Eder,bye\n")
    shown("open", "--from", file)
    assert "round 1 has started: 35:00 on the clock" in shown("start")
    repeated = shown("start")
    assert "round 1 is being played already: 34:" in repeated
    assert "35:00" not in repeated
    results = tmp_path / "results.csv"
    results.write_text("table,result\n1,1-0\n2,0-1\n")
    shown("result", "--from", results)
    shown("correct", 2, "1-0", "--why", "the wrong way round")  # nothing follows from it yet
    refused = shown("result", "--from", results, code=1)
    assert "line 3: table 2 has another result (1-0): kifu event correct 2" in refused
    shown("end", "--yes")
    asked = shown("correct", 1, "0-1", "--why", "the wrong way round", code=1)
    assert "Round 1 is over. Places change: " in asked
    assert "Ann Ösel 1 →" in asked
    shown("open", "--swiss")
    asked = shown("correct", 1, "0-1", "--why", "so", "--round", 1, code=1)
    assert "Rounds that were paired by it stay as they are: 2." in asked
    assert "0-1" in shown("correct", 1, "0-1", "--why", "so", "--round", 1, "--yes")


def test_a_file_without_a_mode_is_read_as_one_of_real_tables(tmp_path: Path) -> None:
    file = files(tmp_path, "No mode")
    file.write_text(file.read_text().replace('mode = "table"\n', ""))
    made = run("event", "new", file)
    assert 'Players in browsers need mode = "dealer"' in " ".join(made.stderr.split())
    assert "mode is not said" not in run("event", "new", files(tmp_path, "Mode")).stderr


SEALED = """
event = "{name}"
[format]
game = "gundam"
[pools]
way = "sealed"
pod = 4
size = [6, 60]
deck = 5
free = ["resource"]
[players]
file = "people.csv"
"""


def test_pools_are_registered_and_decks_built_from_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = PEOPLE[:4]
    (tmp_path / "people.csv").write_text("name\n" + "\n".join(people) + "\n")
    (tmp_path / "cup.toml").write_text(SEALED.format(name="Sealed Cup"))
    (tmp_path / "pool.txt").write_text("3 ST01-001\n4 ST01-005\n")
    (tmp_path / "deck.txt").write_text("1 ST01-001\n4 ST01-005\n10 R-001\n")
    (tmp_path / "more.txt").write_text("4 ST01-001\n3 ST01-005\n10 R-001\n")
    (tmp_path / "small.txt").write_text("3 ST01-001\n")
    monkeypatch.setenv("KIFU_EVENT", answer("event", "new", tmp_path / "cup.toml")["id"])
    assert "no pods are drawn" in shown("pods")
    assert "1 pod: 4" in shown("pods", "draw")
    assert "0 pools are registered by now" in shown("pods", "draw", code=1)
    assert all(name in shown("pods") for name in people)
    assert len(answer("event", "pods")["pods"]) == 4
    table = "name;pool\n" + "".join(f"{name};pool.txt\n" for name in people[:3])
    (tmp_path / "pools.csv").write_text(table.replace("pool.txt", "small.txt", 1))
    some = shown("pools", "import", tmp_path / "pools.csv", code=1)
    assert "2 pools are registered; refused: Ann Ösel: a pool has 6 to 60 cards, not 3" in some
    (tmp_path / "pools.csv").write_text(table)
    assert "3 pools are registered" in shown("pools", "import", tmp_path / "pools.csv")
    refused = shown("pools", "register", "Dan", tmp_path / "small.txt", code=1)
    assert "a pool has 6 to 60 cards, not 3" in refused
    assert "1 pool is registered" in shown("pools", "register", "Dan", tmp_path / "pool.txt")
    assert [row["cards"] for row in answer("event", "pools", "check")] == [7] * 4
    assert "   4 ST01-005" in shown("pools", "show", "Dan")
    shown("pools", "close")
    for name in people:
        shown("decks", "hand-in", name, tmp_path / "deck.txt")
    assert "4 copies of" in shown("decks", "hand-in", "Dan", tmp_path / "more.txt")
    (dan,) = [row["list"] for row in answer("event", "decks", "check") if row["name"] == "Dan Dorn"]
    assert dan == "4 copies of Gundam (ST01-001); 3 in the pool"
    shown("decks", "hand-in", "Dan", tmp_path / "deck.txt")
    assert "4 lists are accepted" in shown("decks", "accept")
    shown("open")
    assert "the pool of Dan Dorn is registered: 7 cards" in shown("log")
    assert "Sealed Cup" in shown("print", "pods")
    assert "Ann Ösel" in run("event", "export", "topdeck").output
    assert run("event", "export", "pools").stdout.count("ST01-005,GM") == 4
