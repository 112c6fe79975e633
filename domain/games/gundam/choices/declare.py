"""Chapter 7's acts: an attack is announced, a Blocker activated. The steps are in `attack`."""

from __future__ import annotations

from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.gundam.effects.texts import TERMS, rest
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
