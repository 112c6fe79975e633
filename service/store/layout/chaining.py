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
from domain.words.phrases import phrase
from service.store.errors import StoreError
from service.store.statements import Work

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


#: How a work was chained: the head after each of its entries.
Links = tuple[Head, ...]


def chain_of(match: str, row: Sequence[Any] | None) -> Chain | None:
    """The chain in a row, if there is one; raises `ChainBroken` if it can't be one."""
    if row is None:
        return None
    secret, since, seq, hash_ = row
    blobs = type(secret) is type(hash_) is bytes and (len(secret), len(hash_)) == (SECRET, HASH)
    if not blobs or not (type(seq) is type(since) is int and 0 <= since <= seq > 0):
        raise ChainBroken(match, phrase("what the file has of it is damaged"))
    return Chain(secret, Head(seq, hash_, since))


class Linked(NamedTuple):
    """The result of a work: the new row of its match, and the heads after its entries."""

    row: tuple[bytes, int, int, bytes]
    links: Links


#: Finds the first `n` entries of the match that is written to; None: all.
Stored = Callable[[int | None], Sequence[Entry]]


def extended(
    work: Work,
    row: Sequence[Any] | None,
    stored: Stored,
    secret: Callable[[], bytes] = lambda: token_bytes(SECRET),
) -> Linked:
    """How the chain in a row goes on with the entries of a work.

    A match that begins gets a chain, with a new `secret`. Where the work says so (`since`) the
    chain is begun again: then `stored` has the entries before. Raises `ChainBroken` if the entries
    do not follow the last head.
    """
    match, entries = work.match, work.entries
    if work.since is not None:
        return _begun_anew(work, work.since, row, stored(entries[0].seq - 1), secret)
    chain = chain_of(match, row)
    if chain is None:
        if entries[0].seq != 1:
            raise ChainBroken(match, phrase("its chain is missing"))
        chain = Chain(secret(), _genesis(match, entries[0], 0))
    elif entries[0].seq != chain.head.seq + 1:
        raise ChainBroken(match, phrase("it ends at entry {seq}", seq=chain.head.seq))
    return _linked(chain, links(chain.head, entries, chain.secret), len(entries))


def _begun_anew(
    work: Work,
    since: int,
    row: Sequence[Any] | None,
    before: Sequence[Entry],
    secret: Callable[[], bytes],
) -> Linked:
    """A new chain over every entry there is. The secret stays what it was, if that can be read."""
    try:
        was = chain_of(work.match, row)
    except ChainBroken:
        was = None
    every = [*before, *work.entries]
    head = _genesis(work.match, every[0], since)
    chain = Chain(was.secret if was is not None else secret(), head)
    return _linked(chain, links(head, every, chain.secret), len(work.entries))


def _genesis(match: str, first: Entry, since: int) -> Head:
    if not isinstance(first.event, MatchOpened):
        raise ChainBroken(match, phrase("entry 1 opens no match"))
    return genesis(match, first.event, since)


def _linked(chain: Chain, found: Sequence[bytes], new: int) -> Linked:
    """The heads after entries with these hashes; so many of them are new."""
    seq, since = chain.head.seq + len(found), chain.head.since
    hashes = found[len(found) - new :]
    heads = tuple(Head(at, hash_, since) for at, hash_ in enumerate(hashes, seq - new + 1))
    return Linked((chain.secret, since, seq, found[-1]), heads)
