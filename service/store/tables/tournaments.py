"""Records of tournaments, in a table of their own in the file of matches.

Each is a stream of the `eventsourcing` library: a row for each entry, whose version is its number,
so that a second writer of the same entry fails cleanly. A row holds the entry as MessagePack behind
a hash over it and over the hash of the row before. So no entry can be altered, left out or put in
without all later hashes changing; that is checked whenever a record is read, and nothing is added
to one that is damaged. What is written goes along with works of matches (`commit`).

Whoever has the file can make those hashes anew. So each record has a chain as well, like a match
(`domain.tournament.proof`): a row of `chains` under `event ID`, whose head becomes a leaf of the
log of heads. Whenever a record is read it is compared with both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from secrets import token_bytes
from typing import Any, NamedTuple, cast

import msgspec
from eventsourcing.persistence import Mapper, StoredEvent, Transcoder

from domain.record.proof.anchors.leaves import EVENT
from domain.record.proof.chain import SECRET, Head
from domain.tournament import proof
from domain.tournament.record import Entry, TournamentOpened
from service.store import chains, leaves
from service.store.layout.chaining import Chain
from service.store.layout.newer import Newer
from service.store.records import Recorder, Records, Statement, StoreError
from service.store.statements import Must, insert
from service.store.tables import archived, lists
from service.store.tables.lists import Kind, Row

TABLE = "tournament_entries"
Recorder.tables.append(
    f"CREATE TABLE IF NOT EXISTS {TABLE} (originator_id TEXT, originator_version INTEGER,"
    " topic TEXT, state BLOB, PRIMARY KEY (originator_id, originator_version)) WITHOUT ROWID"
)
_INSERT = insert(TABLE, "originator_id, originator_version, topic, state")
_ROWS = (
    f"SELECT originator_version, topic, state FROM {TABLE} WHERE originator_id=?"
    " ORDER BY originator_version"
)
_FIRST = (
    f"SELECT originator_id AS id, state FROM {TABLE} WHERE originator_version=1"
    " AND originator_id IN ({})"
)
_KIND = Kind(TABLE, "originator_version")
#: The list of all tournaments, by when they were opened.
LIST = "events"
Recorder.changes.append((
    f"SELECT 1 WHERE (SELECT count(*) FROM {TABLE} WHERE originator_version=1)"
    f" > (SELECT count(*) FROM lists WHERE list='{LIST}')",
    # when they were opened is in their entries: 0 stands for that
    [lists.filling(f"'{LIST}'", "0", f"{TABLE} AS e WHERE originator_version=1 AND NOT EXISTS"
                   f" (SELECT 1 FROM lists WHERE list='{LIST}' AND id=e.originator_id)",
                   "originator_id")],
))  # fmt: skip
#: What the first entry's hash covers in the place of a hash.
BEFORE = bytes(32)
_HASH = len(BEFORE)
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Entry, strict=True).decode


class Tail(NamedTuple):
    """Where a record stands: the hash in its last row, and its chain if it has one.

    Else the entries that are `unchained`: the chain begins after them.
    """

    hash: bytes = BEFORE
    chain: Chain | None = None
    unchained: Sequence[Entry] = ()

    @property
    def head(self) -> Head:
        """What it is archived by: the head of its chain, or the hash alone."""
        return Head(len(self.unchained), self.hash) if self.chain is None else self.chain.head

    def stands(self, head: Head) -> bool:
        """Whether it stands at a head by which a record was archived, before it was chained too."""
        return head in (self.head, Head(self.head.seq, self.hash))


#: Where a new record stands.
NEW = Tail()


def key_of(tournament: str) -> str:
    """What a tournament is called among chains and leaves, where matches are by their ids."""
    return f"{EVENT}{tournament}"


class NoSuchTournament(LookupError):
    """There is no tournament of that id."""


class RecordBroken(StoreError):
    """The record of a tournament is not the one that was written, or chained, or is in the log."""


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

    def log(self, tournament: str) -> tuple[list[Entry], Tail]:
        """All entries of a tournament, and where it stands; raises `NoSuchTournament`.

        `StoreError` names the first entry that is not what was written, or is missing; `Newer` one
        that this version can't read.
        """
        with self._records.reading():
            found, before = list[Entry](), BEFORE
            for stored in self._stored(tournament):
                entry = self._checked(stored, tournament, len(found) + 1, before)
                found.append(entry)
                before = bytes(stored.state[:_HASH])
            chain = self._chain(tournament, found)
        if not found:
            if chain is not None and archived.find(self._records, tournament) is None:
                raise RecordBroken(f"event {tournament}: it was chained, and has no entries")
            raise NoSuchTournament(tournament)
        return found, Tail(before, chain, () if chain is not None else found)

    def _chain(self, tournament: str, log: Sequence[Entry]) -> Chain | None:
        """The chain of a record, which entries and the log of heads fit; raises `StoreError`."""
        key, what = key_of(tournament), f"event {tournament}"
        chain, logged = chains.stored(self._records, key), leaves.of(self._records.driver, key)
        if chain is None and log and (why := leaves.missing(logged, len(log))):
            raise RecordBroken(f"{what}: {why}")
        if chain is None or not log:
            return chain
        first = proof.genesis(tournament, chain.head.since)
        hashes = dict(enumerate(proof.links(first, log, chain.secret), 1))
        if why := leaves.contradicted(logged, len(log), hashes):
            raise RecordBroken(f"{what}: {why}")
        if len(log) != (n := chain.head.seq):
            raise RecordBroken(f"{what}: it has {len(log)} entries, {n} were chained")
        if hashes[n] != chain.head.hash:
            raise RecordBroken(f"{what}: its entries do not lead to its head {chain.head.short}")
        return chain

    def _stored(self, tournament: str) -> Sequence[StoredEvent]:
        if not self._records.has_table(TABLE):
            return []
        with self._records.rows(_ROWS, tournament) as found:
            return [StoredEvent(tournament, *row) for row in found]

    def _checked(self, stored: StoredEvent, tournament: str, seq: int, before: bytes) -> Entry:
        """The entry of a row that has to have this number, after a row with this hash."""
        if stored.originator_version != seq:
            raise RecordBroken(f"event {tournament}: entry {seq} is missing")
        try:
            line: Line = self._mapper.to_domain_event(stored)
            good = line.entry.seq == seq and linked(before, line.data) == line.hash
        except (ValueError, TypeError) as error:
            good, (hash_, data) = False, (stored.state[:_HASH], stored.state[_HASH:])
            whole = isinstance(error, msgspec.ValidationError) and linked(before, data) == hash_
            if whole:  # it is what was written, by a version that knows more
                raise Newer(f"event {tournament}", seq, "more than this one knows") from error
        if not good:
            raise RecordBroken(f"event {tournament}: entry {seq} is damaged")
        opened = line.entry.event if seq == 1 else None
        if opened is not None and getattr(opened, "id", "") != tournament:
            raise RecordBroken(f"event {tournament}: it is the record of another")
        return line.entry

    def saved(
        self, tournament: str, entries: Sequence[Entry], tail: Tail = NEW
    ) -> tuple[list[Statement], Tail]:
        """What saves entries that follow where a record stands, and where it stands then.

        Without entries: what chains a record that is not chained yet. Raises `StoreError` if it
        may have been, which the log would tell.
        """
        if tail.unchained and (why := self._records.log_broken):
            raise StoreError(f"event {tournament}: {why}")
        chain, before = _extended(tournament, entries, tail), tail.hash
        found: list[Statement] = [_chain_saved(tournament, chain, tail.chain)]
        for entry in entries:
            data = _encode(entry)
            line = Line(tournament, entry.seq, entry, data, linked(before, data))
            row = self._mapper.to_stored_event(line)
            values = (row.originator_id, row.originator_version, row.topic, row.state)
            found.append((_INSERT, values))
            if isinstance(entry.event, TournamentOpened):
                found.append(lists.added(LIST, entry.event.at, tournament))
            before = line.hash
        return found, Tail(before, chain)

    def opened(self) -> list[tuple[int, str]]:
        """All tournaments, the newest first: when each was opened, and its id. O(tournaments).

        One whose first entry is damaged comes last, where that is all there is to tell it by.
        """
        if not self._records.has_table(TABLE):
            return []
        if self._records.has_table("lists"):
            known = [one for page in lists.every(self._records, LIST, _KIND) for one in page]
        else:
            with self._records.rows(f"SELECT DISTINCT originator_id FROM {TABLE}") as rows:
                known = [(0, str(row["originator_id"])) for row in rows]
        unknown = [id_ for at, id_ in known if not at]
        when = lists.rows_of(self._records, _FIRST, unknown, lambda row: _opened_at(row["state"]))
        return sorted(((at or when.get(id_, 0), id_) for at, id_ in known), reverse=True)

    def lost(self) -> list[str]:
        """The tournaments that were chained, or are in the log, and have no entry any more."""
        ids = set[str]()
        for table in ("chains", "leaves"):
            sql = f"SELECT DISTINCT id FROM {table} WHERE id LIKE '{EVENT}%'"
            if self._records.has_table(table):
                with self._records.rows(sql) as found:
                    ids |= {row["id"].removeprefix(EVENT) for row in found}
        gone = (one for one in sorted(ids) if not self.has(one))
        return [one for one in gone if archived.find(self._records, one) is None]

    def last(self, tournament: str) -> int:
        """The number of the last entry of a tournament; 0: there is none."""
        sql = f"SELECT max(originator_version) FROM {TABLE} WHERE originator_id=?"
        return int(self._records.row(sql, tournament)[0] or 0)

    def has(self, tournament: str) -> bool:
        """Whether there is one of that id."""
        sql = f"SELECT 1 FROM {TABLE} WHERE originator_id=? LIMIT 1"
        return self._records.has_table(TABLE) and self._records.row(sql, tournament) is not None

    def taken(self, tournament: str) -> bool:
        """Whether there is, or was, one of that id."""
        chain = chains.stored(self._records, key_of(tournament))
        return chain is not None or self.has(tournament)

    def fault(self, tournament: str) -> str:
        """What is wrong with the record of a tournament; empty: nothing."""
        try:
            self.log(tournament)
        except StoreError as error:
            return str(error)
        return ""


def _extended(tournament: str, entries: Sequence[Entry], tail: Tail) -> Chain:
    """The chain of a record with further entries; a new one if it has none."""
    if tail.chain is None:
        secret, known = token_bytes(SECRET), [*tail.unchained, *entries]
        head = proof.genesis(tournament, len(tail.unchained))
    else:
        (secret, head), known = tail.chain, [*entries]
    hashes = proof.links(head, known, secret)
    return Chain(secret, Head(head.seq + len(hashes), hashes[-1], head.since))


def _chain_saved(tournament: str, chain: Chain, before: Chain | None) -> Statement:
    """What saves a chain, if the one before it is still there, or none was."""
    key, head = key_of(tournament), chain.head
    if before is None:
        return _CHAIN, (key, chain.secret, head.since, head.seq, head.hash)
    was = before.head
    return Must(_CHAINED, (head.seq, head.hash, key, was.seq, was.hash))


_CHAIN = insert("chains", "id, secret, since, seq, hash")
_CHAINED = "UPDATE chains SET seq=?, hash=? WHERE id=? AND seq=? AND hash=?"


def listed(records: Records) -> Iterator[Row]:
    """Where all tournaments should stand on lists. O(tournaments)."""
    if not records.has_table(TABLE):
        return
    sql = f"SELECT originator_id AS id, state FROM {TABLE} WHERE originator_version=1"
    with records.rows(sql) as found:
        for row in found:  # one that was filled in has no time
            filled = lists.has(records, LIST, 0, row["id"])
            yield LIST, 0 if filled else _opened_at(row["state"]), row["id"]


def _opened_at(state: Any) -> int:
    try:
        event = _decode(state[_HASH:]).event
    except (ValueError, TypeError):
        return 0
    return event.at if isinstance(event, TournamentOpened) else 0
