"""Lasting effects on players: changed limits, and forbidden acts.

A text names them as cards of the zone `player` (`words.PLAYER`); in a position they are the seats
(`seat/0`). What acts on cards is in `calculator`.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.effects.constant.calculator import numbers, towards_card
from domain.effects.select import PLAYER, Terms
from domain.record.position import Modifier, Position


def acting(p: Position, seat: int) -> Iterator[Modifier]:
    """The modifiers that act on a player, oldest first."""
    for modifier in p.modifiers.values():
        if f"seat/{seat}" in modifier.targets or _within(p, modifier, seat):
            yield modifier


def _within(p: Position, modifier: Modifier, seat: int) -> bool:
    group, source = modifier.scope, modifier.source
    if group is None or group.zone != PLAYER:
        return False
    if not isinstance(source, int) or not p.present(source):
        return False
    own = p.cards[source].controller == seat
    return group.whose == "any" or own == (group.whose == "yours")


def limit(p: Position, seat: int, key: str, usual: int) -> int:
    """A number that is a player's, such as how many cards he may hold."""
    changes = [one.change for one in acting(p, seat) if one.change.key == key]
    return numbers({key: usual}, changes)[key]


def barring(terms: Terms, p: Position, seat: int, act: str, card: int = 0) -> Iterator[Modifier]:
    """Each "cannot" in force that stops an act of a player, one with a card if it is narrowed."""
    for modifier in acting(p, seat):
        change = modifier.change
        if change.op == "forbid" and change.key == act:
            narrowed = change.against is not None
            if not narrowed or (card and towards_card(terms, p, change, seat, card)):
                yield modifier
