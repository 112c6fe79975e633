"""Fixtures of the tests of pages: a server that they share, and a simple browser."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from service.client.client import Client, Opened
from tests.support.serving import Running


@pytest.fixture(scope="session")
def site(server: Running) -> Running:
    return server


@pytest.fixture(scope="session")
def host(organiser: Client) -> Client:
    return organiser


@pytest.fixture
def opened(toy: Opened) -> Opened:
    return toy


@pytest.fixture
def browser(site: Running) -> Iterator[httpx.Client]:
    """A client that keeps cookies and sends an origin, and follows no redirect by itself."""
    with httpx.Client(base_url=site.web, headers={"accept": "text/html"}) as client:
        yield client
