"""Archives: a finished event, or single matches, as one closed file (ARCHIVES.md).

An archive is a file of matches like any other, with only the rows of what was archived, unchanged,
so that all readers of such files can read it. It is written beside its name, checked, closed to
writing, and given its name. The official's has all there is, the secrets of the chains included;
the public's has the public's copies with what proves them. Taking what was archived out of a store,
and bringing it back, is in `retention`.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import msgspec

from domain.record.views import OFFICIAL, PUBLIC, redact
from domain.tournament import proof
from domain.tournament.folding import fold
from domain.tournament.state import State
from domain.words.phrases import phrase
from service.anchors.ledger import Ledger
from service.keeping import rows
from service.keeping.backup import placed
from service.keeping.check import matches as checked
from service.keeping.check import store as whole
from service.keeping.check.findings import DERIVED, Fault
from service.keeping.rows import Dictionaries
from service.store import chains
from service.store.derived import listing
from service.store.layout import packing
from service.store.layout.compression import HARD
from service.store.records import Records, Statement, StoreError, Work
from service.store.schema import KEPT, TABLES, WHILE_PLAYED
from service.store.sqlite.file import ARCHIVE, LAYOUT, store_error
from service.store.statements import insert
from service.store.tables import archived
from service.store.tables.archived import EVENT, MATCH, Archived
from service.store.tables.tournaments import Tournaments, key_of

#: The size of its pages, in bytes: small, since many tables have few rows.
PAGE = 512


class NotOver(StoreError):
    """Matches and events that are not over can't be archived."""


class Content(NamedTuple):
    """The content of an archive: events with their matches, and single matches."""

    events: list[str]
    matches: list[str]


def content(records: Records, ids: Iterable[str]) -> Content:
    """The content for these ids: events with all their matches, and single matches.

    Raises `StoreError` if there is no such thing, `NotOver` if one of them goes on: a match of an
    event that is over does not if it was never begun, or its result was entered by hand.
    """
    found, of_events, settled = Content([], []), set[str](), set[str]()
    tournaments = Tournaments(records)
    for id_ in ids:
        if tournaments.has(id_):
            state = fold(tournaments.log(id_)[0])
            if not state.ended:
                raise NotOver(f"event {id_} is not over")
            found.events.append(id_)
            settled.update(_settled(state))
            of_events.update(own := _of_event(records, id_))
            found.matches.extend(own)
        elif records.last(id_):
            found.matches.append(id_)
        elif archived.find(records, id_) is not None:
            raise StoreError(phrase("{id} is archived already", id=id_))
        else:
            raise StoreError(phrase("there is no event and no match {id}", id=id_))
    states = {one: listing.find(records, one).state for one in found.matches}
    going_on = [
        one
        for one, state in states.items()
        if (state == listing.LIVE and one not in settled)
        or (state == listing.WAITING and one not in of_events)
    ]
    if going_on:
        raise NotOver(f"not over: match {', '.join(going_on)}")
    return found


def _settled(state: State) -> Iterator[str]:
    """The matches whose results were entered by hand: the results stand, even if play goes on."""
    for round_ in state.rounds:
        for match, table in state.matches(round_):
            if table.result is not None and not table.result.source:
                yield match


def _of_event(records: Records, event: str) -> list[str]:
    """The matches of an event: their ids begin with its own and a dot."""
    sql = (
        "SELECT originator_id FROM stored_events WHERE originator_id>? AND originator_id<?"
        " GROUP BY originator_id ORDER BY originator_id"
    )
    with records.rows(sql, f"{event}.", f"{event}/") as found:
        return [row[0] for row in found]


def archive(
    records: Records,
    target: Path,
    ids: Sequence[str],
    viewer: int = OFFICIAL,
    done: Callable[[int, int], None] = lambda n, of: None,
) -> Content:
    """Write an archive of events and matches for the official or for the public; what is in it.

    `done` is called with the number of matches archived so far. Raises `StoreError`; then there is
    no archive.
    """
    if records.closed:
        raise StoreError(
            phrase("{where} is an archive: nothing of it is archived", where=records.where)
        )
    with placed(target) as half:
        with records.reading(), closing(Records(half)) as written:
            found = content(records, ids)
            writer = _Writer(records, written, viewer)
            for n, match in enumerate(found.matches, 1):
                writer.match(match)
                done(n, len(found.matches))
            for event in found.events:
                writer.event(event)
        close(half)
        held(half)
    return found


def faults(path: Path) -> Iterator[Fault]:
    """The faults of an archive: it is checked like any store. Raises `StoreError`."""
    with closing(Records(path, reading=True)) as records:
        if not records.closed:
            raise StoreError(phrase("{path} is no archive", path=path))
        yield from whole.check(records, whole.Tally())


