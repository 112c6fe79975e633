"""Checks of a match: its entries are complete, lead to its head and to the log; derived data agree.

Entries are read row by row, so that a match takes up no more memory than one of its rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from domain.record.events import MatchOpened
from domain.record.proof.anchors import findings
from domain.record.proof.anchors.leaves import Leaf
from domain.record.proof.chain import Head, genesis, links
from domain.words.phrases import phrase
from service.keeping.check.findings import CHAIN, DERIVED, ENTRIES, LOG, Fault, guarded
from service.store import chains, leaves
from service.store.derived import checks
from service.store.layout.chaining import Chain, ChainBroken
from service.store.records import LAST, Records, StoreError


class Walked(NamedTuple):
    """The entries of a match that could be read: how many, and the hashes after some of them."""

    entries: int
    hashes: dict[int, bytes]
    fault: str = ""  # why the next one can't be read


def faults(records: Records, match: str, *, quick: bool) -> Iterator[Fault | int]:
    """The faults of a match; the last item is how many entries it has. O(entries).

    `quick`: positions are not folded, so that snapshots are not checked.
    """
    subject, chain = f"match {match}", None
    with records.reading():
        try:
            chain = chains.find(records, match)
        except ChainBroken as error:
            yield Fault(subject, CHAIN, error.why)
        logged = leaves.of(records.driver, match)
        walked = _walk(records, match, chain, findings.counts(logged))
        if walked.fault:
            yield Fault(subject, ENTRIES, walked.fault)
        if not walked.fault and chain is not None:
            yield from _chain_faults(subject, walked, chain)
        if not walked.fault:
            yield from _log_faults(subject, walked, chain, logged)
            yield from guarded(subject, DERIVED, _derived(records, match, subject, quick=quick))
    yield walked.entries


def _walk(records: Records, match: str, chain: Chain | None, counts: set[int]) -> Walked:
    """All entries in their order, chained."""
    last, hashes, at = None, dict[int, bytes](), 0
    wanted = counts | ({chain.head.seq} if chain is not None else set())
    try:
        for run in records.runs(match):
            if at == 0 and not isinstance(run[0].event, MatchOpened):
                return Walked(0, {}, phrase("entry 1 opens no match"))
            if chain is not None:
                last = last or genesis(match, run[0].event, chain.head.since)  # type: ignore[arg-type]
                found = links(last, run, chain.secret)
                hashes.update((run[i].seq, h) for i, h in enumerate(found) if run[i].seq in wanted)
                last = Head(run[-1].seq, found[-1], last.since)
            at = run[-1].seq
    except (StoreError, ValueError) as error:
        return Walked(at, hashes, str(error).removeprefix(f"match {match}: "))
    return Walked(at, hashes)


def _chain_faults(subject: str, walked: Walked, chain: Chain) -> Iterator[Fault]:
    head = chain.head
    if walked.entries != head.seq:
        has, had = walked.entries, head.seq
        yield Fault(subject, CHAIN, phrase("it has {has} entries, {had} were chained",
                                           has=has, had=had))  # fmt: skip
    elif walked.hashes[head.seq] != head.hash:
        why = phrase("its entries do not lead to its head {digits}", digits=head.short)
        yield Fault(subject, CHAIN, why)


def _log_faults(
    subject: str, walked: Walked, chain: Chain | None, logged: list[Leaf]
) -> Iterator[Fault]:
    if chain is None:
        return  # which is a fault of it
    if why := leaves.contradicted(logged, walked.entries, walked.hashes):
        yield Fault(subject, LOG, why)


def _derived(records: Records, match: str, subject: str, *, quick: bool) -> Iterator[Fault]:
    for why in checks.faults(records, match, 0 if quick else LAST):
        yield Fault(subject, DERIVED, why)
