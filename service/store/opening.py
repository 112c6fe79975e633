"""Which database a store is in, by its address."""

from __future__ import annotations

from pathlib import Path

from service.store.driver import Driver
from service.store.errors import StoreError
from service.store.sqlite.database import Database

#: How the address of a PostgreSQL database begins.
SCHEMES = ("postgresql://", "postgres://")


def is_address(where: Path | str) -> bool:
    """Whether a store is in a database elsewhere, not in a file."""
    return isinstance(where, str) and where.startswith(SCHEMES)


def opened(where: Path | str, reading: bool, patience: float) -> Driver:
    """The driver of a store, open; raises `StoreError`."""
    if not is_address(where):
        return Database(Path(where), reading=reading, patience=patience)
    try:
        from service.store.postgres import database
    except ImportError as error:
        text = "PostgreSQL needs further packages: pip install 'kifu[postgres]'"
        raise StoreError(text) from error
    return database.Database(str(where), reading=reading)
