"""Which cards may be Material of a Summon that its rules make, and how they are overlaid.

Trap monsters serve as any monster does, Tokens for a Synchro Summon only (ygo:synchro.material.1,
ygo:synchro.material.2, ygo:xyz.material.1, ygo:xyz.material.2). Which lines of Materials a monster
has, and how picks meet them, is in `choices.recipes`.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.table import Table
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.revival import followed
from domain.games.yugioh.lists.card import Card
from domain.record.position import Position

#: The role of a card that is overlaid.
OVERLAID = "material"


def candidates(p: Position, seat: int, print_: Card) -> list[int]:
    """A player's monsters that may be Material of a Synchro or Xyz Summon of this monster."""
    own = (n for n in figures.monsters(p, seat) if p.cards[n].up)
    if "xyz" in print_.kind:
        return [n for n in own if not p.cards[n].token]
    return [*own]


def overlay(t: Table, cards: Sequence[int], host: int, *cites: str) -> None:
    """Cards are laid below an Xyz Monster; they are none on the field any more (ygo:xyz.def.4).

    What lay below them goes to the Graveyard (ygo:base.xyz.1).
    """
    p = t.pos
    with followed(t, cards, "limbo"):
        for number in cards:
            for rider in p.cards[number].attached:
                t.move([rider], f"grave/{p.cards[rider].owner}", "host", "ygo:base.xyz.1")
        t.move(cards, p.cards[host].place, "overlay", *cites, host=host, role=OVERLAID)
