"""Damage calculation: values are compared, damage is fixed and dealt, who is beaten is fixed.

These are the third to the fifth timing of the Damage Step (`damage` has the others). What texts
make of battle damage is settled before it is dealt (ygo:battle.d4.1): who takes it instead, how
much it comes to, whether there is none.
"""

from __future__ import annotations

from typing import NamedTuple

from domain.effects.constant import players
from domain.effects.constant.calculator import barring, numbers, numeric, texts
from domain.engine.table import Table
from domain.games.kit.flow import attack as attacks
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.processes import hurt
from domain.games.yugioh.effects.texts import TERMS
from domain.games.yugioh.lists.words import HARM, REFLECTS
from domain.games.yugioh.manifest import DEFENCE
from domain.record.events import DamageDealt
from domain.record.position import Position, seat_of
from domain.record.values import Ref


def strike(t: Table) -> None:
    """The attacker's ATK against what it attacks: a player, a monster in Attack or in Defence."""
    p = t.pos
    attack = attacks.attack_of(p)
    attacker, target = attack.attacker, attack.target
    power = figures.atk(p, attacker)
    if isinstance(target, str):
        if power:
            _hit(t, attacker, seat_of(target), power, "ygo:combat.direct.2")
        else:
            t.not_done("battle", target, "no success", "ygo:combat.direct.3", "ygo:combat.direct.2")
    elif p.cards[target].orient == DEFENCE:
        _against_defence(t, attacker, target, power - figures.worth(p, target))
    else:
        _against_attack(t, attacker, target, power, figures.worth(p, target))


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
    winner, loser = (attacker, target) if won else (target, attacker)
    with t.at_once():
        _hit(t, winner, seat, abs(power - other), cite, rule)
        _beaten(t, loser, winner, cite, rule)


def _against_defence(t: Table, attacker: int, target: int, over: int) -> None:
    """Attack against defence: ATK is compared with DEF."""
    p, rule = t.pos, "ygo:combat.defence.1"
    if over > 0:
        with t.at_once():
            if p.cards[attacker].stats.get("piercing"):
                seat = p.rival(p.turn_seat)
                _hit(t, attacker, seat, over, "ygo:battle.d4.1", "ygo:golden.card.1")
            _beaten(t, target, attacker, "ygo:combat.defence.2", rule)
    elif over < 0:
        _hit(t, target, p.turn_seat, -over, "ygo:combat.defence.4", rule)
    else:
        t.not_done("battle", target, "no success", "ygo:combat.defence.3", rule)


# -- damage ----------------------------------------------------------------------------------------


class Harm(NamedTuple):
    """Battle damage as it is fixed: who takes it, how much, and the texts that say so."""

    seat: int
    n: int
    by: tuple[str, ...] = ()


def fixed(p: Position, source: int, seat: int, n: int) -> Harm:
    """What texts make of the battle damage that a monster would do to a player."""
    by: list[str] = []
    own = _fighter(p, seat)
    if own and p.cards[own].stats.get(REFLECTS):
        by += texts(numeric(TERMS, p, own, {REFLECTS}))
        seat = p.rival(seat)
    barred = [*players.barring(TERMS, p, seat, HARM, source)]
    fighter = _fighter(p, seat)
    barred += barring(TERMS, p, fighter, HARM, source) if fighter else ()
    if barred:
        return Harm(seat, 0, (*by, *texts(barred)))
    changing = [*numeric(TERMS, p, source, {HARM})]
    changing += [one for one in players.acting(p, seat) if one.change.key == HARM]
    changing = [one for one in changing if one.change.op != "forbid"]
    if changing:
        n = max(0, numbers({HARM: n}, [one.change for one in changing], "up")[HARM])
    return Harm(seat, n, (*by, *texts(changing)))


def _fighter(p: Position, seat: int) -> int:
    """The monster of a player that fights in this battle; 0 if none does."""
    attack = attacks.attack_of(p)
    fighting = (one for one in (attack.attacker, attack.target) if isinstance(one, int))
    return next((n for n in fighting if p.cards[n].controller == seat), 0)


def _hit(t: Table, source: int, seat: int, n: int, *cites: str) -> None:
    """Battle damage to a player, as texts have it."""
    harm = fixed(t.pos, source, seat, n)
    rules = (*cites, "ygo:combat.general.1")
    if harm.by:
        rules = tuple(dict.fromkeys(("ygo:battle.d4.1", *rules, "ygo:golden.card.1", *harm.by)))
    player = f"seat/{harm.seat}"
    if not harm.n:
        t.not_done("battle", player, "forbidden", *rules, asked=n)
        return
    with t.at_once():
        t.emit(DamageDealt(source, player, harm.n, "battle"), *rules)
        hurt(t, harm.seat, harm.n, "ygo:battle.d5.1", cites[0], kind="battle")


def _beaten(t: Table, number: int, by: Ref, *cites: str) -> None:
    """A monster is fixed as destroyed, and not gone yet; unless it can't be, by a text."""
    other = by if isinstance(by, int) else 0
    spared = texts(barring(TERMS, t.pos, number, "destroyed-by-battle", other))
    if spared:
        t.not_done("destroyed", number, "forbidden", "ygo:golden.card.1", *spared)
        return
    owner = t.pos.cards[number].owner
    t.depart([number], "battle", by, f"grave/{owner}", "ygo:battle.d5.2", *cites)
