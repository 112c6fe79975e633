"""A running server for the tests that need no server of their own: one a worker."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from service.client.client import Client, Opened
from tests.support import serving
from tests.support.serving import Running


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("server") / "matches.kifu"
    with serving.running(data, metrics_port=0, http_port=0) as running:
        yield running


@pytest.fixture(scope="session")
def organiser(server: Running) -> Iterator[Client]:
    with server.client() as client:
        yield client


@pytest.fixture
def toy(organiser: Client) -> Opened:
    """A toy match at its first decision."""
    return organiser.open_match("toy", ["Ann", "Ben"], ["ones", "tens"], options={"turns": 6})


@pytest.fixture
def seats(organiser: Client, toy: Opened) -> tuple[Client, ...]:
    return tuple(organiser.with_token(token) for token in toy.seats)
