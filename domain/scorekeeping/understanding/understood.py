"""The interpretation of the line: the one object that is shown, and that Enter carries out.

`line.input_line` makes it again whenever the line, the position or the service's answer about the
line changes. It is never worked out again when Enter is pressed.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from domain.scorekeeping.command import Command, Rejected
from domain.scorekeeping.line.questions import Answer, Question
from domain.scorekeeping.suggestions.suggest import Row


class Understood(Struct, frozen=True):
    """A line as it is shown: `text` is what Enter does, `rows` what else may be meant.

    Enter sends `command`, or gives `answer` to `question`. `refused` says why the service would not
    record it, `problem` why the line is no act; `untried` is what it has yet to be asked about.
    `seq` is the entry that it was understood after.
    """

    typed: str
    seq: int
    rows: Sequence[Row | Answer]
    text: str = ""
    command: Command | None = None
    question: Question | None = None
    answer: Answer | None = None
    refused: Rejected | None = None
    problem: str = ""
    untried: Command | None = None
