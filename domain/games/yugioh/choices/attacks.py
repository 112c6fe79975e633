"""Which monsters may attack, and what: asked as one is declared, and in a replay."""

from __future__ import annotations

from domain.effects.constant.calculator import barred
from domain.games.kit.flow import attack as attacks
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.texts import TERMS
from domain.record.position import Position
from domain.record.values import Ref


def faced(p: Position) -> tuple[int, ...]:
    """The monsters that the turn player faces, as they lie."""
    return tuple(figures.monsters(p, p.rival(p.turn_seat)))


def attackers(p: Position, seat: int) -> list[int]:
    """The monsters of a player that might attack."""
    return figures.monsters(p, seat)


def targets(p: Position, attacker: int) -> tuple[Ref, ...]:
    """What a monster may attack: one of those it faces, the player if there are none.

    A text may let it attack the player all the same (ygo:golden.card.1).
    """
    monsters = faced(p)
    player = f"seat/{p.rival(p.turn_seat)}"
    if not p.present(attacker):
        return monsters or (player,)
    if barred(TERMS, p, attacker, "attack-player"):
        return monsters
    direct = bool(p.cards[attacker].stats.get("direct"))
    return (*monsters, player) if direct or not monsters else monsters


def times(p: Position, number: int) -> int:
    """How often a monster may attack in a turn."""
    return p.cards[number].stat("attacks", 1)


def replayed(p: Position) -> str:
    """By which rule the attack is replayed; empty: it is not.

    What it faces is not what lay there as it was declared (reading A8), or the text is lost by
    which it was declared.
    """
    frame = next(f for f in p.frames if f.id == attacks.frame_of(p))
    noted = p.mark(f"frame/{frame.id}", "field")
    if isinstance(noted, str):
        before: object = tuple(map(int, noted.split()))
    else:
        before = frame.facts.get("field", faced(p))
    if {*faced(p)} != {*_numbers(before)}:
        return "ygo:battle.replay.1"
    attack = attacks.attack_of(p)
    if attack.target not in targets(p, attack.attacker):
        return "ygo:battle.replay.7"
    noted = p.mark(f"frame/{frame.id}", "attacks")
    most = noted if isinstance(noted, int) else times(p, attack.attacker)
    return "ygo:battle.replay.6" if attacks_made(p, attack.attacker) > most else ""


def attacks_made(p: Position, number: int) -> int:
    """How many attacks a monster has declared in this turn."""
    if p.mark(number, "attacked") != p.turn:
        return 0
    noted = p.mark(number, "attacks")
    return noted if isinstance(noted, int) else 1


def _numbers(value: object) -> tuple[int, ...]:
    assert isinstance(value, tuple | list)
    return tuple(value)


def broken(p: Position) -> bool:
    """Whether the attacker can't fight any more (ygo:base.attack.2)."""
    attacker = attacks.attack_of(p).attacker
    if p.mark(f"frame/{attacks.frame_of(p)}", "negated") or p.mark("match", "ends") == p.turn:
        return True
    if attacker not in p.zone("monster", p.turn_seat) or p.cards[attacker].departing:
        return True
    return not figures.in_attack(p, attacker)
