"""The face of a card, besides what `tiles` says in words: frame, corner, stars, gems, glyphs.

It is drawn as the game's `Look` (`record.schema.looks`) has it, of printed facts: the same for all
cards of a name, and nothing for a card that is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from domain.record.schema.manifest import Manifest
from domain.record.values import Value
from domain.telling.board.model import Face, Figure, Gem, Glyph
from domain.telling.book import Book, CardFacts
from domain.words.phrases import Phrase, joined, phrase

#: What facts are called that are no figures in play.
LABELS = {
    "cost": phrase("cost"),
    "stars": phrase("Level"),
    "reduction": phrase("reduction"),
    "symbols": phrase("symbols"),
}
BLANK = Face()


def face(book: Book, card: str) -> Face:
    """The face of a card by its id; blank if it is not known."""
    known: dict[str, Face] = book.faces
    if card not in known:
        found = book.cards.get(card)
        known[card] = _face(book, found) if found is not None else BLANK
    return known[card]


def glyphs(book: Book, values: Mapping[str, Value]) -> Iterator[Glyph]:
    """The signs of the keywords among values in force, or printed."""
    for key, sign in book.look.glyphs.items():
        value = values.get(key)
        if value not in (None, False, 0):
            yield Glyph(
                sign, book.manifest.label("stats", key), "" if value is True else str(value)
            )


def printed_glyphs(book: Book, card: str) -> tuple[Glyph, ...]:
    """The signs of the keywords that are printed on a card."""
    found = book.cards.get(card)
    keywords = found.facts.get("keywords") if found is not None else None
    facts = {**(found.facts if found is not None else {}), **(keywords or {})}
    return tuple(glyphs(book, facts))


def _face(book: Book, card: CardFacts) -> Face:
    look, manifest, facts = book.look, book.manifest, card.facts
    words = {*_words(facts.get(key) for key in look.by), card.type}
    stars = facts.get(look.stars)
    return Face(
        frame=next((colour for word, colour in look.frames.items() if word in words), "grey"),
        emblem=look.emblems.get(card.type, ""),
        corner=tuple(
            Figure(key, _label(manifest, key), str(facts.get(key, "")))
            for key in look.corner
            if type(facts.get(key)) is int or key in manifest.badges
        ),
        stars=Figure(look.stars, _label(manifest, look.stars), str(stars))
        if type(stars) is int and stars
        else None,
        gems=tuple(
            Gem(key, _label(manifest, key), tuple(found.items()), _colors(manifest, found))
            for key in look.gems
            if isinstance(found := facts.get(key), Mapping) and found
        ),
    )


def _words(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        yield from (value,) if isinstance(value, str) else (str(one) for one in value or ())


def _colors(manifest: Manifest, found: Mapping[str, Any]) -> Phrase:
    named = (
        phrase("{n} {color}", n=n, color=manifest.label("stats", color))
        for color, n in found.items()
    )
    return joined(", ", named)


def _label(manifest: Manifest, key: str) -> Phrase:
    return LABELS.get(key) or manifest.label("stats", key)
