"""The steps of a turn: a table of them, with the times that come with each and what follows it.

A text that waits for a time (the start of a turn, the end of a phase) triggers by the row of the
step (`begins`, `ends`): nothing announces it anywhere else. What is done in a step is the game's to
say. When it is done the rules settle and all that was set off is carried out; then the next step is
entered, or the row says what is done instead. The steps of an attack can be such a table, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from domain.engine import timekeeping
from domain.engine.rulebook import Step, go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.effects.triggers import Triggers

#: What is done; a plain function where nothing can be asked or drawn meanwhile.
Does = Callable[[Table], Play | None]


def nothing(t: Table) -> None:
    """Do nothing: the step is there for its time alone."""


class Stage(Struct, frozen=True):
    """A step of the turn.

    `do` is done in it, and once that is over `then` follows: a step, entered by these rules
    (`cites`), or something further to do. `begins` and `ends` are the times that come before and
    after. One that comes `round` again goes on until an act ends it (`Steps.end`).
    """

    do: Does = nothing
    then: str | Does = nothing
    cites: tuple[str, ...] = ()
    begins: str = ""
    ends: str = ""
    round: bool = False


class Steps:
    """A table of steps, by name: as the engine runs them (`run`), and the times that come.

    Of a table that is a turn, `turns` are the rules by which one begins, `enters` those by which
    its first step is entered.
    """

    def __init__(
        self,
        triggers: Triggers,
        stages: Mapping[str, Stage],
        turns: tuple[str, ...] = (),
        enters: tuple[str, ...] = (),
    ) -> None:
        self.triggers, self.stages, self.turns, self.enters = triggers, stages, turns, enters
        self.run: Mapping[str, Step] = dict.fromkeys(stages, self._run)
        words = (word for stage in stages.values() for word in (stage.begins, stage.ends))
        self.times = frozenset(filter(None, words))

    def begin_turn(self, t: Table, seat: int, *cites: str) -> None:
        """Begin a turn of this seat, with the first of the steps."""
        timekeeping.begin_turn(t, seat, *cites, *self.turns)
        go(t, next(iter(self.stages)), *self.enters)

    def _run(self, t: Table) -> Play:
        """Go through the step that the position is in."""
        stage = self.stages[t.pos.step]
        if stage.begins:
            yield from self._come(t, stage.begins)
        yield from _done(stage.do(t))
        if not stage.round:
            yield from self.triggers.follow_up(t)
            yield from self.end(t)

    def end(self, t: Table) -> Play:
        """End the step that the position is in, and go on to what follows it."""
        stage = self.stages[t.pos.step]
        if stage.ends:
            yield from self._come(t, stage.ends)
        if isinstance(stage.then, str):
            go(t, stage.then, *stage.cites)
        else:
            yield from _done(stage.then(t))

    def _come(self, t: Table, word: str) -> Play:
        self.triggers.time(t, word)
        yield from self.triggers.follow_up(t)


def _done(doing: Play | None) -> Play:
    """Wait for what may ask somebody; what can't is done already."""
    if doing is not None:
        yield from doing
