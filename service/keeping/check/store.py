"""Checks of a whole store, part by part: faults, and how much was checked.

Each match is read as it is at one time; a store that is being written meanwhile is checked as it
comes. Nothing is written, and memory does not grow with the store but for the ids of its matches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from domain.record.proof.anchors.checkpoints import Checkpoint
from domain.record.proof.anchors.leaves import EVENT
from domain.tournament.folding import fold
from domain.words.phrases import phrase
from service.keeping.check import archived, log, matches, rows
from service.keeping.check.findings import (
    CHAIN,
    DERIVED,
    ENTRIES,
    FILE,
    LOG,
    RESULTS,
    Fault,
    guarded,
)
from service.live.results import differences
from service.store.history import History
from service.store.records import Records, StoreError
from service.store.schema import DERIVED as DERIVED_TABLES
from service.store.schema import KEPT
from service.store.tables.archived import every
from service.store.tables.tournaments import TABLE as EVENTS
from service.store.tables.tournaments import Tournaments, key_of

#: Tables whose values are looked at one by one (`rows`).
VALUES = (
    "tokens", "codes", "seeds", "auto_passes", "card_photos", "log_keys", "cosignatures",
)  # fmt: skip


class Tally(Struct):
    """How much was looked at; `remarks` are what is worth knowing, and no fault."""

    matches: int = 0
    entries: int = 0
    events: int = 0
    leaves: int = 0
    checkpoints: int = 0
    remarks: list[Fault] = []


def check(
    records: Records,
    tally: Tally,
    *,
    quick: bool = False,
    kept: Sequence[Checkpoint] = (),
    begin: Callable[[int], None] = lambda matches: None,
    done: Callable[[], None] = lambda: None,
) -> Iterator[Fault]:
    """The faults of a store; none: it is as it was written. O(its size).

    `begin` is called with the number of matches, `done` after each of them. `quick`: no positions
    are folded, so that snapshots are not checked. `kept` are checkpoints of its log.
    """
    if not records.shared:
        yield from guarded(rows.WHOLE, FILE, rows.pages(records, quick=quick))
        yield from guarded(rows.WHOLE, FILE, rows.types(records))
    yield from guarded("dictionaries", ENTRIES, rows.dictionaries(records))
    try:
        ids = _ids(records)
    except StoreError as error:
        ids = []
        yield Fault(rows.WHOLE, FILE, str(error))
    begin(len(ids))
    for match in ids:
        tally.matches += 1
        found = matches.faults(records, match, quick=quick)
        yield from guarded(f"match {match}", ENTRIES, _counted(found, tally))
        done()
    yield from guarded("matches", CHAIN, _strays(records))
    yield from guarded("events", ENTRIES, _events(records, tally))
    with records.reading():
        yield from guarded(log.SUBJECT, LOG, log.faults(records, kept))
        yield from guarded(log.SUBJECT, LOG, _count_log(records, tally))
    yield from guarded("archived", CHAIN, archived.faults(records))
    for table in VALUES:
        yield from guarded(table, rows.part_of(table), rows.values(records, table))
    yield from guarded("rows", FILE, rows.references(records))
    yield from guarded("lists", FILE, rows.lists(records))
    yield from guarded("seeds", FILE, rows.seeds(records))
    yield from guarded("the log of access", FILE, rows.looks(records))


def _ids(records: Records) -> list[str]:
    """The matches that have entries. An id that is no text is found by the types of values."""
    sql = "SELECT CAST(originator_id AS BLOB) FROM stored_events GROUP BY originator_id"
    with records.rows(sql) as found:
        some = [rows.decoded(row[0]) for row in found]
    return [one for one in some if isinstance(one, str)]


def _counted(found: Iterable[Fault | int], tally: Tally) -> Iterator[Fault]:
    for one in found:
        if isinstance(one, Fault):
            yield one
        else:
            tally.entries += one


def _strays(records: Records) -> Iterator[Fault]:
    """The findings about matches without entries that were not archived."""
    out = {one.key for one in every(records)} | {key_of(one) for one in _event_ids(records)}
    for table in KEPT:
        if table.match and table.name != "stored_events":
            why = phrase("it is in {table}, and has no entries", table=table.name)
            part = CHAIN if table.name == "chains" else ENTRIES
            for match in _without_entries(records, table.name, table.match) - out:
                yield Fault(_subject(match), part, why)
    for match in _without_entries(records, "leaves", "id") - out:
        yield Fault(_subject(match), LOG, phrase("the log has its head, and it has no entries"))
    for name, which in DERIVED_TABLES.items():
        why = phrase("it is in {table}, and has no entries", table=name)
        for match in _without_entries(records, name, "id", which) if which else ():
            yield Fault(f"match {match}", DERIVED, why)


def _without_entries(records: Records, table: str, column: str, which: str = "1=1") -> set[str]:
    sql = (
        f"SELECT CAST({column} AS BLOB) FROM {table} AS t WHERE {which} AND NOT EXISTS"
        f" (SELECT 1 FROM stored_events WHERE originator_id=t.{column}) GROUP BY {column}"
    )
    with records.rows(sql) as found:
        return {str(rows.decoded(row[0])) for row in found}


def _events(records: Records, tally: Tally) -> Iterator[Fault]:
    """Records of tournaments: each entry is there, bound to the one before it, and they fold."""
    for event in _event_ids(records):
        tally.events += 1
        yield from guarded(f"event {event}", ENTRIES, _event(records, event, tally))


def _event_ids(records: Records) -> list[str]:
    sql = f"SELECT CAST(originator_id AS BLOB) FROM {EVENTS} GROUP BY originator_id"
    with records.rows(sql) as found:
        return [str(rows.decoded(row[0])) for row in found]


def _subject(key: str) -> str:
    """The subject of the key of a chain or a leaf."""
    return key if key.startswith(EVENT) else f"match {key}"


def _event(records: Records, event: str, tally: Tally) -> Iterator[Fault]:
    subject = f"event {event}"
    try:
        entries, _ = Tournaments(records).log(event)
        state = fold(entries)
    except StoreError as error:
        yield Fault(subject, ENTRIES, str(error).removeprefix(f"{subject}: "))
        return
    for one in differences(History(records), state):
        named = "table {table} of round {round}: {why}"
        why = phrase(named, table=one.table, round=one.round, why=one.why)
        if one.wrong:
            yield Fault(subject, RESULTS, why)
        else:
            tally.remarks.append(Fault(subject, RESULTS, why))
    sql = f"SELECT originator_version, CAST(topic AS BLOB) FROM {EVENTS} WHERE originator_id=?"
    tags = {one.seq: str(type(one.event).__struct_config__.tag) for one in entries}
    with records.rows(sql, event) as found:
        for seq, topic in found:
            if rows.decoded(topic) != tags.get(seq):
                yield Fault(subject, ENTRIES, phrase("entry {seq}: its topic is wrong", seq=seq))


def _count_log(records: Records, tally: Tally) -> Iterator[Fault]:
    tally.leaves = records.row("SELECT count(*) FROM leaves")[0]
    tally.checkpoints = records.row("SELECT count(*) FROM checkpoints")[0]
    yield from ()
