"""The games, one folder each, and the line that registers each of them.

A game's modules are loaded where its rulebook is asked for; what lies in its `folder` can be read
without. A game is called by its name, `gundam`, which means the first edition of its book, or by
that and a later edition's, `gundam@1.9`: the editions are those that the folder has an index of
(`rules-1.9.tsv`), and what carries one out is the same code (`in_edition` of the game's package).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from domain.record.schema import citations
from domain.record.schema.citations import without_edition

if TYPE_CHECKING:
    from domain.effects.wording.phrasebook import Phrasebook
    from domain.games.kit.game import Game
    from domain.games.kit.lists.printed import Reading

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


#: What the edition is called that a name alone means.
FIRST = "1.0"


def package(game: str) -> str:
    """The package of a game, in whichever edition; `KeyError` if there is none."""
    name, _, edition = game.partition("@")
    found = {**_ELSEWHERE, **_GAMES}[name]
    if edition and edition not in editions(name):
        raise KeyError(game)
    return found


def names() -> tuple[str, ...]:
    """The games of this house."""
    return tuple(_GAMES)


@cache
def editions(name: str) -> tuple[str, ...]:
    """The editions of a game's book, the newest last; `KeyError` if there is no such game."""
    later = (path.stem.removeprefix("rules-") for path in folder(name).glob("rules-*.tsv"))
    return (FIRST, *sorted(later, key=_age))


def key_of(name: str, edition: str) -> str:
    """What a game is called in an edition of its book."""
    return name if edition in ("", FIRST) else f"{name}@{edition}"


def every() -> tuple[str, ...]:
    """Each edition of each game of this house."""
    return tuple(key_of(name, one) for name in names() for one in editions(name))


def newest() -> tuple[str, ...]:
    """The games of this house, each in the newest edition of its book."""
    return tuple(key_of(name, editions(name)[-1]) for name in names())


def chosen(game: str, edition: str = "", known: Iterable[str] = ()) -> str:
    """The game that somebody asks for: in the edition that he names, else in the newest.

    `gundam`, `gundam@1.0`, or `gundam` and `1.0`. `known` are the games there are, by default those
    of this house and those that were registered; `KeyError` if it is none of them.
    """
    name, _, named = game.partition("@")
    of_game = [one for one in known or (*every(), *_ELSEWHERE) if without_edition(one) == name]
    if edition := named or edition:
        of_game = [one for one in of_game if one == key_of(name, edition)]
    if not of_game:
        raise KeyError(game)
    return max(of_game, key=lambda one: _age(one.partition("@")[2] or FIRST))


def _age(edition: str) -> list[int]:
    return [int(part) for part in edition.split(".")]


def folder(game: str) -> Path:
    """Where a game's files lie, in whichever edition; `KeyError` if there is no such game."""
    spec = find_spec(package(game.partition("@")[0]))
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0])


@cache
def phrasebook(game: str) -> Phrasebook:
    """How a game tells the words of its card texts; empty if it says nothing of that."""
    from domain.effects.wording.phrasebook import Phrasebook

    try:
        module = f"{package(game)}.lists.phrasebook"
    except KeyError:  # a program serves its rulebook without registering it
        return Phrasebook()
    try:
        found: Phrasebook = import_module(module).PHRASEBOOK
    except ModuleNotFoundError as error:
        if error.name is None or not module.startswith(error.name):
            raise
        return Phrasebook()
    return found


def reading(game: str) -> Reading:
    """How lists of a game's printed cards are read; `KeyError` if it says nothing of that."""
    try:
        found: Any = import_module(f"{package(game)}.lists.reading")
    except ModuleNotFoundError:
        raise KeyError(game) from None
    return cast("Reading", found)


@cache
def rulebook(game: str) -> Game:
    """The rulebook of a game; `KeyError` if there is none."""
    module, edition = import_module(package(game)), game.partition("@")[2]
    book: Game = module.in_edition(edition) if edition else module.RULEBOOK
    return book


def rules(game: str) -> dict[str, citations.Rule]:
    """The rule index of a game, in the order of its book; `KeyError` if there is no such game."""
    edition = game.partition("@")[2]
    return citations.load(folder(game) / (f"rules-{edition}.tsv" if edition else "rules.tsv"))
