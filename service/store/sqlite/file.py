"""The database file: marked as Kifu's, readable by its owner only, opened read-only if need be.

Which process may write it is in `lock`, how it is read and written in `database`.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from errno import EDQUOT, ENOSPC
from pathlib import Path

from domain.words.phrases import phrase
from service.store import schema
from service.store.errors import Full, Locked, StoreError, Unwritable

#: What marks an SQLite file as Kifu's ("KIFU"), and the layout of an archive less that of a file.
APPLICATION_ID, ARCHIVE = 0x4B494655, 100
#: The version of a file's layout: that of the last migration that it had.
LAYOUT = schema.known()[-1].number
#: How a file begins that is SQLite's.
SQLITE = b"SQLite format 3\0"
_OWN = 0o600


def prepare(path: Path) -> None:
    """Create a file if missing, mark it, and make it readable by its owner only.

    Raises `StoreError` if it is something else, `Unwritable` if it can't be written.
    """
    if not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, _OWN))
    if not os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        raise Unwritable(
            phrase("{path} can't be written: the file or its medium is read-only", path=path)
        )
    if not is_database(path):
        raise StoreError(
            phrase("{path} can't be used: it is no file of matches, or damaged", path=path)
        )
    for one in (path, *sidecars(path)):  # SQLite gives those beside it the same mode
        if os.name == "posix" and one.exists() and one.stat().st_mode & 0o077:
            with suppress(PermissionError):
                one.chmod(_OWN)
    with closing(sqlite3.connect(path)) as connection:
        layout = _layout(path, connection)
        if layout > ARCHIVE:
            raise Unwritable(
                phrase(
                    "{path} can be read, but not written: it is an archive; `kifu event "
                    "restore {path}` restores its content",
                    path=path,
                )
            )
        for step in schema.known()[layout:]:
            connection.executescript(
                f"BEGIN IMMEDIATE;\n{step.for_sqlite()}\nPRAGMA application_id={APPLICATION_ID};"
                f"PRAGMA user_version={step.number};COMMIT"
            )


def is_database(path: Path) -> bool:
    """Whether a file is SQLite's, or empty; raises `OSError` if it can't be read."""
    with path.open("rb") as file:
        return file.read(len(SQLITE)) in (b"", SQLITE)


def read_address(path: Path) -> tuple[str, int]:
    """The address by which SQLite reads a file and writes nothing, and the file's layout.

    Raises `StoreError`.
    """
    if not path.exists():
        raise StoreError(phrase("there is no file {path}", path=path))
    address = f"{path.resolve().as_uri()}?mode=ro"
    try:
        return _read(path, address)
    except sqlite3.OperationalError:
        if any(one.exists() and one.stat().st_size for one in sidecars(path)):
            raise
    return _read(path, f"{address}&immutable=1")  # there can be no files beside it


def _read(path: Path, address: str) -> tuple[str, int]:
    with closing(sqlite3.connect(address, uri=True)) as connection:
        layout = _layout(path, connection)
        if not layout:
            raise StoreError(phrase("{path} is empty", path=path))
    return address, layout


def _layout(path: Path, connection: sqlite3.Connection) -> int:
    """The layout of a file of Kifu's, 0 if it is empty; raises `StoreError` if it is no such file.

    So it does for a layout that only a newer version knows.
    """
    (marked,) = connection.execute("PRAGMA application_id").fetchone()
    (layout,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if not marked and not tables:
        return 0
    if marked != APPLICATION_ID:
        raise StoreError(phrase("{path} is a database of something else", path=path))
    if not 0 < layout % ARCHIVE <= LAYOUT or layout > 2 * ARCHIVE:
        raise StoreError(
            phrase(
                "{path} has layout {layout}; this version of Kifu knows those up to "
                "{layout2}, a newer one is needed",
                path=path,
                layout=layout,
                layout2=LAYOUT,
            )
        )
    return int(layout)


def sidecars(path: Path) -> tuple[Path, ...]:
    """The files that SQLite keeps next to a file: entries on their way into it, and its readers."""
    return path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")


#: What SQLite says, and what it means to people.
_SQLITE_TEXTS = {
    "locked": "another program has locked it",
    "readonly": "the file or its medium is read-only",
    "full": "the disk is full",
    "malformed": "it is damaged",
    "not a database": "it is no file of matches, or damaged",
    "unable to open": "it can't be opened",
}


def store_error(path: Path, error: Exception, doing: str = "used") -> StoreError:
    """The error of a file, as a sentence."""
    text = (isinstance(error, OSError) and error.strerror) or str(error)
    if isinstance(error, UnicodeDecodeError):
        text = error.object.decode(errors="replace")
    meant = next((meant for text_part, meant in _SQLITE_TEXTS.items() if text_part in text), "")
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    why = f"{meant} ({text})" if meant else text
    return _kind(code, text, error)(f"{path} can't be {doing}: {why}")


def _kind(code: int, text: str, error: Exception) -> type[StoreError]:
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return Locked
    if code == sqlite3.SQLITE_FULL or getattr(error, "errno", 0) in (ENOSPC, EDQUOT):
        return Full
    return Unwritable if "readonly" in text else StoreError
