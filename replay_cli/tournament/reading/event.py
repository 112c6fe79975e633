"""The file of an event for `kifu event new`, in TOML.

    rules = "bandai-2025"          # a manual (kifu event policy); what follows takes its place
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
    cut = 8                        # how many play on in single elimination; 0: nobody; -1: by chart
    chart = [[8, 3, 0], …]         # up to 8 players: 3 rounds, and nobody plays on
    points = [3, 1, 0]             # for a win, a draw, a loss
    tiebreaks = ["opponents-match-win", "game-win", "opponents-game-win"]
    reserved = "match-loss"        # only the head judge gives this penalty, and graver ones
    apart = true                   # no official plays; false: as your manual has it not
    conceding = true               # who drops gives up the match that he is paired for
    least_rate = "0.33"            # what a win rate counts as at least
    chance = "shared"              # where chance comes from in matches that are dealt
    prints = ["more-cards.toml"]   # cards that no catalogue has
    starters = ["st05.toml"]       # lists of decks as they are sold, which a list of cards exempts
    [format.options]               # of the game

    [pools]                        # decks are built from pools
    way = "sealed"                 # or "draft"
    pod = 8                        # players of a pod; 0: none; in a draft 8, or the manual's
    within = false                 # rounds within pods; in a draft true if it says nothing
    size = 60                      # cards of a pool, or the fewest and the most: [42, 45]
    deck = 30                      # cards of the main part at least; 0: as many as ever
    free = ["resource"]            # parts, and cards, of which everybody has as many as he likes
    changing = true                # between rounds; sealed true, draft false if it says nothing

    [[infraction]]                 # in the place of those of its manual (kifu event penalty)
    name = "tardiness"             # further label, rule (its section)
    penalty = "warning"            # the usual one; most = "game-loss": how far repeats raise it
    late = [[0, "warning"], [5, "game-loss"]]  # by minutes since the round's start

    [stages.cut]                   # swiss, cut, final: with what they have of their own
    best_of = 3                    # minutes, [stages.cut.end], together
    first = "seed"                 # who stood better chooses who goes first in the first game

    [players]
    file = "players.csv"           # entered as the event is made
    barred = ["Max Maus", "K77"]   # names, or keys, that are not entered
    [officials]
    "Eva Eder" = "head judge"      # or "judge", "scorekeeper"

Files are named as seen from this one's folder.
"""

from __future__ import annotations

import tomllib
from datetime import date
from math import isfinite
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from domain.record.schema import policy
from domain.record.schema.policy import BadPolicy
from domain.record.values import Value
from domain.tournament import manuals
from domain.tournament.record import (
    DRAFT,
    HEAD_JUDGE,
    JUDGE,
    SCOREKEEPER,
    Format,
    Infraction,
    Pools,
    StageFormat,
)
from domain.tournament.standings import DEFAULT, TIEBREAKS
from domain.words.phrases import joined, phrase
from replay_cli.output import MISSING, REFUSED, Failed
from replay_cli.typed import lists

#: The tables of the file that are no part of its policy.
FORMAT, PLAYERS, OFFICIALS, STAGES = "format", "players", "officials", "stages"
INFRACTIONS, POOLS = "infraction", "pools"
_OWN = (FORMAT, PLAYERS, OFFICIALS, STAGES, INFRACTIONS, POOLS)
ROLES = (HEAD_JUDGE, JUDGE, SCOREKEEPER)


class EventFile(Struct, frozen=True):
    """The content of an event's file: its name, its format, its players' file, its officials.

    And who is `barred`; `mode_given`: the file, or its manual, says how matches are played.
    """

    name: str
    format: Format
    players: Path | None
    officials: dict[str, str]
    barred: tuple[str, ...] = ()
    mode_given: bool = True


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
    starters: tuple[str, ...] = ()
    options: dict[str, Any] = {}
    chart: tuple[tuple[int, int, int], ...] = ()
    least_rate: str = ""
    conceding: bool = False
    reserved: str = ""
    apart: bool = False


class _Infraction(Struct, forbid_unknown_fields=True):
    name: str
    label: str = ""
    penalty: str = ""
    most: str = ""
    rule: str = ""
    late: tuple[tuple[float, str], ...] = ()

    def read(self) -> Infraction:
        """It as an event has it: times in seconds."""
        late = tuple((round(minutes * 60), kind) for minutes, kind in self.late)
        label, usual = self.label or self.name, self.penalty or (late[0][1] if late else "")
        return Infraction(self.name, label, usual, self.most, self.rule, late)


class _Pools(Struct, forbid_unknown_fields=True, frozen=True):
    way: Literal["", "sealed", "draft"] = ""
    pod: int | None = None
    draft_pod: int = 8
    within: bool | None = None
    size: int | tuple[int, int] = 0
    deck: int = 0
    free: tuple[str, ...] = ()
    changing: bool | None = None

    def read(self) -> Pools:
        """Them as an event has them: in a draft there are pods, which play within themselves."""
        draft = self.way == DRAFT
        if not self.way:  # which is what the manual says of other events
            return Pools()
        pod = self.draft_pod * draft if self.pod is None else self.pod
        least, most = (self.size, self.size) if isinstance(self.size, int) else self.size
        within = draft if self.within is None else self.within
        changing = not draft if self.changing is None else self.changing
        return Pools(self.way, pod, within, least, most, self.deck, self.free, changing)


