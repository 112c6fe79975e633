"""Archived records: matches and events that were removed from a store, or are in an archive.

A row says what there was: how many entries, the head to which they lead, and what shows that this
head is in the log. In a store it represents the match: its id can't be used again, its chain stays,
and requests for it are answered with where it has gone (`service.keeping.archives`). In an archive
it says what the archive holds, and as whom.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Struct

from domain.record.events import MatchOpened
from domain.record.proof.anchors.leaves import EVENT as KEYS
from domain.record.proof.bundle import Bundle
from domain.record.proof.chain import Head, genesis
from domain.record.proof.openings import Proof
from domain.record.views import OFFICIAL
from domain.tournament.record import Entry as TournamentEntry
from domain.words.phrases import phrase
from service.store.records import NoSuchMatch, Records, Statement, StoreError
from service.store.statements import upsert

TABLE = "archived"
#: What a row is of.
MATCH, EVENT = "match", "event"
_COLUMNS = "id, kind, at, viewer, entries, since, head, anchor"


class InArchive(NoSuchMatch):
    """The match was archived on a day, and is no longer in the store."""

    def __init__(self, match: str, day: str) -> None:
        super().__init__(match)
        self.day = day


class Archived(Struct, frozen=True):
    """A match or an event (`kind`) that was archived `at` (milliseconds since 1970).

    `viewer`: as whom (`domain.record.views`). `head` is that after its last entry; `anchor` a
    tlog-proof of its newest leaf, may be empty.
    """

    id: str
    kind: str
    at: int
    head: Head
    anchor: str = ""
    viewer: int = OFFICIAL

    @property
    def key(self) -> str:
        """Its key among chains and leaves."""
        return f"{KEYS}{self.id}" if self.kind == EVENT else self.id

    @property
    def day(self) -> str:
        """The day on which it was archived, by UTC."""
        return f"{datetime.fromtimestamp(self.at / 1000, UTC):%Y-%m-%d}"


def saved(one: Archived) -> Statement:
    """Keep that something was archived."""
    head = one.head
    row = (one.id, one.kind, one.at, one.viewer, head.seq, head.since, head.hash, one.anchor)
    return upsert(TABLE, "id", _COLUMNS), row


def removed(id_: str) -> Statement:
    """Keep it no longer: it was brought back."""
    return f"DELETE FROM {TABLE} WHERE id=?", (id_,)


def find(records: Records, id_: str) -> Archived | None:
    """The row of something that was archived; None if it was not, or the row can't be read."""
    return _archived(records.row(f"SELECT {_COLUMNS} FROM {TABLE} WHERE id=?", id_))


def missing(records: Records, match: str) -> NoSuchMatch:
    """The exception for a match without entries."""
    one = find(records, match)
    return InArchive(match, one.day) if one is not None else NoSuchMatch(match)


def every(records: Records) -> Iterator[Archived]:
    """All that was archived, by the ids."""
    with records.rows(f"SELECT {_COLUMNS} FROM {TABLE} ORDER BY id") as found:
        for row in found:
            if (one := _archived(row)) is not None:
                yield one


def proven(records: Records, match: str) -> Bundle | None:
    """The copy of a match in an archive of the public, with what proves it; None: it has none.

    Raises `StoreError` if it can't be read.
    """
    known = find(records, match)
    if known is None or known.viewer == OFFICIAL:
        return None
    with records.reading():
        entries = records.entries(match)
        with records.rows("SELECT opens FROM openings WHERE id=? ORDER BY seq", match) as found:
            kept = [row[0] for row in found]
    try:
        opens = [opened for some in kept for opened in _opens(some)]
    except (msgspec.MsgspecError, TypeError) as error:
        raise StoreError(
            phrase("match {match}: what proves it is damaged ({error})", match=match, error=error)
        ) from error
    first = entries[0].event if entries else None
    if not isinstance(first, MatchOpened) or len(opens) != len(entries):
        raise StoreError(phrase("match {match}: what proves it is not all there", match=match))
    before = genesis(match, first, known.head.since)
    attached = {"anchor": known.anchor} if known.anchor else {}
    return Bundle(
        entries, known.viewer, Proof(match, before, tuple(opens), known.head), (), attached
    )


def proven_event(records: Records, event: str) -> tuple[list[TournamentEntry], list[bytes]] | None:
    """The public's copy of an event in an archive, and what opens it.

    None: it has none. Raises `StoreError` if it can't be read.
    """
    known = find(records, event)
    if known is None or known.viewer == OFFICIAL:
        return None
    sql = "SELECT {} FROM {} WHERE id=? ORDER BY seq"
    with records.rows(sql.format("entry", "public_entries"), event) as found:
        kept = [row[0] for row in found]
    with records.rows(sql.format("opens", "openings"), f"{KEYS}{event}") as found:
        opens = [row[0] for row in found]
    try:
        return [*map(_entry, kept)], [one for some in opens for one in _opens(some)]
    except (ValueError, TypeError) as error:
        raise StoreError(
            phrase("event {event}: its copy is damaged ({error})", event=event, error=error)
        ) from error


_entry = msgspec.msgpack.Decoder(TournamentEntry, strict=True).decode
_opens = msgspec.msgpack.Decoder(list[bytes]).decode


def _archived(row: Any) -> Archived | None:
    if row is None:
        return None
    id_, kind, at, viewer, entries, since, head, anchor = row
    numbers = all(type(one) is int for one in (at, viewer, entries, since))
    if (
        kind not in (MATCH, EVENT)
        or not numbers
        or not isinstance(head, bytes)
        or not isinstance(anchor, str)
    ):
        return None
    return Archived(id_, kind, at, Head(entries, head, since), anchor, viewer)
