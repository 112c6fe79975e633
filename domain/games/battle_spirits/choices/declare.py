"""Chapter 8's acts: an attack is declared, and a block. What forbids them is in `battle`."""

from __future__ import annotations

from domain.effects.constant.calculator import numeric
from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.battle_spirits.choices import charges
from domain.games.battle_spirits.effects.battle import fights
from domain.games.battle_spirits.effects.texts import TERMS, follow_up
from domain.games.battle_spirits.lists.words import MUST_ATTACK
from domain.games.battle_spirits.manifest import EXHAUSTED
from domain.games.kit.flow import attack as attacks
from domain.record.decisions import Act
from domain.record.events import AttackChanged, AttackDeclared

#: The mark of a Spirit that has attacked as a text demands: texts that begin after this number
#: still apply.
OBEYED = "obeyed"


def declare_attack(t: Table, seat: int, act: Act) -> Play:
    """8-1-1: the Spirit is exhausted and the attack declared; what waits for that is done."""
    attacker, target = act.card, f"seat/{t.pos.rival(seat)}"
    assert isinstance(attacker, int)
    attacks.begin(t, attacker, target, "bs:8-1", "bs:7-7-1")
    if t.pos.modifiers and numeric(TERMS, t.pos, attacker, {MUST_ATTACK}):
        t.mark(attacker, OBEYED, t.pos.next_modifier, "bs:9-1-2-2")
    charges.give(t, seat, act)
    yield from TERMS.settle(t)
    if not fights(t.pos, attacker):
        t.not_done("attack", attacker, "gone", "bs:1-4-2", "bs:8-1-1-1")
        t.close_frame(attacks.frame_of(t.pos), "bs:8-1-1-1")
        return
    with t.at_once():  # what is set off by either waits together (reading:bs/27)
        t.turn([attacker], "bs:8-1-1-1", "bs:5-15-1", orient=EXHAUSTED)
        t.emit(AttackDeclared(attacker, target), "bs:8-1-1-1")
    yield from follow_up(t)
    go(t, "attack/flash-1", "bs:8-1-2-1")


def declare_block(t: Table, seat: int, act: Act) -> Play:
    """8-1-3: the Spirit is exhausted and the block declared; what waits for that is done."""
    blocker = act.card
    assert isinstance(blocker, int)
    charges.give(t, seat, act)
    yield from TERMS.settle(t)
    if not fights(t.pos, blocker):
        t.not_done("block", blocker, "gone", "bs:1-4-2", "bs:8-1-3-1")
        return
    with t.at_once():
        if not t.turn([blocker], "bs:8-1-3-1", "bs:5-15-1", orient=EXHAUSTED):
            t.not_done("exhaust", blocker, "already", "bs:1-4-2-1")  # a text lets it block so
        t.emit(AttackChanged(blocker, blocker, "block"), "bs:8-1-3-1")
    yield from follow_up(t)
