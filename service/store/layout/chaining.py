"""The chain of a match as it lies in the store: a row for each match, written with its entries.

The row has the match's secret and its last head (`domain.record.proof.chain`); those in between are
computed from the entries. So it costs nothing an entry. It is no derived data: the secret can't be
made again. Here is what the row says after a work; drivers read and write it in the transaction of
the work. What else is asked of chains is in `service.store.chains`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from secrets import token_bytes
from typing import Any, NamedTuple

from domain.record.entries import Entry
from domain.record.events import MatchOpened
from domain.record.proof.chain import HASH, SECRET, Head, genesis, links
from service.store.errors import StoreError
from service.store.layout.work import FROM_HERE, Work

TABLE = (
    "CREATE TABLE IF NOT EXISTS chains (id TEXT PRIMARY KEY, secret BLOB, since INTEGER,"
    " seq INTEGER, hash BLOB) WITHOUT ROWID"
)
ROW = "SELECT secret, since, seq, hash FROM chains WHERE id=?"
SAVE = (
    "INSERT INTO chains (id, secret, since, seq, hash) VALUES (?,?,?,?,?) ON CONFLICT (id) DO"
    " UPDATE SET secret=excluded.secret, since=excluded.since, seq=excluded.seq, hash=excluded.hash"
)


class ChainBroken(StoreError):
    """The entries of a match are not those that were chained; nothing is chained over them."""

    def __init__(self, match: str, why: str) -> None:
        self.match, self.why = match, f"its entries do not fit its chain: {why}"
        super().__init__(f"match {match}: {self.why}")


class Chain(NamedTuple):
    """The secret of a match, and its last head."""

    secret: bytes
    head: Head


class Links(NamedTuple):
    """How a work was chained: the head after it, and the hash of each of its entries."""

    head: Head
    hashes: Sequence[bytes]

    @property
    def heads(self) -> list[Head]:
        """The head after each of its entries."""
        first, since = self.head.seq - len(self.hashes) + 1, self.head.since
        return [Head(seq, found, since) for seq, found in enumerate(self.hashes, first)]


def chain_of(match: str, row: Sequence[Any] | None) -> Chain | None:
    """The chain in a row, if there is one; raises `ChainBroken` if it can't be one."""
    if row is None:
        return None
    secret, since, seq, hash_ = row
    blobs = type(secret) is type(hash_) is bytes and (len(secret), len(hash_)) == (SECRET, HASH)
    if not blobs or not (type(seq) is type(since) is int and 0 <= since <= seq > 0):
        raise ChainBroken(match, "what the file has of it is damaged")
    return Chain(secret, Head(seq, hash_, since))


class Linked(NamedTuple):
    """What a work leads to: what the row of its match says, and how its entries were chained."""

    row: tuple[bytes, int, int, bytes]
    links: Links


#: Finds the first `n` entries of the match that is written to; None: all. `unseen`: raises
#: `ChainBroken` if the log knows the match, which has had a chain then.
Stored = Callable[[int | None, bool], Sequence[Entry]]


def is_due(work: Work) -> bool:
    """Whether a work has to do with the chain of its match."""
    return bool(work.entries) or work.since is not None


def extended(
    work: Work,
    row: Sequence[Any] | None,
    stored: Stored,
    secret: Callable[[], bytes] = lambda: token_bytes(SECRET),
) -> Linked | None:
    """How the chain in a row goes on with a work; None: nothing is to be done.

    A match that has no chain gets one from where it stands, with a new `secret`: then `stored` has
    its entries. Raises `ChainBroken` if the entries do not follow the last head.
    """
    match, entries = work.match, work.entries
    chain = _kept(match, row, work.since)
    if chain is not None and work.since is None:
        if entries[0].seq != chain.head.seq + 1:
            raise ChainBroken(match, f"it ends at entry {chain.head.seq}")
        before, found = chain, links(chain.head, entries, chain.secret)
    elif chain is not None and work.since == FROM_HERE:
        return None
    else:
        before, found = _begin(work, chain, stored, secret)
    made = found[len(found) - len(entries) :]
    head = Head(before.head.seq + len(found), found[-1], before.head.since)
    return Linked((before.secret, head.since, head.seq, head.hash), Links(head, made))


def _kept(match: str, row: Sequence[Any] | None, since: int | None) -> Chain | None:
    """The chain that there is; where one is begun anew, a damaged one is none."""
    try:
        return chain_of(match, row)
    except ChainBroken:
        if since is None:
            raise
        return None


def _begin(
    work: Work, was: Chain | None, stored: Stored, new: Callable[[], bytes]
) -> tuple[Chain, list[bytes]]:
    """A new chain, and the hash of every entry there is. The secret stays what it was."""
    entries = work.entries
    before = entries[0].seq - 1 if entries else None
    unseen = was is None and work.since in (None, FROM_HERE)
    known = [] if before == 0 else stored(before, unseen)
    first = [*known, *entries][:1]
    if not first or not isinstance(first[0].event, MatchOpened):
        raise ChainBroken(work.match, "entry 1 opens no match")
    since = len(known) if work.since in (None, FROM_HERE) else work.since
    secret = was.secret if was is not None else new()
    head = genesis(work.match, first[0].event, since or 0)
    return Chain(secret, head), links(head, [*known, *entries], secret)
