"""The short codes that were issued, in a table of the file of matches: for whom, until when.

A code itself is kept nowhere. What is kept is a hash of it with a key of the service
(`fingerprint`): who reads the file and not the key can't try which code it belongs to. Rows are
added, counted up and marked as revoked (`exchange`), and none goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Any

from msgspec import Struct

from service.credentials.holders import Holder
from service.store.records import Recorder, Records, Statement

Recorder.tables.append(
    "CREATE TABLE IF NOT EXISTS codes (n INTEGER PRIMARY KEY, id TEXT UNIQUE, hash BLOB UNIQUE,"
    " role TEXT, match TEXT, event TEXT, seat INTEGER, player INTEGER, at INTEGER, name TEXT,"
    " delay TEXT, issued INTEGER, expires INTEGER, issuer TEXT, exchanges INTEGER DEFAULT 0,"
    " last INTEGER DEFAULT 0, revoked INTEGER DEFAULT 0, revoker TEXT DEFAULT '')"
)
_ALL = 1 << 62


class Code(Struct, frozen=True):
    """A code that was issued: the `n`th, at `issued` (milliseconds since 1970), by `issuer`.

    It is good until `expires` (seconds since 1970). It was exchanged so many times, last at `last`,
    and revoked at `revoked` by `revoker`; 0: it was not.
    """

    id: str
    hash: bytes
    holder: Holder
    issued: int
    expires: int
    issuer: str
    n: int = 0
    exchanges: int = 0
    last: int = 0
    revoked: int = 0
    revoker: str = ""


class Filter(Struct, frozen=True):
    """Which codes are meant: those that fit all that is named.

    `live`: neither revoked nor expired at that time, in seconds since 1970.
    """

    match: str = ""
    event: str = ""
    role: str = ""
    player: int = 0
    table: int = 0
    live: float | None = None

    def condition(self) -> tuple[str, list[Any]]:
        """The filter as SQL, and its parameters."""
        named = {"match": self.match, "event": self.event, "role": self.role,
                 "player": self.player, "at": self.table}  # fmt: skip
        terms = [(f"{column}=?", value) for column, value in named.items() if value]
        if self.live is not None:
            terms.append(("revoked=0 AND expires>?", self.live))
        return " AND ".join(term for term, _ in terms) or "1", [value for _, value in terms]


def fingerprint(code: str, key: bytes) -> bytes:
    """What is kept of a code."""
    return blake2b(code.encode(), key=key, digest_size=16).digest()


def saved(code: Code) -> Statement:
    """Keep that a code was issued."""
    h = code.holder
    return (
        "INSERT INTO codes (id, hash, role, match, event, seat, player, at, name, delay, issued,"
        " expires, issuer) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
        (code.id, code.hash, h.role, h.match, h.event, h.seat, h.player, h.table, h.name, h.delay,
         code.issued, code.expires, code.issuer),
    )  # fmt: skip


def counted(code: str, now: int) -> Statement:
    """Keep that the code with an id was exchanged once more."""
    return "UPDATE codes SET exchanges=exchanges+1, last=? WHERE id=?", (now, code)


def marked(code: str, now: int, by: str) -> Statement:
    """Mark the code with an id as revoked, if it is not yet."""
    return "UPDATE codes SET revoked=?, revoker=? WHERE revoked=0 AND id=?", (now, by, code)


def lines(records: Records, chosen: Filter, upto: int = 0, limit: int = _ALL) -> list[Code]:
    """The codes that a filter means, the newest first, from number `upto` (0: the last) on."""
    condition, values = chosen.condition()
    sql = f"SELECT * FROM codes WHERE n<=? AND {condition} ORDER BY n DESC LIMIT ?"
    return [*_read(records, sql, upto or _ALL, *values, limit)]


def named(records: Records, ids: Iterable[str]) -> dict[str, Code]:
    """The codes with these ids, as far as there are such."""
    found: dict[str, Code] = {}
    for id_ in ids:
        found.update((one.id, one) for one in _read(records, "SELECT * FROM codes WHERE id=?", id_))
    return found


def _read(records: Records, sql: str, *parameters: Any) -> Iterator[Code]:
    if not records.has_table("codes"):
        return
    with records.rows(sql, *parameters) as rows:
        for row in rows:
            holder = Holder(row["role"], row["match"], row["event"], row["seat"], row["player"],
                            row["at"], row["name"], row["delay"])  # fmt: skip
            yield Code(row["id"], bytes(row["hash"]), holder, row["issued"], row["expires"],
                       row["issuer"], row["n"], row["exchanges"], row["last"], row["revoked"],
                       row["revoker"])  # fmt: skip
