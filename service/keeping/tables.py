"""What a store consists of, as data: its tables, their columns and keys, and whose rows they are.

Tables are either kept or derived (LAYOUT.md). What is kept can't be made again: it is copied as it
is and checked value by value. What is derived is left to `service.store.derived`. A test compares
these descriptions with the tables that there are.
"""

from __future__ import annotations

from typing import NamedTuple

from service.anchors import ledger
from service.credentials import codes, tokens
from service.store.derived import snapshots
from service.store.records import Records
from service.store.tables import access, archived, auto_passes, lists, seeds, tournaments

#: Whose tables a file has that is opened to be written: each makes its own when it is loaded.
OWNERS = (
    access,
    archived,
    codes,
    ledger,
    lists,
    seeds,
    snapshots,
    auto_passes,
    tokens,
    tournaments,
)
#: Of what type a column's values are.
INT, TEXT, BLOB = int, str, bytes


class Table(NamedTuple):
    """A table: its columns with their types, which of them are its key, which names the match.

    `match` is empty where rows are of no match alone; `optional` are the columns that may be empty.
    """

    name: str
    columns: dict[str, type]
    key: tuple[str, ...]
    match: str = ""
    optional: tuple[str, ...] = ()


def quoted(name: str) -> str:
    """A column, as a statement has it: one is a word of the language."""
    return f'"{name}"' if name == "left" else name


#: What is kept, in an order in which it may be copied: what others refer to comes first.
KEPT = (
    Table("dictionaries", {"id": INT, "name": TEXT, "data": BLOB}, ("id",)),
    Table(
        "stored_events",
        {"originator_id": TEXT, "originator_version": INT, "topic": TEXT, "state": BLOB},
        ("originator_id", "originator_version"),
        "originator_id",
    ),
    Table(
        "chains",
        {"id": TEXT, "secret": BLOB, "since": INT, "seq": INT, "hash": BLOB},
        ("id",),
        "id",
    ),
    Table("seeds", {"id": TEXT, "seed": BLOB}, ("id",), "id"),
    Table("auto_passes", {"id": TEXT, "seat": INT, "left": BLOB}, ("id", "seat"), "id"),
    Table(
        "tournament_entries",
        {"originator_id": TEXT, "originator_version": INT, "topic": TEXT, "state": BLOB},
        ("originator_id", "originator_version"),
    ),
    Table(
        "leaves",
        {"number": INT, "id": TEXT, "count": INT, "since": INT, "head": BLOB},
        ("number",),
    ),
    Table(
        "log_keys",
        {"number": INT, "key": TEXT, "size": INT, "time": INT, "endorsed": INT},
        ("number",),
    ),
    Table(
        "checkpoints",
        {"number": INT, "size": INT, "time": INT, "root": BLOB, "key": INT, "signature": BLOB},
        ("number",),
    ),
    Table("cosignatures", {"checkpoint": INT, "line": TEXT}, ("checkpoint", "line")),
    Table(
        "tokens",
        {
            "id": TEXT, "match": TEXT, "event": TEXT, "role": TEXT, "seat": INT,
            "subject": TEXT, "delay": TEXT, "issued": INT, "expires": INT, "issuer": TEXT,
            "code": TEXT, "revoked": INT, "revoker": TEXT,
        },
        ("id",),
    ),
    Table(
        "codes",
        {
            "id": TEXT, "hash": BLOB, "role": TEXT, "match": TEXT, "event": TEXT,
            "seat": INT, "player": INT, "at": INT, "name": TEXT, "delay": TEXT, "issued": INT,
            "expires": INT, "issuer": TEXT, "exchanges": INT, "last": INT, "revoked": INT,
            "revoker": TEXT,
        },
        ("id",),
    ),
    Table("codes_once", {"id": TEXT}, ("id",)),
    Table("access", {"log": TEXT, "n": INT, "line": BLOB, "hash": BLOB}, ("log", "n")),
    Table(
        "archived",
        {
            "id": TEXT, "kind": TEXT, "at": INT, "viewer": INT, "entries": INT, "since": INT,
            "head": BLOB, "anchor": TEXT,
        },
        ("id",),
    ),
)  # fmt: skip
#: What is derived from the entries, and from the leaves; and what rows of a match have in common.
DERIVED = {
    "matches": "1=1", "rewinds": "1=1", "superseded": "1=1", "snapshots": "1=1",
    "lists": "list>='matches' AND list<'matchet'", "tiles": "",
}  # fmt: skip
#: What changes without an entry, as long as a match is played.
WHILE_PLAYED = ("seeds", "auto_passes")
NAMED = {table.name: table for table in KEPT}


def is_current(records: Records, table: Table) -> bool:
    """Whether a store has a table as it is described: a file that is only read may be older."""
    if records.shared:
        return True
    with records.rows(f"PRAGMA table_info({table.name})") as found:
        return table.columns.keys() <= {row["name"] for row in found}
