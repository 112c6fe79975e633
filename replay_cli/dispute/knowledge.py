"""The viewers who knew each card at a position, as far as its viewer may know.

Lists the places whose cards not all may know; what everybody knows is left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.record.position import Position
from domain.record.values import EVERYONE
from domain.record.views import OFFICIAL, PUBLIC
from domain.telling.book import Book
from domain.telling.names import Names, cards, player, players
from domain.words.phrases import phrase
from replay_cli.dispute.model import Knowledge
from replay_cli.dispute.tables import plain


def knowledge(book: Book, pos: Position, viewer: int) -> Iterator[Knowledge]:
    """Place by place, what is known to the same people together."""
    names = Names(book, pos)
    for place in book.manifest.places():
        numbers = pos.zone(place)
        groups: dict[int, list[int]] = {}
        for n in numbers:
            groups.setdefault(_knowers(pos, n), []).append(n)
        for who, some in sorted(groups.items(), reverse=True):
            if who == EVERYONE:
                continue
            text = names.cards(some) if who else cards(len(some))
            yield Knowledge(plain(names.place(place)), plain(text), plain(_who(book, who, viewer)))


def _knowers(pos: Position, number: int) -> int:
    """The seats that know a card, as the viewer may know: a mask; 0: nobody."""
    card = pos.cards.get(number)
    return card.seen if card is not None and card.id else 0


def _who(book: Book, who: int, viewer: int) -> str:
    """In words; what the reader does not know he does not learn about others either."""
    seats = [seat for seat in range(book.manifest.seats) if who >> seat & 1]
    if seats:
        return players(seats)
    if viewer == OFFICIAL:
        return phrase("no player")
    reader = phrase("the public") if viewer == PUBLIC else player(viewer)
    return phrase("not to {reader}", reader=reader)
