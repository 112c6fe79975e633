"""The short codes that were issued, in a table of the store: for whom, until when.

A code itself is kept nowhere. What is kept is a hash of it with a key of the service
(`fingerprint`): who reads the store and not the key can't try which code it belongs to. Rows are
added, counted up and marked as revoked (`exchange`), and none goes. They are found by that hash, by
their match or their event in lists (`service.store.tables.lists`), in the order in which they were
issued.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import islice
from typing import Any

from msgspec import Struct

from service.credentials.holders import Holder
from service.store.records import Must, Records, Statement
from service.store.statements import insert
from service.store.tables import lists
from service.store.tables.lists import END, Key, Row

#: The list of all codes.
ALL = "codes"
_INSERT = insert(
    "codes",
    "id, hash, role, match, event, seat, player, at, name, delay, issued, expires, issuer, once",
)
_ROWS = "SELECT * FROM codes WHERE id IN ({})"
_COUNT = "UPDATE codes SET exchanges=exchanges+1, last=? WHERE id=? AND revoked=0"
_USE = (
    "UPDATE codes SET exchanges=exchanges+1, last=?1, revoked=?1, revoker=?3"
    " WHERE id=?2 AND revoked=0"
)
_MARK = "UPDATE codes SET revoked=?, revoker=? WHERE id=? AND revoked=0"
#: Who has revoked a code that is good for one exchange, once there was one.
USE = "its use"


class Code(Struct, frozen=True):
    """A code that was issued, at `issued` (milliseconds since 1970), by `issuer`.

    It is good until `expires` (seconds since 1970). It was exchanged so many times, last at `last`,
    and revoked at `revoked` by `revoker`; 0: it was not. `once`: by its first exchange.
    """

    id: str
    hash: bytes
    holder: Holder
    issued: int
    expires: int
    issuer: str
    exchanges: int = 0
    last: int = 0
    revoked: int = 0
    revoker: str = ""
    once: bool = False

    @property
    def key(self) -> Key:
        """Where it stands in lists."""
        return self.issued, self.id

    @property
    def lists(self) -> list[str]:
        """The lists on which it stands."""
        found = [ALL, of_hash(self.hash)]
        found += [f"codes match {self.holder.match}"] if self.holder.match else []
        found += [f"codes event {self.holder.event}"] if self.holder.event else []
        return found


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

    @property
    def list(self) -> str:
        """A list on which all of them stand."""
        if self.match:
            return f"codes match {self.match}"
        return f"codes event {self.event}" if self.event else ALL

    def fits(self, one: Code) -> bool:
        """Whether a code is meant."""
        h = one.holder
        return (
            self.match in ("", h.match)
            and self.event in ("", h.event)
            and self.role in ("", h.role)
            and self.player in (0, h.player)
            and self.table in (0, h.table)
            and (self.live is None or (not one.revoked and one.expires > self.live))
        )


def fingerprint(code: str, key: bytes) -> bytes:
    """The stored hash of a code."""
    return blake2b(code.encode(), key=key, digest_size=16).digest()


def of_hash(kept: bytes) -> str:
    """The list of the code of which this is kept."""
    return f"codes hash {kept.hex()}"


def saved(code: Code) -> list[Statement]:
    """Keep that a code was issued."""
    h = code.holder
    row = (
        code.id, code.hash, h.role, h.match, h.event, h.seat, h.player, h.table, h.name, h.delay,
        code.issued, code.expires, code.issuer, int(code.once),
    )  # fmt: skip
    return [(_INSERT, row), *(lists.added(name, *code.key) for name in code.lists)]


def counted(code: Code, now: int) -> Must:
    """Keep that a code was exchanged once more, which may use it up; only if it is not revoked."""
    return Must(_USE, (now, code.id, USE)) if code.once else Must(_COUNT, (now, code.id))


def marked(code: str, now: int, by: str) -> Statement:
    """Mark the code with an id as revoked, if it is not yet."""
    return _MARK, (now, by, code)


def lines(
    records: Records, chosen: Filter, upto: Key | None = None, limit: int = END
) -> list[Code]:
    """The codes that a filter means, the newest first, from a place in the list (None: all) on."""
    found = _on(records, chosen.list, upto, limit)
    return [*islice((one for one in found if chosen.fits(one)), limit)]


def by_hash(records: Records, kept: bytes) -> Code | None:
    """The code of which this is kept. One that there is not takes as long to be looked for."""
    some = _on(records, of_hash(kept), None, END)
    return next((one for one in some if one.hash == kept), None) or named(records, [""]).get("")


def taken(records: Records, hashes: Sequence[bytes]) -> set[bytes]:
    """Those among what is kept of codes that there are already."""
    names = {of_hash(kept): kept for kept in hashes}
    sql = "SELECT list AS id FROM lists WHERE list IN ({})"
    return {names[name] for name in lists.rows_of(records, sql, [*names], lambda row: None)}


def named(records: Records, ids: Sequence[str]) -> dict[str, Code]:
    """The codes with these ids, those that exist."""
    return lists.rows_of(records, _ROWS, ids, _code)


def _on(records: Records, name: str, upto: Key | None, size: int) -> Iterator[Code]:
    """The codes on a list, page by page."""
    for page in lists.every(records, name, upto, min(size, lists.PAGE)):
        found = named(records, [code for _, code in page])
        yield from (found[id_] for _, id_ in page if id_ in found)


def listed(records: Records) -> Iterator[Row]:
    """Where all codes should stand on lists. O(codes)."""
    with records.rows("SELECT * FROM codes") as found:
        for code in map(_code, found):
            yield from ((name, *code.key) for name in code.lists)


def _code(row: Any) -> Code:
    holder = Holder(row["role"], row["match"], row["event"], row["seat"], row["player"], row["at"],
                    row["name"], row["delay"])  # fmt: skip
    return Code(row["id"], bytes(row["hash"]), holder, row["issued"], row["expires"],
                row["issuer"], row["exchanges"], row["last"], row["revoked"], row["revoker"],
                bool(row["once"]))  # fmt: skip
