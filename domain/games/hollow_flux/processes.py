"""Destruction: what the rules do by themselves, at once, and when the destroyed go to the trash.

`settle` is called after every clause: it brings derived numbers up to date and destroys whose
damage has reached its power, or whose power came down to 0. A destroyed character stays on the
battlefield until everything that has arisen is done (hf:damage.char.3); `bury` then lets it go.
Damage itself is in `damage`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from domain.effects.constant import barred, derive
from domain.events import Ref
from domain.games.hollow_flux import figures
from domain.games.hollow_flux.effects import TERMS, occur
from domain.position import Position
from domain.table import Play, Table

#: Why a character is destroyed, and by which rules.
CAUSES = {
    "damage": ("hf:damage.char.2", "reading:hf/A12"),
    "power": ("hf:destroy.zero.1", "reading:hf/A13"),
}


#: Who is to blame for what befell a character: its number to the source.
Blame = Mapping[int, Ref]
NOBODY: Blame = {}


def settle(t: Table, blame: Blame = NOBODY, attacker: int = 0) -> Play:
    """Do what is due. `blame` says who has just dealt damage to a character.

    `attacker` is whose damage was that of its attack, if it was.
    """
    while t.touched:
        derive(t, TERMS)
        t.touched = False
        doomed = _doomed(t.pos)
        with t.at_once():
            for why in CAUSES:
                fallen = [number for number, cause in doomed if cause == why]
                guilty = blame if why == "damage" else NOBODY
                destroy(t, fallen, why, *CAUSES[why], blame=guilty, attacker=attacker)
    return
    yield


def _doomed(p: Position) -> list[tuple[int, str]]:
    """Characters that are destroyed by the state they are in, and why."""
    doomed = []
    for number in p.zones.get("battlefield", ()):
        card = p.cards[number]
        power = card.stats.get("power")
        if card.departing or not isinstance(power, int):
            continue
        if power <= 0:
            doomed.append((number, "power"))
        elif figures.damage(card) >= power and not spared(p, number):
            doomed.append((number, "damage"))
    return doomed


def spared(p: Position, number: int) -> bool:
    """Whether a character "is not destroyed" (hf:destroy.immune.1, key.undying.1)."""
    undying = p.cards[number].stats.get("undying")
    return bool(undying) or barred(TERMS, p, number, "destroyed")


def destroy(
    t: Table,
    numbers: Sequence[int],
    why: str,
    *cites: str,
    blame: Blame = NOBODY,
    attacker: int = 0,
) -> None:
    """Destroy characters together: they are on their way out, and what waits for that goes off.

    What destroyed them may have a text for that, wherever the blame is clear (reading A33).
    """
    p = t.pos
    with t.at_once():
        groups: dict[tuple[int, Ref], list[int]] = {}
        for number in numbers:
            source = blame.get(number) or _acting(p)
            groups.setdefault((p.cards[number].owner, source), []).append(number)
        for (owner, source), theirs in sorted(groups.items(), key=lambda group: group[0][0]):
            t.depart(theirs, why, source, f"trash/{owner}", *cites)
        cause = p.seq
        for number in numbers:
            occur(t, "destroyed", number, cause)
            source = blame.get(number, 0)
            if isinstance(source, int) and figures.is_character(p, source):
                occur(t, "destroys", source, cause)
                if source == attacker:
                    _credit(t, attacker, number)


def _acting(p: Position) -> Ref:
    """The source of what is being carried out."""
    acts = [act for act in p.pending.values() if act.resolving]
    return acts[-1].source if acts else 0


def _credit(t: Table, attacker: int, fallen: int) -> None:
    """Attack damage destroyed a character: pierce goes off (hf:key.pierce.1)."""
    p = t.pos
    if p.card(attacker).stats.get("pierce"):
        seat = p.card(attacker).controller
        act = t.trigger("keyword/pierce", attacker, seat, p.seq, "hf:key.pierce.1")
        t.mark(attacker, f"pierced:{act}", p.cards[fallen].controller, "hf:key.pierce.1")


# -- leaving ---------------------------------------------------------------------------------------


def bury(t: Table) -> Play:
    """The destroyed go to their owners' trashes, together; whether there were any."""
    p = t.pos
    fallen = [n for n in p.zone("battlefield") if p.cards[n].departing]
    if not fallen:
        return False
    leave(t, fallen, "trash", "destroyed", "hf:destroy.move.1", "hf:damage.char.3")
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
    cards, arrived = t.pos.cards, []
    owners = {number: cards[number].owner for number in numbers}
    with t.at_once():
        riders = [rider for number in numbers for rider in cards[number].attached]
        riders = [rider for rider in riders if rider not in owners]
        for number in (*numbers, *riders):
            t.turn([number], "hf:face.def.2", "hf:face.def.3", up=True)
        for owner in dict.fromkeys(owners.values()):
            theirs = [number for number in numbers if owners[number] == owner]
            arrived += t.move(theirs, TERMS.place(zone, owner), why, *cites, at=at, mixed=mixed)
        for rider in riders:
            owner = cards[rider].owner
            t.move([rider], f"trash/{owner}", "host", "hf:card.set.6", "hf:destroy.direct.1")
    return arrived


def to_zone(t: Table, number: int, zone: str, why: str, *cites: str, at: int | None = None) -> int:
    """One card goes to a zone of its owner, from wherever it lies; its number there."""
    p = t.pos
    card = p.cards[number]
    if card.place == "battlefield":
        return leave(t, [number], zone, why, *cites, at=at)[0]
    return t.move([number], TERMS.place(zone, card.owner), why, *cites, at=at)[0]
