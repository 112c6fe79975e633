"""Links followed while the service is away: the page stays, and goes on once it is back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from service.web.visitors import COOKIE
from tests.end_to_end.browser.watching import open_match
from tests.support import browsers, serving
from tests.support.rounds import started

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

#: Pages, whose visitor it is, and by what one sees that they are there.
PAGES = {
    "/m/{m}": ("organiser", "#match[data-ready][data-connection=live]"),
    "/seat/{m}": ("seat", "#seat[data-connection=live] #ask :is(button, p)"),
    "/hall/{e}": ("organiser", "#link:not(.bad):text('Live:')"),
    "/table/{t}": ("keeper", "#table[data-away=ready]"),
}


@pytest.mark.parametrize("path", PAGES)
def test_a_link_is_followed_once_the_service_is_back(
    browser: Browser, tmp_path: Path, path: str
) -> None:
    data = tmp_path / "m.kifu"
    running = serving.start(data, http_port=0)
    with running.client() as host:
        match, cup = open_match(host), started(host)
        real = host.open_match(
            "gundam", ["Ann", "Ben"], ["ST01", "ST03"], mode="table", rolls=[(0,)]
        )
    whose, ready = PAGES[path]
    tokens = {"organiser": running.token, "seat": match.seats[0], "keeper": real.scorekeeper}
    page = browsers.page(browser)
    page.context.add_cookies([{"name": COOKIE, "value": tokens[whose], "url": running.web}])
    try:
        page.goto(running.web + path.format(m=match.id, e=cup.id, t=real.id))
        page.wait_for_selector(ready, state="attached")
        here = page.url
        web, grpc = (int(text.rpartition(":")[2]) for text in (running.web, running.address))
        running.kill()
        page.context.set_offline(True)
        page.click("a.home")
        page.locator("#away", has_text="can’t be reached").wait_for()
        assert page.url == here
        page.context.set_offline(False)
        page.locator("#away").wait_for()
        running = serving.start(data, http_port=web, port=grpc)
        page.wait_for_url(f"{running.web}/")
        page.go_back()
        page.wait_for_selector(ready, state="attached")
        page.locator("#away").wait_for(state="detached")
    finally:
        page.context.close()
        running.kill()
