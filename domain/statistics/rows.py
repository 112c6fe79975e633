"""The tables of figures, as rows that programs and pages show each in their own way.

What is counted is in `figures`; which names cards, seats and reasons have for people is for those
to say who show them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from domain.statistics.facts import WAYS
from domain.statistics.figures import Figures, Rate, Tallied

SUMMARY, DECKS, AGAINST, CARDS = "summary", "decks", "against", "cards"


class Row(NamedTuple):
    """A row: of what, in how many games, and how many of them were won, where that is known.

    `kind` is `deck`, `seat`, `turn` (who took the first one, and who did not), `end`, `against`
    (a deck and the `other`), or a way in which cards are seen (`facts.WAYS`).
    """

    kind: str
    name: str
    other: str
    games: int
    rate: Rate | None


def rows(f: Figures, by: str) -> list[Row]:
    """The rows of a table; raises `KeyError` if there is none of that name."""
    return [*_TABLES[by](f)]


def _summary(f: Figures) -> Iterator[Row]:
    yield from _rated("turn", f.order)
    yield from _rated("seat", f.seats)
    yield from _decks(f)
    yield from (Row("end", why, "", n, None) for why, n in f.ends.most_common())


def _decks(f: Figures) -> Iterator[Row]:
    for deck, n in sorted(f.played.items(), key=lambda one: (-one[1], one[0])):
        yield Row("deck", deck, "", n, f.decks.rate(deck))


def _against(f: Figures) -> Iterator[Row]:
    for deck in sorted(f.played):
        for other in sorted(f.played):
            rate = f.versus(deck, other)
            if rate.of:
                yield Row("against", deck, other, rate.of, rate if deck != other else None)


def _cards(f: Figures) -> Iterator[Row]:
    for way, tallied in zip(WAYS, f.cards, strict=True):
        yield from _rated(way, tallied)


def _rated(kind: str, tallied: Tallied) -> Iterator[Row]:
    for name in tallied:
        rate = tallied.rate(name)
        yield Row(kind, name, "", rate.of, rate)


_TABLES: dict[str, Callable[[Figures], Iterator[Row]]] = {
    SUMMARY: _summary,
    DECKS: _decks,
    AGAINST: _against,
    CARDS: _cards,
}
#: The tables there are.
TABLES = tuple(_TABLES)
