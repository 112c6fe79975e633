"""`kifu replay`: a match stepped through with the keyboard, forward and back.

The whole record is at hand (`record`), so every step is a fold from the nearest mark. With the
official's record it can show any viewer's view; the views are made here, entry by entry, as the
server makes them. Steps go through all that was recorded: what a rewind undid is shown as it was,
and marked.
"""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path
from typing import ClassVar

import click
from rich.console import Group, RenderableType
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Footer, Header, Input, Static

from domain import games
from domain.record import events as ev
from domain.record.entries import Entry, prints_in
from domain.record.position import Position
from domain.record.views import OFFICIAL, PUBLIC, redact
from domain.telling.book import Book
from domain.telling.causes import causes, describe
from domain.telling.names import clock, letter, player
from domain.telling.narration import Line, narrate
from domain.telling.record import Record, Taken
from domain.words.phrases import labelled, phrase
from replay_cli import record
from replay_cli.drawing import choices
from replay_cli.drawing.board.pane import BoardPane
from replay_cli.drawing.lines import Columns
from replay_cli.output import MISSING, Failed, language, need_terminal, say
from replay_cli.reaching.connection import (
    Access,
    Reader,
    access_options,
    match_argument,
    point_of,
    point_options,
    view_option,
    viewer_of,
)
from replay_cli.reaching.looking import Look, look_options

#: Lines of the transcript shown before and after the present one: on a small screen, on others.
FEW, MORE = (2, 2), (5, 4)
#: From how many lines on a screen has room for lines in full, and for what is on offer.
TALL = 42
TURN = ev.TurnBegan


@click.command("replay")
@match_argument
@point_options
@view_option
@look_options
@access_options
def replay_command(
    match: str, at_decision: int | None, at_seq: int | None, at_time: str | None,
    eyes: str, look: Look, access: Access,
) -> None:  # fmt: skip
    """Step through MATCH (default: the newest), or a FILE that `kifu export` wrote.

    Arrow keys go by decision (left, right) and entry (up, down), page keys by turn; d, t and e go
    to a decision, a turn, an entry by its number. o shows what was on offer, w shows causes, v
    changes the viewer, space scrolls a small screen, q leaves.
    """
    point = point_of(at_decision, at_seq, at_time)
    if match and Path(match).is_file():
        log, book = record.read(Path(match)), None
        opened = log[0].event
        game = opened.game if isinstance(opened, ev.MatchOpened) else ""
        if game not in games.every():
            raise Failed(
                phrase(
                    "{match} is a record of a game that is not here: {game!r}",
                    match=match,
                    game=game,
                ),
                MISSING,
            )
        book = Book.of(games.rulebook(game), language()).further(prints_in(log))
    else:
        with access.open() as client:
            reader = Reader(client, match)
            book = reader.book
            viewer = viewer_of(eyes, book)
            look.warn(reader, viewer)
            log = list(client.events(reader.id, view=viewer, why=look.why))
    app = Replay(log, book)
    if any(given is not None for given in (at_decision, at_seq, at_time)):
        app.index = app.index_of(app.record.find(point))
    need_terminal()
    app.run()


