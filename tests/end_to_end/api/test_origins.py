"""Pages of other sites may call the API by a token that they have, never by a cookie."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click
import httpx
import pytest
from click.testing import CliRunner
from starlette.responses import Response

from replay_cli.commands.running.serve import serve_command
from service.client.client import Opened
from service.web.connect.routes import opened
from tests.support.serving import Running, running

SITE, OTHER = "https://cup.example", "https://elsewhere.example"
CALL = "/api/kifu.v1.MatchService/GetMatch"
ASKED = {
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization,content-type,connect-protocol-version",
}


def test_pages_of_other_sites(tmp_path: Path) -> None:
    """A closed site does not even show that there is a match, unless there is a token."""
    look = {"origins": [SITE], "open": False}
    with running(tmp_path / "m.kifu", http_port=0, look=look) as server, server.client() as client:
        toy = client.open_match("toy", ["Ann", "Ben"], ["ones", "tens"])
        feed = f"/api/feeds/{toy.id}/entries?as=nobody"
        with httpx.Client(base_url=server.web) as web:
            for origin, path in ((o, p) for o in (SITE, OTHER) for p in (CALL, feed)):
                way = "POST" if path == CALL else "GET"
                asked = web.options(path, headers={"origin": origin, **ASKED})
                called, by_cookie = (
                    web.request(way, path, json={"matchId": toy.id}, headers=headers)
                    for headers in (
                        {"origin": origin, "authorization": f"Bearer {toy.official}"},
                        {"origin": origin, "cookie": f"kifu={toy.official}"},
                    )
                )
                for found in (asked, called, by_cookie):
                    allowed = found.headers.get("access-control-allow-origin")
                    assert allowed == (SITE if origin == SITE else None)
                    assert "access-control-allow-credentials" not in found.headers
                assert (asked.status_code == 200) == (origin == SITE)
                if path == CALL:
                    assert (called.status_code, by_cookie.status_code) == (200, 401)
            page = web.get("/", headers={"origin": SITE})
            assert "access-control-allow-origin" not in page.headers
            for match in (toy.id, "nosuch"):
                assert web.get(f"/api/feeds/{match}/entries").status_code == 401


def test_every_site_may_call_but_none_by_a_cookie() -> None:
    async def ask(**headers: str) -> httpx.Response:
        transport = httpx.ASGITransport(opened(Response("told"), ["*"]))
        async with httpx.AsyncClient(transport=transport, base_url="http://kifu") as web:
            return await web.get("/", headers={"origin": OTHER, **headers})

    for headers in ({}, {"cookie": "kifu=token"}):
        found = asyncio.run(ask(**headers))
        assert found.headers["access-control-allow-origin"] in ("*", OTHER)
        assert "access-control-allow-credentials" not in found.headers


def test_no_other_site_where_none_is_named(server: Running, toy: Opened) -> None:
    headers = {"origin": SITE, "authorization": f"Bearer {toy.official}"}
    found = httpx.post(server.web + CALL, json={"matchId": toy.id}, headers=headers)
    assert (found.status_code, "access-control-allow-origin" in found.headers) == (200, False)
    assert httpx.options(server.web + CALL, headers={"origin": SITE, **ASKED}).status_code == 405


@pytest.mark.parametrize("origin", ["cup.example", "https://cup.example/play", "https://", "null"])
def test_what_is_no_site(origin: str) -> None:
    found = CliRunner().invoke(serve_command, ["--origin", origin, "--http", "0"])
    assert (found.exit_code, "is no site" in found.output) == (click.UsageError.exit_code, True)
