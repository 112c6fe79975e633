"""The driver of stores in an SQLite file (`service.store.driver`)."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from domain.words.phrases import phrase
from service.store import schema
from service.store.errors import Conflict, Locked, StoreError, Unstorable, Unwritable
from service.store.sqlite.file import ARCHIVE, LAYOUT, prepare, read_address, store_error
from service.store.sqlite.lock import TRY, FileLock, LockTaken
from service.store.sqlite.recorder import SQLiteRecorder
from service.store.statements import Version
from service.telemetry.shared import StoreMetrics

#: How long a reader waits for a file that is locked, in seconds; how many statements stay ready.
BUSY, READY = 5.0, 64
#: The exceptions of a damaged file; SQLite's messages may not be valid text either.
_UNREADABLE = (sqlite3.Error, UnicodeDecodeError)


class Database:
    """A file, open."""

    shared, stages = False, True

    def __init__(self, path: Path, *, reading: bool = False, patience: float = TRY) -> None:
        """Open a file, and create it if missing; `reading`: read one that others may write.

        Raises `StoreError`; `Unwritable` if it can be read only, or another process still holds it
        after so many seconds of patience.
        """
        self.path, self.name, self.closed = path, str(path), False
        self.reason = f"{path} is only read here"  # and not written, if it isn't
        self._open = threading.local()  # the connection by which this thread is reading
        self._idle = list[sqlite3.Connection]()  # by which nobody reads
        self.lock = None if reading else take_lock(path, patience)
        self._address, self._layout = str(path), LAYOUT
        try:
            if reading:
                self._address, layout = read_address(path)
                self.closed, self._layout = layout > ARCHIVE, layout % ARCHIVE
            else:
                prepare(path)
            self._idle.append(self.connect())
        except (*_UNREADABLE, OSError) as error:
            self.release()
            raise store_error(path, error) from error
        except BaseException:
            self.release()
            raise
        self.recorder = SQLiteRecorder(self.rows, self.connect)

    @property
    def writable(self) -> bool:
        """Whether this process holds the file."""
        return self.lock is not None

    def connect(self) -> sqlite3.Connection:
        """A connection for which a commit means that the data are on the disk."""
        found = sqlite3.connect(
            self._address, uri=True, check_same_thread=False, isolation_level=None,
            timeout=BUSY, cached_statements=READY,
        )  # fmt: skip
        found.row_factory = sqlite3.Row
        if self.writable:  # a reader can't set it
            found.execute("PRAGMA journal_mode=WAL")
        found.execute("PRAGMA synchronous=FULL")
        for step in schema.known()[self._layout :]:  # an older file that is only read
            found.executescript(step.for_sqlite().replace("CREATE TABLE", "CREATE TEMP TABLE"))
        return found

    # -- reading ---------------------------------------------------------------------------------

    def _free(self) -> sqlite3.Connection:
        with suppress(IndexError):
            return self._idle.pop()
        return self.connect()

    @contextmanager
    def reading(self, *, several: bool = True) -> Iterator[None]:
        """Read several things as they are at one time, in one transaction of this thread's."""
        if getattr(self._open, "connection", None) is not None:
            yield
            return
        with self.translated("read"):
            connection = self._free()
            connection.execute("BEGIN")
            self._open.connection = connection
            try:
                yield
            finally:
                self._open.connection = None
                connection.rollback()
                self._idle.append(connection)

    @contextmanager
    def rows(self, sql: str, parameters: Sequence[Any]) -> Iterator[sqlite3.Cursor]:
        """The rows that a query finds."""
        with (
            self.reading(),
            self.translated("read"),
            closing(self._open.connection.cursor()) as cursor,
        ):
            cursor.execute(sql, parameters)
            yield cursor

    def version(self, match: str) -> Version:
        """How far a match is; nobody else changes it."""
        sql = "SELECT max(originator_version) FROM stored_events WHERE originator_id=?"
        with self.rows(sql, (match,)) as found:
            return Version(found.fetchone()[0] or 0)

    # -- writing ---------------------------------------------------------------------------------

    @contextmanager
    def translated(self, doing: str) -> Iterator[None]:
        """Raises what goes wrong in the file as `Conflict` or `StoreError`."""
        try:
            yield
        except sqlite3.IntegrityError as error:
            raise Conflict(str(error)) from error
        except _UNREADABLE as error:
            raise store_error(self.path, error, doing) from error
        except (UnicodeEncodeError, OverflowError) as error:
            raise Unstorable(f"{self.path} can't be {doing}: {error}") from error

    def leading(self, what: str) -> int:
        """Always true: the writer of the file has all tasks."""
        return int(self.writable)

    def term(self, what: str) -> int:
        """It lasts as long as the file is open."""
        return int(self.writable)

    def vacuum(self) -> None:
        """Write the file again without the room that is free in it, all or nothing.

        Raises `StoreError`; `Locked` if another program uses the file.
        """
        writer = self.recorder.writer.cursor()
        with self.translated("compacted"):
            writer.execute("VACUUM")
            writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            busy = writer.fetchone()[0]
        if busy:
            raise Locked(f"{self.path} gets smaller once no other program reads it")

    def check(self) -> None:
        """It goes on as it was opened: nobody else has it."""

    def report(self, metrics: StoreMetrics) -> None:
        """There is one connection, and nobody to wait for."""

    def announce(self, address: str = "", *, starting: bool = False) -> None:
        """Write down beside the file where this process can be called."""
        if self.lock is not None:
            self.lock.publish(address, starting=starting)

    def close(self) -> None:
        """Close the file, and let others have it."""
        self.recorder.close()
        while self._idle:
            self._idle.pop().close()
        self.release()

    def release(self) -> None:
        """Let others have the file."""
        if self.lock is not None:
            self.lock.release()
            self.lock = None


def take_lock(path: Path, patience: float = TRY) -> FileLock:
    """Lock a file; raises `StoreError`, `Unwritable` if another process has locked it."""
    try:
        return FileLock(path, patience)
    except LockTaken as taken:
        raise Unwritable(
            phrase("{path} can't be written: {taken}", path=path, taken=taken)
        ) from taken
    except FileNotFoundError as error:
        raise store_error(path, error) from error
    except OSError as error:
        raise (Unwritable if path.exists() else StoreError)(
            f"{path} can't be written: {error.strerror}"
        ) from error
