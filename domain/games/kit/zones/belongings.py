"""Allowed places of Tokens, counters on cards, and cards that belong to others.

A game declares it (`Belongings`) and looks, as what no position of its shows (`Game`), whether one
keeps to it. How many cards a zone has room for is in `room`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from domain.record.position import Position, zone_of
from domain.words.phrases import Phrase, phrase


class Belongings(Struct, frozen=True, kw_only=True):
    """The zones in which Tokens lie, cards hold counters of a kind, and belong to one another."""

    tokens: Collection[str] = ()
    counters: Mapping[str, Collection[str]] = {}
    ties: Collection[str] = ()


def strays(p: Position, where: Belongings, *, tokens: bool = True) -> Iterator[Phrase]:
    """Tokens, counters and ties that are where none can be; of `tokens` only where that is asked.

    In some books a Token goes where any card would go, and leaves the game from there.
    """
    for number, card in p.cards.items():
        zone = zone_of(card.place)
        if tokens and card.token and zone not in where.tokens:
            yield phrase("Token {number} lies in {place}", number=number, place=card.place)
        for kind, n in card.counters.items():
            if n and zone not in where.counters.get(kind, ()):
                yield phrase(
                    "card {number} in {place} holds {n} {kind}",
                    number=number,
                    place=card.place,
                    n=n,
                    kind=kind,
                )
    for number, link in p.links.items():
        for one in (number, link.host):
            if one in p.cards and zone_of(p.cards[one].place) not in where.ties:
                yield phrase(
                    "card {number} is tied to {host}, and one of them lies in {place}",
                    number=number,
                    host=link.host,
                    place=p.cards[one].place,
                )
