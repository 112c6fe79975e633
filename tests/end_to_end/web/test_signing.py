"""Signing in by a code, and out: what a browser gets, what it keeps, where it is led."""

from __future__ import annotations

import time
from typing import Any

import httpx
import pytest
from kifu.v1 import code_service_pb2 as pb

from domain.text import decklists
from domain.tournament.record import Format, Outcome
from service.client.client import Client, Opened
from service.client.connection import CallError
from service.deploy import health
from service.identity import Identity, Keys, Role
from tests.end_to_end.web import everybody
from tests.support import serving
from tests.support.serving import Running


def post(browser: httpx.Client, path: str = "/in", **fields: str) -> httpx.Response:
    """The fields that a form of ours sends."""
    return browser.post(path, data=fields, headers={"sec-fetch-site": "same-origin"})


def code_of(host: Client, match: str, **holder: Any) -> str:
    [(code, _)] = host.issue_codes([pb.CodeHolder(match_id=match, **holder)], 2)
    return code


def test_codes_say_where_browsers_are_signed_in_by_them(
    site: Running, host: Client, opened: Opened, browser: httpx.Client
) -> None:
    holder = pb.CodeHolder(match_id=opened.id, role="official")
    issued = host.issue_codes([holder], once=True)
    assert issued.web == site.web
    assert post(browser, code=issued[0][0]).status_code == 303
    assert post(browser, code=issued[0][0]).status_code == 401


def role(browser: httpx.Client) -> str:
    found = browser.get("/me")
    return found.text if found.status_code == 200 else ""


def test_a_code_signs_a_browser_in_for_as_long_as_its_token_lasts(
    host: Client, opened: Opened, browser: httpx.Client
) -> None:
    form = browser.get("/in")
    assert form.status_code == 200
    assert 'action="/in"' in form.text
    assert form.headers["cache-control"] == "no-store"
    found = post(browser, code=code_of(host, opened.id, role="seat", seat=0).lower())
    assert (found.status_code, found.headers["location"]) == (303, f"/seat/{opened.id}")
    [cookie] = [one for one in found.headers.get_list("set-cookie") if one.startswith("kifu=ey")]
    flags = {part.strip().partition("=")[0].lower() for part in cookie.split(";")[1:]}
    assert {"httponly", "max-age", "path", "samesite"} <= flags
    assert "domain" not in flags
    [lasts] = [one.expires for one in browser.cookies.jar if one.name == "kifu"]
    assert lasts == pytest.approx(time.time() + 2 * 86_400, abs=30)
    assert f"seat 0 of {opened.id}" in role(browser)


@pytest.mark.parametrize(
    ("holder", "where"),
    [
        ({"role": "official"}, "/desk/{}"),
        ({"role": "public"}, "/m/{}"),
        ({"role": "seat", "seat": 1}, "/seat/{}"),
    ],
)
def test_everybody_is_led_to_where_he_belongs(
    host: Client, opened: Opened, browser: httpx.Client, holder: dict[str, Any], where: str
) -> None:
    found = post(browser, code=code_of(host, opened.id, **holder))
    assert found.headers["location"] == where.format(opened.id)


@pytest.mark.parametrize(
    ("to", "where"),
    [
        ("/m/abc?at=3&as=seat-0", "/m/abc?at=3&as=seat-0"),
        ("/me", "/me"),
        ("//evil.example", ""),
        ("/\\evil.example", ""),
        ("https://evil.example/", ""),
        ("/%2f/evil.example", ""),
        ("/\t/evil.example", ""),
        ("/a//evil.example", ""),
        ("javascript:alert(1)", ""),
        ("me", ""),
    ],
)
def test_nobody_is_led_away_from_here(
    opened: Opened, browser: httpx.Client, to: str, where: str
) -> None:
    form = browser.get("/in", params={"to": to})
    assert ("evil" in form.text, "alert(" in form.text) == (False, False)
    found = post(browser, code=opened.public, to=to)
    assert found.headers["location"] == (where or f"/m/{opened.id}")


