"""Life that is lost: which cores go, and where they go.

The book does not say where lost Life goes; reading:bs/2 says the Reserve, a format may say another
place (`lost-life`). What is remembered of it for the turn is in `occurrences`.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.battle_spirits.effects import cores
from domain.games.battle_spirits.effects.instructions.cores import Some, pick, there
from domain.games.battle_spirits.lists.formats import chosen
from domain.record.position import Position
from domain.record.values import Ref


def whither(p: Position, seat: int) -> Ref:
    """Where the cores of a player's lost Life go."""
    places = {"reserve": cores.reserve(seat), "trash": cores.trash(seat), "void": cores.VOID}
    return places[chosen(p.heading.options).lost_life]


def which(t: Table, seat: int, n: int, attacker: int, *cites: str) -> Play:
    """The cores of so much Life, or of what there is: its player says, if one is the Soul Core."""
    some = there(t.pos, [cores.life(seat)])
    return (yield from pick(t, seat, some, n, attacker, *cites))


def lose(t: Table, seat: int, some: Sequence[Some], *cites: str) -> None:
    """A player loses these cores of his Life, at one moment."""
    dst = whither(t.pos, seat)
    with t.at_once():
        for one in some:
            cores.move(t, one.n, one.place, dst, *cites, "reading:bs/2", kind=one.kind)
