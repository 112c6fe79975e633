"""Chapters 7 and 8: battles, in five steps (7-2), and the Action Step; see `choices.declare`.

An attack is a frame; its target may change, and each step ends by asking whether the attacker or
the target has left its area, which leads straight to the Battle End Step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.gundam.choices.acts import ACTS
from domain.games.gundam.choices.legal import at_once, is_new
from domain.games.gundam.choices.timing import ACTION
from domain.games.gundam.editions import settings
from domain.games.gundam.effects.battle import fight, strikes_first
from domain.games.gundam.effects.damage import deal
from domain.games.gundam.effects.lasting import expire
from domain.games.gundam.effects.texts import TRIGGERS, follow_up, rest
from domain.games.kit.flow.attack import attack_of, end, frame_of
from domain.games.kit.flow.steps import Stage, Steps
from domain.record.events import AttackDeclared
from domain.record.values import Ref


def action_step(t: Table) -> Play:
    """Ask the non-turn player first, then strictly in turn, until both pass in succession (8-5)."""
    yield from ACTION.ask_until_closed(t, partial(ACTS.offer, "action"), ACTS.carry_out)


def attack(t: Table) -> None:
    """7-3: the attacker is rested, the target declared; Attack effects trigger."""
    facts = t.pos.frames[-1].facts
    attacker, target = facts["attacker"], facts["target"]
    assert isinstance(attacker, int)
    assert isinstance(target, int | str)
    allowed: tuple[str, ...] = ()
    by_text = is_new(t.pos, attacker) and at_once(t.pos, attacker, target)
    if t.pos.cards[attacker].came == t.pos.turn and not by_text:
        allowed += ("gcg:2-11-4",)
    if by_text or (isinstance(target, int) and t.pos.cards[target].orient == "active"):
        allowed += ("gcg:1-3-1",)  # a text allows it
    with t.at_once():
        rest(t, [attacker], "gcg:7-3-1")
        t.emit(AttackDeclared(attacker, target), "gcg:7-3-1", *allowed)


def block(t: Table) -> Play:
    """7-4: the non-turn player may rest one active Blocker, which becomes the target."""
    if is_broken_off(t):  # something came in between, and the step begins again
        return
    seat = t.pos.rival(t.pos.turn_seat)
    offer = ACTS.offer("block", t, seat)
    act = yield from t.ask(seat, "block", offer, "gcg:7-4-1", public=True)
    yield from ACTS.carry_out(t, seat, act)


def damage(t: Table) -> Play:
    """7-6: the current target is looked at (7-6-1) and takes battle damage."""
    attack = attack_of(t.pos)
    if isinstance(attack.target, int):
        yield from _battle(t, attack.attacker, attack.target)
    else:
        yield from _hit_player(t, attack.attacker)


def end_effects(t: Table) -> Play:
    """7-7-1: effects for this battle end."""
    expire(t, "battle", "gcg:7-7-1")
    yield from follow_up(t)
    while expire(t, "battle", "gcg:7-7-1"):  # what that has set off may have begun more of them
        yield from follow_up(t)


def end_battle(t: Table) -> Play:
    """7-7-2: the battle is over, and what cards have while they battle; to the Main Phase."""
    broken = t.pos.mark(f"frame/{frame_of(t.pos)}", "broken")
    end(t, "broken off" if broken else "fought", "gcg:7-7-2")
    if settings(t.pos).names_battling:
        yield from follow_up(t)
    go(t, "main", "gcg:7-7-2")


def is_broken_off(t: Table) -> bool:
    """Whether attacker or current target has changed area (reading:gcg/16, reading:gcg/23)."""
    p = t.pos
    attack = attack_of(p)
    attacker, rivals = f"battle/{p.turn_seat}", f"battle/{p.rival(p.turn_seat)}"
    if attack.attacker not in p.zone(attacker):
        return True
    return isinstance(attack.target, int) and attack.target not in p.zone(rivals)


def _unless_broken(rule: str, then: str, *cites: str) -> Callable[[Table], None]:
    """The attack goes on; or, with nothing left to fight, straight to its end, by the `rule`."""

    def goes_on(t: Table) -> None:
        if is_broken_off(t):
            t.mark(f"frame/{frame_of(t.pos)}", "broken", True, rule)
            go(t, "attack/end", rule)
        else:
            go(t, then, *cites)

    return goes_on


def _hit_player(t: Table, attacker: int) -> Play:
    """7-6-2: the Base, else the top shield, else the player, who loses at once.

    With Suppression, from 1.9, the two top shields (13-1-7).
    """
    p = t.pos
    seat = p.rival(p.turn_seat)
    ap = p.cards[attacker].stat("ap")
    base, shields = p.zone("base", seat), p.zone("shield", seat)
    targets: Sequence[Ref]
    if base:
        first = ("gcg:7-6-2-3-2", "gcg:11-1-5-2") if strikes_first(t, attacker) else ()
        targets, cites = base[-1:], ("gcg:7-6-2-3", "gcg:7-6-1-1", *first)
    elif shields and p.cards[attacker].stats.get("suppression"):
        narrow = "gcg@1.9:13-1-7-1" if len(shields) > 1 else "gcg@1.9:13-1-7-3"
        targets, cites = shields[:-3:-1], (narrow, "gcg:7-6-2-4", "gcg:7-6-1-1", "gcg:3-6-4-1")
    elif shields:
        targets, cites = shields[-1:], ("gcg:7-6-2-4", "gcg:7-6-1-1", "gcg:3-6-4-1")
    else:
        targets, cites = (f"seat/{seat}",), ("gcg:7-6-2-2", "gcg:1-2-2-1", "gcg:7-6-1-1")
    with t.at_once():
        for target in targets:
            deal(t, attacker, target, ap, "battle", *cites, "gcg:4-5-2")
    yield from follow_up(t)
    go(t, "attack/end", "gcg:7-6-2-5")


def _battle(t: Table, attacker: int, target: int) -> Play:
    """7-6-3: both deal their AP, and what that sets off is resolved."""
    struck_down = yield from fight(t, attacker, target)
    yield from follow_up(t)
    go(t, "attack/end", *(("gcg:11-1-5-3",) if struck_down else ()), "gcg:7-6-3-3")


#: Each step ends by asking whether there is anything left to fight.
STEPS = Steps(
    TRIGGERS,
    {
        "attack/attack": Stage(attack, _unless_broken("gcg:7-3-5-1", "attack/block", "gcg:7-3-5")),
        "attack/block": Stage(
            block, _unless_broken("gcg:7-4-5-1", "attack/action", "gcg:7-4-5", "gcg:8-1")
        ),
        "attack/action": Stage(
            action_step, _unless_broken("gcg:7-5-2-1", "attack/damage", "gcg:7-5-2", "gcg:8-5")
        ),
        "attack/damage": Stage(damage, round=True),
        "attack/end": Stage(end_effects, end_battle),
    },
)
