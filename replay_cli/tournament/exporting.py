"""An event as tables for other programs: players, standings, pairings and results, CSV or JSON.

Each table is a list of rows with the same keys, numbers as numbers; CSV is written in UTF-8 with a
mark, which spreadsheets need, and can be read back by `reading`: a text that a spreadsheet would
take for a formula has an apostrophe before it there. What is hidden from who reads the state is not
in it, nor here.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import TYPE_CHECKING

from domain.tournament.state import Round, State
from replay_cli.tournament.overview import result
from replay_cli.typed.spreadsheet import APOSTROPHE, FORMULA

if TYPE_CHECKING:
    from kifu.v1.tournament_service_pb2 import GetStandingsResponse

    from domain.telling.book import CardFacts

Row = dict[str, object]


def players(s: State) -> list[Row]:
    """Everybody who takes part, or has."""
    return [
        {
            "number": one.number,
            "name": one.name,
            "key": one.key,
            "dropped": one.dropped,
            "list": "accepted" if one.accepted else "handed in" if one.list else "",
        }
        for one in s.players.values()
    ]


def lists(s: State, cards: Mapping[str, CardFacts]) -> list[Row]:
    """The lists of all players that can be read, a card a row."""
    return [
        {
            "number": one.number,
            "name": one.name,
            "key": one.key,
            "accepted": one.accepted,
            "part": part,
            "count": n,
            "card": card,
            "card name": cards[card].name if card in cards else "",
        }
        for one in s.players.values()
        if one.list
        for part, ids in s.lists[one.list].deck.parts.items()
        for card, n in Counter(ids).items()
    ]


def pools(s: State, cards: Mapping[str, CardFacts]) -> list[Row]:
    """The pools that can be read, a card a row."""
    return [
        {
            "number": one.number,
            "name": one.name,
            "key": one.key,
            "count": n,
            "card": card,
            "card name": cards[card].name if card in cards else "",
        }
        for one in s.players.values()
        if one.number in s.pools
        for card, n in Counter(s.pools[one.number].cards).items()
    ]


def standings(s: State, found: GetStandingsResponse) -> list[Row]:
    """All players in order of their places, with every figure that decided."""
    return [
        {
            "rank": one.rank,
            "number": one.player,
            "name": one.name,
            "key": s.players[one.player].key,
            "points": one.points,
            "won": one.won,
            "lost": one.lost,
            "drawn": one.drawn,
            "byes": one.byes,
            **{
                column.short: _number(figure)
                for column, figure in zip(found.tiebreaks, one.figures, strict=True)
            },
            "dropped": one.dropped,
        }
        for one in found.rows
    ]


def results(s: State, rounds: list[Round] | None = None) -> list[Row]:
    """All tables of all rounds (or of these), with their results."""
    return [row for one in (s.rounds if rounds is None else rounds) for row in _tables(s, one)]


def _tables(s: State, round_: Round) -> Iterator[Row]:
    for number, one in sorted(round_.tables.items()):
        outcome, second = one.outcome, s.players.get(one.second)
        winner = s.players.get(outcome.winner) if outcome is not None else None
        yield {
            "round": round_.number,
            "table": number,
            "player 1": s.players[one.first].name,
            "player 2": second.name if second is not None else "bye",
            "key 1": s.players[one.first].key,
            "key 2": second.key if second is not None else "",
            "result": result(one),
            "winner": winner.name if winner is not None else "",
            "both lost": outcome is not None and outcome.both_lost,
            "corrected": len([report for report in one.results if report.outcome is not None]) > 1,
        }


def as_csv(rows: list[Row]) -> str:
    """Rows for spreadsheets; without any, nothing."""
    if not rows:
        return ""
    out = StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]))
    writer.writeheader()
    for row in rows:
        writer.writerow({key: _cell(value) for key, value in row.items()})
    return "\ufeff" + out.getvalue()


def as_json(data: object) -> str:
    """Rows, or anything else, for programs."""
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _cell(value: object) -> object:
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"{APOSTROPHE}{value}"
    return ("yes" if value else "") if isinstance(value, bool) else value


def _number(text: str) -> float | int | None:
    if not text:
        return None
    return float(text) if "." in text else int(text)
