"""The games, one folder each, and the line that registers each of them.

A game's modules are loaded where its rulebook is asked for; what lies in its `folder` can be read
without.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from domain.record.schema import citations

if TYPE_CHECKING:
    from domain.effects.wording.phrasebook import Phrasebook
    from domain.games.kit.game import Game

_GAMES = {
    "gundam": "domain.games.gundam",
    "hollow_flux": "domain.games.hollow_flux",
    "yugioh": "domain.games.yugioh",
    "battle_spirits": "domain.games.battle_spirits",
}
_ELSEWHERE: dict[str, str] = {}


def register(game: str, package: str) -> None:
    """Register a game from another package, for example to try it."""
    _ELSEWHERE[game] = package


def package(game: str) -> str:
    """The package of a game; `KeyError` if there is none."""
    return {**_ELSEWHERE, **_GAMES}[game]


def names() -> tuple[str, ...]:
    """The games of this house."""
    return tuple(_GAMES)


@cache
def phrasebook(game: str) -> Phrasebook:
    """How a game tells the words of its card texts; empty if it says nothing of that."""
    module = f"{package(game)}.lists.phrasebook"
    from domain.effects.wording.phrasebook import Phrasebook

    try:
        found: Phrasebook = import_module(module).PHRASEBOOK
    except ModuleNotFoundError as error:
        if error.name is None or not module.startswith(error.name):
            raise
        return Phrasebook()
    return found


@cache
def rulebook(game: str) -> Game:
    """The rulebook of a game; `KeyError` if there is none."""
    book: Game = import_module(package(game)).RULEBOOK
    return book


def rules(game: str) -> dict[str, citations.Rule]:
    """The rule index of a game, in the order of its book; `KeyError` if there is no such game."""
    return citations.load(folder(game) / "rules.tsv")


def folder(game: str) -> Path:
    """Where a game's files lie; `KeyError` if there is no such game."""
    spec = find_spec(package(game))
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0])
