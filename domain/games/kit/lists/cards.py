"""Texts of cards: what may be wrong with them as they are written, and as they are declared."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.effects.declared import probing
from domain.effects.language.check import clause_faults, faults
from domain.effects.language.vocabulary import Effect
from domain.effects.language.words import Words
from domain.record.position import Position
from domain.words.phrases import Phrase, labelled, phrase


def text_faults(card: Any, words: Words, tokens: Collection[str] = ()) -> Iterator[Phrase]:
    """The faults of a card in any game: without a name, or with its texts."""
    if not card.name.strip():
        yield phrase("it needs a name")
    named = [effect.name for effect in card.effects]
    if len(named) != len(set(named)):
        yield phrase("two effects have the same name")
    for effect in card.effects:
        yield from faults(effect, words, effects=named, tokens=tokens)


def declarable(text: Effect, *types: str) -> Callable[[Any], Any]:
    """Cards that have figures only get this text, to be declared as it is reached.

    Those of these types; without any, of the type that the text is called after.
    """

    def with_text(card: Any) -> Any:
        plain = card.type in (types or (text.kind,)) and not card.effects
        return replace(card, effects=(text,)) if plain else card

    return with_text


def declarations(
    words: Words,
    tokens: Callable[[Position], Collection[str]] = lambda p: (),
) -> Callable[[str, Effect, Position], list[Phrase]]:
    """The faults of clauses declared for an effect; none if they can be played.

    `tokens` are those that a match has. At a real table nobody is asked but the players, who show
    what they have to.
    """

    def wrong_with(text: str, effect: Effect, p: Position) -> list[Phrase]:
        try:
            clauses = words.clauses(text)
        except msgspec.DecodeError as error:
            return [Phrase(str(error))]
        if not clauses:
            return [phrase("a declaration says at least one thing")]
        wrong = [
            labelled(f"{effect.name}, {clause.do}", fault)
            for clause in clauses
            for fault in clause_faults(clause, effect, words, (), tokens(p))
        ]
        asks = None if p.heading.mode == "table" else probing(clauses, words.layout)
        return wrong or ([asks] if asks is not None else [])

    return wrong_with
