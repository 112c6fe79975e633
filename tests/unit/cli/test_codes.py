"""People get slips with codes, join by them, and the commands that follow know who they are."""

from __future__ import annotations

import json
import re
import stat
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from domain.telling.names import countdown
from domain.tournament.record import HEAD_JUDGE, Format, Table
from replay_cli.reaching import joined
from replay_cli.reaching.hosting import hosted
from service.client.client import Client, connect
from service.credentials import spelling
from tests.support import qr
from tests.unit.cli.clis import answer, run

Where = tuple[str, ...]


@pytest.fixture(scope="module")
def organiser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Client, Where]]:
    """The client of an organiser, and how the command line reaches his server."""
    path = tmp_path_factory.mktemp("codes") / "matches.kifu"
    with hosted(path) as server, connect(server.address, server.token) as client:
        yield client, ("--server", server.address, "--token", server.token)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user who has joined nothing, in a folder without matches."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("APPDATA", str(tmp_path))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def issued(*args: object) -> list[Any]:
    found: list[Any] = answer("codes", *args)["codes"]
    return found


def at(where: Where) -> Where:
    """The server, without a token."""
    return where[:2]


def opened(client: Client, **more: Any) -> str:
    return client.open_match("gundam", ["Ann", "Ben"], ["ST01", "ST03"], **more).id


def test_who_joins_by_a_code_is_known_from_then_on(
    organiser: tuple[Client, Where], home: Path
) -> None:
    client, where = organiser
    match = opened(client)
    ann, ben = issued(match, *where)
    assert (ann["issued"]["holder"]["seat"], ben["link"]) == (
        0,
        f"kifu://{where[1]}/join#{ben['code']}",
    )
    assert "named" in run("show", match, code=3).stderr
    output = run("join", ann["code"].lower(), *at(where)).stdout
    assert "You are Ann, player A of match" in output
    assert "it has begun" in output
    assert stat.S_IMODE(joined.file().stat().st_mode) == 0o600
    assert stat.S_IMODE(joined.file().parent.stat().st_mode) == 0o700
    assert "Ann" in run("show", match).stdout  # neither server nor token is named
    assert run("show", match, *at(where)).stdout == run("show", match).stdout
    assert [one["id"] for one in answer("list")] == [match]
    assert "You are Ann" in run("join").stdout  # again, by the code that was kept
    run("join", ben["link"])
    assert json.loads(joined.file().read_text())[0]["code"] == ben["code"]
    assert len(json.loads(joined.file().read_text())) == 1
    token = joined.token(where[1])
    assert token not in run("list").stdout
    joined.file().chmod(0o644)  # others can read it: it is not believed
    assert joined.find() is None
    assert run("show", match, code=3)


