"""The games, one folder each, and the line that registers each of them."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from domain.engine.rulebook import Rulebook

_GAMES = {
    "gundam": "domain.games.gundam",
    "hollow_flux": "domain.games.hollow_flux",
}


def names() -> tuple[str, ...]:
    """The games that can be played."""
    return tuple(_GAMES)


@cache
def rulebook(game: str) -> Rulebook:
    """The rulebook of a game; `KeyError` if there is none of that name."""
    book: Rulebook = import_module(_GAMES[game]).RULEBOOK
    return book
