"""What was archived: in a store a match that is gone in good order, in an archive what it holds.

In a store its chain is there, ends at the head that was archived, and the log has no more of it. In
an archive its entries lead to that head, and so does what shows that it is in the log.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.record.proof import bundle
from domain.record.proof.anchors import checkpoints, notes, policy
from domain.record.proof.anchors.encoding import Malformed
from domain.record.proof.anchors.policy import Policy, Standing
from domain.record.proof.chain import Head
from domain.record.proof.openings import Unproven
from domain.record.views import OFFICIAL
from domain.words.phrases import phrase
from service.keeping.check.findings import CHAIN, ENTRIES, LOG, Fault
from service.keeping.check.rows import read
from service.store import chains
from service.store.beside import archived
from service.store.beside.archived import EVENT, Archived
from service.store.beside.tournaments import NoSuchTournament, Tournaments
from service.store.records import NoSuchMatch, Records, StoreError
from service.store.sqlite.file import ARCHIVE


def faults(records: Records) -> Iterator[Fault]:
    """What is wrong with what was archived."""
    closed = records.layout == ARCHIVE
    for one in archived.every(records):
        look = _held if closed else _gone
        yield from look(records, one, f"{one.kind} {one.id}")
    count = records.row("SELECT count(*) FROM archived")[0] if records.has_table("archived") else 0
    if count != sum(1 for _ in archived.every(records)):
        yield Fault("archived", ENTRIES, phrase("a row can't be read"))


# -- in a store ------------------------------------------------------------------------------------


def _gone(records: Records, one: Archived, subject: str) -> Iterator[Fault]:
    """What was taken out of a store."""
    if one.kind == EVENT:
        if Tournaments(records).has(one.id):
            yield Fault(subject, ENTRIES, phrase("it was archived, and has entries"))
        return
    if records.last(one.id):
        yield Fault(subject, ENTRIES, phrase("it was archived, and has entries"))
    if chains.head(records, one.id) != one.head:
        yield Fault(subject, CHAIN, phrase("its chain is not the one that was archived"))
    if not records.has_table("leaves"):
        return
    sql = "SELECT max(count) FROM leaves WHERE id=?"
    if (records.row(sql, one.id)[0] or 0) > one.head.seq:
        yield Fault(subject, LOG, phrase("the log has more of it than was archived"))
    sql = "SELECT head FROM leaves WHERE id=? AND count=?"
    if (row := records.row(sql, one.id, one.head.seq)) is not None and row[0] != one.head.hash:
        yield Fault(subject, LOG, phrase("the log has another head of it than was archived"))


# -- in an archive ---------------------------------------------------------------------------------


def _held(records: Records, one: Archived, subject: str) -> Iterator[Fault]:
    """What an archive holds."""
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
    if one.viewer != OFFICIAL:
        sql = "SELECT count(*), max(seq) FROM public_entries WHERE id=?"
        if tuple(records.row(sql, one.id)) != (one.head.seq, one.head.seq):
            yield Fault(subject, ENTRIES, phrase("entries are missing"))
        return
    try:
        log, hash_ = Tournaments(records).log(one.id)
    except (StoreError, NoSuchTournament) as error:
        yield Fault(subject, ENTRIES, str(error))
        return
    if Head(len(log), hash_) != one.head or one.anchor:
        yield Fault(subject, ENTRIES, phrase("it does not lead to the hash that was archived"))


def _anchor_faults(
    records: Records, one: Archived, subject: str, hashes: dict[int, bytes]
) -> Iterator[Fault]:
    """What shows that a head is in the log leads to a root that one of the log's keys signed."""
    keys = tuple(notes.verifier_key(row["key"]) for row in read(records, "log_keys"))
    try:
        proof = checkpoints.parse(one.anchor)
        leaf, good = proof.said, proof.leads
        signed = policy.judge(proof.note, Policy(keys)).standing is Standing.GOOD
    except Malformed as error:
        yield Fault(subject, LOG, phrase("its anchor can't be read: {why}", why=str(error)))
        return
    if not (good and signed):
        yield Fault(subject, LOG, phrase("its anchor leads to nothing that the log has signed"))
    elif leaf.match != one.id or hashes.get(leaf.count) != leaf.head.hash:
        yield Fault(subject, LOG, phrase("its anchor is of something else"))
