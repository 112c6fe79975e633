"""Zones of the field: which of the five a card holds, how many are free, how cards leave them.

What leaves the field goes to its owner's zones (ygo:base.owner.1); Tokens are gone
(ygo:base.token.1), and Xyz Materials stay behind without their monster (ygo:base.xyz.1).
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.effects.constant.calculator import texts
from domain.effects.select import BOUND
from domain.engine.table import Table
from domain.games.kit.zones import moves
from domain.games.yugioh.effects import rules
from domain.games.yugioh.effects.attributes import noted
from domain.games.yugioh.effects.field.zones import HOLD as HOLD
from domain.games.yugioh.effects.field.zones import RULES
from domain.games.yugioh.effects.field.zones import free as free
from domain.games.yugioh.effects.field.zones import hold as hold
from domain.games.yugioh.effects.field.zones import holding as holding
from domain.games.yugioh.effects.field.zones import room as room
from domain.games.yugioh.effects.field.zones import slots as slots
from domain.games.yugioh.effects.figures import (
    SUMMONED_TWICE,
    print_of,
    reaches,
    was_on_field,
)
from domain.games.yugioh.effects.summons.revival import followed
from domain.games.yugioh.effects.texts import TERMS
from domain.games.yugioh.lists.formats import chosen
from domain.record.position import Position, zone_of
from domain.record.values import Ref

#: Why a card leaves the field that is destroyed (ygo:base.destroy.1).
DESTROYED = ("destroyed", "rule", "battle")
#: By which rule Materials go to the Graveyard.
DETACHED = "ygo:base.xyz.1"


def home(p: Position, number: int, zone: str) -> str:
    """Where a card goes that is sent to a zone: the Extra Deck's own to it (ygo:base.deck.3)."""
    if zone in ("hand", "deck") and print_of(p, number).extra:
        return "extra"
    return zone


def release(t: Table, numbers: Sequence[int]) -> None:
    """End the effects on cards that have become other cards.

    Equip Cards lose them, nothing is tied to them any more, and no counter stays on them.
    """
    p = t.pos
    over = [key for key, m in p.modifiers.items() if {*m.targets} & {*numbers}]
    if over:
        t.end_modifiers(over, "field", "ygo:base.face.1")
    for number in numbers:
        t.mark(number, SUMMONED_TWICE, None, "ygo:base.face.1")
    loose = [n for n, link in p.links.items() if link.host in numbers]
    t.link(loose, 0, "equip", "ygo:base.spell.4")
    untie(t, numbers, "ygo:base.face.1")
    for number in numbers:
        for kind, n in [*p.cards[number].counters.items()]:
            t.counters(kind, n, "ygo:base.face.1", src=number)


def untie(t: Table, numbers: Sequence[int], *cites: str) -> None:
    """Nothing is tied to cards any more (`bind`)."""
    p = t.pos
    tied = [n for n, card in p.cards.items() if card.marks and p.mark(n, BOUND)]
    for number in tied:
        if number in numbers or p.mark(number, BOUND) in numbers:
            t.mark(number, BOUND, None, *cites)


def leave(t: Table, numbers: Sequence[int], zone: str, why: str, *cites: str) -> list[int]:
    """Cards leave the field for a zone of their owners, at one moment; their numbers there."""
    return send(t, numbers, zone, why, *cites)


def send(t: Table, numbers: Sequence[int], zone: str, why: str, *cites: str) -> list[int]:
    """Cards go to a zone of their owners from wherever they lie, at one moment.

    Materials of those that leave go to the Graveyard (ygo:base.xyz.1). Where a text has another
    destination, that is judged for all of them before any has moved, and no card's own text speaks
    of its own going (ygo:effect.continuous.5).
    """
    p = t.pos
    beneath = [n for host in numbers for n in p.cards[host].attached if n not in numbers]
    tokens = [n for n in (*numbers, *beneath) if p.cards[n].token]
    cards = [n for n in numbers if n not in tokens]
    beneath = [n for n in beneath if n not in tokens]
    together = (*numbers, *beneath)
    hosts, under = _grouped(p, cards, zone, together), _grouped(p, beneath, "grave", together)
    with t.at_once():
        for (to, by), some in hosts.items():
            taken = any(p.cards[n].owner != p.cards[n].controller for n in some)
            owned = ("ygo:base.owner.1",) if taken else ()
            _go(t, some, to, why, *cites, *owned, *by)
        for (to, by), some in under.items():
            _go(t, some, to, "host", DETACHED, *by)
        if tokens:
            t.remove(tokens, why, "ygo:base.token.1", *cites)
        now = [p.departed[n].now for n in numbers if n in p.departed and n not in tokens]
        if why in DESTROYED:
            _note_destroyed(t, cards, *cites)
    return [n for n in now if n]


