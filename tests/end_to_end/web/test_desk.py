"""The desk of a match: who has it, what its forms become, and what going back would undo."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from domain.record.decisions import Act
from domain.record.schema.policy import Clocks, EndOfTime, Policy
from domain.record.views import PUBLIC
from domain.tournament.record import Format, Infraction, Outcome
from service.client.client import CallError, Client, Opened
from tests.support.rounds import Event, event, people, started
from tests.support.serving import Running
from tests.support.waiting import until
from tests.support.web import Web

RECORDED = Policy(clocks=Clocks(round=3_000_000), end=EndOfTime(turns=3), replay_evidence="rulings")


@pytest.fixture(scope="module")
def cup(host: Client) -> Event:
    return started(host, 2)


@pytest.fixture(scope="module")
def holders(host: Client, site: Running, cup: Event) -> dict[str, str]:
    return {**people(host, cup), "organiser": site.token, "nobody": ""}


@pytest.fixture
def web(site: Running) -> Iterator[Web]:
    found = Web(site, site.token)
    yield found
    found.client.close()


def played(host: Client, opened: Opened, decisions: int) -> None:
    seats = [host.with_token(token) for token in opened.seats]
    for _ in range(decisions):
        open_ = host.position(opened.id, view=PUBLIC).decision
        assert open_ is not None
        seat = open_.seats[0]
        offer = seats[seat].position(opened.id).decision
        assert offer is not None
        seats[seat].choose(opened.id, open_.n, offer.offers[seat].options[0].act())


@pytest.fixture
def live(host: Client) -> Opened:
    """A match with a few decisions, whose event records looks."""
    names, decks = ["Ann", "Ben"], ["ones", "tens"]
    found = host.open_match("toy", names, decks, options={"turns": 9}, policy=RECORDED)
    played(host, found, 4)
    return found


@pytest.mark.parametrize(
    ("who", "code"),
    [
        ("organiser", 200), ("official", 200), ("official of a match", 200), ("scorekeeper", 403),
        ("public", 403), ("seat", 403), ("public of a match", 403), ("nobody", 401),
    ],
)  # fmt: skip
def test_who_has_it(
    site: Running, cup: Event, holders: dict[str, str], who: str, code: int
) -> None:
    web, at = Web(site, holders[who]), f"/desk/{cup.match(1)}"
    assert ("Player 1" in web.page(at, code)) == (code == 200)
    for path in ("?as=official", "/now"):
        web.page(f"{at}{path}", code)
    web.page(f"{at}/back/1", 400 if code == 200 else code)  # there is nothing to undo
    web.prepare(at, code, act="pause")


def test_another_match_is_not_there(host: Client, site: Running, cup: Event) -> None:
    other = event(host, 1)
    for token in (other.opened.official, host.issue_tokens(cup.match(2)).official):
        web = Web(site, token)
        for path in ("", "?as=official", "/now", "/back/1"):
            gone = web.page(f"/desk/nosuch{path}", 404)
            assert web.page(f"/desk/{cup.match(1)}{path}", 404) == gone
    web.prepare(f"/desk/{cup.match(1)}", 404, act="pause")


def test_a_look_is_announced_and_recorded(host: Client, web: Web, live: Opened) -> None:
    at = f"/desk/{live.id}"
    before = host.position(live.id, view=PUBLIC).seq
    text = web.page(at)
    assert "your access is recorded in the match, visible to everybody" in text
    web.data(f"{at}/now")
    assert host.position(live.id, view=PUBLIC).seq == before
    assert "You see everything." in web.page(f"{at}?as=official")
    text = web.page(at)
    assert "an official looked at everything" in text


def test_words_and_time_are_recorded(host: Client, web: Web, live: Opened) -> None:
    at = f"/desk/{live.id}"
    for form in (
        {"act": "rule", "text": "Draw it anew.", "decision": "2"},
        {"act": "note", "text": "sleeves", "public": "yes"},
        {"act": "penalise", "seat": "B", "kind": "warning", "note": "slow"},
        {"act": "flag", "rule": "toy:3", "note": "two for one", "seat": "A"},
        {"act": "pause", "why": "deck check"},
        {"act": "resume"},
        {"act": "extend", "clock": "round", "ms": "2:30"},
    ):
        answer = web.carry_out(at, **form)
        assert answer.is_success, answer.text
    text = web.page(at)
    for found in ("Draw it anew.", "sleeves", "Warning for player B"):
        assert found in text


def test_an_act_that_ends_a_match_is_confirmed_first(host: Client, web: Web, live: Opened) -> None:
    at = f"/desk/{live.id}"
    asked = web.prepare(at, act="penalise", seat="B", kind="game-loss")
    assert "player B loses the game, and the match is over: player A won" in asked["warning"]
    assert "3 turns more" in web.prepare(at, act="call-time")["warning"]
    assert web.prepare(at, act="decide")["warning"] == ""  # it will be refused
    refused = web.carry_out(at, act="decide").json()
    assert refused["code"] == "failed_precondition"
    assert web.carry_out(at, act="penalise", seat="B", kind="game-loss").is_success
    correct: dict[str, Any] = {
        "act": "result", "winner": "B", "score": "0-1", "note": "wrong way round"
    }  # fmt: skip
    asked = web.prepare(at, **correct)
    assert "it will be superseded by: player B won, 0–1" in asked["warning"]
    assert web.carry_out(at, **correct).is_success
    stale = {**asked["request"], "winner": 0, "score": [1, 0], "requestId": "late"}
    found = web.client.post(f"/api/kifu.v1.{asked['method']}", json=stale)
    assert "RESULT_STALE" in found.text
    asked = web.prepare(at, act="reopen", why="a slip")
    assert "It will be live again, and that result superseded." in asked["warning"]
    assert web.carry_out(at, act="reopen", why="a slip").is_success
    assert not host.position(live.id, view=PUBLIC).over


def test_going_back_is_shown_and_carried_out(host: Client, web: Web, live: Opened) -> None:
    at = f"/desk/{live.id}"
    assert 'data-back="2"' in web.page(at)
    text = web.page(f"{at}/back/2")
    assert "Going back to decision 2 undoes" in text
    assert text.count("no one had answered yet") == 1
    asked = web.prepare(at, act="rewind", decision="2", why="an illegal block")
    assert asked["warning"] == "Back to decision 2. Everything since is undone."
    cards = ["7=random", ""]
    made = web.prepare(at, act="rewind", decision="2", why="so", put_back="shuffle", cards=cards)
    assert made["request"]["cards"] == [{"card": 7, "putBack": "random"}]
    played(host, live, 1)
    late = {**asked["request"], "requestId": "late"}
    found = web.client.post(f"/api/kifu.v1.{asked['method']}", json=late)
    assert (found.status_code, found.json()["code"]) == (409, "aborted")
    assert web.carry_out(at, act="rewind", decision="2", why="an illegal block").is_success
    open_ = host.position(live.id, view=PUBLIC).decision
    assert open_ is not None
    assert open_.n == 2
    assert "there is no decision 99" in web.page(f"{at}/back/99", 400)


def test_a_fork_is_begun_and_listed(host: Client, site: Running, web: Web, live: Opened) -> None:
    at = f"/desk/{live.id}"
    assert "There are no forks of this match." in web.page(at)
    asked = web.prepare(at, act="fork", decision="2")
    assert (
        "opens an unofficial copy at decision 2. It shows you all hidden information"
        in asked["warning"]
    )
    before = host.match(live.id).entries
    made = web.carry_out(at, act="fork", decision="2").json()
    assert host.match(live.id).entries == before
    fork, token = made["match"]["id"], made["tokens"][0]["token"]
    assert f'href="/desk/{fork}"' in web.page(at)
    assert fork in web.data(f"{at}/now?forks=1")["forks"]
    assert "forks" not in web.data(f"{at}/now")
    official = Web(site, live.official)
    assert fork in official.page(at)
    assert f"/desk/{fork}" not in official.page(at)  # his token is for the match alone
    own = Web(site, token).page(f"/desk/{fork}")
    assert f"it is a fork of match {live.id}." in own
    assert 'data-act="fork"' not in own
    assert "NO_SUCH_DECISION" in web.carry_out(at, act="fork", decision="99").text
    (found,) = host.list_matches(fork_of=live.id)
    assert found.id == fork
    for who in (live.seats[0], live.public):
        with pytest.raises(CallError, match="official"):
            next(host.with_token(who).list_matches(fork_of=live.id))


def test_a_position_is_put_right(host: Client, web: Web, live: Opened) -> None:
    at, hand = f"/desk/{live.id}", host.position(live.id).zones["hand/0"]
    made = web.prepare(at, act="correct", fixes=f"move {hand[0]} to deck/0", why="drew two")
    assert "The position is put right, for all to see" in made["warning"]
    assert made["request"]["fixes"][0]["verb"] == "move"
    answer = web.carry_out(at, act="correct", fixes=f"move {hand[0]} to deck/0", why="drew two")
    assert answer.is_success, answer.text
    assert hand[0] not in host.position(live.id).zones["hand/0"]
    reads = web.prepare(at, 400, act="correct", fixes="juggle 4", why="so")
    assert "there is no 'juggle'" in reads["message"]


@pytest.mark.parametrize(
    "form",
    [
        {"act": "juggle"},
        {"act": "penalise", "seat": "F", "kind": "warning"},
        {"act": "penalise", "seat": "A"},
        {"act": "rule"},
        {"act": "rewind", "decision": "soon", "why": "so"},
        {"act": "rewind", "decision": "2"},
        {"act": "rewind", "decision": "2", "why": "so", "put_back": "upside down"},
        {"act": "rewind", "decision": "2", "why": "so", "cards": ["x=random"]},
        {"act": "reopen", "why": "so"},
        {"act": "extend", "clock": "round"},
        {"act": "extend", "ms": "5"},
        {"act": "play", "seat": "A", "text": "sing a song"},
        {"act": "correct", "why": "so"},
        {"act": "fork"},
    ],
)
def test_a_form_that_means_nothing_is_refused(web: Web, cup: Event, form: Any) -> None:
    assert web.prepare(f"/desk/{cup.match(1)}", 400, **form)["reason"] == "FIELD_INVALID"


def test_names_are_text(host: Client, web: Web) -> None:
    evil = "<script>alert(1)</script>"
    found = host.open_match("toy", [evil, 'x" onload="y'], ["ones", "tens"], options={"turns": 6})
    at = f"/desk/{found.id}"
    assert web.carry_out(at, act="note", text=evil, public="yes").is_success
    assert web.carry_out(at, act="rule", text=evil).is_success
    for path in ("", "?as=official"):
        text = web.page(f"{at}{path}")
        assert evil not in text
        assert 'onload="y' not in text


def test_a_call_from_the_table_is_on_top(host: Client, site: Running) -> None:
    found = started(host, 1, Format("toy", mode="dealer"))
    host.raise_call(found.id, 1, "a trigger was missed")
    web = Web(site, found.opened.official)
    assert "a trigger was missed" in web.page(f"/desk/{found.match(1)}")
    assert 'data-act="take"' in web.page(f"/desk/{found.match(1)}")
    alone = Web(site, host.issue_tokens(found.match(1)).official)
    assert 'data-act="take"' not in alone.page(f"/desk/{found.match(1)}")


def test_a_penalty_is_proposed_by_the_policy_of_the_event(
    host: Client, site: Running, web: Web
) -> None:
    slow = Infraction("slow-play", "Slow play", "warning", "game-loss", "trm:7.4")
    found = started(host, 2, Format("toy", mode="dealer", rounds=2, infractions=(slow,)))
    at = f"/desk/{found.match(1)}"
    form = {"act": "penalise", "seat": "B", "infraction": "slow-play"}
    usual = "Slow play (trm:7.4): usually warning."
    public = "All who see the match read what it is for."
    assert web.prepare(at, **form)["warning"] == f"{usual} Warning for Player 2. {public}"
    seen = str(host.get_tournament(found.id).seq)
    assert web.carry_out(at, **form, game_state="repaired").is_success
    until(lambda: host.get_tournament(found.id).penalties)
    asked = web.prepare(at, **form, seen=seen)
    assert "Before: warning, round 1, entry" in asked["warning"]
    assert "Game Loss for Player 2." in asked["warning"]
    assert "player B loses the game" in asked["warning"]
    assert "Warning, for Slow play" in asked["news"][0]
    assert web.prepare(at, 400, **{**form, "infraction": "x"})["reason"] == "FIELD_INVALID"
    assert "Slow play" in web.page(at)
    lone = Web(site, host.issue_tokens(found.match(1)).official)  # of this match alone
    assert "officials of the whole event see" in lone.prepare(at, **form)["warning"]
    assert "Slow play" not in web.page(
        f"/desk/{host.open_match('toy', ['A', 'B'], ['ones'] * 2).id}"
    )


def test_changed_standings_are_named_first(host: Client, web: Web) -> None:
    found = started(host, 2, Format("toy", mode="dealer", rounds=2))
    for table in (1, 2):
        host.with_token(host.issue_tokens(found.match(table)).seats[1]).interject(
            found.match(table), Act("concede")
        )
    until(lambda: not host.get_tournament(found.id).rounds[0].missing)
    host.end_round(found.id)
    at, won = f"/desk/{found.match(1)}", {"winner": "B", "score": "0-1", "note": "so"}
    over, moved = "Round 1 is over.", "Places change: Player 2"
    for form in (
        {"act": "result", **won},
        {"act": "penalise", "seat": "A", "kind": "match-loss"},
    ):
        asked = web.prepare(at, **form)["warning"]
        assert over in asked
        assert moved in asked
    assert over not in web.prepare(at, act="penalise", seat="A", kind="warning")["warning"]
    assert (
        f"{over[:-1]}: table 1 has no result then."
        in web.prepare(at, act="reopen", why="so")["warning"]
    )
    host.correct_table_result(found.id, 2, Outcome(0, 1, 0, 4), "entered", round=1)
    entered = web.prepare(f"/desk/{found.match(2)}", act="result", **won)["warning"]
    assert "The result of table 2 was entered, and stays as it is." in entered
