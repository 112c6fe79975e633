"""Draws a position for a terminal, by the words of the manifest.

Zones stand in the rows that the manifest gives them, the rival's on top and turned round. A `stack`
is shown as a count, a `pile` as a count and its top card; `cards` are listed: those with figures
one to a line, the others counted. Counters and how cards lie are shown by their signs, where the
game has some. What the viewer can't see is not in the position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.text import Text

from domain.record.position import Card, Position
from domain.record.schema.manifest import Zone
from domain.telling import notices
from domain.telling.book import Book
from domain.telling.names import (
    UNKNOWN,
    cards,
    clock,
    countdown,
    letter,
)
from domain.words.phrases import phrase
from replay_cli.drawing import cells
from replay_cli.drawing.board.cards import PLACE, CardLines
from replay_cli.drawing.lines import SEATS
from replay_cli.output import say

#: What stands where nothing lies.
NONE = "–"


def draw(book: Book, pos: Position, *, near: int = 0, width: int = 100) -> Text:
    """The whole board in `width` columns, with seat `near` at the bottom."""
    return Text("\n").join(Board(book, pos, width).rows(near))


class Board(CardLines):
    """Draws one position."""

    def rows(self, near: int) -> Iterator[Text]:
        """Line by line, from the top."""
        *seats, _ = self.names.sides(near)
        yield self._heading()
        yield from self._time()
        for text in self.names.warnings():
            yield Text(say(text), style="yellow" if text == notices.SEEDED else "bold red")
        for seat in seats:
            yield self._rule(seat)
            yield from self._side(seat, -1)
        yield from self._middle()
        yield from self._side(near, 1)
        yield self._rule(near)
        for row in self._now():
            yield from self._fold(row)

    # -- what is going on ------------------------------------------------------------------------

    def _heading(self) -> Text:
        entry = say(phrase("entry {n}", n=self.pos.seq))
        left, right = " · ".join(map(say, self.names.where())), f"{entry} · {clock(self.pos.time)}"
        room = self.width - cells.width(right)
        return Text(cells.pad(cells.cut(left, room - 2), room) + right, style="bold")

    def _time(self) -> Iterator[Text]:
        if notes := self.names.time():
            yield Text(" · ".join(map(say, notes)), style="yellow")

    def _rule(self, seat: int) -> Text:
        title = " · ".join(part for part in self.names.seat_name(seat) if part)
        text = Text.assemble(("── ", "dim"))
        text.append(letter(seat), style=SEATS[seat % len(SEATS)])
        text.append(f" {title} ", style="bold" if seat == self.pos.turn_seat else "")
        for held in self._held_by(seat):
            text.append(f"{held} ", style="bold cyan")
        left = self.names.seat_left(seat)
        if left is not None:
            text.append(f"{countdown(left)} ", style="red" if left <= 0 else "")
        text.append("─" * max(self.width - text.cell_len, 0), style="dim")
        return text

    def _held_by(self, seat: int) -> Iterator[str]:
        for _, label, n in self.names.seat_counters(seat):
            yield say(phrase("{counters} {n}", counters=label, n=n))

    def _middle(self) -> Iterator[Text]:
        shared = self.names.shared
        yield Text("·" * self.width, style="dim")
        for zone in shared:
            if self.pos.zone(zone.name):
                yield from self._zone(zone, zone.name)
        if any(self.pos.zone(zone.name) for zone in shared):
            yield Text("·" * self.width, style="dim")

    def _now(self) -> Iterator[Text]:
        if attack := self.names.attack():
            yield Text(say(attack), "yellow")
        for link, _, text in self.names.acts():
            yield Text(f"[{link}] {say(text)}" if link else say(text), style="cyan")
        for one in self.names.scheduled():
            yield Text(say(one), style="cyan")
        if decision := self.names.decision():
            yield Text(say(decision), style="bold")

    # -- one side --------------------------------------------------------------------------------

    def _side(self, seat: int, way: int) -> Iterator[Text]:
        """A seat's rows: its front row nearest the middle (`way` 1: the middle is above)."""
        for row in self.names.rows[::way]:
            yield from self._row(row.zones, seat)

    def _row(self, zones: Sequence[Zone], seat: int) -> Iterator[Text]:
        """One row: short zones side by side, then those that list their cards."""
        short: list[Zone] = []
        long: list[Zone] = []
        for zone in zones:
            (long if self._lists(zone, f"{zone.name}/{seat}") else short).append(zone)
        shown = [cell for zone in short if (cell := self._cell(zone, f"{zone.name}/{seat}"))]
        line = Text()
        for label, content in shown:
            more = cells.width(label) + cells.width(content) + 4
            if line and line.cell_len + more <= self.width:
                line.append(f"   {label} ", style="dim")
            else:
                if line:
                    yield from self._fold(line)
                line = Text.assemble((self._labelled(label), "dim"))
            line.append(content)
        if line:
            yield from self._fold(line)
        for zone in long:
            yield from self._zone(zone, f"{zone.name}/{seat}")

    def _labelled(self, label: str) -> str:
        """The label that a line begins with."""
        return self._margin + cells.pad(label, self.label_width)

    def _lists(self, zone: Zone, place: str) -> bool:
        """Whether the cards of a zone have a line each: those in play, and those on their way."""
        if zone.name in self.names.slots:
            return True
        lying = {n: self.pos.cards[n] for n in self.pos.zone(place) if n}
        return zone.style in ("cards", "passing") and any(
            card.departing or n in self.pos.links or self._has_line(zone, card)
            for n, card in lying.items()
        )

    def _has_line(self, zone: Zone, card: Card) -> bool:
        return zone.faces == "all" and bool(self.names.figures(card))

    def _cell(self, zone: Zone, place: str) -> tuple[str, str] | None:
        numbers = self.pos.zone(place)
        known = [n for n in numbers if n and self.pos.cards[n].id]
        held = "  ".join(self._counters(self.pos.holders.get(place, {})))
        if zone.style == "counters":
            return zone.label, held or "–"
        if zone.style == "stack":
            return zone.label, f"{len(numbers)}"
        if zone.style == "pile":
            if not numbers:
                return (zone.label, f"0  {held}") if held else None
            top = (
                f" ({say(self.names.card(numbers[-1]))})" if known and numbers[-1] in known else ""
            )
            return zone.label, f"{len(numbers)}{top}{held and '  '}{held}"
        if not numbers and zone.style == "passing":
            return None
        if not numbers:
            shown = zone.orients or zone.faces != "all"
            return (zone.label, "–") if shown else None
        if not known:
            return zone.label, say(cards(len(numbers)))
        return zone.label, self._counted(numbers)

    def _counted(self, numbers: Sequence[int]) -> str:
        """Cards without figures, alike ones counted: `Resource ×3 active, ×2 rested`."""
        tally = Counter(
            (say(self.names.card(n)), self._how(self.pos.cards[n]) if n else "") for n in numbers
        )
        lying, unknown = Counter(name for name, _ in tally), say(UNKNOWN)
        parts, last = [], ""
        for (name, lies), n in sorted(tally.items(), key=lambda one: (one[0][0] == unknown, one)):
            shown, times = "" if name == last else name, f"×{n}" if n > 1 or lying[name] > 1 else ""
            if name == unknown and n > 1:
                shown, times = say(cards(n)), ""
            parts.append(" ".join(filter(None, [shown, times, lies])))
            last = name
        return ", ".join(parts)

    def _zone(self, zone: Zone, place: str) -> Iterator[Text]:
        """A zone that lists its cards, one a line."""
        label = zone.label
        for where, what in self._places(zone, place):
            row = Text.assemble((f"{self._labelled(label)}{where}", "dim"))
            at, label = row.cell_len, ""
            if isinstance(what, str):
                yield from self._fold(row.append(what, "dim"))
                continue
            card, *rest = self._card(what)
            first, *others = self._fold(row.append(card))
            yield from (first, *(Text(" " * at).append(name) for name in rest), *others)

    def _places(self, zone: Zone, place: str) -> Iterator[tuple[str, int | str]]:
        """The cards of a zone, or what stands there instead; by its places, if it has some."""
        for first, last, what in self.names.places(zone, place):
            span = f"{first}" if first == last else f"{first}–{last}"
            where = f"{span:<{PLACE}}" if first else ""
            yield where, (say(what) or NONE) if isinstance(what, str) else what
