"""Two friends in browsers, from the choice of a game to the rematch: within a minute's clicks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.end_to_end.browser.clicking import concede
from tests.end_to_end.browser.test_seat import serious
from tests.support import browsers
from tests.support.serving import Running

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long


def test_two_friends_play_and_play_another(browser: Browser, site: Running) -> None:
    from axe_playwright_python.sync_playwright import Axe

    host = browsers.page(browser, width=1280, height=800)
    friend = browsers.page(browser, width=390, height=844)
    errors = [browsers.watched(page) for page in (host, friend)]
    host.context.add_cookies([{"name": "kifu", "value": site.token, "url": site.web}])
    host.goto(f"{site.web}/play")
    host.get_by_role("link", name="Yu-Gi-Oh").click()
    host.fill("#name", "Yugi")
    assert serious(Axe().run(host).response) == []
    host.get_by_role("button", name="Get a link").click()
    link = host.input_value("#link")
    assert serious(Axe().run(host).response) == []
    friend.goto(link)
    friend.fill("#name", "Kaiba")
    friend.locator("#deck").select_option("FUSION")
    assert serious(Axe().run(friend).response) == []
    friend.get_by_role("button", name="Begin").click()
    for page in (friend, host):
        page.locator("#question", has_text="decide").or_(
            page.locator("#question", has_text="Waiting")
        ).first.wait_for()
    concede(friend)
    host.locator("#question", has_text="The match is over").wait_for()
    assert serious(Axe().run(host).response) == []
    first = host.url
    host.get_by_role("button", name="Rematch", exact=True).click()
    host.wait_for_url(lambda url: "/seat/" in url and url != first)
    friend.get_by_role("button", name="Rematch", exact=True).click()
    friend.wait_for_url(host.url)
    assert errors == [[], []]
    for page in (host, friend):
        page.context.close()
