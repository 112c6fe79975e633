"""Tiles can be read in every state of a card: the contrast of each text with each background.

Matches come by few states of tiles, and axe-core leaves open what stands on stripes or below
others. Nothing that `board.css` has a rule for may be missing here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from domain.record.schema import manifest
from domain.telling.board.model import (
    Act,
    Board,
    Counter,
    Face,
    Figure,
    Gem,
    Glyph,
    Side,
    Spot,
    Tile,
    Under,
    Zone,
)  # fmt: skip
from domain.telling.names import clock
from domain.words.tables import Language
from service.web import answers
from service.web.board.zones import Group, Laid, LaidSide
from tests.end_to_end.browser import watching
from tests.support import browsers

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

#: The states of a card (`tiles.py`), and how it is marked when a board changes (`board.js`).
STATES = ("attacking", "attacked", "aimed", "acting", "departing", "token")
MARKS = ("arrived", "moved", "turned", "changed")
FRAMES = (
    "red", "rust", "gold", "yellow", "green", "teal", "blue", "purple", "plum", "white", "grey",
    "black",
)  # fmt: skip
PICTURE = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="
#: A card of which all is said that tiles say.
FULL = Tile(
    number=1, name="A card", id="known", nth="#2", kind="nexus", seat=1, letter="B", in_play=True,
    traits=("blue 1",),
    figures=(
        Figure("lv", "Lv", "1"), Figure("bp", "BP", "7", printed="5", way="up"),
        Figure("ap", "AP", "3", printed="5", way="down"),
        Figure("hp", "HP", "3", printed="2", way="up"),
        Figure("def", "DEF", "1", printed="2", way="down"), Figure("cost", "cost", "2", "●●"),
    ),
    counters=(
        Counter("core", "cores", 2, "●●"), Counter("soul", "Soul Core", 1, "◆"),
        Counter("hit", "hits", 12),
    ),
    bound="with another", going="on its way out", lies="rested", sign="▶", new=True, turns=True,
    face=Face(
        frame="red", emblem="machine",
        corner=(Figure("hp", "HP", "2"), Figure("def", "DEF", "2"), Figure("price", "cost", "2")),
        stars=Figure("stars", "Level", "4"),
        gems=(Gem("symbols", "symbols", (("red", 2),), "red 2"),),
    ),
    glyphs=(Glyph("shield", "Blocker", "2"),),
)  # fmt: skip
PICTURED = replace(
    FULL, id="pictured", under=(Under("pair", "", (FULL, replace(FULL, id="pictured"))),)
)
BARE = Tile(number=2, name="A card")

#: The selectors of a style sheet that apply to nothing in a page, but for what is only seen while
#: somebody points at it.
IDLE = r"""() => {
  const still = /::?(before|after|marker|-webkit-details-marker|first-letter|hover|focus-visible)/g;
  const shown = (one) => document.querySelector(one.replace(still, ""));
  const idle = [];
  const look = (rules) => {
    for (const rule of rules) {
      if (rule.selectorText) {
        idle.push(...rule.selectorText.split(", ").filter((one) => !shown(one)));
      } else if (rule instanceof CSSGroupingRule) look(rule.cssRules);
    }
  };
  look(document.getElementById("boards").sheet.cssRules);
  return idle;
}"""
#: The texts whose contrast (WCAG 2.2, 1.4.3) is too small, each with its tile and the figure. What
#: a text may stand on is [a colour, how colours drawn there come to be seen]; stripes make several.
PALE = r"""() => {
  const numbers = (text) => text.match(/[\d.]+/g).map(Number);
  const colours = (text) => (text.match(/rgba?\([^)]+\)/g) || []).map(numbers);
  const mixed = (over, under, part) =>
    under.map((n, i) => over[i] * part + n * (1 - part));
  const drawn = (over, under) => mixed(over, under, over.length > 3 ? over[3] : 1);
  const grounds = (one) => {
    if (!one) return [[[255, 255, 255], (colour) => colour]];
    const style = getComputedStyle(one);
    let found = grounds(one.parentElement).map(([under, seen]) => [
      under, (colour) => seen(mixed(colour, under, Number(style.opacity))),
    ]);
    for (const layer of [colours(style.backgroundColor), colours(style.backgroundImage)]) {
      if (layer.length) {
        found = found.flatMap(([under, seen]) => layer.map((over) => [drawn(over, under), seen]));
      }
    }
    return found;
  };
  const part = (n) => (n <= 10.31 ? n / 3294.6 : ((n / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b) + 0.05;
  const pale = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    if (!texts.currentNode.data.trim()) continue;
    const one = texts.currentNode.parentElement;
    if (!one.getClientRects().length || one.closest(".quiet, .back .how")) continue;
    const tile = one.closest(".tile");
    const [colour] = colours(getComputedStyle(one).color);
    for (const [ground, seen] of grounds(one)) {
      const [a, b] = [seen(drawn(colour, ground)), seen(ground)].map(light);
      const contrast = Math.max(a, b) / Math.min(a, b);
      if (contrast >= 4.5) continue;
      const name = one.className || one.parentElement.className;
      pale.add(`${name} in ${tile && tile.className}: ${contrast.toFixed(2)}`);
    }
  }
  return [...pale];
}"""


def tiles() -> Iterator[Tile]:
    """A card in every state, and in every frame."""
    for frame in FRAMES:
        yield replace(FULL, face=replace(FULL.face, frame=frame))
    for turn in range(4):
        yield replace(PICTURED, turn=turn)
    for turn in range(2):
        for one in (FULL, replace(FULL, down=True), replace(FULL, id="")):
            yield replace(one, turn=turn)
            yield replace(one, turn=turn, states=("departing",))
        for state in (*STATES, *MARKS):
            yield replace(FULL, turn=turn, states=(state,))
    for seat in range(4):
        yield replace(FULL, seat=seat, letter="ABCD"[seat] * 2)
    yield BARE


def spots(some: Iterable[Tile]) -> tuple[Spot, ...]:
    return tuple(Spot(tile=tile) for tile in some)


ZONE = Zone(
    declared=manifest.Zone("battle", "battle area", "all", "all"), place="battle/0",
    label="battle area", whose="A's battle area", n=9, unknown=12,
)  # fmt: skip


def zones() -> Iterator[Laid]:
    """A zone of every look, with cards on faces of every kind."""
    some = (
        *spots((
            PICTURED, replace(PICTURED, down=True), replace(FULL, states=("attacking",)), BARE,
            replace(FULL, turn=1), replace(FULL, turn=1, id=""),
            replace(FULL, down=True), replace(FULL, states=("departing",)),
        )),
        Spot(1, 2), Spot(3, 3, text="a gap"),
    )  # fmt: skip
    zone = Laid(
        zone=ZONE, look="tiles", groups=(Group(some, "a9"), Group(some, "a9")),
        rest=(FULL, PICTURED), tally=((2, "rested"),), backs=3, classes="",
    )  # fmt: skip
    for classes in ("aside hand", "chips", "aside pile", "aside stack", "shared", "slots"):
        yield replace(zone, look=classes.rpartition(" ")[2], classes=classes)
    held = replace(ZONE, counters=FULL.counters)
    yield replace(zone, zone=held, groups=(), classes="bare", look="counters")
    yield replace(zone, groups=(), classes="bare", look="counters")


def context() -> dict[str, Any]:
    """The arguments of a board's template."""
    every = Laid(
        zone=replace(ZONE, unknown=0), look="tiles", groups=(Group(spots(tiles()), "a9"),), rest=(),
        tally=(), backs=0, classes="front",
    )  # fmt: skip
    others = (*zones(),)
    side = Side(
        seat=0, letter="AA", player="seat 0", name="Anna", deck="a deck", turn=True, asked=True,
        clock="-0:03", late=True, counters=FULL.counters, rows=(),
    )  # fmt: skip
    near = LaidSide(side=side, zones=(every, *others), units=9)
    far = [
        LaidSide(side=replace(side, seat=seat, late=False), zones=others, units=9)
        for seat in (1, 2, 3)
    ]
    board = Board(
        game="none", seq=9, time=1000, where=("turn 2", "main step"), notes=("extra", "time"),
        warnings=("unfinished",), over=False, sides=(), shared=(),
        attack="A attacks B", scheduled=("at the end: draw",), decision="A decides", decision_n=3,
        acts=tuple(Act(n, 10 * n, n, "does it", bool(n)) for n in range(4)),
    )  # fmt: skip
    return {
        "board": board, "far": far, "near": near, "shared": others, "units": 8,
        "clock": clock, "images": images,
    }  # fmt: skip


