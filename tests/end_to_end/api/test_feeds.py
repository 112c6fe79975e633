"""Feeds over HTTP: the entries and positions of a match, as events and as lines."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from domain.record.decisions import Act
from domain.record.schema.policy import Policy
from service.client.client import Client, Opened
from tests.support.serving import Running

LINES = {"accept": "application/x-ndjson"}


@pytest.fixture(scope="module")
def web(server: Running) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.web, timeout=30) as client:
        yield client


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def events(body: str) -> list[tuple[str, int, Any]]:
    """The events of a feed: name, id, data."""
    found = []
    for block in body.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line[:1] != ":")
        if "data" in fields:
            data = json.loads(fields["data"])
            found.append((fields.get("event", ""), int(fields.get("id", 0)), data))
    return found


def test_a_feed_of_entries_says_what_the_stream_says(
    web: httpx.Client, toy: Opened, seats: tuple[Client, ...], organiser: Client
) -> None:
    """To the end of the match, for a spectator without a token; and again from any entry on."""
    seats[0].choose(toy.id, 1, Act("pass"))
    seats[1].interject(toy.id, Act("concede"))
    path = f"/api/feeds/{toy.id}/entries"
    whole = web.get(path)
    assert whole.headers["content-type"] == "text/event-stream; charset=utf-8"
    *seen, (name, last, end) = events(whole.text)
    entries = [entry for _, _, data in seen for entry in data["entries"]]
    public = [*organiser.with_token(toy.public).watch(toy.id)]
    assert [entry["seq"] for entry in entries] == [entry.seq for entry in public]
    assert (name, end["ended"]["state"]) == ("ended", "MATCH_STATE_ENDED")
    assert last == organiser.match(toy.id).entries
    lines = [json.loads(line) for line in web.get(path, headers=LINES).text.splitlines()]
    assert lines == [data for _, _, data in seen] + [end]
    for resumed in (
        web.get(path, params={"after": 30}),
        web.get(path, params={"after": 3}, headers={"last-event-id": "30"}),
    ):
        (_, _, data), _ = events(resumed.text)
        assert data["entries"] == entries[30:]
    assert web.get(path, headers={"last-event-id": str(last)}).status_code == 204
    assert len(events(web.get(path, params={"after": last}).text)) == 1


def test_a_view_is_for_whoever_may_have_it(web: httpx.Client, toy: Opened, seats: Any) -> None:
    seats[0].interject(toy.id, Act("concede"))
    path = f"/api/feeds/{toy.id}/entries"
    seen = {
        (token, view): web.get(path, params={"as": view} if view else {}, headers=bearer(token))
        for token in (toy.public, toy.seats[0], toy.official)
        for view in ("", "public", "seat-0", "seat-1", "official")
    }
    public = seen[toy.public, "public"].text
    for (token, view), found in seen.items():
        allowed = view in ("", "public") or token == toy.official
        allowed = allowed or (token == toy.seats[0] and view == "seat-0")
        assert found.status_code == (200 if allowed else 403), (token, view)
        assert (found.text == public) == (view in ("", "public")), view
    assert web.get(path, params={"as": "seat-0"}).status_code == 403
    assert web.get(path, headers=bearer("junk")).status_code == 401


def test_a_feed_of_positions_goes_on_live(web: httpx.Client, toy: Opened, seats: Any) -> None:
    path, params = f"/api/feeds/{toy.id}/positions", {"each": "decision", "whole": "1"}
    with web.stream("GET", path, params=params, headers=LINES) as feed:
        lines = (json.loads(line) for line in feed.iter_lines() if line)
        first = next(lines)
        (step,) = first["steps"]
        assert step["position"]["decision"]["n"] == 1
        seats[0].choose(toy.id, 1, Act("pass"))
        (step,) = (following := next(lines))["steps"]
        assert step["position"]["decision"]["n"] == 2
    params["after"] = str(first["seq"])
    with web.stream("GET", path, params=params) as feed:
        text = ""
        for part in feed.iter_text():
            text += part
            if seen := events(text):
                assert seen == [("", following["seq"], following)]
                break


@pytest.mark.parametrize(
    ("what", "params", "status"),
    [
        ("nosuch/entries", {}, 404),
        ("{}/entries", {"after": "x"}, 400),
        ("{}/entries", {"after": "-1"}, 400),
        ("{}/entries", {"after": "9" * 30}, 400),
        ("{}/entries", {"after": "१"}, 400),
        ("{}/positions", {"after": "-2"}, 400),
        ("{}/positions", {"each": "card"}, 400),
        ("{}/positions", {"as": "seat-10"}, 400),
        ("{}/cards", {}, 404),
        ("..%2f{}/entries", {}, 404),
    ],
)
def test_what_is_no_feed(
    web: httpx.Client, toy: Opened, what: str, params: dict[str, str], status: int
) -> None:
    found = web.get(f"/api/feeds/{what.format(toy.id)}", params=params)
    assert found.status_code == status
    assert re.fullmatch("[a-z_]+", found.json()["code"])


def test_many_begin_at_once(web: httpx.Client, toy: Opened, seats: Any) -> None:
    """None of them is put off: all that have one token ask once how the match stands."""
    seats[0].interject(toy.id, Act("concede"))

    async def all_at_once() -> set[tuple[int, str]]:
        async with httpx.AsyncClient(base_url=web.base_url, timeout=20) as crowd:
            path = f"/api/feeds/{toy.id}/entries"
            found = await asyncio.gather(*(crowd.get(path) for _ in range(150)))
        return {(one.status_code, one.text) for one in found}

    ((status, _),) = asyncio.run(all_at_once())
    assert status == 200
    assert web.head(f"/api/feeds/{toy.id}/entries").status_code == 405


def test_a_match_that_is_late(web: httpx.Client, organiser: Client) -> None:
    """Without a token nothing is revealed, not even that there is a match."""
    policy = Policy(delay="9 decisions")
    late = organiser.open_match("toy", ["Ann", "Ben"], ["ones", "tens"], policy=policy)
    seen = {
        web.get(f"/api/feeds/{match}/{what}", headers=headers).content
        for match in (late.id, "nosuch")
        for what in ("entries", "positions")
        for headers in ({}, LINES)
    }
    assert len(seen) == 1
