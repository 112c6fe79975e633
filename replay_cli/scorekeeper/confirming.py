"""Questions that one key answers: before a match ends, or when Enter is held down.

What is typed goes through `widget`; these are the screen's own (`screen`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from msgspec import Struct

from domain.record.position import Position
from domain.scorekeeping.command import Command
from domain.scorekeeping.ending import ended_by
from domain.telling import notices
from domain.words.phrases import phrase
from replay_cli.output import say

YES = "y"
#: Seconds after a digit in which Enter does nothing.
AFTER_DIGIT = 1.0
KEYS = phrase("y: so it is; any other key: no")
#: The message for a scorekeeper who tries an official's act.
OFFICIALS_RECORD = phrase("an official may record it all the same: Ctrl+R there, or kifu desk play")
OFFICIALS_REOPEN = phrase("the match is over; an official may take that back: kifu desk reopen")
NOTHING_REFUSED = phrase("nothing was refused here that could be recorded all the same")
#: The message for somebody who holds Enter down.
HELD = phrase("another turn has begun: let Enter go, and press it once more")
#: The message for somebody who confirms a digit with Enter.
DIGIT_ALONE = phrase("the digit did it; Enter is not needed after it: once more, for what is next")


class KeyQuestion(Struct, frozen=True):
    """A question for one key: what is done by which; any other does `otherwise`."""

    text: str
    answers: Mapping[str, Callable[[], None]]
    otherwise: Callable[[], None] = lambda: None

    def answer(self, key: str) -> None:
        """Do what a key stands for."""
        self.answers.get(key, self.otherwise)()


def ends(command: Command, pos: Position) -> str:
    """The question before a command that causes an end; empty if it ends nothing by itself."""
    text = ended_by(command, pos)
    return say(phrase("{text} – {keys}", text=text, keys=KEYS)) if text else ""


def reopens(pos: Position) -> str:
    """The consequences of taking back the end of a match."""
    won = notices.won(pos.winner, pos.score)
    text = phrase(
        "undo the end ({won})? the match goes on at decision {n}", won=won, n=pos.decisions
    )
    return say(phrase("{text} – {keys}", text=text, keys=KEYS))


class HeldEnter:
    """Whether Enter is pressed without being meant: it is held down, or confirms a digit.

    It seems to be held down where nothing is typed, and a turn has begun meanwhile.

    `within`: so many seconds lie between two presses of a key that is held down, at the most.
    """

    def __init__(self) -> None:
        self.within = 0.5
        self._last = self._digit = 0.0
        self._turn = (0, 0)
        self._bare = False

    def digit(self) -> None:
        """A digit has done an act by itself."""
        self._digit = time.monotonic()

    def after_digit(self) -> bool:
        """Whether it comes soon after a digit, as in a menu where choices are confirmed."""
        soon = time.monotonic() - self._digit < AFTER_DIGIT
        self._digit = 0.0
        return soon

    def pressed(self, turn: tuple[int, int], *, bare: bool) -> bool:
        """It is pressed in this game and turn; `bare`: nothing is typed."""
        now = time.monotonic()
        soon = bare and self._bare and now - self._last < self.within
        held = soon and turn != self._turn
        self._last, self._bare = now, bare
        self._turn = self._turn if held else turn
        return held
