"""Records of matches in a database, through the `eventsourcing` library.

Each match is a stream: a row for what each command added, whose version is the number of its last
entry and whose topic begins with how many there are. So a second writer of the same entries fails
cleanly, and nothing needs an order across matches. Derived data (`derived`) is written
in the same transaction.

What the library is used for: its event store takes rows through our mapper (`layout.rows`) to the
recorder of the database at hand (`driver.Recorder`). Entries are read from the rows directly
(`runs`): the library makes two more objects of each, and all of them before the first is seen.

The rows are in `rows`, what is in one in `packing` (LAYOUT.md); collecting the work of several
matches into one transaction is in `commit`. Which database it is only drivers know (`driver`).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from itertools import islice
from pathlib import Path
from typing import Any, cast

from eventsourcing.persistence import EventStore

from domain.record.entries import TYPES, Entry
from domain.record.schema.citations import without_edition
from domain.words.phrases import phrase
from service.store import driver
from service.store.driver import LAST as LAST
from service.store.driver import ROWS as _ROWS
from service.store.errors import Conflict as Conflict
from service.store.errors import Full as Full
from service.store.errors import Gone as Gone
from service.store.errors import Locked as Locked
from service.store.errors import NoSuchMatch as NoSuchMatch
from service.store.errors import StoreError as StoreError
from service.store.errors import Unstorable as Unstorable
from service.store.errors import Unwritable as Unwritable
from service.store.layout import compression, packing
from service.store.layout.chaining import ChainBroken as ChainBroken
from service.store.layout.chaining import Links
from service.store.layout.compression import Compression
from service.store.layout.newer import Newer as Newer
from service.store.layout.rows import RowMapper, entries_of, rows_of
from service.store.opening import opened
from service.store.sqlite.lock import TRY
from service.store.statements import Must as Must
from service.store.statements import Statement as Statement
from service.store.statements import Version as Version
from service.store.statements import Work as Work
from service.store.statements import insert_new
from service.telemetry.logs import log_event

#: How long to wait for another program that writes to the file, and how often to try, in seconds.
PATIENCE, RETRY = 30.0, 0.01


class Records:
    """The records of all matches in one store."""

    def __init__(
        self,
        where: Path | str,
        *,
        reading: bool = False,
        patience: float = TRY,
        path: Path | None = None,
    ) -> None:
        """Open a store: a file, which is created if missing, or a database by its address.

        `reading`: one that others may write. `path`: the one next to which further files lie, if
        it is not the store's. Raises `StoreError`; `Unwritable` if it can be read only, or another
        process still holds it after so many seconds of patience.
        """
        self.damaged = set[str]()  # whose derived data are known to be damaged
        self.on_damage: Callable[[str], None] = lambda match: None  # who makes them again
        self.driver = opened(where, reading, patience)
        self.where = self.driver.name
        self.path = Path(self.where) if path is None else path
        self.row_mapper = RowMapper(Compression(self._dictionaries))
        self.events = EventStore[str](self.row_mapper, self.driver.recorder)

    @property
    def writable(self) -> bool:
        """Whether entries can be added."""
        return self.driver.writable

    @property
    def read_only_reason(self) -> str:
        """Why no entries can be added, if they can't be."""
        return self.driver.reason

    @read_only_reason.setter
    def read_only_reason(self, why: str) -> None:
        self.driver.reason = why

    @property
    def shared(self) -> bool:
        """Whether other processes may add entries at the same time."""
        return self.driver.shared

    @property
    def closed(self) -> bool:
        """Whether it is an archive, to which nothing is ever added."""
        return self.driver.closed

    def check(self) -> None:
        """Raises `StoreError` if it does not answer; `Gone` if it can't be written any more."""
        self.driver.check()
        self.last("")

    def use_dictionary(self, game: str, data: bytes | None = None) -> None:
        """Write entries of a game with a dictionary: these data, or what is shipped for the game.

        Reading needs no call of this: what was written with a dictionary has it in the file. A game
        without any is written without, which takes up more room.
        """
        data = compression.shipped(without_edition(game)) if data is None else data
        if not data:
            return
        name = compression.name_of(without_edition(game), data)
        while (kept := self.row("SELECT id, data FROM dictionaries WHERE name=?", name)) is None:
            with self.rows("SELECT id FROM dictionaries") as found:
                number = compression.next_number([row["id"] for row in found.fetchall()])
            # others may have taken the number meanwhile, or the name: theirs stays as it is
            self.write(Work("", (), [(_SAVE_DICTIONARY, (number, name, data))]))
        number = kept["id"]
        if kept["data"] != data:
            self.write(Work("", (), [(_MEND_DICTIONARY, (data, number, name))]))
        self.row_mapper.in_use[game] = number

    def _dictionaries(self) -> dict[int, bytes]:
        """The dictionaries of the file; those that are damaged are left out."""
        with self.rows("SELECT id, name, data FROM dictionaries") as found:
            kept = {row["id"]: compression.undamaged(row["name"], row["data"]) for row in found}
        return {number: data for number, data in kept.items() if data is not None}

    def report_damage(self, match: str, what: str) -> None:
        """Something derived from a match's entries is not what it should be, and was bypassed."""
        if match not in self.damaged:
            self.damaged.add(match)
            log_event(logging.WARNING, "derived data damaged", match=match, what=what)
            self.on_damage(match)

    # -- writing ---------------------------------------------------------------------------------

    def write(self, *works: Work) -> list[Links | None]:
        """Save the work of several commands in one transaction, all or nothing; durable on return.

        How the entries of each were chained is returned. Raises `Conflict` if a match's entries do
        not follow those it has, `ChainBroken` if those are not the ones that were chained, `Locked`
        if another program holds the file for longer than `PATIENCE`, `Gone` if it is not known
        whether they were saved.
        """
        until = time.monotonic() + PATIENCE
        while (found := self._try_stage(works, last=time.monotonic() > until)) is None:
            time.sleep(RETRY)  # not within SQLite, where other threads would wait for us as well
        self.commit()
        return found

    def _try_stage(self, works: Sequence[Work], last: bool) -> list[Links | None] | None:
        try:
            return self.stage(*works)
        except Locked:
            if last:
                raise
            return None

    def stage(self, *works: Work) -> list[Links | None]:
        """The first half of `write`: what raises `Conflict`. `commit` must follow.

        Raises `Locked` if another program holds the file.
        """
        if not self.writable:
            raise Unwritable(self.read_only_reason)
        found = list[Links | None]()
        with self.driver.translated("written"):
            rows = cast(Any, rows_of(works))  # `save` looks long at each
            self.events.put(rows, works=works, links=found, stored=self._stored)
        return found

    def _stored(self, match: str, n: int | None) -> list[Entry]:
        return self.entries(match, 0, n)

    def commit(self) -> None:
        """The second half: wait for the disk. May be called in another thread."""
        with self.driver.translated("written"):
            self.driver.recorder.commit()

    def close(self) -> None:
        """Close the store, and let others have it."""
        self.driver.close()

    # -- reading ---------------------------------------------------------------------------------

    def reading(self, *, several: bool = True) -> AbstractContextManager[None]:
        """Read several things as they are at one time, in one transaction of this thread's.

        Without `several` it is one statement, whose rows may be read one by one.
        """
        return self.driver.reading(several=several)

    def version(self, match: str) -> Version:
        """How far a match is, as others may have changed it."""
        return self.driver.version(match)

    def entries(
        self, match: str, after: int = 0, until: int | None = None, limit: int | None = None
    ) -> list[Entry]:
        """Entries of a match, those after number `after`, in order. O(entries read)."""
        last = min(until if until is not None else LAST, after + (limit or LAST))
        found: list[Entry] = []
        with self.reading(several=False):
            for run in self.runs(match, after, last):
                found += run
        return found

    def runs(self, match: str, after: int = 0, until: int = LAST) -> Iterator[list[Entry]]:
        """Those entries row by row, read as they are asked for. Only while `reading`.

        Raises `StoreError` if one is damaged or missing, `Newer` once there are none left that this
        version can read. Reads the rows itself: the library's way makes two more objects of each.
        """
        begun = False
        with self.rows(f"{_ROWS} AND originator_version>? ORDER BY 2", match, after) as found:
            for row in found if after < until else ():
                run, unread = self._run(row)
                first, last = run[0].seq, run[-1].seq
                if first > after + 1:
                    which = entries_of(after + 1, first - 1)
                    raise StoreError(
                        phrase("match {match}: {which} missing", match=match, which=which)
                    )
                if begun and first <= after:
                    raise StoreError(phrase("match {match}: an entry is there twice", match=match))
                yield run[after + 1 - first : until + 1 - first]
                if last >= until:
                    return
                if unread is not None:
                    raise unread
                begun, after = True, last

    def _run(self, row: Any) -> tuple[list[Entry], Newer | None]:
        """The entries of a row, and what of it this version can't read; raises if that is all."""
        try:
            return self.row_mapper.entries(*row), None
        except Newer as newer:
            if not newer.before:
                raise
            return newer.before, newer

    def run(self, match: str, seq: int) -> list[Entry]:
        """The entries of the row that has entry `seq`; `StoreError` if none has."""
        row = self.row(f"{_ROWS} AND originator_version>=? ORDER BY 2 LIMIT 1", match, seq)
        found, unread = self._run(row) if row is not None else ([], None)
        if not found or found[0].seq > seq:
            raise StoreError(phrase("match {match}: entry {seq} is missing", match=match, seq=seq))
        if unread is not None and unread.seq <= seq:
            raise unread
        return found

    def stored(self, match: str) -> list[packing.Row]:
        """The rows of a match as they are."""
        return [
            (match, row.originator_version, cast(bytes, row.topic), row.state)
            for row in self.driver.recorder.select_events(match)
        ]

    def ids(self, missing_in: str = "") -> list[str]:
        """All matches that have entries, and no row in a table if one is named. O(matches)."""
        but = f" AND id NOT IN (SELECT id FROM {missing_in})" if missing_in else ""
        with self.rows(f"{_IDS} SELECT id FROM each WHERE id IS NOT NULL{but}") as found:
            return [row["id"] for row in found]

    def last(self, match: str) -> int:
        """The number of a match's last entry; 0 if there is no such match."""
        sql = "SELECT max(originator_version) FROM stored_events WHERE originator_id=?"
        return int(self.row(sql, match)[0] or 0)

    def find(self, match: str, tag: int, nth: int = 1, after: int = 0, until: int = LAST) -> int:
        """The number of the nth entry with an event of this tag, -1: the last; 0 if there is none.

        O(entries in between).
        """
        with (
            self.reading(several=False),
            closing(self._tagged(match, tag, after, until, backward=nth < 0)) as some,
        ):
            entry = next(islice(some, abs(nth) - 1, None), None)
        return entry.seq if entry is not None else 0

    def count(self, match: str, tag: int) -> int:
        """How many entries of a match have an event of this tag. O(entries)."""
        return len(self.tagged(match, tag))

    def tagged(self, match: str, tag: int, after: int = 0) -> list[Entry]:
        """Those entries after a number whose event has this tag. O(entries).

        Of the rare types (`packing`) it reads only the rows that have some.
        """
        with self.reading(several=False):
            return list(self._tagged(match, tag, after))

    def _tagged(
        self, match: str, tag: int, after: int, until: int = LAST, *, backward: bool = False
    ) -> Generator[Entry, None, None]:
        """Those entries in their order, or backward."""
        order = "DESC" if backward else ""
        sql = (
            f"{_ROWS} AND originator_version>? AND instr(topic, ?3) > 0"
            " AND originator_version<=coalesce((SELECT min(originator_version) FROM stored_events"
            f" WHERE originator_id=?1 AND originator_version>=?4), ?4) ORDER BY 2 {order}"
        )
        wanted, step = TYPES[tag], -1 if backward else 1
        with self.rows(sql, match, after, packing.topic_pattern(tag), until) as found:
            for row in found:
                for entry in self.row_mapper.entries(*row)[::step]:
                    if type(entry.event) is wanted and after < entry.seq <= until:
                        yield entry

    def row(self, sql: str, *parameters: Any) -> Any:
        """The first row that a query finds, or None."""
        with self.rows(sql, *parameters) as found:
            return found.fetchone()

    def rows(self, sql: str, *parameters: Any) -> AbstractContextManager[driver.Rows]:
        """The rows that a query finds."""
        return self.driver.rows(sql, parameters)


_IDS = (
    "WITH RECURSIVE each(id) AS (SELECT min(originator_id) FROM stored_events UNION ALL"
    " SELECT (SELECT min(originator_id) FROM stored_events WHERE originator_id>id)"
    " FROM each WHERE id IS NOT NULL)"
)
_SAVE_DICTIONARY = insert_new("dictionaries", "id, name, data")
_MEND_DICTIONARY = "UPDATE dictionaries SET data=? WHERE id=? AND name=?"
