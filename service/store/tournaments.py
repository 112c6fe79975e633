"""Records of tournaments, in a table of their own in the file of matches.

Each is a stream of the `eventsourcing` library: a row for each entry, whose version is its number,
so that a second writer of the same entry fails cleanly. A row holds the entry as MessagePack behind
a hash over it and over the hash of the row before. So no entry can be altered, left out or put in
without all later hashes changing; that is checked whenever a record is read, and nothing is added
to one that is damaged. What is written goes along with works of matches (`commit`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, cast

import msgspec
from eventsourcing.persistence import Mapper, PersistenceError, StoredEvent, Transcoder
from eventsourcing.sqlite import SQLiteAggregateRecorder

from domain.tournament.record import Entry, TournamentOpened
from service.store.file import StoreError, store_error
from service.store.layout.rows import Factory
from service.store.records import Recorder, Records, Statement

TABLE = "tournament_entries"
Recorder.tables.append(
    f"CREATE TABLE IF NOT EXISTS {TABLE} (originator_id TEXT, originator_version INTEGER,"
    " topic TEXT, state BLOB, PRIMARY KEY (originator_id, originator_version)) WITHOUT ROWID"
)
#: What the first entry's hash covers in the place of a hash.
BEFORE = bytes(32)
_HASH = len(BEFORE)
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Entry, strict=True).decode


class NoSuchTournament(LookupError):
    """There is no tournament of that id."""


class Line(NamedTuple):
    """An entry of a tournament as it is encoded, and its hash: the library's domain event."""

    originator_id: str
    originator_version: int
    entry: Entry
    data: bytes
    hash: bytes


class LineMapper(Mapper[str]):
    """Entries of tournaments as they are stored, and back."""

    def __init__(self) -> None:
        super().__init__(cast(Transcoder, None))

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """A line as it is stored; the topic is the tag of its event."""
        one = domain_event
        tag = str(type(one.entry.event).__struct_config__.tag)
        return StoredEvent(one.originator_id, one.originator_version, tag, one.hash + one.data)

    def to_domain_event(self, stored_event: StoredEvent) -> Line:
        """A stored line; `ValueError` or `TypeError` if it can't be one."""
        one = stored_event
        hash_, data = bytes(one.state[:_HASH]), bytes(one.state[_HASH:])
        return Line(str(one.originator_id), one.originator_version, _decode(data), data, hash_)


def linked(before: bytes, data: bytes) -> bytes:
    """The hash of an entry (as MessagePack) that follows a hash: SHA-256 of both."""
    return sha256(before + data).digest()


class Tournaments:
    """The records of all tournaments of a file."""

    def __init__(self, records: Records) -> None:
        self._records, self._mapper = records, LineMapper()
        datastore = cast(Factory, records.factory).datastore
        self._recorder = SQLiteAggregateRecorder(datastore, TABLE)

    def log(self, tournament: str) -> tuple[list[Entry], bytes]:
        """All entries of a tournament, and the hash of the last; raises `NoSuchTournament`.

        `StoreError` names the first entry that is not what was written, or is missing.
        """
        found, before = list[Entry](), BEFORE
        for stored in self._stored(tournament):
            entry = self._checked(stored, tournament, len(found) + 1, before)
            found.append(entry)
            before = bytes(stored.state[:_HASH])
        if not found:
            raise NoSuchTournament(tournament)
        return found, before

    def _stored(self, tournament: str) -> Sequence[StoredEvent]:
        if not self._records.has_table(TABLE):
            return []
        try:
            return self._recorder.select_events(tournament)
        except (PersistenceError, UnicodeDecodeError) as error:
            raise store_error(self._records.path, error, "read") from error

    def _checked(self, stored: StoredEvent, tournament: str, seq: int, before: bytes) -> Entry:
        """The entry of a row that has to have this number, after a row with this hash."""
        if stored.originator_version != seq:
            raise StoreError(f"event {tournament}: entry {seq} is missing")
        try:
            line: Line = self._mapper.to_domain_event(stored)
            good = line.entry.seq == seq and linked(before, line.data) == line.hash
        except (ValueError, TypeError):
            good = False
        if not good:
            raise StoreError(f"event {tournament}: entry {seq} is damaged")
        opened = line.entry.event if seq == 1 else None
        if opened is not None and getattr(opened, "id", "") != tournament:
            raise StoreError(f"event {tournament}: it is the record of another")
        return line.entry

    def saved(
        self, tournament: str, entries: Iterable[Entry], before: bytes
    ) -> tuple[list[Statement], bytes]:
        """What saves entries that follow a hash, and the hash of the last of them."""
        found: list[Statement] = []
        for entry in entries:
            data = _encode(entry)
            line = Line(tournament, entry.seq, entry, data, linked(before, data))
            row = self._mapper.to_stored_event(line)
            values = (row.originator_id, row.originator_version, row.topic, row.state)
            found.append((self._recorder.insert_events_statement, values))
            before = line.hash
        return found, before

    def opened(self) -> list[tuple[int, str]]:
        """All tournaments, the newest first: when each was opened, and its id. O(tournaments).

        One whose first entry is damaged comes last.
        """
        if not self._records.has_table(TABLE):
            return []
        sql = f"SELECT originator_id, originator_version, state FROM {TABLE}"
        firsts = f"(SELECT originator_id, min(originator_version) FROM {TABLE} GROUP BY 1)"
        where = f"(originator_id, originator_version) IN {firsts}"
        with self._records.rows(f"{sql} WHERE {where}") as rows:
            found = [(_opened_at(row["state"]), str(row["originator_id"])) for row in rows]
        return sorted(found, reverse=True)

    def has(self, tournament: str) -> bool:
        """Whether there is one of that id."""
        sql = f"SELECT 1 FROM {TABLE} WHERE originator_id=? LIMIT 1"
        return self._records.has_table(TABLE) and self._records.row(sql, tournament) is not None

    def fault(self, tournament: str) -> str:
        """What is wrong with the record of a tournament; empty: nothing."""
        try:
            self.log(tournament)
        except StoreError as error:
            return str(error)
        return ""


def _opened_at(state: Any) -> int:
    try:
        event = _decode(state[_HASH:]).event
    except (ValueError, TypeError):
        return 0
    return event.at if isinstance(event, TournamentOpened) else 0