def test_a_link_with_much_power_lets_one_browser_in(
    site: Running, browser: httpx.Client, tmp_path: Any
) -> None:
    with serving.running(tmp_path / "m.kifu", http_port=0) as running:
        key = running.entrance.partition("#")[2]
        assert running.entrance.startswith(f"{running.web}/in#")
        assert key not in (tmp_path / "server.log").read_text()
        with httpx.Client(base_url=running.web, headers=dict(browser.headers)) as other:
            assert post(other, code=key).headers["location"] == "/hall"
            assert "an organiser" in role(other)
            repeated = post(browser, code=key)
            assert repeated.status_code == 401
            assert "set-cookie" not in repeated.headers
            gone = post(other, "/out", revoke="1")
            assert gone.status_code == 303
        with running.client() as client:  # the token that lies beside the file is another
            assert client.who_am_i().role == "organiser"


def test_faults_of_a_code_are_worded_as_elsewhere(browser: httpx.Client) -> None:
    for code, status, words in (
        ("2222-2222", 400, "one letter or more is wrong"),
        ("", 400, "one letter or more is wrong"),
        ("0000-0000", 401, "is not valid"),
        ("a.b.c", 401, "was not issued here"),
        ("<script>alert(1)</script>", 400, "one letter or more is wrong"),
    ):
        found = post(browser, code=code)
        assert (found.status_code, words in found.text) == (status, True), code
        assert "<script>alert" not in found.text
        assert "set-cookie" not in found.headers


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://["},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none"},
        {"origin": "{own}", "sec-fetch-site": "cross-site"},
    ],
)
def test_no_other_site_signs_anybody_in_or_out(
    site: Running, opened: Opened, browser: httpx.Client, headers: dict[str, str]
) -> None:
    headers = {key: value.format(own=site.web) for key, value in headers.items()}
    refused = browser.post("/in", data={"code": opened.seats[0]}, headers=headers)
    assert (refused.status_code, "set-cookie" in refused.headers) == (403, False)
    post(browser, code=opened.seats[0])
    assert browser.post("/out", data={"x": ""}, headers=headers).status_code == 403
    assert role(browser)


def test_whoever_signs_out_is_nobody_and_may_take_his_token_with_him(
    site: Running, host: Client, opened: Opened, browser: httpx.Client
) -> None:
    assert browser.get("/me").headers["location"] == "/in?to=/me"
    post(browser, code=opened.seats[0])
    token = browser.cookies["kifu"]
    out = browser.post("/out", data={"x": ""}, headers={"origin": site.web})
    assert (out.headers["location"], role(browser)) == ("/in", "")
    assert host.with_token(token).who_am_i().seat == 0
    post(browser, code=token)
    post(browser, "/out", revoke="1")
    browser.cookies.set("kifu", token)
    revoked = browser.get("/me")
    assert revoked.status_code == 401
    assert "max-age=0" in revoked.headers["set-cookie"].lower()
    post(browser, code=site.token)
    post(browser, "/out", revoke="1")  # by which commands get in: it stays
    assert host.who_am_i().role == "organiser"


def test_a_cookie_counts_for_no_page_of_another_site(
    opened: Opened, browser: httpx.Client, site: Running
) -> None:
    post(browser, code=opened.seats[0])
    followed = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    for headers, status in (
        ({"sec-fetch-site": "cross-site", **followed}, 200),
        ({"sec-fetch-site": "none", **followed}, 200),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}, 303),
        ({"sec-fetch-site": "same-site", "sec-fetch-mode": "cors"}, 303),
        ({"sec-fetch-site": "cross-site", **followed, "sec-fetch-dest": "iframe"}, 303),
    ):
        assert browser.get("/me", headers=headers).status_code == status, headers


def test_an_expired_session_is_reported_and_forgotten(
    site: Running, opened: Opened, browser: httpx.Client, tmp_path: Any
) -> None:
    foreign, _ = Keys.once().issue(Identity(Role.ORGANISER, "x"), 1)
    browser.cookies.set("kifu", foreign)
    found = browser.get("/me")
    assert (found.status_code, "max-age=0" in found.headers["set-cookie"].lower()) == (401, True)
    plain = httpx.get(f"{site.web}/me", headers={"authorization": f"Bearer {foreign}"})
    assert (plain.status_code, "set-cookie" in plain.headers) == (401, False)


