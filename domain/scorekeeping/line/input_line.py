"""The input line's state machine, without a screen: suggestions, commands, questions, refusals.

It says what the line is understood as (`understood`), which is what the screen shows, and takes
that back when Enter is pressed: Enter does what was shown, or nothing. What the service would say
of it is asked before (`Understood.untried`). It asks for what the service requires before it
records a command: a card's name, a roll. After a refusal the line stays as it was typed.

    typing ──enter──▶ a command ──outcome──▶ recorded: an empty line
                                        └──▶ a question ──enter──▶ the same command, with the answer
                                        └──▶ rejected: the line again, and why
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice

from msgspec.structs import replace

from domain.record.decisions import Act
from domain.record.position import NOBODY
from domain.scorekeeping.command import (
    Command,
    NamesMissing,
    Outcome,
    Recorded,
    Rejected,
    RollMissing,
)
from domain.scorekeeping.line import keys
from domain.scorekeeping.line.questions import Answer, Question, naming, roll_question
from domain.scorekeeping.session import Session
from domain.scorekeeping.suggestions import suggest, sums, unseen
from domain.scorekeeping.suggestions.guess import Guesses
from domain.scorekeeping.suggestions.suggest import Row, Table
from domain.scorekeeping.understanding import filling, narrated, reading, renaming, unknown
from domain.scorekeeping.understanding.meanings import Line, meanings, next_turn
from domain.scorekeeping.understanding.understood import Understood
from domain.telling.names import letter
from domain.text import autopass, foreign
from domain.text.notation import BadText
from domain.words.phrases import Phrase, joined, message_of, phrase

#: How many meanings of a line the service is asked about.
TRIED = 12


class InputLine:
    """The state of the input line: what is typed, suggested, asked, and refused."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.typed = ""
        self.selected = 0  # which suggestion is chosen
        self.question: Question | None = None
        self.refused: Rejected | None = None
        self.refused_command: Command | None = None  # should it be recorded all the same
        self._refused_at = 0  # the entry after which it was refused
        self._waiting: Command | None = None  # waits for an answer
        self._sent_line = ""  # what was typed for the command under way
        self._typed_since = ""  # what was typed since then
        self.moved = False
        self._computed_for = (-1, -1)  # the entry and the seat for which this was worked out:
        self._offered: list[Row] = []
        self._guesses: Guesses | None = None
        self._suggested: tuple[tuple[int, int, str], list[Row]] = ((-1, -1, ""), [])
        self._understood: tuple[tuple[object, ...], Understood] | None = None

    # -- what is there to choose from ------------------------------------------------------------

    def table(self, seat: int | None = None) -> Table:
        """The table for suggestions, for the seat that is asked or another one."""
        s = self.session
        seat = s.seat if seat is None else seat
        return Table(s.book, s.pos, seat, s.offer(seat), s.habits)

    def on_offer(self, t: Table) -> list[Row]:
        """The acts on offer, with their keys; worked out once for each position."""
        if self._computed_for != (self.session.seq, t.seat):
            self._computed_for = (self.session.seq, t.seat)
            self._offered, self._guesses = keys.keyed(t, suggest.offered(t)), Guesses(t)
        return self._offered

    def _suggestions(self, t: Table, text: str) -> list[Row]:
        """The possible meanings of a line, by its words alone."""
        known = self.on_offer(t)
        if not text or self._guesses is None:
            return known
        if self._suggested[0] != (*self._computed_for, text):
            more = (*self._guesses.rows(text), *sums.otherwise(t, text))
            found = suggest.suggestions(t, text, known, more)
            self._suggested = ((*self._computed_for, text), found)
        return self._suggested[1]

    # -- what the line is understood as ----------------------------------------------------------

    def understood(self) -> Understood:
        """The present meaning of the line, and other possible ones; worked out once."""
        if self._understood is None or self._understood[0] != self._state():
            made = self._asked() if self.question is not None else self._act()
            self._understood = self._state(), made
        return self._understood[1]

    def _state(self) -> tuple[object, ...]:
        """Everything that the line is understood by."""
        s = self.session
        return s.seq, s.trials, s.foreseeing, self.typed, self.selected, self.moved, self.question

    @property
    def rows(self) -> Sequence[Row | Answer]:
        """The possible meanings, the best first; the whole offer while nothing is typed."""
        return self.understood().rows

    def preview(self) -> str:
        """The act that Enter would do."""
        found = self.understood()
        return f"? {found.problem}" if found.problem else found.text

    def _asked(self) -> Understood:
        """The answer to the open question."""
        question = self.question
        assert question is not None
        rows = question.answers(self.typed)
        open_ = not self.typed and not self.moved and len(rows) > 1
        answer = rows[min(self.selected, len(rows) - 1)] if rows and not open_ else None
        text = answer.text if answer is not None else ""
        return Understood(
            self.typed, self.session.seq, rows, text, question=question, answer=answer
        )

    def _act(self) -> Understood:
        """The command that the line stands for."""
        found = Understood(self.typed, self.session.seq, ())
        seat, typed = reading.addressed(self.typed, self.session.seat)
        t = self.table(seat)
        text = foreign.in_english(
            typed,
            t.manifest,
            t.book.cards,
            lambda word: unseen.in_english(t.book, t.pos, seat, word),
        )
        if not text:
            rows = [row for row in self.on_offer(t) if row.alike]
            return self._unsaid(t, replace(found, rows=rows))
        try:
            auto_pass_command = self._auto_pass_command(seat, text)
            auto_pass_command = auto_pass_command or renaming.read(t, text)
            if auto_pass_command is not None:
                return replace(found, text=self.shown(auto_pass_command), command=auto_pass_command)
        except BadText as bad:
            return replace(found, problem=message_of(bad))
        lead = self.typed[: len(self.typed.rstrip()) - len(typed)] if typed != self.typed else ""
        by_settled: Understood | None = None
        for other in narrated.in_notation(t, text):
            line, settled = self._read(t, f"{lead}{other}", other, found)
            if settled.command is not None and settled.refused is None:
                return self._chosen(line, settled)
            by_settled = self._chosen(line, settled)
        named = narrated.with_names(t, text)
        understood = self._chosen(*self._read(t, f"{lead}{named}", named, found))
        return by_settled if by_settled is not None and understood.problem else understood

    def _read(self, t: Table, typed: str, text: str, found: Understood) -> tuple[Line, Understood]:
        """A line in the notation, and what is understood by it."""
        line = Line(self.session, t, self.table(), typed, text, self._suggestions(t, text))
        try:
            settled = self._settled(meanings(line), found)
        except BadText as bad:
            settled = replace(found, problem=unknown.explained(line, bad))
        else:
            if settled.refused is not None and settled.command and settled.command.ends:
                settled = replace(found, problem=unknown.explained(line, None))
        return line, settled

    def _unsaid(self, t: Table, found: Understood) -> Understood:
        """The act of Enter on an empty line, or the one chosen from the offer."""
        if self.moved and self.selected < len(found.rows):
            row = found.rows[self.selected]
            assert isinstance(row, Row)
            return replace(found, text=self.shown(row.command), command=row.command)
        act = suggest.usual(t)
        if act is None:
            return found
        command = Command(t.seat, act, t.write(act))
        return replace(found, text=self.shown(command), command=command)

    def _settled(self, commands: Iterable[Command], found: Understood) -> Understood:
        """The first of some commands that the service would record; else the first, and why not."""
        first: Understood | None = None
        for command in islice(commands, TRIED):
            here = filling.of(self.session, command)
            understood = replace(found, text=self.shown(here.command), command=here.command)
            if here.certain:
                return replace(understood, rows=here.rows)
            if here.trial is None:
                return replace(first or understood, untried=command)
            if here.trial.refused is None:
                return replace(understood, rows=here.rows)
            first = first or replace(understood, refused=here.trial.refused)
        assert first is not None
        return first

    def _chosen(self, line: Line, settled: Understood) -> Understood:
        """The meaning, with other possible ones; or the one chosen of those."""
        rows: list[Row] = []
        if settled.command is not None:
            rows.append(Row(settled.command.text, settled.command))
        rows += [row for row in settled.rows if isinstance(row, Row)]
        if settled.refused is not None and settled.command is not None:
            with suppress(BadText):
                then = next_turn(line, settled.command)
                rows += [Row(self.shown(then), then)] if then is not None else []
        rows += filling.acts(self.session, line.rows)
        first: dict[str, Row] = {}
        for row in rows:
            first.setdefault(row.text, row)
        shown = [*first.values()][: suggest.MOST]
        if self.moved and self.selected < len(shown):
            only = Understood(self.typed, self.session.seq, ())
            chosen = self._settled([shown[self.selected].command], only)
            return replace(chosen, rows=shown)
        return replace(settled, rows=shown)

    def _auto_pass_command(self, seat: int, text: str) -> Command | None:
        """The auto-pass that a seat sets or withdraws; raises `BadText`."""
        if seat == NOBODY:
            return None
        if text.strip() == autopass.WITHDRAW:
            return Command(seat, Act(""), autopass.WITHDRAW, withdraws=True)
        manifest = self.session.book.manifest
        found = autopass.parse(text, manifest)
        if found is None:
            return None
        return Command(seat, Act(""), autopass.write(found, manifest), auto_pass=found)

    def shown(self, command: Command) -> str:
        """The act in words: the acts before it, its seat, and which."""
        if command.implied:
            return _after_passes(command, self.typed.strip(), 1)
        whose = f"{letter(command.seat)}: " if command.seat != self.session.seat else ""
        act = f"{whose}{command.text}"
        return _after_passes(command, act) if command.passes else act

    # -- keys ------------------------------------------------------------------------------------

    def type(self, text: str) -> None:
        """The line has changed."""
        if text != self.typed:
            self.typed, self.selected, self.moved = text, 0, False
            self.refused = self.refused_command = None

    def move(self, way: int) -> None:
        """Choose the next suggestion, or the one before."""
        rows = self.rows
        if rows:
            first = not self.moved and not self.typed and self.question is None
            self.selected = 0 if first else (self.selected + way) % len(rows)
            self.moved = True

    def complete(self) -> str:
        """The line as the chosen suggestion has it."""
        rows = self.rows
        if self.selected < len(rows):
            self.type(rows[self.selected].text)
        return self.typed

    def enter(self, shown: Understood) -> Command | None:
        """The command to send, as it was shown; a line without an act is explained.

        Nothing, where that is not what the line says, or stands at, any more.
        """
        if not self.is_current(shown):
            return None
        if shown.question is not None:
            return self._answered(shown.answer)
        if shown.problem:
            self.refused = Rejected("", shown.problem)
            return None
        if shown.refused is not None:
            self.refused, self.refused_command = shown.refused, shown.command
            self._refused_at = self.session.seq
            return None
        return self.sent(shown.command)

    def key(self, shown: Understood, key: str) -> Command | None:
        """The act shown for a single key, while nothing is typed."""
        if not self.is_current(shown) or shown.typed or shown.question is not None:
            return None
        rows = (row for row in shown.rows if isinstance(row, Row))
        return self.sent(next((row.command for row in rows if row.key == key), None))

    def is_current(self, shown: Understood) -> bool:
        """Whether the preview is of this line and this position."""
        there = (self.session.seq, self.typed, self.question)
        return (shown.seq, shown.typed, shown.question) == there

    def escape(self) -> None:
        """Drop the question, and have the line back; or drop the line."""
        if self.question is not None:
            self.question = self._waiting = None
            self._set_line(self._sent_line)
        else:
            self._set_line(self._typed_since)
            self._typed_since = ""

    def as_irregularity(self, shown: Understood) -> Command | None:
        """The refused act, to be recorded anyway; None if there is none, or it can't be."""
        if not self.may_be_irregular(shown):
            return None
        command, _ = self._refusal(shown)
        assert command is not None
        irregular = replace(command, irregular=True, interjected=False, implied=False)
        return self.sent(irregular)

    def may_be_irregular(self, shown: Understood) -> bool:
        """Whether an act refused by a rule could be recorded anyway."""
        command, refused = self._refusal(shown)
        return command is not None and refused is not None and bool(refused.rules)

    def _refusal(self, shown: Understood) -> tuple[Command | None, Rejected | None]:
        """The refused act, and why: of the line, or of the last command."""
        if not self.is_current(shown):
            return None, None
        if shown.refused is not None:
            return shown.command, shown.refused
        by_settled = self._refused_at == self.session.seq
        return (self.refused_command, self.refused) if by_settled else (None, None)

    def sent(self, command: Command | None) -> Command | None:
        """Clear the line and return the command; what is typed from now on is for the next one."""
        if command is not None and not command.implied:
            self._sent_line = self.typed
            self._set_line("")
        return command

    def _set_line(self, text: str) -> None:
        """Replace the line; nothing is chosen and nothing refused."""
        self.typed, self.selected, self.moved = text, 0, False
        self.refused = self.refused_command = None

    # -- what came of it -------------------------------------------------------------------------

    def outcome(self, command: Command, outcome: Outcome) -> None:
        """Process the outcome of a command."""
        match outcome:
            case Recorded():
                self._waiting = None
                self.question = self.refused = self.refused_command = None
                if self._typed_since and not self.typed:
                    self._set_line(self._typed_since)
                self._typed_since = ""
            case NamesMissing(cards=cards):
                self._ask(command, naming(self.session, command, cards))
            case RollMissing(kind=kind, of=of):
                self._ask(command, roll_question(self.session, kind, of))
            case Rejected():
                self._waiting = self.question = None
                self._rejected(command, outcome)

    def _rejected(self, command: Command, outcome: Rejected) -> None:
        """The line as it was, and why it was refused."""
        if not command.implied:
            self._typed_since = self.typed or self._typed_since
            self._set_line(self._sent_line)
        self.refused, self.refused_command = outcome, command if command.text else None
        self._refused_at = self.session.seq

    def _ask(self, command: Command, question: Question) -> None:
        self._waiting, self.question = command, question
        self._typed_since = self.typed or self._typed_since
        self._set_line("")

    def _answered(self, answer: Answer | None) -> Command | None:
        assert self.question is not None
        assert self._waiting is not None
        if answer is None:
            return None
        self._waiting = replace(
            self._waiting,
            names={**self._waiting.names, **answer.names},
            rolls=(*self._waiting.rolls, *answer.rolls),
        )
        self._set_line("")
        self.question = self.question.next(self._waiting)
        return None if self.question is not None else self._waiting


def _after_passes(command: Command, act: str, more: int = 0) -> Phrase:
    """An act with the inferred passes before it."""
    passes = command.passes + more - len(command.ends)
    named = [*command.ends, *([_passes(passes)] if passes else [])]
    return phrase("{before}, then {act}", before=joined(", ", named), act=act)


def _passes(n: int) -> Phrase:
    return phrase("pass") if n == 1 else phrase("{n} passes", n=n)
