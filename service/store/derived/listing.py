"""The listing: a row for each match, to find matches by label, state and game.

Rows are derived from the entries that open, rewind and end a match or correct its result, and
written in the same transaction; a damaged row is bypassed. A match whose end was taken back is live
again. Results that were reported and stand no more are kept. Entries are in `records`, rebuilding
is in `checks`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct

from domain.record.entries import TYPES, Entry
from domain.record.events import MatchEnded, MatchOpened
from domain.record.interventions import MatchBegan, ResultCorrected, Rewound
from service.store.derived import rewinds
from service.store.records import LAST, NoSuchMatch, Recorder, Records, Statement, StoreError

Recorder.tables += [
    "CREATE TABLE IF NOT EXISTS matches (id TEXT PRIMARY KEY, opened INTEGER, game TEXT,"
    " ended INTEGER, heading BLOB, outcome BLOB, seed INTEGER) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS matches_by_time ON matches (opened, id)",
    "CREATE INDEX IF NOT EXISTS matches_by_state ON matches (ended, opened, id)",
    "CREATE TABLE IF NOT EXISTS labels (name TEXT, value TEXT, opened INTEGER, id TEXT,"
    " PRIMARY KEY (name, value, opened, id)) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS matches_by_game ON matches (game, opened, id)",
    # those that have ended and are to be repacked (`repacking`)
    "CREATE TABLE IF NOT EXISTS unpacked (id TEXT PRIMARY KEY) WITHOUT ROWID",
    # results that stand no more, by the entries that superseded them
    "CREATE TABLE IF NOT EXISTS superseded (id TEXT, seq INTEGER, outcome BLOB,"
    " PRIMARY KEY (id, seq)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS forks (id TEXT PRIMARY KEY, origin TEXT) WITHOUT ROWID",
]


#: States of a match, as the column `ended` has them: it is being played, is over, waits to begin.
LIVE, ENDED, WAITING = 0, 1, 2


class Outcome(Struct, array_like=True, frozen=True):
    """How a match ended."""

    winner: int = -1
    score: tuple[int, ...] = ()


class Listed(Struct, frozen=True):
    """A match as the listing knows it. `seed` is set where chance was made repeatable.

    `entries`: how many it has, of which so many are `rewinds`, and how many of its results are
    `superseded`; 0 where they were not counted.
    """

    id: str
    heading: MatchOpened
    state: int
    outcome: Outcome
    seed: int | None
    entries: int = 0
    rewinds: int = 0
    superseded: int = 0

    @property
    def ended(self) -> bool:
        """Whether it is over."""
        return self.state == ENDED


_heading = msgspec.msgpack.Decoder(MatchOpened).decode
_outcome = msgspec.msgpack.Decoder(Outcome).decode
_encode = msgspec.msgpack.Encoder().encode


def derive(match: str, entries: Sequence[Entry], seed: int | None = None) -> list[Statement]:
    """What entries that are about to be saved change in the listing."""
    found: list[Statement] = []
    for entry in entries:
        event = entry.event
        if type(event) is MatchOpened:
            state = WAITING if event.waits else LIVE
            row = (match, event.at, event.game, state, _encode(event), _encode(Outcome()), seed)
            found.append(("INSERT OR REPLACE INTO matches VALUES (?,?,?,?,?,?,?)", row))
            found += [
                ("INSERT OR REPLACE INTO labels VALUES (?,?,?,?)", (name, value, event.at, match))
                for name, value in event.labels.items()
            ]
            if event.origin is not None:
                fork = (match, event.origin.match)
                found.append(("INSERT OR REPLACE INTO forks VALUES (?,?)", fork))
        elif type(event) is MatchBegan:
            found.append((f"UPDATE matches SET ended={LIVE} WHERE id=?", (match,)))
        elif type(event) is Rewound:
            found.append(rewinds.insertion(match, entry.seq, event))
            found += [
                (_SUPERSEDE, (entry.seq, match)),
                ("DELETE FROM unpacked WHERE id=?", (match,)),
                (_TAKE_BACK, (_encode(Outcome()), match)),
            ]
        elif isinstance(event, MatchEnded | ResultCorrected):
            found += [
                (_SUPERSEDE, (entry.seq, match)),
                (_SET_OUTCOME, (_encode(Outcome(event.winner, event.score)), match)),
                ("INSERT OR IGNORE INTO unpacked VALUES (?)", (match,)),
            ]
    return found


#: The result that stands is superseded, if there is one, and another is set.
_SUPERSEDE = (
    "INSERT OR REPLACE INTO superseded SELECT id, ?, outcome FROM matches"
    f" WHERE id=? AND ended={ENDED}"
)
_SET_OUTCOME = f"UPDATE matches SET ended={ENDED}, outcome=? WHERE id=?"
_TAKE_BACK = f"UPDATE matches SET ended={LIVE}, outcome=? WHERE id=? AND ended={ENDED}"


def as_of_today(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A row of `matches` as it would be written now: headings have grown since."""
    match, opened, game, state, heading, *rest = row
    with suppress(msgspec.DecodeError, ValueError, TypeError):  # damaged: it differs
        heading = _encode(_heading(heading))
    return (match, opened, game, state, heading, *rest)


def rows_of(records: Records, match: str) -> list[Statement]:
    """What the listing should say of a match, from its entries; raises `NoSuchMatch`."""
    return derive(match, _sources(records, match), _seed(records, match))


