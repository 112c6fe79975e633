"""The Damage Step: its sub-timings, from the turning up of the target to the end of the battle.

In the first three, windows are opened; from the fourth to the sixth nothing can be activated; in
the last three what the battle has set off becomes chains. A monster that is fixed as destroyed
stays where it lies until the last of them (ygo:battle.d5.2, ygo:battle.d9.1).
"""

from __future__ import annotations

from domain.effects.constant.calculator import barring, texts
from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.flow import attack as attacks
from domain.games.yugioh.choices import declare
from domain.games.yugioh.choices.attacks import broken
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.attributes import arrived
from domain.games.yugioh.effects.places import leave
from domain.games.yugioh.effects.processes import hurt, settle
from domain.games.yugioh.effects.texts import TERMS
from domain.games.yugioh.flow.gathering import gather
from domain.games.yugioh.manifest import DEFENCE
from domain.record.events import DamageDealt
from domain.record.position import seat_of
from domain.record.values import Ref


def over(t: Table) -> Play:
    """Whether the battle has lost its attacker or its target; then it is over."""
    p = t.pos
    target = attacks.attack_of(p).target
    if broken(p):
        declare.end(t, "broken off", "ygo:base.attack.2")
        return True
    if isinstance(target, int) and not _fights_on(t, target):
        declare.end(t, "broken off", "ygo:battle.replay.4", "ygo:battle.replay.3")
        return True
    return False
    yield


def _fights_on(t: Table, target: int) -> bool:
    p = t.pos
    return target in p.zone("monster", p.rival(p.turn_seat)) and not p.cards[target].departing


def flip(t: Table) -> Play:
    """2: an attacked face-down monster is turned up, and stays in its position."""
    target = attacks.attack_of(t.pos).target
    if isinstance(target, int) and t.pos.present(target) and not t.pos.cards[target].up:
        with t.at_once():
            t.turn([target], "ygo:battle.d2.1", up=True)
            arrived(t, target, "flip", "ygo:battle.d2.1")
        yield from settle(t)
    return (yield from over(t))


def calculate(t: Table) -> Play:
    """3 to 6: the values are compared, damage is dealt, who is beaten is fixed as destroyed."""
    if (yield from over(t)):
        return
    p = t.pos
    t.touched = True  # values change with the step, by texts (ygo:battle.d3.4, ygo:battle.d3.5)
    yield from settle(t)
    attack = attacks.attack_of(p)
    attacker, target = attack.attacker, attack.target
    power = figures.atk(p, attacker)
    if isinstance(target, str):
        if power:
            _hit(t, attacker, seat_of(target), power, "ygo:combat.direct.2")
        else:
            t.not_done("battle", target, "no success", "ygo:combat.direct.3", "ygo:combat.direct.2")
    elif p.cards[target].orient == DEFENCE:
        _against_defence(t, attacker, target, power - p.cards[target].stat("def"))
    else:
        _against_attack(t, attacker, target, power, p.cards[target].stat("atk"))
    t.touched = True
    yield from settle(t)
    go(t, "damage/7", "ygo:battle.d7.1")


def _against_attack(t: Table, attacker: int, target: int, power: int, other: int) -> None:
    """Attack against attack: ATK is compared with ATK."""
    p, rule = t.pos, "ygo:combat.attack.1"
    if power == other:
        if not power:
            t.not_done("battle", target, "no success", "ygo:combat.attack.4", rule)
            return
        with t.at_once():
            _beaten(t, target, attacker, "ygo:combat.attack.3", rule)
            _beaten(t, attacker, target, "ygo:combat.attack.3", rule)
        return
    won = power > other
    cite = "ygo:combat.attack.2" if won else "ygo:combat.attack.5"
    seat = p.rival(p.turn_seat) if won else p.turn_seat
    with t.at_once():
        _hit(t, attacker if won else target, seat, abs(power - other), cite, rule)
        if won:
            _beaten(t, target, attacker, cite, rule)
        else:
            _beaten(t, attacker, target, cite, rule)


def _against_defence(t: Table, attacker: int, target: int, over_: int) -> None:
    """Attack against defence: ATK is compared with DEF."""
    p, rule = t.pos, "ygo:combat.defence.1"
    if over_ > 0:
        with t.at_once():
            if p.cards[attacker].stats.get("piercing"):
                seat = p.rival(p.turn_seat)
                _hit(t, attacker, seat, over_, "ygo:battle.d4.1", "ygo:golden.card.1")
            _beaten(t, target, attacker, "ygo:combat.defence.2", rule)
    elif over_ < 0:
        _hit(t, target, p.turn_seat, -over_, "ygo:combat.defence.4", rule)
    else:
        t.not_done("battle", target, "no success", "ygo:combat.defence.3", rule)


def _hit(t: Table, source: int, seat: int, n: int, *cites: str) -> None:
    """Battle damage to a player."""
    with t.at_once():
        t.emit(DamageDealt(source, f"seat/{seat}", n, "battle"), *cites, "ygo:combat.general.1")
        hurt(t, seat, n, "ygo:battle.d5.1", cites[0])


def _beaten(t: Table, number: int, by: Ref, *cites: str) -> None:
    """A monster is fixed as destroyed, and not gone yet; unless it can't be, by a text."""
    spared = texts(barring(TERMS, t.pos, number, "destroyed-by-battle"))
    if spared:
        t.not_done("destroyed", number, "forbidden", "ygo:golden.card.1", *spared)
        return
    owner = t.pos.cards[number].owner
    t.depart([number], "battle", by, f"grave/{owner}", "ygo:battle.d5.2", *cites)


def damage_triggers(t: Table) -> Play:
    """6 and 7: what destroys itself does so; what triggers on battle damage."""
    t.touched = True
    yield from settle(t)
    if not (yield from gather(t)):
        go(t, "damage/8", "ygo:battle.d8.1")


def result_triggers(t: Table) -> Play:
    """8: Flip Effects, and what triggers on a flip, a battle, a destruction by it."""
    if not (yield from gather(t)):
        go(t, "damage/9", "ygo:battle.d9.1")


def end_step(t: Table) -> Play:
    """9: what was beaten leaves the field; what that sets off, and then the battle is over."""
    p = t.pos
    beaten = [
        number
        for seat in (p.turn_seat, p.rival(p.turn_seat))
        for number in p.zone("monster", seat)
        if p.cards[number].departing == "battle"
    ]
    if beaten:
        leave(t, beaten, "grave", "battle", "ygo:battle.d9.1")
        yield from settle(t)
    if not (yield from gather(t)):
        declare.end(t, "fought", "ygo:battle.d9.2")
