"""Fixtures of the tests in a browser: one browser, and a server with pages, for each module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from service.client.client import Client
from tests.support import browsers, serving
from tests.support.serving import Running

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsers.chromium() as found:
        yield found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving.running(tmp_path_factory.mktemp("site") / "m.kifu", http_port=0) as found:
        yield found


@pytest.fixture(scope="module")
def host(site: Running) -> Iterator[Client]:
    with site.client() as found:
        yield found
