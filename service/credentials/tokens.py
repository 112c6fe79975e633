"""The tokens that were issued, in a table of the file of matches: for whom, by whom, until when.

No token is kept, only its id (`Identity.id`), so nobody gets in with what is in the file. Rows are
added and marked as revoked (`issuing`), and none goes: a token that has run out stays known, and
one that was revoked stays so whatever the clock says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from service.identity import Identity
from service.store.records import Recorder, Records, Statement

Recorder.tables += [
    "CREATE TABLE IF NOT EXISTS tokens (n INTEGER PRIMARY KEY, id TEXT UNIQUE, match TEXT,"
    " event TEXT, role TEXT, seat INTEGER, subject TEXT, delay TEXT, issued INTEGER,"
    " expires INTEGER, issuer TEXT, code TEXT, revoked INTEGER DEFAULT 0, revoker TEXT DEFAULT '')",
    "CREATE INDEX IF NOT EXISTS tokens_by_match ON tokens (match)",
    "CREATE INDEX IF NOT EXISTS tokens_by_code ON tokens (code) WHERE code<>''",
]
#: Ids that one statement names at most.
_IDS = 500


class Issued(Struct, frozen=True):
    """A token that was issued: the `n`th, at `issued` (milliseconds since 1970), by `issuer`.

    `code` is the id of the code that it was exchanged for, if it was. `revoked` is when it was
    revoked, in milliseconds since 1970, by `revoker`; 0: it was not.
    """

    who: Identity
    issued: int
    issuer: str
    n: int = 0
    code: str = ""
    revoked: int = 0
    revoker: str = ""


class Filter(Struct, frozen=True):
    """Which tokens are meant: those that fit all that is named; nothing is: all.

    `event`: those of its matches as well. `live`: neither revoked nor expired at that time, in
    seconds since 1970.
    """

    match: str = ""
    event: str = ""
    role: str = ""
    seat: int | None = None
    code: str = ""
    live: float | None = None

    def condition(self) -> tuple[str, list[Any]]:
        """The filter as SQL, and its parameters."""
        named = {"match": self.match, "role": self.role, "code": self.code}
        terms: list[tuple[str, tuple[Any, ...]]]
        terms = [(f"{column}=?", (value,)) for column, value in named.items() if value]
        if self.event:  # the ids of its matches begin with its own and a dot
            bounds = (f"{self.event}.", f"{self.event}/")
            terms.append(("(event=? OR (match>=? AND match<?))", (self.event, *bounds)))
        if self.seat is not None:
            terms.append(("seat=?", (self.seat,)))
        if self.live is not None:
            terms.append(("revoked=0 AND expires>?", (self.live,)))
        sql = " AND ".join(term for term, _ in terms) or "1"
        return sql, [value for _, values in terms for value in values]


def saved(token: Issued) -> Statement:
    """Keep that a token was issued."""
    who = token.who
    return (
        "INSERT INTO tokens (id, match, event, role, seat, subject, delay, issued, expires, issuer,"
        " code) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
        (who.id, who.match, who.event, who.role, who.seat, who.subject, who.delay, token.issued,
         who.expires, token.issuer, token.code),
    )  # fmt: skip


def marked(chosen: Filter, now: int, by: str, but: str = "") -> Statement:
    """Mark those as revoked that a filter means and that are not yet, except the one with an id."""
    condition, values = chosen.condition()
    sql = f"UPDATE tokens SET revoked=?, revoker=? WHERE revoked=0 AND id<>? AND {condition}"
    return sql, (now, by, but, *values)


def marked_one(token: str, now: int, by: str) -> Statement:
    """Mark the token with an id as revoked, if it is not yet."""
    return "UPDATE tokens SET revoked=?, revoker=? WHERE revoked=0 AND id=?", (now, by, token)


def revoked(records: Records, chosen: Filter | None = None) -> list[str]:
    """The ids of those that are revoked: all, or those that a filter means."""
    if not records.has_table("tokens"):
        return []
    condition, values = (chosen or Filter()).condition()
    sql = f"SELECT id FROM tokens WHERE revoked<>0 AND {condition}"
    with records.rows(sql, *values) as rows:
        return [str(row["id"]) for row in rows]


def lines(records: Records, chosen: Filter, upto: int = 0, limit: int = 100) -> list[Issued]:
    """The tokens that a filter means, the newest first, from number `upto` (0: the last) on."""
    if not records.has_table("tokens"):
        return []
    condition, values = chosen.condition()
    sql = f"SELECT * FROM tokens WHERE n<=? AND {condition} ORDER BY n DESC LIMIT ?"
    with records.rows(sql, upto or 1 << 62, *values, limit) as rows:
        return [_issued(row) for row in rows]


def of_codes(records: Records, ids: Sequence[str]) -> list[str]:
    """The ids of the tokens that codes with these ids were exchanged for, and that are good."""
    found: list[str] = []
    for code in ids:
        sql = "SELECT id FROM tokens WHERE code=? AND code<>'' AND revoked=0"
        with records.rows(sql, code) as rows:
            found += [str(row["id"]) for row in rows]
    return found


def named(records: Records, ids: Sequence[str]) -> dict[str, Issued]:
    """The tokens with these ids, as far as there are such."""
    found: dict[str, Issued] = {}
    for at in range(0, len(ids) if records.has_table("tokens") else 0, _IDS):
        some = ids[at : at + _IDS]
        marks = ",".join("?" * len(some))
        with records.rows(f"SELECT * FROM tokens WHERE id IN ({marks})", *some) as rows:
            found.update((row["id"], _issued(row)) for row in rows)
    return found


def _issued(row: Any) -> Issued:
    who = Identity(
        row["role"], row["subject"], row["match"], row["seat"], row["expires"], row["delay"],
        row["event"], row["id"],
    )  # fmt: skip
    return Issued(
        who, row["issued"], row["issuer"], row["n"], row["code"], row["revoked"], row["revoker"]
    )
