"""The page of a match in a real browser: followed live, replayed by keys, read without scripts."""

from __future__ import annotations

import gzip
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from domain.record.schema.policy import Clocks, Policy
from service.client.client import Client, Opened
from tests.end_to_end.browser.watching import faults, open_match, play, shown, stray, until
from tests.support import browsers, serving, waiting
from tests.support.serving import Running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def ended(host: Client) -> Opened:
    """A match that is over, in which a few decisions were taken back."""
    opened = open_match(host)
    play(host, opened, 40)
    host.with_token(opened.official).rewind(opened.id, 30, "asked for a do-over")
    play(host, opened)
    return opened


def visit(browser: Browser, site: Running, match: str, search: str = "", **options: int) -> Page:
    page = browsers.page(browser, **options)
    page.goto(f"{site.web}/m/{match}{search}")
    page.wait_for_selector("#match[data-ready]")
    return page


def lines_of(site: Running, match: str, upto: int) -> list[int]:
    """The lines of a transcript, as programs get them."""
    found = list[int]()
    for after in range(0, upto, 1000):
        address = f"{site.web}/m/{match}/lines/{after}-{min(upto, after + 1000)}.json"
        found += [one["seq"] for one in httpx.get(address).json()["lines"]]
    return found


def caused(site: Running, match: str, upto: int) -> tuple[int, int]:
    """A late line that followed from others, and of how many entries its chain of causes is."""
    for seq in reversed(lines_of(site, match, upto)):
        one = httpx.get(f"{site.web}/m/{match}/entry/{seq}.json").json()
        if len(one["causes"]) > 1:
            return seq, len(one["causes"])
    raise AssertionError("nothing followed from anything")


def test_a_match_is_followed_from_start_to_end(
    browser: Browser, site: Running, host: Client
) -> None:
    opened = open_match(host)
    page = visit(browser, site, opened.id)
    errors = browsers.watched(page)
    assert shown(page)["following"]
    seen = set[int]()
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(play, host, opened)
        while not playing.done():
            seen.add(shown(page)["seq"])
            page.wait_for_timeout(20)
    playing.result()
    last = host.match(opened.id).entries
    now = until(page, lambda found: found["seq"] == last)
    assert len(seen) > 10
    assert now["lines"] == lines_of(site, opened.id, last)
    page.wait_for_selector("#heading[data-state=ended]")
    page.wait_for_selector("#notices :text('The match is over')")
    assert page.evaluate("() => document.getElementById('news').textContent").strip()
    assert "at=" not in now["address"]  # it is followed: the newest entry, whichever that is
    host.with_token(opened.official).rewind(opened.id, 20, "the end is taken back")
    now = until(page, lambda found: found["seq"] > last, 40)  # which is asked for now and then
    page.wait_for_selector("#heading[data-state=live]")
    play(host, opened, 5)
    last = host.match(opened.id).entries
    now = until(page, lambda found: found["seq"] == last)
    assert now["lines"] == lines_of(site, opened.id, last)
    assert errors == []
    page.context.close()


