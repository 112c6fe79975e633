"""nginx in front: however many watch, each position is asked of the service once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import httpx
import pytest

from domain.record.schema.policy import Policy
from service.client.client import Client, Opened
from tests.support.proxies import Proxy, nginx
from tests.support.serving import Running, play
from tests.support.spectators import Spectator

pytestmark = pytest.mark.long
COMMANDS = 6


async def watched(proxy: Proxy, host: Client, match: Opened, n: int) -> list[Spectator]:
    """So many follow a match while it is played, and step back through it."""
    begun = host.match(match.id).entries
    people = [Spectator(proxy.port, match.id, begun) for _ in range(n)]
    seats = tuple(map(host.with_token, match.seats))
    for _ in range(COMMANDS):
        await asyncio.to_thread(play, seats, match, Random(1), 1)
        now = (await asyncio.to_thread(host.match, match.id)).entries
        await asyncio.gather(*(one.reached(now) for one in people))
    back = [f"at/{seq}" for seq in range(now, now - 8, -1)]
    await asyncio.gather(*(one.fetch(back) for one in people))
    await asyncio.gather(*(one.leave() for one in people))
    return people


def counted(proxy: Proxy, match: str) -> tuple[int, int, int]:
    """Requests for what is kept: of spectators, of nginx to the service, and different ones."""
    everybody, origin = proxy.asked()
    kept = [path for path in everybody if path.startswith(f"/m/{match}/") and "follow" not in path]
    return sum(everybody[p] for p in kept), sum(origin[p] for p in kept), len(kept)


def test_requests_that_reach_the_service_do_not_grow_with_spectators(
    tmp_path: Path, site: Running, host: Client
) -> None:
    with nginx(tmp_path / "nginx", site.web) as proxy:
        reached = []
        for n in (10, 100, 1000):
            match = host.open_match(
                "toy", ["A", "B"], ["ones", "tens"], options={"turns": 12}, seed=1
            )
            people = asyncio.run(watched(proxy, host, match, n))
            assert all(one.fetched == people[0].fetched for one in people)
            asked, origin, different = counted(proxy, match.id)
            assert asked == n * (3 * COMMANDS + 8)
            assert origin == different, "each of them once"
            reached.append(origin)
        assert len(set(reached)) == 1


def test_delays_hold_through_the_cache(tmp_path: Path, site: Running, host: Client) -> None:
    match = host.open_match(
        "toy", ["A", "B"], ["ones", "tens"], options={"turns": 6}, policy=Policy(delay="1 decision")
    )
    seats, official = tuple(map(host.with_token, match.seats)), match.official
    with (
        nginx(tmp_path / "nginx", site.web) as proxy,
        httpx.Client(base_url=f"{proxy.web}/m/{match.id}") as web,
    ):
        play(seats, match, Random(1), 2)
        seen = web.get("now.json").json()["seq"]
        mine = {"authorization": f"Bearer {official}", "cookie": f"kifu={official}"}
        for kind in ("at/{}", "at/{}.json", "lines/0-{}", "marks/0-{}.json"):
            path = kind.format(seen + 1)
            for headers in ({}, mine, {}):
                found = web.get(path, headers=headers)
                assert (found.status_code, found.headers["cache-control"]) == (404, "no-store")
            private = web.get(f"as/official/{path}", headers=mine)
            assert private.headers["cache-control"].startswith("private")
            assert web.get(f"as/official/{path}").status_code == 404
        play(seats, match, Random(1), 1)
        path = f"lines/0-{seen + 1}"
        for coding in ("gzip", "zstd", "identity", "gzip"):
            found = web.get(path, headers={"accept-encoding": coding})
            assert found.status_code == 200
            packed = found.headers.get("content-encoding", "identity")
            assert packed == ("gzip" if coding == "gzip" else "identity")
        _, origin = proxy.asked()
        assert origin[f"/m/{match.id}/{path}"] == 4, "three times in vain"


def test_unknown_parameters_of_an_address_change_nothing(
    tmp_path: Path, site: Running, host: Client, opened: Opened
) -> None:
    with (
        nginx(tmp_path / "nginx", site.web) as proxy,
        httpx.Client(base_url=f"{proxy.web}/m/{opened.id}") as web,
    ):
        asked = ("", "?x=1", "?lang=", "?lang=&lang=xx", "?LANG=&y", "?lang", "?")
        found = [web.get(f"at/3{more}") for more in asked]
        assert {one.content for one in found} == {found[0].content}
        for other in ("at/%33", "./at/3", "nothing/../at/3"):
            assert web.get(other).content == found[0].content
        _, origin = proxy.asked()
        assert sum(origin.values()) == 1


def test_the_page_of_a_match_is_kept_for_those_without_a_session(
    tmp_path: Path, site: Running, host: Client, opened: Opened
) -> None:
    page = f"/m/{opened.id}"
    with (
        nginx(tmp_path / "nginx", site.web) as proxy,
        httpx.Client(base_url=proxy.web, headers={"accept": "text/html"}) as web,
    ):
        official = {"authorization": f"Bearer {opened.official}"}
        session = {"cookie": f"kifu={opened.official}"}
        first = web.get(page, headers=session)
        assert first.headers["cache-control"] == "no-store"
        found = [web.get(page) for _ in range(20)]
        assert len({one.content for one in found}) == 1
        for headers in (official, session):
            assert web.get(page, headers=headers).headers["cache-control"] == "no-store"
        everybody, origin = proxy.asked()
        assert everybody[page] == 23
        assert origin[page] <= 3 + 4, "a second's worth each time"
