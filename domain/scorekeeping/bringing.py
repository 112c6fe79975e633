"""A card that no catalogue has, as a scorekeeper types it: what it is, or what is wrong with it.

What is typed is read by its game (`text.printing`), and checked as the act that brings it will be
(`officials.bringing`). The table's page and the terminal have the same form.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from domain import games
from domain.engine.rulebook import Refused
from domain.games.kit.lists.printed import BadPrint, Card
from domain.officials import bringing
from domain.record.position import Position
from domain.telling.book import Book, brought
from domain.telling.card_text import CardText, card_text
from domain.text import printing
from domain.words.phrases import message_of
from domain.words.tables import Language


class Understood(Struct, frozen=True):
    """A card that may be brought: as JSON, as it is read, and as its page says it."""

    text: str
    card: Card
    shown: CardText


class Wrong(Exception):
    """What is typed is no card that may be brought; `column` is empty where it is none of them."""

    def __init__(self, text: str, column: str = "") -> None:
        super().__init__(text)
        self.text, self.column = text, column


def compiles(game: str) -> bool:
    """Whether the texts of a game's cards are read; else they are declared as they come up."""
    return any(one.name == printing.TEXT for one in printing.columns(game))


def understood(
    p: Position, book: Book, language: Language, fields: Mapping[str, str]
) -> Understood:
    """The card that was typed so; raises `Wrong`."""
    heading = p.heading
    rules = games.rulebook(heading.game)
    try:
        card = printing.read(heading.game, fields)
        text = msgspec.json.encode({k: v for k, v in card.table.items() if k != "unread"}).decode()
        bringing.check(rules, heading.prints, (text,))
    except BadPrint as bad:
        raise Wrong(message_of(bad), bad.column) from None
    except Refused as refused:
        raise Wrong(refused.refusal.text) from None
    (facts,) = brought([text])
    return Understood(text, card, card_text(rules, book, facts, language))
