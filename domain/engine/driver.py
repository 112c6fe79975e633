"""The driver: runs a rulebook on a table, and resumes it.

It starts the step that the position names, feeds it answers and chance, and marks resting points,
beside those that a step marks itself (`table.Table.resting_point`): a suspended generator can't be
stored, and need not be, because a game is gone on with by folding to the last resting point,
starting its step there and feeding it the recorded inputs again. The aggregate that keeps the
record is in `match`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from domain.engine import series, timekeeping
from domain.engine.rulebook import Dice, Rulebook, go
from domain.engine.signals import Ask, Chance, Diverged, Over, Play
from domain.engine.table import Table
from domain.record import events as ev
from domain.record.decisions import Act, act_of, spread
from domain.record.entries import AnyEvent, Entry
from domain.record.interventions import EngineChanged
from domain.record.values import CHANCE, Fact, Sealed


def resting(line: Sequence[Entry]) -> int:
    """How many entries of an active line to fold before starting the step again."""
    for at in range(len(line) - 1, -1, -1):
        event = line[at].event
        if type(event) is ev.StepBegan:
            return at + 1
        if type(event) is ev.DecisionOpened and event.rest:
            return at
        if type(event) is EngineChanged:  # what it leads to follows its frame
            return min(at + 2, len(line))
    return 0


def adopted(line: Sequence[Entry], rest: int) -> bool:
    """Whether that resting point is the adoption of an engine: the table is brought up to date."""
    if rest < 2 or type(line[rest - 2].event) is not EngineChanged:
        return False
    asked = line[rest].event if rest < len(line) else None
    return not (type(asked) is ev.DecisionOpened and asked.rest)


class Driver:
    """Runs a rulebook on a table: from the step that its position names, to an open decision."""

    def __init__(self, rules: Rulebook, table: Table, dice: Dice) -> None:
        self.rules, self.table, self.dice = rules, table, dice
        table.play_by(rules)
        self._flows: list[Play] = [self._steps()]  # the game, and open acts going on beside it
        self._answers: dict[int, Act] = {}
        self._facts: Mapping[str, Fact] = {}  # of the official's frame that is open
        self.done = False

    def start(self, anew: bool = False) -> None:
        """Run to the first open decision, or to the end of the record's tail and on.

        `anew`: from where an official had the open decision asked again.
        """
        if anew:
            self._flows.append(self._amended())
        self._send(None)
        t = self.table
        while t.resuming:
            entry = t.tail[t.at]
            if not entry.input:
                raise Diverged(entry.seq, entry, None)
            self.take(t.input(entry.event, by=entry.by))

    def begin(self) -> None:
        """Run a match that waited, from the first step of its rulebook."""
        go(self.table, self.rules.first_step, *self.rules.opening_cites)
        self._restart()
        self._send(None)

    def take(self, event: AnyEvent) -> None:
        """Go on after an input that the table has folded."""
        self.table.running.count_anew()
        match event:
            case ev.DecisionMade(seat=seat, answer=answer, stated=stated):
                assert answer.value is not None
                renewed = stated.value.offer if stated.value is not None else None
                self._answers[seat] = act_of(renewed or self.table.asked.offers[seat], answer.value)
                if self.table.pos.decision is None:
                    answers, self._answers = self._answers, {}
                    self._send(answers)
            case ev.Interjected(seat=seat, kind=kind, about=about, picks=picks, stated=stated):
                if stated.value is not None and stated.value.offer is not None:
                    act = spread(stated.value.offer, picks.value or ())
                    aside = self._play_anyway(seat, act)
                else:
                    aside = self.rules.interject(self.table, seat, kind, about, picks.value or ())
                self._flows.append(aside)
                self._send(None)
            case ev.FrameOpened(facts=facts):  # an official's: what he does in it is just folded
                self._facts = facts
            case ev.FrameClosed():
                done, self._facts = self._facts, {}
                self._follow(done)
            case _:
                pass

    def close(self) -> None:
        """End what is suspended, and let go of the match."""
        for flow in reversed(self._flows):
            flow.close()
        self._flows = []
        del self.dice

    def _follow(self, facts: Mapping[str, Fact]) -> None:
        """Carry out the consequences of an official's closed frame (see `officials.frame`)."""
        loser, narrower = facts.get("loses"), facts.get("rule")
        cites: tuple[str, ...] = (f"house:{facts['what']}", "house:official")
        cites = (str(narrower), *cites) if narrower else cites
        if isinstance(loser, int):
            series.lose(self.table, loser, str(facts["loss"]), *cites)
            self._restart(over=True)
            self._send(None)
        elif facts.get("decides"):
            if not series.between(self.table.pos):  # else there is no game to be decided
                timekeeping.decide(self.table, *cites)
            self._restart(over=True)
            self._send(None)
        elif facts.get("begins"):
            self.begin()
        elif facts.get("anew"):
            self._flows.append(self._amended())
            self._send(None)

    def _play_anyway(self, seat: int, act: Act) -> Play:
        yield from self.rules.play_anyway(self.table, seat, act)
        return True

    def _amended(self) -> Play:
        yield from self.rules.amend(self.table)
        return True

    def _steps(self, over: bool = False) -> Play:
        t, steps = self.table, self.rules.steps
        while True:
            try:
                if over:
                    over = False
                    raise Over
                while t.pos.stands_in:
                    t.running.count_anew()
                    t.resting_point()
                    yield from steps[t.pos.step](t)
                return
            except Over:
                yield from self.rules.ending(t)

    def _send(self, value: Any) -> None:
        while True:
            try:
                wants = self._flows[-1].send(value)
            except Over:  # an open act ended the game: the steps see to their own
                self._restart(over=True)
                value = None
                continue
            except StopIteration as end:
                self._flows.pop()
                if not self._flows:
                    self.done = True
                    return
                if not end.value and self.table.pos.decision is not None:
                    return  # the open decision waits as before
                self._restart()
                value = None
                continue
            if isinstance(wants, Ask):
                return
            value = self.chance(wants)

    def _restart(self, over: bool = False) -> None:
        for flow in reversed(self._flows):
            flow.close()
        self._flows = [self._steps(over)]
        self._answers = {}

    def chance(self, wants: Chance) -> tuple[int, ...]:
        """The outcome of chance: from the record while resuming, else from the dice."""
        t = self.table
        result = () if t.resuming else self.dice(wants.kind, wants.of)
        drawn = t.input(
            ev.ChanceDrawn(wants.kind, wants.of, Sealed(wants.to, result)), *wants.cites, by=CHANCE
        )
        if isinstance(drawn, ev.ChanceDrawn) and drawn.result.value is not None:
            asked = (drawn.kind, drawn.of, drawn.result.to)
            if asked == (wants.kind, wants.of, wants.to):
                return drawn.result.value
        raise Diverged(t.pos.seq, None, None)
