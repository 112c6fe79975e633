"""Destruction: what the rules do by themselves, at once, and when the destroyed go to the trash.

`settle` is called after every clause: it brings derived numbers up to date and destroys whose
damage has reached its power, or whose power came down to 0. A destroyed character stays on the
battlefield until everything that has arisen is done (hf:damage.char.3); `remove_destroyed` moves it
then. Damage itself is in `damage`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from domain.effects.constant.calculator import barred, barring, texts
from domain.effects.instructions.replacement import unreplaced
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.hollow_flux.effects import figures
from domain.games.hollow_flux.effects.texts import TERMS
from domain.games.kit.effects import processes
from domain.games.kit.effects.processes import Dying
from domain.games.kit.zones import moves
from domain.games.kit.zones.moves import Riders
from domain.record.position import Position, zone_of
from domain.record.values import Ref

#: Why a character is destroyed, and by which rules.
CAUSES = {
    "damage": ("hf:damage.char.2", "reading:hf/A12"),
    "power": ("hf:destroy.zero.1", "reading:hf/A13"),
}


#: The destination of set cards when their host has left.
SET_CARDS = Riders(("hf:card.set.6", "hf:destroy.direct.1"), to="trash", why="host")


def settle(t: Table) -> Play:
    """Do what is due: set cards without a host go, characters are destroyed."""
    yield from processes.settle(t, TERMS, _process)


def _process(t: Table) -> Play:
    p = t.pos
    strays = [n for n in p.zone("battlefield") if _lost_host(p, n)]
    leave(t, strays, "trash", "host", "hf:card.set.6", "hf:destroy.direct.1")
    mortal = [n for n in p.zone("battlefield") if _destructible(p, n)]
    yield from destroy(t, DYING.doomed(t, mortal))


def _lost_host(p: Position, number: int) -> bool:
    """Whether it is a set card whose host somebody has taken away from over it."""
    card = p.cards[number]
    return not card.host and figures.print_of(p, card).type == "set"


def _destructible(p: Position, number: int) -> bool:
    """Whether it is a character that is not destroyed already."""
    card = p.cards[number]
    return not card.departing and isinstance(card.stats.get("power"), int)


def lethal(p: Position, number: int) -> str:
    """Why a character would be destroyed as it is; empty if it would not."""
    if p.cards[number].stat("power") <= 0:
        return "power"
    return "damage" if _excess(p, number) >= 0 and not spared(p, number) else ""


def _excess(p: Position, number: int) -> int:
    """How much damage a character has beyond its power."""
    card = p.cards[number]
    return figures.damage(card) - card.stat("power")


#: Characters are destroyed by the state they are in; one whose destruction was replaced stays until
#: it is worse off (reading:hf/A34).
DYING = Dying(lethal, _excess, stays="reading:hf/A34", over="reading:hf/A34")


def spared(p: Position, number: int) -> bool:
    """Whether a character "is not destroyed" (hf:destroy.immune.1, key.undying.1)."""
    undying = p.cards[number].stats.get("undying")
    return bool(undying) or barred(TERMS, p, number, "destroyed")


def spared_by(p: Position, number: int) -> tuple[str, ...]:
    """By which rules and texts a character "is not destroyed"."""
    undying = ("hf:key.undying.1",) if p.cards[number].stats.get("undying") else ()
    return (*undying, "hf:destroy.immune.1", *texts(barring(TERMS, p, number, "destroyed")))


def destroy(t: Table, doomed: Mapping[int, str], *cites: str, by: Ref = 0) -> Play:
    """Destroy characters together: they are on their way out, and what waits for that goes off.

    `doomed` says why each is; `cites` is what destroys them, where an effect does, that of the card
    `by`. What is done instead comes first (reading:hf/A34). Returns how many were destroyed.
    """
    p = t.pos
    narrower: dict[Ref, str] = {
        number: f"destroyed-by-{why}" for number, why in doomed.items() if why != "power"
    }
    spare = partial(DYING.spare, t)
    left = yield from unreplaced(t, TERMS, "destroyed", tuple(doomed), spare, narrower)
    going = [n for n in left if figures.is_character(p, n) and not p.cards[n].departing]
    with t.at_once():
        groups: dict[tuple[int, str, Ref], list[int]] = {}
        for number in going:
            source = _destroyed_by(t, number, doomed[number], by) or _resolving_source(p)
            groups.setdefault((p.cards[number].owner, doomed[number], source), []).append(number)
        for (owner, why, source), theirs in groups.items():
            t.depart(theirs, why, source, f"trash/{owner}", *CAUSES.get(why, cites))
        t.set_off(going)
    return len(going)


def _destroyed_by(t: Table, number: int, why: str, by: Ref) -> Ref:
    """The destroyer of a character; nobody, if its power fell to 0 (reading:hf/A33)."""
    damage = t.due.damage.get(number) if why == "damage" else None
    return damage.source if damage is not None else by


def _resolving_source(p: Position) -> Ref:
    """The source of what is being carried out."""
    acts = [act for act in p.pending.values() if act.resolving]
    return acts[-1].source if acts else 0


# -- leaving ---------------------------------------------------------------------------------------


def remove_destroyed(t: Table) -> Play:
    """The destroyed go where they were to go, together; whether there were any."""
    p = t.pos
    destroyed = [n for n in p.zone("battlefield") if p.cards[n].departing]
    if not destroyed:
        return False
    to = {n: zone_of(p.departures[n].to) for n in destroyed}
    with t.at_once():
        for zone in dict.fromkeys(to.values()):
            theirs = [n for n in destroyed if to[n] == zone]
            leave(t, theirs, zone, "destroyed", "hf:destroy.move.1", "hf:damage.char.3")
    yield from TERMS.settle(t)
    return True


def leave(
    t: Table,
    numbers: Sequence[int],
    zone: str,
    why: str,
    *cites: str,
    at: int | None = None,
    mixed: bool = False,
) -> list[int]:
    """Cards leave the battlefield for a zone of their owners, at one moment; their numbers there.

    What lies face down is turned up and is itself again (hf:face.def.2); set cards go to the
    trash when their host has left (hf:card.set.6), but for those that leave along with it. Each
    owner's arrive in the order in which they are given.
    """
    with t.at_once():
        riders = [one for number in numbers for one in t.pos.cards[number].attached]
        for number in dict.fromkeys((*numbers, *riders)):
            t.turn([number], "hf:face.def.2", "hf:face.def.3", up=True)
        place = partial(TERMS.place, zone)
        return moves.leave(t, numbers, place, why, *cites, riders=SET_CARDS, at=at, mixed=mixed)
