"""The file of an event for `kifu event new`, in TOML.

    event = "Regional"             # as in the files of `kifu open --settings`: clocks, penalties,
    [end]                          # the end of time, …
    turns = 3

    [format]
    game = "…"
    edition = "1.0"                # of the game's book; the newest if it says nothing
    best_of = 3                    # 1 if it says nothing
    mode = "table"                 # or "dealer"; "none": results are entered, no match is recorded
    minutes = 50                   # how long a round lasts; 0: no clock
    rounds = 5                     # Swiss rounds; 0: as many as the players need
    cut = 8                        # how many play on in single elimination; 0: nobody
    points = [3, 1, 0]             # for a win, a draw, a loss
    tiebreaks = ["opponents-match-win", "game-win", "opponents-game-win"]
    chance = "shared"              # where chance comes from in matches that are dealt
    prints = ["more-cards.toml"]   # cards that no catalogue has
    [format.options]               # of the game

    [players]
    file = "players.csv"           # entered as the event is made
    [officials]
    "Eva Eder" = "head judge"      # or "judge", "scorekeeper"

Files are named as seen from this one's folder.
"""

from __future__ import annotations

import tomllib
from math import isfinite
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from domain.record.schema import policy
from domain.record.schema.policy import BadPolicy
from domain.record.values import Value
from domain.tournament.record import HEAD_JUDGE, JUDGE, SCOREKEEPER, Format
from domain.tournament.standings import DEFAULT, TIEBREAKS
from replay_cli.output import MISSING, REFUSED, Failed
from replay_cli.typed import lists

#: The tables of the file that are no part of its policy.
FORMAT, PLAYERS, OFFICIALS = "format", "players", "officials"
ROLES = (HEAD_JUDGE, JUDGE, SCOREKEEPER)


class EventFile(Struct, frozen=True):
    """The content of an event's file: its name, its format, its players' file, its officials."""

    name: str
    format: Format
    players: Path | None
    officials: dict[str, str]


class _Format(Struct, forbid_unknown_fields=True):
    game: str
    edition: str = ""
    best_of: int = 1
    mode: Literal["table", "dealer", "none"] = "table"
    minutes: float = 0
    rounds: int = 0
    cut: int = 0
    points: tuple[int, int, int] = (3, 1, 0)
    tiebreaks: tuple[str, ...] = DEFAULT
    chance: str = ""
    prints: tuple[str, ...] = ()
    options: dict[str, Value] = {}


class _Players(Struct, forbid_unknown_fields=True):
    file: str


class _Tables(Struct):
    format: _Format
    players: _Players | None = None
    officials: dict[str, str] = {}


def read(path: Path) -> EventFile:
    """Read an event's file; raises `Failed` with its faults."""
    try:
        table = tomllib.loads(path.read_text("utf-8-sig"))
        own = {name: table.pop(name) for name in (FORMAT, PLAYERS, OFFICIALS) if name in table}
        tables = msgspec.convert(own, _Tables)
        settled = policy.from_table(table)
        _check(tables, settled.event)
    except OSError as error:
        raise Failed(f"{path} can't be read: {error.strerror}", MISSING) from error
    except (ValueError, BadPolicy, msgspec.ValidationError) as error:
        raise Failed(f"{path}: {error}", REFUSED) from error
    f = tables.format
    cards = lists.brought((), [path.parent / name for name in f.prints])
    game = f"{f.game}@{f.edition}" if f.edition else f.game
    format_ = Format(
        game, f.best_of, "" if f.mode == "none" else f.mode, f.options, settled, cards,
        round(f.minutes * 60), f.rounds, f.cut, f.points, f.tiebreaks, f.chance,
    )  # fmt: skip
    people = path.parent / tables.players.file if tables.players is not None else None
    return EventFile(settled.event, format_, people, tables.officials)


def _check(tables: _Tables, name: str) -> None:
    """Make sure that a file says what can be meant; raises `ValueError`."""
    f = tables.format
    if not name:
        raise ValueError('it has no name: event = "…" at its top')
    if unknown := [one for one in f.tiebreaks if one not in TIEBREAKS]:
        raise ValueError(f"there is no tie-break {unknown[0]!r}; there are {', '.join(TIEBREAKS)}")
    if not isfinite(f.minutes) or not 0 <= f.minutes <= 24 * 60:
        raise ValueError("minutes: a round lasts from nothing to a day")
    for person, role in tables.officials.items():
        if role not in ROLES:
            raise ValueError(
                f"officials: {person} is {role!r}, which is not one of {', '.join(ROLES)}"
            )
