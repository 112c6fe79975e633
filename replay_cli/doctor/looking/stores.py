"""Looking at a store without a server: its facts, its migrations, and whether NOTIFY is heard."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from replay_cli.doctor.seen import Store
from service.store import facts
from service.store.errors import StoreError
from service.store.opening import is_address
from service.store.records import Records
from service.telemetry.passwords import concealed

#: How long what one connection says may take to another, in seconds.
PATIENCE = 2.0
#: All that is known of a database that does not answer.
_DATABASE: Mapping[str, str] = {"kind": "postgresql"}
_MAY_WRITE = (
    "SELECT current_setting('default_transaction_read_only') = 'off'"
    " AND has_table_privilege('stored_events', 'INSERT') AS may"
)


def look(where: str) -> Store:
    """The visible facts of a file or a database; nothing is written."""
    if not is_address(where):
        return _seen(concealed(where), Path(where))
    import psycopg

    from service.store.postgres.connections import Address

    try:
        address = Address(where)
        found = Store(name=address.name, facts=_DATABASE)
    except StoreError as error:
        return Store(name="postgresql://…", wrong=str(error), facts=_DATABASE)
    try:
        found.missing = _missing(address.conninfo)
        with suppress(psycopg.errors.ReadOnlySqlTransaction):  # a replica: its facts say so
            found.heard = hears(address.conninfo)
    except (psycopg.Error, StoreError, OSError) as error:
        found.wrong = " ".join(str(error).split())[:300]
        return found
    if not found.missing:
        seen = _seen(found.name, where)
        found.facts, found.wrong = seen.facts, seen.wrong
    return found


def _seen(name: str, where: Path | str) -> Store:
    kind = {"kind": "sqlite"} if isinstance(where, Path) else _DATABASE
    try:
        records = Records(where, reading=True)
    except (StoreError, OSError) as error:
        return Store(name=name, wrong=concealed(str(error)), facts=kind)
    try:
        known = {**facts.of(records)}
        known |= _writable(records)  # it was opened to be read
    finally:
        records.close()
    return Store(name=name, facts=known)


def _writable(records: Records) -> Mapping[str, str]:
    """Whether a store can be opened for writing; None if unknown."""
    if not records.shared:
        path = Path(records.where)
        return {"writable": "yes" if os.access(path, os.W_OK) else "no"}
    try:
        row = records.row(_MAY_WRITE)
    except StoreError:
        return {"writable": ""}
    return {"writable": "yes" if row["may"] else "no"}


def _missing(where: str) -> tuple[str, ...]:
    """The migrations of this version that a database has not had."""
    import psycopg
    from psycopg.rows import dict_row

    from service.store.postgres import migrating

    with psycopg.connect(where, connect_timeout=5, row_factory=dict_row) as connection:
        migrating.check_encoding(connection)
        return tuple(f"{one.number:04} {one.name}" for one in migrating.missing(connection))


def hears(where: str, patience: float = PATIENCE) -> bool:
    """Whether a notification of one connection reaches another, as news by LISTEN need it."""
    import psycopg

    with (
        psycopg.connect(where, connect_timeout=5, autocommit=True) as listening,
        psycopg.connect(where, connect_timeout=5, autocommit=True) as speaking,
    ):
        listening.execute("LISTEN kifu_doctor")
        speaking.execute("NOTIFY kifu_doctor, 'heard'")
        return any(True for _ in listening.notifies(timeout=patience, stop_after=1))
