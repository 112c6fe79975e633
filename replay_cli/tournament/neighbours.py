"""An event in the forms that other sites read: players for Melee and TopDeck, Challonge's bracket.

Tables for spreadsheets and programs of one's own are in `exporting`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.tournament import progress
from domain.tournament.record import ELIMINATION
from domain.tournament.state import Round, Seating, State
from replay_cli.tournament.exporting import Row


def melee(s: State) -> list[Row]:
    """Who plays on, in the columns that Melee's import needs; an address is the key that is one."""
    rows: list[Row] = []
    for one in s.players.values():
        if not one.dropped:
            first, last = _names(one.name)
            email = one.key if "@" in one.key else ""
            rows.append({"Email": email, "FirstName": first, "LastName": last})
    return rows


def _names(name: str) -> tuple[str, str]:
    """First and last names: `Ann Abel`, `Abel, Ann`."""
    last, comma, first = name.partition(", ")
    if comma:
        return first, last
    first, _, last = name.rpartition(" ")
    return (first, last) if first else (last, "")


def topdeck(s: State) -> str:
    """Who plays on, a name a line, as TopDeck adds players by hand: all without an address."""
    return _lines(one.name for one in s.players.values() if not (one.dropped or "@" in one.key))


def topdeck_emails(s: State) -> str:
    """The addresses of the others, by which TopDeck adds players who have an account there."""
    return _lines(one.key for one in s.players.values() if not one.dropped and "@" in one.key)


def _lines(found: Iterable[str]) -> str:
    return "".join(f"{one}\n" for one in found)


def challonge(s: State) -> dict[str, Any]:
    """The elimination as Challonge's API shows a tournament, with participants and matches."""
    rounds = [one for one in s.rounds if one.by == ELIMINATION]
    seated = {n for one in rounds[:1] for table in one.tables.values() for n in table.players}
    places = {one.standing.player: one.rank for one in progress.places(s)}
    seeds = [one.player for one in progress.standing(s) if one.player in seated]
    participants = [
        {"id": n, "name": s.players[n].name, "seed": seed, "final_rank": places[n]}
        for seed, n in enumerate(seeds, 1)
    ]
    matches = [_match(at, table) for at in enumerate(rounds, 1) for table in _tables(at[1])]
    return {
        "tournament": {
            "name": s.name,
            "tournament_type": "single elimination",
            "state": "complete" if s.ended else "underway",
            "participants_count": len(participants),
            "participants": [{"participant": one} for one in participants],
            "matches": [{"match": one} for one in matches],
        }
    }


def _tables(round_: Round) -> list[Seating]:
    return [one for _, one in sorted(round_.tables.items()) if one.second]


def _match(at: tuple[int, Round], table: Seating) -> dict[str, Any]:
    number, round_ = at
    outcome = table.outcome
    winner = outcome.winner if outcome is not None else 0
    loser = next((n for n in table.players if n != winner), 0) if winner else 0
    return {
        "id": 1000 * round_.number + table.number,
        "round": number,
        "player1_id": table.first,
        "player2_id": table.second,
        "winner_id": winner or None,
        "loser_id": loser or None,
        "scores_csv": f"{outcome.first}-{outcome.second}" if outcome is not None else "",
        "state": "complete" if winner else "open",
    }
