"""Life that is lost: whose cores they are that go, and where they go.

The book does not say where lost Life goes; reading 2 says the Reserve, and a format may say another
place (`lost-life`). What is remembered of it for the turn is in `occurrences`.
"""

from __future__ import annotations

from domain.engine.table import Table
from domain.games.battle_spirits.effects import cores
from domain.games.battle_spirits.lists.formats import chosen
from domain.games.battle_spirits.manifest import SOUL
from domain.record.position import Position
from domain.record.values import Ref


def whither(p: Position, seat: int) -> Ref:
    """Where the cores of a player's lost Life go."""
    places = {"reserve": cores.reserve(seat), "trash": cores.trash(seat), "void": cores.VOID}
    return places[chosen(p.heading.options).lost_life]


def lose(t: Table, seat: int, n: int, *cites: str) -> int:
    """A player loses so much Life, at one moment, and what there is if that is less; how much.

    A Soul Core that a text has put there is the last to go.
    """
    src, dst = cores.life(seat), whither(t.pos, seat)
    with t.at_once():
        plain = cores.move(t, n, src, dst, *cites, "reading:bs/2")
        soul = cores.move(t, n - plain, src, dst, *cites, "reading:bs/2", kind=SOUL)
    return plain + soul