def _grouped(
    p: Position, numbers: Sequence[int], zone: str, together: Sequence[int]
) -> dict[tuple[str, tuple[str, ...]], list[int]]:
    """Cards by where they go, and by the texts that say so (`whither`)."""
    groups: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for number in numbers:
        groups.setdefault(whither(p, number, zone, together), []).append(number)
    return groups


def _go(t: Table, numbers: Sequence[int], zone: str, why: str, *cites: str) -> None:
    with followed(t, numbers, zone):
        moves.leave(t, numbers, lambda owner: f"{zone}/{owner}", why, *cites, riders=moves.STAY)


def _note_destroyed(t: Table, numbers: Sequence[int], *cites: str) -> None:
    """Cards have been destroyed on the field: those that came to a Graveyard note it."""
    p = t.pos
    for number in (n for n in numbers if n in p.departed and was_on_field(p, n)):
        here = p.cards.get(now := p.departed[number].now)
        if here is not None and zone_of(here.place) == "grave":
            noted(t, now, "was-destroyed", *cites)


def whither(
    p: Position, number: int, zone: str, together: Sequence[int]
) -> tuple[str, tuple[str, ...]]:
    """Where a card goes that is sent to a zone, along with others; and the texts that say so.

    What can't be banished goes to the Graveyard after all.
    """
    to = home(p, number, zone)
    if to == "banished" and (by := rules.unbanishable(TERMS, p, number, *p.seats())):
        return "grave", tuple(by)
    if to != "grave":
        return to, ()
    redirecting = [
        one
        for one in p.modifiers.values()
        if one.change.op == "redirect"
        and one.change.key == "grave"
        and one.source not in together
        and reaches(TERMS, p, one, number)
        and not (one.change.value == "banished" and _unbanishable_by(p, number, one.source))
    ]
    if not redirecting:
        return to, ()
    return str(redirecting[-1].change.value), tuple(texts(redirecting[-1:]))


def make_way(t: Table, seat: int) -> None:
    """A card in a Field Zone makes way for a Field Spell that comes there."""
    leave(t, list(t.pos.zone("field", seat)), "grave", "rule", RULES["field"])


def alone(t: Table, seat: int) -> None:
    """A Field Spell lies face up; where there may be one in the whole duel, the rival's goes."""
    if chosen(t.pos.heading.options).fields == "one":
        others = [n for n in t.pos.zone("field", t.pos.rival(seat)) if t.pos.cards[n].up]
        leave(t, others, "grave", "rule", RULES["field"], "ygo:base.destroy.1")


def _unbanishable_by(p: Position, number: int, source: Ref) -> bool:
    """Whether a text of this card can't have another one banished."""
    card = p.cards.get(source) if isinstance(source, int) else None
    seats = p.seats() if card is None else (card.controller,)
    return bool(rules.unbanishable(TERMS, p, number, *seats))


def set_down(t: Table, seat: int, number: int, zone: str, *cites: str) -> None:
    """A Spell or a Trap is Set face down; what lies in the Field Zone makes way for one there."""
    with t.at_once():
        if zone == "field":
            make_way(t, seat)
        by = (*cites, "ygo:base.set.1", RULES[zone])
        (now,) = t.move([number], f"{zone}/{seat}", "set", *by, up=False)
        if zone in HOLD:
            hold(t, now, zone)
