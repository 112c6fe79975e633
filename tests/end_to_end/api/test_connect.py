"""The API over HTTP: what a call gets there is what it gets over gRPC."""

from __future__ import annotations

import json
import socket
import struct
from base64 import b64decode
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from google.rpc import error_details_pb2
from kifu.v1 import match_service_pb2 as pb

from domain.record.decisions import Act
from service.client.client import CallError, Client, Opened, connect
from tests.support.serving import Running

MATCHES = "/api/kifu.v1.MatchService/"


@pytest.fixture(scope="module")
def web(server: Running) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.web) as client:
        yield client


def by(token: str, kind: str = "application/json", **more: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}", "content-type": kind, **more}


def enveloped(*requests: Any) -> bytes:
    texts = [json.dumps(one).encode() for one in requests]
    return b"".join(struct.pack(">BI", 0, len(text)) + text for text in texts)


def opened(body: bytes) -> list[tuple[int, Any]]:
    found = []
    while body:
        flags, size = struct.unpack(">BI", body[:5])
        found.append((flags, json.loads(body[5 : 5 + size])))
        body = body[5 + size :]
    return found


def test_json_and_binary_say_the_same(web: httpx.Client, toy: Opened) -> None:
    request = pb.GetMatchRequest(match_id=toy.id)
    binary = web.post(
        MATCHES + "GetMatch",
        content=request.SerializeToString(),
        headers=by(toy.official, "application/proto"),
    )
    found = web.post(MATCHES + "GetMatch", json={"matchId": toy.id}, headers=by(toy.official))
    match = pb.GetMatchResponse.FromString(binary.content).match
    assert found.json()["match"]["seats"] == [*match.seats] == ["Ann", "Ben"]
    assert found.headers["cache-control"] == "no-store"


def test_a_refusal_has_its_details_to_be_read_and_in_binary(
    web: httpx.Client, organiser: Client, toy: Opened
) -> None:
    before = organiser.match(toy.id).entries
    act = {"matchId": toy.id, "decision": 1, "act": {"kind": "zap"}}
    found = web.post(MATCHES + "Choose", json=act, headers=by(toy.seats[0]))
    assert (found.status_code, found.json()["code"]) == (400, "failed_precondition")
    (info,) = found.json()["details"]
    assert info["type"] == "google.rpc.ErrorInfo"
    assert info["debug"]["metadata"]["rules"].startswith("toy:")
    read = error_details_pb2.ErrorInfo.FromString(b64decode(info["value"] + "=="))
    assert (read.reason, dict(read.metadata)) == (
        info["debug"]["reason"], info["debug"]["metadata"],
    )  # fmt: skip
    assert organiser.match(toy.id).entries == before


def test_what_a_stream_ends_with(web: httpx.Client, seats: tuple[Client, ...], toy: Opened) -> None:
    """Past entries come at once; a deadline ends the stream; another match's token gets none."""
    request, json_stream = enveloped({"matchId": toy.id}), "application/connect+json"
    headers = by(toy.public, json_stream, **{"connect-timeout-ms": "300"})
    *found, (flags, end) = opened(
        web.post(MATCHES + "WatchEvents", content=request, headers=headers).content
    )
    entries = [entry for _, message in found for entry in message["entries"]]
    assert [entry["seq"] for entry in entries] == [*range(1, len(entries) + 1)]
    assert (flags, end["error"]["code"]) == (2, "deadline_exceeded")
    seats[0].interject(toy.id, Act("concede"))
    *_, last, (flags, end) = opened(
        web.post(
            MATCHES + "WatchEvents", content=request, headers=by(toy.public, json_stream)
        ).content
    )
    assert last[1]["ended"]["state"] == "MATCH_STATE_ENDED"
    assert (flags, end) == (2, {})
    foreign = web.post(
        MATCHES + "WatchEvents",
        content=enveloped({"matchId": "nosuch"}),
        headers=by(toy.public, json_stream),
    )
    ((_, end),) = opened(foreign.content)
    assert end["error"]["details"][0]["debug"]["reason"] == "MATCH_FOREIGN"


def test_commands_on_a_stream(server: Running, web: httpx.Client, toy: Opened) -> None:
    """All at once, as most clients send them; or each once the one before is answered."""
    turn = {"matchId": toy.id, "act": {"kind": "pass"}}
    wrong = {"id": "1", "choose": {**turn, "decision": 9}}
    right = {"id": "2", "choose": {**turn, "decision": 1}}
    headers = by(toy.seats[0], "application/connect+json")
    first, second, end = opened(
        web.post(MATCHES + "Play", content=enveloped(wrong, right), headers=headers).content
    )
    assert first[1]["fault"]["details"][0]["reason"] == "DECISION_STALE"
    assert second[1]["choose"]["next"]["n"] == 2
    assert end == (2, {})
    host, _, port = server.web.partition("//")[2].partition(":")
    with (
        socket.create_connection((host, int(port)), timeout=5) as raw,
        raw.makefile("rb") as coming,
    ):
        head = [f"POST {MATCHES}Play HTTP/1.1", "host: kifu", "transfer-encoding: chunked"]
        headers = by(toy.seats[1], "application/connect+json")
        head += [f"{name}: {value}" for name, value in headers.items()]
        raw.sendall("\r\n".join([*head, "", ""]).encode())
        for n in (2, 9):
            body = enveloped({"id": str(n), "choose": {**turn, "decision": n}})
            raw.sendall(b"%x\r\n%b\r\n" % (len(body), body))
            while not (line := coming.readline()).startswith(b"\0"):
                assert line  # the head, and sizes of chunks
            answer = json.loads(line[5:])
            assert ("choose" in answer) == (n == 2)


