"""Constant texts that act by the rules, as soon as they hold: a card that destroys itself.

A game's words say which instructions may stand in a constant text (`Words.standing`); when it is
looked at is the game's (`processes.settle`). Lasting effects of constant texts are in
`effects.constant`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from domain.effects.amounts import count
from domain.effects.conditions import all_hold
from domain.effects.constant.silence import in_force
from domain.effects.constant.texts import Figures, stop
from domain.effects.language.vocabulary import Clause, Effect
from domain.effects.select import Running, Texts, members, works
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.record.position import Position

#: How often a constant text may have something done before anybody has answered.
MOST = 60


class Due(NamedTuple):
    """A clause of a constant text that holds, and the cards it is to be done to."""

    run: Running
    clause: Clause
    numbers: list[int]


def _stands(effect: Effect) -> bool:
    """Whether a text has something done as soon as it holds."""
    if effect.kind != "constant" or effect.on:
        return False
    return not all(one.lasts for one in effect.do)


def due(terms: Figures, p: Position) -> Iterator[Due]:
    """The acts of constant texts that are due now."""
    for number in terms.leaning(p):
        if not any(_stands(effect) for _, effect in terms.effects(p, number)):
            continue
        for ref, effect in in_force(terms, p, number):
            if not _stands(effect):
                continue
            run = Running(0, ref, effect, number, p.cards[number].controller, 0)
            if not works(terms, p, number, effect) or not all_hold(terms, p, effect.when, run):
                continue
            for clause in effect.do:
                if not clause.lasts and all_hold(terms, p, clause.when, run):
                    count(terms, p, run, clause.per)
                    meant = [number] if clause.to is None else members(terms, p, clause.to, run)
                    able = [one for one in meant if terms.permits(p, run, clause, one)]
                    if able:
                        yield Due(run, clause, able)


def carry_out(t: Table, terms: Figures, waits: Callable[[Due], bool] = lambda one: False) -> Play:
    """Do all that is due but for what `waits`; whether anything was.

    One that does nothing each time, and is due again, is stopped like texts that do not settle
    (`house:endless`).
    """
    texts: Texts = t.game.texts
    found = [one for one in due(terms, t.pos) if not waits(one)]
    for one in found:
        run = one.run
        t.running.stood[f"{run.this} {run.ref}"] += 1
        if t.running.stood[f"{run.this} {run.ref}"] > MOST:
            stop(t, one.clause.do, run.this, run.text)
            t.stand_still("what a text has done by the rules comes to nothing without end")
            continue
        present = [number for number in one.numbers if t.pos.present(number)]
        if present:
            yield from texts.instructions[one.clause.do](one.clause, t, terms, run, present)
    return bool(found)
