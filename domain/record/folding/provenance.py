"""The part of its owner's list that a card of a real table is from, if that is known.

Nobody has named it, but it was laid down with the main deck or with the guard deck, and what it may
turn out to be is what that part lists (`engine.naming`). The fold keeps it up as cards move; where
cards of several parts were mixed, nobody can say it any more. It is kept in the heading, outside
the digest, since nothing that is played depends on it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from domain.record.position import Position


def made(p: Position, numbers: Iterable[int], part: str) -> None:
    """Cards of a part of a list are laid down."""
    if part and p.heading.mode == "table":
        p.heading.parts |= {number: part for number in numbers if number}


def moved(p: Position, old: int, new: int) -> None:
    """A card goes by another number."""
    parts = p.heading.parts
    if old in parts:
        part = parts.pop(old)
        if new:
            parts[new] = part


def mixed(p: Position, numbers: Collection[int]) -> None:
    """Nobody can tell these cards apart any more."""
    parts = p.heading.parts
    if len({parts.get(number, "") for number in numbers}) > 1:
        for number in numbers:
            parts.pop(number, None)


def held(p: Position, zone: Iterable[int]) -> None:
    """Cards came together in a hand or the like, where only their owner tells one from another.

    The scorekeeper can't, so any of those that nobody has named may be any of them.
    """
    cards = p.cards
    mixed(p, [n for n in zone if n in cards and not cards[n].id and not cards[n].up])


def shuffled(p: Position, was: Sequence[int], base: int, order: Sequence[int]) -> None:
    """Cards were shuffled and are numbered from `base`; in that order, if it is known at all."""
    if not order:
        mixed(p, was)
    for new, index in enumerate(order or range(len(was)), base):
        moved(p, was[index], new)
