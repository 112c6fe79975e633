"""The hall of an event: its views by role, the commands of its forms, notices of changes."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from domain.tournament import manuals
from domain.tournament.record import Format, Infraction, Outcome, Table
from domain.tournament.state import Player
from service.client.client import Client
from tests.support.rounds import Event, event, people, play, started
from tests.support.serving import Running
from tests.support.waiting import until
from tests.support.web import Web


@pytest.fixture(scope="module")
def cup(host: Client) -> Event:
    return started(host)


@pytest.fixture(scope="module")
def holders(host: Client, site: Running, cup: Event) -> dict[str, str]:
    return {**people(host, cup), "organiser": site.token}


@pytest.fixture
def hall(site: Running) -> Iterator[Web]:
    found = Web(site, site.token)
    yield found
    found.client.close()


OFFICIALS, KEEPER = ("organiser", "official"), "scorekeeper"


@pytest.mark.parametrize(
    "who", [*OFFICIALS, KEEPER, "public", "official of a match", "seat", "public of a match"]
)
def test_who_sees_what(site: Running, cup: Event, holders: dict[str, str], who: str) -> None:
    web = Web(site, holders[who])
    runs, enters = who in OFFICIALS, who in (*OFFICIALS, KEEPER)
    text = web.page(f"/hall/{cup.id}", 200 if enters else 403)
    assert ("Player 1" in text) == enters
    assert ("Call time" in text) == runs
    assert ('data-act="end"' in text) == runs
    for part in ("players", "standings"):
        web.page(f"/hall/{cup.id}/{part}", 200 if enters else 403)
    for part in ("penalties", "log"):
        web.page(f"/hall/{cup.id}/{part}", 200 if runs else 404 if enters else 403)
    web.page(f"/hall/{cup.id}/now", 200 if enters else 403)
    code = 200 if enters else 403
    web.prepare(f"/hall/{cup.id}", code, act="result", table="1", result="1-0")
    assert "Player 1" in web.page(f"/e/{cup.id}")
    assert (f'href="/hall/{cup.id}"' in web.page("/hall")) == enters


def test_nobody_is_offered_what_is_for_others_to_do(host: Client, site: Running) -> None:
    found = started(host, 2)
    host.report_result(found.id, 1, Outcome(1, 0, 0, 1))
    for token, corrects in ((found.opened.official, True), (found.opened.scorekeeper, False)):
        web = Web(site, token)
        text = web.page(f"/hall/{found.id}")
        assert ('data-open="correct"' in text) == corrects
        assert 'data-open="result"' in text
        asked = {"act": "correct", "table": "1", "result": "0-1", "why": "misread"}
        assert (web.carry_out(f"/hall/{found.id}", **asked).status_code == 200) == corrects


def test_without_a_token_there_is_the_public_page_alone(site: Running, cup: Event) -> None:
    web = Web(site, "")
    assert "Player 1" in web.page(f"/e/{cup.id}")
    for path in ("/hall", f"/hall/{cup.id}", f"/hall/{cup.id}/players", f"/hall/{cup.id}/now"):
        web.page(path, 401)
    web.prepare(f"/hall/{cup.id}", 401, act="start")


def test_another_event_is_not_there(host: Client, site: Running, cup: Event) -> None:
    web = Web(site, event(host, 1).opened.official)
    for path in ("", "/players", "/now", "/follow"):
        assert web.page(f"/hall/{cup.id}{path}", 404) == web.page(f"/hall/nosuch{path}", 404)
    web.prepare(f"/hall/{cup.id}", 404, act="start")


def test_a_round_that_is_no_number_is_refused(cup: Event, hall: Web) -> None:
    for page in ("", "/now", "/standings"):
        for round_ in ("x", "-1", "9" * 10, "9" * 6_000):
            hall.page(f"/hall/{cup.id}{page}?round={round_}", 400)
        hall.page(f"/hall/{cup.id}{page}?round=999", 404)


def test_a_cookie_from_elsewhere_prepares_nothing(site: Running, cup: Event) -> None:
    with httpx.Client(base_url=site.web, cookies={"kifu": site.token}) as client:
        for more, code in (
            ({}, 401),
            ({"origin": "http://evil.test"}, 401),
            ({"origin": site.web}, 200),
        ):
            found = client.post(f"/hall/{cup.id}/prepare", json={"act": "start"}, headers=more)
            assert found.status_code == code


def test_the_public_page_says_nothing_that_is_for_officials(host: Client, site: Running) -> None:
    found = event(host, 2)
    web = Web(site, site.token)
    host.pair_round(found.id)
    host.penalise_player(found.id, 1, "warning", "a secret of officials")
    host.note_as_judge(found.id, "a secret note")
    text = web.page(f"/e/{found.id}")
    assert "No pairings are published yet." in text
    assert "/m/" not in text
    host.open_round(found.id)
    host.start_round(found.id)
    host.raise_call(found.id, 1, "a secret call")
    text = web.page(f"/e/{found.id}")
    assert text.count(f"/m/{found.match(1)}") == 1
    screen = web.page(f"/e/{found.id}?screen=1")
    for page in (text, screen, web.page(f"/hall/{found.id}?screen=1")):
        assert "Player 1" in page
        assert "secret" not in page
        assert "warning" not in page
    assert "a secret call" in web.page(f"/hall/{found.id}")
    assert "a secret of officials" in web.page(f"/hall/{found.id}/penalties")


def test_only_what_changed_is_sent(host: Client, site: Running, hall: Web) -> None:
    found = started(host)
    page = hall.page(f"/hall/{found.id}")
    version, seq = (re.search(rf'data-{name}="([^"]+)"', page) for name in ("version", "seq"))
    assert version
    assert seq
    now = f"/hall/{found.id}/now"
    same = hall.data(f"{now}?since={version[1]}&seq={seq[1]}")
    assert (same["rows"], same["whole"]) == ([], False)
    assert "head" not in same
    host.extend_clock(found.id, 300, [3])
    news = hall.data(f"{now}?since={version[1]}&seq={seq[1]}")
    assert [number for number, _ in news["rows"]] == [3]
    assert news["seq"] == int(seq[1]) + 1
    assert "Cup" in news["head"]
    whole = hall.data(f"{now}?since=older-1&seq=0")
    assert (len(whole["rows"]), whole["whole"]) == (4, True)


def test_a_table_tells_what_was_done_last_and_how_many_follow(
    host: Client, site: Running, hall: Web
) -> None:
    found = started(host, 2)
    match, now = found.match(1), f"/hall/{found.id}/now"
    before = hall.data(f"{now}?seq=0")
    play(host, match, 1)
    answered = hall.data(f"/m/{match}/lines/0-{host.match(match).entries}.json")["lines"]
    done = [one["text"] for one in answered if one["kind"] == "act"]
    with httpx.stream("GET", f"{site.web}/m/{match}/follow") as page:
        following = page.iter_lines(), host.watch(match)  # as long as there are these two
        assert all(next(one) for one in following)  # type: ignore[call-overload]
        host.extend_clock(found.id, 60, [2])  # whatever is added, all tables are looked at
        news = dict(hall.data(f"{now}?since={before['version']}&seq=0")["rows"])
        assert "2 follow" in news[1]
        assert done[-1] in news[1]
        assert "follow" not in news[2]
    keeper = host.with_token(found.opened.scorekeeper).list_matches(event=found.id, progress=True)
    public = host.with_token(found.opened.public).list_matches(event=found.id, progress=True)
    assert max(one.progress.followers for one in keeper) > 0
    assert not any(one.progress.followers for one in public)


def test_a_round_is_run_by_commands(host: Client, site: Running, hall: Web) -> None:
    found = event(host, 2, Format("toy", mode="dealer", seconds=600, rounds=2))
    at = f"/hall/{found.id}"
    assert "are discarded" in hall.prepare(at, act="pair")["warning"]
    assert "waits" not in hall.prepare(at, act="open")["warning"]
    assert "2 tables wait" in hall.prepare(at, act="open")["warning"]
    assert hall.carry_out(at, act="open").is_success
    assert hall.prepare(at, act="start")["warning"] == "Round 1 starts: 10:00 on the clock."
    assert hall.carry_out(at, act="start").is_success
    assert hall.carry_out(at, act="extend", minutes="2:30", tables=["2"]).is_success
    assert hall.prepare(at, act="extend", minutes="-1")["warning"]
    asked = hall.prepare(at, act="time", tables=["2"])
    assert asked["warning"] == "Time is called for table 2 of round 1: this turn is the last."
    assert hall.carry_out(at, act="time", tables=["2"]).is_success
    clocks = {n: one.clock for n, one in host.get_tournament(found.id).rounds[0].tables.items()}
    assert [one.called for one in clocks.values() if one] == [False, True]
    refused = hall.carry_out(at, act="end")
    assert (refused.status_code, refused.json()["code"]) == (400, "failed_precondition")
    for table, text in ((1, "1-0"), (2, "0-1 no-show")):
        made = hall.prepare(at, act="result", table=str(table), result=text)
        if host.get_tournament(found.id).rounds[0].tables[table].result is None:
            assert hall.carry_out(at, act="result", table=str(table), result=text).is_success
        assert made["warning"] == ""
    asked = hall.prepare(at, act="correct", table="1", result="0-1", why="the wrong way round")
    assert asked["warning"] == "The result of table 1 is 1-0; it will be superseded by: 0-1."
    ends = hall.prepare(at, act="end")["warning"]
    assert ends == "Round 1 ends with the results of 2 tables."
    assert hall.carry_out(at, act="end").is_success
    assert hall.carry_out(at, act="pair").is_success
    assert len(host.get_tournament(found.id).rounds) == 2


def test_the_second_sender_gets_what_was_done(host: Client, site: Running, hall: Web) -> None:
    found = started(host, 2)
    at, seen = f"/hall/{found.id}", str(host.get_tournament(found.id).seq)
    host.extend_clock(found.id, 300)
    news = hall.prepare(at, act="extend", minutes="5", seen=seen)["news"]
    assert news == ["round 1 has 5:00 more (organiser)"]
    host.report_result(found.id, 1, Outcome(1, 0, 0, 1))
    assert hall.prepare(at, act="result", table="2", result="1-0", seen=seen)["news"] == []
    (answered,) = hall.prepare(at, act="result", table="1", result="0-1", seen=seen)["news"]
    assert answered.startswith("round 1, table 1: 1-0, Player 1 won")


@pytest.mark.parametrize(
    "form",
    [
        {"act": "juggle"},
        {"act": "result", "table": "9", "result": "1-0"},
        {"act": "result", "table": "1", "result": "most of them"},
        {"act": "result", "table": "1"},
        {"act": "extend", "minutes": "soon"},
        {"act": "extend"},
        {"act": "extend", "minutes": "5", "tables": ["one"]},
        {"act": "start", "round": "7"},
        {"act": "drop", "player": "77"},
        {"act": "enter", "names": " \n "},
        {"act": "withdraw", "table": "1", "why": ""},
        {"act": ["start", "end"], "round": "x"},
        {"act": "hand-in", "player": "1"},
        {"act": "hand-in", "player": "1", "cards": "1 one"},
        {"act": "reopen", "player": "1"},
        {"act": "name", "name": "Eva"},
        {"act": "dismiss"},
    ],
)
def test_a_form_that_means_nothing_is_refused(cup: Event, hall: Web, form: Any) -> None:
    assert hall.prepare(f"/hall/{cup.id}", 400, **form)["reason"] == "FIELD_INVALID"


def test_lists_are_handed_in_seen_accepted_and_refused(
    host: Client, site: Running, hall: Web
) -> None:
    found = host.open_tournament("Cup", Format("toy", mode="dealer"))
    ann, ben = host.enter_players(found.id, {"Ann": "", "Ben": ""})
    at, page, public = f"/hall/{found.id}", f"/hall/{found.id}/players/1", Web(site, found.public)
    assert "no list was handed in" in hall.page(page)
    wrong = hall.carry_out(at, act="hand-in", player="1", name="Sleeves", cards="[deck]\n2 nosuch")
    assert wrong.json()["faults"]
    assert wrong.json()["faults"][0] in html.unescape(hall.page(page))
    assert "accept" not in hall.page(page).partition("<section id=")[2].partition("</form>")[0]
    asked = hall.prepare(at, act="hand-in", player="1", deck="ones", seen="3")
    assert asked["warning"] == "The list that Ann has handed in is replaced."
    assert asked["news"] == ["Ann hands in a list Sleeves, 1 fault (organiser)"]
    assert hall.carry_out(at, act="hand-in", player="1", deck="ones").is_success
    typed = re.search(r'<textarea name="cards"[^>]*>([^<]+)<', hall.page(page))
    assert typed
    assert hall.carry_out(at, act="hand-in", player="2", cards=typed[1]).json()["recorded"]
    lists = host.get_tournament(found.id, with_lists=True).lists
    assert len({str(lists[one.list].deck.parts) for one in people_of(host, found.id)}) == 1
    assert hall.carry_out(at, act="accept", player="1").json()["players"] == [1]
    assert hall.prepare(at, 400, act="reopen", player="1")["reason"] == "FIELD_INVALID"
    assert hall.carry_out(at, act="reopen", player="1", why="a card is missing").is_success
    assert hall.carry_out(at, act="accept").json()["players"] == [ann, ben]
    nothing = public.page(f"/e/{found.id}/players/99", 404)
    assert public.page(f"/e/{found.id}/players/1", 404) == nothing
    assert "/players/" not in public.page(f"/e/{found.id}")
    assert hall.carry_out(at, act="publish").is_success
    assert f"/e/{found.id}/players/1" in public.page(f"/e/{found.id}")
    assert "Ann" in public.page(f"/e/{found.id}/players/1")
    public.page(page, 403)


def test_decks_are_drawn_and_checked_and_lists_closed(host: Client, hall: Web) -> None:
    found = host.open_tournament("Cup", Format("toy", mode="dealer"))
    host.enter_players(found.id, [f"P{n}" for n in range(12)])
    at, page = f"/hall/{found.id}", f"/hall/{found.id}/players"
    drawn = hall.carry_out(at, act="draw").json()["players"]
    assert len(drawn) == 2
    assert hall.page(page).count("to be checked") == 2
    assert hall.carry_out(at, act="draw").status_code == 400
    assert hall.carry_out(at, act="draw", number="1", cut="1").is_success
    assert hall.carry_out(at, act="checked", player=str(drawn[0]), fault="51 cards").is_success
    assert hall.carry_out(at, act="checked", player=str(drawn[1])).is_success
    text = hall.page(page)
    assert ("51 cards" in text, "as listed" in text, "2 of 12" in text) == (True, True, True)
    assert hall.carry_out(at, act="close-lists").is_success
    assert 'data-act="open-lists"' in hall.page(page)
    assert hall.carry_out(at, act="open-lists").is_success
    assert 'data-act="close-lists"' in hall.page(page)


def test_players_are_checked_in_and_pairing_names_who_is_missing(
    host: Client, hall: Web, site: Running
) -> None:
    event = host.open_tournament("Cup", Format("toy", mode=""))
    found = event.id
    host.enter_players(found, ["Ann", "Ben", "Cy", "Dee"])
    at, page = f"/hall/{found}", f"/hall/{found}/check-in"
    assert not host.pair_round(found).caveats  # nobody checks in
    assert hall.carry_out(at, act="check-in", player="1").is_success
    assert hall.carry_out(at, act="check-in-id", player="2").is_success
    assert hall.carry_out(at, act="check-in", player="2").status_code == 400
    text = hall.page(page)
    assert ("2 of 4" in text, "missing: 2" in text, text.count("✓")) == (True, True, 3)
    assert text.index("Cy") < text.index("Ann")  # who is missing comes first
    [caveat] = host.pair_round(found).caveats
    assert sorted(caveat.removeprefix("not checked in: ").split(", ")) == ["Cy", "Dee"]
    host.open_round(found)
    assert hall.carry_out(at, act="check-in", player="3").is_success
    assert hall.carry_out(at, act="check-out", player="1").is_success
    here = {one.name: (one.present, one.late) for one in people_of(host, found)}
    assert here == {
        "Ann": (False, False), "Ben": (True, False), "Cy": (True, True), "Dee": (False, False),
    }  # fmt: skip
    keeper = Web(site, event.scorekeeper)
    assert "late: 1" in keeper.page(page)
    assert keeper.carry_out(at, act="check-in", player="4").is_success
    with site.client(event.public) as client:
        assert not any(one.present for one in people_of(client, found))


def people_of(host: Client, event: str) -> list[Player]:
    return [*host.get_tournament(event).players.values()]


def test_a_list_is_its_players_until_it_is_published(
    site: Running, cup: Event, holders: dict[str, str]
) -> None:
    seat, page = Web(site, holders["seat"]), f"/e/{cup.id}/players/1"
    assert page in seat.page(f"/e/{cup.id}")
    assert "Player 1" in seat.page(page)
    seat.page(f"/e/{cup.id}/players/2", 404)
    for who, code in (("scorekeeper", 200), ("official of a match", 404), ("public", 404)):
        Web(site, holders[who]).page(page, code)


def test_officials_are_named_by_the_organiser_alone(
    host: Client, site: Running, hall: Web, cup: Event, holders: dict[str, str]
) -> None:
    at, page = f"/hall/{cup.id}", f"/hall/{cup.id}/officials"
    named = hall.carry_out(at, act="name", name="Eva Eder", role="head judge")
    assert 'data-act="dismiss" data-name="Eva Eder"' in hall.page(page)
    assert "head judge" in hall.page(page)
    official = Web(site, holders["official"])
    assert "Eva Eder" in official.page(page)
    assert 'data-act="dismiss"' not in official.page(page)
    assert official.carry_out(at, act="name", name="Ben", role="judge").status_code == 403
    Web(site, holders["scorekeeper"]).page(page, 404)
    eva = Web(site, named.json()["token"]["token"])
    assert "Eva Eder" in eva.page(at)
    code = hall.carry_out(at, act="code", name="Eva Eder").json()["codes"]
    assert len(code) == 1
    asked = hall.prepare(at, act="dismiss", name="Eva Eder")["warning"]
    assert asked == "Eva Eder is no official of the event any more, and gets in no more."
    assert hall.carry_out(at, act="dismiss", name="Eva Eder").is_success
    assert "Eva Eder" not in hall.page(page)
    eva.page(at, 401)


def test_names_are_text(host: Client, site: Running, hall: Web) -> None:
    evil = "<script>alert(1)</script>"
    found = host.open_tournament(evil, Format("toy", mode="")).id
    host.enter_players(found, {evil: "", 'x" onload="y': ""})
    host.pair_round(found)
    host.open_round(found)
    host.start_round(found)
    host.raise_call(found, 1, evil)
    host.note_as_judge(found, evil)
    for path in ("", "/players", "/standings", "/penalties", "/log", "?screen=1"):
        text = hall.page(f"/hall/{found}{path}")
        assert evil not in text
        assert 'onload="y' not in text
        assert "&lt;script&gt;" in text
    assert evil not in hall.page(f"/e/{found}")
    assert evil not in hall.page("/hall")
    assert evil not in str(hall.data(f"/hall/{found}/now"))


def test_penalties_are_proposed_by_infractions_and_appeals_answered(
    host: Client, hall: Web
) -> None:
    slow = Infraction("slow-play", "Slow play", "warning", "game-loss", "trm:7.4")
    found = host.open_tournament("Cup", Format("toy", mode="", seconds=600, infractions=(slow,)))
    host.enter_players(found.id, ["Ann", "Ben"])
    at, page = f"/hall/{found.id}", f"/hall/{found.id}/penalties"
    slowly = {"act": "penalise", "player": "1", "kind": "", "infraction": "slow-play"}
    asked = hall.prepare(at, **slowly)["warning"]
    assert asked == "Slow play (trm:7.4): usually warning. Warning for Ann: it costs no game."
    assert hall.carry_out(at, **slowly, game_state="accepted").is_success
    assert "Game Loss for Ann" in hall.prepare(at, **slowly)["warning"]
    assert "Slow play" in hall.page(page)
    hall.prepare(at, 400, **{**slowly, "infraction": "x"})
    hall.prepare(at, 400, **{**slowly, "infraction": ""})
    host.pair_round(found.id)
    host.open_round(found.id)
    call = host.raise_call(found.id, 1, "is that so?")
    host.answer_call(found.id, call, "it is")
    assert hall.carry_out(at, act="appeal", call=str(call), text="it is not").is_success
    assert "against call 1" in hall.page(page)
    answered = hall.carry_out(
        at, act="answer-appeal", appeal="1", overturned="yes", text="he is right"
    )
    assert answered.is_success
    assert "the ruling does not stand" in hall.page(page)


LATE = Infraction("late", "Not there", "warning", late=((0, "warning"), (300, "game-loss")))


def test_who_is_late_is_given_what_it_costs_by_now_once(host: Client, hall: Web) -> None:
    found = started(host, 2, Format("toy", mode="dealer", infractions=(LATE,)))
    at, page = f"/hall/{found.id}", f"/hall/{found.id}/penalties"
    host.check_in(found.id, 1)
    text = hall.page(page)
    assert ("from 0:00" in text, "from 5:00" in text) == (True, True)
    listed = text.partition("Given in this round")[2].partition("</table>")[0]
    assert ("Player 1" in listed, "Player 2" in listed) == (False, True)
    made = hall.prepare(at, act="late", player="2")
    assert made["warning"].startswith("Not there: usually warning. Warning for Player 2:")
    assert made["request"]["round"] == 1
    seen = str(host.get_tournament(found.id).seq)
    assert hall.carry_out(at, act="late", player="2").is_success
    twice = hall.prepare(at, act="late", player="2", seen=seen)
    assert "Warning, for Not there" in twice["news"][0]
    refused = hall.carry_out(at, act="late", player="2")
    assert "SAME_PENALTY" in refused.text
    assert "Warning (Not there)" in hall.page(page)
    for table, winner in ((1, 1), (2, 3)):
        host.report_result(found.id, table, Outcome(1, 0, 0, winner))
    assert "Every table has its result." in hall.page(page)
    host.end_round(found.id)
    assert "Given in this round" not in hall.page(page)
    hall.prepare(at, 400, act="late", player="2")  # no round is played


def test_where_no_policy_says_what_it_costs_nobody_is_late(
    host: Client, hall: Web, cup: Event
) -> None:
    assert "from 0:00" not in hall.page(f"/hall/{cup.id}/penalties")
    hall.prepare(f"/hall/{cup.id}", 400, act="late", player="2")


def test_who_has_a_bye_is_not_late(host: Client, hall: Web) -> None:
    found = host.open_tournament("Cup", Format("toy", mode="", infractions=(LATE,)))
    host.enter_players(found.id, ["Ann", "Ben", "Cy"])
    host.pair_round(found.id, [Table(1, 1, 2), Table(2, 3, 0)])
    host.open_round(found.id)
    host.start_round(found.id)
    assert "NO_SUCH_TABLE" in hall.carry_out(f"/hall/{found.id}", act="late", player="3").text


def test_who_is_barred_is_not_checked_in_and_let_in_once_more(
    host: Client, site: Running, hall: Web
) -> None:
    event = host.open_tournament("Cup", Format("toy", mode=""))
    host.enter_players(event.id, {"Ann": "K1", "Ben": ""})
    at, page = f"/hall/{event.id}", f"/hall/{event.id}/players"
    assert hall.carry_out(at, act="check-in", player="1").is_success
    asked = hall.prepare(at, act="bar", name="k1")["warning"]
    assert asked == (
        "k1 may not be entered, nor checked in. "
        "Ann is checked in: he plays on until he is dropped."
    )  # fmt: skip
    seen = str(host.get_tournament(event.id).seq)
    assert hall.carry_out(at, act="bar", name="k1", why="suspended").is_success
    assert "k1 is barred: suspended" in hall.prepare(at, act="bar", name="k1", seen=seen)["news"][0]
    assert "SAME_BAR" in hall.carry_out(at, act="bar", name="K1").text
    text = hall.page(page)
    assert 'class="bad">barred' in text
    assert "suspended" in text
    assert hall.carry_out(at, act="check-out", player="1").is_success
    refused = hall.carry_out(at, act="check-in", player="1").text
    assert "PLAYER_BARRED" in refused
    keeper = Web(site, event.scorekeeper)
    assert "PLAYER_BARRED" in keeper.carry_out(at, act="check-in-id", player="1").text
    assert keeper.carry_out(at, act="bar", name="Ben").status_code == 403
    assert "suspended" not in keeper.page(page)
    assert hall.carry_out(at, act="enter", names="Cy", key="K1").status_code == 400
    assert hall.carry_out(at, act="unbar", name="K1").is_success
    assert hall.carry_out(at, act="check-in", player="1").is_success
    assert "SAME_BAR" in hall.carry_out(at, act="unbar", name="k1").text


def test_a_clock_that_was_set_is_shown(site: Running, cup: Event, hall: Web) -> None:
    now = hall.data(f"/hall/{cup.id}/now")
    assert now["jumped"] == 0
    known = f"/hall/{cup.id}/now?seq={now['seq']}"
    assert "head" not in hall.data(known)
    assert "head" in hall.data(f"{known}&jumped=60000")  # which the page shows, and is so no more


def test_a_fault_in_a_deck_costs_what_is_usual_in_one_step(host: Client, hall: Web) -> None:
    unlike = Infraction("deck-and-list", "A deck unlike its list", "game-loss", rule="trm:7.4")
    form = Format("toy", mode="dealer", rules="bandai-2025", infractions=(LATE, unlike))
    found = event(host, 2, form)
    at, page = f"/hall/{found.id}", f"/hall/{found.id}/players"
    host.draw_decks(found.id, 4)
    options = hall.page(page).partition('name="infraction">')[2].partition("</select>")[0]
    assert ("deck-and-list" in options, "late" in options) == (True, False)
    fault = {"act": "checked", "player": "2", "fault": "41 cards"}
    assert hall.prepare(at, **fault, infraction="")["warning"] == ""
    asked = hall.prepare(at, **fault, infraction="deck-and-list")
    assert asked["warning"].startswith("A deck unlike its list (trm:7.4): usually game-loss.")
    assert "Game Loss for Player 2: it falls on" in asked["warning"]
    seen = str(host.get_tournament(found.id).seq)
    assert hall.carry_out(at, **fault, infraction="deck-and-list").is_success
    assert len(hall.prepare(at, **fault, infraction="deck-and-list", seen=seen)["news"]) == 2
    host.open_round(found.id)
    host.start_round(found.id)
    until(lambda: host.get_tournament(found.id).rounds[0].tables[1].outcome)
    outcome = host.get_tournament(found.id).rounds[0].tables[1].outcome
    assert outcome is not None
    assert outcome.winner == 1
    assert hall.prepare(at, 400, **fault, infraction="x")["reason"] == "FIELD_INVALID"
    assert hall.carry_out(at, act="checked", player="1").is_success
    assert "41 cards" in hall.page(page)


def test_cards_that_matches_bring_are_asked_before_a_round_is_opened(
    host: Client, hall: Web
) -> None:
    draws = {"kind": "triggered", "name": "x", "on": "deploy", "do": [{"do": "draw"}]}
    watch = {
        "id": "ZZ01-001", "name": "<b>Harbour</b> Watch", "type": "unit", "color": "blue",
        "lv": 3, "cost": 2, "ap": 2, "hp": 4, "effect": [draws],
    }  # fmt: skip
    plain = {**watch, "id": "ZZ01-002", "name": "Harbour Crane"}
    del plain["effect"]
    form = Format("gundam", mode="table", prints=(json.dumps(watch), json.dumps(plain)))
    found = event(host, 1, form)
    at = f"/hall/{found.id}"
    asked = hall.prepare(at, act="open", round="1")["warning"].splitlines()
    assert asked[0].startswith("Round 1 is opened:")
    assert asked[1].startswith("The matches bring these cards")
    assert asked[2].startswith("ZZ01-001 <b>Harbour</b> Watch: ")
    assert "draw" in asked[2].lower()
    assert asked[3] == "ZZ01-002 Harbour Crane: no text, or one that its players declare"
    assert hall.carry_out(at, act="open", round="1").is_success
    host.start_round(found.id)
    host.report_result(found.id, 1, Outcome(1, 0, 0, 1))
    host.end_round(found.id)
    host.pair_round(found.id, [Table(1, 1, 2)])
    assert "bring these" not in hall.prepare(at, act="open", round="2")["warning"]
    host.change_format(found.id, "Cup", replace(form, prints=(json.dumps(plain),)), "a misprint")
    assert "ZZ01-002" in hall.prepare(at, act="open", round="2")["warning"]


def test_standings_cite_the_manual_that_they_are_by(host: Client, hall: Web, cup: Event) -> None:
    settled = manuals.manual("bandai-2025")["format"]
    form = Format(
        "toy", mode="", rules="bandai-2025", tiebreaks=tuple(settled["tiebreaks"]),
        least_rate=settled["least_rate"],
    )  # fmt: skip
    found = host.open_tournament("Cup", form)
    host.enter_players(found.id, ["Ann", "Ben"])
    for page in (f"/hall/{found.id}/standings", f"/e/{found.id}"):
        assert "by trm:5.4:" in hall.page(page)
    assert "by trm" not in hall.page(f"/hall/{cup.id}/standings")
