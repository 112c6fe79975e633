"""Which monsters may attack, and what: asked as one is declared, and in a replay."""

from __future__ import annotations

from domain.effects.constant.calculator import barred, barring, texts
from domain.games.kit.flow import attack as attacks
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.field.attack_changes import ATTACKER, FIELD, GONE, TARGET, noted
from domain.games.yugioh.effects.figures import base
from domain.games.yugioh.effects.texts import TERMS
from domain.record.position import Position
from domain.record.values import Ref


def faced(p: Position) -> tuple[int, ...]:
    """The monsters that the turn player faces, as they lie."""
    return tuple(figures.monsters(p, p.rival(p.turn_seat)))


def targets(p: Position, attacker: int) -> tuple[Ref, ...]:
    """The targets of a monster's attack: one of those it faces, the player if there are none.

    A text may let it attack the player all the same (ygo:golden.card.1).
    """
    monsters = faced(p)
    player = f"seat/{p.rival(p.turn_seat)}"
    if not p.present(attacker):
        return monsters or (player,)
    open_to_it = tuple(n for n in monsters if not spared(p, attacker, n))
    direct = not monsters or bool(p.cards[attacker].stats.get("direct"))
    if not direct or barred(TERMS, p, attacker, "attack-player"):
        return open_to_it
    return (*open_to_it, player)


def spared(p: Position, attacker: int, target: int) -> list[str]:
    """The texts by which a monster may not attack another one."""
    return texts(
        (
            *barring(TERMS, p, target, "attacked", attacker),
            *(
                m
                for m in barring(TERMS, p, attacker, "attack", target)
                if m.change.against is not None
            ),
        )
    )


def keeping_off(p: Position, attacker: int) -> list[str]:
    """The texts that leave a monster nothing to attack."""
    monsters = faced(p)
    if not monsters:
        return texts(barring(TERMS, p, attacker, "attack-player"))
    return [*dict.fromkeys(text for one in monsters for text in spared(p, attacker, one))]


def times(p: Position, number: int) -> int:
    """How often a monster may attack in a turn."""
    return p.cards[number].stat("attacks", 1)


def replayed(p: Position) -> str:
    """By which rule the attack is replayed; empty: it is not.

    A monster came to the attacked side or left it since then (reading:ygo/A8), or the text
    is lost by which it was.
    """
    attack = attacks.attack_of(p)
    target, direct = attack.target, isinstance(attack.target, str)
    if noted(p, FIELD) or not (direct or target in faced(p)):
        return "ygo:battle.replay.1"
    if direct and target not in targets(p, attack.attacker):
        return "ygo:battle.replay.7"
    marked = noted(p, "attacks")
    most = marked if isinstance(marked, int) else times(p, attack.attacker)
    return "ygo:battle.replay.6" if attacks_made(p, attack.attacker) > most else ""


def attacks_made(p: Position, number: int) -> int:
    """How many attacks a monster has declared in this turn."""
    if p.mark(number, "attacked") != p.turn:
        return 0
    noted = p.mark(number, "attacks")
    return noted if isinstance(noted, int) else 1


def broken(p: Position) -> tuple[str, ...]:
    """By which rules the attacker fights no more; empty: it does."""
    attacker = attacks.attack_of(p).attacker
    if noted(p, "negated"):
        return ("ygo:base.attack.1",)
    if p.mark("match", "ends") == p.turn:
        return ("ygo:battle.end-step.2",)
    there = attacker in p.zone("monster", p.turn_seat) and not p.cards[attacker].departing
    if not there or not figures.in_attack(p, attacker) or noted(p, GONE) == ATTACKER:
        return ("ygo:base.attack.2",)
    if not base(p).startswith("battle"):  # what begins to keep it from that later comes too late
        return ()
    by = texts(barring(TERMS, p, attacker, "attack"))
    return ("reading:ygo/A43", *by) if by else ()


def lost_target(p: Position) -> bool:
    """Whether the monster that is attacked has left the field since (ygo:battle.replay.4)."""
    target = attacks.attack_of(p).target
    return isinstance(target, int) and (target not in faced(p) or noted(p, GONE) == TARGET)
