"""The tokens that were issued, in a table of the store: for whom, by whom, until when.

No token is kept, only its id (`Identity.id`), so nobody gets in with what is in the store. Rows are
added and marked as revoked (`issuing`), never deleted: expired tokens stay known, and revoked ones
stay revoked even if the clock changes. They are found by the match, the event or the code that they
are of in lists (`service.store.tables.lists`), in the order in which they were issued.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct

from service.identity import Identity, Role
from service.store.records import Records, Statement
from service.store.statements import insert
from service.store.tables import lists
from service.store.tables.lists import END, Key, Row

#: Lists: of all tokens, of those of no match and no event, of those that are revoked.
ALL, SERVICE, REVOKED = "tokens", "tokens service", "tokens revoked"
_INSERT = insert(
    "tokens",
    "id, match, event, role, seat, subject, delay, issued, expires, issuer, code",
)
_ROWS = "SELECT * FROM tokens WHERE id IN ({})"
_MARK = "UPDATE tokens SET revoked=?, revoker=? WHERE id=? AND revoked=0"


class Issued(Struct, frozen=True):
    """A token that was issued, at `issued` (milliseconds since 1970), by `issuer`.

    `code` is the id of the code that it was exchanged for, if it was. `revoked` is when it was
    revoked, in milliseconds since 1970, by `revoker`; 0: it was not.
    """

    who: Identity
    issued: int
    issuer: str
    code: str = ""
    revoked: int = 0
    revoker: str = ""

    @property
    def key(self) -> Key:
        """Where it stands in lists."""
        return self.issued, self.who.id

    @property
    def lists(self) -> list[str]:
        """The lists on which it stands from the first."""
        who, found = self.who, [ALL]
        event = who.event or (who.match.partition(".")[0] if "." in who.match else "")
        found += [f"tokens match {who.match}"] if who.match else []
        found += [f"tokens event {event}"] if event else []
        found += [f"tokens code {self.code}"] if self.code else []
        return found if who.match or who.event else [*found, SERVICE]


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

    @property
    def list(self) -> str:
        """A list on which all of them stand."""
        of = (("code", self.code), ("match", self.match), ("event", self.event))
        kind, name = next((one for one in of if one[1]), ("", ""))
        if kind:
            return f"tokens {kind} {name}"
        return SERVICE if self.role == Role.ORGANISER else ALL

    def fits(self, one: Issued) -> bool:
        """Whether a token is meant."""
        who = one.who
        return (
            self.match in ("", who.match)
            and (self.event in ("", who.event) or who.match.startswith(f"{self.event}."))
            and self.role in ("", who.role)
            and self.seat in (None, who.seat)
            and self.code in ("", one.code)
            and (self.live is None or (not one.revoked and who.expires > self.live))
        )


def saved(token: Issued) -> list[Statement]:
    """Keep that a token was issued."""
    who = token.who
    row = (
        who.id, who.match, who.event, who.role, who.seat, who.subject, who.delay, token.issued,
        who.expires, token.issuer, token.code,
    )  # fmt: skip
    return [(_INSERT, row), *(lists.added(name, *token.key) for name in token.lists)]


def marked(ids: Iterable[str], now: int, by: str) -> list[Statement]:
    """Mark those with these ids as revoked that are not yet."""
    return [
        statement
        for token in ids
        for statement in ((_MARK, (now, by, token)), lists.added(REVOKED, now, token))
    ]


def revoked(records: Records, chosen: Filter | None = None) -> list[str]:
    """The ids of those that are revoked: all, or those that a filter means."""
    where = REVOKED if chosen is None else chosen.list
    return [one.who.id for one in _on(records, where, chosen or Filter()) if one.revoked]


def good(records: Records, chosen: Filter) -> list[str]:
    """The ids of those that a filter means and that are not revoked."""
    return [one.who.id for one in _on(records, chosen.list, chosen) if not one.revoked]


def lines(
    records: Records, chosen: Filter, upto: Key | None = None, limit: int = 100
) -> list[Issued]:
    """The tokens that a filter means, the newest first, from a place in the list (None: all) on."""
    return [*islice(_on(records, chosen.list, chosen, upto, limit), limit)]


def of_codes(records: Records, ids: Sequence[str]) -> list[str]:
    """The ids of the tokens that codes with these ids were exchanged for, and that are good."""
    return [token for code in ids if code for token in good(records, Filter(code=code))]


def named(records: Records, ids: Sequence[str]) -> dict[str, Issued]:
    """The tokens with these ids, those that exist."""
    return lists.rows_of(records, _ROWS, ids, _issued)


def _on(
    records: Records, name: str, chosen: Filter, upto: Key | None = None, size: int = END
) -> Iterator[Issued]:
    """The tokens on a list that a filter means, page by page."""
    for page in lists.every(records, name, upto, min(size, lists.PAGE)):
        found = named(records, [token for _, token in page])
        yield from (one for _, id_ in page if (one := found.get(id_)) and chosen.fits(one))


def listed(records: Records) -> Iterator[Row]:
    """Where all tokens should stand on lists. O(tokens)."""
    with records.rows("SELECT * FROM tokens") as found:
        for token in map(_issued, found):
            yield from ((name, *token.key) for name in token.lists)
            if token.revoked:
                yield REVOKED, token.revoked, token.who.id


def _issued(row: Any) -> Issued:
    who = Identity(
        row["role"], row["subject"], row["match"], row["seat"], row["expires"], row["delay"],
        row["event"], row["id"],
    )  # fmt: skip
    return Issued(who, row["issued"], row["issuer"], row["code"], row["revoked"], row["revoker"])
