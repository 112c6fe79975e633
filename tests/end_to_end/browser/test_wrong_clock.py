"""A browser whose clock is days ahead or behind shows the same times as others."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from service.client.client import Client
from service.web.visitors import COOKIE
from tests.end_to_end.browser.watching import open_match
from tests.support import browsers
from tests.support.rounds import started
from tests.support.serving import Running

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long


@pytest.mark.parametrize("days", [-9, 9])
def test_a_wrong_clock_is_not_asked(
    browser: Browser, site: Running, host: Client, days: int
) -> None:
    match, cup = open_match(host).id, started(host).id
    page = browsers.page(browser)
    errors = browsers.watched(page)
    page.clock.set_fixed_time(datetime.now(UTC) + timedelta(days=days))
    page.context.add_cookies([{"name": COOKIE, "value": site.token, "url": site.web}])
    page.goto(site.web)
    row = page.locator(".match", has=page.locator(f"a[href='/m/{match}']"))
    row.locator("time", has_text=re.compile("^now$|minute|min. ago")).wait_for()
    for path in (f"/hall/{cup}", f"/e/{cup}"):
        page.goto(site.web + path)
        page.wait_for_selector("html[data-ready]")
        shown = page.locator(".great.clock .time").first.inner_text()
        assert 40 <= int(shown.partition(":")[0]) <= 50
    assert errors == []
    page.context.close()
