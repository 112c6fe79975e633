"""Checks of rows that nothing else binds, value by value.

A changed value that is as plausible as the original can't be detected: another name on a token,
another time. KEEPING.md says which these are. SQLite checks a file as well (`pages`, `types`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import msgspec

from domain.engine.passes.autopass import AutoPass
from domain.record.proof import draws
from domain.record.proof.anchors import notes
from domain.words.phrases import phrase
from service.identity import LETTERS, Role
from service.keeping import listed
from service.keeping import rows as kept
from service.keeping.check.findings import FILE, LOG, TABLES, Fault
from service.store import delay
from service.store.derived import listing
from service.store.layout import compression
from service.store.records import NoSuchMatch, Records, StoreError
from service.store.schema import KEPT
from service.store.schema import TABLES as DESCRIBED
from service.store.tables import access, card_photos

#: Milliseconds and seconds since 1970: none is before 2000 or after 2500.
_MS, _S = (946_684_800_000, 16_725_225_600_000), (946_684_800, 16_725_225_600)
_left = msgspec.msgpack.Decoder(AutoPass, strict=True).decode
#: What tells whether a value can be one of its column.
Test = Callable[[Any], bool]


def _between(first: int, last: int) -> Test:
    return lambda value: first <= value <= last


def _decodes(read: Callable[[Any], Any]) -> Test:
    def good(value: Any) -> bool:
        try:
            read(value)
        except (ValueError, TypeError, msgspec.MsgspecError):
            return False
        return True

    return good


def _id(value: str) -> bool:
    return bool(value) and set(value) <= set(LETTERS)


_COUNT, _FLAG = _between(0, 1 << 40), _between(0, 1)
_MATCH = _between(-1, 63)
_WHEN: Test = lambda value: value == 0 or _MS[0] <= value <= _MS[1]  # noqa: E731
_CREDENTIAL: dict[str, Test] = {
    "id": _id, "role": lambda value: value in [*Role], "seat": _MATCH,
    "delay": _decodes(delay.parse), "issued": _between(*_MS), "expires": _between(*_S),
    "issuer": bool, "revoked": _WHEN,
}  # fmt: skip
#: What the values of a table's columns may be; of the others no more is known than their type.
RULES: Mapping[str, Mapping[str, Test]] = {
    "seeds": {"seed": lambda value: len(value) == draws.SIZE},
    "auto_passes": {"seat": _between(0, 63), "state": _decodes(_left)},
    "card_photos": {"photo": _decodes(card_photos.checked)},
    "tokens": {**_CREDENTIAL, "code": lambda value: not value or _id(value)},
    "codes": {
        **_CREDENTIAL, "hash": lambda value: len(value) == 16, "player": _COUNT, "at": _COUNT,
        "exchanges": _COUNT, "last": _WHEN, "once": _FLAG,
    },
    "log_keys": {
        "number": _between(1, 1 << 62), "key": _decodes(notes.verifier_key), "size": _COUNT,
        "time": _between(*_MS), "endorsed": _FLAG,
    },
    "cosignatures": {"line": _decodes(notes.signatures)},
}  # fmt: skip
#: Whose rows name one of another table: column, table, column there.
REFERENCES = (("cosignatures", "checkpoint", "checkpoints", "number"),)
_PART = {"log_keys": LOG, "cosignatures": LOG}


#: The subject of what is wrong with a file as a whole.
WHOLE = "the file"
#: The most findings of SQLite's own check that are reported.
_MOST = 20
_SQL_TYPES = {int: "integer", str: "text", bytes: "blob"}


def part_of(table: str) -> str:
    """Which part of a store a table is of."""
    return _PART.get(table, TABLES)


def values(records: Records, table: str) -> Iterator[Fault]:
    """The rows of a table with a value that none can have. O(rows)."""
    described, part = DESCRIBED[table], part_of(table)
    for row in read(records, table):
        which = " ".join(str(row[column]) for column in described.key)
        for column, kind in described.columns.items():
            if not (type(row[column]) is kind and _fits(table, column, row[column])):
                why = phrase("row {which}: {column} can't be so", which=which, column=column)
                yield Fault(table, part, why)


def _fits(table: str, column: str, value: Any) -> bool:
    test = RULES.get(table, {}).get(column)
    return test is None or bool(test(value))


def read(records: Records, table: str) -> Iterator[dict[str, Any]]:
    """The rows of a table in the order of its key. A malformed text is returned as its bytes."""
    described = DESCRIBED[table]
    if records.shared:  # whose columns have their types, and whose rows come page by page
        for row in kept.read(records, described):
            yield dict(zip(described.columns, row, strict=True))
        return
    columns = [
        f"CAST({name} AS BLOB)" if kind is str else name for name, kind in described.columns.items()
    ]
    sql = f"SELECT {', '.join(columns)} FROM {table} ORDER BY {', '.join(described.key)}"
    with records.rows(sql) as found:
        for row in found:
            yield {
                name: decoded(value) if kind is str else value
                for (name, kind), value in zip(described.columns.items(), row, strict=True)
            }


def decoded(value: Any) -> Any:
    """A text that was read as its bytes; the bytes, if they are no text."""
    if isinstance(value, bytes):
        with suppress(UnicodeDecodeError):
            return value.decode()
    return value


def references(records: Records) -> Iterator[Fault]:
    """The rows that name a missing row of another table."""
    for table, column, other, there in REFERENCES:
        sql = f"SELECT count(*) FROM {table} WHERE {column} NOT IN (SELECT {there} FROM {other})"
        if count := records.row(sql)[0]:
            why = phrase("{count} rows are of no row of {other}", count=count, other=other)
            yield Fault(table, part_of(table), why)


def lists(records: Records) -> Iterator[Fault]:
    """The ids that are missing on a list."""
    for name, _, id_ in listed.missing(records):
        yield Fault(id_, TABLES, phrase("it is not on the list {name}", name=name))


def dictionaries(records: Records) -> Iterator[Fault]:
    """The dictionaries that are not what their names say."""
    for row in read(records, "dictionaries"):
        number, name, data = row["id"], row["name"], row["data"]
        good = type(number) is int and 0 < number < 256 and type(name) is str
        game = name.partition(" ")[0] if good else ""
        if not good or type(data) is not bytes or compression.name_of(game, data) != name:
            yield Fault(f"dictionary {number}", TABLES, phrase("it is not what its name says"))


def looks(records: Records) -> Iterator[Fault]:
    """Whether the log of access is whole."""
    if fault := access.check_all(records):
        yield Fault("the log of access", TABLES, fault)


def seeds(records: Records) -> Iterator[Fault]:
    """The service's seeds that are not those to which it has bound itself in their match."""
    for row in read(records, "seeds"):
        match, seed = row["id"], row["seed"]
        if type(match) is not str or type(seed) is not bytes:
            continue  # which is a fault of its values
        try:
            heading = listing.find(records, match).heading
        except (StoreError, NoSuchMatch):
            continue  # which is a fault of the match
        if draws.of_service(heading.id, seed) != heading.commitment:
            why = phrase("its seed is not the one that it is bound to")
            yield Fault(f"match {match}", TABLES, why)


# -- by SQLite itself ----------------------------------------------------------------------------


def pages(records: Records, *, quick: bool) -> Iterator[Fault]:
    """The faults that SQLite finds in a file.

    O(its size); `quick`: indexes are not compared with tables.
    """
    with records.rows(f"PRAGMA {'quick' if quick else 'integrity'}_check({_MOST})") as found:
        for row in found:
            if row[0] != "ok":
                yield Fault(WHOLE, FILE, phrase("it is damaged: {what}", what=row[0]))


def types(records: Records) -> Iterator[Fault]:
    """The values that are of another type than their column: SQLite takes of any kind given."""
    for table in KEPT:
        columns = table.columns.items()
        sums = (f"sum(typeof({name})<>'{_SQL_TYPES[kind]}')" for name, kind in columns)
        row = records.row(f"SELECT {', '.join(sums)} FROM {table.name}")
        for column, count in zip(table.columns, row, strict=True):
            if count:
                why = phrase(
                    "{count} rows: {column} is of another type", count=count, column=column
                )
                yield Fault(table.name, TABLES, why)
