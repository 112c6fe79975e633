"""Upgrade of a file of the earlier layout: written anew beside it, compared, put in its place.

The new file is written match by match; what an interrupted upgrade has written is gone on with.
Only once every entry of every match reads the same from it does it take the old one's name, and the
old one is kept under another. Nobody may have the file meanwhile.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from domain.record.entries import encode
from domain.record.events import MatchOpened
from service.store.derived import listing
from service.store.history import History
from service.store.records import Records, StoreError, Work
from service.store.sqlite.database import take_lock
from service.store.sqlite.file import EARLIER, read_address, sidecars, store_error
from service.store.sqlite.lock import FileLock


class Current(Exception):
    """The file has the layout that this version writes: there is nothing to do."""


def new_and_kept(path: Path) -> tuple[Path, Path]:
    """The file that an upgrade writes, and what the old one is called afterwards."""
    return (
        path.with_name(f"{path.name}-upgrade"),
        path.with_name(f"{path.name}-layout-{EARLIER}"),
    )


def upgrade(path: Path, *, leave: bool = False) -> Iterator[tuple[str, StoreError | None]]:
    """Upgrade a file; each match, and why its entries can't be read.

    Where some can't, the old file stays in its place, unless it is said to `leave` those matches
    there. Raises `Current`, or `StoreError` if it can't be done.
    """
    with closing(_Closing(take_lock(path))):
        new, kept = new_and_kept(path)
        if read_address(path)[1] != EARLIER:
            raise Current
        if kept.exists():
            raise StoreError(f"{kept} is in the way: the file of an earlier upgrade")
        _checkpoint(path)
        damaged = False
        with closing(Records(path, reading=True)) as old, closing(Records(new)) as copy:
            for match in old.ids():
                wrong = _copy(old, copy, match)
                damaged = damaged or wrong is not None
                yield match, wrong
            if old.ids() != copy.ids() and not damaged:
                raise StoreError(f"{new} has other matches than {path}: remove it, and try again")
        if not damaged or leave:
            _checkpoint(new)
            _replace(path, new, kept)


class _Closing:
    """A file lock for `contextlib.closing`."""

    def __init__(self, lock: FileLock) -> None:
        self.close = lock.release


def _copy(old: Records, new: Records, match: str) -> StoreError | None:
    """Copy the entries of a match that are not there yet, and compare all; why it can't be done."""
    try:
        log = old.entries(match)
        seed = listing.find(old, match).seed
    except StoreError as error:
        return error
    opened, done = log[0].event, new.last(match)
    game, at = (opened.game, opened.at) if isinstance(opened, MatchOpened) else ("", None)
    new.use_dictionary(game)
    if rest := log[done:]:
        also = listing.derive(match, rest, seed, at)
        new.write(Work(match, rest, also, game, since=len(log)))
    if [*map(encode, new.entries(match))] != [*map(encode, log)]:
        raise StoreError(f"{new.path} has match {match} otherwise: remove it, and try again")
    new.write(Work(match, (), History(new).advance(match)))
    return None


def _checkpoint(path: Path) -> None:
    """Move all of a database into its one file; raises `StoreError` if it is damaged or in use."""
    try:
        with closing(sqlite3.connect(path, timeout=1, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE").fetchone()
            (whole,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        raise store_error(path, error, "upgraded") from error
    if whole != "ok":
        raise StoreError(f"{path} can't be upgraded: it is damaged ({whole})")
    if any(one.exists() for one in sidecars(path)):
        raise StoreError(f"{path} can't be upgraded: another program reads it")


def _replace(path: Path, new: Path, kept: Path) -> None:
    """Give the new file the old one's name; at no time is there no file of that name."""
    try:
        with suppress(OSError):
            os.link(path, kept)
        if not kept.exists():
            shutil.copy2(path, kept)
        os.replace(new, path)
        if os.name == "posix":
            with open(path, "rb") as file:
                os.fsync(file.fileno())
            folder = os.open(path.parent, os.O_RDONLY)
            os.fsync(folder)
            os.close(folder)
    except OSError as error:
        raise store_error(path, error, "replaced") from error
