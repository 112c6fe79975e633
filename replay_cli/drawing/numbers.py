"""The numbers of the cards on a table, by which officials call them, as a list beside a board.

A board has no room for them, and not every card has a line of its own there (`board`). Listed are
those that the viewer can follow, zone by zone, each with what lies with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from domain.record.position import Position
from domain.telling.book import Book
from domain.telling.names import Names
from replay_cli.output import hang, say


def numbers(book: Book, pos: Position) -> Iterator[str]:
    """A line for each zone that has cards with numbers: `@57 GM, @58–60 ????`."""
    names = Names(book, pos)
    for place in book.manifest.places():
        lying = [n for card in pos.zone(place) if card for n in (card, *pos.cards[card].attached)]
        runs = groupby(enumerate(lying), lambda one: (one[1] - one[0], pos.cards[one[1]].id))
        cards = [_run([n for _, n in run], book, pos) for _, run in runs]
        if cards:
            yield hang(f"{say(names.place(place))}: ", ", ".join(cards))


def _run(run: list[int], book: Book, pos: Position) -> str:
    """Cards with successive numbers that are all the same one."""
    last = f"–{run[-1]}" if len(run) > 1 else ""
    return f"@{run[0]}{last} {say(book.name(pos.cards[run[0]].id))}".strip()
