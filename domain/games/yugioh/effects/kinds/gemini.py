"""Gemini monsters: Normal Monsters on the field and in the Graveyard, until Summoned once more.

That they count as such is no effect of theirs, so that nothing negates it (ygo:effect.rule.2). Face
up on the field they may be Normal Summoned again; it uses up the one of the turn, and what they say
beside that works from then on, until they leave or are turned face down.
"""

from __future__ import annotations

from domain.engine.table import Table
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.figures import SUMMONED_TWICE
from domain.record.position import Position


def summonable(p: Position, seat: int, number: int) -> bool:
    """Whether a card is a Gemini monster on a player's field that may be Summoned once more."""
    lying = number in p.zone("monster", seat) and p.cards[number].up
    return lying and figures.dormant(p, number)


def awake(t: Table, number: int, *cites: str) -> None:
    """It was Summoned once more, and is an Effect Monster now."""
    t.mark(number, SUMMONED_TWICE, True, *cites)
    t.mark(number, "became", t.pos.turn, "ygo:position.change.2")
