"""A rulebook that raises: the caller gets INTERNAL, the log says where, and the match goes on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kifu.v1 import catalog_service_pb2, match_service_pb2, tournament_service_pb2

from domain.engine.checks.verify import verify
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.record.events import NotDone
from service.api.calls.proxies import Proxies
from service.client.client import CallError, Client, connect
from service.client.connection import ABOUT, about
from service.server import Server
from service.settings import Settings
from tests.toy import Toy


def broken(t: Table) -> Play:
    raise AssertionError("a defect of the rulebook")
    yield


def beyond(t: Table) -> Play:
    t.emit(NotDone("draw", 0, "impossible", 3_000_000_000), "toy:3")
    yield from Toy().draw(t)


def served(path: Path, rules: Toy, test: Callable[[Client], None]) -> None:
    """A test that talks to a server in this process, where its logs can be read."""

    async def go() -> None:
        settings = Settings(data=path / "matches.kifu", port=0, rulebooks={"toy": rules})
        server = Server(settings)
        serving = await server.start()
        try:
            with connect(serving.address, serving.token) as client:
                await asyncio.to_thread(test, client)
        finally:
            await server.stop()

    asyncio.run(asyncio.wait_for(go(), 30))


@pytest.mark.parametrize("defect", [broken, beyond])
def test_an_engine_that_fails_is_logged_with_the_match_and_the_decision(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, defect: Callable[[Table], Play]
) -> None:
    rules = Toy()
    rules.steps = steps = dict(rules.steps)

    def test(client: Client) -> None:
        opened = client.open_match("toy", ["Ann", "Ben"], ["ones", "tens"])
        ann = client.with_token(opened.seats[0])

        def pass_() -> None:
            decision = ann.position(opened.id).decision
            assert decision is not None
            offer = decision.offers[0]
            assert offer is not None
            ann.choose(opened.id, decision.n, offer.options[-1].act())

        before = list(client.events(opened.id))
        steps["draw"] = defect
        with pytest.raises(CallError) as found:
            pass_()
        assert found.value.code == "INTERNAL"
        (line,) = (facts(r) for r in caplog.records if r.getMessage() == "call failed")
        assert line["incident"] in found.value.text
        expected = {"method": "Choose", "match": opened.id, "decision": 1, "entry": len(before)}
        assert expected.items() <= line.items()
        assert list(client.events(opened.id)) == before
        steps["draw"] = rules.draw
        pass_()
        assert verify(list(client.events(opened.id)), rules).kind == "exact"

    with caplog.at_level(logging.ERROR, "kifu"):
        served(tmp_path, rules, test)


def facts(record: logging.LogRecord) -> dict[str, Any]:
    """What a line of the log says beside its event."""
    found: dict[str, Any] = record.__dict__["with_"]
    return found


# -- what a call is about stands in a header, for a proxy that chooses among servers ---------------


@pytest.mark.parametrize(
    ("request_", "found"),
    [
        (match_service_pb2.GetMatchRequest(match_id="q63ag"), "q63ag"),
        (match_service_pb2.ListMatchesRequest(event_id="cup"), "cup"),
        (tournament_service_pb2.ReportResultRequest(event_id="cup"), "cup"),
        (match_service_pb2.GetMatchRequest(), ""),
        (match_service_pb2.GetMatchRequest(match_id="with a space"), ""),
        (match_service_pb2.GetMatchRequest(match_id="棋譜"), ""),
        (match_service_pb2.GetMatchRequest(match_id="x" * 129), ""),
        (catalog_service_pb2.ListGamesRequest(), ""),
    ],
)
def test_the_match_or_else_the_event(request_: Any, found: str) -> None:
    assert about(request_) == (((ABOUT, found),) if found else ())


def test_calls_and_streams_have_it() -> None:
    sent: list[dict[str, str]] = []

    def method(request: Any, metadata: Any, timeout: float = 0) -> Any:
        sent.append(dict(metadata))
        return iter(())

    with connect("127.0.0.1:1", "token") as client:
        request = match_service_pb2.GetMatchRequest(match_id="q63ag")
        client.call(method, request)
        list(client.stream(method, request))
    assert [one[ABOUT] for one in sent] == ["q63ag"] * 2
    assert {one["authorization"] for one in sent} == {"Bearer token"}


# -- through a proxy a call is from whom the proxy says, if that is one of ours --------------------


@pytest.mark.parametrize(
    ("peer", "forwarded", "found"),
    [
        ("ipv4:10.1.2.3:5000", "203.0.113.7", "ipv4:203.0.113.7:5000"),
        ("ipv4:10.1.2.3:5000", "127.0.0.1, 203.0.113.7", "ipv4:203.0.113.7:5000"),
        ("ipv4:10.1.2.3:5000", "2001:db8::1", "ipv6:[2001:db8::1]:5000"),
        ("ipv6:[::ffff:10.1.2.3]:5000", "203.0.113.7", "ipv4:203.0.113.7:5000"),
        ("ipv4:10.1.2.3:5000", "", "ipv4:10.1.2.3:5000"),
        ("ipv4:10.1.2.3:5000", "203.0.113.7, unknown", "ipv4:10.1.2.3:5000"),
        ("ipv4:192.0.2.1:5000", "203.0.113.7", "ipv4:192.0.2.1:5000"),
        ("unix:", "203.0.113.7", "unix:"),
    ],
)
def test_who_is_believed(peer: str, forwarded: str, found: str) -> None:
    assert Proxies(["10.0.0.0/8", "2001:db8::/64"]).connection(peer, forwarded) == found
    assert Proxies().connection(peer, forwarded) == peer