def _sources(records: Records, match: str) -> list[Entry]:
    """The entries that the listing is derived from, in order."""
    first = records.entries(match, 0, 1)
    if not first:
        raise NoSuchMatch(match)
    if type(first[0].event) is not MatchOpened:
        raise StoreError(f"match {match}: entry 1 opens no match")
    tags = (*((_BEGAN,) if first[0].event.waits else ()), _ENDED, _CORRECTED)
    others = [entry for tag in tags for entry in records.tagged(match, tag)]
    others += rewinds.from_entries(records, match)
    return [*first, *sorted(others, key=lambda entry: entry.seq)]


def _seed(records: Records, match: str) -> int | None:
    """The seed of a match, which is in no entry, if it can be read."""
    try:
        row = records.row("SELECT seed FROM matches WHERE id=?", match)
    except StoreError:
        return None
    return row["seed"] if row is not None and type(row["seed"]) is int else None


def _from_entries(records: Records, match: str) -> Listed:
    """A match as its entries tell it; O(entries), reading few."""
    opened, *others = (entry.event for entry in _sources(records, match))
    assert isinstance(opened, MatchOpened)
    last = others[-1] if others else opened
    seed = _seed(records, match)
    if isinstance(last, MatchEnded | ResultCorrected):  # a rewind takes an end back
        return Listed(match, opened, ENDED, Outcome(last.winner, last.score), seed)
    waits = bool(opened.waits) and not any(isinstance(e, MatchBegan) for e in others)
    return Listed(match, opened, WAITING if waits else LIVE, Outcome(), seed)


_COLUMNS = (
    "SELECT m.id, CAST(m.heading AS BLOB) AS heading, m.ended, CAST(m.outcome AS BLOB) AS outcome,"
    " m.seed FROM matches m"
)


_SUMMARIES = _COLUMNS.replace(
    " FROM matches m",
    ", (SELECT max(originator_version) FROM stored_events WHERE originator_id=m.id) AS entries,"
    " (SELECT count(*) FROM rewinds WHERE id=m.id) AS rewinds,"
    " (SELECT count(*) FROM superseded WHERE id=m.id) AS superseded FROM matches m",
)
_NONE_SUPERSEDED = _SUMMARIES.replace("(SELECT count(*) FROM superseded WHERE id=m.id)", "0")


def find(records: Records, match: str) -> Listed:
    """One match; raises `NoSuchMatch`."""
    with records.reading():  # it may be opened just now
        row = records.row(f"{_COLUMNS} WHERE m.id=?", match)
        found = _listed(row) if row is not None else None
        if found is None:
            found = _from_entries(records, match)
            records.report_damage(match, "listing")
        return found


def superseded(records: Records, match: str, until: int = LAST) -> list[tuple[int, Outcome]]:
    """The results of a match that stand no more, by the entry that superseded each."""
    if not records.has_table("superseded"):
        return []
    sql = "SELECT seq, CAST(outcome AS BLOB) AS outcome FROM superseded WHERE id=? AND seq<=?"
    with records.rows(f"{sql} ORDER BY seq", match, until) as rows:
        kept = rows.fetchall()
    try:
        return [(row["seq"], _outcome(row["outcome"])) for row in kept]
    except (msgspec.DecodeError, ValueError, TypeError):
        records.report_damage(match, "listing")
        return []


def search(
    records: Records,
    labels: Mapping[str, str],
    game: str = "",
    state: int | None = None,
    before: tuple[int, str] | None = None,
    limit: int = 50,
    forks: bool = False,
    event: str = "",
) -> list[Listed]:
    """Matches that fit, the newest first; `before` is the time and id of the last one seen.

    `forks`: those that are forks as well; they are no part of what was really played. `event`: only
    those of this tournament.
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
    if state is not None:
        column = "+m.ended" if game else "m.ended"  # found by game, or else by state
        tests, values = [*tests, f"{column}=?"], [*values, state]
    if not forks:
        tests = [*tests, "m.id NOT IN (SELECT id FROM forks)"]
    if event:  # their ids begin with its own and a dot
        tests, values = [*tests, "m.id>? AND m.id<?"], [*values, f"{event}.", f"{event}/"]
    if before is not None:
        key = order.replace(" DESC", "")
        tests, values = [*tests, f"({key}) < (?,?)"], [*values, *before]
    columns = _SUMMARIES if records.has_table("superseded") else _NONE_SUPERSEDED
    sql = f"{columns}{tables} WHERE {' AND '.join(tests)} ORDER BY {order} LIMIT {int(limit)}"
    with records.rows(sql, *values) as rows:
        kept = [(row["id"], _listed(row)) for row in rows.fetchall()]
    return [one for match, good in kept if (one := good or _instead(records, match)) is not None]


def _instead(records: Records, match: str) -> Listed | None:
    """A match whose row is damaged; None if its entries can't be read either."""
    records.report_damage(match, "listing")
    try:
        return _from_entries(records, match)
    except (StoreError, NoSuchMatch):
        return None


def _listed(row: Any) -> Listed | None:
    """A match as its row has it; None if that is damaged."""
    try:
        heading, outcome = _heading(row["heading"]), _outcome(row["outcome"])
    except (msgspec.DecodeError, ValueError, TypeError):  # also words that are none
        return None
    state, seed = row["ended"], row["seed"]
    whole = state in (LIVE, ENDED, WAITING) and isinstance(seed, int | None)
    counts = "entries" in row.keys()  # noqa: SIM118
    counted = (row["entries"] or 0, row["rewinds"], row["superseded"]) if counts else ()
    return Listed(row["id"], heading, state, outcome, seed, *counted) if whole else None


_BEGAN, _ENDED, _CORRECTED = (
    next(tag for tag, cls in TYPES.items() if cls is wanted)
    for wanted in (MatchBegan, MatchEnded, ResultCorrected)
)
