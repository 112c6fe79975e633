"""For tests of the match page: bots that play a match, and the state that a page shows."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from axe_playwright_python.sync_playwright import Axe

from domain import games
from replay_cli.playing.bots import Bot
from service.client.client import Client, Opened

if TYPE_CHECKING:
    from playwright.sync_api import Page

#: What matches are dealt from: what bots make of it goes on for some 1,900 entries.
SEED = 4
#: What a page shows, and what it holds.
_SHOWN = """() => ({
  seq: Number(document.getElementById('board').dataset.at),
  lines: [...document.querySelectorAll('#lines .line')].map((one) => Number(one.dataset.seq)),
  current: Number((document.querySelector('#lines .current') || {dataset: {seq: 0}}).dataset.seq),
  address: location.search,
  following: document.getElementById('follow').getAttribute('aria-pressed') === 'true',
  value: document.getElementById('slider').getAttribute('aria-valuetext'),
})"""
#: Parts of a board that look otherwise by the styles of the page around it than by its own alone.
_STRAY = """(left_out) => {
  const board = document.querySelector(".board");
  const rest = left_out.flatMap((each) => [...board.getElementsByClassName(each)]);
  for (const one of rest) one.remove();
  board.style.setProperty("--tile", "6rem");
  board.style.setProperty("--board-height", "40rem");
  board.style.setProperty("width", "60rem");
  const all = [board, ...board.querySelectorAll("*")];
  const looks = () => all.map((one) => {
    const { display, position, fontSize, paddingLeft, marginTop, borderBottomWidth } =
      getComputedStyle(one);
    return [display, position, fontSize, paddingLeft, marginTop, borderBottomWidth].join(" ");
  });
  const before = looks();
  for (const sheet of document.styleSheets) {
    sheet.disabled = !/\\/(design|dark|base|board|cards)\\.css$/.test(sheet.href);
  }
  const after = looks();
  for (const sheet of document.styleSheets) sheet.disabled = false;
  return all.map((one, at) => [one.className, before[at], after[at]])
    .filter(([, one, other]) => one !== other);
}"""


def open_match(host: Client, game: str = "gundam", **more: Any) -> Opened:
    """A match of the first and the last ready-made deck of a game, dealt as in every run."""
    decks = [*games.rulebook(game).decks]
    labels = {"event": "Cup", "round": "3", "table": "7"}
    names = ["Anna Lindqvist", "山田 太郎"]
    return host.open_match(game, names, [decks[0], decks[-1]], labels=labels, seed=SEED, **more)


def play(host: Client, opened: Opened, most: int = 10_000, *, game: str = "gundam") -> int:
    """Have bots make decisions, until the match is over or so many are made; how many they made."""
    manifest = games.rulebook(game).manifest
    bots = [Bot(manifest, seat, 3) for seat in range(2)]
    seats = [host.with_token(token) for token in opened.seats]
    for made in range(most):
        decision = host.position(opened.id).decision
        if decision is None:
            return made
        seat = decision.seats[0]
        seen = seats[seat].position(opened.id)
        assert seen.decision is not None
        offer = seen.decision.offers[seat]
        assert offer is not None
        seats[seat].choose(opened.id, seen.decision.n, bots[seat].choose(offer, seen))
    return most


def shown(page: Page) -> Any:
    """The state that a page shows."""
    return page.evaluate(_SHOWN)


def until(page: Page, wanted: Callable[[Any], bool], seconds: float = 40) -> Any:
    """The state that a page shows, once it is as it should be."""
    end = time.monotonic() + seconds
    while not wanted(found := shown(page)) and time.monotonic() < end:
        page.wait_for_timeout(20)
    assert wanted(found), found
    return found


def wrong(page: Page, script: str, seconds: float = 10) -> Any:
    """What a script finds wrong once a page has settled: it is laid out some time after an act."""
    end = time.monotonic() + seconds
    while (found := page.evaluate(script)) and time.monotonic() < end:
        page.wait_for_timeout(20)
    return found


def stray(page: Page, *left_out: str) -> Any:
    """The parts of a board that the styles of a page reach, which are not meant for them.

    What is `left_out`, by its class, takes no room from the others.
    """
    return page.evaluate(_STRAY, [*left_out])


def faults(page: Page) -> list[str]:
    """The serious and critical faults that axe-core finds in a page."""
    found = Axe().run(page).response["violations"]
    grave = [one for one in found if one["impact"] in ("serious", "critical")]
    return [f"{one['id']}: {[node['html'][:160] for node in one['nodes'][:3]]}" for one in grave]