#: Has a page think that it is seen or not, as when another tab is chosen.
_SEEN = """(seen) => {
  Object.defineProperty(document, "hidden", { value: !seen, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_page_that_nobody_sees_follows_nothing(
    browser: Browser, site: Running, host: Client
) -> None:
    """A browser has few connections for all its tabs: the seventh match would not be shown."""
    opened = open_match(host)
    page = visit(browser, site, opened.id)
    ended = list[str]()
    page.on("requestfailed", lambda request: ended.append(request.resource_type))
    page.on("requestfinished", lambda request: ended.append(request.resource_type))
    page.wait_for_selector("#match[data-connection=live]")
    page.evaluate(_SEEN, False)
    waiting.until(lambda: page.wait_for_timeout(20) or "eventsource" in ended)
    play(host, opened, 5)
    page.wait_for_timeout(500)
    last = host.match(opened.id).entries
    assert shown(page)["seq"] < last
    page.evaluate(_SEEN, True)
    now = until(page, lambda found: found["seq"] == last)
    assert now["lines"] == lines_of(site, opened.id, last)
    page.context.close()


def test_every_key(browser: Browser, site: Running, host: Client, ended: Opened) -> None:
    last = host.match(ended.id).entries
    page = visit(browser, site, ended.id)
    errors = browsers.watched(page)
    assert not shown(page)["following"]

    def press(key: str, seq: int) -> None:
        page.keyboard.press(key)
        until(page, lambda one: one["seq"] == seq)
        found = until(page, lambda one: f"at={seq}" in one["address"])
        assert found["current"] <= seq

    marks = list[dict[str, int]]()
    for after in range(0, last, 1000):
        address = f"{site.web}/m/{ended.id}/marks/{after}-{min(last, after + 1000)}.json"
        marks += httpx.get(address).json()["marks"]
    turns = [one["seq"] for one in marks if one["kind"] == "turn"]
    press("Home", 1)
    press("PageDown", turns[0])
    press("PageDown", turns[1])
    press("PageUp", turns[0])
    press("ArrowDown", turns[0] + 1)
    press("ArrowUp", turns[0])
    press("End", last)
    asked = [one["seq"] for one in marks if one["kind"] == "options"]
    press("Home", 1)
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    until(page, lambda one: "Decision 5 of" in one["value"] and one["seq"] == asked[4])
    page.keyboard.press("ArrowLeft")
    until(page, lambda one: "Decision 4 of" in one["value"])
    page.select_option("#speed", "250")
    page.locator("#board").focus()
    page.keyboard.press("Space")
    until(page, lambda one: not re.match("Decision [45] of", one["value"]))  # it goes on by itself
    page.keyboard.press("Space")
    page.wait_for_timeout(1000)  # what it had asked for may come
    stopped = shown(page)["seq"]
    page.wait_for_timeout(600)
    assert shown(page)["seq"] == stopped
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.keyboard.press("ArrowRight")  # which is the dialog's
    page.keyboard.press("Escape")
    assert shown(page)["seq"] == stopped
    page.keyboard.press("o")
    page.wait_for_selector("#details .decision")
    page.keyboard.press("Escape")
    page.keyboard.press("w")
    page.wait_for_selector("#details .reasons dd")
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    assert until(page, lambda one: one["seq"] == last)["following"]
    assert errors == []
    page.context.close()


#: Whether the board that is shown is that of its entry, but for what is marked for a while.
_SAME = """async (base) => {
  const { at } = document.getElementById("board").dataset;
  const fresh = document.createElement("template");
  fresh.innerHTML = await (await fetch(`${base}/at/${at}`)).text();
  const plain = (board) => {
    for (const one of [board, ...board.querySelectorAll("*")]) {
      one.classList.remove("arrived", "moved", "turned", "changed", "lit", "above");
      one.className = [...one.classList].join(" ");
      one.removeAttribute("tabindex");
    }
    return board;
  };
  const shown = document.querySelector("#board .board").cloneNode(true);
  return plain(shown).isEqualNode(plain(fresh.content.firstElementChild));
}"""


def test_each_step_shows_the_whole_board_of_its_entry(
    browser: Browser, site: Running, host: Client, ended: Opened
) -> None:
    """A board becomes the next one by what is different: nothing of the last is left in it."""
    page = visit(browser, site, ended.id, "?at=1")
    seen = {1}
    keys = ("ArrowRight",) * 20 + ("PageDown",) * 4 + ("ArrowUp",) * 12 + ("End", "PageUp", "Home")
    for key in keys:
        before = shown(page)["seq"]
        page.keyboard.press(key)
        seen.add(until(page, lambda one, before=before: one["seq"] != before)["seq"])
        for _ in range(40):  # figures count for a moment
            if page.evaluate(_SAME, f"/m/{ended.id}"):
                break
            page.wait_for_timeout(50)
        else:
            raise AssertionError(shown(page)["seq"])
    assert len(seen) > 30
    page.context.close()


#: The lines that are lit, whether the arrow of an attack is, and the cards that are.
LIT = """() => ({
  lines: [...document.querySelectorAll("#lines .lit")].map((one) => one.dataset.seq),
  arrow: Boolean(document.querySelector(".attack-arrow.lit")),
  cards: [...document.querySelectorAll("#board [data-card].lit")].map((one) => one.dataset.card),
})"""


def test_a_line_its_cards_and_the_arrow_of_an_attack_are_lit_together(
    browser: Browser, site: Running, host: Client, ended: Opened
) -> None:
    last = host.match(ended.id).entries
    found = httpx.get(f"{site.web}/m/{ended.id}/lines/{last - 900}-{last}.json").json()["lines"]
    attack = next(one for one in found if one["text"].startswith("attacks"))
    at = next(
        seq
        for seq in range(attack["seq"], attack["until"])
        if " attacking" in httpx.get(f"{site.web}/m/{ended.id}/at/{seq}").text
    )
    page = visit(browser, site, ended.id, f"?at={at}")
    lit = page.evaluate(LIT)
    assert lit["arrow"]
    assert {*lit["cards"]} <= {*map(str, attack["cards"])}
    attacker = page.get_attribute(".attacking", "data-card")
    assert attacker in lit["cards"]
    other = page.locator(".pane .line[data-cards]:not(.current):not(.minor)").last
    other.hover()
    of = (other.get_attribute("data-cards") or "").split()
    there = [card for card in of if page.locator(f"#board [data-card='{card}']").count()]
    assert sorted(page.evaluate(LIT)["cards"]) == sorted(there)
    page.hover(f"#board [data-card='{attacker}'] > .face")
    lit = page.evaluate(LIT)
    assert lit["cards"] == [attacker]
    assert str(attack["seq"]) in lit["lines"]
    page.mouse.move(2, 2)
    page.keyboard.press("ArrowRight")
    page.context.close()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_figures_count_to_what_they_are(
    browser: Browser, site: Running, host: Client, ended: Opened, motion: str
) -> None:
    """For a quarter of a second at most, and not at all for who wants nothing to move."""
    page = browsers.page(browser, reduced_motion=motion)
    page.goto(f"{site.web}/m/{ended.id}?at=200")
    page.wait_for_selector("#match[data-ready]")
    page.evaluate(
        """() => {
          window.counted = [];
          new MutationObserver((all) => {
            if (all.some((one) => one.type === "childList" && one.target.closest(".figure b"))) {
              window.counted.push(performance.now());
            }
          }).observe(document.getElementById("board"), { childList: true, subtree: true });
        }"""
    )
    for _ in range(60):
        seq = shown(page)["seq"]
        page.keyboard.press("ArrowRight")
        until(page, lambda found, seq=seq: found["seq"] > seq)
    page.wait_for_timeout(400)
    assert (page.evaluate("window.counted.length") > 0) == (motion == "no-preference")
    whole = httpx.get(f"{site.web}/m/{ended.id}/at/{shown(page)['seq']}").text
    figures = page.evaluate(
        """(html) => {
          const wanted = document.createElement("div");
          wanted.innerHTML = html;
          const of = (one) =>
            [...one.querySelectorAll(".figure b")].map((each) => each.textContent);
          return [of(document.getElementById("board")), of(wanted)];
        }""",
        whole,
    )
    assert figures[0] == figures[1]
    page.context.close()


def test_entries_and_decisions_are_explained(
    browser: Browser, site: Running, ended: Opened
) -> None:
    page = visit(browser, site, ended.id, "?at=200")
    line = page.locator("#lines .line.act:not(.minor)").nth(5)
    seq, at = line.get_attribute("data-seq"), int(line.get_attribute("data-at") or 0)
    line.click()
    page.wait_for_selector(f"#details .reasons[data-seq='{seq}']")
    until(page, lambda one: one["seq"] == at)
    cause = page.locator("#reasons .causes a").last
    before = int(cause.get_attribute("data-seq") or 0)
    cause.click()
    until(page, lambda one: one["seq"] == before)
    page.locator("#shut").click()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.locator("#board [data-decision]").click()
    page.wait_for_selector("#details .decision .answer")
    page.context.close()


def test_a_click_on_the_board_explains_nothing(
    browser: Browser, site: Running, ended: Opened
) -> None:
    page = visit(browser, site, ended.id, "?at=600")
    errors = browsers.watched(page)
    before = shown(page)
    page.locator("#board .front .tile").first.click()
    page.locator("#board .zone").first.click(position={"x": 2, "y": 2})
    page.keyboard.press("ArrowRight")
    until(page, lambda found: found["seq"] > before["seq"])
    assert page.locator("#details").is_hidden()
    assert errors == []
    page.context.close()


def test_a_board_is_laid_out_as_elsewhere(browser: Browser, site: Running, ended: Opened) -> None:
    page = visit(browser, site, ended.id, "?at=600")
    assert page.locator("#board .front .tile").count() > 3
    assert stray(page) == []
    page.context.close()


def test_both_lines_of_a_rewind_can_be_gone_through(
    browser: Browser, site: Running, host: Client, ended: Opened
) -> None:
    rewind = next(e.seq for e in host.events(ended.id) if type(e.event).__name__ == "Rewound")
    page = visit(browser, site, ended.id, f"?at={rewind - 1}")
    assert page.locator("#undone").is_visible()
    assert page.locator("#lines .line.undone:not(.minor)").count() > 3
    page.keyboard.press("ArrowUp")
    until(page, lambda one: one["seq"] == rewind - 2)
    page.locator("#undone a").click()
    until(page, lambda one: one["seq"] == rewind)
    page.locator("#undone").wait_for(state="hidden")
    page.locator("#moments summary").click()
    assert "do-over" in page.locator("#moments li.rewind").inner_text()
    page.keyboard.press("Escape")
    page.locator("#moments:not([open])").wait_for()
    page.locator("#moments summary").click()
    page.locator("#moments li a").first.click()
    until(page, lambda one: one["seq"] < rewind)
    page.locator("#moments:not([open])").wait_for()
    page.context.close()


def test_it_is_read_without_scripts(
    browser: Browser, site: Running, host: Client, ended: Opened
) -> None:
    page = browsers.page(browser, java_script_enabled=False)
    page.goto(f"{site.web}/m/{ended.id}?at=1")

    def click(link: str) -> None:
        with page.expect_navigation():
            page.click(link)

    for name in ("on", "on", "turn-on", "entry-on", "back", "last", "turn-back", "entry-back"):
        click(f"a.step[data-step={name}]")
        at = page.url.rpartition("=")[2]
        assert page.locator("#board .board").get_attribute("data-seq") == at
        assert page.locator("#lines .line.current").count() == 1
    seq, causes = caused(site, ended.id, host.match(ended.id).entries)
    page.goto(f"{site.web}/m/{ended.id}?at={seq}")
    click("#plain a >> text=Why")
    assert page.locator("#details .causes li").count() == causes
    click("#plain a >> text=Choices")
    assert page.locator("#details .decision").count() == 1
    click("#earlier a")
    assert page.locator("#lines .line").count() > 30
    assert not page.locator("#scrub").is_visible()
    page.goto(f"{site.web}/?q=lindqvist")
    click(".match .players >> nth=0")
    assert "/m/" in page.url
    page.context.close()


@pytest.mark.parametrize("scripts", [True, False])
def test_the_line_that_is_looked_at_is_in_sight_on_a_phone(
    browser: Browser, site: Running, ended: Opened, scripts: bool
) -> None:
    page = browsers.page(browser, width=390, height=844, java_script_enabled=scripts)
    for at in (200, 900):
        page.goto(f"{site.web}/m/{ended.id}?at={at}")
        if scripts:
            page.wait_for_selector("#match[data-ready]")
        pane = page.locator("#pane").bounding_box()
        line = page.locator("#lines .current").bounding_box()
        assert pane is not None
        assert line is not None
        assert pane["y"] <= line["y"] < pane["y"] + pane["height"]
        assert pane["height"] > 400
    page.context.close()


@pytest.mark.parametrize("game", ["gundam", "hollow_flux", "yugioh", "battle_spirits"])
def test_it_fits_on_a_phone_and_has_no_grave_fault(
    browser: Browser, site: Running, host: Client, game: str
) -> None:
    opened = open_match(host, game)
    play(host, opened, 60, game=game)
    for width, scheme in ((390, "light"), (1280, "dark"), (1280, "light")):
        # Cards that come into sight are pale for a moment.
        page = browsers.page(browser, width=width, color_scheme=scheme, reduced_motion="reduce")
        page.goto(f"{site.web}/m/{opened.id}")
        page.wait_for_selector("#match[data-ready]")
        assert page.evaluate("() => document.documentElement.scrollWidth") == width
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("o")
        page.wait_for_selector("#details .decision")
        box = page.locator("#details").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 800  # in sight
        assert faults(page) == []
        page.context.close()


def test_what_is_printed_is_dark_on_light(browser: Browser, site: Running, ended: Opened) -> None:
    page = visit(browser, site, ended.id, "?at=300")
    page.emulate_media(media="print", color_scheme="dark")
    lights = page.evaluate(
        """() => [...document.querySelectorAll("#board .face")].map((one) => {
          const found = getComputedStyle(one).backgroundColor.match(/[\\d.]+/g).map(Number);
          return found[3] === 0 ? 255 : Math.min(...found.slice(0, 3));
        })"""
    )
    assert lights
    assert min(lights) > 200
    page.context.close()


def test_who_follows_before_all_is_there_loses_nothing(
    browser: Browser, site: Running, ended: Opened
) -> None:
    page = browsers.page(browser)
    errors = browsers.watched(page)
    held: list[Route] = []
    wait = True
    page.route("**/marks/*", lambda one: held.append(one) if wait else one.continue_())
    page.goto(f"{site.web}/m/{ended.id}?at=300")
    page.wait_for_selector("#extras:not([hidden])")
    page.locator("#follow").click()
    page.locator("#follow[aria-pressed=true]").wait_for()
    wait = False
    for route in held:
        route.continue_()
    page.wait_for_selector("#match[data-ready]")
    assert until(page, lambda found: found["seq"] == 300)["current"]
    assert errors == []
    page.context.close()


def test_clocks_go_on(browser: Browser, site: Running, host: Client) -> None:
    policy = Policy(clocks=Clocks(round=600_000, seat=300_000))
    opened = open_match(host, policy=policy)
    page = visit(browser, site, opened.id)
    seen = [page.locator("#clocks").inner_text()]
    for _ in range(2):
        page.wait_for_timeout(1600)
        seen.append(page.locator("#clocks").inner_text())
    assert len(set(seen)) == 3
    play(host, opened, 3)
    until(page, lambda one: one["seq"] == host.match(opened.id).entries)
    page.context.close()


def test_the_home_page_has_no_grave_fault(browser: Browser, site: Running, ended: Opened) -> None:
    for width, scheme in ((390, "dark"), (1280, "light")):
        page = browsers.page(browser, width=width, color_scheme=scheme)
        page.goto(site.web)
        assert page.evaluate("() => document.documentElement.scrollWidth") == width
        assert faults(page) == []
        page.context.close()


def test_nothing_is_lost_or_repeated_when_the_service_dies(
    browser: Browser, tmp_path: Path
) -> None:
    first = serving.start(tmp_path / "m.kifu", http_port=0)
    port = int(first.web.rpartition(":")[2])
    with first.client() as client:
        opened = open_match(client)
        page = visit(browser, first, opened.id)
        play(client, opened, 25)
    until(page, lambda found: found["seq"] > 60)
    first.kill()
    page.wait_for_selector("#match[data-connection=waiting]")
    with serving.running(tmp_path / "m.kifu", http_port=port) as second:
        with second.client() as client:
            play(client, opened, 30)
            last = client.match(opened.id).entries
        now = until(page, lambda found: found["seq"] == last, 30)
        assert now["lines"] == lines_of(second, opened.id, last)
    page.context.close()


def test_the_first_view_is_small(browser: Browser, site: Running, ended: Opened) -> None:
    page = visit(browser, site, ended.id, "?at=1")
    names = page.evaluate(
        "() => performance.getEntriesByType('resource').map((one) => one.name)"
        ".filter((name) => name.includes('/static/'))"
    )
    bodies = [httpx.get(name).content for name in (f"{site.web}/m/{ended.id}", *names)]
    assert len(names) > 5
    assert sum(len(gzip.compress(body)) for body in bodies) < 100_000
    page.context.close()
