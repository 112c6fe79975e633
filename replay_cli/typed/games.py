"""The game that a command is given, by name and edition of its book (`domain.games`)."""

from __future__ import annotations

from collections.abc import Iterable

from domain import games
from domain.words.phrases import joined, phrase
from replay_cli.output import MISSING, Failed


def chosen(game: str, edition: str = "", known: Iterable[str] = ()) -> str:
    """The game that is meant, among those known: by default the first, in its newest edition.

    Raises `Failed` with all there are.
    """
    known = list(known)
    game = game or (known or games.names())[0]
    try:
        return games.chosen(game, edition, known)
    except (KeyError, ValueError):
        wanted = f"{game}@{edition}" if edition else game
        text = phrase(
            "there is no game {wanted!r}; there are {known}",
            wanted=wanted,
            known=joined(", ", known or games.every()),
        )
        raise Failed(text, MISSING) from None
