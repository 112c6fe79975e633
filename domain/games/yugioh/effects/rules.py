"""What texts forbid players, and what they say of their own card wherever it lies.

A lasting "cannot" may be about a player, and narrowed to some cards; a constant text with the zone
`anywhere` is a rule about the card itself: how it may not be Summoned, how many Tributes it needs.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.effects.conditions import all_hold
from domain.effects.constant import players
from domain.effects.constant.calculator import texts
from domain.effects.language.vocabulary import Clause
from domain.effects.select import Running, Terms
from domain.games.yugioh.effects.figures import print_of, stock
from domain.record.position import Position


def forbidden(terms: Terms, p: Position, seat: int, act: str, number: int = 0) -> list[str]:
    """The texts by which a player may not do something, with a card as it is printed."""
    if not p.modifiers:
        return []
    card = p.cards.get(number)
    was = card.up if card is not None else True
    if card is not None:
        card.up = True  # who plays it knows which it is
    try:
        return texts(players.barring(terms, p, seat, act, number))
    finally:
        if card is not None:
            card.up = was


def own(terms: Terms, p: Position, number: int) -> Iterator[Clause]:
    """What a card's texts say of it wherever it lies."""
    for ref, effect in stock(p).effects(print_of(p, number).id):
        if effect.zone == "anywhere":
            run = Running(0, ref, effect, number, p.card(number).owner, 0)
            if all_hold(terms, p, effect.when, run):
                yield from effect.do


def never_special(terms: Terms, p: Position, number: int) -> bool:
    """Whether a card says that it can't be Special Summoned, by other texts than its own."""
    return any((c.do, c.key) == ("forbid", "special-summon") for c in own(terms, p, number))


def tributes(terms: Terms, p: Position, number: int, usual: int) -> int:
    """How many Tributes a monster needs by what it says itself."""
    said = [c.n for c in own(terms, p, number) if (c.do, c.key) == ("modify", "tributes")]
    return said[-1] if said else usual
