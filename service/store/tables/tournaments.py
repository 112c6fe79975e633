"""Records of tournaments, in a table of their own in the file of matches.

Each is a stream: a row for each entry, whose version is its number, so that a second writer of the
same entry fails cleanly. A row holds the entry as MessagePack behind
a hash over it and over the hash of the row before. So no entry can be altered, left out or put in
without all later hashes changing; that is checked whenever a record is read, and nothing is added
to one that is damaged. What is written goes along with works of matches (`commit`).

The owner of the file can compute those hashes again. So each record has a chain as well, like a
match (`domain.tournament.proof`): a row of `chains` under `event ID`, whose head becomes a leaf of
the log of heads. Whenever a record is read it is compared with both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from secrets import token_bytes
from typing import Any, NamedTuple

import msgspec

from domain.record.proof.anchors.leaves import EVENT
from domain.record.proof.chain import SECRET, Head
from domain.tournament import proof
from domain.tournament.record import Entry, TournamentOpened
from service.store import chains, leaves
from service.store.layout.chaining import Chain
from service.store.layout.newer import Newer
from service.store.records import Records, Statement, StoreError
from service.store.statements import Must, insert
from service.store.tables import archived, lists
from service.store.tables.lists import Row

TABLE = "tournament_entries"
_INSERT = insert(TABLE, "originator_id, originator_version, topic, state")
_ROWS = (
    f"SELECT originator_version, topic, state FROM {TABLE} WHERE originator_id=?"
    " ORDER BY originator_version"
)
#: The list of all tournaments, by when they were opened.
LIST = "events"
#: What the first entry's hash covers in the place of a hash.
BEFORE = bytes(32)
_HASH = len(BEFORE)
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Entry, strict=True).decode


class Tail(NamedTuple):
    """Where a record stands: the hash in its last row, and its chain; None: it has no entry yet."""

    hash: bytes = BEFORE
    chain: Chain | None = None

    @property
    def head(self) -> Head:
        """The head by which it is archived."""
        assert self.chain is not None
        return self.chain.head


#: Where a new record stands.
NEW = Tail()


def key_of(tournament: str) -> str:
    """The key of a tournament among chains and leaves, where matches have their ids."""
    return f"{EVENT}{tournament}"


class NoSuchTournament(LookupError):
    """There is no tournament of that id."""


class RecordBroken(StoreError):
    """The record of a tournament is not the one that was written, or chained, or is in the log."""


def linked(before: bytes, data: bytes) -> bytes:
    """The hash of an entry (as MessagePack) that follows a hash: SHA-256 of both."""
    return sha256(before + data).digest()


class Tournaments:
    """The records of all tournaments of a file."""

    def __init__(self, records: Records) -> None:
        self._records = records

    def log(self, tournament: str) -> tuple[list[Entry], Tail]:
        """All entries of a tournament, and where it stands; raises `NoSuchTournament`.

        `StoreError` names the first entry that is not what was written, or is missing; `Newer` one
        that this version can't read.
        """
        with self._records.reading():
            found, before = list[Entry](), BEFORE
            with self._records.rows(_ROWS, tournament) as rows:
                for row in rows:
                    found.append(_checked(row, tournament, len(found) + 1, before))
                    before = bytes(row["state"][:_HASH])
            chain = self._chain(tournament, found)
        if not found:
            if chain is not None and archived.find(self._records, tournament) is None:
                raise RecordBroken(f"event {tournament}: it was chained, and has no entries")
            raise NoSuchTournament(tournament)
        return found, Tail(before, chain)

    def _chain(self, tournament: str, log: Sequence[Entry]) -> Chain | None:
        """The chain of a record, which entries and the log of heads fit; raises `StoreError`."""
        key, what = key_of(tournament), f"event {tournament}"
        chain, logged = chains.stored(self._records, key), leaves.of(self._records.driver, key)
        if chain is None and (why := leaves.missing(logged, len(log))):
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

    def saved(
        self, tournament: str, entries: Sequence[Entry], tail: Tail = NEW
    ) -> tuple[list[Statement], Tail]:
        """The statements that save further entries of a record, and its state afterwards."""
        chain, before = _extended(tournament, entries, tail), tail.hash
        found: list[Statement] = [_chain_saved(tournament, chain, tail.chain)]
        for entry in entries:
            data = _encode(entry)
            before = linked(before, data)
            tag = str(type(entry.event).__struct_config__.tag)
            found.append((_INSERT, (tournament, entry.seq, tag, before + data)))
            if isinstance(entry.event, TournamentOpened):
                found.append(lists.added(LIST, entry.event.at, tournament))
        return found, Tail(before, chain)

    def opened(self) -> list[tuple[int, str]]:
        """All tournaments, the newest first: when each was opened, and its id. O(tournaments)."""
        return [one for page in lists.every(self._records, LIST) for one in page]

    def opened_at(self, tournament: str) -> int:
        """The beginning of its record, in milliseconds since 1970; 0 if unknown."""
        row = self._records.row(f"{_ROWS} LIMIT 1", tournament)
        return _opened_at(row["state"]) if row is not None else 0

    def lost(self) -> list[str]:
        """The tournaments that were chained, or are in the log, and have no entry any more."""
        ids = set[str]()
        for table in ("chains", "leaves"):
            sql = f"SELECT DISTINCT id FROM {table} WHERE id LIKE '{EVENT}%'"
            with self._records.rows(sql) as found:
                ids |= {row["id"].removeprefix(EVENT) for row in found}
        gone = (one for one in sorted(ids) if not self.has(one))
        return [one for one in gone if archived.find(self._records, one) is None]

    def last(self, tournament: str) -> int:
        """The number of the last entry of a tournament; 0: none."""
        sql = f"SELECT max(originator_version) FROM {TABLE} WHERE originator_id=?"
        return int(self._records.row(sql, tournament)[0] or 0)

    def has(self, tournament: str) -> bool:
        """Whether there is one of that id."""
        sql = f"SELECT 1 FROM {TABLE} WHERE originator_id=? LIMIT 1"
        return self._records.row(sql, tournament) is not None

    def taken(self, tournament: str) -> bool:
        """Whether there is, or was, one of that id."""
        chain = chains.stored(self._records, key_of(tournament))
        return chain is not None or self.has(tournament)

    def fault(self, tournament: str) -> str:
        """The fault of the record of a tournament; empty: none."""
        try:
            self.log(tournament)
        except StoreError as error:
            return str(error)
        return ""


def _checked(row: Any, tournament: str, seq: int, before: bytes) -> Entry:
    """The entry of a row that has to have this number, after a row with this hash."""
    if row["originator_version"] != seq:
        raise RecordBroken(f"event {tournament}: entry {seq} is missing")
    hash_, data = row["state"][:_HASH], row["state"][_HASH:]
    try:
        entry = _decode(data)
        good = entry.seq == seq and linked(before, data) == hash_
    except (ValueError, TypeError) as error:
        good = False
        whole = isinstance(error, msgspec.ValidationError) and linked(before, data) == hash_
        if whole:  # it is what was written, by a version that knows more
            raise Newer(f"event {tournament}", seq, "more than this one knows") from error
    if not good:
        raise RecordBroken(f"event {tournament}: entry {seq} is damaged")
    if seq == 1 and getattr(entry.event, "id", "") != tournament:
        raise RecordBroken(f"event {tournament}: it is the record of another")
    return entry


def _extended(tournament: str, entries: Sequence[Entry], tail: Tail) -> Chain:
    """The chain of a record with further entries; a new one if it has none."""
    if tail.chain is None:
        secret, head = token_bytes(SECRET), proof.genesis(tournament, 0)
    else:
        secret, head = tail.chain
    hashes = proof.links(head, entries, secret)
    return Chain(secret, Head(head.seq + len(hashes), hashes[-1], head.since))


def _chain_saved(tournament: str, chain: Chain, before: Chain | None) -> Statement:
    """A statement that saves a chain, if the one before it is still there, or there was none."""
    key, head = key_of(tournament), chain.head
    if before is None:
        return _CHAIN, (key, chain.secret, head.since, head.seq, head.hash)
    was = before.head
    return Must(_CHAINED, (head.seq, head.hash, key, was.seq, was.hash))


_CHAIN = insert("chains", "id, secret, since, seq, hash")
_CHAINED = "UPDATE chains SET seq=?, hash=? WHERE id=? AND seq=? AND hash=?"


def listed(records: Records) -> Iterator[Row]:
    """Where all tournaments should stand on lists. O(tournaments)."""
    sql = f"SELECT originator_id AS id, state FROM {TABLE} WHERE originator_version=1"
    with records.rows(sql) as found:
        for row in found:
            yield LIST, _opened_at(row["state"]), row["id"]


def _opened_at(state: Any) -> int:
    try:
        event = _decode(state[_HASH:]).event
    except (ValueError, TypeError):
        return 0
    return event.at if isinstance(event, TournamentOpened) else 0
