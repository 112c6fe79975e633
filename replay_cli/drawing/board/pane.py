"""The board on a screen: as much of it as fits; scrolled, all of it.

It is drawn for the room that the screen leaves it, and again whenever that changes.
"""

from __future__ import annotations

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from domain.record.position import Position
from domain.telling.book import Book
from replay_cli.drawing.board import fitted

#: No board is drawn for fewer columns, nor for more.
NARROWEST, WIDEST = 60, 140
#: What the pane keeps for itself: a column on each side, and the scroll bar.
MARGIN = 3


class BoardPane(VerticalScroll, can_focus=False):
    """A pane with a board that fits into it, until somebody scrolls."""

    DEFAULT_CSS = """
    BoardPane { scrollbar-size-vertical: 1; }
    BoardPane > Static { height: auto; padding: 0 1; }
    """

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._shown: tuple[Book, Position, int] | None = None
        self._drawn_for: tuple[int, int, bool] | None = None
        self._whole = False

    def compose(self) -> ComposeResult:
        """The board."""
        yield Static(id="board")

    def show(self, book: Book, pos: Position, near: int = 0) -> None:
        """Show a position, fitted into the pane."""
        self._shown, self._drawn_for, self._whole = (book, pos, near), None, False
        self._draw()

    def on_resize(self) -> None:
        """Draw for the new size."""
        self._draw()

    def scroll_pages(self, way: int) -> None:
        """Go through all of the board, a page at a time; back past its top, it is fitted again."""
        if way < 0 and (not self._whole or not self.scroll_y):
            self._whole = False
        elif self._whole:
            self.scroll_relative(y=way * max(self.size.height - 2, 1), animate=False)
        elif way > 0:
            self._whole = True
        self._draw()

    def _draw(self) -> None:
        width, height = self.outer_size  # which a scroll bar does not change
        if self._shown is None or self._drawn_for == (width, height, self._whole) or not height:
            return
        self._drawn_for = width, height, self._whole
        book, pos, near = self._shown
        columns = max(NARROWEST, min(width - MARGIN, WIDEST))
        height = 0 if self._whole else height
        drawn = fitted.draw(book, pos, near=near, width=columns, height=height)
        self.query_one(Static).update(drawn)
        if not self._whole:
            self.call_after_refresh(self._to_the_middle, drawn)

    def _to_the_middle(self, drawn: Text) -> None:
        """Scroll a board that fits in no way so that what lies between the sides is seen."""
        lines = drawn.plain.count("\n") + 1
        self.scroll_to(y=max(0, (lines - self.size.height) // 2), animate=False)
