"""Rules for every address there is: headers, foreign pages, odd paths and hosts.

Who may ask for what is in `test_rights`, what holds for connections in `tests.unit.service.web`.
"""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from kifu.v1 import code_service_pb2 as pb

from service.client.client import Client
from service.server import _FOR_ANYBODY
from service.web.assets import digest
from service.web.entrance.gate import HEADERS
from tests.end_to_end.web import everybody
from tests.support import serving
from tests.support.marks import each
from tests.support.serving import Running

#: Where a request is from that no page of the site sent.
FOREIGN: list[dict[str, str]] = [
    {},
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://{host}.evil.example"},
    {"origin": "http://evil.example/{host}"},
    {"origin": "http://[", "sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "cross-site", "origin": "http://{host}"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "none"},
    {"sec-fetch-site": ""},
]
ODD = ["{}/", "{}/..", "{}/../../../../etc/passwd", "/..{}", "/%2e%2e{}", "{}%00", "{}%00.json",
       "{}/%2e%2e/%2e%2e/pyproject.toml", "/{}", "//evil.example{}", "{}%ff%fe", "{}%E2%80%AE",
       "{};x=y", "{}\\..\\", "{}%5c..%5c", "{}?lang=%00&at=%00&as=%ff", "{}?at=-1", "{}?at=9e99",
       "{}?to=//evil.example", "{}?show=%3Cscript%3E&theme=../../x&event=%00", "{}{}"]  # fmt: skip


@pytest.fixture(scope="module")
def paths(host: Client) -> list[everybody.Address]:
    match = host.open_match("toy", ["Ann", "Ben"], ["ones", "tens"]).id
    return [
        one._replace(path=one.path.replace("{match}", match).replace("{event}", "nope"))
        for one in everybody.addresses()
    ]


def raw(web: str, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """The answer to a path that is sent as it stands; of a stream only its head."""
    connection = http.client.HTTPConnection(urlsplit(web).netloc, timeout=30)
    try:
        connection.putrequest("GET", path, skip_host="host" in headers, skip_accept_encoding=True)
        for name, value in {"accept": "text/html", **headers}.items():
            connection.putheader(name, value)
        connection.endheaders()
        found = connection.getresponse()
        shown = {key.lower(): value for key, value in found.getheaders()}
        stream = "event-stream" in shown.get("content-type", "")
        return found.status, shown, b"" if stream else found.read()
    finally:
        connection.close()


def _has(shown: dict[str, str]) -> bool:
    """Whether an answer says what all do; a part may let its own pages be framed, and fonts in."""
    policy = dict(one.strip().split(" ", 1) for one in shown["content-security-policy"].split(";"))
    strict = {"default-src": "'none'", "script-src": "'self'", "style-src": "'self'",
              "connect-src": "'self'", "base-uri": "'none'", "form-action": "'self'"}  # fmt: skip
    framed = policy["frame-ancestors"] in ("'none'", "'self'")
    others = HEADERS.items() - {("content-security-policy", HEADERS["content-security-policy"])}
    loose = re.search(r"unsafe|\*|http|\.", str(policy))
    return policy.items() >= strict.items() and framed and shown.items() >= others and not loose


def test_every_answer_has_the_headers_of_the_site(
    site: Running, paths: list[everybody.Address]
) -> None:
    seen = set()
    for _, path, _ in [*paths, everybody.Address("", "/nowhere", frozenset())]:
        for token in ("", f"Bearer {site.token}", "Bearer a.b.c"):
            status, shown, _ = raw(site.web, path, **({"authorization": token} if token else {}))
            seen.add(status)
            assert _has(shown), (path, status)
            assert ("set-cookie" in shown, "strict-transport-security" in shown) == (False, False)
            if "etag" in shown:
                repeated = raw(
                    site.web, path, authorization=token, **{"if-none-match": shown["etag"]}
                )
                seen.add(repeated[0])
                assert _has(repeated[1]), (path, repeated[0])
    assert seen >= {200, 303, 304, 401, 404, 405}


@pytest.mark.parametrize("step", each(2, [4, 1]))
def test_no_path_leads_out_or_breaks_anything(
    site: Running, paths: list[everybody.Address], step: int
) -> None:
    bearer = f"Bearer {site.token}"
    for path in sorted({one.path for one in paths})[::step]:
        for odd in ODD:
            sent = odd.replace("{}", path)
            status, shown, body = raw(site.web, sent, authorization=bearer)
            assert status in (200, 303, 307, 400, 401, 404, 405), (sent, status)
            assert b"root:" not in body
            assert b"[project]" not in body
            assert re.match(r"/[^/\\]", shown.get("location", "/me")), (sent, shown)
        for digits in re.finditer("[0-9]+", path):
            for many in (20, 6_000):
                sent = path[: digits.start()] + "9" * many + path[digits.end() :]
                status = raw(site.web, sent, authorization=bearer)[0]
                assert status in (200, 307, 400, 401, 404, 405), (sent[:60], status)
    for long in ("/" + "a" * 30_000, "/m/" + "%00" * 9_000, "/in?to=/" + "a" * 30_000):
        assert raw(site.web, long)[0] in (200, 404), long[:9]


def test_no_answer_repeats_the_host_that_was_named(
    site: Running, paths: list[everybody.Address]
) -> None:
    tricks = {
        "host": "named.test",
        "x-forwarded-host": "named.test",
        "forwarded": "host=named.test",
    }
    tricks |= {"x-forwarded-proto": "https", "x-original-url": "/me", "x-rewrite-url": "/me"}
    for _, path, _ in paths:
        for sent in (path, f"{path}/"):
            status, shown, body = raw(site.web, sent, **tricks)
            assert b"named.test" not in body, sent
            assert "named.test" not in str(shown), sent
            assert "strict-transport-security" not in shown
            assert status < 500


_WHO = "/api/kifu.v1.IdentityService/WhoAmI"


def _calls() -> Iterator[str]:
    from service import server

    for module in (server.admin_service_pb2, server.anchor_service_pb2, server.desk_service_pb2,
                   server.catalog_service_pb2, server.code_service_pb2, server.match_service_pb2,
                   server.identity_service_pb2, server.tournament_service_pb2):  # fmt: skip
        for service in module.DESCRIPTOR.services_by_name.values():
            for method in service.methods:
                if method.name not in _FOR_ANYBODY.get(service.name, ()):
                    yield f"/api/{service.full_name}/{method.name}"


def test_no_other_page_does_anything_by_a_cookie(
    site: Running, paths: list[everybody.Address]
) -> None:
    """A request of another site's is answered as if there were no cookie, or refused."""
    posts = [one.path for one in paths if one.methods - {"GET", "HEAD"} and "/api/" not in one.path]
    with httpx.Client(base_url=site.web, headers={"accept": "text/html"}) as web:
        for where in FOREIGN:
            headers = {
                key: value.format(host=web.base_url.netloc.decode()) for key, value in where.items()
            }
            cookie = {"cookie": f"kifu={site.token}"}
            for path in posts:
                sent = {"code": site.token, "x": "y"}
                found = web.post(path, data=sent, headers=headers | cookie)
                bare = web.post(path, data=sent, headers=headers)
                assert (found.status_code, found.content) == (bare.status_code, bare.content)
                assert 400 <= found.status_code < 500
                assert "kifu=ey" not in str(found.headers)
            for path in [*_calls()] if where in FOREIGN[:2] else [_WHO]:
                for kind, body in (("json", b"{}"), ("connect+json", b"\0\0\0\0\2{}")):
                    sent = {**headers, "content-type": f"application/{kind}"}
                    found = web.post(path, content=body, headers=sent | cookie)
                    bare = web.post(path, content=body, headers=sent)
                    assert (found.status_code, found.content) == (bare.status_code, bare.content)
                    shown = found.status_code in (401, 415) or b"unauthenticated" in found.content
                    assert shown, (path, where, kind)
        own = {"sec-fetch-site": "same-origin", "cookie": f"kifu={site.token}"}
        asked = web.post(_WHO, json={}, headers=own)
        assert asked.json()["role"] == "organiser"
    assert {"/in", "/out"} <= {*posts}


@pytest.mark.parametrize(("proxies", "believed"), [(["127.0.0.1"], True), ([], False)])
def test_behind_a_proxy_the_word_of_that_one_counts_and_no_other(
    tmp_path: Path, proxies: list[str], believed: bool
) -> None:
    seen = {"x-forwarded-proto": "https", "origin": "https://kifu.example", "host": "kifu.example"}
    with (
        serving.running(tmp_path / "m.kifu", http_port=0, proxies=proxies) as running,
        running.client() as host,
        httpx.Client(base_url=running.web) as web,
    ):
        match = host.open_match("toy", ["A", "B"], ["ones", "tens"]).id
        [(code, _)] = host.issue_codes([pb.CodeHolder(role="seat", match_id=match, seat=0)])

        def brought(code: str, by: str) -> httpx.Response:
            return web.post("/in", data={"code": code}, headers={**seen, "x-forwarded-for": by})

        found = brought(code, "203.0.113.9")
        [cookie] = [one for one in found.headers.get_list("set-cookie") if "=ey" in one]
        assert cookie.startswith("__Host-kifu=" if believed else "kifu=")
        assert ("Secure" in cookie, "strict-transport-security" in found.headers) == 2 * (believed,)
        wrong = [brought("0000-0000", "203.0.113.9") for _ in range(11)]
        assert [one.status_code for one in wrong] == [*10 * [401], 429]
        assert int(wrong[-1].headers["retry-after"]) > 0
        # who is behind the proxy has limits of his own, whatever he says himself
        assert brought("0000-0000", "203.0.113.9, 198.51.100.7").status_code == (
            401 if believed else 429
        )
        assert brought(code, "198.51.100.8").status_code == (303 if believed else 429)


def test_a_page_of_another_version_has_scripts(site: Running) -> None:
    """As servers are replaced one by one; what it gets is kept nowhere under that address."""
    current = f"/static/{digest()}/layout/base.css"
    other = f"/static/{'0' * 16}/layout/base.css"
    status, shown, body = raw(site.web, current)
    assert (status, "immutable" in shown["cache-control"]) == (200, True)
    status, shown, found = raw(site.web, other)
    assert (status, shown["cache-control"], found) == (200, "no-store", body)
    for path in ("/static/x/layout/base.css", f"{other}.map", f"{other[:-3]}html"):
        assert raw(site.web, path)[0] == 404
