"""Draws cards for a terminal, a line each: name, figures, how it lies, what lies with it.

Figures stand in columns, which are as wide as the cards of the position need. How the lines make a
board is in `rows`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest

from rich.text import Text

from domain.record.position import Card, Position
from domain.telling.book import Book
from domain.telling.table import Table
from domain.words.phrases import joined
from replay_cli.drawing import cells
from replay_cli.output import say

LABEL, PLACE, NAME, FIGURES, LIES = 15, 4, 33, 18, 8
#: The least room for names on a narrow board, and from which width on it is not; from which one on
#: things stand two columns apart.
NARROW, WIDE, APART = 23, 90, 84
#: From which width on there is room for how cards lie in words, where there are signs for it.
ROOMY = 110
#: How far the further lines of a row are indented past its label, and a space that stays in a line.
INDENT, KEPT = 7, "\u00a0"
#: Names stand out, and what is noted of a card stays behind; how it lies, by whether it is ready.
NAMED, NOTED, READY, IDLE = "bold", "dim", "green", "yellow"


class CardLines:
    """The lines of the cards of one position."""

    def __init__(
        self, book: Book, pos: Position, width: int = 100, names: Table | None = None
    ) -> None:
        """`names` are those of the position, where somebody has them already."""
        self.book, self.pos, self.width = book, pos, width
        self.names = names or Table(book, pos)
        self.label_width = min(
            LABEL, 1 + max((cells.width(zone.label) for zone in book.manifest.zones), default=0)
        )
        apart = width >= APART or bool(book.manifest.signs)  # signs take less room than words
        self._margin, self._gap = (" ", "  ") if apart else ("", " ")
        shown = [
            [*map(cells.width, map(say, self.names.figures(card)))] for card in pos.cards.values()
        ]
        #: How wide the first, the second, … of the figures of a card is at the most.
        self._widths = [max(column) for column in zip_longest(*shown, fillvalue=0)]
        figures_width = sum(self._widths) + len(self._gap) * len(self._widths)
        self._figures_width = max(FIGURES if width >= WIDE else 0, figures_width)
        lies = [2 + cells.width(self._how(card)) for card in pos.cards.values() if card.stats]
        self._lies_width = max(lies, default=LIES) if book.manifest.signs else LIES
        self.name_width = self._room(NAME if width >= WIDE else NARROW)

    def _room(self, least: int) -> int:
        """How wide the column of names is: so that the fewest rows are folded, names last."""
        rows = [
            (
                cells.width(say(self.names.name_in_place(number))) + 1,
                cells.width(self._further(number, card)),
            )
            for number, card in self.pos.cards.items()
            if card.stats
        ]
        before = len(self._margin) + self.label_width + (PLACE if self.names.slots else 0)
        room = self.width - before - self._figures_width - self._lies_width

        def folded(width: int) -> tuple[int, int]:
            names = sum(name > width for name, _ in rows)
            return names + sum(width + more > room for _, more in rows), names

        return min(range(least, max(least, room) + 1), key=folded)

    def _card(self, number: int) -> Iterator[Text]:
        """A card's line: name, figures with counters, how it lies, what lies with it, keywords.

        A line after it has what the column of names has no room for.
        """
        card = self.pos.cards.get(number)
        if card is None:
            yield Text(say(self.names.card(number)))
            return
        whole = say(self.names.name_in_place(number))
        name = self._first(whole)
        more = whole[len(name) :].strip()
        text = Text().append(cells.pad(name, self.name_width), style=NAMED)
        figures = [say(one) for one in self.names.figures(card)]
        aligned = map(cells.pad, figures, self._widths)
        if figures or card.orient:
            text.append(cells.pad(self._gap.join(aligned).rstrip(), self._figures_width))
            text.append(cells.pad(self._how(card), self._lies_width), style=self._readiness(card))
        text.append(self._noted(number, card))
        text.rstrip()
        yield text
        if more:
            yield Text(f"  {more}", NAMED)

    def _first(self, name: str) -> str:
        """As much of a name as its column holds."""
        return cells.wrap(name, self.name_width - 1)[0]

    def _readiness(self, card: Card) -> str:
        return READY if card.orient == self.names.lies(card) else IDLE

    def _noted(self, number: int, card: Card) -> Text:
        """What else is said of a card: counters first, the rest behind."""
        held = " ".join(self._counters(card.counters))
        text = Text(self._further(number, card))
        text.stylize(NOTED, len(held))
        return text

    def _further(self, number: int, card: Card) -> str:
        """What else is said of a card: a row is folded where a comma is."""
        extras = say(joined(", ", self._extras(number, card)))
        return extras.replace(" ", KEPT).replace(f",{KEPT}", ", ")

    def _how(self, card: Card) -> str:
        """How a card lies, by its sign and, where there is room, in words."""
        if not card.orient:
            return ""
        sign, words = self.book.manifest.sign(card.orient), self.book.manifest.lying(card.orient)
        if sign and self.width < ROOMY:
            return sign
        return f"{sign} {say(words)}" if sign else say(words)

    def _extras(self, number: int, card: Card) -> Iterator[str]:
        if held := " ".join(self._counters(card.counters)):
            yield held
        yield from self.names.notes(number, card)

    def _counters(self, counters: Mapping[str, int]) -> Iterator[str]:
        return map(say, self.names.counters(counters))

    def _fold(self, row: Text) -> Iterator[Text]:
        """A row in as many lines as it takes, the further ones indented."""
        lines = [row]
        if row.cell_len > self.width:
            first, *rest = cells.wrap(row.plain, self.width, " " * (self.label_width + INDENT))
            style = row.spans[-1].style if row.spans else ""
            lines = [row[: len(first)], *(Text(one, style) for one in rest)]
        for line in lines:
            line.plain = line.plain.replace(KEPT, " ")
            yield line
