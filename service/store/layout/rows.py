"""The rows of records: adapters between entries and what the `eventsourcing` library stores.

A row is some entries: their match, the number of the last one, a topic and the packed entries
(`packing`; `layout1` for files of earlier versions). How rows are written is the driver's
(`service.store.driver`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from eventsourcing.persistence import Mapper, StoredEvent, Transcoder

from domain.record.entries import Entry
from service.store.errors import Conflict, StoreError
from service.store.layout import layout1, packing
from service.store.layout.compression import Compression
from service.store.layout.packing import runs
from service.store.layout.work import Work


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
    """Rows as they are stored, by the layout of the file: the earlier one can only be read."""

    def __init__(self, compression: Compression, earlier: layout1.Rows | None = None) -> None:
        super().__init__(cast(Transcoder, None))
        self.compression = compression
        self._earlier = earlier
        self.in_use: dict[str, int] = {}  # the number of each game's dictionary

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """A row as it is stored; `Conflict` if its entries do not follow one another."""
        match, entries = domain_event.originator_id, domain_event.entries
        if any(entry.seq != at for at, entry in enumerate(entries, entries[0].seq)):
            raise Conflict(f"match {match}: the entries do not follow one another")
        row = packing.pack(match, entries, self.compression, self.in_use.get(domain_event.game, 0))
        return StoredEvent(match, *row)

    def to_domain_event(self, stored_event: StoredEvent) -> Row:
        """A stored row; `StoreError` if it can't be one."""
        e, match = stored_event, str(stored_event.originator_id)
        return Row(match, self.entries(match, e.originator_version, e.topic.encode(), e.state))

    def entries(self, match: str, version: int, topic: bytes, state: bytes) -> list[Entry]:
        """The entries of a row; `StoreError` if it is damaged, `Newer` if they can't be known."""
        try:
            if self._earlier is not None:
                return self._earlier.unpack(version, state)
            return packing.unpack(match, version, topic, state, self.compression)
        except (ValueError, TypeError, IndexError) as error:
            first = version if self._earlier is not None else packing.first(version, topic)
            which = entries_of(first, version)
            raise StoreError(f"match {match}: {which} damaged ({error})") from error

    def topics(self, tag: int) -> tuple[str, str]:
        """A condition that holds for each row with events of this tag, and its parameter."""
        if self._earlier is not None:
            return "topic=?3", str(tag)
        return "instr(topic, ?3) > 0", packing.topic_pattern(tag)


def entries_of(first: int, last: int) -> str:
    """Some entries in words, with their verb."""
    return f"entry {last} is" if first >= last else f"entries {first} to {last} are"
