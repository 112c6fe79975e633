"""The routes of overlays: pages, scenes, announcements, tables; by viewer and delay."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import httpx
import pytest

from domain.record.decisions import Act
from domain.record.schema.policy import Policy
from domain.tournament.record import Format, Table
from service.client.client import Client, Opened
from tests.support.serving import Running, play, running


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def seq_of(site: Running, match: str, token: str = "", view: str = "") -> int:
    headers = bearer(token) if token else {}
    found = httpx.get(f"{site.web}/overlay/{match}{view}/now.json", headers=headers)
    return int(found.json()["seq"])


def test_a_page_can_be_framed_by_this_site_and_tells_faults_only_if_asked(site: Running) -> None:
    asked = f"{site.web}/overlay/nobody?theme=../x&show=clok&at.clock=top-left,50&at.last=1,2"
    page = httpx.get(asked)
    assert page.status_code == 200
    assert page.headers["cache-control"] == "no-store"
    policy = page.headers["content-security-policy"]
    assert "frame-ancestors 'self'" in policy
    assert "unsafe" not in policy
    assert 'class="slot slot-clock is-placed at-top-left" data-slot="clock" data-size="50.0"' in (
        page.text
    )
    assert 'at-point" data-slot="last" data-x="1.0" data-y="2.0"' in page.text
    assert "/themes/plain.css" in page.text
    assert "clok" not in page.text
    announcements = httpx.get(asked + "&debug").text
    assert "there is no element &#39;clok&#39; to show" in announcements
    assert "&#39;../x&#39; is no name of a theme" in announcements


def test_a_scene_is_kept_for_ever_and_is_nobodys_before_it_is_there(
    site: Running, opened: Opened
) -> None:
    seq = seq_of(site, opened.id)
    found = httpx.get(f"{site.web}/overlay/{opened.id}/at/{seq}")
    assert found.headers["cache-control"] == "public, max-age=86400, immutable"
    for text in ("Ann", "Ben", 'data-slot="player-1"', "Turn 1", "figure-hand"):
        assert text in found.text
    repeated = {"if-none-match": found.headers["etag"]}
    assert httpx.get(found.url, headers=repeated).status_code == 304
    own = httpx.get(
        f"{site.web}/overlay/{opened.id}/as/public/at/{seq}", headers=bearer(opened.public)
    )
    assert own.headers["cache-control"].startswith("private")
    assert own.text == found.text
    for path in (
        f"at/{seq + 1}",
        "at/0",
        f"announced/0-{seq + 1}",
        f"announced/{seq}-{seq}",
        "announced/0-5000",
    ):
        late = httpx.get(f"{site.web}/overlay/{opened.id}/{path}")
        assert (late.status_code, late.headers["cache-control"]) == (404, "no-store"), path


def test_a_view_is_for_whoever_has_a_right_to_it(site: Running, opened: Opened) -> None:
    ways = [
        ("", "seat-0", 404), (opened.public, "seat-0", 404), (opened.seats[1], "seat-0", 404),
        (opened.seats[0], "official", 404), (opened.seats[0], "seat-0", 200),
        (opened.official, "seat-0", 200), (opened.official, "official", 200),
        (opened.seats[0], "nobody", 404),
    ]  # fmt: skip
    for token, view, status in ways:
        address = f"{site.web}/overlay/{opened.id}/as/{view}/at/3"
        found = httpx.get(address, headers=bearer(token) if token else {})
        assert found.status_code in (status, 403 if status == 404 else status, 400), (view, status)
        assert (found.status_code == 200) is (status == 200), (view, status)


def test_announcements_are_made_once_and_not_for_abandoned_entries(
    site: Running, host: Client, opened: Opened
) -> None:
    official = host.with_token(opened.official)
    before = seq_of(site, opened.id)
    official.penalise(opened.id, 1, "warning", "slow <b>play</b>")
    official.rule(opened.id, "It stands <i>.", about=before)
    seq = seq_of(site, opened.id)

    def announcements(after: int, upto: int) -> str:
        return httpx.get(f"{site.web}/overlay/{opened.id}/announced/{after}-{upto}").text

    assert announcements(before, seq).count('class="announcement ') == 2
    assert "announcement-penalty seat-1" in announcements(before, seq)
    assert "slow" not in announcements(before, seq)  # what for is for the table
    assert "It stands &lt;i&gt;." in announcements(before, seq)
    assert 'class="announcement ' not in announcements(0, before)
    host.with_token(opened.seats[0]).choose(opened.id, 1, Act("pass"))
    played = seq_of(site, opened.id)
    official.penalise(opened.id, 0, "caution", "talk")
    official.rewind(opened.id, 1, "wrong")
    upto = seq_of(site, opened.id)
    assert "Caution" in announcements(played, played + 3)
    found = announcements(played, upto)
    assert "Caution" not in found
    assert 'class="rewound"' in found
    assert "announcement-rewind" in found


def test_an_overlay_is_as_late_as_its_token(site: Running, host: Client) -> None:
    match = host.open_match("toy", ["Ann", "Ben"], ["ones", "tens"], options={"turns": 6})
    late = host.issue_tokens(match.id, "5 decisions").public
    seat = host.with_token(match.seats[0])
    now = httpx.get(f"{site.web}/overlay/{match.id}/as/public/now.json", headers=bearer(late))
    assert now.status_code == 404 or now.json()["seq"] < seq_of(site, match.id)
    seat.choose(match.id, 1, Act("pass"))
    seq = seq_of(site, match.id)
    for path in (f"at/{seq}", f"announced/0-{seq}"):
        found = httpx.get(f"{site.web}/overlay/{match.id}/as/public/{path}", headers=bearer(late))
        assert found.status_code == 404
        assert httpx.get(f"{site.web}/overlay/{match.id}/{path}").status_code == 200


def test_who_must_be_signed_in_is_never_answered_as_the_public(site: Running, host: Client) -> None:
    match = host.open_match("toy", ["Ann", "Ben"], ["ones", "tens"], options={"turns": 6})
    late, event = host.issue_tokens(match.id).public, entered(host)
    of_event = host.issue_event_tokens(event).public
    for path, token in (
        (f"{match.id}/now.json", late),
        (f"{match.id}/as/public/now.json", late),
        (f"{match.id}/at/1", late),
        (f"{match.id}/announced/0-1", late),
        (f"table/1/now.json?event={event}", of_event),
    ):
        address = f"{site.web}/overlay/{path}"
        asked = f"{address}{'&' if '?' in path else '?'}signed=1"
        assert httpx.get(address).status_code == 200
        refused = httpx.get(asked)
        assert (refused.status_code, refused.headers["cache-control"]) == (401, "no-store")
        assert httpx.get(asked, headers=bearer(token)).status_code == 200


def entered(host: Client, seconds: int = 3000) -> str:
    """An event of two tables whose first round is paired; its id."""
    event = host.open_tournament("Cup", Format("toy", mode="dealer", seconds=seconds)).id
    for n in host.enter_players(event, ["Ann", "Ben", "Cas", "Dot"]):
        host.hand_in_list(event, n, ("ones", "tens")[n % 2])
    host.accept_lists(event)
    host.pair_round(event, [Table(1, 1, 2), Table(2, 3, 4)])
    return event


def test_a_table_tells_its_match_and_the_next_pairing(site: Running, host: Client) -> None:
    event = entered(host)

    def now(**more: str) -> httpx.Response:
        return httpx.get(f"{site.web}/overlay/table/2/now.json", params={"event": event, **more})

    paired = now()
    assert paired.headers["cache-control"] == "public, max-age=1"
    assert (paired.json()["match"], paired.json()["html"]) == ("", "")  # it may be paired again
    host.open_round(event)
    waiting = now().json()
    assert waiting["match"] == ""
    assert "Cas" in waiting["html"]
    assert "Next: round 1, table 2" in waiting["html"]
    host.start_round(event)
    assert now().json() == {"event": event, "round": 1, "match": f"{event}.r1.t2", "html": ""}
    for table in (1, 2):
        seats = host.issue_tokens(f"{event}.r1.t{table}").seats
        host.with_token(seats[1]).interject(f"{event}.r1.t{table}", Act("concede"))
    own = httpx.get(
        f"{site.web}/overlay/table/2/now.json",
        headers=bearer(host.issue_event_tokens(event).public),
    )
    assert own.json()["event"] == event
    assert own.headers["cache-control"] == "no-store"
    nobody = httpx.get(f"{site.web}/overlay/table/2/now.json", params={"event": "zzzz"})
    assert nobody.status_code == 404
    host.end_round(event)
    host.pair_round(event, [Table(1, 1, 3), Table(2, 2, 4)])
    host.open_round(event)
    found = now().json()
    assert (found["match"], "Next: round 2" in found["html"]) == (f"{event}.r1.t2", True)
    text = json.dumps(found)
    assert "ones" not in text  # no list is told


def test_an_event_that_is_not_released_is_not_counted(tmp_path: Path) -> None:
    with running(tmp_path / "m.kifu", http_port=0) as site, site.client() as client:
        shown = entered(client)
        client.open_tournament("Late", Format("toy", policy=Policy(delay="300s")))
        now = f"{site.web}/overlay/table/2/now.json"
        assert httpx.get(now).json()["event"] == shown
        assert httpx.get(now, headers=bearer(site.token)).status_code == 400  # there are two


def test_themes_and_the_page_of_settings(tmp_path: Path) -> None:
    folder = tmp_path / "themes"
    folder.mkdir()
    (folder / "cup.css").write_text(":root { --ink: red }")
    (tmp_path / "secret.css").write_text("secret")
    look = {"themes": str(folder), "open": False}
    with running(tmp_path / "m.kifu", http_port=0, look=look) as site:
        theme = httpx.get(f"{site.web}/themes/cup.css")
        assert (theme.text, theme.headers["content-type"]) == (
            ":root { --ink: red }", "text/css; charset=utf-8"
        )  # fmt: skip
        assert httpx.get(f"{site.web}/themes/bold.css").status_code == 200
        for name in ("..%2Fsecret", "%2e%2e/secret", "none", "cup.css%00", "a/../cup"):
            assert httpx.get(f"{site.web}/themes/{name}.css").status_code in (200, 404)
            assert "secret" not in httpx.get(f"{site.web}/themes/{name}.css").text
        assert httpx.get(f"{site.web}/overlay").status_code == 401
        page = httpx.get(f"{site.web}/overlay", headers=bearer(site.token))
        assert "<option>cup</option>" in page.text
        assert "frame-src 'self'" in page.headers["content-security-policy"]
        assert httpx.get(f"{site.web}/overlay/table/1/now.json").status_code == 401
        assert httpx.get(f"{site.web}/overlay/abc").status_code == 200


@pytest.mark.parametrize("path", ["table/x", "table/1/now", "a/b", "a/at/x", "a/announced/1"])
def test_there_is_nothing_at_other_addresses(site: Running, path: str) -> None:
    assert httpx.get(f"{site.web}/overlay/{path}").status_code == 404


@pytest.mark.long
def test_a_range_is_as_long_as_elsewhere(site: Running, host: Client) -> None:
    opened = host.open_match("toy", ["Ann", "Ben"], ["ones", "tens"], options={"turns": 120})
    play(tuple(map(host.with_token, opened.seats)), opened, Random(2))
    assert seq_of(site, opened.id) > 1025
    for base, last in (("m", "lines/{}.json"), ("overlay", "announced/{}")):
        found = [
            httpx.get(f"{site.web}/{base}/{opened.id}/{last.format(some)}").status_code
            for some in ("0-1024", "1-1025", "0-1025")
        ]
        assert found == [200, 200, 404]


CHANNEL = "abcdefghijkl1"


def stepped(site: Running, match: str, at: object, token: str, channel: str = CHANNEL) -> int:
    """Have a channel show an entry; the status of the answer."""
    found = httpx.post(
        f"{site.web}/overlay/{match}/remote.json",
        json={"remote": channel, "at": at},
        headers=bearer(token) if token else {},
    )
    return found.status_code


def at_of(site: Running, match: str, token: str = "", channel: str = CHANNEL) -> int:
    """The entry that the overlays of a channel are to show."""
    view = "/as/public" if token else ""
    found = httpx.get(
        f"{site.web}/overlay/{match}{view}/remote.json?remote={channel}",
        headers=bearer(token) if token else {},
    )
    return int(found.json()["at"])


def test_a_remote_is_for_who_is_signed_in_and_steps_its_own_channel(
    site: Running, host: Client, opened: Opened
) -> None:
    match, official = opened.id, opened.official
    seq = seq_of(site, match)
    other = host.open_match("toy", ["Cas", "Dot"], ["ones", "tens"])
    assert httpx.get(f"{site.web}/overlay/remote?match={match}").status_code == 401
    page = httpx.get(f"{site.web}/overlay/remote?match={match}", headers=bearer(official))
    assert "Ann – Ben" in page.text
    assert [stepped(site, match, 3, token) for token in ("", other.official)] == [401, 404]
    assert stepped(site, match, seq + 1, official) == 404
    for at, channel in (("3", CHANNEL), (-1, CHANNEL), (3, "short"), (3, "x" * 41)):
        assert stepped(site, match, at, official, channel) in (400, 404)
    assert at_of(site, match) == 0
    assert stepped(site, match, 3, official) == 200
    assert [at_of(site, match), at_of(site, match, official)] == [3, 3]
    assert [at_of(site, match, channel="another" * 2), at_of(site, other.id)] == [0, 0]
    assert stepped(site, match, 0, official) == 200
    assert at_of(site, match) == 0


def test_a_remote_shows_nobody_an_entry_before_its_time(site: Running, host: Client) -> None:
    opened = host.open_match(
        "toy", ["Ann", "Ben"], ["ones", "tens"], policy=Policy(delay="2 decisions")
    )
    for n in range(1, 5):
        host.with_token(opened.seats[(n - 1) % 2]).choose(opened.id, n, Act("pass"))
    ahead = seq_of(site, opened.id, opened.official, "/as/public")
    before = seq_of(site, opened.id)
    assert ahead > before > 0
    assert stepped(site, opened.id, ahead, opened.official) == 200
    assert [at_of(site, opened.id, opened.official), at_of(site, opened.id)] == [ahead, 0]
    assert stepped(site, opened.id, before, opened.official) == 200
    assert at_of(site, opened.id) == before


def test_that_a_judge_is_called_is_shown_to_those_who_may_know(site: Running, host: Client) -> None:
    event = host.open_tournament("Cup", Format("toy", mode="dealer", seconds=3000)).id
    for n in host.enter_players(event, ["Ann", "Ben"]):
        host.hand_in_list(event, n, "ones")
    host.accept_lists(event)
    host.pair_round(event, [Table(1, 1, 2)])
    host.open_round(event)
    host.start_round(event)
    match = f"{event}.r1.t1"
    tokens = host.issue_tokens(match)

    def calls(token: str) -> list[object]:
        view = "/as/public" if token else ""
        headers = bearer(token) if token else {}
        now = httpx.get(f"{site.web}/overlay/{match}{view}/now.json", headers=headers).json()
        own = httpx.get(f"{site.web}/m/{match}/called.json", headers=headers).json()
        page = httpx.get(f"{site.web}/m/{match}", headers=headers).text
        assert now["called"] == own["called"]
        return [now["calls"], now["called"], 'id="judge"' in page]

    knowing, others = [tokens.official, tokens.seats[0]], ["", tokens.public]
    assert [calls(token) for token in knowing] == [[True, "", True]] * 2
    call = host.raise_call(event, 1, "a question")
    assert [calls(token) for token in knowing] == [[True, "A judge is called.", True]] * 2
    host.take_call(event, call)
    assert [calls(token) for token in knowing] == [[True, "A judge is on the way.", True]] * 2
    assert [calls(token) for token in others] == [[False, "", False]] * 2
    host.answer_call(event, call, "play on")
    assert [calls(token) for token in knowing] == [[True, "", True]] * 2


def test_that_time_was_called_is_shown_until_the_match_is_over(
    site: Running, host: Client, opened: Opened
) -> None:
    host.with_token(opened.official).call_time(opened.id)
    scene = httpx.get(f"{site.web}/overlay/{opened.id}/at/{seq_of(site, opened.id)}").text
    assert 'data-called="Time called' in scene
    assert "Time was called." in httpx.get(f"{site.web}/m/{opened.id}").text
    host.with_token(opened.seats[1]).interject(opened.id, Act("concede"))
    scene = httpx.get(f"{site.web}/overlay/{opened.id}/at/{seq_of(site, opened.id)}").text
    assert 'data-called=""' in scene
    assert "Time was called." not in httpx.get(f"{site.web}/m/{opened.id}").text
