"""Chapter 7: attacks and battles, in five steps (7-2); what is declared in them is in `declare`.

An attack is a frame; its target may change, and each step ends by asking whether the attacker or
the target has left its area, which leads straight to the Battle End Step.
"""

from __future__ import annotations

from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.gundam.action import action_step
from domain.games.gundam.acts import ACTS
from domain.games.gundam.effects import follow_up, rest
from domain.games.gundam.processes import deal, settle
from domain.record.events import AttackDeclared, AttackEnded, Ref
from domain.record.position import Attack


def attack_step(t: Table) -> Play:
    """7-3: the attacker is rested, the target declared; Attack effects trigger."""
    facts = t.pos.frames[-1].facts
    attacker, target = facts["attacker"], facts["target"]
    assert isinstance(attacker, int)
    assert isinstance(target, int | str)
    allowed: tuple[str, ...] = ()
    if t.pos.cards[attacker].came == t.pos.turn:
        allowed += ("gcg:2-11-4",)
    if isinstance(target, int) and t.pos.cards[target].orient == "active":
        allowed += ("gcg:1-3-1",)  # a text allows it
    with t.at_once():
        rest(t, [attacker], "gcg:7-3-1")
        t.emit(AttackDeclared(attacker, target), "gcg:7-3-1", *allowed)
    yield from follow_up(t)
    if broken_off(t):
        _break_off(t, "gcg:7-3-5-1")
    else:
        go(t, "attack/block", "gcg:7-3-5")


def block_step(t: Table) -> Play:
    """7-4: the non-turn player may rest one active Blocker, which becomes the target."""
    if broken_off(t):  # something came in between, and the step begins anew
        _break_off(t, "gcg:7-4-5-1")
        return
    seat = t.pos.rival(t.pos.turn_seat)
    offer = ACTS.offer("block", t, seat)
    act = yield from t.ask(seat, "block", offer, "gcg:7-4-1", public=True)
    yield from ACTS.carry_out(t, seat, act)
    yield from follow_up(t)
    if broken_off(t):
        _break_off(t, "gcg:7-4-5-1")
    else:
        go(t, "attack/action", "gcg:7-4-5", "gcg:8-1")


def attack_action_step(t: Table) -> Play:
    """7-5: priority goes to and fro until both pass."""
    yield from action_step(t)
    if broken_off(t):
        _break_off(t, "gcg:7-5-2-1")
    else:
        go(t, "attack/damage", "gcg:7-5-2", "gcg:8-5")


def damage_step(t: Table) -> Play:
    """7-6: the current target is looked at (7-6-1) and takes battle damage."""
    attack = _attack(t)
    if isinstance(attack.target, int):
        yield from _battle(t, attack.attacker, attack.target)
    else:
        yield from _hit_player(t, attack.attacker)


def battle_end_step(t: Table) -> Play:
    """7-7: effects for this battle end, the battle is over, back to the Main Phase."""
    t.expire("battle", "gcg:7-7-1")
    yield from follow_up(t)
    while t.expire("battle", "gcg:7-7-1"):  # what that has set off may have begun more of them
        yield from follow_up(t)
    frame = _frame(t)
    broken = t.pos.mark(f"frame/{frame}", "broken")
    t.emit(AttackEnded("broken off" if broken else "fought"), "gcg:7-7-2")
    t.close_frame(frame, "gcg:7-7-2")
    go(t, "main", "gcg:7-7-2")


def broken_off(t: Table) -> bool:
    """Whether the attacker or the current target has changed area (reading 16, reading 23)."""
    attack, p = _attack(t), t.pos
    attacker, rivals = f"battle/{p.turn_seat}", f"battle/{p.rival(p.turn_seat)}"
    if attack.attacker not in p.zone(attacker):
        return True
    return isinstance(attack.target, int) and attack.target not in p.zone(rivals)


def _break_off(t: Table, rule: str) -> None:
    """There is nothing left to fight: the attack goes straight to its end."""
    t.mark(f"frame/{_frame(t)}", "broken", True, rule)
    go(t, "attack/end", rule)


def _frame(t: Table) -> int:
    return next(frame.id for frame in t.pos.frames if frame.kind == "attack")


def _attack(t: Table) -> Attack:
    attack = t.pos.attack
    assert attack is not None
    return attack


def _hit_player(t: Table, attacker: int) -> Play:
    """7-6-2: the Base, else the top shield, else the player, who loses at once."""
    p = t.pos
    seat = p.rival(p.turn_seat)
    ap = p.cards[attacker].stat("ap")
    base, shields = p.zone("base", seat), p.zone("shield", seat)
    target: Ref
    if base:
        first = ("gcg:7-6-2-3-2", "gcg:11-1-5-2") if strikes_first(t, attacker) else ()
        target, cites = base[-1], ("gcg:7-6-2-3", "gcg:7-6-1-1", *first)
    elif shields:
        target, cites = shields[-1], ("gcg:7-6-2-4", "gcg:7-6-1-1", "gcg:3-6-4-1")
    else:
        target, cites = f"seat/{seat}", ("gcg:7-6-2-2", "gcg:1-2-2-1", "gcg:7-6-1-1")
    with t.at_once():
        deal(t, attacker, target, ap, "battle", *cites, "gcg:4-5-2")
    yield from follow_up(t)
    go(t, "attack/end", "gcg:7-6-2-5")


def _battle(t: Table, attacker: int, target: int) -> Play:
    """7-6-3: both deal their AP at once, or the attacker first if it has First Strike."""
    if strikes_first(t, attacker):
        yield from _strike(t, [(attacker, target)], "gcg:7-6-3-2-2", "gcg:11-1-5-2")
        if not t.pos.present(target):
            yield from follow_up(t)
            go(t, "attack/end", "gcg:11-1-5-3", "gcg:7-6-3-3")
            return
        if t.pos.present(attacker):
            yield from _strike(t, [(target, attacker)], "gcg:7-6-3-2")
    else:
        yield from _strike(t, [(attacker, target), (target, attacker)], "gcg:7-6-3-2")
    yield from follow_up(t)
    go(t, "attack/end", "gcg:7-6-3-3")


def _strike(t: Table, blows: list[tuple[int, int]], *cites: str) -> Play:
    """Units deal each other their AP, at one moment; then whatever is destroyed is so together."""
    p = t.pos
    amounts = [p.cards[source].stat("ap") for source, _ in blows]
    with t.at_once():
        for (source, to), ap in zip(blows, amounts, strict=True):
            deal(t, source, to, ap, "battle", *cites, "gcg:7-6-1-2", "gcg:4-5-2")
    yield from settle(t)


def strikes_first(t: Table, attacker: int) -> bool:
    """First Strike, which only an attacking Unit has any use for (11-1-5-1)."""
    return bool(t.pos.cards[attacker].stats.get("first-strike"))
