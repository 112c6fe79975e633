"""Damage calculation: values are compared, damage is fixed and dealt, who is beaten is fixed.

These are the third to the fifth timing of the Damage Step (`damage` has the others). Changes of
battle damage by texts are settled before it is dealt (ygo:battle.d4.1): who takes it instead, how
much, whether there is none.
"""

from __future__ import annotations

from typing import NamedTuple

from domain.effects.constant import players
from domain.effects.constant.calculator import barring, numbers, numeric, texts
from domain.effects.instructions.replacement import unreplaced
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.flow import attack as attacks
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.attributes import noted
from domain.games.yugioh.effects.processes import hurt
from domain.games.yugioh.effects.texts import TERMS
from domain.games.yugioh.lists.words import HARM, REFLECTS
from domain.games.yugioh.manifest import DEFENCE
from domain.record.events import DamageDealt
from domain.record.position import Position, seat_of
from domain.record.values import Ref


class Hit(NamedTuple):
    """Battle damage that a monster does to a player, before texts make anything of it."""

    source: int
    seat: int
    n: int
    cites: tuple[str, ...]


class Fall(NamedTuple):
    """A monster that would be destroyed, by which other."""

    number: int
    by: int
    cites: tuple[str, ...]


class Blow(NamedTuple):
    """The result of comparing values; if none, why."""

    hits: tuple[Hit, ...] = ()
    falls: tuple[Fall, ...] = ()
    nothing: tuple[str, ...] = ()


def strike(t: Table) -> Play:
    """The attacker's ATK against what it attacks: a player, a monster in Attack or in Defence.

    What a text does in the place of a destruction comes before it (ygo:golden.card.1).
    """
    blow, target = _blow(t.pos), attacks.attack_of(t.pos).target
    if blow.nothing:
        t.not_done("battle", target, "no success", *blow.nothing)
    sparing = {fall.number: _sparing(t.pos, fall) for fall in blow.falls}
    falling = [number for number, by in sparing.items() if not by]
    also: dict[Ref, str] = dict.fromkeys(falling, "destroyed")
    left = yield from unreplaced(t, TERMS, "falls", falling, narrower=also)
    with t.at_once():
        for hit in blow.hits:
            _hit(t, hit.source, hit.seat, hit.n, *hit.cites)
        for fall in blow.falls:
            if by := sparing[fall.number]:
                t.not_done("destroyed", fall.number, "forbidden", "ygo:golden.card.1", *by)
            elif fall.number in left:
                _beaten(t, fall.number, fall.by, *fall.cites)


def _blow(p: Position) -> Blow:
    """The result of the present attack."""
    attack = attacks.attack_of(p)
    attacker, target = attack.attacker, attack.target
    power = figures.atk(p, attacker)
    if isinstance(target, str):
        if not power:
            return Blow(nothing=("ygo:combat.direct.3", "ygo:combat.direct.2"))
        return Blow((Hit(attacker, seat_of(target), power, ("ygo:combat.direct.2",)),))
    if p.cards[target].orient == DEFENCE:
        return _against_defence(p, attacker, target, power - figures.worth(p, target))
    return _against_attack(p, attacker, target, power, figures.worth(p, target))


def _against_attack(p: Position, attacker: int, target: int, power: int, other: int) -> Blow:
    """Attack against attack: ATK is compared with ATK."""
    rule = "ygo:combat.attack.1"
    if power == other:
        if not power:
            return Blow(nothing=("ygo:combat.attack.4", rule))
        cites = ("ygo:combat.attack.3", rule)
        return Blow(falls=(Fall(target, attacker, cites), Fall(attacker, target, cites)))
    won = power > other
    cites = ("ygo:combat.attack.2" if won else "ygo:combat.attack.5", rule)
    seat = p.rival(p.turn_seat) if won else p.turn_seat
    winner, loser = (attacker, target) if won else (target, attacker)
    hit = Hit(winner, seat, abs(power - other), cites)
    return Blow((hit,), (Fall(loser, winner, cites),))


def _against_defence(p: Position, attacker: int, target: int, over: int) -> Blow:
    """Attack against defence: ATK is compared with DEF."""
    rule = "ygo:combat.defence.1"
    if over > 0:
        fall = Fall(target, attacker, ("ygo:combat.defence.2", rule))
        if not p.cards[attacker].stats.get("piercing"):
            return Blow(falls=(fall,))
        cites = ("ygo:battle.d4.1", "ygo:golden.card.1")
        return Blow((Hit(attacker, p.rival(p.turn_seat), over, cites),), (fall,))
    if over < 0:
        return Blow((Hit(target, p.turn_seat, -over, ("ygo:combat.defence.4", rule)),))
    return Blow(nothing=("ygo:combat.defence.3", rule))


# -- damage ----------------------------------------------------------------------------------------


class Harm(NamedTuple):
    """Battle damage as it is fixed: who takes it, how much, and the texts that say so."""

    seat: int
    n: int
    by: tuple[str, ...] = ()


def fixed(p: Position, source: int, seat: int, n: int) -> Harm:
    """The battle damage of a monster to a player, with the changes by texts."""
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
    there = (one for one in fighting if p.present(one))
    return next((n for n in there if p.cards[n].controller == seat), 0)


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


def _sparing(p: Position, fall: Fall) -> list[str]:
    """The texts by which a monster can't be destroyed by that battle."""
    return texts(barring(TERMS, p, fall.number, "destroyed-by-battle", fall.by))


def _beaten(t: Table, number: int, by: int, *cites: str) -> None:
    """A monster is fixed as destroyed, and not gone yet."""
    owner = t.pos.cards[number].owner
    t.depart([number], "battle", by, f"grave/{owner}", "ygo:battle.d5.2", *cites)
    noted(t, by, "has-destroyed", *cites)