def held(path: Path) -> list[Archived]:
    """The content of an archive, completely checked; raises `StoreError`."""
    wrong = next(faults(path), None)
    if wrong is not None:
        raise StoreError(
            phrase(
                "{path} is damaged: {subject}: {why}",
                path=path,
                subject=wrong.subject,
                why=wrong.why,
            )
        )
    with closing(Records(path, reading=True)) as records:
        return list(archived.every(records))


class _Writer:
    """Puts what is archived into a file that is still open."""

    def __init__(self, source: Records, target: Records, viewer: int) -> None:
        self._source, self._target, self._viewer = source, target, viewer
        self._dictionaries = Dictionaries(source, target)
        self._ledger = Ledger(source)
        self._ledger.load()
        self._at = time.time_ns() // 1_000_000
        keys = rows.read(source, TABLES["log_keys"])
        target.write(Work("", (), rows.added(TABLES["log_keys"], keys)))

    def match(self, match: str) -> None:
        """Archive a match, once its entries were seen to be those that were chained."""
        for one in checked.faults(self._source, match, quick=True):
            if isinstance(one, Fault) and one.part != DERIVED:
                raise StoreError(
                    phrase("{subject}: {why}; it is not archived", subject=one.subject, why=one.why)
                )
        head = chains.head(self._source, match)
        if head is None:
            raise StoreError(phrase("match {match} has no entries", match=match))
        row = Archived(
            match, MATCH, self._at, head, self._ledger.anchor(match, head.seq), self._viewer
        )
        if self._viewer == OFFICIAL:
            tables = [table for table in KEPT if table.name not in WHILE_PLAYED]
            copy = rows.of_match(self._source, self._dictionaries, match, tables)
            copy += listing.rows_of(self._source, match)  # with the seed, which predicts every draw
            self._target.write(Work(match, (), [*copy, archived.saved(row)]))
        else:
            self._target.write(Work(match, (), [*self._of_public(match), archived.saved(row)]))
            self._target.write(Work(match, (), listing.rows_of(self._target, match)))

    def _of_public(self, match: str) -> list[Statement]:
        """The public's copy of a match, and what opens it."""
        proof = chains.proof(self._source, match, PUBLIC)
        entries = [redact(entry, PUBLIC) for entry in self._source.entries(match)]
        number = self._dictionary(match)
        found = list[Statement]()
        for run in packing.runs(entries):
            compression = self._target.row_mapper.compression
            row = (match, *packing.pack(match, run, compression, number, HARD))
            opens = proof.openings[run[0].seq - 1 : run[-1].seq]
            found += rows.added(TABLES["stored_events"], [row])
            found.append((_OPENINGS, (match, run[-1].seq, msgspec.msgpack.encode(opens))))
        return found

    def _dictionary(self, match: str) -> int:
        """The number of the dictionary that the last row of a match is written with."""
        sql = (
            "SELECT state FROM stored_events WHERE originator_id=?"
            " ORDER BY originator_version DESC LIMIT 1"
        )
        return self._dictionaries.number(packing.dictionary_of(self._source.row(sql, match)[0]))

    def event(self, event: str) -> None:
        """Archive the record of an event."""
        log, tail = Tournaments(self._source).log(event)
        key, chain = key_of(event), tail.chain
        anchor = self._ledger.anchor(key, tail.head.seq)
        row = Archived(event, EVENT, self._at, tail.head, anchor, self._viewer)
        if self._viewer == OFFICIAL:
            copied = rows.of_event(self._source, event)
        else:
            copied = [(_PUBLIC, (event, one.seq, msgspec.msgpack.encode(one)))
                      for one in proof.copies(log, PUBLIC)]  # fmt: skip
            assert chain is not None
            opens = proof.opened(log, PUBLIC, chain.secret)
            copied += [(_OPENINGS, (key, seq, msgspec.msgpack.encode([one])))
                       for seq, one in enumerate(opens, 1)]  # fmt: skip
        self._target.write(Work("", (), [*copied, archived.saved(row)]))


_OPENINGS = insert("openings", "id, seq, opens")
_PUBLIC = insert("public_entries", "id, seq, entry")


def close(path: Path) -> None:
    """Make an archive of a file: as small as can be, marked, and written no more."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
            connection.execute(f"PRAGMA page_size={PAGE}")
            connection.execute("VACUUM")
            connection.execute(f"PRAGMA user_version={ARCHIVE + LAYOUT}")
    except sqlite3.Error as error:
        raise store_error(path, error, "written") from error
