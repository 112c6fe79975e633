"""Acts on the field: an attack is announced, a Blocker or an effect activated (chapter 7, 9-1-7).

The steps of an attack are in `flow.attack`.
"""

from __future__ import annotations

from domain.effects.select import Running
from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.gundam.choices import costs
from domain.games.gundam.choices.play import pay
from domain.games.gundam.effects.texts import TERMS, perform, rest
from domain.games.kit.flow.attack import begin
from domain.record.decisions import Act
from domain.record.events import AttackChanged


def declare_attack(t: Table, seat: int, act: Act) -> None:
    """6-5-4-1: an attack is announced and its first step entered."""
    (target,) = act.picks[0]
    begin(t, act.card, target, "gcg:6-5-4-1")
    go(t, "attack/attack", "gcg:7-2")


def declare_block(t: Table, seat: int, act: Act) -> Play:
    """7-4-1: the Blocker is rested and becomes the target."""
    blocker = act.card
    assert isinstance(blocker, int)
    with t.at_once():
        rest(t, [blocker], "gcg:11-1-4-1")
        t.emit(AttackChanged(blocker, blocker, "block"), "gcg:7-4-1", "gcg:11-1-4-1")
    yield from TERMS.settle(t)


#: The rules for activating, by timing.
RULES = {"main": "gcg:6-5-3-1", "action": "gcg:8-3-2"}


def activate(t: Table, seat: int, act: Act) -> Play:
    """Meet the conditions of an activated effect and carry it out (11-2-1-2, 11-2-2-2)."""
    source = act.card
    assert isinstance(source, int)
    effect = TERMS.effect(t.pos, act.effect)
    run = Running(0, act.effect, effect, source, seat, 0)
    timing = "main" if t.pos.step == "main" else "action"
    picks = iter(act.picks)
    paid = next(picks, ()) if any(cost.do == "pay" for cost in effect.cost) else ()
    with t.running.use(source):
        for cost in effect.cost:
            if cost.do == "pay":
                with t.at_once():
                    pay(t, seat, [number for number in paid if isinstance(number, int)])
            else:
                yield from costs.meet(t, run, cost, picks)
    rule = RULES[timing]
    number = t.declare("activated", source, seat, rule, run.text, effect=act.effect, mode=timing)
    run.act = number
    yield from perform(t, t.pos.pending[number], run)
    yield from TERMS.settle(t)
