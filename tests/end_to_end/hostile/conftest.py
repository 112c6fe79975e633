"""Hostile calls over gRPC are made over HTTP as well: the same tests, by another channel."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from service.client.client import Client
from tests.support.over_http import HttpChannel
from tests.support.serving import Running


@pytest.fixture(
    scope="session",
    params=["grpc", *(pytest.param(one, marks=pytest.mark.long) for one in ("json", "binary"))],
)
def organiser(request: pytest.FixtureRequest, server: Running) -> Iterator[Client]:
    if request.param == "grpc":
        with server.client() as client:
            yield client
        return
    with HttpChannel(server.web, is_json=request.param == "json") as channel:
        yield Client(channel, server.token)
