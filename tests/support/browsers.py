"""A real browser for tests: Debian's Chromium, driven by Playwright.

Tests that need one are marked `long`, and are skipped with a message if there is none.

    with browsers.chromium() as browser:
        page = browsers.page(browser, width=390, height=844)
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

#: The names under which it may be installed.
NAMES = ("chromium", "chromium-browser", "google-chrome")
#: Without a sandbox of its own, which root has none of, and without calls to its maker.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def found() -> str:
    """The path of a browser; empty: none."""
    return next((path for name in NAMES if (path := shutil.which(name))), "")


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser for as long as it is used; skips the test if there is none."""
    path = found()
    if not path:
        pytest.skip("no browser is installed (Debian: apt install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


def page(browser: Browser, *, width: int = 1280, height: int = 800, **options: Any) -> Page:
    """A page in a context of its own: no cookies, nothing kept.

    To be closed with that, and not while it is on its way to another page: Chromium may then never
    answer.
    """
    context = browser.new_context(viewport={"width": width, "height": height}, **options)
    context.set_default_timeout(40_000)
    return context.new_page()


def watched(opened: Page) -> list[str]:
    """The errors of a page from now on: errors of scripts, and violations of its policy."""
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on("console", lambda seen: errors.append(seen.text) if seen.type == "error" else None)
    return errors