def images(card: str) -> str:
    return PICTURE if card == "pictured" else ""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_state_of_a_tile_can_be_read(browser: Browser, scheme: str) -> None:
    part = files("service.web")
    base = "".join(
        (part / name).read_text("utf-8")
        for name in (
            "layout/static/design.css",
            *(["layout/static/dark.css"] if scheme == "dark" else []),
            "layout/static/base.css",
            "board/static/cards.css",
        )
    )
    boards = (part / "board/static/board.css").read_text("utf-8")
    shown = answers.rendered("board/board.html", Language(), **context())
    for tile in (PICTURED, BARE, *(replace(FULL, seat=seat) for seat in range(4))):
        shown += answers.rendered("board/card.html", Language(), tile=tile, images=images)
    shown = shown.replace("<details", "<details open")
    page = browsers.page(browser, width=1600, color_scheme=scheme, reduced_motion="reduce")
    page.set_content(
        f"<!doctype html><style>{base}</style><style id=boards>{boards}</style>{shown}"
    )
    assert watching.wrong(page, IDLE) == []
    assert watching.wrong(page, PALE) == []
    page.add_style_tag(content=".aimed { opacity: 0.3 }")
    assert {one.partition(" in ")[0] for one in page.evaluate(PALE)} > {"key", "text"}
    page.context.close()
