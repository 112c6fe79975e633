"""The revival limit: who was never summoned properly is not Special Summoned by an effect.

That it was is a mark on the card. It follows it to the field, the Graveyard and banishment under
each new number (ygo:special.revive.1), and is lost in the hand and the decks: from the hand and the
Main Deck such a monster comes in a way of its own alone (`proper`, ygo:special.revive.2,
reading:ygo/A17). What may come out of the Extra Deck, the texts say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from domain.effects.language.vocabulary import Clause
from domain.engine.table import Table
from domain.games.yugioh.effects.figures import print_of
from domain.games.yugioh.lists.card import Card
from domain.record.position import Position, zone_of

MARK = "revivable"
_LOST_IN = frozenset({"hand", "deck", "extra"})
LIMIT, REVIVED = "ygo:special.revive.1", "ygo:special.revive.2"
#: By which rule a monster that is under the limit is not Special Summoned from there by an effect.
LIMITS = {"grave": LIMIT, "banished": LIMIT, "hand": REVIVED, "deck": REVIVED}


def limited(p: Position, number: int) -> str:
    """The rule by which no effect Special Summons a card from where it lies; empty: one may."""
    rule = LIMITS.get(zone_of(p.card(number).place), "")
    under = rule and print_of(p, number).revival_limit and not p.mark(number, MARK)
    return rule if under else ""


def own_way(print_: Card) -> bool:
    """Whether the text of a card that Special Summons it is how it is properly summoned.

    Such a way may start from the Graveyard (ygo:card.malefic-truth-dragon.1). One that has a
    condition for that, or its place in the Extra Deck, is revived like any other.
    """
    conditioned = any("condition" in effect.at for effect in print_.effects)
    return print_.special and not print_.extra and not conditioned


def proper(print_: Card, own: bool, clause: Clause) -> bool:
    """Whether a clause summons a monster in a way of its own.

    It is by its `own` text, by one that names it, or counts as the Summon that makes such monsters.
    """
    if own or clause.key in print_.kind:
        return True
    group = clause.choose.of if clause.choose is not None else clause.to
    while group is not None:
        names = group.match.get("name", "")
        if print_.name == names or (isinstance(names, list) and print_.name in names):
            return True
        group = group.besides
    return False


def lift(t: Table, number: int) -> None:
    """A monster was summoned properly: it may be revived from now on, where that matters."""
    lost = zone_of(t.pos.cards[number].place) in _LOST_IN
    if not lost and print_of(t.pos, number).revival_limit:
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
            t.mark(number, MARK, None, REVIVED)
        yield
        for number in were:
            now = p.latest(number)
            if now and now != number and zone_of(p.cards[now].place) not in _LOST_IN:
                t.mark(now, MARK, True, REVIVED)
