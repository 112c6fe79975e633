"""A player's list: for himself and officials; for everybody once it is published.

What of it is for whom the API says; that an official reads it is written down there. The hall shows
it with what can be done about it (`service.web.hall.people`), the event's page to everybody else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from domain.telling.book import Book
from domain.text import decklists
from domain.text.cardfacts import called
from domain.tournament.record import Deck
from domain.tournament.state import Player, State
from service.web.answers import NOTHING
from service.web.site import Site
from service.web.visitors import Visitor

ACCEPTED, HANDED_IN, FAULTY, MISSING = "accepted", "handed-in", "faulty", "missing"


class Row(Struct, frozen=True):
    """So many of a card; `name` is empty where no catalogue has it."""

    count: int
    card: str
    name: str


class Part(Struct, frozen=True):
    """A part of a list."""

    name: str
    size: int
    rows: tuple[Row, ...]


class Handed(Struct, frozen=True):
    """The list of a player, `text` as it is typed, and his `pool`.

    Without parts: it can't be read.
    """

    player: Player
    state: str
    deck: str = ""
    parts: tuple[Part, ...] = ()
    faults: tuple[str, ...] = ()
    text: str = ""
    pool: tuple[Row, ...] = ()


def stage(s: State, player: Player) -> str:
    """How far the list of a player has come."""
    handed = s.lists.get(player.list)
    if player.accepted:
        return ACCEPTED
    if handed is None:
        return MISSING
    return FAULTY if handed.faults else HANDED_IN


async def handed_in(
    site: Site, visitor: Visitor, event: str, player: int
) -> tuple[State, int, Handed]:
    """The event and what the clock shows, as `insiders.event_of`; the list. Raises `Fault`."""
    s, now = await site.event(event, visitor.sender, with_lists=True), site.tournaments.clock()
    if player not in s.players:
        raise NOTHING
    one = s.players[player]
    handed = s.lists.get(one.list)
    book = site.book(s.format.game, visitor.sender.language, s.format.prints)
    pool = rows(book, s.pools[player].cards) if player in s.pools else ()
    if handed is None:
        return s, now, Handed(one, MISSING, pool=pool)
    deck: Deck = handed.deck
    shown = Handed(
        one, stage(s, one), deck.name, _parts(book, deck), tuple(handed.faults),
        decklists.whole(deck.parts), pool,
    )  # fmt: skip
    return s, now, shown


def _parts(book: Book, deck: Deck) -> tuple[Part, ...]:
    return tuple(Part(called(name), len(ids), rows(book, ids)) for name, ids in deck.parts.items())


def rows(book: Book, cards: Iterable[str]) -> tuple[Row, ...]:
    """Cards as they are shown, each with how many there are of it."""
    return tuple(
        Row(n, card, facts.name if (facts := book.cards.get(card)) is not None else "")
        for card, n in Counter(cards).items()
    )
