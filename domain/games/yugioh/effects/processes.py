"""Rules that act by themselves, at once: a player without Life Points has lost.

Nothing is destroyed behind the back of an effect that is being carried out.
"""

from __future__ import annotations

from domain.engine.series import Loss, defeat
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.effects import processes, standing
from domain.games.yugioh.effects import trap_monsters
from domain.games.yugioh.effects.field.places import leave
from domain.games.yugioh.effects.figures import UNDONE, equipped, print_of, underway
from domain.games.yugioh.effects.texts import TERMS
from domain.games.yugioh.effects.waiting import applied
from domain.record.position import Position

#: As what the damage is noted that a player has taken last, by its kind.
DAMAGE = ("battle-damage", "effect-damage")
#: The sub-timings of the Damage Step before which monsters that destroy themselves do not.
_BATTLE = frozenset({"damage/1", "damage/2", "damage/3", "damage/4"})
#: What is marked on a Trap that stays on the field since it was equipped to a monster.
EQUIPPED = "equip"


def life(p: Position, seat: int) -> int:
    """A player's Life Points."""
    return p.counters(f"seat/{seat}", "life")


def hurt(t: Table, seat: int, n: int, *cites: str, kind: str = "") -> int:
    """A player loses Life Points, not below 0; how many.

    Where that is damage of a `kind` it is noted as what the player took last (`last_damage`).
    """
    few = ("ygo:base.life.2",) if n > life(t.pos, seat) else ()
    if kind:
        for key in DAMAGE:
            t.mark(f"seat/{seat}", key, n if key == f"{kind}-damage" else None, *cites)
    return t.counters("life", n, *cites, *few, src=f"seat/{seat}")


def last_damage(p: Position, seat: int) -> tuple[str, int]:
    """The last damage of a player: under which note, and how much."""
    for key in DAMAGE:
        n = p.mark(f"seat/{seat}", key)
        if isinstance(n, int):
            return key, n
    return "", 0


def fall(t: Table) -> Play:
    """Players without Life Points lose at once, both of them together."""
    fallen = tuple(seat for seat in (0, 1) if not life(t.pos, seat))
    if fallen:
        defeat(t, Loss(fallen, "life", ("ygo:base.loss.1",)))
    return
    yield


def _do(t: Table) -> Play:
    """Equip Cards without their monster are destroyed by rule (ygo:base.spell.4).

    And Traps that can be monsters no longer are Traps again.
    """
    p = t.pos
    trap_monsters.back(t)
    loose = [
        number
        for seat in (0, 1)
        for number in p.zones.get(f"spell/{seat}", ())
        if p.cards[number].up
        and _is_equip(p, number)
        and number not in p.links
        and not p.mark(number, UNDONE)
        and not _waits(p, number)
    ]
    if loose:
        leave(t, loose, "grave", "rule", "ygo:base.spell.4", "ygo:base.destroy.1")
    if astray := [number for number in p.links if _astray(p, number)]:
        leave(t, astray, "grave", "rule", "reading:ygo/A40", "ygo:base.destroy.1")
    if any(act.resolving for act in p.pending.values()):
        return  # nothing is done behind the back of an effect
    if (yield from applied.carry_out(t)):
        t.due.touched = True
    if not _BATTLE.isdisjoint(underway(p)):
        return  # what destroys itself waits for a battle (ygo:battle.d6.2)
    if (yield from standing.carry_out(t, TERMS)):
        t.due.touched = True
    for number in _targeted(p):
        t.mark(number, "targeted", None, "ygo:effect.continuous.1")


def _is_equip(p: Position, number: int) -> bool:
    """Whether a card is an Equip Card: an Equip Spell, or what an effect has made one."""
    made = equipped(p, number) or p.mark(number, "stays") == EQUIPPED
    return made or "equip" in print_of(p, number).kind


def _astray(p: Position, number: int) -> bool:
    """Whether the other player controls what is for monsters of one's own (reading:ygo/A40)."""
    host = p.links[number].host
    if host not in p.cards or p.cards[host].controller == p.cards[number].controller:
        return False
    print_ = print_of(p, number)
    chosen = (c.choose for text in print_.effects for c in text.do if c.do == "equip")
    own = any(choose is not None and choose.of.whose == "yours" for choose in chosen)
    return own and print_.type != "monster"


def _targeted(p: Position) -> list[int]:
    """The monsters noted as targeted; this clears the notes."""
    lying = (number for seat in (0, 1) for number in p.zones.get(f"monster/{seat}", ()))
    return [number for number in lying if p.cards[number].marks.get("targeted")]


def _waits(p: Position, number: int) -> bool:
    """Whether a card was activated and its turn has not come, or is over in this moment."""
    return any(act.source == number for act in p.pending.values())


def settle(t: Table) -> Play:
    """Carry out the rules that act by themselves."""
    yield from processes.settle(t, TERMS, _do, fall)
