"""Acts that are declared and may be answered: an attack, a defence, the end of a phase.

Playing cards and using abilities is in `play`; what is done when an act's turn has come, in the
chapter of each. Whose window opens is in `flow.windows`.
"""

from __future__ import annotations

from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.hollow_flux.flow.windows import PHASE_ENDS, WINDOW
from domain.games.kit.flow.attack import begin
from domain.record.decisions import Act
from domain.record.events import AttackChanged, AttackDeclared


def declare_attack(t: Table, seat: int, act: Act) -> Play:
    """Step 1 of an attack: a character goes to sleep and its target is named."""
    attacker, (target,) = act.card, act.picks[0]
    assert isinstance(attacker, int)
    begin(t, attacker, target, "hf:combat.attack.1")
    WINDOW.begin(t, "hf:inter.cause.1", by=attacker)
    fresh = ("hf:combat.attack.2",) if t.pos.cards[attacker].came == t.pos.turn else ()
    with t.at_once():
        t.turn([attacker], "hf:combat.attack.3", orient="asleep")
        t.emit(AttackDeclared(attacker, target), "hf:combat.attack.3", "hf:combat.attack.5", *fresh)
        t.declare("attack", attacker, seat, "hf:combat.attack.3", targets=(target,))
    yield from WINDOW.open(t)


def declare_defence(t: Table, seat: int, act: Act) -> Play:
    """Step 2: a character goes to sleep, to take the attack on itself."""
    defender, attack = act.card, t.pos.attack
    assert isinstance(defender, int)
    assert attack is not None
    itself = ("hf:combat.defend.5",) if defender == attack.target else ()
    WINDOW.begin(t, "hf:inter.cause.2", by=defender)
    with t.at_once():
        t.turn([defender], "hf:combat.defend.1", orient="asleep")
        t.emit(AttackChanged(attack.target, defender, "defence"), "hf:combat.defend.1", *itself)
        t.declare("defend", defender, seat, "hf:combat.defend.1", targets=(attack.attacker,))
    yield from WINDOW.open(t)


def declare_phase_end(t: Table) -> Play:
    """The turn player ends the phase, which may be answered."""
    seat, phase = t.pos.turn_seat, t.pos.step
    rule = PHASE_ENDS[phase]
    WINDOW.begin(t, rule)
    t.declare("phase-end", f"seat/{seat}", seat, rule, "reading:hf/A4", mode=phase)
    yield from WINDOW.open(t)
