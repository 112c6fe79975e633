"""A player's page of an event: his table, results by both players, calls, drops; no scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import httpx
import pytest
from kifu.v1 import code_service_pb2 as pb

from domain.tournament.record import Format, Outcome, Table
from service.client.client import Client
from service.client.connection import CallError
from tests.end_to_end.web.test_signing import post
from tests.support.rounds import started
from tests.support.serving import Running

HTML = {"accept": "text/html"}


@contextmanager
def players(site: Running, host: Client, event: str, *numbers: int) -> Iterator[list[httpx.Client]]:
    """The browsers of players who have signed in by their codes."""
    holders = [pb.CodeHolder(role="seat", event_id=event, player=one) for one in numbers]
    with ExitStack() as stack:
        found = []
        for code, _ in host.issue_codes(holders):
            browser = stack.enter_context(httpx.Client(base_url=site.web, headers=HTML))
            where = post(browser, code=code).headers["location"]
            assert where == f"/e/{event}/me" or where.startswith(f"/seat/{event}.")
            found.append(browser)
        yield found


def seated(host: Client, best_of: int = 1) -> str:
    """An event whose results are entered, with Ann against Ben at table 7."""
    form = Format("toy", mode="", best_of=best_of, seconds=3000)
    event = host.open_tournament("Cup", form).id
    host.enter_players(event, ["Ann", "Ben", "Cleo"])
    host.pair_round(event, [Table(7, 1, 2), Table(8, 3, 0)])
    host.open_round(event)
    host.start_round(event)
    return event


def test_both_players_report_a_result_on_their_phones(site: Running, host: Client) -> None:
    event = seated(host, best_of=3)
    page = f"/e/{event}/me"
    with players(site, host, event, 1, 2, 3) as (ann, ben, cleo):
        assert "You have a bye." in cleo.get(page).text
        found = ann.get(page).text
        assert "<strong>7</strong>" in found
        assert "<strong>Ben</strong>" in found
        report = {"round": "1", "result": "2-1"}
        assert ann.post(f"{page}/result", data=report).status_code == 403  # of another site
        assert post(ann, f"{page}/result", **report).headers["location"] == page
        assert "You report: you won 2-1." in ann.get(page).text
        assert "Ben has to confirm it." in ann.get(page).text
        found = ben.get(page).text
        assert "Ann reports: you lost 1-2." in found
        assert 'value="1-2" class="main"' in found
        public = httpx.get(f"{site.web}/e/{event}", headers=HTML).text
        assert "2-1" not in public
        assert post(ann, f"{page}/take-back", round="1").status_code == 303
        assert "Ann reports" not in ben.get(page).text
        assert post(ben, f"{page}/result", round="1", result="2-0").status_code == 303
        assert post(ann, f"{page}/result", **report).status_code == 303
        assert "You report different results: a judge is called" in ben.get(page).text
        state = host.get_tournament(event)
        assert [(one.table, one.by) for one in state.calls.values()] == [(7, "Ann")]
        assert post(ben, f"{page}/result", round="1", result="1-2").status_code == 303
        assert "Result: you lost 1-2." in ben.get(page).text
        assert "Result: you won 2-1." in ann.get(page).text
        refused = post(ben, f"{page}/result", round="1", result="2-0")
        assert (refused.status_code, "table 7 has a result" in refused.text) == (400, True)
        result = host.get_tournament(event).rounds[0].tables[7].result
        assert result is not None
        assert (result.both, result.source, result.by) == (True, 0, "Ben")
    last = [one for one in host.list_tournament_entries(event) if one.by == "Ann"]
    assert len(last) == 4  # two claims, one taken back, a call
    for bad in ("9-9", "x", "both lost"):
        with players(site, host, event, 1) as (ann,):
            assert post(ann, f"{page}/result", round="1", result=bad).status_code == 400


def test_a_player_calls_a_judge_and_drops_on_his_phone(site: Running, host: Client) -> None:
    event = seated(host)
    page = f"/e/{event}/me"
    with players(site, host, event, 1, 3) as (ann, cleo):
        assert post(ann, f"{page}/call", table="8").status_code == 400  # it is not his
        assert post(ann, f"{page}/call", table="7", text="How does it work?").status_code == 303
        assert "A judge is called." in ann.get(page).text
        assert "A judge is called." not in cleo.get(page).text
        (call,) = host.get_tournament(event).calls.values()
        assert (call.player, call.text) == (1, "How does it work?")
        assert post(cleo, f"{page}/drop", sure="1").status_code == 303
        assert "You have dropped from the event." in cleo.get(page).text
        assert post(cleo, f"{page}/drop", sure="1").status_code == 400
        dropped = [n for n, one in host.get_tournament(event).players.items() if one.dropped]
        assert dropped == [3]
        assert post(ann, f"{page}/else").status_code == 400
        with site.client(ann.cookies["kifu"]) as client, pytest.raises(CallError):
            client.drop_player(event, 2)


def test_nobody_reports_what_the_match_has(site: Running, host: Client) -> None:
    event = host.open_tournament("Cup", Format("toy", mode="table")).id
    host.enter_players(event, ["Ann", "Ben"])
    for n in (1, 2):
        host.hand_in_list(event, n, "ones")
    host.accept_lists(event)
    page = f"/e/{event}/me"
    with players(site, host, event, 1) as (ann,):
        host.pair_round(event, [Table(1, 1, 2)])
        host.open_round(event)
        host.start_round(event)
        found = ann.get(page).text
        assert "The match has its result once it ends." in found
        assert f"/m/{event}.r1.t1" in found
        refused = post(ann, f"{page}/result", round="1", result="1-0")
        assert (refused.status_code, "the match has the result" in refused.text) == (400, True)


def test_everybody_finds_a_table_by_a_name_and_the_matches_behind_standings(
    site: Running, host: Client
) -> None:
    event = seated(host)
    with httpx.Client(base_url=site.web, headers=HTML) as browser:
        found = browser.get(f"/e/{event}", params={"name": "BEN"}).text
        assert 'data-names="Ann\nBen" class="found"' in found
        assert 'data-names="Cleo" hidden' in found
        assert " hidden" not in browser.get(f"/e/{event}").text
        host.report_result(event, 7, Outcome(0, 1, 0, 2))
        assert f'href="/e/{event}/results/2"' in browser.get(f"/e/{event}").text
        found = " ".join(browser.get(f"/e/{event}/results/2").text.split())
        assert f'<a href="/e/{event}/results/1">Ann</a>' in found
        assert "won 1-0" in found
        assert "lost 0-1" in browser.get(f"/e/{event}/results/1").text
        assert browser.get(f"/e/{event}/results/9").status_code == 404


def test_a_player_appeals_against_how_his_call_was_settled(site: Running, host: Client) -> None:
    event = seated(host)
    host.name_official(event, "Ida", "head judge")
    page = f"/e/{event}/me"
    with players(site, host, event, 1, 2, 3) as (ann, ben, cleo):
        call = host.raise_call(event, 7, "it was my turn")
        assert "Appeal" not in ann.get(page).text
        form = {"table": "7", "against": f"call-{call}", "text": "it was"}
        refused = post(ann, f"{page}/appeal", **form)
        assert (refused.status_code, "not settled" in refused.text) == (400, True)
        host.answer_call(event, call, "<b>no</b>")
        found = ann.get(page).text
        assert "how call 1 was settled: &lt;b&gt;no&lt;/b&gt;" in found
        assert 'value="call-1"' in ben.get(page).text
        assert "Appeal" not in cleo.get(page).text
        assert post(cleo, f"{page}/appeal", **form).status_code == 400  # it is not his table
        assert post(ann, f"{page}/appeal", **form).status_code == 303
        for one in (ann, ben):
            text = one.get(page).text
            assert "Appeal against how call 1 was settled:" in text
            assert "the head judge has yet to answer" in text
            assert 'value="call-1"' not in text
            assert "there was an appeal" in post(one, f"{page}/appeal", **form).text
        (appeal,) = host.get_tournament(event).appeals.values()
        assert (appeal.player, appeal.call, appeal.text) == (1, call, "it was")
        host.answer_appeal(event, 1, "he is right", True)
        assert "the ruling does not stand: he is right" in ben.get(page).text
        for bad in ({}, {"against": "entry-x"}, {"against": "song-1"}, {"against": "call-99"}):
            assert post(ann, f"{page}/appeal", table="7", **bad).status_code == 400
        assert post(ann, f"{page}/appeal", table="x", against="call-1").status_code == 400


def test_a_player_appeals_against_rulings_and_his_penalties_in_a_match(
    site: Running, host: Client
) -> None:
    found = started(host, 2)
    event, match, page = found.id, found.match(1), f"/e/{found.id}/me"
    seq = host.rule(match, "the card stays").first_seq
    host.penalise(match, 0, "warning", "slow")
    host.penalise(match, 1, "caution")
    host.rule(match, "that is undone", decision=1)
    with players(site, host, event, 1, 2, 3) as (ann, ben, other):
        text = ann.get(page).text
        assert "the ruling: the card stays" in text
        assert ("your penalty: Warning" in text, "your penalty: Caution" in text) == (True, False)
        assert "your penalty: Caution" in ben.get(page).text
        assert "the ruling" not in other.get(page).text
        choices = re.findall(r'name="against" value="(entry-\d+)"', text)
        assert len(choices) == 3
        for against in choices[:2]:
            assert post(ann, f"{page}/appeal", table="1", against=against).status_code == 303
        assert seq + 1 in {one.seq for one in host.get_tournament(event).appeals.values()}
        assert re.findall(r'name="against" value="(entry-\d+)"', ann.get(page).text) == choices[2:]
        wrong = post(ann, f"{page}/appeal", table="1", against="entry-1").text
        assert "is no ruling" in wrong
        forbidden = post(other, f"{page}/appeal", table="1", against=choices[2])
        assert forbidden.status_code == 400


def test_officials_hear_of_an_appeal_in_the_hall(site: Running, host: Client) -> None:
    event = seated(host)
    call = host.raise_call(event, 7, "it was my turn")
    host.answer_call(event, call, "no")
    hall = f"{site.web}/hall/{event}/now"
    head = {"authorization": f"Bearer {site.token}"}
    with players(site, host, event, 1) as (ann,):
        form = {"table": "7", "against": "call-1", "text": "it was"}
        assert post(ann, f"/e/{event}/me/appeal", **form).status_code == 303
    heard = httpx.get(hall, headers=head).json()["calls"]
    assert "against how call 1 was settled: it was" in heard
    host.answer_appeal(event, 1, "no")
    assert "against how call" not in httpx.get(hall, headers=head).json()["calls"]
