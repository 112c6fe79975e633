"""Pairings and results of a round from tables.

    table,player,player           table,player,player,result
    1,Ann,Ben                     1,Ann,Ben,2-1
    2,#7,bye                      2,Cleo,Dan,0-2 no-show

Players stand there as `people` finds them. A result needs no players, or no table number; where
both are there they must agree, and players may stand the other way round than at their table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from domain.text import outcomes
from domain.text.outcomes import BadOutcome
from domain.tournament.record import Outcome, Table
from domain.words.phrases import message_of, phrase
from replay_cli.tournament.reading.people import NOBODY, Nobody, People, Person
from replay_cli.typed.spreadsheet import Column, Faults, Row, read, shown

TABLE, FIRST, SECOND, RESULT, WINNER = "table", "player 1", "player 2", "result", "winner"
PLAYERS = (
    Column(TABLE, ("table number", "no", "nr", "board")),
    Column(FIRST, ("player", "first", "a", "home", "name 1", "player a")),
    Column(SECOND, ("player", "second", "opponent", "b", "away", "name 2", "player b")),
)
PAIRINGS = (PLAYERS[0], *(Column(one.name, one.also, True) for one in PLAYERS[1:]))
RESULTS = (*PLAYERS, Column(RESULT, ("score", "outcome"), True), Column(WINNER, ("won by",)))


class Result(Struct, frozen=True):
    """The result of a table, and the line of its file."""

    outcome: Outcome
    line: int = 0


def pairings(path: Path, people: People) -> tuple[Table, ...]:
    """The tables of a file; raises `Failed` with all that is wrong.

    Where they have no numbers, they are counted. Whether everybody plays is not asked here.
    """
    faults = Faults(path)
    found: list[Table] = []
    seen: dict[tuple[str, int], int] = {}

    def once(kind: str, number: int, text: str, line: int, column: str) -> None:
        if (first := seen.setdefault((kind, number), line)) != line:
            where = phrase("{name} stands on line {line} too", name=text, line=first)
            faults.add(where, line, column)

    for count, row in enumerate(read(path, PAIRINGS).rows, 1):
        number = _number(row, faults) if row[TABLE] else count
        once(TABLE, number, phrase("table {n}", n=number), row.line, TABLE)
        two = [_person(row, column, people, faults) for column in (FIRST, SECOND)]
        for one, column in zip(two, (FIRST, SECOND), strict=True):
            if one is not None:
                once("player", one.number, one.name, row.line, column)
                if one.dropped:
                    faults.add(phrase("{player} has dropped", player=one.name), row.line, column)
        present = [one.number for one in two if one is not None]
        if len(present) == 2 and present[0] == present[1]:
            faults.add(phrase("nobody plays himself"), row.line)
        if not present and all(row[column].casefold() in NOBODY for column in (FIRST, SECOND)):
            faults.add(phrase("nobody sits there"), row.line)
        first, second, *_ = (*present, 0, 0)
        found.append(Table(number, first, second))
    if not found:
        faults.add(phrase("it has no pairings"))
    faults.check()
    return tuple(found)


def results(path: Path, people: People, tables: Sequence[Table], best_of: int) -> dict[int, Result]:
    """The results of tables, by number; raises `Failed` with all that is wrong.

    Rows without a result are left out.
    """
    faults = Faults(path)
    by_number = {table.number: table for table in tables}
    found: dict[int, Result] = {}
    for row in read(path, RESULTS).rows:
        table = _table(row, by_number, people, faults)
        if table is None or not (row[RESULT] or row[WINNER]):
            continue
        if table.number in found:
            first = found[table.number].line
            text = phrase("table {n} has its result on line {line}", n=table.number, line=first)
            faults.add(text, row.line, RESULT)
            continue
        try:
            found[table.number] = Result(_outcome(row, table, people, best_of), row.line)
        except (BadOutcome, Nobody) as error:
            faults.add(phrase("table {n}: {error}", n=table.number, error=error), row.line, RESULT)
    faults.check()
    return found


def _outcome(row: Row, table: Table, people: People, best_of: int) -> Outcome:
    """The outcome in a row of a table; raises `BadOutcome`, `Nobody`."""
    turned = bool(row[FIRST]) and people.find(row[FIRST]).number != table.first
    seated = Table(table.number, table.second, table.first) if turned else table
    winner = None
    if row[WINNER]:
        nobody = row[WINNER].casefold() in (*NOBODY, "draw")
        winner = 0 if nobody else people.find(row[WINNER]).number
        if winner and winner not in (table.first, table.second):
            text = "{player} does not sit at table {n}"
            raise BadOutcome(phrase(text, player=row[WINNER], n=table.number))
    outcome = outcomes.read(row[RESULT], seated, best_of, winner=winner)
    return outcomes.turned(outcome) if turned else outcome


def _table(row: Row, tables: Mapping[int, Table], people: People, faults: Faults) -> Table | None:
    """The table that a row is about: by its number, by who sits there, or both."""
    wrong = len(faults.texts)
    number = _number(row, faults) if row[TABLE] else 0
    players = [_person(row, column, people, faults) for column in (FIRST, SECOND)]
    named = {one.number for one in players if one is not None}
    if len(faults.texts) > wrong:
        return None
    if number and number not in tables:
        faults.add(phrase("there is no table {n}", n=number), row.line, TABLE)
        return None
    fitting = [
        table
        for table in tables.values()
        if number in (0, table.number) and named <= {table.first, table.second}
    ]
    if len(fitting) == 1 and (number or named):
        return fitting[0]
    if number:
        faults.add(phrase("they do not sit at table {n}", n=number), row.line, FIRST)
    else:
        text = phrase("they do not play each other") if named else phrase("no table is named")
        faults.add(text, row.line)
    return None


def _number(row: Row, faults: Faults) -> int:
    text = row[TABLE]
    if text.isascii() and text.isdecimal() and 0 < int(text) < 10**6:
        return int(text)
    faults.add(phrase("{text} is no number of a table", text=shown(text)), row.line, TABLE)
    return 0


def _person(row: Row, column: str, people: People, faults: Faults) -> Person | None:
    if row[column].casefold() in NOBODY:
        return None
    try:
        return people.find(row[column])
    except Nobody as error:
        faults.add(message_of(error), row.line, column)
        return None
