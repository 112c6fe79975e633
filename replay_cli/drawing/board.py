"""Draws a position for a terminal, by the words of the manifest.

Zones stand in the rows that the manifest gives them, the rival's on top and turned round. A `stack`
is shown as a count, a `pile` as a count and its top card; `cards` are listed: those with figures
one to a line, the others counted. Counters and how cards lie are shown by their signs, where the
game has some. What the viewer can't see is not in the position.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, zip_longest

from rich.text import Text

from domain.record.position import Card, Position
from domain.record.proof import draws
from domain.record.schema.manifest import Slots, Zone
from domain.words.phrases import joined, phrase, renamed
from replay_cli.drawing import notices
from replay_cli.drawing.book import Book
from replay_cli.drawing.lines import SEATS
from replay_cli.drawing.names import (
    Names,
    cards,
    clock,
    countdown,
    letter,
    player,
    players,
    signs,
    time_left,
)
from replay_cli.output import say

LABEL, PLACE, NAME, FIGURES, LIES = 15, 4, 33, 18, 8
#: The least room for names on a narrow board, and from which width on it is not; from which one on
#: things stand two columns apart.
NARROW, WIDE, APART = 23, 90, 84
#: From which width on there is room for how cards lie in words, where there are signs for it.
ROOMY = 110
#: How far the further lines of a row are indented past its label, and a space that stays in a line.
INDENT, KEPT = 7, "\u00a0"


def draw(book: Book, pos: Position, *, near: int = 0, width: int = 100) -> Text:
    """The whole board in `width` columns, with seat `near` at the bottom."""
    return Text("\n").join(Board(book, pos, width).rows(near))


class Board:
    """Draws one position."""

    def __init__(self, book: Book, pos: Position, width: int = 100) -> None:
        self.book, self.pos, self.width = book, pos, width
        self.names = Names(book, pos)
        self.slots = {slots.zone: slots for slots in book.manifest.slots}
        self.label_width = min(
            LABEL, 1 + max((len(zone.label) for zone in book.manifest.zones), default=0)
        )
        apart = width >= APART or bool(book.manifest.signs)  # signs take less room than words
        self._margin, self._gap = (" ", "  ") if apart else ("", " ")
        shown = [[*map(len, map(say, self.names.figures(card)))] for card in pos.cards.values()]
        #: How wide the first, the second, … of the figures of a card is at the most.
        self._widths = [max(column) for column in zip_longest(*shown, fillvalue=0)]
        figures_width = sum(self._widths) + len(self._gap) * len(self._widths)
        self._figures_width = max(FIGURES if width >= WIDE else 0, figures_width)
        lies = [2 + len(self._how(card)) for card in pos.cards.values() if card.stats]
        self._lies_width = max(lies, default=LIES) if book.manifest.signs else LIES
        self.name_width = self._room(NAME if width >= WIDE else NARROW)

    def _room(self, least: int) -> int:
        """How wide the column of names is: so that the fewest rows are folded, names last."""
        rows = [
            (len(say(self.names.name_in_place(number))) + 1, len(self._further(number, card)))
            for number, card in self.pos.cards.items()
            if card.stats
        ]
        before = len(self._margin) + self.label_width + (PLACE if self.slots else 0)
        room = self.width - before - self._figures_width - self._lies_width

        def folded(width: int) -> tuple[int, int]:
            names = sum(name > width for name, _ in rows)
            return names + sum(width + more > room for _, more in rows), names

        return min(range(least, max(least, room) + 1), key=folded)

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
        yield from self._now()

    # -- what is going on ------------------------------------------------------------------------

    def _heading(self) -> Text:
        entry = say(phrase("entry {n}", n=self.pos.seq))
        left, right = " · ".join(map(say, self._where())), f"{entry} · {clock(self.pos.time)}"
        return Text(f"{left}{right:>{max(self.width - len(left), len(right) + 2)}}", style="bold")

    def _where(self) -> list[str]:
        """The turn, the step, the score, the result."""
        p, manifest = self.pos, self.book.manifest
        parts: list[str] = [
            phrase("turn {n}", n=p.turn) if p.turn else phrase("before the first turn")
        ]
        if p.heading.waits:
            parts = [phrase("not begun"), notices.waiting(p.heading.waits)]
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
        text.append("─" * max(self.width - len(text), 0), style="dim")
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
        cells = [cell for zone in short if (cell := self._cell(zone, f"{zone.name}/{seat}"))]
        line = Text()
        for label, content in cells:
            if line and len(line) + len(label) + len(content) + 4 <= self.width:
                line.append(f"   {label} ", style="dim")
            else:
                if line:
                    yield line
                line = Text.assemble((f"{self._margin}{label:<{self.label_width}}", "dim"))
            line.append(content)
        if line:
            yield from self._fold(line)
        for zone in long:
            yield from self._zone(zone, f"{zone.name}/{seat}")

    def _lists(self, zone: Zone, place: str) -> bool:
        cards = {n: self.pos.cards[n] for n in self.pos.zone(place) if n}
        if zone.name in self.slots:
            return True
        return zone.style in ("cards", "passing") and any(
            self.names.figures(card) or card.departing or n in self.pos.links
            for n, card in cards.items()
        )

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

    def _counters(self, counters: Mapping[str, int]) -> Iterator[str]:
        """Counters, a kind after the other: by their sign, or by name; a few one by one."""
        manifest = self.book.manifest
        order = {kind: at for at, kind in enumerate(manifest.words("counters"))}
        for kind, n in sorted(counters.items(), key=lambda one: order.get(one[0], 0)):
            sign = manifest.sign(kind)
            if sign and n:
                yield signs(sign, n)
            elif n:
                label = manifest.label("counters", kind)
                yield say(phrase("{n} {counters}", n=n, counters=label))

    def _counted(self, numbers: Sequence[int]) -> str:
        """Cards without figures, alike ones counted: `Resource ×3 active, ×2 rested`."""
        tally = Counter(
            (say(self.names.card(n)), self._how(self.pos.cards[n]) if n else "") for n in numbers
        )
        parts, last = [], ""
        for (name, lies), n in sorted(tally.items()):
            shown = "" if name == last else f"{name} "
            plain = len(tally) == n == 1
            parts.append(" ".join(filter(None, [name if plain else f"{shown}×{n}", lies])))
            last = name
        return ", ".join(parts)

    def _zone(self, zone: Zone, place: str) -> Iterator[Text]:
        """A zone that lists its cards, one a line."""
        label = zone.label
        for where, what in self._places(zone, place):
            row = Text.assemble((f"{self._margin}{label:<{self.label_width}}{where}", "dim"))
            at, label = len(row), ""
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

    def _card(self, number: int) -> Iterator[Text]:
        """A card's line: name, figures with counters, how it lies, what lies with it, keywords.

        A line after it has what the column of names has no room for.
        """
        card = self.pos.cards.get(number)
        if card is None:
            yield Text(say(self.names.card(number)))
            return
        idle = bool(card.orient) and card.orient != self._lies(card)
        style = "dim" if idle else "bold"
        whole = say(self.names.name_in_place(number))
        name, *_ = textwrap.wrap(whole, self.name_width - 1)
        more = whole[len(name) :].strip()
        text = Text().append(f"{name:<{self.name_width}}", style=style)
        figures = [say(one) for one in self.names.figures(card)]
        aligned = (f"{one:<{width}}" for one, width in zip(figures, self._widths, strict=False))
        if figures or card.orient:
            text.append(f"{self._gap.join(aligned).rstrip():<{self._figures_width}}")
            text.append(f"{self._how(card):<{self._lies_width}}", style="dim" if idle else "green")
        text.append(self._further(number, card))
        text.rstrip()
        yield text
        if more:
            yield Text(f"  {more}", style)

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

    def _lies(self, card: Card) -> str:
        return (self.book.manifest.zone(card.place).orients or ("",))[0]

    def _extras(self, number: int, card: Card) -> Iterator[str]:
        manifest = self.book.manifest
        if held := " ".join(self._counters(card.counters)):
            yield held
        for role, some in groupby(card.attached, lambda rider: self.pos.cards[rider].role):
            named = self.names.cards(some)
            what = renamed(manifest.label("roles", role), role)
            yield phrase("{role} {card}", role=what, card=named) if role else named
        if not card.up and manifest.zone(card.place).faces == "all":
            yield phrase("face down")
        yield from self.names.traits(number, card)
        if card.came == self.pos.turn and manifest.zone(card.place).orients and self.pos.turn:
            yield phrase("new")
        if link := self.pos.links.get(number):
            role = manifest.label("roles", link.role)
            yield phrase("{role} of {host}", role=role, host=self.names.card(link.host))
        if card.departing:
            yield phrase("on its way out ({why})", why=self._goes(number, card))

    def _goes(self, number: int, card: Card) -> str:
        """Why a card is on its way out, through what, and where to."""
        why = self.book.manifest.label("reasons", card.departing)
        departure = self.pos.departures.get(number)
        if departure is None:
            return why
        if departure.responsible:
            why = phrase("{why} by {who}", why=why, who=self.names.ref(departure.responsible))
        return phrase("{why}, to {place}", why=why, place=self.names.place(departure.to))

    def _fold(self, row: Text) -> Iterator[Text]:
        """A row in as many lines as it takes, the further ones indented."""
        if len(row) > self.width:
            indent = " " * (self.label_width + INDENT)
            cut = textwrap.wrap(
                row.plain, self.width, subsequent_indent=indent, drop_whitespace=True,
                replace_whitespace=False,
            )  # fmt: skip
            lines = [row[: len(cut[0])], *map(Text, cut[1:])]
        else:
            lines = [row]
        for line in lines:
            line.plain = line.plain.replace(KEPT, " ")
            yield line
