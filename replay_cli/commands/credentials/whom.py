"""The people for whom codes are issued (`--for`), and their names on slips.

Of a match: `A`, `B`, `scorekeeper`, `official`, `public`. Of an event: `players`, `player=NAME`,
`tables`, `table=N`, `officials`, `official=NAME`, `scorekeeper`, `public`, `public=N`; a player and
a table may also be named by a number, a range of tables as `table=1-12`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from domain.telling import tournament
from domain.telling.names import letter, player
from domain.tournament.state import Stage, State
from domain.words.phrases import phrase
from replay_cli.output import BadValue, say

if TYPE_CHECKING:
    from kifu.v1.code_service_pb2 import CodeHolder
    from kifu.v1.match_service_pb2 import Match

#: How far a range of tables goes at most.
TABLES = 1000
#: What people call roles.
ROLES = {
    "official": phrase("official"),
    "scorekeeper": phrase("scorekeeper"),
    "public": phrase("viewer"),
    **tournament.ROLES,
}


class Whom(Struct, frozen=True):
    """Whom a code is for, his name (it may be empty), what he is, and where he sits by now."""

    holder: CodeHolder
    name: str
    what: str
    where: str = ""


def of_match(match: Match, named: Sequence[str], late: str) -> list[Whom]:
    """Those of a match; none is named: who plays, and the scorekeeper of a real table."""
    letters = [letter(seat) for seat in range(len(match.seats))]
    keeper = ["scorekeeper"] if match.mode == "table" else []
    return [_of_match(match, one, letters, late) for one in named or [*letters, *keeper]]


def _of_match(match: Match, named: str, letters: Sequence[str], late: str) -> Whom:
    from kifu.v1.code_service_pb2 import CodeHolder

    where = say(phrase("match {match}", match=match.id))
    if named.upper() in letters:
        seat = letters.index(named.upper())
        holder = CodeHolder(role="seat", match_id=match.id, seat=seat)
        return Whom(holder, match.seats[seat], say(player(seat)), where)
    if named not in ("official", "scorekeeper", "public"):
        known = ", ".join([*letters, "scorekeeper", "official", "public"])
        raise BadValue(
            phrase("{named!r} is not one of {known}", named=named, known=known), param_hint="--for"
        )
    holder = CodeHolder(role=named, match_id=match.id, delay=late if named == "public" else "")
    return Whom(holder, "", say(ROLES[named]), where)


def of_event(s: State, named: Sequence[str], late: str) -> list[Whom]:
    """Those of an event; none is named: its players."""
    return [found for one in named or ["players"] for found in _of_event(s, one, late)]


def _of_event(s: State, named: str, late: str) -> Iterator[Whom]:
    from kifu.v1.code_service_pb2 import CodeHolder

    kind, _, which = named.partition("=")
    if kind in ("players", "player") and (kind == "player") == bool(which):
        yield from _players(s, which)
    elif (kind == "tables" and not which) or (kind == "table" and which):
        for number in _tables(s, which):
            holder = CodeHolder(role="scorekeeper", event_id=s.id, table=number)
            yield Whom(holder, _table(number), say(ROLES["scorekeeper"]))
    elif (kind == "officials" and not which) or (kind == "official" and which):
        yield from _officials(s, which)
    elif kind == "public" and which:
        for number in _tables(s, which):
            holder = CodeHolder(role="public", event_id=s.id, table=number, delay=late)
            yield Whom(holder, _table(number), say(ROLES["public"]))
    elif named in ("public", "scorekeeper", "official"):
        holder = CodeHolder(role=named, event_id=s.id, delay=late if named == "public" else "")
        yield Whom(holder, "", say(ROLES[named]))
    else:
        known = "players, player=NAME, tables, table=N, officials, official=NAME, public, public=N"
        raise BadValue(
            phrase("{named!r} is not one of {known}", named=named, known=known), param_hint="--for"
        )


def _players(s: State, which: str) -> Iterator[Whom]:
    """The players who have not dropped, or the one of a name, key or number."""
    from kifu.v1.code_service_pb2 import CodeHolder

    found = [one for one in s.players.values() if not (which or one.dropped)]
    if which:
        found = [
            one
            for one in s.players.values()
            if which in (str(one.number), one.key) or which.casefold() == one.name.casefold()
        ]
        if not found:
            raise BadValue(phrase("there is no player {which!r}", which=which), param_hint="--for")
    last = s.round
    here = last if last is not None and last.stage != Stage.ENDED else None
    for one in found:
        seating = here.of(one.number) if here is not None else None
        where = ""
        if here is not None and seating is not None and seating.second:
            text = "round {round}, table {table}"
            where = say(phrase(text, round=here.number, table=seating.number))
        holder = CodeHolder(role="seat", event_id=s.id, player=one.number, name=one.name)
        yield Whom(holder, one.name, say(phrase("player {n}", n=one.number)), where)


def _officials(s: State, which: str) -> Iterator[Whom]:
    """Those who are officials by name."""
    from kifu.v1.code_service_pb2 import CodeHolder

    people = {name: role for name, role in s.officials.items() if role}
    found = [name for name in people if not which or name.casefold() == which.casefold()]
    if not found:
        text = "there is no official {name!r}" if which else "no official has a name"
        raise BadValue(phrase(text, name=which), param_hint="--for")
    for name in found:
        holder = CodeHolder(role="official", event_id=s.id, name=name)
        yield Whom(holder, name, say(ROLES.get(people[name], phrase("official"))))


def _tables(s: State, which: str) -> list[int]:
    """The tables of a number or a range; all: those of the latest round that play."""
    if not which:
        found = s.round.tables.values() if s.round is not None else ()
        numbers = sorted(one.number for one in found if one.second)
        if not numbers:
            raise BadValue("no round is paired: name table=1-12", param_hint="--for")
        return numbers
    bounds = re.fullmatch(r"([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?", which)
    first, last = (int(bounds[1]), int(bounds[2] or bounds[1])) if bounds else (1, 0)
    if not first <= last < first + TABLES:
        raise BadValue(
            phrase("{which!r} names no tables, such as 4 or 1-12", which=which), param_hint="--for"
        )
    return [*range(first, last + 1)]


def _table(number: int) -> str:
    return say(phrase("Table {n}", n=number))
