"""Signing in by a telephone, with scripts and without; and pages where every name is an attack."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from kifu.v1 import code_service_pb2 as pb

from service.client.client import Client
from tests.end_to_end.web import payloads
from tests.support import browsers
from tests.support.serving import Running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.long
#: Pages with all that may be named; `{m}`: a match, `{e}`: an event.
PAGES = ("/", "/m/{m}", "/m/{m}?as=official", "/seat/{m}", "/desk/{m}", "/hall", "/hall/{e}",
         "/e/{e}", "/overlay", "/overlay/{m}")  # fmt: skip


def _code(host: Client) -> tuple[str, str]:
    match = host.open_match("toy", ["Ann", "Ben"], ["ones", "tens"]).id
    [(code, _)] = host.issue_codes([pb.CodeHolder(role="seat", match_id=match, seat=0)])
    return match, code


def _fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_code_that_is_scanned_needs_one_tap(
    site: Running, host: Client, browser: Browser, tmp_path_factory: pytest.TempPathFactory,
    scheme: str,
) -> None:  # fmt: skip
    match, code = _code(host)
    page = browsers.page(browser, width=390, height=844, color_scheme=scheme)
    wrong, asked = browsers.watched(page), list[str]()
    page.on("request", lambda request: asked.append(request.url.partition("#")[0]))
    page.goto(f"{site.web}/in?to=/me#{code}")
    assert page.input_value("#code") == code
    assert page.url == f"{site.web}/in?to=/me"
    assert Axe().run(page).violations_count == 0
    assert _fits(page)
    page.keyboard.press("Enter")  # the button has the focus
    page.wait_for_url(f"{site.web}/me")
    assert f"seat 0 of {match}" in page.inner_text("main")
    assert page.evaluate("document.cookie") == ""
    assert Axe().run(page).violations_count == 0
    assert _fits(page)
    page.go_back()
    assert code not in page.url
    page.goto(f"{site.web}/me")
    page.click("text=Sign out")
    page.wait_for_url("**/in")
    assert page.context.cookies() == []
    assert page.goto(f"{site.web}/seat/{match}").status == 401  # type: ignore[union-attr]
    assert Axe().run(page).violations_count == 0
    assert not [text for text in wrong if "401" not in text]
    assert not [url for url in asked if code in url]
    logs = [*tmp_path_factory.getbasetemp().glob("site*/server.log")]
    assert logs
    assert not [log for log in logs if code in log.read_text()]
    page.context.close()


def test_a_code_is_typed_where_there_are_no_scripts(
    site: Running, host: Client, browser: Browser
) -> None:
    match, code = _code(host)
    page = browsers.page(browser, java_script_enabled=False)
    page.goto(f"{site.web}/in")
    page.fill("#code", code[:-1] + ("2" if code[-1] != "2" else "3"))
    page.click("#entrance button")
    page.locator("#outcome", has_text="letter").wait_for()
    page.fill("#code", code.lower().replace("-", " "))
    page.click("#entrance button")
    page.wait_for_url(f"**/seat/{match}")
    page.context.close()


def test_nothing_that_is_named_does_anything(site: Running, host: Client, browser: Browser) -> None:
    named = payloads.name_everything(host)
    page = browsers.page(browser)
    wrong, dialogs, called = browsers.watched(page), list[str](), list[object]()
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.expose_function("pwned", lambda n: called.append(n))
    page.add_init_script(
        "addEventListener('securitypolicyviolation', (e) => console.error(e.violatedDirective))"
    )
    page.goto(f"{site.web}/in#{site.token}")
    page.click("#entrance button")
    page.wait_for_url("**/hall")
    for match in named.matches:
        for path in PAGES:
            found = page.goto(site.web + path.format(m=match, e=named.event))
            assert found is not None
            assert found.status == 200, path
            page.wait_for_timeout(400)  # what scripts draw
            page.mouse.move(600, 300)
            assert (
                page.evaluate("document.querySelectorAll('img[src=x], a[href*=evil]').length") == 0
            )
            assert (wrong, dialogs, called) == ([], [], []), path
    page.context.close()