def test_the_service_says_that_it_is_well(site: Running) -> None:
    found = httpx.get(f"{site.web}/healthz")
    assert (found.status_code, found.text, found.headers["cache-control"]) == (
        200,
        "ok\n",
        "no-store",
    )
    assert health.fault(site.web) == ""


def test_a_player_code_gives_the_next_match_without_retyping(
    host: Client, browser: httpx.Client
) -> None:
    event = everybody.event_of_two(host)
    [(code, _)] = host.issue_codes([pb.CodeHolder(role="seat", event_id=event, player=1)])
    seat = post(browser, code=code).headers["location"]
    assert seat.startswith(f"/seat/{event}.")
    assert {one.name for one in browser.cookies.jar} == {"kifu", "kifu-code"}
    assert 'name="renew"' in browser.get("/me").text
    assert post(browser, renew="1").headers["location"] == seat
    host.report_result(event, 1, Outcome(1, 0, winner=1))
    over = post(browser, renew="1")
    assert (over.status_code, "The result of table 1 was entered" in over.text) == (400, True)
    assert 'name="renew"' in browser.get("/in").text
    post(browser, "/out")
    assert post(browser, renew="1").status_code == 400  # it has forgotten the code


def test_a_player_hands_in_his_list_by_his_code_until_that_is_closed(
    site: Running, host: Client
) -> None:
    event = host.open_tournament("Cup", Format("toy", mode="table"))
    [ann, ben] = host.enter_players(event.id, ["Ann", "Ben"])
    holders = [pb.CodeHolder(role="seat", event_id=event.id, player=one) for one in (ann, ben)]
    [code, other] = [text for text, _ in host.issue_codes(holders)]
    page = f"/e/{event.id}/me"
    headers = {"accept": "text/html"}
    with httpx.Client(base_url=site.web, headers=headers) as browser:
        assert browser.get(page).headers["location"] == f"/in?to={page}"
        assert "Hand in your list" in browser.get(f"/e/{event.id}").text
        assert post(browser, page, cards="4 x").status_code == 404
        assert post(browser, code=code).headers["location"] == page  # there is no match yet
        assert "Your list is missing." in browser.get(page).text
        assert "no card is called" in post(browser, f"{page}/check", cards="4 Zzzz").text
        found = post(browser, page, cards="4 Zzzz")
        assert (found.status_code, "4 Zzzz" in found.text) == (400, True)
        assert browser.post(page, data={"cards": "x"}).status_code == 403  # of another site
        ready = host.decks("toy")["ones"]
        text = decklists.whole({part: [*cards] for part, cards in ready.items()})
        assert "no faults" in post(browser, f"{page}/check", cards=text).text
        assert (
            post(browser, page, cards=f"{text}\n1 {next(iter(ready['main']))}").status_code == 303
        )
        assert "It has faults" in browser.get(page).text
        assert post(browser, page, cards=text, name="Mine").headers["location"] == page
        assert "Your list is handed in." in browser.get(page).text
        state = host.get_tournament(event.id, with_lists=True)
        (mine,) = [one for one in state.lists.values() if one.seq == state.players[ann].list]
        assert (mine.deck.name, mine.faults) == ("Mine", ())
        with site.client(browser.cookies["kifu"]) as client:  # nobody else's list, and no match
            with pytest.raises(CallError, match="player whose list it is"):
                client.hand_in_list(event.id, ben, "ones")
            assert not [*client.list_matches()]
        host.close_lists(event.id)
        assert "handed in no more" in browser.get(page).text
        assert post(browser, page, cards=text).status_code == 400
        host.close_lists(event.id, open=True)
        host.accept_lists(event.id, [ann])
        assert "Your list is accepted." in browser.get(page).text
        assert post(browser, page, cards=text).status_code == 400
    host.hand_in_list(event.id, ben, "ones")
    host.accept_lists(event.id)
    host.pair_round(event.id)
    host.open_round(event.id)
    with httpx.Client(base_url=site.web, headers=headers) as browser:
        assert post(browser, code=other).headers["location"].startswith("/seat/")
        assert "Your list is accepted." in browser.get(page).text
        assert post(browser, code=other, to=page).headers["location"] == page
