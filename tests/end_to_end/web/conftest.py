"""What tests of pages share: the server of all tests that need none of their own, and a browser."""

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
    """Who keeps cookies and says where he is from, and follows nothing by himself."""
    with httpx.Client(base_url=site.web, headers={"accept": "text/html"}) as client:
        yield client
