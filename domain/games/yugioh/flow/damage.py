"""The Damage Step: its sub-timings, from the turning up of the target to the end of the battle.

In the first three, windows are opened; from the fourth to the sixth nothing can be activated
(`calculation`); in the last three what the battle has set off becomes chains, and what answers it
may be activated. A monster that is fixed as destroyed stays where it lies until the last of them
(ygo:battle.d5.2, ygo:battle.d9.1): triggers of destruction by battle belong to the eighth, after
anything earlier (reading:ygo/A6).
"""

from __future__ import annotations

from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.flow import attack as attacks
from domain.games.yugioh.choices import declare
from domain.games.yugioh.choices.attacks import broken, lost_target
from domain.games.yugioh.effects.attributes import arrived
from domain.games.yugioh.effects.field.places import leave
from domain.games.yugioh.effects.processes import fall, settle
from domain.games.yugioh.effects.texts import TRIGGERS
from domain.games.yugioh.flow.calculation import strike


def over(t: Table) -> Play:
    """Whether the battle has lost its attacker or its target; then it is over."""
    if rules := broken(t.pos):
        declare.end(t, "broken off", *rules)
        return True
    if lost_target(t.pos):
        declare.end(t, "broken off", "ygo:battle.replay.4", "ygo:battle.replay.3")
        return True
    return False
    yield


def first(t: Table, subject: str, when: str) -> bool:
    """Whether a timing has just come; a chain that is built in it leads back to it."""
    if t.pos.mark(subject, "told") == when:
        return False
    t.mark(subject, "told", when, "ygo:battle.damage-step.1")
    return True


def _first(t: Table) -> bool:
    return first(t, f"frame/{attacks.frame_of(t.pos)}", t.pos.step)


def begin(t: Table) -> Play:
    """1: those that fight begin to (ygo:battle.d1.1)."""
    if _first(t):
        with t.at_once():
            _tell_fighters(t, "battle")
    return (yield from over(t))


def flip(t: Table) -> Play:
    """2: an attacked face-down monster is turned up, and stays in its position."""
    target = attacks.attack_of(t.pos).target
    if isinstance(target, int) and t.pos.present(target) and not t.pos.cards[target].up:
        with t.at_once():
            t.turn([target], "ygo:battle.d2.1", up=True)
            arrived(t, target, "flip", "ygo:battle.d2.1")
        yield from settle(t)
    return (yield from over(t))


def calculating(t: Table) -> Play:
    """3: what those that fight do as damage is calculated."""
    if _first(t):
        with t.at_once():
            _tell_fighters(t, "calculation")
    return False
    yield


def calculate(t: Table) -> Play:
    """3 to 5: the values are compared, damage is dealt, who is beaten is fixed as destroyed.

    A player without Life Points has lost before any other result (reading:ygo/A7).
    """
    if (yield from over(t)):
        return
    yield from settle(t)
    yield from strike(t)
    yield from fall(t)
    yield from settle(t)
    go(t, "damage/6", "ygo:battle.d6.1")


def after_calculation(t: Table) -> Play:
    """6: Continuous Effects that lean on the result begin, and what destroys itself does so."""
    yield from settle(t)
    go(t, "damage/7", "ygo:battle.d7.1")


def result(t: Table) -> Play:
    """8: those that have fought, those that fall, and those that have brought them to it."""
    if _first(t):
        with t.at_once():
            _tell_fighters(t, "fought")
            for number in _fixed(t):
                _tell(t, "falls", number)
                _tell(t, "fells", t.pos.departures[number].responsible)
    return False
    yield


def end(t: Table) -> Play:
    """9: what was beaten leaves the field, and the battle is as good as over."""
    if _first(t):
        with t.at_once():
            if beaten := _fixed(t):
                leave(t, beaten, "grave", "battle", "ygo:battle.d9.1")
            _tell_fighters(t, "battle-over")
        yield from settle(t)
    return False


def fought(t: Table) -> None:
    """The battle has no further results."""
    declare.end(t, "fought", "ygo:battle.d9.2")


def _fixed(t: Table) -> list[int]:
    """The monsters that are fixed as destroyed and lie there still, the turn player's first."""
    p = t.pos
    seats = (p.turn_seat, p.rival(p.turn_seat))
    lying = [number for seat in seats for number in p.zone("monster", seat)]
    return [number for number in lying if p.cards[number].departing == "battle"]


def _tell_fighters(t: Table, word: str) -> None:
    """An occurrence for those that fight, if they are there."""
    attack = attacks.attack_of(t.pos)
    for number in (attack.attacker, attack.target):
        _tell(t, word, number)


def _tell(t: Table, word: str, number: object) -> None:
    if isinstance(number, int) and t.pos.present(number):
        TRIGGERS.occur(t, word, number, t.pos.seq)
