"""Claims from the chain: the entries lead to a trusted head, from the first or a later entry on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.record.proof import bundle
from domain.record.proof.bundle import Bundle
from domain.record.proof.chain import Head
from domain.record.proof.openings import Unproven
from domain.tournament import copy
from domain.words.phrases import phrase
from replay_cli.auditing.claims import WRONG, Claim, proven, unproven, wrong
from replay_cli.auditing.evidence import Evidence

#: The name of what a server says of a match whose entries do not fit its chain.
BROKEN = "broken"


class Chained(Struct, frozen=True):
    """The heads after each entry; empty where there is no proof, or where it fails (`fault`)."""

    heads: Sequence[Head] = ()
    fault: str = ""
    seq: int = 0  # the first entry that it fails at, if known


def chained(evidence: Evidence) -> Chained:
    """The heads to which the evidence leads. O(entries)."""
    if evidence.broken:
        return Chained(fault=evidence.broken)
    whole = evidence.proven
    if whole is None:
        return Chained()
    if BROKEN in whole.attached:
        return Chained(fault=str(whole.attached[BROKEN]))
    try:
        return Chained(bundle.check(whole) if isinstance(whole, Bundle) else copy.check(whole))
    except Unproven as error:
        return Chained(fault=str(error), seq=error.seq)


def claims(evidence: Evidence, found: Chained, trusted: Sequence[str]) -> Iterator[Claim]:
    """Whether entries are unchanged since a trusted head, and chained from the start."""
    if found.fault:
        why = phrase("not what was written: {why}", why=found.fault)
        yield wrong("unchanged", why, found.seq)
        return
    head = evidence.head
    if evidence.proven is None or head is None:
        why = phrase("nothing proves this file: it has no chain, and no bundle next to it")
        yield unproven("unchanged", why)
        return
    yield (unchanged := _unchanged(found.heads, trusted))
    if head.since or (trusted and unchanged.verdict != WRONG):
        yield _original(head)


def _unchanged(heads: Sequence[Head], trusted: Sequence[str]) -> Claim:
    last = heads[-1]
    if not trusted:
        why = phrase(
            "in itself it holds together, up to the head {digits} after entry {seq}; compare that "
            "with the slip or give what you trust (--head, --key)",
            digits=last.short, seq=last.seq,
        )  # fmt: skip
        return unproven("unchanged", why)
    known = {form: head.seq for head in heads for form in (head.hash.hex(), _packed(head))}
    other = next((text for text in trusted if text not in known), "")
    if other:
        return wrong("unchanged", phrase("the head {head} stands nowhere in its chain", head=other))
    seq = max(known[text] for text in trusted)
    if seq < last.seq:
        why = phrase(
            "up to entry {seq}, where the head was made that you trust; what follows, up to "
            "{last}, was added to it, and nothing vouches for that", seq=seq, last=last.seq,
        )  # fmt: skip
        return unproven("unchanged", why, seq + 1)
    return proven("unchanged", phrase("all {n:,} lead to the head that you trust", n=seq))


def _packed(head: Head) -> str:
    return head.short.replace(" ", "")


def _original(head: Head) -> Claim:
    if not head.since:
        return proven("original", phrase("from its first entry on"))
    why = phrase("chained since entry {seq}: earlier changes can't be detected", seq=head.since)
    return unproven("original", why, head.since)
