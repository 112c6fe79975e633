"""Zones of the field: which of the five a card holds, how many are free, how cards leave them.

What leaves the field goes to its owner's zones (ygo:base.owner.1); Tokens are gone
(ygo:base.token.1), and Xyz Materials stay behind without their monster (ygo:base.xyz.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from domain.engine.table import Table
from domain.games.kit.zones import moves
from domain.games.yugioh.effects.figures import print_of
from domain.games.yugioh.manifest import ZONES_EACH
from domain.record.position import Position, zone_of

#: What holds a zone of a player: monsters with those that are being Summoned.
HOLD = {"monster": ("monster", "limbo"), "spell": ("spell",)}
RULES = {"monster": "ygo:base.zone.1", "spell": "ygo:base.zone.2", "field": "ygo:base.zone.3"}
MATERIALS = moves.Riders(("ygo:base.xyz.1",), to="grave", why="host")


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


def home(p: Position, number: int, zone: str) -> str:
    """Where a card goes that is sent to a zone: the Extra Deck's own to it (ygo:base.deck.3)."""
    if zone in ("hand", "deck") and print_of(p, number).extra:
        return "extra"
    return zone


def leave(t: Table, numbers: Sequence[int], zone: str, why: str, *cites: str) -> list[int]:
    """Cards leave the field for a zone of their owners, at one moment; their numbers there."""
    p = t.pos
    arrived: list[int] = []
    with t.at_once():
        tokens = [n for n in numbers if p.cards[n].token]
        for to in dict.fromkeys(home(p, n, zone) for n in numbers if n not in tokens):
            theirs = [n for n in numbers if n not in tokens and home(p, n, zone) == to]
            taken = any(p.cards[n].owner != p.cards[n].controller for n in theirs)
            rules = (*cites, "ygo:base.owner.1") if taken else cites
            arrived += moves.leave(
                t, theirs, lambda owner, to=to: f"{to}/{owner}", why, *rules,  # type: ignore[misc]
                riders=MATERIALS,
            )  # fmt: skip
        if tokens:
            t.remove(tokens, why, "ygo:base.token.1", *cites)
    return arrived


def send(t: Table, numbers: Sequence[int], zone: str, why: str, *cites: str) -> list[int]:
    """Cards go to a zone of their owners from wherever they lie, at one moment."""
    p = t.pos
    field = [
        n for n in numbers if zone_of(p.cards[n].place) in ("monster", "limbo", "spell", "field")
    ]
    arrived: list[int] = []
    with t.at_once():
        arrived += leave(t, field, zone, why, *cites)
        for number in numbers:
            if number not in field:
                owner = p.cards[number].owner
                arrived += t.move([number], f"{home(p, number, zone)}/{owner}", why, *cites)
    return arrived