class _Stage(Struct, forbid_unknown_fields=True):
    best_of: int = 1
    minutes: float = 0
    together: str = ""
    first: Literal["", "seed"] = ""
    end: dict[str, Any] = {}

    def of(self, name: str) -> StageFormat:
        """What a stage of this name has of its own; raises `BadPolicy`."""
        settled = policy.from_table({"together": self.together, "end": self.end})
        seconds = round(self.minutes * 60)
        return StageFormat(name, self.best_of, seconds, settled.end, self.together, self.first)


class _Players(Struct, forbid_unknown_fields=True):
    file: str = ""
    barred: tuple[str, ...] = ()


class _Tables(Struct):
    format: _Format
    players: _Players | None = None
    officials: dict[str, str] = {}
    stages: dict[str, _Stage] = {}
    infraction: tuple[_Infraction, ...] = ()
    pools: _Pools = _Pools()


def read(path: Path, *, yes: bool = True) -> EventFile:
    """Read an event's file; raises `Failed` with its faults."""
    try:
        file = tomllib.loads(path.read_text("utf-8-sig"))
        if POOLS in file and not file[POOLS].get("way"):
            raise ValueError(phrase('pools: way is missing: "sealed" or "draft"'))
        rules, table = _ruled(file, path.parent)
        own = {name: table.pop(name) for name in _OWN if name in table}
        moded = "mode" in own.get(FORMAT, {})
        tables = msgspec.convert(own, _Tables)
        options = {name: _option(value) for name, value in tables.format.options.items()}
        options = msgspec.convert(options, dict[str, Value])
        settled = policy.from_table(table)
        _check(tables, settled.event)
    except OSError as error:
        raise Failed(
            phrase("{path} can't be read: {strerror}", path=path, strerror=error.strerror), MISSING
        ) from error
    except (ValueError, BadPolicy, msgspec.ValidationError) as error:
        raise Failed(phrase("{path}: {error}", path=path, error=error), REFUSED) from error
    f = tables.format
    if f.starters:
        options["starters"] = lists.counted([path.parent / name for name in f.starters])
    game = f"{f.game}@{f.edition}" if f.edition else f.game
    cards = lists.brought([path.parent / name for name in f.prints], game, yes=yes)
    format_ = Format(
        game, f.best_of, "" if f.mode == "none" else f.mode, options, settled, cards,
        round(f.minutes * 60), f.rounds, f.cut, f.points, f.tiebreaks, f.chance,
        rules, tuple(one.of(name) for name, one in tables.stages.items()), f.chart, f.least_rate,
        tuple(one.read() for one in tables.infraction), f.conceding,
        f.reserved, f.apart, tables.pools.read(),
    )  # fmt: skip
    named = tables.players or _Players()
    people = path.parent / named.file if named.file else None
    return EventFile(settled.event, format_, people, tables.officials, named.barred, moded)


def _option(value: Any) -> Any:
    """An option as matches have it: a day, a list of words and days by words are texts."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, dict) and all(isinstance(day, date) for day in value.values()):
        value = [f"{word}:{day.isoformat()}" for word, day in value.items()]
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def _ruled(table: dict[str, Any], folder: Path) -> tuple[str, dict[str, Any]]:
    """The name of the manual in a file, and the file laid over it.

    An organiser's own is a file as well (`rules = "ours.toml"`). Raises `ValueError`, `OSError`.
    """
    rules = str(table.pop("rules", ""))
    if not rules:
        return "", table
    if rules.endswith(".toml"):
        own = tomllib.loads((folder / rules).read_text("utf-8-sig"))
        inner, below = _ruled(own, folder)
        return rules.removesuffix(".toml") or inner, manuals.over(below, table)
    game = str(table.get(FORMAT, {}).get("game", ""))
    return rules, manuals.over(manuals.manual(rules, game), table)


def _check(tables: _Tables, name: str) -> None:
    """Make sure that a file says what can be meant; raises `ValueError`."""
    f = tables.format
    if not name:
        raise ValueError(phrase('it has no name: event = "…" at its top'))
    if unknown := [one for one in f.tiebreaks if one not in TIEBREAKS]:
        text = "there is no tie-break {name!r}; there are {known}"
        raise ValueError(phrase(text, name=unknown[0], known=joined(", ", TIEBREAKS)))
    if not isfinite(f.minutes) or not 0 <= f.minutes <= 24 * 60:
        raise ValueError(phrase("minutes: a round lasts from nothing to a day"))
    for person, role in tables.officials.items():
        if role not in ROLES:
            text = "officials: {person} is {role!r}, which is not one of {known}"
            known = joined(", ", ROLES)
            raise ValueError(phrase(text, person=person, role=role, known=known))
