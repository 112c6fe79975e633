"""The games, one folder each, and the line that registers each of them."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from domain.games.kit.game import Game

_GAMES = {
    "gundam": "domain.games.gundam",
    "hollow_flux": "domain.games.hollow_flux",
}


def names() -> tuple[str, ...]:
    """The games that can be played."""
    return tuple(_GAMES)


@cache
def rulebook(game: str) -> Game:
    """The rulebook of a game; `KeyError` if there is none of that name."""
    book: Game = import_module(_GAMES[game]).RULEBOOK
    return book
