"""Which games the tests of all games are tried on, and what they ask of one (ADDING.md)."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from domain.games import names, package, rulebook

#: All there are, with the small one that is there to be read.
GAMES = (*names(), "lamps")


def is_whole(game: str) -> bool:
    """Whether a game is finished: one whose version is below 1.0 is being written."""
    return not rulebook(game).manifest.version.startswith(f"{game} 0.")


def cards_of(game: str) -> ModuleType:
    """The module that has a game's cards; in a game of one folder it is not in `lists`."""
    nested = f"{package(game)}.lists"
    return import_module(f"{nested}.cards" if find_spec(nested) else f"{package(game)}.cards")


def tiebreaks(game: str) -> tuple[str, ...]:
    """The figures of a seat in the game's tallies: its life, few cards in hand, its deck."""
    of = {tally.name: tally for tally in rulebook(game).tallies}
    life, hand, deck = (of[name].zone or of[name].counters[0] for name in ("life", "hand", "deck"))
    return tuple(dict.fromkeys((life, f"-{hand}", deck)))
