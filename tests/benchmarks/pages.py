"""How long a browser takes: to show a match for the first time, and to step in it.

    python -m tests.benchmarks pages

A step is from the key's event in the page (what brings it there is the driver's) to the first task
after the frame in which another board was styled, laid out and painted; so the wait for that frame,
which is due each 16.7 ms while there is something to show, is in it. The boards that are shown were
fetched before. The bound, before and after, is a bare page that puts a whole fragment of a board in
the place of another, timed in the same way. A first view is in a browser that has nothing of the
site yet, from a server that has shown the match before, beside a line of plain text that is shown
in the same way: the median of some. It needs Chromium.
"""

from __future__ import annotations

import gzip
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

from service.client.client import Opened
from tests.benchmarks.table import Found, bracketed, show
from tests.end_to_end.browser.watching import open_match, play
from tests.support import browsers, serving
from tests.support.serving import Running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

#: How often it is shown for the first time.
TIMES = 7
_PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"
KEYS = ("ArrowRight",) * 40 + ("ArrowDown",) * 20 + ("ArrowLeft",) * 20
#: Keeps, for each key that shows another board, how long that takes until it is painted.
_STEPS = """() => {
  window.took = [];
  let begun = 0, before = null;
  const shown = () => document.querySelector("#board .board").dataset.seq;
  const painted = () => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => window.took.push(performance.now() - begun);
    port2.postMessage(0);
  };
  addEventListener("keydown", () => {
    before = shown();
    begun = performance.now();
  }, { capture: true });
  addEventListener("keydown", () => {
    if (shown() !== before) requestAnimationFrame(painted);
  });
}"""
#: Puts two fragments in each other's place so often; how long each time takes.
_SWAPS = """async (fragments) => {
  const took = [];
  for (let n = 0; n < 60; n += 1) {
    const begun = performance.now();
    document.body.innerHTML = fragments[n % 2];
    await new Promise((resolve) => requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(0);
    }));
    took.push(performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return took;
}"""


def main() -> list[Found]:
    with (
        tempfile.TemporaryDirectory() as folder,
        serving.running(Path(folder) / "m.kifu", forked=False, http_port=0) as site,
        site.client() as host,
        browsers.chromium() as browser,
    ):
        opened = open_match(host)
        play(host, opened)
        page, bare = browsers.page(browser), browsers.page(browser)
        first = _first_view(browser, page, site, opened)
        last = host.match(opened.id).entries
        fragments = [
            httpx.get(f"{site.web}/m/{opened.id}/at/{seq}").text
            for seq in (last // 2, last // 2 + 9)
        ]
        styles = page.eval_on_selector_all(
            "link[rel=stylesheet]", "all => all.map(one => one.href)"
        )
        bare.set_content("")
        for style in styles:
            bare.add_style_tag(content=httpx.get(style).text)
        took: list[float] = []
        times = bracketed(
            lambda: 1000 / _median(bare.evaluate(_SWAPS, fragments)), lambda: _step(page, took)
        )
    found = Found(
        "page: a step", "steps by keys until they are painted, beside swaps of whole fragments",
        times.ratios,
        f"{_ms(times.rates)} ms p50, {_p95(took):.0f} p95, bound {_ms(times.bounds)}; {first}",
    )  # fmt: skip
    show(found.text, {"ratio": str(found), "figures": found.figures})
    return [found]


def _first_view(browser: Browser, page: Page, site: Running, opened: Opened) -> str:
    """Show a match at its first entry; what that took."""
    address = f"{site.web}/m/{opened.id}"
    with httpx.Client() as client:
        client.get(address)
        begun = time.perf_counter()
        answer = client.get(f"{address}?at=1")
        answered = (time.perf_counter() - begun) * 1000
    page.goto(f"{address}?at=1")
    page.wait_for_selector("#match[data-ready]")
    plain, painted = (
        [_painted(browser, one) for _ in range(TIMES)]
        for one in (f"{site.web}/healthz", f"{address}?at=1")
    )
    names = page.evaluate(
        "() => performance.getEntriesByType('resource').map((one) => one.name)"
        ".filter((name) => name.includes('/static/'))"
    )
    bodies = [answer.content, *(httpx.get(name).content for name in names)]
    size = sum(len(gzip.compress(body)) for body in bodies)
    return (
        f"first view {size / 1000:.0f} kB compressed, answered in {answered:.0f} ms,"
        f" painted after {_median(painted):.0f} ms (a line of text: {_median(plain):.0f} ms)"
    )


def _painted(browser: Browser, address: str) -> float:
    """After how many milliseconds a browser that knows nothing of a site shows a page of it."""
    page = browsers.page(browser)
    try:
        page.goto(address)
        page.wait_for_timeout(300)
        return float(page.evaluate(_PAINTED))
    finally:
        page.context.close()


def _step(page: Page, took: list[float]) -> float:
    """Steps a second, by the median of those that show another board; adds all to `took`."""
    page.evaluate(_STEPS)
    for key in KEYS:
        page.keyboard.press(key)
        page.wait_for_timeout(100)
    found: list[float] = page.evaluate("() => window.took")
    took += found
    return 1000.0 / _median(found)


def _ms(rates: Sequence[float]) -> str:
    """So many a second, as milliseconds."""
    return "–".join(f"{1000 / rate:.1f}" for rate in sorted({max(rates), min(rates)}, reverse=True))


def _p95(times: Sequence[float]) -> float:
    return float(statistics.quantiles(times, n=20)[-1])


def _median(times: Any) -> float:
    return float(statistics.median(times))


if __name__ == "__main__":
    main()
