"""Boards on small terminals: the front rows stay in sight, whatever cards are called."""

from __future__ import annotations

from functools import cache
from itertools import starmap

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from rich.text import Text

from domain.engine.match import Match
from domain.games import names, rulebook
from domain.record import views
from domain.record.entries import Entry
from domain.record.position import Position
from domain.record.views import OFFICIAL
from domain.telling.book import Book
from domain.telling.narration import narrate
from domain.text.scenario import load
from domain.text.scenario.setting import lay
from replay_cli import cells
from replay_cli.drawing.board import draw, fitted
from replay_cli.drawing.lines import Columns
from replay_cli.playing.playout import play
from tests.playouts import PAIRS
from tests.support.marks import each


@cache
def played(game: str) -> list[Entry]:
    """A whole match of bots."""
    return play(rulebook(game), PAIRS[game][0], 3)


def front(book: Book, pos: Position) -> list[str]:
    """The names of what lies in the front rows, face up."""
    near = min(zone.row for zone in book.manifest.zones if zone.row >= 0)
    zones = [zone for zone in book.manifest.zones if zone.row == near and zone.style == "cards"]
    lying = [n for place in pos.zones for zone in zones if place.partition("/")[0] == zone.name
             for n in pos.zones[place] if n]  # fmt: skip
    return [book.name(pos.cards[n].id) for n in lying if pos.cards[n].id and pos.cards[n].up]


@pytest.mark.parametrize(("width", "height"), each(2, starmap(pytest.param, [(77, 12), (97, 18)])))
@pytest.mark.parametrize("game", names())
def test_a_board_keeps_within_its_lines_and_shows_who_fights(
    game: str, width: int, height: int
) -> None:
    entries, book, most = played(game), Book.of(rulebook(game)), 0
    for at in range(40, len(entries), max(len(entries) // 12, 1)):
        pos = views.position(entries[:at], OFFICIAL)
        rows = fitted.draw(book, pos, width=width, height=height).plain.split("\n")
        assert len(rows) <= height, rows
        assert all(cell_len(row) <= width for row in rows)
        drawn = " ".join(rows)
        for name in front(book, pos):
            assert name[:12] in drawn, (name, rows)
        most = max(most, len(front(book, pos)))
    assert most > 1


CROWD = """scenario Crowd
game gundam

position
    A battle: GM, GM, GM [rested], Guncannon, Guntank, Zowort
    B battle: Zaku Ⅰ, Zaku Ⅱ, Geara Zulu, Geara Zulu, Char's Zaku Ⅱ, Sinanju
    A hand: GM, Guncannon
    A base: EX Base
    B base: EX Base

A: end
"""


def crowd() -> Position:
    """Twelve units on a table."""
    rules = rulebook("gundam")
    match = Match(rules, lay(rules, load(CROWD).setting, "Crowd"), lambda kind, of: (0,))
    match.driver.start()
    return match.pos


def test_the_fullest_table_fits_a_small_screen() -> None:
    book, pos = Book.of(rulebook("gundam")), crowd()
    drawn = fitted.draw(book, pos, width=77, height=12).plain
    assert drawn.count("\n") < 12, drawn
    shown = " ".join(drawn.split())
    for name in front(book, pos):
        assert name in shown
    for found in ("AP ", "Hand ", "Deck ", "EX Base", "rested"):
        assert found in drawn
    assert "GM, Guncannon" in draw(book, pos, width=77).plain, "a hand takes one line"


def test_names_stand_out_and_details_do_not() -> None:
    book, pos = Book.of(rulebook("gundam")), crowd()
    drawn = draw(book, pos, width=100)
    styles: dict[str, set[str]] = {}
    for span in drawn.spans:
        text = drawn.plain[span.start : span.end].strip()
        styles.setdefault(text, set()).add(str(span.style))
    assert styles["Zowort"] == styles["GM#3"] == {"bold"}, "rested or not"
    assert styles["rested"] == {"yellow"}
    assert {"Battle Area"} <= {text for text, style in styles.items() if style == {"dim"}}


@pytest.mark.parametrize("name", ["白銀の機動戦士 GM", "E\u0301toile GM", "GM 👩‍🚀 ❤️", "Gm"])
def test_columns_stand_whatever_letters_a_name_has(name: str) -> None:
    book, pos = Book.of(rulebook("gundam")), crowd()
    gm = next(card for card in book.cards.values() if card.name == "GM")
    book = replace(book, cards={**book.cards, gm.id: replace(gm, name=name)})
    for width in (77, 100):
        rows = [row for row in draw(book, pos, width=width).plain.split("\n") if " HP " in row]
        columns = {cell_len(row[: row.index(" AP ")]) for row in rows}
        assert len(columns) == 1, rows
    for height in (0, 12):
        rows = fitted.draw(book, pos, width=77, height=height).plain.split("\n")
        assert all(cell_len(row) <= 77 for row in rows)


@pytest.mark.parametrize("brief", [False, True])
def test_lines_of_a_transcript_keep_within_their_columns(brief: bool) -> None:
    rules = rulebook("gundam")
    book = Book.of(rules)
    book = replace(
        book, cards={key: replace(card, name="機動戦士 👩‍🚀") for key, card in book.cards.items()}
    )
    setter = Columns(80, {word.name: word.label for word in rules.manifest.steps}, brief=brief)
    for line in narrate(book, played("gundam")):
        drawn = setter.render(line)
        assert isinstance(drawn, Text)
        assert all(cell_len(row) <= 80 for row in drawn.plain.split("\n")), drawn.plain
        assert "\n" not in drawn.plain or not brief


def test_texts_by_their_columns() -> None:
    assert cells.wrap("機動戦士 GM", 6) == ["機動戦", "士 GM"]
    assert cells.wrap("翻訳（ja、zh）。終わり", 13) == ["翻訳（ja、", "zh）。終わり"]
    assert cells.wrap("Guncannon、Guntank ×2", 16) == ["Guncannon、", "Guntank ×2"]
    assert cells.wrap("名は「はい」", 6) == ["名は", "「は", "い」"]
    assert cells.wrap("a  b c", 4, "  ") == ["a  b", "  c"]
    assert [cells.cut("機動戦士", n) for n in (8, 6, 1, 0)] == ["機動戦士", "機動…", "…", ""]
    assert cells.pad("戦", 4) == "戦  "
    assert not cells.wrap("", 10)
