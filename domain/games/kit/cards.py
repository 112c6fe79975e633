"""Texts that are declared when played: which cards have them, what may be wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from msgspec.structs import replace

from domain.effects.language import written
from domain.effects.language.vocabulary import Clause, Effect, clauses_from
from domain.effects.language.words import Words
from domain.record.position import Position
from domain.words.phrases import Phrase


def declarable(text: Effect) -> Callable[[Any], Any]:
    """Cards of the kind of this text that have figures only: they get it, to be declared then."""

    def with_text(card: Any) -> Any:
        plain = card.type == text.kind and not card.effects
        return replace(card, effects=(text,)) if plain else card

    return with_text


def declarations(
    words: Words,
    tokens: Callable[[Position], Collection[str]] = lambda p: (),
    further: Callable[[Iterable[Clause]], Iterable[Phrase]] = lambda clauses: (),
) -> Callable[[str, Effect, Position], list[Phrase]]:
    """What is wrong with clauses that are declared for an effect; nothing if they can be played.

    `tokens` are those that a match has, `further` is what else a game finds wrong with clauses.
    """

    def faults(text: str, effect: Effect, p: Position) -> list[Phrase]:
        wrong = written.declaration_faults(text, effect, words, tokens(p))
        return wrong or list(further(clauses_from(text)))

    return faults