@pytest.mark.parametrize(
    "body",
    ["", "{", "[]", "null", '"x"', "[" * 10_000, '{"a":' * 5_000, '{"matchId":"\\ud800"}',
     '{"matchId":5}', '{"at":{"seq":1e400}}', b'{"matchId":"\xff"}', b"\xff\xfe",
     '{"matchId":"a","matchId":"b"}', '{"at":{"seq":' + "9" * 5000 + "}}"],
)  # fmt: skip
def test_json_that_is_no_request(web: httpx.Client, toy: Opened, body: str | bytes) -> None:
    found = web.post(MATCHES + "GetPosition", content=body, headers=by(toy.official))
    assert (found.status_code, found.json()["code"]) == (400, "invalid_argument")
    assert found.json()["details"][0]["debug"]["reason"] == "MESSAGE_INVALID"


def test_what_is_no_call(web: httpx.Client, toy: Opened) -> None:
    get = MATCHES + "GetMatch"
    for path, headers, status in (
        (MATCHES + "Delete", {}, 404),
        ("/api/kifu.v1.NoService/GetMatch", {}, 404),
        (get, {"content-type": "text/plain"}, 415),
        (get, {"content-type": "application/grpc"}, 415),
        (get, {"content-encoding": "gzip"}, 501),
        (get, {"connect-timeout-ms": "-1"}, 400),
        (get, {"connect-timeout-ms": "0"}, 504),
        (get, {"connect-protocol-version": "2"}, 400),
        (get, {"x-odd": b"\xff"}, 400),
    ):
        found = {**by(toy.official), **headers}
        assert web.post(path, content=b"{}", headers=found).status_code == status, (path, headers)
    assert web.get(get, headers=by(toy.official)).status_code == 405


def test_requests_that_are_too_large(web: httpx.Client, toy: Opened) -> None:
    """As their length says, or as they come."""

    def coming() -> Iterator[bytes]:
        yield from [b"x" * 65536] * 32

    nearly = json.dumps({"matchId": toy.id, "much": "x" * 262_000}).encode()
    assert web.post(MATCHES + "GetMatch", content=nearly, headers=by(toy.official)).is_success
    for body in (b"x" * 300_000, coming()):
        found = web.post(MATCHES + "GetMatch", content=body, headers=by(toy.official))
        assert found.status_code == 429
        assert found.json()["details"][0]["debug"]["reason"] == "REQUEST_TOO_LARGE"


def test_the_cookie_is_for_pages_of_this_site(web: httpx.Client, toy: Opened) -> None:
    own = {"host": "kifu", "origin": "http://kifu"}
    for headers, status in (
        (own, 200),
        ({**own, "sec-fetch-site": "same-origin"}, 200),
        ({"host": "kifu"}, 401),
        ({**own, "origin": "http://elsewhere"}, 401),
        ({**own, "sec-fetch-site": "cross-site"}, 401),
        ({**own, "sec-fetch-site": "same-site"}, 401),
    ):
        cookie = {"cookie": f"kifu={toy.official}"}
        found = web.post(
            MATCHES + "GetMatch", json={"matchId": toy.id}, headers={**headers, **cookie}
        )
        assert found.status_code == status, headers


def test_nobody_reads_pages_and_feeds_and_calls_what_is_for_anybody(
    server: Running, web: httpx.Client, toy: Opened
) -> None:
    """The public has a token of its own, by either way."""

    def nobody(method: str, **request: str) -> tuple[int, str]:
        answer = web.post(f"/api/kifu.v1.{method}", json=request)
        details = answer.json().get("details", [{"debug": {}}])
        return answer.status_code, details[0]["debug"].get("reason", "")

    assert web.get(f"/m/{toy.id}/now.json").status_code == 200
    with web.stream("GET", f"/api/feeds/{toy.id}/entries") as feed:
        assert feed.status_code == 200
    assert nobody("CatalogService/ListGames") == (200, "")
    for method in ("GetMatch", "GetPosition", "ListDecisions"):
        called = nobody(f"MatchService/{method}", matchId=toy.id)
        assert called == (401, "TOKEN_MISSING")
    with connect(server.address, "") as client, pytest.raises(CallError) as caught:
        client.match(toy.id)
    assert caught.value.reason == "TOKEN_MISSING"
    with connect(server.address, toy.public) as client:
        assert client.match(toy.id).id == toy.id
