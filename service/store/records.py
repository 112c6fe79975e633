"""Records of matches in an SQLite file, through the `eventsourcing` library.

Each match is a stream: a row for each entry, whose version is the entry's sequence number and whose
topic is the event's tag. So a second writer of the same entry fails cleanly, and nothing needs an
order across matches. Derived data (`listing`, `history`) is written in the same transaction.

The rows are in `rows`, collecting the work of several matches into one transaction is in `commit`.
"""

from __future__ import annotations

import logging
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

from eventsourcing.application import Application
from eventsourcing.persistence import (
    ApplicationRecorder,
    InfrastructureFactory,
    Mapper,
    PersistenceError,
    Transcoder,
)
from eventsourcing.sqlite import (
    SQLiteCursor,
)
from eventsourcing.utils import Environment

from domain.record.entries import Entry
from service.logs import log_event
from service.store.file import Locked as Locked
from service.store.file import StoreError as StoreError
from service.store.file import Unwritable as Unwritable
from service.store.file import claim, readable, worded
from service.store.hold import TRY, Hold, Taken
from service.store.rows import Batch, EntryMapper, Factory
from service.store.rows import Conflict as Conflict
from service.store.rows import Recorder as Recorder
from service.store.rows import Statement as Statement
from service.store.rows import Work as Work
from service.store.shorthand import Shorthand, room

#: How long to wait for another program that writes to the file, and how often to try, in seconds.
PATIENCE, AGAIN = 30.0, 0.01
#: No entry has a number as high as this.
LAST = 2**31
#: What comes of a damaged file; what SQLite says of one may be no text either.
_UNREADABLE = (sqlite3.Error, PersistenceError, UnicodeDecodeError)


class NoSuchMatch(LookupError):
    """There is no match of that id."""