def test_a_malformed_code_is_refused_without_a_request(
    organiser: tuple[Client, Where], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, where = organiser
    good = spelling.new()
    slip = good[:-1] + ("2" if good[-1] != "2" else "3")
    assert "a letter is wrong" in run("join", slip, "--server", "127.0.0.1:1", code=1).stderr
    assert "is not valid" in run("join", good, *at(where), code=4).stderr
    assert "no server was named" in run("join", good, code=3).stderr
    assert not joined.file().exists()
    joined.file().parent.mkdir(parents=True)
    joined.file().mkdir()
    assert "no server was named" in run("join", good, code=3).stderr


def test_a_telephone_is_led_to_the_pages_by_what_is_drawn(
    organiser: tuple[Client, Where], home: Path
) -> None:
    client, where = organiser
    match, web = opened(client), "https://kifu.example.org"
    sheet = home / "slips.html"
    output = run("codes", match, "--once", "--qr", "--web", web, "--slips", sheet, *where).stdout
    codes = re.findall(r"^([0-9A-Z]{4}-[0-9A-Z]{4})\b", output, re.MULTILINE)
    assert qr.codes(output) == [f"{web}/in#{code}" for code in codes]
    assert f"{web}/in</p>" in sheet.read_text("utf-8")
    assert "once, until" in run("codes", "list", match, *where).stdout
    run("join", f"{web}/in#{codes[0]}", *at(where))
    assert "is not valid" in run("join", codes[0], *at(where), code=4).stderr
    assert "used up" in run("codes", "list", match, "--past", *where).stdout
    plain = run("codes", match, "--for", "A", "--qr", "--address", "10.0.0.5:7777", *where).stdout
    assert qr.codes(plain)[0].startswith("kifu://10.0.0.5:7777/join#")


def test_slips_are_printed_for_an_event_and_followed_through_it(
    organiser: tuple[Client, Where], home: Path
) -> None:
    client, where = organiser
    event = client.open_tournament("Cup <1>", Format("gundam", mode="table")).id
    people = client.enter_players(event, ["Ann", "Ben", "Cat & Co", "Dan"])
    for player in people:
        client.hand_in_list(event, player, "ST01")
    client.accept_lists(event, people)
    client.name_official(event, "Jo", HEAD_JUDGE)
    sheet = home / "slips.html"
    asked = [f"--for={who}" for who in ("players", "officials", "table=1-2", "public", "public=2")]
    made = ("--event", event, *asked, "--slips", sheet, "--address", "10.0.0.5:7777", "--qr")
    output = run("codes", *made, *where).stdout
    codes = re.findall(r"^([0-9A-Z]{4}-[0-9A-Z]{4})\b", output, re.MULTILINE)
    html = sheet.read_text("utf-8")
    assert stat.S_IMODE(sheet.stat().st_mode) == 0o600
    assert len(codes) == 4 + 1 + 2 + 1 + 1
    assert all(html.count(f">{code}<") == 1 for code in codes)
    assert html.count("<svg") == len(codes)
    assert output.count("▄▄▄▄▄▄▄") >= len(codes)
    for text in ("Cat &amp; Co", "Cup &lt;1&gt;", "Table 2", "head judge", "at 10.0.0.5:7777"):
        assert text in html
    assert not re.search(r"<script|http-equiv=.refresh|src=|href=", html)
    ann, jo, keeper = codes[0], codes[4], codes[5]
    assert "no match yet" in run("join", ann, *at(where), code=1).stderr
    client.pair_round(event, [Table(1, 2, 1), Table(2, 3, 4)])
    client.open_round(event)
    assert f"You are Ann, player B of match {event}.r1.t1: round 1, table 1" in run("join").stdout
    assert answer("list")[0]["id"] == f"{event}.r1.t1"
    output = run("join", keeper, *at(where)).stdout
    assert output == f"You are the scorekeeper of match {event}.r1.t1: round 1, table 1.\n"
    assert f"Jo, an official of event {event}" in run("join", jo, *at(where)).stdout
    assert "seat A" not in run("codes", "list").stdout  # he sees his event's, and no more
    assert len(answer("codes", "list")["codes"]) == 9
    (lost,) = issued("--event", event, "--for=player=ann", "--replace", *where)
    assert "is not valid" in run("join", ann, *at(where), code=4).stderr
    client.drop_player(event, people[0], "ill")
    assert run("join", lost["code"], *at(where))  # this round she plays to its end
    for wrong in ("player=Max", "official=Max", "table=0", "table=9-1", "judges", "players=3"):
        assert run("codes", "--event", event, "--for", wrong, *where, code=2)
    named = ("--event", "cup <1>")  # by its name, as everywhere
    assert answer("codes", "list", *named, *where) == answer(
        "codes", "list", "--event", event, *where
    )
    assert answer("tokens", "list", *named, *where)["tokens"]
    assert run("codes", "revoke", *named, *where, stdin="n", code=1)
    output = run("codes", "revoke", *named, *where, stdin="y").stdout
    assert "9 of the codes, 3 of the tokens" in output  # but for that of the old slip
    assert run("list", code=4)


def paired(client: Client) -> str:
    """An event with two tables whose first round is open."""
    event = client.open_tournament("Cup", Format("gundam", mode="table", seconds=3000)).id
    people = client.enter_players(event, ["Ann", "Ben", "Cat", "Dan"])
    for player in people:
        client.hand_in_list(event, player, "ST01")
    client.accept_lists(event, people)
    client.pair_round(event, [Table(1, 2, 1), Table(2, 3, 4)])
    client.open_round(event)
    return event


def test_a_judge_is_called_from_where_one_has_joined(organiser: tuple[Client, Where]) -> None:
    client, where = organiser
    event = paired(client)
    asked = [f"--for={who}" for who in ("player=Ann", "table=2", "official", "public=1")]
    ann, keeper, official, public = (
        one["code"] for one in issued("--event", event, *asked, *where)
    )
    run("join", ann, *at(where))
    assert answer("call", "a trigger was missed") == {"event": event, "table": 1, "call": 1}
    run("join", keeper, *at(where))
    assert "A judge is called to table 2." in run("call", "--player", "B").stdout
    assert "is not one of A, B" in run("call", "--player", "C", code=2).stderr
    calls = client.get_tournament(event).calls
    assert [(one.table, one.player, one.text) for one in calls.values()] == [
        (1, 1, "a trigger was missed"), (2, 4, ""),
    ]  # fmt: skip
    run("join", official, *at(where))
    assert "for no table" in run("call", code=4).stderr
    run("join", public, *at(where))
    assert "who sits at the table" in run("call", code=4).stderr
    match = opened(client)
    token = client.issue_tokens(match).seats[0]
    assert "belongs to no event" in run("call", *at(where), "--token", token, code=1).stderr


def test_a_caller_sees_who_comes_and_when(organiser: tuple[Client, Where]) -> None:
    client, where = organiser
    event = paired(client)
    client.start_round(event)
    (ann,) = issued("--event", event, "--for=player=Ann", *where)

    def judge() -> None:
        last = time.monotonic() + 20
        while not client.get_tournament(event).calls and time.monotonic() < last:
            time.sleep(0.02)
        client.raise_call(event, 2, "another one")
        client.take_call(event, 2)
        client.take_call(event, 1)
        client.answer_call(event, 1, "play on", 90)

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(judge)
        run("join", ann["code"], *at(where))
        output = run("call", "slow play", "--wait").stdout.splitlines()
        done.result()
    call = client.get_tournament(event).calls[1]
    came, took = countdown(call.taken - call.raised), countdown(call.answered - call.taken)
    assert output == [
        "A judge is called to table 1.", f"organiser comes, after {came}.",
        f"Settled in {took}; 1:30 more. play on",
    ]  # fmt: skip


def test_codes_of_a_match_are_listed_and_revoked(organiser: tuple[Client, Where]) -> None:
    client, where = organiser
    match = opened(client, mode="table", rolls=[(0,)])
    assert [one["issued"]["holder"]["role"] for one in issued(match, *where)] == [
        "seat", "seat", "scorekeeper",
    ]  # fmt: skip
    page = ("--for", "public", "--delay", "300s", "--address", "https://kifu.example/join")
    (late,) = issued(match, *page, *where)
    assert late["link"] == f"https://kifu.example/join#{late['code']}"
    assert "is no delay" in run("codes", match, *page[:2], "--delay", "soon", *where, code=1).stderr
    run("join", late["code"], *at(where))
    listed = run("codes", "list", match, *where).stdout
    assert ("1×" in listed, "0×" in listed, late["code"] in listed) == (True, True, False)
    assert (
        "1 of the codes, 1 of the tokens"
        in run("codes", "revoke", late["issued"]["id"], *where).stdout
    )
    assert "revoked" in run("codes", "list", match, "--past", *where).stdout
    for wrong in ((), ("a", "--match", match)):
        assert run("codes", "revoke", *wrong, *where, code=2)
    assert run("codes", "issue", *where, code=2)
    assert run("codes", match, "--for", "C", *where, code=2)
    alone = run("codes", match, "--for", "A", "--qr", *where)
    assert "for this machine alone" in alone.stderr
