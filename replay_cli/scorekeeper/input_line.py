"""The input line's state machine, without a screen: suggestions, commands, questions, refusals.

It suggests acts for what is typed (`rows`), previews what Enter would do (`preview`), makes a
command of it, and asks for what the service requires before it records one: a card's name, a roll.
After a refusal the line stays as it was typed.

    typing ──enter──▶ a command ──outcome──▶ recorded: an empty line
                                        └──▶ a question ──enter──▶ the same command, with the answer
                                        └──▶ rejected: the same act at the next stop (`later`);
                                             at none: the line again, and why the first refused it
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from domain.record.decisions import Act
from domain.record.position import NOBODY
from domain.text import standing
from domain.text.notation import BadText
from replay_cli.drawing.names import letter
from replay_cli.scorekeeper import keys, later, reading
from replay_cli.scorekeeper.command import (
    Command,
    NamesMissing,
    Outcome,
    Recorded,
    Rejected,
    RollMissing,
)
from replay_cli.scorekeeper.questions import Answer, Question, naming, roll_question
from replay_cli.scorekeeper.session import Session
from replay_cli.scorekeeper.suggestions import suggest, sums
from replay_cli.scorekeeper.suggestions.guess import Guesses
from replay_cli.scorekeeper.suggestions.suggest import Row, Table


class InputLine:
    """The state of the input line: what is typed, suggested, asked, and refused."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.typed = ""
        self.selected = 0  # which suggestion is chosen
        self.question: Question | None = None
        self.refused: Rejected | None = None
        self.refused_command: Command | None = None  # should it be recorded all the same
        self._waiting: Command | None = None  # waits for an answer
        self._sent_line = ""  # what was typed for the command under way
        #: The entry at which an act was refused first, the command, and why.
        self._first_refusal: tuple[int, Command, Rejected] | None = None
        self._typed_since = ""  # what was typed since then
        self.moved = False
        self._computed_for = (-1, -1)  # the entry and the seat for which this was worked out:
        self._offered: list[Row] = []
        self._guesses: Guesses | None = None
        self._later_of: tuple[tuple[int, str], Command | BadText | None] = ((-1, ""), None)
        self._further_of: tuple[tuple[int, str], Command | None] = ((-1, ""), None)
        self._suggested: tuple[tuple[int, int, str], list[Row]] = ((-1, -1, ""), [])

    # -- what is there to choose from ------------------------------------------------------------

    def table(self, seat: int | None = None) -> Table:
        """What suggestions are made from, for the seat that is asked or another one."""
        s = self.session
        seat = s.seat if seat is None else seat
        return Table(s.book, s.pos, seat, s.offer(seat), s.habits)

    def on_offer(self, t: Table) -> list[Row]:
        """The acts on offer, with their keys; worked out once for each position."""
        if self._computed_for != (self.session.seq, t.seat):
            self._computed_for = (self.session.seq, t.seat)
            self._offered, self._guesses = keys.keyed(t, suggest.offered(t)), Guesses(t)
        return self._offered

    @property
    def rows(self) -> Sequence[Row | Answer]:
        """What may be meant, the best first; all that is on offer while nothing is typed."""
        if self.question is not None:
            return self.question.answers(self.typed)
        seat, text = reading.addressed(self.typed, self.session.seat)
        t = self.table(seat)
        known = self.on_offer(t)
        if not text or self._guesses is None:
            return known
        if self._suggested[0] != (*self._computed_for, text):
            more = (*self._guesses.rows(text), *sums.otherwise(t, text))
            found = suggest.suggestions(t, text, known, more)
            self._suggested = ((*self._computed_for, text), found)
        return self._suggested[1]

    def chosen(self) -> Command | None:
        """The command that Enter stands for now, questions aside; raises `BadText`."""
        seat, text = reading.addressed(self.typed, self.session.seat)
        standing_command = self._standing_command(seat, text)
        if standing_command is not None:
            return standing_command
        t = self.table(seat)
        if not text and not self.moved:
            act = suggest.usual(t)
            return None if act is None else Command(seat, act, t.write(act))
        rows = self.rows
        row = rows[self.selected] if self.selected < len(rows) else None
        if isinstance(row, Row) and (self.moved or (row.sure and not row.command.names)):
            return row.command
        ahead = self._later(self.table())
        if ahead is not None:
            return ahead
        if isinstance(row, Row) and row.sure:
            return row.command
        try:
            here = reading.read(t, text)
        except BadText:
            further = self._further(self.table(), None)
            if further is None and isinstance(row, Row):
                return row.command
            if further is None:
                raise
            return further
        if here.interjected or here.names or reading.on_offer(t.offer, here.act):
            return here
        return self._further(self.table(), here) or here

    def _standing_command(self, seat: int, text: str) -> Command | None:
        """What a seat leaves to be answered for it, or withdraws; raises `BadText`."""
        if seat == NOBODY:
            return None
        if text.strip() == standing.WITHDRAW:
            return Command(seat, Act(""), standing.WITHDRAW, withdraws=True)
        manifest = self.session.book.manifest
        found = standing.parse(text, manifest)
        if found is None:
            return None
        return Command(seat, Act(""), standing.write(found, manifest), standing=found)

    def _later(self, t: Table) -> Command | None:
        """What the line means at a later decision; worked out once. Raises `BadText`."""
        if self._later_of[0] != (self.session.seq, self.typed):
            found: Command | BadText | None
            try:
                found = later.meant(self.session, t, self.typed)
            except BadText as bad:
                found = bad
            self._later_of = (self.session.seq, self.typed), found
        if isinstance(self._later_of[1], BadText):
            raise self._later_of[1]
        return self._later_of[1]

    def _further(self, t: Table, here: Command | None) -> Command | None:
        """What a line means later whose act is not on offer `here`; worked out once."""
        if self._further_of[0] != (self.session.seq, self.typed):
            found = later.further_on(self.session, t, self.typed, here)
            self._further_of = (self.session.seq, self.typed), found
        return self._further_of[1]

    def preview(self) -> str:
        """What Enter would do."""
        if self.question is not None:
            answer = self._answer(self.question)
            return answer.text if answer is not None else ""
        try:
            command = self.chosen()
        except BadText as bad:
            return f"? {bad}"
        if command is None:
            return ""
        whose = f"{letter(command.seat)}: " if command.seat != self.session.seat else ""
        if command.implied:
            return f"{_passes(command.passes + 1)}, then {self.typed.strip()}"
        before = f"{_passes(command.passes)}, then " if command.passes else ""
        return f"{before}{whose}{command.text}"

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

    def enter(self) -> Command | None:
        """What is to be sent, if it is complete; a line that can't be read is explained."""
        if self.question is not None:
            return self._answered()
        try:
            return self._sent(self.chosen())
        except BadText as bad:
            self.refused = Rejected("", str(bad))
            return None

    def key(self, key: str) -> Command | None:
        """What a single key stands for, while nothing is typed."""
        if self.typed or self.question is not None:
            return None
        rows = self.on_offer(self.table())
        return self._sent(next((row.command for row in rows if row.key == key), None))

    def escape(self) -> None:
        """Drop the question, and have the line back; or drop the line."""
        self._first_refusal = None
        if self.question is not None:
            self.question = self._waiting = None
            self._set_line(self._sent_line)
        else:
            self._set_line(self._typed_since)
            self._typed_since = ""

    def as_irregularity(self) -> Command | None:
        """What was refused, to be recorded all the same; None if nothing was, or it can't be."""
        command, refused = self.refused_command, self.refused
        if command is None or refused is None or not refused.rules:
            return None
        return self._sent(replace(command, irregular=True, interjected=False))

    def _sent(self, command: Command | None) -> Command | None:
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

    def outcome(self, command: Command, outcome: Outcome) -> Command | None:
        """Process the outcome of a command; what is to be sent now that it was refused, if any."""
        match outcome:
            case Recorded():
                self._waiting = self._first_refusal = None
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
                return self._rejected(command, outcome)
        return None

    def _rejected(self, command: Command, outcome: Rejected) -> Command | None:
        """The act at the next stop, or the line as it was, with the first refusal that it met."""
        seq = self.session.seq
        if self._first_refusal is None or self._first_refusal[0] != seq:
            self._first_refusal = seq, command, outcome
        if outcome.rules:
            t, first = self.table(), self._first_refusal[1]
            further = later.after_refusal(self.session, t, self._sent_line, first, command)
            if further is not None:
                return further
        _, command, outcome = self._first_refusal
        self._first_refusal = None
        if not command.implied:
            self._typed_since = self.typed or self._typed_since
            self._set_line(self._sent_line)
        self.refused, self.refused_command = outcome, command if command.text else None
        return None

    def follow_up(self) -> Command | None:
        """After an implied act: the next one, if what is typed is for a later decision still."""
        if not self.typed or self.question is not None:
            return None
        try:
            command = self.chosen()
        except BadText:
            return None
        return command if command is not None and command.implied else None

    def _ask(self, command: Command, question: Question) -> None:
        self._waiting, self.question = command, question
        self._typed_since = self.typed or self._typed_since
        self._set_line("")

    def _answer(self, question: Question) -> Answer | None:
        """The answer that is chosen; with nothing typed there is none, unless only one is left."""
        found = question.answers(self.typed)
        if not found or (not self.typed and not self.moved and len(found) > 1):
            return None
        return found[min(self.selected, len(found) - 1)]

    def _answered(self) -> Command | None:
        assert self.question is not None
        assert self._waiting is not None
        answer = self._answer(self.question)
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


def _passes(n: int) -> str:
    return "pass" if n == 1 else f"{n} passes"
