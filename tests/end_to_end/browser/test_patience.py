"""Pages whose service answers nothing of use: they ask ever less often, and go on by themselves.

What is long in a page's time is short in a test's: pauses are cut, and noted as they were meant.
"""

from __future__ import annotations

from collections import Counter
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from kifu.v1 import code_service_pb2 as pb

from service.client.client import Client
from service.web.visitors import COOKIE
from tests.end_to_end.browser.watching import open_match, play
from tests.support import browsers
from tests.support.rounds import started
from tests.support.serving import Running
from tests.support.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

pytestmark = pytest.mark.long

#: What a page is answered, in turn; nothing: the connection breaks.
BAD: tuple[dict[str, Any] | None, ...] = (
    {"status": 503, "body": "{}"},
    None,
    {"status": 500, "body": "no"},
    {"status": 200, "body": "<h1>Welcome to the hotel</h1>", "content_type": "text/html"},
    {"status": 429, "body": ""},
    {"status": 200, "body": "", "content_type": "text/event-stream"},
    {"status": 502, "body": "<h1>Bad gateway</h1>", "content_type": "text/html"},
)
#: How often the longest pauses are waited for, and what one of them is at least.
LONGEST, LONG = 6, 5000
#: Each pause is noted, and a fiftieth of it passes; what is by chance is always the same.
_QUICK = """() => {
  const late = window.setTimeout;
  window.pauses = [];
  Math.random = () => 0;
  window.setTimeout = (then, pause = 0, ...more) => {
    if (pause >= 1000) window.pauses.push(pause);
    return late(then, pause / 50, ...more);
  };
}"""
#: Pages, and by what one sees that they go on: `{m}` is a match, `{e}` an event.
PAGES = {
    "/m/{m}": "#match[data-ready][data-connection=live]",
    "/m/{m}?as=official": "#match[data-ready][data-connection=live]",
    "/seat/{m}": "#seat[data-connection=live] #ask :is(button, p)",
    "/overlay/{m}": "body[data-seq] .player",
    "/overlay/table/1?event={e}": "body[data-seq] .player",
    "/hall/{e}": "#link:not(.bad):text('Live:')",
    "/desk/{m}": "#link:not(.bad):text('live')",
    "/e/{e}": "#link:empty",
}


class Outage:
    """Answers what scripts ask for, badly, until it is over."""

    def __init__(self) -> None:
        self._turn, self.over = count(), False
        self.asked = Counter[str]()

    def __call__(self, route: Route) -> None:
        if self.over or route.request.resource_type not in ("fetch", "eventsource"):
            route.continue_()
            return
        self.asked[route.request.url.partition("?")[0]] += 1
        answer = BAD[next(self._turn) % len(BAD)]
        if answer is None:
            route.abort()
        else:
            route.fulfill(**answer)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_asks_ever_less_often_and_goes_on_by_itself(
    browser: Browser, site: Running, host: Client, path: str
) -> None:
    match, cup = open_match(host), started(host)
    token = match.seats[0] if path.startswith("/seat") else site.token
    page, outage = browsers.page(browser), Outage()
    page.context.add_cookies([{"name": COOKIE, "value": token, "url": site.web}])
    page.add_init_script(f"({_QUICK})()")
    page.route("**/*", outage)
    wrong = list[str]()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(site.web + path.format(m=match.id, e=cup.id))

    def waited() -> Counter[int]:
        page.wait_for_timeout(20)
        return Counter(page.evaluate("() => window.pauses"))

    until(lambda: sum(n for pause, n in waited().items() if pause >= LONG) >= LONGEST)
    pauses = waited()
    assert all(n <= 3 for pause, n in pauses.items() if pause < LONG), pauses
    assert sum(outage.asked.values()) <= 3 * pauses.total(), (outage.asked, pauses)
    outage.over = True
    page.wait_for_selector(PAGES[path], state="attached")
    assert wrong == []
    page.context.close()


@pytest.mark.parametrize("path", ["/m/{m}?as=official", "/desk/{m}", "/hall/{e}", "/e/{e}"])
def test_a_signed_out_visitor_gets_a_notice(
    browser: Browser, site: Running, host: Client, path: str
) -> None:
    match, cup = open_match(host).id, started(host).id
    whose = {"match_id": match} if "{m}" in path else {"event_id": cup}
    [(code, _)] = host.issue_codes([pb.CodeHolder(role="official", **whose)])
    page = browsers.page(browser)
    page.goto(f"{site.web}/in#{code}")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "/in" not in url)
    page.goto(site.web + path.format(m=match, e=cup))
    page.wait_for_selector("[data-ready]", state="attached")
    with page.expect_navigation():
        host.revoke_codes(**whose)
    assert page.context.cookies() == []
    if path.startswith("/e/"):  # which everybody may read
        page.wait_for_selector("[data-ready]", state="attached")
    else:
        page.get_by_text("Sign in with your code").wait_for()
    page.context.close()


def test_a_seat_shows_no_board_but_its_own(browser: Browser, site: Running, host: Client) -> None:
    """An answer by a proxy in between is not shown, and the board is requested again."""
    match, tried = open_match(host), set[str]()
    page = browsers.page(browser)
    errors = browsers.watched(page)
    page.context.add_cookies([{"name": COOKIE, "value": match.seats[0], "url": site.web}])
    page.goto(f"{site.web}/seat/{match.id}")
    page.wait_for_selector("#seat[data-connection=live] #board .board")

    def answered(route: Route) -> None:
        if route.request.url in tried:
            route.continue_()
            return
        tried.add(route.request.url)
        route.fulfill(status=200, body="<h1>Welcome to the hotel</h1>", content_type="text/html")

    page.route("**/at/*", answered)
    play(host, match, 3)
    last = host.match(match.id).entries
    page.wait_for_selector(f"#board .board[data-seq='{last}']")
    assert page.get_by_text("hotel").count() == 0
    assert errors == []
    page.context.close()
