"""What a game is beside a rulebook: what people's texts, and made-up cards, ask of it."""

from __future__ import annotations

from typing import Protocol

from domain.effects.check import Words
from domain.engine.rulebook import Rulebook


class Game(Rulebook, Protocol):
    """A game of this house."""

    #: what its card texts may name beside what all games share
    words: Words
