"""The rows of records: adapters between entries and what the `eventsourcing` library stores.

A row is some entries: their match, the number of the last one, a topic and the packed entries
(`packing`). How rows are written is the driver's
(`service.store.driver`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eventsourcing.persistence import JSONTranscoder, Mapper, StoredEvent

from domain.record.entries import Entry
from domain.words.phrases import phrase
from service.store.errors import Conflict, StoreError
from service.store.layout import packing
from service.store.layout.compression import Compression
from service.store.layout.packing import runs
from service.store.statements import Work


class Row:
    """Entries of a match that go into one row: what the library calls a domain event."""

    __slots__ = ("entries", "game", "originator_id", "originator_version")

    def __init__(self, match: str, entries: Sequence[Entry], game: str = "") -> None:
        self.originator_id = match
        self.originator_version = entries[-1].seq
        self.entries = entries
        self.game = game


def rows_of(works: Sequence[Work]) -> list[Row]:
    """The rows of works that are saved together."""
    return [Row(work.match, run, work.game) for work in works for run in runs(work.entries)]


class RowMapper(Mapper[str]):
    """Rows as they are stored."""

    def __init__(self, compression: Compression) -> None:
        super().__init__(JSONTranscoder())  # which has nothing to do: a row is packed here
        self.compression = compression
        self.in_use: dict[str, int] = {}  # the number of each game's dictionary

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """A row as it is stored; `Conflict` if its entries do not follow one another."""
        match, entries = domain_event.originator_id, domain_event.entries
        if any(entry.seq != at for at, entry in enumerate(entries, entries[0].seq)):
            raise Conflict(
                phrase("match {match}: the entries do not follow one another", match=match)
            )
        row = packing.pack(match, entries, self.compression, self.in_use.get(domain_event.game, 0))
        return StoredEvent(match, *row)

    def to_domain_event(self, stored_event: StoredEvent) -> Row:
        """A stored row; `StoreError` if it can't be one."""
        e, match = stored_event, str(stored_event.originator_id)
        topic = (
            e.topic.encode() if isinstance(e.topic, str) else e.topic
        )  # a damaged one is ignored
        return Row(match, self.entries(match, e.originator_version, topic, e.state))

    def entries(self, match: str, version: int, topic: bytes, state: bytes) -> list[Entry]:
        """The entries of a row; `StoreError` if it is damaged, `Newer` if they can't be known."""
        try:
            return packing.unpack(match, version, topic, state, self.compression)
        except (ValueError, TypeError, IndexError) as error:
            which = entries_of(packing.first(version, topic), version)
            raise StoreError(
                phrase(
                    "match {match}: {which} damaged ({error})",
                    match=match,
                    which=which,
                    error=error,
                )
            ) from error


def entries_of(first: int, last: int) -> str:
    """Some entries in words, with their verb."""
    return f"entry {last} is" if first >= last else f"entries {first} to {last} are"
