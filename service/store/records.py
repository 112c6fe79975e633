"""Records of matches in an SQLite file, through the `eventsourcing` library.

Each match is a stream: a row for what each command added, whose version is the number of its last
entry and whose topic begins with how many there are. So a second writer of the same entries fails
cleanly, and nothing needs an order across matches. Derived data (`derived`) is written
in the same transaction.

The rows are in `rows`, what is in one in `packing` (LAYOUT.md); collecting the work of several
matches into one transaction is in `commit`.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, cast

from eventsourcing.application import Application
from eventsourcing.persistence import (
    ApplicationRecorder,
    InfrastructureFactory,
    Mapper,
    PersistenceError,
)
from eventsourcing.utils import Environment

from domain.record.entries import TYPES, Entry
from service.logs import log_event
from service.store.file import EARLIER, LAYOUT, prepare, read_address, store_error
from service.store.file import Locked as Locked
from service.store.file import StoreError as StoreError
from service.store.file import Unwritable as Unwritable
from service.store.layout import chaining, compression, layout1, packing
from service.store.layout.chaining import ChainBroken as ChainBroken
from service.store.layout.chaining import Links
from service.store.layout.compression import Compression
from service.store.layout.rows import Batch, Factory, RowMapper, entries_of
from service.store.layout.rows import Conflict as Conflict
from service.store.layout.rows import Recorder as Recorder
from service.store.layout.rows import Statement as Statement
from service.store.layout.rows import Work as Work
from service.store.lock import TRY, FileLock, LockTaken

#: How long to wait for another program that writes to the file, and how often to try, in seconds.
PATIENCE, RETRY = 30.0, 0.01
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
        self.damaged = set[str]()  # whose derived data are known to be damaged
        self.on_damage: Callable[[str], None] = lambda match: None  # who makes them anew
        self.read_only_reason = f"{path} is only read here"  # and not written, if it isn't
        self.layout = LAYOUT
        self._tables = set[str]()  # that a file which is only read is known to have
        self._open = threading.local()  # the connection by which this thread is reading
        self.lock = None if reading else take_lock(self.path, patience)
        try:
            if reading:
                address, self.layout = read_address(self.path)
                env = {"SQLITE_DBNAME": address, "CREATE_TABLE": "n"}
            else:
                prepare(self.path)
                env = {"SQLITE_DBNAME": str(path)}
            super().__init__(env=env)
        except BaseException as error:
            if self.lock is not None:
                self.lock.release()
            if isinstance(error, (*_UNREADABLE, OSError)):
                raise store_error(self.path, error) from error
            raise

    def use_dictionary(self, game: str, data: bytes | None = None) -> None:
        """Write entries of a game with a dictionary: these data, or what is shipped for the game.

        Reading needs no call of this: what was written with a dictionary has it in the file. A game
        without any is written without, which takes up more room.
        """
        data = compression.shipped(game) if data is None else data
        if not data:
            return
        name = compression.name_of(game, data)
        kept = self.row("SELECT id, data FROM dictionaries WHERE name=?", name)
        if kept is None:
            with self.rows("SELECT id FROM dictionaries") as found:
                number = compression.next_number([row["id"] for row in found.fetchall()])
            self.write(Work("", (), [(_SAVE_DICTIONARY, (number, name, data))]))
        else:
            number = kept["id"]
            if kept["data"] != data:
                self.write(Work("", (), [(_SAVE_DICTIONARY, (number, name, data))]))
        self.row_mapper.in_use[game] = number

    def _dictionaries(self) -> dict[int, bytes]:
        """The dictionaries of the file; those that are damaged are left out."""
        with self.rows("SELECT id, name, data FROM dictionaries") as found:
            kept = {row["id"]: compression.undamaged(row["name"], row["data"]) for row in found}
        return {number: data for number, data in kept.items() if data is not None}

    def _samples(self) -> dict[int, bytes]:
        """What takes the dictionaries' place in the earlier layout."""
        with self.rows("SELECT id, sample FROM samples") as found:
            return {row["id"]: row["sample"] for row in found.fetchall()}

    def report_damage(self, match: str, what: str) -> None:
        """Something derived from a match's entries is not what it should be, and was bypassed."""
        if match not in self.damaged:
            self.damaged.add(match)
            log_event(logging.WARNING, "derived data damaged", match=match, what=what)
            self.on_damage(match)

    @property
    def row_mapper(self) -> RowMapper:
        """The mapper, by the type that it is of."""
        return cast(RowMapper, self.mapper)

    def construct_factory(self, env: Environment) -> InfrastructureFactory[Any]:
        """SQLite with our connections."""
        return Factory(env)

    def construct_mapper(self) -> Mapper[str]:
        """Entries as rows, and back."""
        earlier = layout1.Rows(self._samples) if self.layout == EARLIER else None
        return RowMapper(Compression(self._dictionaries), earlier)

    def construct_recorder(self) -> ApplicationRecorder:
        """A recorder without a global order: no match needs one, and rows are smaller."""
        return cast(ApplicationRecorder, self.factory.aggregate_recorder())

    # -- writing ---------------------------------------------------------------------------------

    def write(self, *works: Work) -> list[Links | None]:
        """Save the work of several commands in one transaction, all or nothing; durable on return.

        How the entries of each were chained is returned. Raises `Conflict` if a match's entries do
        not follow those it has, `ChainBroken` if those are not the ones that were chained, `Locked`
        if another program holds the file for longer than `PATIENCE`.
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
        """The first half of `write`: quick, and what raises `Conflict`. `commit` must follow.

        Raises `Locked` if another program holds the file.
        """
        if self.lock is None:
            raise Unwritable(self.read_only_reason)
        found = list[Links | None]()

        def chain(cursor: Any) -> None:
            for work in works:
                found.append(chaining.extend(cursor, work, partial(self.entries, work.match, 0)))

        try:
            also = [statement for work in works for statement in work.also]
            self.save(cast(Any, Batch(works)), also=also, then=chain)
            return found
        except sqlite3.IntegrityError as error:
            raise Conflict(str(error)) from error
        except sqlite3.Error as error:
            raise store_error(self.path, error, "written") from error

    def commit(self) -> None:
        """The second half: wait for the disk. May be called in another thread."""
        writer = self._recorder.writer
        try:
            writer.commit()
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                writer.rollback()
            raise store_error(self.path, error, "written") from error

    def vacuum(self) -> None:
        """Write the file anew without the room that is free in it, all or nothing.

        Raises `StoreError`; `Locked` if another program uses the file.
        """
        writer = self._recorder.writer.cursor()
        try:
            writer.execute("VACUUM")
            writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            busy = writer.fetchone()[0]
        except sqlite3.Error as error:
            raise store_error(self.path, error, "compacted") from error
        if busy:
            raise Locked(f"{self.path} gets smaller once no other program reads it")

    @property
    def _recorder(self) -> Recorder:
        return cast(Recorder, self.recorder)

    def close(self) -> None:
        """Close the file, and let others have it."""
        if "writer" in vars(self._recorder):
            self._recorder.writer.close()
        super().close()
        if self.lock is not None:
            self.lock.release()
            self.lock = None

    # -- reading ---------------------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read several things as they are at one time, in one transaction of this thread's."""
        if getattr(self._open, "connection", None) is not None:
            yield
            return
        datastore = cast(Factory, self.factory).datastore
        try:
            with (
                datastore.get_connection(commit=False) as connection,
                connection.transaction(commit=False) as cursor,
            ):
                self._open.connection = cursor.sqlite_cursor.connection
                try:
                    yield
                finally:
                    self._open.connection = None
        except _UNREADABLE as error:
            raise store_error(self.path, error, "read") from error

    def entries(
        self, match: str, after: int = 0, until: int | None = None, limit: int | None = None
    ) -> list[Entry]:
        """Entries of a match, those after number `after`, in order. O(entries read)."""
        last = min(until if until is not None else LAST, after + (limit or LAST))
        found: list[Entry] = []
        with self.reading():
            for run in self.runs(match, after, last):
                found += run
        return found

    def runs(self, match: str, after: int = 0, until: int = LAST) -> Iterator[list[Entry]]:
        """Those entries row by row, read as they are asked for. Only while `reading`.

        Raises `StoreError` if one is damaged or missing. Reads the rows itself: the library's way
        makes two more objects of each.
        """
        entries, begun = self.row_mapper.entries, False
        with self.rows(f"{_ROWS} AND originator_version>? ORDER BY 2", match, after) as found:
            for row in found if after < until else ():
                run = entries(*row)
                first, last = run[0].seq, run[-1].seq
                if first > after + 1:
                    which = entries_of(after + 1, first - 1)
                    raise StoreError(f"match {match}: {which} missing")
                if begun and first <= after:
                    raise StoreError(f"match {match}: an entry is there twice")
                yield run[after + 1 - first : until + 1 - first]
                if last >= until:
                    return
                begun, after = True, last

    def run(self, match: str, seq: int) -> list[Entry]:
        """The entries of the row that has entry `seq`; `StoreError` if none has."""
        row = self.row(f"{_ROWS} AND originator_version>=? ORDER BY 2 LIMIT 1", match, seq)
        found = self.row_mapper.entries(*row) if row is not None else []
        if not found or found[0].seq > seq:
            raise StoreError(f"match {match}: entry {seq} is missing")
        return found

    def stored(self, match: str) -> list[packing.Row]:
        """The rows of a match as they are."""
        with self.rows(f"{_ROWS} ORDER BY 2", match) as found:
            return [tuple(row) for row in found]

    def has_table(self, name: str) -> bool:
        """Whether the file has a table: one that is only read may be older than what reads it."""
        if self.lock is None and name not in self._tables:
            sql = "SELECT 1 FROM sqlite_master WHERE type='table' AND name=?"
            if self.row(sql, name) is None:
                return False
            self._tables.add(name)
        return True

    def ids(self) -> list[str]:
        """All matches that have entries. O(matches)."""
        with self.rows(f"{_IDS} SELECT id FROM each WHERE id IS NOT NULL") as found:
            return [row["id"] for row in found]

    def without(self, table: str) -> list[str]:
        """All matches that have entries, and no row in a table of that name. O(matches)."""
        sql = f"{_IDS} SELECT id FROM each WHERE id IS NOT NULL AND id NOT IN (SELECT id FROM "
        with self.rows(f"{sql}{table})") as found:
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
            self.reading(),
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
        with self.reading():
            return list(self._tagged(match, tag, after))

    def _tagged(
        self, match: str, tag: int, after: int, until: int = LAST, *, backward: bool = False
    ) -> Generator[Entry, None, None]:
        """Those entries in their order, or backward."""
        condition, topic = self.row_mapper.topics(tag)
        sql = (
            f"{_ROWS} AND originator_version>? AND {condition} AND originator_version<=coalesce("
            "(SELECT min(originator_version) FROM stored_events WHERE originator_id=?1"
            f" AND originator_version>=?4), ?4) ORDER BY 2 {'DESC' if backward else ''}"
        )
        wanted, step = TYPES[tag], -1 if backward else 1
        with self.rows(sql, match, after, topic, until) as found:
            for row in found:
                for entry in self.row_mapper.entries(*row)[::step]:
                    if type(entry.event) is wanted and after < entry.seq <= until:
                        yield entry

    def row(self, sql: str, *parameters: Any) -> Any:
        """The first row that a query finds, or None."""
        with self.rows(sql, *parameters) as found:
            return found.fetchone()

    @contextmanager
    def rows(self, sql: str, *parameters: Any) -> Iterator[sqlite3.Cursor]:
        """The rows that a query finds."""
        with self.reading(), closing(self._open.connection.cursor()) as cursor:
            try:
                cursor.execute(sql, parameters)
                yield cursor
            except _UNREADABLE as error:
                raise store_error(self.path, error, "read") from error


#: A damaged value may be of another type, or a text that is none.
_ROWS = (
    "SELECT originator_id, originator_version, CAST(topic AS BLOB), state FROM stored_events"
    " WHERE originator_id=?"
)
_IDS = (
    "WITH RECURSIVE each(id) AS (SELECT min(originator_id) FROM stored_events UNION ALL"
    " SELECT (SELECT min(originator_id) FROM stored_events WHERE originator_id>id)"
    " FROM each WHERE id IS NOT NULL)"
)
_SAVE_DICTIONARY = "INSERT OR REPLACE INTO dictionaries VALUES (?,?,?)"


def take_lock(path: Path, patience: float = TRY) -> FileLock:
    """Lock a file; raises `StoreError`, `Unwritable` if another process has locked it."""
    try:
        return FileLock(path, patience)
    except LockTaken as taken:
        raise Unwritable(f"{path} can't be written: {taken}") from taken
    except FileNotFoundError as error:
        raise store_error(path, error) from error
    except OSError as error:
        raise (Unwritable if path.exists() else StoreError)(
            f"{path} can't be written: {error.strerror}"
        ) from error
