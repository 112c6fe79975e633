"""What a call is about stands in a header, for a proxy that chooses among servers."""

from __future__ import annotations

from typing import Any

import pytest
from kifu.v1 import catalog_service_pb2, match_service_pb2, tournament_service_pb2

from service.client.client import connect
from service.client.connection import ABOUT, about


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
