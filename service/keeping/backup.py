"""Backups of a file of matches, taken while a server writes it (BACKUP.md).

SQLite copies the file page by page as it is at one time: writers are not delayed, and their later
changes are not in the copy. The copy is one file, written under another name and given its own once
it is on the disk, for its owner alone. What a store in PostgreSQL is backed up with comes with
that.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from domain.words.phrases import phrase
from service.store.errors import StoreError
from service.store.sqlite.file import read_address, sidecars, store_error

#: Pages that are copied at a time.
PAGES = 1024
#: What lies beside a file of matches and is needed with it, by what its name ends with: the
#: server's key and its token, and the key of the log.
KEY_FILES = ("-key", "-token", "-log-key")
_OWN = 0o600


def back_up(
    source: Path, target: Path, copied: Callable[[int, int], None] = lambda left, of: None
) -> None:
    """Copy a file of matches to a new file; `copied` is called with the number of pages.

    Raises `StoreError`; then there is no such file.
    """
    try:
        address, _ = read_address(source)
    except sqlite3.Error as error:
        raise store_error(source, error, "copied") from error
    with placed(target) as half:
        _copy(source, address, half, copied)


@contextmanager
def placed(target: Path) -> Iterator[Path]:
    """A file that is written under another name, and gets its own once it is on the disk.

    It is its owner's alone. Raises `StoreError`, also if there is a file of that name.
    """
    if target.exists():
        raise StoreError(
            phrase("{target} is there already, and is not written over", target=target)
        )
    half = target.with_name(f"{target.name}-part")
    try:
        os.close(os.open(half, os.O_RDWR | os.O_CREAT | os.O_EXCL, _OWN))
    except OSError as error:
        raise store_error(half, error, "written") from error
    try:
        yield half
        _to_disk(half)
        os.link(half, target)  # unlike a rename, it writes over nothing
        _to_disk(target.parent)
    except OSError as error:
        raise store_error(target, error, "written") from error
    finally:
        for one in (half, *sidecars(half)):
            with suppress(FileNotFoundError):
                one.unlink()


def _copy(source: Path, address: str, half: Path, copied: Callable[[int, int], None]) -> None:
    """The pages as they are at one time: a transaction that reads holds on to that."""
    try:
        with (
            closing(sqlite3.connect(address, uri=True, isolation_level=None)) as read,
            closing(sqlite3.connect(half, isolation_level=None)) as written,
        ):
            read.execute("BEGIN")
            read.execute("SELECT count(*) FROM sqlite_master").fetchone()
            read.backup(written, pages=PAGES, progress=lambda _, left, of: copied(left, of))
            read.execute("COMMIT")
            written.execute("PRAGMA journal_mode=DELETE")  # one file, with nothing beside it
    except sqlite3.Error as error:
        raise store_error(source, error, "copied") from error


def _to_disk(path: Path) -> None:
    """Wait until a file or a folder is on the disk."""
    if os.name != "posix" and path.is_dir():
        return
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def copy_keys(source: Path, target: Path) -> list[Path]:
    """Copy what is needed with a file and lies beside it; what was copied.

    Raises `StoreError`. What is there already stays as it is.
    """
    found = list[Path]()
    for suffix in KEY_FILES:
        key, copy = (one.with_name(one.name + suffix) for one in (source, target))
        if not key.exists() or copy.exists():
            continue
        try:
            with open(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWN), "wb") as file:
                shutil.copyfileobj(key.open("rb"), file)
        except OSError as error:
            raise store_error(copy, error, "written") from error
        found.append(copy)
    return found
