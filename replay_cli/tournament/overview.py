"""An event as others print or export it: tables, standings and results by the names of the players.

From its state alone (`domain.tournament.state`); what is on a sheet is in `printing.sheets`, what
is in a file in `exporting`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from domain.telling.tournament import round_name
from domain.text import outcomes
from domain.tournament import progress
from domain.tournament.pairing.pods import neighbours
from domain.tournament.scores import scores
from domain.tournament.state import Round, Seating, Stage, State
from replay_cli.output import say
from replay_cli.tournament.printing.sheets import (
    Code,
    Heading,
    Place,
    Seat,
    Seats,
    Sitting,
    Slip,
    Standings,
)
from replay_cli.tournament.reading.people import People, Person

if TYPE_CHECKING:
    from kifu.v1.tournament_service_pb2 import GetStandingsResponse


def people(s: State) -> People:
    """The players, to be found by what somebody calls them."""
    return People(Person(one.number, one.name, one.key, one.dropped) for one in s.players.values())


def heading(s: State, round_: Round | None = None, note: str = "") -> Heading:
    """The heading of a sheet of a round, or of the whole event."""
    if round_ is None:
        return Heading(s.name, note=note)
    return Heading(s.name, say(round_name(round_, progress.planned(s))), note)


def result(seating: Seating) -> str:
    """The result of a table, as it is typed; empty: none yet."""
    return outcomes.write(seating.outcome) if seating.outcome is not None else ""


def seats(s: State, round_: Round, *, with_results: bool = False) -> list[Seats]:
    """The tables of a round, with the points that their players came with."""
    before = scores(s.players, progress.played(s.rounds[: round_.number - 1]), s.format.points)

    def seat(player: int) -> Seat:
        return Seat(s.players[player].name, before[player].points)

    return [
        Seats(
            one.number,
            seat(one.first),
            seat(one.second) if one.second else None,
            result(one) if with_results and one.second else "",
        )
        for _, one in sorted(round_.tables.items())
    ]


def pods(s: State) -> list[Sitting]:
    """Who sits where in which pod, with his neighbours among those who play on."""
    gone = {one.number for one in s.players.values() if one.dropped}
    names = {0: ""} | {one.number: one.name for one in s.players.values()}
    found = []
    for number, pod in enumerate(s.pods, 1):
        for seat, one in enumerate(pod, 1):
            two = (0, 0) if one in gone else neighbours(pod, one, gone)
            left, right = (names[other] for other in two)
            found.append(Sitting(number, seat, names[one], left, right, one in gone))
    return found


def standings(found: GetStandingsResponse) -> Standings:
    """The places of all players, as they are printed."""
    rows = tuple(
        Place(
            str(one.rank), one.name, str(one.points), f"{one.won}-{one.lost}-{one.drawn}",
            tuple(one.figures), one.dropped,
        )
        for one in found.rows
    )  # fmt: skip
    heads = tuple(column.short for column in found.tiebreaks)
    return Standings(rows, heads, tuple(column.label for column in found.tiebreaks))


def slips(
    s: State,
    round_: Round,
    codes: Mapping[int, tuple[Code, ...]] | None = None,
    heads: Mapping[int, str] | None = None,
) -> list[Slip]:
    """A slip for each table that plays; codes and heads of records by the number of the table."""
    games = (round_.format or s.format).best_of
    found = []
    for number, one in sorted(round_.tables.items()):
        if not one.second:
            continue
        recorded = (round_.format or s.format).mode and round_.stage != Stage.PAIRED
        match = s.match(round_.number, number) if recorded else ""
        found.append(
            Slip(
                number, s.players[one.first].name, s.players[one.second].name, games, match,
                (heads or {}).get(number, ""), (codes or {}).get(number, ()),
            )
        )  # fmt: skip
    return found
