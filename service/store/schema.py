"""The tables of a store: made by numbered migrations, which both databases read.

Each is a file in `migrations`, forward only. A table that grows with the matches ends in
`PARTITIONED BY (key)`: PostgreSQL divides it (`postgres.migrating`). `WITHOUT ROWID` is for SQLite,
where short rows lie better in the index of their key.

What the tables are, as data (`TABLES`), is read from what the migrations make. They are either kept
or derived (LAYOUT.md): what is kept can't be made again, it is copied as it is and checked value by
value; what is derived is left to `service.store.derived`.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "migrations"
_PARTITIONED = re.compile(r"\s*PARTITIONED BY \((\w+)\)")
_WITHOUT_ROWID = re.compile(r"\s*WITHOUT ROWID")
#: PostgreSQL's words, and what SQLite has in their place.
_WORDS = {
    "BIGINT": "INTEGER", "BYTEA": "BLOB", "DOUBLE PRECISION": "REAL", ' COLLATE "C"': "",
    " NOT NULL": "",
}  # fmt: skip
_DIVIDED = re.compile(rf"CREATE TABLE (\w+) \(([^;]*)\){_PARTITIONED.pattern};")


class Migration(NamedTuple):
    """A step: its number, what it is called, and its statements."""

    number: int
    name: str
    sql: str

    @property
    def digest(self) -> str:
        """A digest that distinguishes it from another of the same number."""
        return sha256(self.sql.encode()).hexdigest()[:16]

    def for_sqlite(self) -> str:
        """Its SQL, as SQLite reads it."""
        text = _PARTITIONED.sub("", self.sql)
        for word, own in _WORDS.items():
            text = text.replace(word, own)
        return text

    def for_postgres(self, parts: int) -> str:
        """The same for tables that are divided into so many parts; 0: not here."""

        def divided(found: re.Match[str]) -> str:
            table, columns, key = found.groups()
            if not parts:
                return f"CREATE TABLE {table} ({columns});"
            made = [f"CREATE TABLE {table} ({columns}) PARTITION BY HASH ({key});"]
            made += [
                f"CREATE TABLE {table}_{part} PARTITION OF {table}"
                f" FOR VALUES WITH (MODULUS {parts}, REMAINDER {part});"
                for part in range(parts)
            ]
            return "\n".join(made)

        return _DIVIDED.sub(divided, _WITHOUT_ROWID.sub("", self.sql))


def known() -> list[Migration]:
    """The migrations of this version, in order."""
    return [
        Migration(int(file.stem.partition("_")[0]), file.stem.partition("_")[2], file.read_text())
        for file in sorted(FOLDER.glob("*.sql"))
    ]


# -- what they make --------------------------------------------------------------------------------

#: Of what type a column's values are, by SQLite's word for it.
_TYPES = {"INTEGER": int, "TEXT": str, "BLOB": bytes, "REAL": float}
#: The columns that name the match of a row, in tables whose rows are each of one.
_OF_MATCH = {
    "stored_events": "originator_id", "chains": "id", "seeds": "id", "auto_passes": "id",
    "card_photos": "id",
}  # fmt: skip
#: What servers count while they run: it is no part of what a store keeps.
_RUNNING = {"lefts"}


class Table(NamedTuple):
    """A table: its columns with their types, which of them are its key, which names the match.

    `match` is empty where rows are of no match alone.
    """

    name: str
    columns: dict[str, type]
    key: tuple[str, ...]
    match: str = ""


def _tables() -> dict[str, Table]:
    """All tables, by their names."""
    with closing(sqlite3.connect(":memory:")) as made:
        for one in known():
            made.executescript(one.for_sqlite())
        names = made.execute("SELECT name FROM sqlite_master WHERE type='table'").fetchall()
        return {name: _table(made, name) for (name,) in names}


def _table(made: sqlite3.Connection, name: str) -> Table:
    rows = made.execute("SELECT name, type, pk FROM pragma_table_info(?)", (name,)).fetchall()
    key = sorted((place, column) for column, _, place in rows if place)
    columns = {column: _TYPES[word] for column, word, _ in rows if column not in _RUNNING}
    return Table(name, columns, tuple(column for _, column in key), _OF_MATCH.get(name, ""))


TABLES = _tables()
#: What is kept, in an order in which it may be copied: what others refer to comes first.
KEPT = tuple(
    TABLES[name]
    for name in (
        "dictionaries", "stored_events", "chains", "seeds", "auto_passes", "card_photos",
        "tournament_entries",
        "leaves", "log_keys", "checkpoints", "cosignatures", "tokens", "codes", "access",
        "archived",
    )
)  # fmt: skip
#: What is derived from the entries, and from the leaves; and what rows of a match have in common.
DERIVED = {
    "matches": "1=1", "rewinds": "1=1", "superseded": "1=1", "snapshots": "1=1",
    "lists": "list>='matches' AND list<'matchet'", "tiles": "",
}  # fmt: skip
#: What changes without an entry as long as a match is played; and what does at any time.
WHILE_PLAYED = ("seeds", "auto_passes")
CHANGING = (*WHILE_PLAYED, "card_photos")