class Replay(App[None]):
    """The board, the transcript around it, what is to be decided."""

    TITLE = "Kifu"
    AUTO_FOCUS = None
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #table { height: 1fr; }
    #lines { height: auto; padding: 0 1; border-top: solid $primary; }
    #details { height: auto; max-height: 14; padding: 0 1; border-top: solid $primary; }
    #details { scrollbar-size-vertical: 1; }
    #explanation { height: auto; }
    #now { height: 1; padding: 0 1; background: $boost; }
    #number { height: 1; border: none; padding: 0 1; background: $boost; display: none; }
    .asked #number { display: block; }
    .asked #now { display: none; }
    .small #lines { text-wrap: nowrap; text-overflow: ellipsis; }
    .small #details { display: none; height: 1fr; max-height: 100%; }
    .small.open #details { display: block; }
    .small.open #table { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "entry(1)", "entry", key_display="↑↓", priority=True),
        Binding("up,k", "entry(-1)", "back an entry", show=False, priority=True),
        Binding("right,l", "decision(1)", "decision", key_display="←→"),
        Binding("left,h", "decision(-1)", "back", show=False),
        Binding("pagedown,n", "turn(1)", "turn", key_display="PgUp/Dn", priority=True),
        Binding("pageup,p", "turn(-1)", "back a turn", priority=True, show=False),
        Binding("d", "ask('decision')", "go to", key_display="dte"),
        Binding("t", "ask('turn')", "go to a turn", show=False),
        Binding("e", "ask('entry')", "go to an entry", show=False),
        Binding("home,g", "end(-1)", "start", show=False, priority=True),
        Binding("end,G", "end(1)", "end", show=False, priority=True),
        Binding("space", "scroll(1)", "scroll", show=False, priority=True),
        Binding("b", "scroll(-1)", "scroll back", show=False),
        Binding("o", "details('offer')", "offer"),
        Binding("w", "details('why')", "why"),
        Binding("v", "viewer", "view"),
        Binding("escape", "close", "close", show=False),
        Binding("q", "quit", "quit"),
    ]

    def __init__(self, log: list[Entry], book: Book) -> None:
        super().__init__()
        self.book = book
        self.viewer = OFFICIAL
        self._entries = log
        self._records = {OFFICIAL: Record(log)}
        self._lines: dict[int, list[Line]] = {}
        self.index = self._stops(ev.DecisionOpened, 0, 1) or len(log)
        self.whole = any(
            isinstance(entry.event, ev.DecisionOpened) and entry.event.digest.value is not None
            for entry in log
        )
        self._details_of = ""  # what was asked for: what was on offer, or why
        self._asked = ""  # of what a number is being typed
        self._notice = ""  # about the last key, until the next one

    # -- what is looked at -----------------------------------------------------------------------

    @property
    def record(self) -> Record:
        """The record as the present viewer sees it."""
        if self.viewer not in self._records:
            seen = [redact(entry, self.viewer) for entry in self._entries]
            self._records[self.viewer] = Record(seen)
        return self._records[self.viewer]

    @property
    def lines(self) -> list[Line]:
        """Its transcript."""
        if self.viewer not in self._lines:
            lines = narrate(self.book, self.record.log, quiet=False)
            self._lines[self.viewer] = [line for line in lines if not line.minor]
        return self._lines[self.viewer]

    @property
    def entry(self) -> Entry:
        """The present entry, as the present viewer sees it."""
        return self.record.log[self.index - 1]

    @property
    def position(self) -> Position:
        """The position after it."""
        return self.record.after(self.entry.seq)

    def index_of(self, seq: int) -> int:
        """How many entries lead up to entry `seq`; at least one."""
        return max(1, bisect_right(self._entries, seq, key=lambda entry: entry.seq))

    def _stops(self, kind: type[ev.Event], start: int, way: int) -> int:
        """The next index after `start` where such an event has just happened; 0: none."""
        line = self._entries
        where = range(start, len(line)) if way > 0 else range(min(start, len(line)) - 1, -1, -1)
        for at in where:
            if isinstance(line[at].event, kind):
                stop = at + 1
                while stop < len(line) and isinstance(line[stop].event, ev.OptionsOffered):
                    stop += 1
                if (stop - start) * way > 0:
                    return stop
        return 0

    # -- keys ------------------------------------------------------------------------------------

    def action_decision(self, way: int) -> None:
        """Go to the next or the previous decision."""
        self._go(self._stops(ev.DecisionOpened, self.index, way), way)

    def action_turn(self, way: int) -> None:
        """Go to the next or the previous turn."""
        begun = [at for at, entry in enumerate(self._entries) if isinstance(entry.event, TURN)]
        starts = [self._beginning(at) for at in begun]
        ahead = [at for at in starts if (at - self.index) * way > 0]
        self._go(0 if not ahead else min(ahead) if way > 0 else max(ahead), way)

    def _beginning(self, at: int) -> int:
        """How far a turn has begun when the first line of the transcript tells of it.

        `at` is where its entry is; it goes no further than to its first decision.
        """
        found = at + 1
        shown = bisect_right(self.lines, self._entries[at].seq, key=lambda line: line.seq)
        first = self.lines[shown].seq if shown < len(self.lines) else 0
        while found < len(self._entries):
            entry = self._entries[found]
            if entry.seq > first or isinstance(entry.event, (ev.DecisionOpened, TURN)):
                break
            found += 1
        return found

    def action_entry(self, way: int) -> None:
        """Go an entry forward or back."""
        self._go(self.index + way, way)

    def action_end(self, way: int) -> None:
        """Go to the end or to the start."""
        self._go(len(self._entries) if way > 0 else 1, way)

    def action_scroll(self, way: int) -> None:
        """Scroll what is shown in part: what was asked for, or else the board."""
        pane = self.query_one("#details", VerticalScroll)
        if pane.display and pane.max_scroll_y:
            pane.scroll_relative(y=way * max(pane.size.height - 2, 1), animate=False)
        else:
            self.query_one(BoardPane).scroll_pages(way)

    def action_ask(self, what: str) -> None:
        """Ask for the number of a decision, a turn, an entry."""
        self._asked = what
        number = self.query_one(Input)
        number.placeholder, number.value = f"go to {what} …  (Enter; Esc: stay here)", ""
        self.set_class(True, "asked")
        number.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go to what was typed."""
        asked, typed = self._asked, event.value.strip()
        self.action_close()
        if not typed:
            return
        found = self._numbered(asked, int(typed)) if typed.isdecimal() else 0
        if found:
            self._go(found, 1)
        else:
            self._notice = f"there is no {asked} {typed}"
            self._draw()

    def _numbered(self, what: str, n: int) -> int:
        """How many entries lead up to a decision, a turn, an entry; 0: it does not exist."""
        if what == "entry":
            return self.index_of(n) if any(entry.seq == n for entry in self._entries) else 0
        kind = ev.DecisionOpened if what == "decision" else TURN
        found = [
            at for at, entry in enumerate(self._entries)
            if isinstance(entry.event, kind) and getattr(entry.event, "n", 0) == n
        ]  # fmt: skip
        if not found:
            return 0
        stands = [at for at in found if not self.record.undone(self._entries[at].seq)] or found
        game = self.position.game  # turns are counted again in each
        same = [at for at in stands if self.record.after(self._entries[at].seq).game == game]
        at = (same or stands)[0]
        return self._stops(kind, at, 1) if what == "decision" else self._beginning(at)

    def action_close(self) -> None:
        """Drop the question for a number, or close what was asked for."""
        if self._asked:
            self._asked = ""
            self.set_class(False, "asked")
            self.set_focus(None)
        elif self._details_of:
            self._details_of = ""
        else:
            self._notice = "q quits"
        self._draw()

    def action_viewer(self) -> None:
        """Look through the next eyes; only a whole record has any but its own."""
        if self.whole:
            order = [OFFICIAL, *range(self.book.manifest.seats), PUBLIC]
            self.viewer = order[(order.index(self.viewer) + 1) % len(order)]
            self._draw()

    def action_details(self, what: str) -> None:
        """Show or hide what was on offer, or the causes of the present entry."""
        self._details_of = "" if self._details_of == what else what
        self._draw()

    def _go(self, index: int, way: int) -> None:
        last = len(self._entries)
        wanted = index or (last if way > 0 else 1)
        self.index = max(1, min(wanted, last))
        self._draw()

    # -- drawing ---------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """The parts of the screen."""
        yield Header()
        yield BoardPane(id="table")
        yield Static(id="lines")
        with VerticalScroll(id="details", can_focus=False):
            yield Static(id="explanation")
        yield Static(id="now", markup=False)
        yield Input(id="number", type="integer", select_on_focus=False)
        yield Footer()

    def on_mount(self) -> None:
        """Draw the first position."""
        self.set_focus(None)
        self._draw()

    def on_resize(self) -> None:
        """Draw for the new size."""
        self.set_class(self.size.height < TALL, "small")
        if self.query(BoardPane):
            self._draw()

    def _draw(self) -> None:
        columns = max(72, min(self.size.width - 3, 140))
        entry = self.entry
        who = {OFFICIAL: "the record's own view" if not self.whole else "official",
               PUBLIC: "public"}.get(self.viewer, letter(self.viewer))  # fmt: skip
        self.sub_title = (
            f"entry {entry.seq} of {self._entries[-1].seq} · {clock(entry.time)} · as {who}"
        )
        self.set_class(bool(self._details_of), "open")
        self.query_one(BoardPane).show(self.book, self.position, max(self.viewer, 0))
        self.query_one("#now", Static).update(self._now())
        self.query_one("#lines", Static).update(self._transcript(columns))
        self.query_one("#explanation", Static).update(self._details(columns))

    def _now(self) -> Text:
        """The present entry in one line, or the decision that is open."""
        if self._notice:
            notice, self._notice = self._notice, ""
            return Text(notice, style="bold yellow")
        decided = self._decided()
        if decided is None:
            text = describe(self.record, self.book, self.entry.seq)
        else:
            kind = self.book.manifest.label("decisions", decided.kind)
            text = say(phrase("decision {n}: {who}, {what}", n=decided.n,
                              who=player(decided.seat), what=kind))  # fmt: skip
        line = Text(text.partition("\n")[0], style="bold", overflow="ellipsis", no_wrap=True)
        undone = self.record.undone(self.entry.seq)
        if not undone:
            return line
        lead = say(labelled(phrase("undone by entry {n}", n=undone), ""))
        return Text(lead, style="bold red") + line

    def _transcript(self, columns: int) -> Text:
        """The lines around the present entry, the present one marked."""
        seq = self.entry.seq
        now = sum(line.seq <= seq for line in self.lines) - 1
        small = self.size.height < TALL
        before, after = FEW if small else MORE
        first = max(0, min(now - before, len(self.lines) - before - after - 1))
        labels = {word.name: word.label for word in self.book.manifest.steps}
        timed = bool(self.record.position(self.index).heading.policy.clocks.seat)
        setter = Columns(columns, labels, timed=timed, brief=small, numbered=True)
        rows = []
        for at, line in enumerate(self.lines[first : first + before + after + 1], first):
            row = setter.render(line, undone=bool(self.record.undone(line.seq)))
            row.stylize("reverse" if at == now else "dim" if at > now else "")
            rows.append(row)
        return Text("\n").join(rows)

    def _details(self, columns: int) -> RenderableType:
        if self._details_of == "why":
            return self._why()
        decided = self._decided()
        if decided is None or decided.offer is None:
            return Text(describe(self.record, self.book, self.entry.seq), style="italic")
        pos = self.position
        head = Text(f"decision {decided.n}: the options of player {letter(decided.seat)}", "bold")
        return Group(
            head, choices.options(self.book, pos, decided.seat, decided.offer, decided.act)
        )

    def _decided(self) -> Taken | None:
        """The decision that is open here."""
        open_ = self.position.decision
        if open_ is None:
            return None
        undone = self.record.undone(self.entry.seq)
        those = [one for one in self.record.decisions if one.n == open_.n]
        return next((one for one in those if one.abandoned == undone), those[0] if those else None)

    def _why(self) -> Text:
        text, found = Text(), causes(self.record, self.book, self.entry.seq)
        for cause in found:
            text.append(f"{cause.entry.seq:>5}  {say(cause.linked_text)}\n", style="bold")
            for cite in cause.entry.cites:
                text.append(f"       {cite}  {say(self.book.gist(cite))}\n", style="cyan")
        if len(found) == 1:
            text.append(f"       {say(phrase('nothing else led to it'))}", style="dim")
        return text