class Records(Application[str]):
    """The records of all matches in one file."""

    name = "Kifu"

    def __init__(self, path: Path | str, *, reading: bool = False, patience: float = TRY) -> None:
        """Hold a file, and make it if there is none; `reading`: read one that others may write.

        Raises `StoreError`; `Unwritable` if it can be read only, or another process still holds it
        after so many seconds of patience.
        """
        self.path = Path(path)
        self.doubts = set[str]()  # whose derived data are known to be damaged
        self.doubted: Callable[[str], None] = lambda match: None  # who makes them anew
        self.why_not = f"{path} is only read here"  # and not written, if it isn't
        self.hold = None if reading else _hold(self.path, patience)
        try:
            if reading:
                env = {"SQLITE_DBNAME": readable(self.path), "CREATE_TABLE": "n"}
            else:
                claim(self.path)
                env = {"SQLITE_DBNAME": str(path)}
            super().__init__(env=env)
        except BaseException as error:
            if self.hold is not None:
                self.hold.release()
            if isinstance(error, (*_UNREADABLE, OSError)):
                raise worded(self.path, error) from error
            raise
        self.entry_mapper.shorthand = Shorthand(self._samples)

    def learn(self, game: str, name: str, sample: Callable[[], bytes]) -> None:
        """Write entries of a game by the sample of that name; it is made if there is none.

        Reading needs no call of this: what was written by a sample has it in the file.
        """
        find = "SELECT id FROM samples WHERE name=?"
        if self.row(find, name) is None:
            values = (room(self._samples()), name, zlib.compress(sample(), 9))
            self.write(Work("", (), [("INSERT INTO samples VALUES (?,?,?)", values)]))
        self.entry_mapper.shorthand.use(game, self.row(find, name)["id"])

    def _samples(self) -> dict[int, bytes]:
        with self.rows("SELECT id, sample FROM samples") as found:
            kept = {row["id"]: row["sample"] for row in found.fetchall()}
        try:
            return {number: zlib.decompress(sample) for number, sample in kept.items()}
        except (zlib.error, TypeError) as error:
            raise StoreError(f"{self.path}: its samples are damaged ({error})") from error

    def doubt(self, match: str, what: str) -> None:
        """Something derived from a match's entries is not what it should be, and was bypassed."""
        if match not in self.doubts:
            self.doubts.add(match)
            log_event(logging.WARNING, "derived data damaged", match=match, what=what)
            self.doubted(match)

    @property
    def entry_mapper(self) -> EntryMapper:
        """The mapper, by the type that it is of."""
        return cast(EntryMapper, self.mapper)

    def construct_factory(self, env: Environment) -> InfrastructureFactory[Any]:
        """SQLite with our connections."""
        return Factory(env)

    def construct_mapper(self) -> Mapper[str]:
        """Entries as rows."""
        return EntryMapper(cast(Transcoder, None))

    def construct_recorder(self) -> ApplicationRecorder:
        """A recorder without a global order: no match needs one, and rows are smaller."""
        return cast(ApplicationRecorder, self.factory.aggregate_recorder())

    # -- writing ---------------------------------------------------------------------------------

    def write(self, *works: Work) -> None:
        """Save the work of several commands in one transaction, all or nothing; durable on return.

        Raises `Conflict` if a match's entries do not follow those it has, `Locked` if another
        program holds the file for longer than `PATIENCE`.
        """
        until = time.monotonic() + PATIENCE
        while not self._staged(works, last=time.monotonic() > until):
            time.sleep(AGAIN)  # not within SQLite, where other threads would wait for us as well
        self.settle()

    def _staged(self, works: Sequence[Work], last: bool) -> bool:
        try:
            self.stage(*works)
        except Locked:
            if last:
                raise
            return False
        return True

    def stage(self, *works: Work) -> None:
        """The first half of `write`: quick, and what raises `Conflict`. `settle` must follow.

        Raises `Locked` if another program holds the file.
        """
        if self.hold is None:
            raise Unwritable(self.why_not)
        try:
            also = [statement for work in works for statement in work.also]
            self.save(cast(Any, Batch(works)), also=also)
        except sqlite3.IntegrityError as error:
            raise Conflict(str(error)) from error
        except sqlite3.Error as error:
            raise worded(self.path, error, "written") from error

    def settle(self) -> None:
        """The second half: wait for the disk. May be called in another thread."""
        writer = self._recorder.writer
        try:
            writer.commit()
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                writer.rollback()
            raise worded(self.path, error, "written") from error

    @property
    def _recorder(self) -> Recorder:
        return cast(Recorder, self.recorder)

    def close(self) -> None:
        """Close the file, and let others have it."""
        if "writer" in vars(self._recorder):
            self._recorder.writer.close()
        super().close()
        if self.hold is not None:
            self.hold.release()
            self.hold = None

    # -- reading ---------------------------------------------------------------------------------

    def entries(
        self, match: str, after: int = 0, until: int | None = None, limit: int | None = None
    ) -> list[Entry]:
        """Entries of a match, those after number `after`, in order. O(entries read).

        Reads the rows itself: the library's way makes two more objects of each, which doubles the
        cost of everything that looks back.
        """
        sql = (
            "SELECT originator_version, state FROM stored_events WHERE originator_id=?"
            " AND originator_version>? AND originator_version<=? ORDER BY 1 LIMIT ?"
        )
        last = until if until is not None else LAST
        entry = self.entry_mapper.entry
        with self.rows(sql, match, after, last, limit or LAST) as cursor:
            found = [entry(match, *row) for row in cursor.fetchall()]
        if found and found[-1].seq - after != len(found):
            here = {one.seq for one in found}
            gap = next((seq for seq in range(after + 1, found[-1].seq) if seq not in here), 0)
            what = f"entry {gap} is missing" if gap else "an entry is there twice"
            raise StoreError(f"match {match}: {what}")
        return found

    def ids(self) -> list[str]:
        """All matches that have entries. O(matches)."""
        sql = (
            "WITH RECURSIVE each(id) AS (SELECT min(originator_id) FROM stored_events UNION ALL"
            " SELECT (SELECT min(originator_id) FROM stored_events WHERE originator_id>id)"
            " FROM each WHERE id IS NOT NULL) SELECT id FROM each WHERE id IS NOT NULL"
        )
        with self.rows(sql) as found:
            return [row["id"] for row in found.fetchall()]

    def last(self, match: str) -> int:
        """The number of a match's last entry; 0 if there is no such match."""
        sql = "SELECT max(originator_version) FROM stored_events WHERE originator_id=?"
        return int(self.row(sql, match)[0] or 0)

    def find(self, match: str, tag: int, nth: int = 1, after: int = 0, until: int = LAST) -> int:
        """The number of the nth entry with an event of this tag, -1: the last; 0 if there is none.

        O(entries in between), reading none.
        """
        order = "ASC" if nth > 0 else "DESC"
        sql = (
            "SELECT originator_version FROM stored_events WHERE originator_id=? AND topic=?"
            " AND originator_version>? AND originator_version<=?"
            f" ORDER BY 1 {order} LIMIT 1 OFFSET ?"
        )
        row = self.row(sql, match, str(tag), after, until, abs(nth) - 1)
        return int(row[0]) if row is not None else 0

    def count(self, match: str, tag: int) -> int:
        """How many entries of a match have an event of this tag. O(entries), reading none."""
        sql = "SELECT count(*) FROM stored_events WHERE originator_id=? AND topic=?"
        return int(self.row(sql, match, str(tag))[0])

    def tagged(self, match: str, tag: int, after: int = 0) -> list[Entry]:
        """Those entries after a number whose event has this tag. O(entries), reading only those."""
        sql = (
            "SELECT originator_version, state FROM stored_events WHERE originator_id=? AND topic=?"
            " AND originator_version>? ORDER BY 1"
        )
        entry = self.entry_mapper.entry
        with self.rows(sql, match, str(tag), after) as cursor:
            return [entry(match, *row) for row in cursor.fetchall()]

    def row(self, sql: str, *parameters: Any) -> Any:
        """The first row that a query finds, or None."""
        with self.rows(sql, *parameters) as found:
            return found.fetchone()

    @contextmanager
    def rows(self, sql: str, *parameters: Any) -> Iterator[SQLiteCursor]:
        """The rows that a query finds."""
        datastore = cast(Factory, self.factory).datastore
        try:
            with datastore.transaction(commit=False) as cursor:
                cursor.execute(sql, parameters)
                yield cursor
        except _UNREADABLE as error:
            raise worded(self.path, error, "read") from error


def _hold(path: Path, patience: float) -> Hold:
    try:
        return Hold(path, patience)
    except Taken as taken:
        raise Unwritable(f"{path} can't be written: {taken}") from taken
    except FileNotFoundError as error:
        raise worded(path, error) from error
    except OSError as error:
        raise (Unwritable if path.exists() else StoreError)(
            f"{path} can't be written: {error.strerror}"
        ) from error
