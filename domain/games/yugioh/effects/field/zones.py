"""Zones of the field: which of the five a card holds, and how many are free.

One may be kept for a card that was banished out of it and comes back (`kept`). A Trap that was
Summoned as a monster has one of either kind. How cards leave them is in `places`.
"""

from __future__ import annotations

from collections.abc import Iterable

from domain.effects.instructions.lasting import RETURN
from domain.engine.table import Table
from domain.games.yugioh.effects.figures import stock
from domain.games.yugioh.manifest import IN_SPELL_ZONE as IN_SPELL_ZONE
from domain.games.yugioh.manifest import ZONES_EACH
from domain.record.position import Position, Scheduled, zone_of

#: What holds a zone of a player: monsters with those that are being Summoned.
HOLD = {"monster": ("monster", "limbo"), "spell": ("spell",)}
#: What a `move` says that keeps the zones of its cards.
KEPT = "held"
RULES = {"monster": "ygo:base.zone.1", "spell": "ygo:base.zone.2", "field": "ygo:base.zone.3"}


def holding(p: Position, zone: str, seat: int) -> list[int]:
    """The cards that hold zones of a player."""
    found = [number for one in HOLD[zone] for number in p.zone(one, seat)]
    if zone == "spell":
        found += (n for n in p.zones.get(f"monster/{seat}", ()) if p.mark(n, IN_SPELL_ZONE))
    return found


def held(p: Position, number: int, zone: str) -> int | None:
    """The zone of a kind that a card holds, from 1; None if nobody has given it one."""
    at = p.mark(number, _note(p, number, zone))
    return at if isinstance(at, int) else None


def _note(p: Position, number: int, zone: str) -> str:
    """The mark for the zone of a kind that a card holds."""
    elsewhere = zone == "spell" and zone_of(p.cards[number].place) == "monster"
    return IN_SPELL_ZONE if elsewhere else "zone"


def room(p: Position, zone: str, seat: int, leaving: Iterable[int] = ()) -> int:
    """How many zones are free, or will be once some cards have left."""
    going = {*leaving}
    taken = sum(number not in going for number in holding(p, zone, seat))
    return ZONES_EACH - taken - len(kept(p, zone, seat))


def hold(t: Table, number: int, zone: str = "monster", slot: int = 0) -> None:
    """A card that has just come takes a zone: this one, else the first that is free."""
    p = t.pos
    slot = slot or free(p, zone, p.cards[number].controller, number)[0]
    t.mark(number, _note(p, number, zone), slot, RULES[zone])


def free(p: Position, zone: str, seat: int, but: int = 0) -> list[int]:
    """The zones of a player that are free, from the left; a card among them may hold none yet."""
    taken = {at for card, at in slots(p, zone, seat).items() if card != but}
    taken.update(kept(p, zone, seat))
    return [at for at in range(1, ZONES_EACH + 1) if at not in taken]


def slots(p: Position, zone: str, seat: int) -> dict[int, int]:
    """Which of the five zones each card of a player holds, from 1.

    One that nobody has given a zone, as in a position that was written down, takes the first free.
    """
    cards = holding(p, zone, seat)
    found = {card: at for card in cards if (at := held(p, card, zone)) is not None}
    taken = {*found.values(), *kept(p, zone, seat)}
    left = [at for at in range(1, ZONES_EACH + 1) if at not in taken]
    return found | dict(zip((card for card in cards if card not in found), left, strict=False))


def kept(p: Position, zone: str, seat: int) -> list[int]:
    """The zones that nothing may use until the card comes back that a text has banished from there.

    That is so as long as it is banished (ygo:card.dimensionhole.1).
    """
    if zone != "monster" or not p.scheduled:
        return []
    place = f"{zone}/{seat}"
    waiting = (one for one in p.scheduled.values() if one.kind == RETURN and _keeps(p, one))
    away = {n for one in waiting for n in one.targets if isinstance(n, int) and p.present(n)}
    left = (was for was in p.departed.values() if was.now in away and was.place == place)
    return [at for was in left if isinstance(at := was.marks.get("zone"), int)]


def _keeps(p: Position, job: Scheduled) -> bool:
    """Whether the text that brings cards back keeps their zones for them."""
    found = dict(stock(p).effects(job.effect.partition("/")[0])).get(job.effect)
    return found is not None and any(clause.value == KEPT for clause in found.do)
