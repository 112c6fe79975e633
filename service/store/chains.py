"""Chains: what the entries of a match are proven with, and whether they fit their own.

Each match has a chain (`domain.record.proof`), kept up by whoever writes its entries
(`layout.chaining`). Here it is read: heads, proofs for viewers, and the comparison with the
entries. A file that was written before there were chains has none, until it is opened to be
written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.record.entries import Entry
from domain.record.events import MatchOpened
from domain.record.proof.chain import Head, chained, genesis, links
from domain.record.proof.openings import Proof, openings
from service.store.beside import archived
from service.store.layout.chaining import ROW, Chain, ChainBroken, chain_of
from service.store.layout.work import FROM_HERE as FROM_HERE
from service.store.records import LAST, NoSuchMatch, Records
from service.store.sqlite.file import EARLIER, UNCHAINED


class Unchained(LookupError):
    """The match has no chain: nobody has opened its file to write since there are chains."""


def find(records: Records, match: str) -> Chain | None:
    """The chain of a match, if it has one; `ChainBroken` if it can't be read."""
    if records.layout in (EARLIER, UNCHAINED):
        return None
    return chain_of(match, records.row(ROW, match))


def heads(records: Records) -> Iterator[tuple[str, Head]]:
    """The last head of each match, by their ids. O(matches). One that can't be read is left out."""
    if records.layout in (EARLIER, UNCHAINED):
        return
    with records.rows("SELECT id, secret, since, seq, hash FROM chains ORDER BY id") as found:
        for match, *row in found:
            try:
                chain = chain_of(match, row)
            except ChainBroken:
                continue
            if chain is not None:
                yield match, chain.head


def unchained(records: Records, match: str) -> bool:
    """Whether a match has entries and no chain, so that it could be given one."""
    return (
        records.writable
        and records.row("SELECT 1 FROM chains WHERE id=?", match) is None
        and records.last(match) > 0
    )


def gone(records: Records) -> list[str]:
    """The matches that were chained, and of which the store has no entry any more. O(matches).

    Those that were archived are not among them.
    """
    if records.layout in (EARLIER, UNCHAINED):
        return []
    sql = (
        "SELECT id FROM chains WHERE NOT EXISTS"
        " (SELECT 1 FROM stored_events WHERE originator_id=chains.id) ORDER BY id"
    )
    with records.rows(sql) as found:
        ids = [row["id"] for row in found]
    return [match for match in ids if archived.find(records, match) is None]


def head(records: Records, match: str, seq: int = LAST) -> Head | None:
    """The head of a match after an entry, or its last one; None if it has no chain.

    O(`seq`), but for the last one. Raises `ChainBroken`.
    """
    chain = find(records, match)
    if chain is None or seq >= chain.head.seq:
        return chain.head if chain is not None else None
    return _head_at(records, match, chain, seq)


def heads_of(
    records: Records, match: str, entries: Sequence[Entry], before: Head | None = None
) -> list[Head]:
    """The head after each of these entries, which follow one another; none if there is no chain.

    `before` is the head that comes before them, if it is known; else O(entries before them).
    """
    chain = find(records, match)
    if chain is None or not entries:
        return []
    seq, since = entries[0].seq, chain.head.since
    if before is None or before.seq != seq - 1 or before.since != since:
        before = _head_at(records, match, chain, seq - 1)
    found = links(before, entries, chain.secret)
    return [Head(at, hash_, since) for at, hash_ in enumerate(found, seq)]


def check(records: Records, match: str, known: Head | None = None) -> Head | None:
    """The last head of a match, once all entries were seen to lead to it. O(entries).

    None if it has no chain. Raises `ChainBroken` if they lead elsewhere. `known` is a head to which
    they were seen to lead before: then only those after it are looked at.
    """
    with records.reading():
        chain = find(records, match)
        if chain is None:
            return None
        last = records.last(match)
        if last != chain.head.seq:
            raise ChainBroken(match, f"it has {last} of them, {chain.head.seq} were chained")
        if _head_at(records, match, chain, last, known) != chain.head:
            raise ChainBroken(match, f"they do not lead to the head {chain.head.short}")
        return chain.head


def proof(records: Records, match: str, viewer: int, after: int = 0, until: int = LAST) -> Proof:
    """What a viewer's copy of the entries after a number is proven with. O(`until`).

    `after` and `until` are to be numbers of entries that he may know of. Raises `Unchained`,
    `ChainBroken`, `NoSuchMatch`.
    """
    with records.reading():
        chain = find(records, match)
        if chain is None:
            raise Unchained(match)
        before = _head_at(records, match, chain, after)
        entries = records.entries(match, after, until)
        shown = tuple(openings(entries, chain.secret, viewer))
        return Proof(match, before, shown, chained(before, entries, chain.secret))


def _head_at(
    records: Records, match: str, chain: Chain, seq: int, known: Head | None = None
) -> Head:
    """The head after an entry, by the entries; those after a known one, if it is of this chain."""
    with records.reading():
        if known is not None and known.since == chain.head.since and known.seq <= seq:
            return chained(known, records.entries(match, known.seq, seq), chain.secret)
        first = records.entries(match, 0, 1)
        if not first:
            raise NoSuchMatch(match)
        if not isinstance(first[0].event, MatchOpened):
            raise ChainBroken(match, "entry 1 opens no match")
        found = genesis(match, first[0].event, chain.head.since)
        for some in records.runs(match, 0, seq):
            found = chained(found, some, chain.secret)
        return found
