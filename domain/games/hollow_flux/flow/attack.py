"""Attack and defence, in three steps: declaring (which is in `choices.declare`), defending, damage.

The target may change hands or leave while acts wait; only the attacker's leaving makes the attack
fail (hf:combat.attack.6), and a target that is gone or unfit is hit by nothing
(reading:hf/A5, reading:hf/A6).
"""

from __future__ import annotations

from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.hollow_flux.choices.acts import ACTS
from domain.games.hollow_flux.effects import figures
from domain.games.hollow_flux.effects.damage import damage_players, deal
from domain.games.hollow_flux.effects.processes import settle
from domain.games.hollow_flux.effects.texts import TERMS, follow_up
from domain.games.kit.flow.attack import attack_of, end
from domain.record.events import AttackChanged
from domain.record.position import Pending, Position, seat_of


def resolve_attack(t: Table, act: Pending) -> None:
    """Its turn has come: it goes on unless the attacker has left."""
    if not t.pos.present(attack_of(t.pos).attacker):
        t.end_act(act.id, "void", "hf:combat.attack.6", "hf:inter.source.1")
        return
    t.resolve(act.id, "hf:inter.lifo.1")
    t.end_act(act.id, "resolved", "hf:inter.lifo.1")


def after_attack(t: Table, act: Pending) -> None:
    """The attack's interruptions are settled."""
    if not t.pos.present(attack_of(t.pos).attacker):
        end_attack(t, "broken off", "hf:combat.attack.6")
    elif not _lost_target(t):
        go(t, "attack/defence", "hf:inter.defend.1")


def _lost_target(t: Table) -> bool:
    """Whether there is nothing left to hit; then the attack is over."""
    p = t.pos
    target = attack_of(p).target
    if isinstance(target, str):
        return False
    if not p.present(target):
        t.not_done("attack", target, "gone", "reading:hf/A5", "hf:target.lost.1")
        end_attack(t, "broken off", "reading:hf/A5")
    elif p.cards[target].controller == attacking_seat(p):
        t.not_done("attack", target, "unfit", "reading:hf/A6", "hf:target.lost.1")
        end_attack(t, "broken off", "reading:hf/A6")
    else:
        return False
    return True


def attacking_seat(p: Position) -> int:
    """Whose attack it is: only the turn player attacks (hf:combat.attack.1)."""
    return p.turn_seat


def defence_step(t: Table) -> Play:
    """Step 2: the attacked player may put a character to sleep, to take the attack on itself."""
    p = t.pos
    attack = attack_of(p)
    seat = p.rival(attacking_seat(p))
    offer = ACTS.offer("defend", t, seat)
    cites = ("hf:combat.defend.1", "hf:inter.defend.1")
    act = yield from t.ask(seat, "defend", offer, *cites, about=attack.attacker, public=True)
    yield from ACTS.carry_out(t, seat, act)


def resolve_defence(t: Table, act: Pending) -> None:
    """The defender becomes the target, unless it has left: then the old target stays."""
    attack = attack_of(t.pos)
    if not t.pos.present(attack.defender):
        t.end_act(act.id, "void", "hf:combat.defend.3", "hf:inter.source.1")
        t.emit(AttackChanged(attack.target, 0, "defence failed"), "hf:combat.defend.3")
        return
    t.resolve(act.id, "hf:inter.lifo.1")
    t.emit(AttackChanged(attack.defender, attack.defender, "defended"), "hf:combat.defend.4")
    t.end_act(act.id, "resolved", "hf:combat.defend.4")


def after_defence(t: Table, act: Pending) -> None:
    """The defence's interruptions are settled."""
    go(t, "attack/damage", "hf:combat.damage.1")


def damage_step(t: Table) -> Play:
    """Step 3: one damage to the player, or the attacker's power to a character."""
    p = t.pos
    attack = attack_of(p)
    if not p.present(attack.attacker):
        end_attack(t, "broken off", "hf:combat.attack.6")
        return
    if isinstance(attack.target, str):
        yield from _hit_player(t, attack.attacker, seat_of(attack.target))
    elif _lost_target(t):
        return
    else:
        yield from _battle(t, attack.attacker, attack.target, attack.defender)
    yield from follow_up(t)
    end_attack(t, "fought", "hf:combat.damage.1")


def _hit_player(t: Table, attacker: int, seat: int) -> Play:
    heavy = t.pos.cards[attacker].stat("heavy")
    also = ("hf:key.heavy.1", *(("hf:key.heavy.2",) if heavy > 1 else ())) if heavy else ()
    yield from damage_players(t, [seat], 1 + heavy, attacker, "battle", *also, "hf:combat.damage.2")
    yield from settle(t)


def _battle(t: Table, attacker: int, target: int, defender: int) -> Play:
    """The attacker's power to the target; a successful defender with counter strikes back."""
    p = t.pos
    power, back = p.cards[attacker].stat("power"), p.cards[target].stat("power")
    counters = p.cards[target].stat("counter") if target == defender else 0
    with t.at_once():
        deal(t, attacker, target, power, "battle", "hf:combat.damage.3", "reading:hf/A25")
        for _ in range(counters):
            rules = ("hf:key.counter.1", *(("hf:key.counter.3",) if counters > 1 else ()))
            if figures.immune(TERMS, p, attacker, target, ability=True):
                t.not_done("damage", attacker, "immune", *rules, "hf:key.auto.5")
            else:
                deal(t, target, attacker, back, "effect", *rules, "hf:key.counter.4")
    yield from settle(t)


def pierce(t: Table, act: Pending) -> Play:
    """Pierce: that character's player takes one damage for each pierce, one by one."""
    p, attacker = t.pos, act.source
    assert isinstance(attacker, int)
    seat = p.mark(attacker, f"pierced:{act.id}")
    assert isinstance(seat, int)
    n = p.cards[attacker].stat("pierce")
    t.resolve(act.id, "hf:key.pierce.1")
    for _ in range(n):
        several = ("hf:key.pierce.2",) if n > 1 else ()
        yield from damage_players(t, [seat], 1, attacker, "effect", "hf:key.pierce.1", *several)
        yield from settle(t)
    t.end_act(act.id, "resolved", "hf:key.pierce.1")


def end_attack(t: Table, outcome: str, *cites: str) -> None:
    """The attack is over, and the main phase goes on."""
    end(t, outcome, *cites)
    go(t, "main", "hf:turn.main.1")
