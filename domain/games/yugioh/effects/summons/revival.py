"""The revival limit: who was never summoned properly is not revived by an effect.

That it was is a mark on the card. It follows it to the field, the Graveyard and banishment under
each new number, and is lost in the hand and the decks (ygo:special.revive.1, ygo:special.revive.2,
reading:ygo/A17).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from domain.engine.table import Table
from domain.games.yugioh.effects.figures import print_of
from domain.games.yugioh.lists.card import Card
from domain.record.position import Position, zone_of

MARK = "revivable"
#: Where a monster that is under the limit is not Special Summoned from by an effect.
LIMITED = frozenset({"grave", "banished"})
_LOST_IN = frozenset({"hand", "deck", "extra"})
LIMIT, AGAIN = "ygo:special.revive.1", "ygo:special.revive.2"


def limited(p: Position, number: int) -> bool:
    """Whether the revival limit stands in the way of an effect that would revive a card."""
    place = zone_of(p.card(number).place)
    return place in LIMITED and print_of(p, number).revival_limit and not p.mark(number, MARK)


def own_way(print_: Card) -> bool:
    """Whether the text of a card that Special Summons it is how it is properly summoned.

    Such a way may start from the Graveyard (ygo:card.malefic-truth-dragon.1). One that has a
    condition for that, or its place in the Extra Deck, is revived like any other.
    """
    conditioned = any("condition" in effect.at for effect in print_.effects)
    return print_.special and not print_.extra and not conditioned


def lift(t: Table, number: int) -> None:
    """A monster was summoned properly: it may be revived from now on."""
    if print_of(t.pos, number).revival_limit:
        t.mark(number, MARK, True, LIMIT)


@contextmanager
def followed(t: Table, numbers: Sequence[int], zone: str) -> Iterator[None]:
    """While cards go to a zone: the mark goes along, or is lost there.

    That is part of the same moment.
    """
    p = t.pos
    were = [number for number in numbers if p.mark(number, MARK)]
    with t.at_once():
        for number in were if zone in _LOST_IN else ():
            t.mark(number, MARK, None, AGAIN)
        yield
        for number in were:
            now = p.latest(number)
            if now and now != number and zone_of(p.cards[now].place) not in _LOST_IN:
                t.mark(now, MARK, True, AGAIN)
