"""A player's page on his phone: what he types is checked at once, and his pod shows by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from kifu.v1 import code_service_pb2 as pb

from domain.tournament.record import DRAFT, Format, Pools
from service.client.client import Client
from tests.support import browsers
from tests.support.serving import Running

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long
POOLS = Pools(DRAFT, 8, within=True, least=5, most=60, deck=5, free=("resource",))


def test_a_pool_and_a_list_are_checked_as_they_are_typed(
    site: Running, host: Client, browser: Browser
) -> None:
    event = host.open_tournament("Draft", Format("gundam", mode="dealer", pools=POOLS)).id
    host.enter_players(event, ["Ann", "Ben"])
    [(code, _)] = host.issue_codes([pb.CodeHolder(role="seat", event_id=event, player=1)])
    page = browsers.page(browser, width=390, height=844)
    wrong = browsers.watched(page)
    page.goto(f"{site.web}/in?to=/e/{event}/me#{code}")
    page.keyboard.press("Enter")
    page.wait_for_selector("html[data-ready] #pool")
    page.fill("#pool", "3 ST01-001")
    page.wait_for_selector("text=a pool has 5 to 60 cards, not 3")
    host.draw_pods(event)
    page.wait_for_selector("text=On your left: Ben.")
    assert page.input_value("#pool") == "3 ST01-001"  # which stays as the page goes on
    page.fill("#pool", "3 ST01-001\n4 ST01-005")
    page.wait_for_selector("text=no faults")
    page.click("text=Register")
    page.wait_for_selector("text=Your pool is registered: 7 cards.")
    page.fill("#cards", "4 ST01-001\n2 ST01-005")
    page.wait_for_selector("text=4 copies of Gundam (ST01-001); 3 in the pool")
    assert Axe().run(page).violations_count == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert wrong == []
    page.context.close()
