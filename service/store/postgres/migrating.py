"""Bringing a database up to the tables of this version, by the migrations of `store.schema`.

Each is carried out once, in one transaction, by one process at a time. It only adds, so that
servers of the version before go on; none waits for a table that is in use for longer than a moment.
A table that grows with the matches is divided by the hash of its key, here into so many parts, or
by the database itself (SHARDING.md).
"""

from __future__ import annotations

import time

import psycopg
from psycopg.rows import dict_row

from domain.words.phrases import phrase
from service.store.errors import StoreError, Unwritable
from service.store.postgres.connections import Address, Connection
from service.store.schema import Migration, known

#: Into how many parts tables are divided.
PARTS = 16
#: The lock of a migration ("KIFU"), and how often to retry for tables in use.
LOCK, TRIES = 0x4B494655, 20
#: The one encoding in which a database can hold every name.
ENCODING = "UTF8"
_TABLE = (
    "CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, name TEXT NOT NULL,"
    " digest TEXT NOT NULL, at TIMESTAMPTZ NOT NULL DEFAULT now())"
)


def applied(connection: Connection) -> dict[int, str]:
    """The migrations that a database has had, with their digests; none: it is empty."""
    found = connection.execute("SELECT to_regclass('migrations') IS NOT NULL AS there").fetchone()
    if found is None or not found["there"]:
        return {}
    rows = connection.execute("SELECT number, digest FROM migrations ORDER BY number").fetchall()
    return {row["number"]: row["digest"] for row in rows}


def missing(connection: Connection) -> list[Migration]:
    """The migrations that a database has not had; raises `StoreError` if it has had others."""
    had = applied(connection)
    for one in known():
        if had.get(one.number, one.digest) != one.digest:
            raise StoreError(
                phrase(
                    "the database had another migration {number} than this version's",
                    number=one.number,
                )
            )
    return [one for one in known() if one.number not in had]


def check_encoding(connection: Connection) -> None:
    """Raises `StoreError` if a database can't hold every name."""
    found = connection.info.parameter_status("server_encoding") or ENCODING
    if found != ENCODING:
        raise StoreError(
            phrase(
                "the database's encoding is {found}, in which not every name can be "
                "written: make one by CREATE DATABASE … ENCODING 'UTF8' TEMPLATE "
                "template0 (`kifu store copy` takes over what this one has)",
                found=found,
            )
        )


def migrated(where: str, parts: int = PARTS) -> tuple[list[Migration], str]:
    """Bring the database at an address up to date; what was done, and its name.

    Raises `StoreError`.
    """
    address = Address(where)
    try:
        with psycopg.connect(address.conninfo, autocommit=True, row_factory=dict_row) as connection:
            return migrate(connection, parts), address.name
    except psycopg.Error as error:
        text = " ".join(str(error).split())
        raise StoreError(
            phrase("{name} can't be migrated: {text}", name=address.name, text=text)
        ) from error


def migrate(connection: Connection, parts: int = PARTS) -> list[Migration]:
    """Bring a database up to date; what was done. Raises `StoreError`."""
    check_encoding(connection)
    done = []
    for _ in range(TRIES):
        try:
            while (found := _next(connection, parts)) is not None:
                done.append(found)
            return done
        except psycopg.errors.LockNotAvailable:
            time.sleep(0.5)  # a table is in use: let others waiting for it go first
        except psycopg.errors.InsufficientPrivilege as error:
            raise Unwritable(
                phrase("the database can't be migrated: {error}", error=error)
            ) from error
    raise StoreError(phrase("the database can't be migrated: its tables are in use all the time"))


def _next(connection: Connection, parts: int) -> Migration | None:
    """Carry out the next migration, if one is missing."""
    with connection.transaction():
        connection.execute("SET LOCAL lock_timeout = 1000")
        connection.execute("SET LOCAL statement_timeout = 0")
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        connection.execute(_TABLE)
        one = next(iter(missing(connection)), None)
        if one is not None:
            connection.execute(one.for_postgres(parts).encode())
            connection.execute(
                "INSERT INTO migrations (number, name, digest) VALUES (%s, %s, %s)",
                (one.number, one.name, one.digest),
            )
        return one
