"""Manuals of publishers, as an event's file names them: `rules = "bandai-2025"`.

A manual is a table like an event's file: its format, the end of time, penalties, what stages have
of their own; and further its `title`, the `games` it is for, `about`, what it leaves open and how
that is read here, `sections` by which acts at an event are refused, the infractions that are found
in `decks`, and under `game` what is otherwise in one of them. What an event's file says itself
takes the place of what its manual says.
Sections are cited by their ids, which are in `manuals.tsv` of `domain.record.schema`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any

#: What a manual has that an event's file has not.
OWN = ("title", "games", "about", "game", "sections", "decks")
#: The settings that make standings.
STANDINGS = ("points", "tiebreaks", "least_rate")


class NoSuchManual(ValueError):
    """There is no manual of that name; the text names those there are."""


def names() -> list[str]:
    """The manuals there are, by name."""
    files = resources.files(__package__).iterdir()
    return sorted(one.name.removesuffix(".toml") for one in files if one.name.endswith(".toml"))


def manual(name: str, game: str = "") -> dict[str, Any]:
    """A manual by its name, as it is for a game; raises `NoSuchManual`."""
    if name not in names():
        raise NoSuchManual(f"there is no manual {name!r}; there are {', '.join(names())}")
    found = tomllib.loads((resources.files(__package__) / f"{name}.toml").read_text("utf-8"))
    if game and found["games"] and game not in found["games"]:
        raise NoSuchManual(f"{name} is for {', '.join(found['games'])}, not for {game}")
    own = {key: found[key] for key in OWN if key in found}
    return own | over(found, own.get("game", {}).get(game, {}))


def section(name: str, about: str) -> str:
    """The section of a manual that something is refused by; empty: it has none, or is unknown."""
    if name not in names():
        return ""
    return str(manual(name).get("sections", {}).get(about, ""))


def standings(name: str, settled: Mapping[str, Any]) -> str:
    """The section of a manual that standings are by; empty: none, or an event settles them itself.

    `settled` are the settings of the event's format.
    """
    found = section(name, "standings")
    own = manual(name)["format"] if found else {}
    same = all(_plain(settled[key]) == _plain(own[key]) for key in STANDINGS if key in own)
    return found if same else ""


def _plain(value: Any) -> Any:
    return [*value] if isinstance(value, list | tuple) else value


def of_decks(name: str) -> list[str]:
    """The infractions of a manual that checks of decks find, the likeliest first."""
    return [*manual(name).get("decks", ())] if name in names() else []


def over(manual: Mapping[str, Any], file: Mapping[str, Any]) -> dict[str, Any]:
    """What a manual says, and a file over it: tables are merged, the rest replaces."""
    found = {key: value for key, value in manual.items() if key not in OWN}
    for key, value in file.items():
        below = found.get(key)
        found[key] = over(below, value) if isinstance(below, dict) else value
    return found
