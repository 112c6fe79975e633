"""Checks of archived records: their receipts in a store, their content in an archive.

In a store its chain is there, ends at the head that was archived, and the log has no more of it. In
an archive its entries lead to that head, and so does what shows that it is in the log.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.record.proof import bundle
from domain.record.proof.anchors import checkpoints, notes, policy
from domain.record.proof.anchors.encoding import Malformed
from domain.record.proof.anchors.policy import Policy, Standing
from domain.record.proof.openings import Unproven
from domain.record.views import OFFICIAL
from domain.tournament import proof
from domain.words.phrases import phrase
from service.keeping.check.findings import CHAIN, ENTRIES, LOG, Fault
from service.keeping.check.rows import read
from service.store import chains, leaves
from service.store.records import NoSuchMatch, Records, StoreError
from service.store.tables import archived
from service.store.tables.archived import EVENT, Archived
from service.store.tables.tournaments import NoSuchTournament, Tournaments


def faults(records: Records) -> Iterator[Fault]:
    """The faults of the rows about archived records."""
    for one in archived.every(records):
        look = _held if records.closed else _gone
        yield from look(records, one, f"{one.kind} {one.id}")
    count = records.row("SELECT count(*) FROM archived")[0]
    if count != sum(1 for _ in archived.every(records)):
        yield Fault("archived", ENTRIES, phrase("a row can't be read"))


# -- in a store ------------------------------------------------------------------------------------


def _gone(records: Records, one: Archived, subject: str) -> Iterator[Fault]:
    """The faults of what was taken out of a store."""
    if Tournaments(records).has(one.id) if one.kind == EVENT else records.last(one.id):
        yield Fault(subject, ENTRIES, phrase("it was archived, and has entries"))
    chain, logged = chains.stored(records, one.key), leaves.of(records.driver, one.key)
    if chain is None or chain.head != one.head:
        yield Fault(subject, CHAIN, phrase("its chain is not the one that was archived"))
    if logged and logged[-1].count > one.head.seq:
        yield Fault(subject, LOG, phrase("the log has more of it than was archived"))
    if any(leaf.count == one.head.seq and leaf.head.hash != one.head.hash for leaf in logged):
        yield Fault(subject, LOG, phrase("the log has another head of it than was archived"))


# -- in an archive ---------------------------------------------------------------------------------


def _held(records: Records, one: Archived, subject: str) -> Iterator[Fault]:
    """The faults of an archive's content."""
    if one.kind == EVENT:
        yield from _event(records, one, subject)
        return
    try:
        if one.viewer == OFFICIAL:
            found = chains.head(records, one.id)
            hashes = {} if found is None else _heads(records, one)
        else:
            whole = archived.proven(records, one.id)
            shown = bundle.check(whole) if whole is not None else []
            found = shown[-1] if shown else None
            hashes = {head.seq: head.hash for head in shown}
    except (StoreError, NoSuchMatch, Unproven, ValueError) as error:
        yield Fault(subject, CHAIN, str(error).removeprefix(f"{subject}: "))
        return
    if found != one.head:
        yield Fault(subject, CHAIN, phrase("it does not lead to the head that was archived"))
    elif one.anchor:
        yield from _anchor_faults(records, one, subject, hashes)


def _heads(records: Records, one: Archived) -> dict[int, bytes]:
    """The hashes after the entries of a match."""
    entries = records.entries(one.id)
    return {head.seq: head.hash for head in chains.heads_of(records, one.id, entries)}


def _event(records: Records, one: Archived, subject: str) -> Iterator[Fault]:
    try:
        hashes = _event_hashes(records, one)
    except (StoreError, NoSuchTournament, Unproven) as error:
        yield Fault(subject, ENTRIES, str(error).removeprefix(f"{subject}: "))
        return
    if hashes.get(one.head.seq) != one.head.hash:
        yield Fault(subject, ENTRIES, phrase("it does not lead to the hash that was archived"))
    elif one.anchor:
        yield from _anchor_faults(records, one, subject, hashes)


def _event_hashes(records: Records, one: Archived) -> dict[int, bytes]:
    """The hashes after the entries of an event."""
    if one.viewer == OFFICIAL:
        log, tail = Tournaments(records).log(one.id)
        assert tail.chain is not None
        first = proof.genesis(one.id, one.head.since)
        return dict(enumerate(proof.links(first, log, tail.chain.secret), 1))
    entries, opens = archived.proven_event(records, one.id) or ([], [])
    shown = proof.heads(one.id, one.head.since, entries, opens, one.viewer)
    return {head.seq: head.hash for head in shown}


def _anchor_faults(
    records: Records, one: Archived, subject: str, hashes: dict[int, bytes]
) -> Iterator[Fault]:
    """Faults of the proof that a head is under a root that a key of the log signed."""
    keys = tuple(notes.verifier_key(row["key"]) for row in read(records, "log_keys"))
    try:
        proof = checkpoints.parse(one.anchor)
        leaf, good = proof.parsed, proof.leads
        signed = policy.judge(proof.note, Policy(keys)).standing is Standing.GOOD
    except Malformed as error:
        yield Fault(subject, LOG, phrase("its anchor can't be read: {why}", why=str(error)))
        return
    if not (good and signed):
        yield Fault(subject, LOG, phrase("its anchor leads to nothing that the log has signed"))
    elif leaf.match != one.key or hashes.get(leaf.count) != leaf.head.hash:
        yield Fault(subject, LOG, phrase("its anchor is of something else"))
