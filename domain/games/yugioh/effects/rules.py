"""Prohibitions of texts for players, and rules of texts about their own card in any place.

A lasting "cannot" may be about a player, and narrowed to some cards; a constant text with the zone
`anywhere` is a rule about the card itself: how it may not be Summoned, how many Tributes it needs.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.effects.conditions import all_hold
from domain.effects.constant import calculator, players
from domain.effects.constant.calculator import applies, texts
from domain.effects.language.vocabulary import Clause
from domain.effects.select import Running, Terms
from domain.engine.signals import unknown
from domain.games.yugioh.effects.figures import monsters, print_of, stock
from domain.games.yugioh.effects.summons import revival
from domain.record.position import Modifier, Position

#: What texts forbid, or let a player do with a monster of his opponent's.
TRIBUTE = "tribute"
#: What texts forbid cards to be done, or players to do.
BANISH = "banish"


def forbidden(terms: Terms, p: Position, seat: int, act: str, number: int = 0) -> list[str]:
    """The texts by which a player may not do something, with a card as it is printed."""
    return texts(barring(terms, p, seat, act, number))


def barring(terms: Terms, p: Position, seat: int, act: str, number: int = 0) -> list[Modifier]:
    """The prohibition for a player to do something, with a card as it is printed.

    With one that nobody has named he may do it, unless he may with none: its name will tell.
    """
    if not p.modifiers:
        return []
    card = p.cards.get(number)
    if card is not None and unknown(p, number):
        return [*players.barring(terms, p, seat, act)]
    was = card.up if card is not None else True
    if card is not None:
        card.up = True  # who plays it knows which it is
    try:
        return [*players.barring(terms, p, seat, act, number)]
    finally:
        if card is not None:
            card.up = was


def unbanishable(terms: Terms, p: Position, number: int, *seats: int) -> list[str]:
    """The texts by which a card can't be banished by these players: it can't be, or they can't."""
    return texts(banning(terms, p, number, *seats)) if p.modifiers else []


def banning(terms: Terms, p: Position, number: int, *seats: int) -> list[Modifier]:
    """The prohibition for all of these players to banish a card."""
    found = [*calculator.barring(terms, p, number, BANISH)]
    each = [barring(terms, p, seat, BANISH, number) for seat in seats]
    return [*found, *(one for some in each for one in some if all(each))]


def lending(p: Position, seat: int) -> list[Modifier]:
    """The texts in force by which a player Tributes a monster of his opponent's."""
    return [
        one
        for one in p.modifiers.values()
        if (one.change.op, one.change.key) == ("allow", TRIBUTE)
        and isinstance(one.source, int)
        and p.card(one.source).controller == seat
    ]


def lent(terms: Terms, p: Position, seat: int) -> dict[int, list[str]]:
    """The monsters that a player must Tribute before any other, and the texts that say so."""
    found = lending(p, seat)
    if not found:
        return {}
    every = [n for one in (seat, p.rival(seat)) for n in monsters(p, one)]
    by = {n: texts(one for one in found if applies(terms, p, one, n)) for n in every}
    return {n: named for n, named in by.items() if named}


def own(terms: Terms, p: Position, number: int) -> Iterator[tuple[str, Clause]]:
    """The rules of a card's texts about itself in any place, each with the name of the text.

    That is no effect of a monster: nothing negates it (ygo:effect.rule.2).
    """
    for ref, effect in stock(p).effects(print_of(p, number).id):
        if effect.zone == "anywhere":
            run = Running(0, ref, effect, number, p.card(number).owner, 0)
            if all_hold(terms, p, effect.when, run):
                yield from ((run.text, clause) for clause in effect.do)


def no_summon(terms: Terms, p: Position, seat: int, number: int, kind: str) -> list[str]:
    """The texts by which a player may not Summon a card: in no way, or not of this kind.

    `kind` is `normal-summon` or `special-summon`; of a Token that is yet to come number 0 is asked.
    """
    if not p.modifiers:
        return []
    found = (*forbidden(terms, p, seat, "summon", number), *forbidden(terms, p, seat, kind, number))
    return [*dict.fromkeys(found)]


def unsummonable(
    terms: Terms, p: Position, seat: int, by: int, number: int, clause: Clause
) -> list[str]:
    """Why a clause of the card `by` can't Special Summon a card; empty: it can.

    A text that forbids it to the player, one of the card itself, which may speak of other ways than
    its own alone, or the revival limit (`revival.limited`).
    """
    if found := no_summon(terms, p, seat, number, "special-summon"):
        return found
    if by == number and revival.own_way(print_of(p, number)):
        return []
    properly = revival.proper(print_of(p, number), by == number, clause)
    limit = revival.limited(p, number)
    if limit == revival.LIMIT or (limit and not properly):
        return [limit]
    barred = ((text, (c.do, c.key)) for text, c in own(terms, p, number) if not properly)
    never = [text for text, named in barred if named == ("forbid", "special-summon")]
    return ["ygo:effect.rule.2", *never] if never else []


def tributes(terms: Terms, p: Position, number: int, usual: int) -> int:
    """How many Tributes a monster needs by what it says itself."""
    named = [c.n for _, c in own(terms, p, number) if (c.do, c.key) == ("modify", "tributes")]
    return named[-1] if named else usual
