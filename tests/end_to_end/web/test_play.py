"""Two friends play: an invitation, two decks, a match, the next one, and out again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from domain.record import events as ev
from service.client.client import Client
from tests.support import serving
from tests.support.serving import Running

OWN = {"sec-fetch-site": "same-origin", "accept": "text/html"}
FORM = {"content-type": "application/x-www-form-urlencoded"}


@pytest.fixture
def browsers(site: Running) -> Iterator[tuple[httpx.Client, httpx.Client]]:
    """Those of the organiser and of his friend."""
    with (
        httpx.Client(base_url=site.web, headers=OWN, cookies={"kifu": site.token}) as host,
        httpx.Client(base_url=site.web, headers=OWN) as friend,
    ):
        yield host, friend


def invite(host: httpx.Client, **fields: str) -> str:
    """Pick a game and a deck; the address of the invitation."""
    form = {"game": "gundam", "name": "Yugi", "deck": "ST01", **fields}
    found = host.post("/play", data=form)
    assert found.status_code == 303, found.text
    return found.headers["location"]


def seat_of(found: httpx.Response) -> str:
    assert found.status_code == 303, found.text
    match = re.fullmatch(r"/seat/(\w+)", found.headers["location"])
    assert match is not None, found.headers["location"]
    return match[1]


def test_a_link_and_two_decks_make_a_match(
    browsers: tuple[httpx.Client, httpx.Client], site: Running
) -> None:
    host, friend = browsers
    assert "Gundam" in host.get("/play").text
    assert "ST01" in host.get("/play?game=gundam").text
    link = invite(host)
    waiting = host.get(link).text
    assert f"{site.web}{link}" in waiting
    assert host.get(f"{link}/on").json() == {"on": False}
    assert "Yugi invites you" in friend.get(link).text
    match = seat_of(friend.post(link, data={"name": "Kaiba", "deck": "ST03"}))
    assert host.get(f"{link}/on").json() == {"on": True}
    assert seat_of(host.get(link)) == match
    for browser, letter in ((host, "A"), (friend, "B")):
        page = browser.get(f"/seat/{match}").text
        assert f"Yugi – Kaiba: seat {letter}" in page
    stranger = httpx.get(f"{site.web}{link}", headers=OWN)
    assert "has begun without you" in stranger.text
    late = httpx.post(f"{site.web}{link}", headers=OWN, data={"name": "Joey", "deck": "ST01"})
    assert "has begun without you" in late.text


def test_a_list_is_pasted_and_its_faults_are_shown(
    browsers: tuple[httpx.Client, httpx.Client],
) -> None:
    host, friend = browsers
    form = {"game": "gundam", "name": "Yugi", "deck": "ST01", "cards": "4 ST01-001"}
    refused = host.post("/play", data=form)
    assert refused.status_code == 400
    assert 'role="alert"' in refused.text
    assert "4 ST01-001" in refused.text, "what was typed is still there"
    link = invite(host)
    assert friend.post(link, data={"name": "Kaiba", "deck": "none"}).status_code == 400


def test_a_rematch_with_the_decks_swapped_and_out_of_it(
    browsers: tuple[httpx.Client, httpx.Client], organising: Client
) -> None:
    host, friend = browsers
    link = invite(host)
    first = seat_of(friend.post(link, data={"name": "Kaiba", "deck": "ST03"}))
    host.get(link)
    assert seat_of(friend.post("/play/rematch", data={"swap": "1"})) == first, "it is not over"
    api = "/api/kifu.v1.MatchService/Interject"
    conceded = friend.post(api, json={"matchId": first, "act": {"kind": "concede"}})
    assert conceded.status_code == 200, conceded.text
    asked = host.get(f"/seat/{first}/choices").json()["html"]
    assert "/play/rematch" in asked
    second = seat_of(host.post("/play/rematch", data={"swap": "1"}))
    assert second != first
    assert seat_of(friend.post("/play/rematch", headers=FORM)) == second, (
        "the other comes to the same"
    )
    heading = organising.position(second).heading
    assert [heading.decks[seat][0] for seat in (0, 1)] == ["ST03", "ST01"]
    left = host.post("/play/leave", headers=FORM)
    assert left.headers["location"] == "/play"
    assert "Play with a friend" in host.get("/play").text, "he is the organiser as before"
    friend.post("/play/leave", headers=FORM)
    assert friend.get(f"/seat/{second}").status_code == 401


def test_only_an_organiser_invites_and_only_from_these_pages(
    browsers: tuple[httpx.Client, httpx.Client], site: Running
) -> None:
    _, friend = browsers
    assert friend.get("/play").headers["location"] == "/in?to=/play"
    form = {"game": "gundam", "name": "Yugi", "deck": "ST01"}
    assert friend.post("/play", data=form).status_code == 403
    elsewhere = {**OWN, "sec-fetch-site": "cross-site"}
    cookies = {"kifu": site.token}
    sent = httpx.post(f"{site.web}/play", data=form, headers=elsewhere, cookies=cookies)
    assert sent.status_code == 403
    assert friend.get("/play/nobody").status_code == 404
    assert friend.post("/play/rematch", headers=FORM).status_code == 404


@pytest.fixture
def organising(site: Running) -> Iterator[Client]:
    with site.client() as found:
        yield found


@pytest.fixture
def with_rival(tmp_path: Path) -> Iterator[Running]:
    with serving.running(tmp_path / "alone.kifu", http_port=0, rival=True) as found:
        yield found


def test_somebody_plays_alone(with_rival: Running, browsers: tuple[httpx.Client, ...]) -> None:
    """The other seat is taken at once, and answers what it is asked; so it does in a rematch."""
    assert "alone" not in browsers[0].get("/play?game=hollow_flux").text, "here is no rival"
    site = with_rival
    with httpx.Client(base_url=site.web, headers=OWN) as host:
        host.cookies.set("kifu", site.token, domain="127.0.0.1")
        assert 'name="alone"' in host.get("/play?game=hollow_flux").text
        form = {"game": "hollow_flux", "name": "Yugi", "deck": "HX-A", "rival": "HX-B"}
        first = seat_of(host.post("/play", data={**form, "alone": "1"}))
        with site.client() as client:
            assert _answers_of_the_other(client, host, first) > 3
            api = "/api/kifu.v1.MatchService/Interject"
            host.post(api, json={"matchId": first, "act": {"kind": "concede"}})
            rematch = seat_of(host.post("/play/rematch", data={"swap": "1"}))
            assert rematch != first
            assert _answers_of_the_other(client, host, rematch) > 3


def _answers_of_the_other(client: Client, host: httpx.Client, match: str) -> int:
    """Play by the first option until the other has answered a few times; how often it has."""
    found = 0
    token = [one.value for one in host.cookies.jar if one.name == "kifu"][-1]
    mine = client.with_token(str(token))
    with mine.playing() as table:
        for entry in mine.watch(match):
            event = entry.event
            if isinstance(event, ev.DecisionMade):
                found += event.seat == 1
            if found > 3 or isinstance(event, ev.MatchEnded):
                return found
            offered = isinstance(event, ev.OptionsOffered) and event.seat == 0
            if offered and event.offer.value is not None:
                table.choose(match, event.n, event.offer.value.options[0].act())
    return found
