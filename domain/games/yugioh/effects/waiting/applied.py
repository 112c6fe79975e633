"""Constant texts that say `on`: what they say is done each time that this occurs.

It is done at once and without a chain (ygo:effect.continuous.1), but never behind the back of an
effect that is being carried out: as the rules settle (`processes`). One about a link of the chain
waits until that has been carried out, and does nothing if its activation was negated. What
triggers, and becomes a link, is in `flow.gathering`.
"""

from __future__ import annotations

from domain.effects.constant.silence import silenced
from domain.effects.select import Running
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.effects.texts import perform
from domain.games.yugioh.effects.texts import TERMS
from domain.games.yugioh.lists.words import LINKS, PARTING
from domain.record.position import Pending, Position

RULE = "ygo:effect.continuous.1"
#: What befalls a card as it goes: its text speaks of that from where it lay.
_GOING = frozenset({"leaves"})


def is_applied(p: Position, act: Pending) -> bool:
    """Whether a waiting effect is done without a chain."""
    return TERMS.effect(p, act.effect).kind == "constant"


def carry_out(t: Table) -> Play:
    """Do what waits and is due now, oldest first; whether anything was."""
    done = False
    while (act := _next(t.pos)) is not None:
        effect = TERMS.effect(t.pos, act.effect)
        this = act.source if isinstance(act.source, int) else 0
        if _lost(t.pos, act, this):
            t.end_act(act.id, "void", "ygo:effect.continuous.4", f"card:{act.effect}")
        else:
            run = Running(act.id, act.effect, effect, this, act.seat, act.about)
            yield from perform(t, TERMS, run, RULE, done=RULE, void="ygo:base.target.1")
        done = True
    return done


def _next(p: Position) -> Pending | None:
    """The oldest that is due: not while the link that it is about is still to be carried out."""
    if not p.pending:
        return None
    links = {act.source for act in p.declared()}
    for act in p.waiting():
        held = TERMS.effect(p, act.effect).on in LINKS and act.about in links
        if is_applied(p, act) and not held:
            return act
    return None


def _lost(p: Position, act: Pending, this: int) -> bool:
    """Whether its card has left meanwhile, lies face down, or has lost the text."""
    effect = TERMS.effect(p, act.effect)
    if effect.on in _GOING or (effect.about is None and effect.on in PARTING):
        return False
    if not p.present(this) or not p.cards[this].up:
        return True
    return silenced(TERMS, p, this, act.effect, "constant")


def negated(t: Table, act: Pending) -> None:
    """An activation was negated: what waits for it to be carried out never comes."""
    about = [
        one
        for one in t.pos.waiting()
        if one.about == act.source and TERMS.effect(t.pos, one.effect).on in LINKS
    ]
    for one in about:
        t.end_act(one.id, "void", "ygo:base.negate.1", f"card:{one.effect}")
