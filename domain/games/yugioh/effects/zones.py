"""Zones of the field: which of the five a card holds, and how many are free.

How cards leave them is in `places`.
"""

from __future__ import annotations

from collections.abc import Iterable

from domain.engine.table import Table
from domain.games.yugioh.manifest import ZONES_EACH
from domain.record.position import Position

#: What holds a zone of a player: monsters with those that are being Summoned.
HOLD = {"monster": ("monster", "limbo"), "spell": ("spell",)}
RULES = {"monster": "ygo:base.zone.1", "spell": "ygo:base.zone.2", "field": "ygo:base.zone.3"}


def holding(p: Position, zone: str, seat: int) -> list[int]:
    """The cards that hold zones of a player."""
    return [number for one in HOLD[zone] for number in p.zone(one, seat)]


def room(p: Position, zone: str, seat: int, leaving: Iterable[int] = ()) -> int:
    """How many zones are free, or will be once some cards have left."""
    going = {*leaving}
    return ZONES_EACH - sum(number not in going for number in holding(p, zone, seat))


def hold(t: Table, number: int, zone: str = "monster", slot: int = 0) -> None:
    """A card that has just come takes a zone: this one, else the first that is free."""
    p = t.pos
    seat = p.cards[number].controller
    taken = {at for card, at in slots(p, zone, seat).items() if card != number}
    free = (n for n in range(1, ZONES_EACH + 1) if n not in taken)
    t.mark(number, "zone", slot or next(free), RULES[zone])


def slots(p: Position, zone: str, seat: int) -> dict[int, int]:
    """Which of the five zones each card of a player holds, from 1.

    One that nobody has given a zone, as in a position that was written down, takes the first free.
    """
    cards = holding(p, zone, seat)
    found = {card: at for card in cards if isinstance(at := p.mark(card, "zone"), int)}
    free = [at for at in range(1, ZONES_EACH + 1) if at not in found.values()]
    return found | dict(zip((card for card in cards if card not in found), free, strict=False))
