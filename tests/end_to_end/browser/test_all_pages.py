"""Every page in a real browser: nothing is cut off at 200 %, and axe-core finds nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.end_to_end.browser import all_pages
from tests.end_to_end.web import everybody
from tests.support import serving
from tests.support.serving import Running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.long

#: What lies beyond the page's edges, or is cut off, by its tag: nothing that somebody could scroll
#: to within a part of the page, or that ends in an ellipsis.
CUT = """() => {
  const root = document.documentElement;
  const found = [];
  if (root.scrollWidth > root.clientWidth) found.push(["scrolls aside", root.scrollWidth]);
  const within = (one, way) => {
    for (let up = one.parentElement; up && up !== document.body; up = up.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(up)[way])) return true;
    }
    return false;
  };
  const named = (one) => one.outerHTML.slice(0, 160);
  const all = "main *, header *, footer *, dialog[open] *";
  for (const one of document.querySelectorAll(all)) {
    if (one.closest(".quiet, .skip, svg, canvas, iframe, .board")) continue;
    if (!one.checkVisibility()) continue;
    const box = one.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    const beyond = box.right > root.clientWidth + 1 || box.left < -1;
    if (beyond && !within(one, "overflowX")) found.push(["beyond", named(one)]);
    const below = box.bottom + scrollY > root.scrollHeight + 1;
    if (below && !within(one, "overflowY")) found.push(["below", named(one)]);
    const style = getComputedStyle(one);
    const spoken = one.matches("button, a, h1, h2, h3, label, legend, p, th, td, summary");
    if (!spoken || style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none") continue;
    const wide = style.overflowX === "hidden" && one.scrollWidth > one.clientWidth + 1;
    const high = style.overflowY === "hidden" && one.scrollHeight > one.clientHeight + 3;
    if (wide || high) found.push(["cut", named(one)]);
  }
  return found;
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("pages") / "m.kifu"
    with serving.running(data, forked=False, http_port=0) as found:
        yield found


@pytest.fixture(scope="module")
def pages(site: Running) -> list[all_pages.Shown]:
    return all_pages.made(site)


def test_no_page_is_missed(pages: list[all_pages.Shown]) -> None:
    shown = {one.template for one in pages}
    asked = {one.template for one in everybody.addresses() if "GET" in one.methods}
    assert {one for one in asked - shown if not one.startswith(all_pages.NO_PAGES)} == set()


def test_nothing_is_cut_off_at_200_percent_and_axe_finds_nothing(
    browser: Browser, site: Running, pages: list[all_pages.Shown]
) -> None:
    """In a window of 1280 by 800, whole and at 200 %, and as wide as a small phone."""
    wrong: dict[object, list[Any]] = {}
    for at, shown in enumerate(pages):
        page = all_pages.opened(
            browser, site, shown, color_scheme=("light", "dark")[at % 2], reduced_motion="reduce"
        )
        wrong[shown.name] = _violations(page)
        for width, height in ((640, 400), (360, 740)):
            page.set_viewport_size({"width": width, "height": height})
            wrong[shown.name, width] = page.evaluate(CUT)[:4]
        page.context.close()
    assert {name: found for name, found in wrong.items() if found} == {}


def _violations(page: Page) -> list[str]:
    """All that axe-core finds, however small."""
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {[node['html'][:160] for node in one['nodes'][:3]]}" for one in found]
