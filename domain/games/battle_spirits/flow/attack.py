"""Chapter 8: the Attack Phase and its battles, step by step.

An attack is a frame. Declaring is in `choices.declare`, the Flash timings are in `flash`, the
result of the battle in `resolution`. The battle runs on to its end also where the attacker has left
(reading:bs/4). Every step lets the rules settle before anything else, so that play can be taken up
where it begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from domain.engine.rulebook import Step, go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.battle_spirits.choices.acts import ACTS
from domain.games.battle_spirits.choices.declare import OBEYED
from domain.games.battle_spirits.effects.battle import BEAT, BROKEN, come, fighters
from domain.games.battle_spirits.effects.texts import follow_up
from domain.games.battle_spirits.flow.flash import timing
from domain.games.battle_spirits.flow.phases import end_phase
from domain.games.battle_spirits.flow.resolution import resolve
from domain.games.kit.flow.attack import attack_of, frame_of
from domain.games.kit.flow.steps import Stage
from domain.record.events import AttackEnded


def attack_act(t: Table) -> Play:
    """7-7-3-2: one act of the Attack Phase: an attack, or its end."""
    yield from follow_up(t)
    t.resting_point()
    yield from ACTS.ask(t, t.pos.turn_seat, "attack", "bs:7-7-3-2")


def end_attacks(t: Table) -> Play:
    """The phase ends: what had to attack in it has, or could not."""
    for number in t.pos.zone("field", t.pos.turn_seat):
        t.mark(number, OBEYED, None, "bs:7-7-3-2")
    yield from end_phase(t, "bs:7-7-3-2", "bs:7-1-1")
    go(t, "second-main", "bs:7-8-1", "bs:7-1-1")
    yield from follow_up(t)  # no time comes with it, but texts for the Attack Phase end at once


def flash_1(t: Table) -> Play:
    """8-1-2: the Flash timing before the block."""
    if (yield from _flash(t)):
        go(t, "attack/block", "bs:8-1-3-1")


def block(t: Table) -> Play:
    """8-1-3: the attacked player may block; without a block there is no second Flash timing."""
    yield from follow_up(t)
    seat, attacker = t.pos.rival(t.pos.turn_seat), attack_of(t.pos).attacker
    if not attack_of(t.pos).defender:
        t.resting_point()
        offer = partial(ACTS.offer, "block", seat=seat)
        act = yield from t.ask(seat, "block", offer, "bs:8-1-3-1", about=attacker, public=True)
        yield from ACTS.carry_out(t, seat, act)
    if attack_of(t.pos).defender:
        go(t, "attack/flash-2", "bs:8-1-4-1")
    else:
        go(t, "attack/resolve", "bs:8-1-3-1", "bs:8-1-5-1")


def flash_2(t: Table) -> Play:
    """8-1-4: the Flash timing after a block."""
    if (yield from _flash(t)):
        go(t, "attack/resolve", "bs:8-1-5-1")


def _flash(t: Table) -> Play:
    """Ask once in a Flash timing; whether it is over."""
    yield from follow_up(t)
    window = timing(t)
    t.resting_point()
    ends: bool = yield from window.ask_once(t, partial(ACTS.offer, "flash"), ACTS.carry_out)
    return ends


def resolve_battle(t: Table) -> Play:
    """8-1-5: texts for that first; then the result of the attack."""
    yield from follow_up(t)
    come(t, "battle-resolves")
    yield from follow_up(t)
    yield from resolve(t)
    go(t, "attack/end", "bs:8-1-7-1", "bs:8-1-5-1")


def end_battle(t: Table) -> Play:
    """8-1-7: texts for that; what lasts for the battle is over; the turn player acts again."""
    yield from follow_up(t)
    come(t, "battle-end")
    yield from follow_up(t)
    frame = frame_of(t.pos)
    broken = t.pos.mark(f"frame/{frame}", BROKEN)
    with t.at_once():
        t.expire("battle", "bs:8-1-7-2")
        for number in [*fighters(t.pos)]:
            t.mark(number, BEAT, None, "bs:8-1-7-2")
        t.emit(AttackEnded("broken off" if broken else "fought"), "bs:8-1-7-3")
    yield from follow_up(t)
    while t.expire("battle", "bs:8-1-7-2"):  # what that has set off may have begun more of it
        yield from follow_up(t)
    t.close_frame(frame, "bs:8-1-7-3")
    go(t, "attack", "bs:8-1-7-3")


#: The steps of the Attack Phase, for the table of the turn.
STAGES = {
    "attack/start": Stage(begins="attack-start", then="attack", cites=("bs:7-7-3-2",)),
    "attack": Stage(attack_act, end_attacks, ends="attack-end", round=True),
}
#: The steps of a battle.
STEPS: Mapping[str, Step] = {
    "attack/flash-1": flash_1,
    "attack/block": block,
    "attack/flash-2": flash_2,
    "attack/resolve": resolve_battle,
    "attack/end": end_battle,
}
