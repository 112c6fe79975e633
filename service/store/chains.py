"""Chains: the proofs of a match's entries, and whether they fit.

Each match has a chain (`domain.record.proof`), written with its entries (`layout.chaining`), and so
has an event of organisers (`tables.tournaments`). Here it is read: heads, proofs for viewers, and
the comparison with the entries and with what the log has of the match (`leaves`). An archive of the
public has none: it has what proves its copies (`tables.archived`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.record.entries import Entry
from domain.record.events import MatchOpened
from domain.record.interventions import Noted
from domain.record.proof.anchors.leaves import EVENT
from domain.record.proof.chain import Head, chained, genesis, links
from domain.record.proof.openings import Proof, openings
from domain.record.values import BY_OFFICIAL, EVERYONE
from domain.words.phrases import phrase
from service.store import leaves
from service.store.layout.chaining import ROW, Chain, ChainBroken, chain_of
from service.store.records import LAST, NoSuchMatch, Records
from service.store.tables import archived

#: Within so many entries the note stands by which an official accepts a record: in its frame.
_ACCEPTANCE = 3


class Unchained(LookupError):
    """The match has no chain: it is a copy in an archive of the public."""


def stored(records: Records, match: str) -> Chain | None:
    """The chain that a match has in the store, if any; raises `ChainBroken` if it can't be read."""
    return chain_of(match, records.row(ROW, match))


def find(records: Records, match: str) -> Chain | None:
    """The same; raises `ChainBroken` as well if it is gone: there are entries, or leaves."""
    found = stored(records, match)
    if found is None and not records.closed:
        logged = leaves.of(records.driver, match)
        if why := leaves.missing(logged, records.last(match)):
            raise ChainBroken(match, why)
    return found


def heads(records: Records) -> Iterator[tuple[str, Head]]:
    """The last head of each match and event, by their ids. One that can't be read is left out."""
    with records.rows("SELECT id, secret, since, seq, hash FROM chains ORDER BY id") as found:
        for match, *row in found:
            try:
                chain = chain_of(match, row)
            except ChainBroken:
                continue
            if chain is not None:
                yield match, chain.head


def gone(records: Records) -> list[str]:
    """The matches that were chained, or are in the log, and have no entry any more. O(matches).

    Those that were archived are not among them.
    """
    ids = set[str]()
    for table in ("chains", "leaves"):
        sql = (
            f"SELECT DISTINCT id FROM {table} WHERE NOT EXISTS"
            f" (SELECT 1 FROM stored_events WHERE originator_id={table}.id)"
        )
        with records.rows(sql) as found:
            ids |= {row["id"] for row in found if not row["id"].startswith(EVENT)}
    return [match for match in sorted(ids) if archived.find(records, match) is None]


def shorter(records: Records) -> Iterator[ChainBroken]:
    """The faults of the matches of which the log has more than the store. O(leaves)."""
    sql = (
        "SELECT leaves.id FROM leaves LEFT JOIN chains ON chains.id=leaves.id"
        " GROUP BY leaves.id, chains.seq HAVING chains.seq IS NULL OR chains.seq<max(leaves.count)"
    )
    with records.rows(sql) as found:
        ids = [row["id"] for row in found if not row["id"].startswith(EVENT)]
    for match in dict.fromkeys((*ids, *gone(records))):
        try:
            check(records, match, accepting=True)
        except ChainBroken as error:
            yield error


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


def check(
    records: Records, match: str, known: Head | None = None, *, accepting: bool = False
) -> Head | None:
    """The last head of a match, once all entries were seen to lead to it. O(entries).

    So they must to what the log has of it. None if it has no chain. Raises `ChainBroken` if they
    lead elsewhere. `known` is a head to which they were seen to lead before: then only those after
    it are looked at. `accepting`: where an official has accepted the record, which says so, its
    chain was begun again there, and what the log had of the one before is no objection.
    """
    with records.reading():
        chain = find(records, match)
        if chain is None:
            return None
        last, since = records.last(match), chain.head.since
        if known is not None and (known.since != since or known.seq > last):
            known = None
        after = known.seq if known is not None else 0
        logged = [one for one in leaves.of(records.driver, match) if one.count > after]
        if accepting and _is_accepted(records, match, since):
            logged = [one for one in logged if one.head.since == since]
        if last != chain.head.seq:
            had = logged[-1].count if logged else 0
            text = f"it has {last} of them, {chain.head.seq} were chained"
            raise ChainBroken(match, leaves.cut(last, had) if had > last else text)
        wanted = {leaf.count for leaf in logged}
        found = _heads_at(records, match, chain, wanted | {last}, known)
        if why := leaves.contradicted(logged, last, {seq: one.hash for seq, one in found.items()}):
            raise ChainBroken(match, why)
        if found[last] != chain.head:
            raise ChainBroken(
                match, phrase("they do not lead to the head {head}", head=chain.head.short)
            )
        return chain.head


def _is_accepted(records: Records, match: str, since: int) -> bool:
    """Whether the record says that it was gone on with as it stood after so many entries."""
    new = records.entries(match, since, since + _ACCEPTANCE) if since else ()
    return any(
        isinstance(entry.event, Noted)
        and entry.by == BY_OFFICIAL
        and entry.event.text.to == EVERYONE
        for entry in new
    )


def proof(records: Records, match: str, viewer: int, after: int = 0, until: int = LAST) -> Proof:
    """The proof of a viewer's copy of the entries after a number. O(`until`).

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


def _head_at(records: Records, match: str, chain: Chain, seq: int) -> Head:
    """The head after an entry, by the entries."""
    found = _heads_at(records, match, chain, {seq})
    return found[max(found)]


def _heads_at(
    records: Records, match: str, chain: Chain, wanted: set[int], known: Head | None = None
) -> dict[int, Head]:
    """The heads after those of some entries that there are, by the entries; after a known one."""
    with records.reading():
        head = known if known is not None else _begun(records, match, chain)
        found = {head.seq: head}
        for some in records.runs(match, head.seq, max(wanted)):
            hashes = links(head, some, chain.secret)
            found |= {
                entry.seq: Head(entry.seq, hash_, head.since)
                for entry, hash_ in zip(some, hashes, strict=True)
                if entry.seq in wanted
            }
            head = Head(some[-1].seq, hashes[-1], head.since)
        return found | {head.seq: head}


def _begun(records: Records, match: str, chain: Chain) -> Head:
    """The head before the first entry."""
    first = records.entries(match, 0, 1)
    if not first:
        raise NoSuchMatch(match)
    if not isinstance(first[0].event, MatchOpened):
        raise ChainBroken(match, "entry 1 opens no match")
    return genesis(match, first[0].event, chain.head.since)
