"""Draws a position for a terminal, by the words of the manifest.

Zones stand in the rows that the manifest gives them, the rival's on top and turned round. A `stack`
is shown as a count, a `pile` as a count and its top card; `cards` are listed: those with figures
one to a line, the others counted. Counters and how cards lie are shown by their signs, where the
game has some. What the viewer can't see is not in the position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.text import Text

from domain.record.position import Card, Position
from domain.record.proof import draws
from domain.record.schema.manifest import Slots, Zone
from domain.words.phrases import phrase
from replay_cli.drawing import cells, notices
from replay_cli.drawing.board.cards import PLACE, CardLines
from replay_cli.drawing.book import Book
from replay_cli.drawing.lines import SEATS
from replay_cli.drawing.names import (
    UNKNOWN,
    cards,
    clock,
    countdown,
    letter,
    player,
    players,
    time_left,
)
from replay_cli.output import say


def draw(book: Book, pos: Position, *, near: int = 0, width: int = 100) -> Text:
    """The whole board in `width` columns, with seat `near` at the bottom."""
    return Text("\n").join(Board(book, pos, width).rows(near))


class Board(CardLines):
    """Draws one position."""

    def rows(self, near: int) -> Iterator[Text]:
        """Line by line, from the top."""
        manifest = self.book.manifest
        seats = [seat for seat in range(manifest.seats) if seat != near]
        yield self._heading()
        yield from self._time()
        if self.pos.heading.fork:
            text = phrase("UNOFFICIAL: forked from match {match}", match=self.pos.heading.fork)
            yield Text(say(text), style="bold red")
        if self.pos.heading.chance == draws.SEED:
            yield Text(say(notices.SEEDED), style="yellow")
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
        left, right = " · ".join(map(say, self._where())), f"{entry} · {clock(self.pos.time)}"
        room = self.width - cells.width(right)
        return Text(cells.pad(cells.cut(left, room - 2), room) + right, style="bold")

    def _where(self) -> list[str]:
        """The turn, the step, the score, the result."""
        p, manifest = self.pos, self.book.manifest
        parts: list[str] = [
            phrase("turn {n}", n=p.turn) if p.turn else phrase("before the first turn")
        ]
        if p.heading.waits:
            parts = [phrase("not begun"), notices.waiting(p.heading.waits, p.heading.labels)]
        if p.turn_seat >= 0 and p.turn:
            parts = [phrase("turn {n}, {player}'s", n=p.turn, player=player(p.turn_seat))]
        parts += [manifest.label("steps", step) for step in self._steps()]
        if p.heading.best_of > 1:
            score = "–".join(map(str, p.score))
            parts.append(phrase("game {n}, {score}", n=p.game, score=score))
        if p.over:
            won = phrase("over: {player} won", player=player(p.winner))
            parts.append(won if p.winner >= 0 else phrase("over: a draw"))
            if len(p.results) > 1:
                parts.append(phrase("corrected (entry {n})", n=p.results[-1].seq))
        return parts

    def _steps(self) -> Iterator[str]:
        """The step, after the one that what is open came out of and goes back to."""
        p, declared = self.pos, self.book.manifest.words("steps")
        facts = (value for frame in reversed(p.frames) for value in frame.facts.values())
        around = (step for step in facts if isinstance(step, str) and step in declared)
        back = next((step for step in around if step != p.step), "")
        if back:
            phase = back.partition("/")[0]
            yield phase if phase in declared else back
        if p.step:
            yield p.step

    def _time(self) -> Iterator[Text]:
        """The round's clock, what is left of the match once time is called, whether it goes on."""
        p = self.pos
        notes: list[str] = []
        if "round" in p.clocks:
            notes.append(phrase("round {time}", time=countdown(p.left("round", p.time))))
        if p.called:
            notes.append(time_left(p, p.time))
        if p.paused >= 0:
            notes.append(phrase("the match stands still"))
        if notes and not p.over:
            yield Text(" · ".join(map(say, notes)), style="yellow")

    def _rule(self, seat: int) -> Text:
        heading = self.pos.heading
        name = heading.seats[seat] if seat < len(heading.seats) else ""
        deck = heading.decks.get(seat, ("", None))[0]
        title = " · ".join(part for part in (name, deck) if part)
        text = Text.assemble(("── ", "dim"))
        text.append(letter(seat), style=SEATS[seat % len(SEATS)])
        text.append(f" {title} ", style="bold" if seat == self.pos.turn_seat else "")
        for held in self._held_by(seat):
            text.append(f"{held} ", style="bold cyan")
        if f"seat/{seat}" in self.pos.clocks:
            left = self.pos.left(f"seat/{seat}", self.pos.time)
            text.append(f"{countdown(left)} ", style="red" if left <= 0 else "")
        text.append("─" * max(self.width - text.cell_len, 0), style="dim")
        return text

    def _held_by(self, seat: int) -> Iterator[str]:
        """The counters of a seat, of every kind that some seat has."""
        holders = [self.pos.holders.get(f"seat/{n}", {}) for n in range(self.book.manifest.seats)]
        for kind in dict.fromkeys(kind for holder in holders for kind in holder):
            label = self.book.manifest.label("counters", kind)
            yield say(phrase("{counters} {n}", counters=label, n=holders[seat].get(kind, 0)))

    def _middle(self) -> Iterator[Text]:
        shared = [zone for zone in self.book.manifest.zones if zone.shared and zone.row >= 0]
        yield Text("·" * self.width, style="dim")
        for zone in shared:
            if self.pos.zone(zone.name):
                yield from self._zone(zone, zone.name)
        if any(self.pos.zone(zone.name) for zone in shared):
            yield Text("·" * self.width, style="dim")

    def _now(self) -> Iterator[Text]:
        p, manifest = self.pos, self.book.manifest
        if p.attack is not None:
            attacker = self.names.ref(p.attack.attacker, apart=True)
            target = self.names.ref(p.attack.target, apart=True)
            text = phrase("attack: {attacker} → {target}", attacker=attacker, target=target)
            yield Text(say(text), "yellow")
        for act in p.pending.values():
            effect = act.effect.partition("/")[2] or act.kind
            state = "{card}: {effect} effect waits"
            if act.resolving:
                state = "{card}: {effect} effect being carried out"
            text = phrase(state, card=self.names.ref(act.source), effect=effect)
            if act.targets:
                text = phrase("{act}, on {targets}", act=text, targets=self.names.refs(act.targets))
            link = self.names.link(act.id)
            text = phrase("{player}: {act}", player=letter(act.seat), act=text) if link else text
            yield Text(f"[{link}] {say(text)}" if link else say(text), style="cyan")
        for one in p.scheduled.values():
            what = manifest.label("declarations", one.kind) if one.kind else phrase("effect")
            due = manifest.label("durations", one.due)
            card = self.names.ref(one.source)
            text = phrase("{card}: {what}, later ({due})", card=card, what=what, due=due)
            yield Text(say(text), style="cyan")
        if p.decision is not None:
            kind, who = manifest.label("decisions", p.decision.kind), players(p.decision.seats)
            text = phrase("decision {n}: {who}, {what}", n=p.decision.n, who=who, what=kind)
            yield Text(say(text), style="bold")

    # -- one side --------------------------------------------------------------------------------

    def _side(self, seat: int, way: int) -> Iterator[Text]:
        """A seat's rows: its front row nearest the middle (`way` 1: the middle is above)."""
        zones = [zone for zone in self.book.manifest.zones if zone.row >= 0 and not zone.shared]
        levels = sorted({zone.row for zone in zones})
        for level in levels[::way]:
            row = [zone for zone in zones if zone.row == level]
            yield from self._row(row, seat)

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
        if zone.name in self.slots:
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
        slots, numbers = self.slots.get(zone.name), self.pos.zone(place)
        if slots is None:
            yield from (("", number) for number in numbers)
            if not numbers:
                yield "", "–"
            return
        at = {number: self.pos.mark(number, slots.mark) for number in numbers if number}
        held = self._held(slots, place)
        for taken, some in groupby(range(1, slots.n + 1), lambda n: n in (*at.values(), *held)):
            places = [*some]
            if taken:
                for n in places:
                    lying: list[int | str] = [card for card in at if at[card] == n]
                    yield from ((f"{n:<{PLACE}}", what) for what in lying or [held[n]])
            else:
                first, last = places[0], places[-1]
                yield f"{first if first == last else f'{first}–{last}':<{PLACE}}", "–"
        yield from (
            ("", number) for number in numbers if at.get(number) not in range(1, slots.n + 1)
        )

    def _held(self, slots: Slots, place: str) -> dict[int, str]:
        """The places that cards hold which lie elsewhere, and what is said of them."""
        if not slots.beside:
            return {}
        seat = place.rpartition("/")[2]
        found = {
            number: self.pos.mark(number, slots.beside)
            for other in self.slots if other != slots.zone
            for number in self.pos.zones.get(f"{other}/{seat}", ()) if number
        }  # fmt: skip
        return {
            at: say(phrase("held for {card}", card=self.names.card(number)))
            for number, at in found.items() if isinstance(at, int)
        }  # fmt: skip
