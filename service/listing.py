"""The listing: one row a match, to find matches by label, state and game without reading records.

It is derived from the entries that open, rewind and end a match, and written in their transaction,
so it survives whatever they survive. Entries are in `store`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from domain.events import Entry, MatchEnded, MatchOpened, Rewound
from service import rewinds
from service.store import NoSuchMatch, Recorder, Records, Statement, StoreError

Recorder.tables += [
    "CREATE TABLE IF NOT EXISTS matches (id TEXT PRIMARY KEY, opened INTEGER, game TEXT,"
    " ended INTEGER, heading BLOB, outcome BLOB, seed INTEGER) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS matches_by_time ON matches (opened, id)",
    "CREATE INDEX IF NOT EXISTS matches_by_state ON matches (ended, opened, id)",
    "CREATE TABLE IF NOT EXISTS labels (name TEXT, value TEXT, opened INTEGER, id TEXT,"
    " PRIMARY KEY (name, value, opened, id)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS forks (id TEXT PRIMARY KEY, origin TEXT) WITHOUT ROWID",
]


class Outcome(Struct, array_like=True, frozen=True):
    """How a match ended."""

    winner: int = -1
    score: tuple[int, ...] = ()


class Listed(Struct, frozen=True):
    """A match as the listing knows it. `seed` is set where chance was made repeatable."""

    id: str
    heading: MatchOpened
    ended: bool
    outcome: Outcome
    seed: int | None


_heading = msgspec.msgpack.Decoder(MatchOpened).decode
_outcome = msgspec.msgpack.Decoder(Outcome).decode
_encode = msgspec.msgpack.Encoder().encode


def derive(match: str, entries: Sequence[Entry], seed: int | None = None) -> list[Statement]:
    """What entries that are about to be saved change in the listing."""
    found: list[Statement] = []
    for entry in entries:
        event = entry.event
        if type(event) is MatchOpened:
            row = (match, event.at, event.game, 0, _encode(event), _encode(Outcome()), seed)
            found.append(("INSERT INTO matches VALUES (?,?,?,?,?,?,?)", row))
            found += [
                ("INSERT INTO labels VALUES (?,?,?,?)", (name, value, event.at, match))
                for name, value in event.labels.items()
            ]
            if event.origin is not None:
                found.append(("INSERT INTO forks VALUES (?,?)", (match, event.origin.match)))
        elif type(event) is Rewound:
            found.append(rewinds.noted(match, entry.seq, event))
        elif type(event) is MatchEnded:
            outcome = _encode(Outcome(event.winner, event.score))
            sql = "UPDATE matches SET ended=1, outcome=? WHERE id=?"
            found.append((sql, (outcome, match)))
    return found


_COLUMNS = "SELECT m.id, m.heading, m.ended, m.outcome, m.seed FROM matches m"


def find(records: Records, match: str) -> Listed:
    """One match; raises `NoSuchMatch`."""
    row = records.row(f"{_COLUMNS} WHERE m.id=?", match)
    if row is None:
        raise NoSuchMatch(match)
    return _listed(row)


def search(
    records: Records,
    labels: Mapping[str, str],
    game: str = "",
    ended: bool | None = None,
    before: tuple[int, str] | None = None,
    limit: int = 50,
    forks: bool = False,
) -> list[Listed]:
    """Matches that fit, the newest first; `before` is the time and id of the last one seen.

    `forks`: those that are forks as well; they are no part of what was really played.
    The first label, or else the state, is looked up by index; the others are tested one by one.
    """
    tables, tests, values = "", ["1"], list[Any]()
    order = "m.opened DESC, m.id DESC"
    for at, (name, value) in enumerate(labels.items()):
        tables += f" JOIN labels l{at} ON l{at}.id=m.id AND l{at}.opened=m.opened"
        tests += [f"l{at}.name=? AND l{at}.value=?"]
        values += [name, value]
        order = "l0.opened DESC, l0.id DESC"
    if game:
        tests, values = [*tests, "m.game=?"], [*values, game]
    if ended is not None:
        tests, values = [*tests, "m.ended=?"], [*values, int(ended)]
    if not forks:
        tests = [*tests, "m.id NOT IN (SELECT id FROM forks)"]
    if before is not None:
        key = order.replace(" DESC", "")
        tests, values = [*tests, f"({key}) < (?,?)"], [*values, *before]
    sql = f"{_COLUMNS}{tables} WHERE {' AND '.join(tests)} ORDER BY {order} LIMIT {int(limit)}"
    with records.rows(sql, *values) as found:
        return [_listed(row) for row in found.fetchall()]


def _listed(row: Any) -> Listed:
    try:
        heading, outcome = _heading(row["heading"]), _outcome(row["outcome"])
    except msgspec.DecodeError as error:
        raise StoreError(f"match {row['id']}: its listing is damaged ({error})") from error
    return Listed(row["id"], heading, bool(row["ended"]), outcome, row["seed"])
