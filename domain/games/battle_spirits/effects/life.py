"""Life that is lost: whose cores they are that go, where they go, what is remembered of it.

The book does not say where lost Life goes; reading 2 says the Reserve, and a format may say another
place (`lost-life`). What Life was lost in a turn is noted on the player until the turn is over.
"""

from __future__ import annotations

from domain.engine.table import Table
from domain.games.battle_spirits.effects import cores
from domain.games.battle_spirits.lists.formats import chosen
from domain.games.battle_spirits.manifest import SOUL
from domain.record.position import Position
from domain.record.values import Ref

#: The mark of a player that has lost Life this turn: how much.
LOST = "life-lost"


def whither(p: Position, seat: int) -> Ref:
    """Where the cores of a player's lost Life go."""
    places = {"reserve": cores.reserve(seat), "trash": cores.trash(seat), "void": cores.VOID}
    return places[chosen(p.heading.options).lost_life]


def lost(p: Position, seat: int) -> int:
    """How much Life a player has lost this turn."""
    n = p.mark(f"seat/{seat}", LOST)
    return n if isinstance(n, int) else 0


def lose(t: Table, seat: int, n: int, *cites: str) -> int:
    """A player loses so much Life, at one moment, and what there is if that is less; how much.

    A Soul Core that a text has put there is the last to go.
    """
    src, dst = cores.life(seat), whither(t.pos, seat)
    with t.at_once():
        plain = cores.move(t, n, src, dst, *cites, "reading:bs/2")
        soul = cores.move(t, n - plain, src, dst, *cites, "reading:bs/2", kind=SOUL)
        if plain + soul:
            t.mark(f"seat/{seat}", LOST, lost(t.pos, seat) + plain + soul, *cites)
    return plain + soul


def forget(t: Table, *cites: str) -> None:
    """The turn is over: what Life was lost in it is no longer asked for."""
    for seat in (0, 1):
        t.mark(f"seat/{seat}", LOST, None, *cites)
