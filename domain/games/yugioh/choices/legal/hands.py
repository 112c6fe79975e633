"""When effects that are set off in the hand may be activated, and when nothing else may.

Their classes are linked before any fast effect (ygo:order.limit.1). Who is asked for them, and
what he may tell by that, is in `effects.waiting.hands`.
"""

from __future__ import annotations

from domain.engine.rulebook import Refusal
from domain.engine.table import Table
from domain.games.kit.choices.legality import refuse
from domain.games.yugioh.choices import uses
from domain.games.yugioh.effects.waiting import hands
from domain.games.yugioh.lists.words import set_off_in_hand
from domain.record.decisions import Act


def nothing_between(t: Table, seat: int, act: Act) -> Refusal | None:
    """While players are asked for what is set off in their hands nothing else is activated."""
    p, number = t.pos, act.card
    assert isinstance(number, int)
    if not hands.asked(p) or set_off_in_hand(uses.effect_of(p, uses.meant(p, act))):
        return None
    return refuse("effects that were set off come first", "ygo:order.limit.1")


def in_its_class(t: Table, seat: int, act: Act) -> Refusal | None:
    """An effect set off in a hand is activated when its player is asked for that."""
    p, number = t.pos, act.card
    assert isinstance(number, int)
    run = uses.running(p, seat, number, uses.meant(p, act))
    if set_off_in_hand(run.effect) and not hands.asked(p):
        rule = "ygo:order.list.3" if seat == p.turn_seat else "ygo:order.list.4"
        return refuse("the effects that were set off are linked by now", rule, run.text)
    return None
