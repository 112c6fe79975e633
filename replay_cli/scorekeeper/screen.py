"""The screen: board, decision, suggestions, last lines, and the input line.

It draws `input_line` and `session` and passes them keys and entries. Commands and the stream run in
threads of their own (`link`); the session changes in the screen's thread only.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Footer, Input, Static

from domain.officials.acts import BringCards, OfficialAct, RewindMatch
from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.position import NOBODY
from domain.scorekeeping.command import Command, Outcome, Recorded, Rejected, Trial
from domain.scorekeeping.line.input_line import InputLine
from domain.scorekeeping.sending import TAKEN_BACK
from domain.scorekeeping.session import Foreseen, Session
from domain.scorekeeping.understanding.understood import Understood
from domain.words.phrases import phrase
from replay_cli.drawing.board.pane import BoardPane
from replay_cli.drawing.heads import head_line
from replay_cli.output import say
from replay_cli.scorekeeper import confirming, panes, ruling, waiting
from replay_cli.scorekeeper.bringing import Form
from replay_cli.scorekeeper.confirming import YES, HeldEnter, KeyQuestion
from replay_cli.scorekeeper.link import POLL, Link, in_thread
from replay_cli.scorekeeper.waiting import BEGIN, Waiting
from replay_cli.scorekeeper.widget import Line, in_own_language

#: Columns of the board, and those from which the transcript stands beside it; the lines from which
#: on there is room for rows that are folded, and rules.
BOARD, WIDE, TALL = 105, 180, 34
#: Seconds for which what the line is understood as must have been there, if others have changed it.
SEEN = 0.4
#: Suggestions, and lines of the transcript below the board, that are shown at most.
ROWS, LINES = 9, 6


#: A command of the screen's own: the line stays, as with an implied act.
ASIDE = Command(NOBODY, Act(""), implied=True)
#: A judge is called with the line, which is gone once he is.
CALL = Command(NOBODY, Act(""))


class Screen(App[None]):
    """The scorekeeper's screen."""

    TITLE = "Kifu"
    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+z", "undo", phrase("undo"), priority=True),
        Binding("ctrl+r", "irregular", phrase("record anyway"), priority=True),
        Binding("ctrl+s", "shuffled", phrase("shuffled"), priority=True),
        Binding("f2", "judge", phrase("judge"), priority=True),
        Binding("f3", "rule", phrase("rule"), priority=True),
        Binding("f4", "bring", priority=True, show=False),
        Binding("pageup", "scroll(-1)", phrase("scroll"), priority=True, show=False),
        Binding("pagedown", "scroll(1)", phrase("scroll"), priority=True, show=False),
        Binding("f1", "help", phrase("help"), priority=True),
        Binding("ctrl+q", "quit", phrase("leave"), priority=True),
    ]

    def __init__(self, session: Session, link: Link, may_rule: bool = False) -> None:
        super().__init__()
        in_own_language(self._bindings)
        self.session, self.link, self.may_rule = session, link, may_rule
        self.input_line = InputLine(session)
        self.sending = False
        self.question: KeyQuestion | None = None
        self.notice = self._done = ""  # about the last key, until the next one; about the command
        self.waiting = Waiting(session)
        self.enter = HeldEnter()
        self._clock_offset = 0  # the match's clock, less this machine's, in milliseconds
        self._dirty = False
        self._drawn: tuple[int, object] = (-1, None)  # what the board was drawn for
        self.shown = self.input_line.understood()  # what the line is shown to be understood as
        self._trying: Command | None = None  # what the service is being asked about
        self._elsewhere = (
            False  # whether something has come that no key of this screen has asked for
        )
        self._changed = 0.0  # when that has changed what the line is understood as
        self._tried_at = -1.0  # when an answer of the service has

    # -- the stream ------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Begin to follow the match."""
        self.line.focus()
        in_thread(self._foresee)
        self.link.on_change = self._link_changed
        self.link.on_head = lambda: self._on_screen_thread(self.redraw)
        in_thread(self.link.follow, self.session.seq, self._on_entries)
        self.set_interval(POLL, self._poll)
        if self.waiting.waits:
            tell = partial(self._on_screen_thread, self._begin)
            in_thread(self.waiting.follow, self.link.service, tell)
            self._begin()
        self.set_interval(1.0, self._tick)
        self.redraw()

    def on_unmount(self) -> None:
        """Let the threads end."""
        self.waiting.close()
        self.link.close()

    def _poll(self) -> None:
        if not self.sending:
            in_thread(self.link.poll, self.session.seq, self._on_entries)

    def _on_entries(self, entries: list[Entry]) -> None:
        """Pass entries on to the screen's thread; called from the stream's."""
        self._on_screen_thread(self._fed, entries)

    def _link_changed(self, online: bool) -> None:
        self._on_screen_thread(self.redraw)

    def _on_screen_thread(self, call: Any, *args: Any) -> None:
        """Call something in the screen's own thread, after what waits there; not if it has left."""
        with suppress(RuntimeError):  # the loop is closed
            self.call_later(call, *args)

    def _begin(self) -> None:
        """Have a waiting match begin, once the outcome of chance is given."""
        if self.waiting.may_begin and not self.sending and self.input_line.question is None:
            self._send(BEGIN)
        self.redraw()

    def _fed(self, entries: list[Entry]) -> None:
        waited = self.waiting.waits
        if self.session.feed(entries):
            if waited and not self.waiting.waits and not self.sending:
                self.input_line.escape()  # somebody else has given the outcome of chance
            self._elsewhere = self._elsewhere or not self.sending
            self.redraw()
            if not self.sending and entries[-1].seq == self.session.seq:
                in_thread(self._foresee)

    def _foresee(self) -> None:
        """Find out where passes lead, after what somebody else has entered; in a thread."""
        foreseen = self.link.foresee()
        self._on_screen_thread(self._foreseen, foreseen)

    def _foreseen(self, foreseen: Foreseen | None) -> None:
        self.session.foreseen(foreseen)
        self._elsewhere = True
        self.redraw()

    # -- commands --------------------------------------------------------------------------------

    def send(self, command: Command | None) -> None:
        """Have a command recorded; what ends a match, once that was confirmed."""
        if command is not None and (text := confirming.ends(command, self.session.pos)):
            self._ask(
                KeyQuestion(text, {YES: lambda: self._send(command)}, lambda: self._leave(command))
            )
        else:
            self._send(command)

    def _send(self, command: Command | None) -> None:
        if command is not None and command.act == BEGIN.act:
            self._call(command, lambda _: self.link.begin(command))
        elif command is not None:
            self._call(command, lambda n: self.link.send(command, n))
        self.redraw()

    def _leave(self, command: Command) -> None:
        """Have the line back of a command that was not confirmed."""
        self.input_line.outcome(command, Rejected("", phrase("not recorded")))
        self._show_typed()

    def _ask(self, question: KeyQuestion) -> None:
        """Ask something that the next key answers."""
        self.question, self.line.asked = question, True
        self.redraw()

    def _tell(self, text: str) -> None:
        """Say something until the next key."""
        self.notice = say(text)
        self.redraw()

    def _call(
        self, command: Command, call: Callable[[int], Outcome | None], done: str = ""
    ) -> None:
        """Make a call in a thread; `done` is shown once it is recorded."""
        self.sending, self._done = True, done
        decision, after = self.session.decision, self.session.seq
        n = decision.n if decision is not None else 0

        def work() -> None:
            entries: list[Entry] = []
            foreseen = None
            try:
                outcome = call(n)
                last = outcome.last_seq if isinstance(outcome, Recorded) else 0
                entries = self.link.catch_up(after, last)
                foreseen = self.link.foresee()
            except Exception as error:  # after any error the line must not stay blocked
                outcome = Rejected("", f"{type(error).__name__}: {error}")
            if outcome is not None:
                self._on_screen_thread(self._on_outcome, command, outcome, entries, foreseen)

        in_thread(work)

    def _on_outcome(
        self, command: Command, outcome: Outcome, entries: list[Entry], foreseen: Foreseen | None
    ) -> None:
        """Show the outcome of a command."""
        self.sending = False
        self.input_line.type(self.line.value)
        self._fed(entries)
        self.session.foreseen(foreseen)
        if isinstance(outcome, Recorded):
            self._clock_offset = self.session.pos.time - self._clock()
        self.input_line.outcome(command, outcome)
        self.notice = say(self._done) if isinstance(outcome, Recorded) else ""
        self._show_typed()
        self._elsewhere = False
        self._draw_line()
        self.redraw()

    # -- keys ------------------------------------------------------------------------------------

    def on_input_changed(self, event: Input.Changed) -> None:
        """Something was typed: it is understood before the next key."""
        self.notice = ""
        self.input_line.type(event.value)
        self._draw_line()

    def on_line_pressed(self, event: Line.Pressed) -> None:
        """A key of the line."""
        self.notice = ""
        if self.question is not None:
            question, self.question, self.line.asked = self.question, None, False
            question.answer(event.key)
            self.redraw()
            return
        p, bare = self.session.pos, not event.text and self.input_line.question is None
        held = event.key == "enter" and self.enter.pressed((p.game, p.turn), bare=bare)
        twice = event.key == "enter" and bare and self.enter.after_digit()
        now = self.line.value
        since = now if event.key == "enter" else now.removeprefix(event.text)
        self.input_line.type(event.text)
        match event.key:
            case "enter" if held:
                self.bell()
                self._tell(confirming.HELD)
            case "enter" if twice:
                self._tell(confirming.DIGIT_ALONE)
            case "enter" if self.waiting.waits and self.input_line.question is None:
                self._begin()
            case "enter" if self._changed == self._tried_at and not self._seen():
                self.set_timer(SEEN, partial(self._enter_as, self.shown))
            case "enter":
                if self._idle() and self._settled():
                    self.send(self.input_line.enter(self.shown))
            case "up" | "down":
                self.input_line.move(1 if event.key == "down" else -1)
            case "tab":
                self.input_line.complete()
            case "escape":
                self._drop()
            case digit:
                self.enter.digit()
                if self._idle() and self._settled():
                    self.send(self.input_line.key(self.shown, digit))
        self._show_typed(since)
        self._draw_line()
        self.redraw()

    def _settled(self) -> bool:
        """Whether the meaning of the line is shown, and was long enough to be seen.

        The user waits for a change that a key has caused.
        """
        settled = self._seen() and self.input_line.is_current(self.shown)
        if not settled:
            self.bell()
        return settled

    def _seen(self) -> bool:
        return time.monotonic() - self._changed >= SEEN

    def _enter_as(self, shown: Understood) -> None:
        """Send a line whose meaning the service changed just before Enter, if it still is that."""
        if shown == self.shown and self.line.value == shown.typed and self._idle():
            self.send(self.input_line.enter(shown))
            self._show_typed()

    def _drop(self) -> None:
        """Drop the help, the question or the line."""
        if self.has_class("helping"):
            self.action_help()
        elif not self.sending:
            self.input_line.escape()

    def _idle(self) -> bool:
        """Whether no command is under way; they are sent one at a time."""
        if self.sending:
            self.bell()
        return not self.sending

    def action_undo(self) -> None:
        """Take back one's last entry; an official takes back the end of a match."""
        if not self._idle():
            return
        p = self.session.pos
        if p.over and not self.may_rule:
            self._tell(confirming.OFFICIALS_REOPEN)
        elif p.over:
            back = RewindMatch(p.decisions, TAKEN_BACK, result=p.results[-1].seq)
            self._ask(KeyQuestion(confirming.reopens(p), {YES: partial(self._record, back)}))
        else:
            self._call(ASIDE, self.link.undo)

    def action_irregular(self) -> None:
        """Record what was refused all the same."""
        if not self.input_line.may_be_irregular(self.shown):
            self._tell(confirming.NOTHING_REFUSED)
        elif not self.may_rule:
            self._tell(confirming.OFFICIALS_RECORD)
        elif self._idle():
            command = self.input_line.as_irregularity(self.shown)
            self._show_typed()
            self.send(command)

    def action_judge(self) -> None:
        """Call a judge to the table, if it is one of an event."""
        if self.waiting.place is None:
            return self._tell(waiting.NO_EVENT)
        event, _, table = self.waiting.place
        text = self.line.value
        call = lambda _: self.link.call_judge(event, table, text)  # noqa: E731

        def called() -> None:
            self.input_line.sent(CALL)
            self._call(CALL, call, waiting.CALLED)
            self._show_typed()

        return self._ask(KeyQuestion(waiting.called(table, text), {YES: called}))

    def action_shuffled(self) -> None:
        """Ask who has shuffled his cards: the next key says so."""
        self._ask(ruling.shuffled(self.session.pos, self._record))

    def action_rule(self) -> None:
        """Ask what an official has to record apart from plays."""
        if not self.may_rule:
            return self._tell(ruling.OFFICIALS_RULE)
        return self._ask(ruling.question(self.session.pos, self._ask, self._record))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Below a form no key does anything but leave."""
        formed = isinstance(self.screen, Form) and hasattr(self, f"action_{action}")
        return not formed or hasattr(App, f"action_{action}")

    def action_bring(self) -> None:
        """Have a card typed that no catalogue has, and brought; the line stays as it is."""

        def typed(card: str | None) -> None:
            if card:
                self._record(BringCards((card,)), BringCards.done)

        self.push_screen(Form(self.session), typed)

    def _record(self, act: OfficialAct, done: str = "") -> None:
        """Have an act recorded that is no play."""
        if self._idle():
            self._call(ASIDE, lambda _: self.link.record(act), say(done))

    def action_help(self) -> None:
        """Show or hide the help."""
        self.toggle_class("helping")

    def action_scroll(self, way: int) -> None:
        """Scroll the help, or else the board."""
        if self.has_class("helping"):
            pane = self.query_one("#help", VerticalScroll)
            pane.scroll_relative(y=way * max(pane.size.height - 2, 1), animate=False)
        else:
            self.query_one(BoardPane).scroll_pages(way)

    @property
    def line(self) -> Line:
        """The line that is typed in."""
        return self.query_one(Line)

    def _show_typed(self, since: str = "") -> None:
        """Show the text that `input_line` holds, and what was typed since."""
        if since:
            self.input_line.type(self.input_line.typed + since)
        self.line.put(self.input_line.typed)

    # -- drawing ---------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """The parts of the screen."""
        yield Static(id="heading")
        with Horizontal(id="upper"):
            yield BoardPane(id="table")
            with VerticalScroll(id="side", can_focus=False):
                yield Static(id="far-lines")
        with VerticalScroll(id="below", can_focus=False):
            yield Static(id="lines")
        yield Static(id="choices")
        yield Static(id="note")
        yield Static(id="prompt")
        yield Line(
            id="line", placeholder=say(phrase("what happens?  (F1: help)")), select_on_focus=False
        )
        with VerticalScroll(id="help", can_focus=False):
            yield Static(panes.helping(), markup=False)
        yield Footer()

    def on_resize(self) -> None:
        """Draw for the new width."""
        self.set_class(self.size.width >= WIDE, "wide")
        self.set_class(self.size.height < TALL, "small")
        self.redraw()

    def redraw(self) -> None:
        """Draw soon; many changes at once are drawn once."""
        if not self._dirty:
            self._dirty = True
            self.call_after_refresh(self._draw)

    def _tick(self) -> None:
        if self.session.pos.clocks:
            self._draw_heading()

    def _draw(self) -> None:
        self._dirty = False
        if not self.query(BoardPane):
            return
        if self._drawn != (self.session.seq, self.size):
            self._drawn = (self.session.seq, self.size)
            self._draw_table()
        self._draw_line()
        head = head_line(self.link.head) if self.link.head else ""
        self.query_one("#choices").border_title = head
        self.line.keyed = self.input_line.question is None
        self._draw_heading()

    def _draw_line(self) -> None:
        """Show what the line is understood as; that is what Enter takes."""
        before, self.shown = self.shown, self.input_line.understood()
        if before.typed != self.shown.typed:
            self._changed = 0.0
        elif before.command != self.shown.command and self._elsewhere:
            self._changed = time.monotonic()
        self._elsewhere = False
        choices = panes.choices(self.input_line, self.shown, panes.fit(self.size.height, ROWS))
        self.query_one("#choices", Static).update(choices)
        note = panes.note(self.input_line, self.may_rule)
        asked = self.question.text if self.question is not None else self.notice
        noted = Text(asked, "bold yellow") if asked else note
        self.query_one("#note", Static).update(noted)
        self.set_class(bool(noted), "noted")
        self.query_one("#prompt", Static).update(panes.prompt(self.session, self.shown))
        if self.shown.untried is not None and self.shown.untried != self._trying:
            self._trying = self.shown.untried
            in_thread(self._try, self.session.seq, self.shown.untried)

    def _try(self, seq: int, command: Command) -> None:
        """Ask the service to try a command; in a thread."""
        found = self.link.trial(command)
        self._on_screen_thread(self._tried, seq, command, found)

    def _tried(self, seq: int, command: Command, found: Trial | None) -> None:
        self._trying = None
        if self.session.take_trial(seq, command, found):
            self._elsewhere = True
        before = self._changed
        self._draw_line()
        if self._changed != before:
            self._tried_at = self._changed

    def _draw_table(self) -> None:
        """The board, and the last lines beside or below it."""
        wide, width, height = self.has_class("wide"), *self.size
        self.query_one(BoardPane).show(self.session.book, self.session.pos)
        most, room = (height, width - BOARD - 3) if wide else (panes.fit(height, LINES), width - 4)
        self.query_one("#below").styles.max_height = most + 1
        self.query_one("#far-lines" if wide else "#lines", Static).update(
            panes.log(self.session, most, room, brief=not wide and height < TALL)
        )
        pane = self.query_one("#side" if wide else "#below", VerticalScroll)
        self.call_after_refresh(pane.scroll_end, animate=False)

    def _draw_heading(self) -> None:
        now, columns = self._clock() + self._clock_offset, self.size.width - 2
        waits, online = self.waiting.text, self.link.online
        found = panes.heading(self.session, waits, online, self.sending, now, columns)
        self.query_one("#heading", Static).update(found)

    def _clock(self) -> int:
        """Milliseconds since the match was opened, by this machine."""
        return time.time_ns() // 1_000_000 - self.session.pos.heading.at
