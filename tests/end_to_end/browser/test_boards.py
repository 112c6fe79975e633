"""Boards in a real browser: they fit, nothing lies on anything else, and what changes is marked."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest

from domain.games import names, rulebook
from domain.record import views
from domain.record.entries import Entry
from domain.record.position import Position
from domain.record.views import OFFICIAL, PUBLIC
from domain.telling.book import Book
from domain.words.tables import Language
from service.web.board import drawn
from tests.end_to_end.browser import watching
from tests.playouts import play, setup_of
from tests.support import browsers

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long
GAMES = (*names(), "lamps")
STYLES = (
    "layout/static/design.css", "layout/static/base.css", "board/static/board.css",
    "board/static/cards.css",
)  # fmt: skip

#: What is wrong with how a board lies: tiles that overlap (but for what peeks out beneath a card,
#: and stacks), figures that are cut off, a zone that is not as large as its place on the mat.
FAULTS = """() => {
  const found = [];
  const seen = (one) => one.getClientRects().length > 0 && !one.closest("details:not([open])");
  const faces = Array.from(document.querySelectorAll(".face, .label, .slot")).filter(seen);
  const upon = (one) => one.closest(".under, .stack");
  const boxes = faces.map((one) => one.getBoundingClientRect());
  for (let a = 0; a < faces.length; a++) {
    for (let b = a + 1; b < faces.length; b++) {
      const [p, q] = [boxes[a], boxes[b]];
      if (upon(faces[a]) || upon(faces[b])) continue;
      const across = Math.min(p.right, q.right) - Math.max(p.left, q.left);
      const down = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
      if (across > 1 && down > 1) found.push(["overlap", faces[a].innerText, faces[b].innerText]);
    }
  }
  for (const one of document.querySelectorAll(".face, .figures, .who, .now")) {
    if (seen(one) && one.scrollWidth > one.clientWidth + 1) found.push(["cut", one.innerText]);
  }
  for (const one of document.querySelectorAll(".figure b")) {
    const [figure, face] = [one, one.closest(".face")].map((each) => each.getBoundingClientRect());
    const out = figure.left < face.left || figure.right > face.right + 0.5;
    if (seen(one) && figure.width && out) found.push(["cut", one.innerText]);
  }
  return found;
}"""


#: Shows a board: the cards that are other now, how a card looks then, and whether any travels.
_SHOW = """([html, number]) => {
  const board = document.getElementById("board");
  const changed = boards.show(board, html);
  const tile = boards.tile(board, number);
  const { animationName } = getComputedStyle(tile.querySelector(".face"), "::after");
  const moving = board.getAnimations({ subtree: true }).filter((one) => !one.animationName);
  return [changed, [...tile.classList], animationName, moving.length > 0];
}"""


@cache
def log(game: str) -> list[Entry]:
    return play(setup_of(3, game=game))


def position(game: str, viewer: int, part: float) -> Position:
    entries = log(game)
    return views.position(entries[: int(len(entries) * part)], viewer)


def board(pos: Position) -> str:
    return drawn(Book.of(rulebook(pos.heading.game)), pos, Language())


def page_of(*boards: str) -> str:
    part = files("service.web")
    styles = "".join((part / name).read_text("utf-8") for name in STYLES)
    head = f"<meta name=viewport content='width=device-width'><style>{styles}</style>"
    return f"<!doctype html>{head}<div id=board>{''.join(boards)}</div>"


def encoded(script: str) -> str:
    """The address of a script, in itself."""
    return f"data:text/javascript;base64,{b64encode(script.encode()).decode()}"


@pytest.mark.parametrize("game", GAMES)
def test_it_fits_in_the_middle_of_a_game(browser: Browser, game: str) -> None:
    for width, height, viewer in (
        (1280, 800, PUBLIC), (1280, 800, OFFICIAL), (1920, 1080, OFFICIAL), (390, 844, 0),
        (360, 740, PUBLIC), (700, 560, OFFICIAL), (3840, 2160, PUBLIC),
    ):  # fmt: skip
        page = browsers.page(browser, width=width, height=height)
        for part in (0.3, 0.6):
            page.set_content(page_of(board(position(game, viewer, part))))
            room: dict[str, Any] = page.evaluate(
                "() => ({wide: document.documentElement.scrollWidth,"
                " high: document.getElementById('board').getBoundingClientRect().height})"
            )
            assert watching.wrong(page, FAULTS) == []
            assert room["wide"] <= width
            assert width < height or room["high"] <= height
        page.context.close()


def test_large_figures_stay_on_their_tiles(browser: Browser) -> None:
    page = browsers.page(browser)
    page.set_content(page_of(board(position("yugioh", OFFICIAL, 0.5))))
    page.evaluate(
        """() => {
          for (const one of document.querySelectorAll(".figure b")) one.textContent = "140000";
        }"""
    )
    assert page.locator(".figure b").count() > 4
    assert [what for what, *_ in page.evaluate(FAULTS) if what == "cut"] == []
    page.context.close()


def test_what_is_different_is_marked_and_the_focus_stays(browser: Browser) -> None:
    entries = log("gundam")
    at = next(
        n for n in range(500, len(entries))
        if views.position(entries[:n], PUBLIC).zone("battle", 0)
    )  # fmt: skip
    before = views.position(entries[:at], PUBLIC)
    number, *_ = before.zone("battle", 0)
    after = views.position(entries[:at], PUBLIC)
    orients = rulebook("gundam").manifest.zone("battle/0").orients
    after.cards[number].orient = next(one for one in orients if one != before.cards[number].orient)
    static = files("service.web") / "board/static"
    moving = encoded((static / "motion.js").read_text("utf-8"))
    address = encoded((static / "board.js").read_text("utf-8").replace("./motion.js", moving))
    for reduced in ("no-preference", "reduce"):
        page = browsers.page(browser, reduced_motion=reduced)
        errors = browsers.watched(page)
        page.set_content(page_of(board(before)))
        page.evaluate("async (from) => { window.boards = await import(from); }", address)
        page.evaluate(
            """(number) => {
              const one = boards.tile(document.getElementById("board"), number);
              one.tabIndex = 0;
              one.focus();
            }""",
            number,
        )
        turned, *_ = page.evaluate(_SHOW, [board(before), number])
        assert turned == []
        turned, classes, animation, travels = page.evaluate(_SHOW, [board(after), number])
        assert turned == [number]
        assert "turned" in classes
        assert (animation == "none") == (reduced == "reduce")
        assert travels == (reduced != "reduce")
        assert page.evaluate("document.activeElement.dataset.card") == str(number)
        page.wait_for_selector(f"[data-card='{number}']:not(.turned)")
        assert errors == []
        page.context.close()
