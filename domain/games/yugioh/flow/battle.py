"""The Battle Step: an attack that was declared, what answers it, and the replay.

Declaring is in `choices.declare`, which monsters may attack what in `choices.attacks`; the Damage
Step is in `damage`.
"""

from __future__ import annotations

from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.flow import attack as attacks
from domain.games.yugioh.choices import declare
from domain.games.yugioh.choices.acts import ACTS
from domain.games.yugioh.choices.attacks import broken, replayed, targets
from domain.games.yugioh.effects.texts import TRIGGERS
from domain.games.yugioh.flow.damage import first
from domain.games.yugioh.flow.gathering import gather
from domain.games.yugioh.flow.schedules import run_out
from domain.record.decisions import Offer, Option, Part


def start(t: Table) -> Play:
    """The Start Step: what waits for the Battle Phase."""
    if first(t, "match", f"battle/start {t.pos.turn}"):
        TRIGGERS.time(t, "battle-start")
    return (yield from ended(t))


def end_step(t: Table) -> Play:
    """The End Step: what waits for the end of the Battle Phase; no battle lasts into it."""
    yield from run_out(t, "battle", "ygo:battle.end-step.2")
    if first(t, "match", f"battle/end {t.pos.turn}"):
        TRIGGERS.time(t, "battle-end")
    return False


def battle_step(t: Table) -> Play:
    """The turn player attacks with one monster, or ends the Battle Phase."""
    yield from run_out(t, "battle", "ygo:battle.damage-step.1")
    if (yield from gather(t)) or (yield from ended(t)):
        return
    yield from ACTS.ask(t, t.pos.turn_seat, "battle", "ygo:battle.battle-step.1")


def ended(t: Table) -> Play:
    """Whether a text has ended the Battle Phase; then its End Step begins, at once."""
    if t.pos.mark("match", "ends") != t.pos.turn:
        return False
    t.mark("match", "ends", None, "ygo:battle.end-step.2")
    go(t, "battle/end", "ygo:battle.end-step.2")
    return True
    yield


def before_response(t: Table) -> Play:
    """The attack ends without its attacker, and is replayed if what it faces has changed."""
    if rules := broken(t.pos):
        declare.end(t, "broken off", *rules)
        return True
    if rule := replayed(t.pos):
        yield from _replay(t, rule)
        return t.pos.attack is None
    return False


def _replay(t: Table, rule: str) -> Play:
    """The turn player attacks something else, or the same again, or gives the attack up."""
    p = t.pos
    attacker = attacks.attack_of(p).attacker
    pool = targets(p, attacker)
    retarget = (Option("retarget", attacker, (Part("target", 0),)),) if pool else ()
    options = (*retarget, Option("abandon"))
    act = yield from t.ask(
        p.turn_seat, "replay", Offer(options, (pool,)), rule, "ygo:battle.replay.2",
        about=attacker, public=True,
    )  # fmt: skip
    yield from ACTS.carry_out(t, p.turn_seat, act)
