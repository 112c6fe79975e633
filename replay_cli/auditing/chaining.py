"""What the chain shows: that entries are those to which a head was made, and since when."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.record.proof import bundle
from domain.record.proof.chain import HASH, Head
from domain.record.proof.openings import Unproven
from domain.words.phrases import phrase
from replay_cli.auditing.claims import Claim, proven, unproven, wrong
from replay_cli.auditing.evidence import Evidence

_SHORT = 30


class Trust(Struct, frozen=True):
    """What an auditor brings that did not come with the file: heads, as hex or as short forms."""

    heads: Sequence[str] = ()


class Chained(Struct, frozen=True):
    """The heads after each entry; empty where there is no proof, or where it fails (`fault`)."""

    heads: Sequence[Head] = ()
    fault: str = ""
    seq: int = 0  # the first entry that it fails at, if that can be told


def head_of(text: str) -> str:
    """A head as somebody wrote it: 64 hex digits, or 30 digits; raises `ValueError`.

    What parts the digits does not matter.
    """
    packed = re.sub(r"[\s.\-]", "", text).lower()
    if re.fullmatch(rf"[0-9a-f]{{{2 * HASH}}}", packed):
        return packed
    if re.fullmatch(rf"[0-9]{{{_SHORT}}}", packed):
        return packed
    raise ValueError(f"{text!r} is neither thirty digits nor {2 * HASH} hex digits")


def chained(evidence: Evidence) -> Chained:
    """The heads to which the evidence leads. O(entries)."""
    if evidence.broken:
        return Chained(fault=evidence.broken)
    if evidence.bundle is None:
        return Chained()
    try:
        return Chained(bundle.check(evidence.bundle))
    except Unproven as error:
        return Chained(fault=str(error), seq=error.seq)


def claims(evidence: Evidence, found: Chained, trust: Trust) -> Iterator[Claim]:
    """Whether entries are unchanged since a trusted head, and chained from the start."""
    if found.fault:
        yield wrong("unchanged", phrase("not what was written: {why}", why=found.fault), found.seq)
        return
    if evidence.bundle is None:
        why = phrase("nothing proves this file: it has no chain, and no proof lies beside it")
        yield unproven("unchanged", why)
        yield unproven("complete", phrase("without a chain nobody can tell what was left out"))
        return
    vouched, claim = _unchanged(found.heads, trust)
    yield claim
    yield _original(evidence.bundle.proof.head)
    yield _complete(vouched, len(found.heads))


def _unchanged(heads: Sequence[Head], trust: Trust) -> tuple[int, Claim]:
    """How many entries a trusted head vouches for, and the claim."""
    last = heads[-1]
    if not trust.heads:
        why = phrase(
            "in itself it holds together, up to the head {digits} after entry {seq}; compare that "
            "with the slip or give what you trust (--head)", digits=last.short, seq=last.seq,
        )  # fmt: skip
        return 0, unproven("unchanged", why)
    found = []
    for text in trust.heads:
        at = next((head.seq for head in heads if text in (head.hash.hex(), _packed(head))), 0)
        if not at:
            why = phrase("the head {head} stands nowhere in its chain", head=text)
            return 0, wrong("unchanged", why)
        found.append(at)
    seq = max(found)
    if seq < last.seq:
        why = phrase(
            "up to entry {seq}, where the head you gave was made; what follows, up to {last}, "
            "was added to it, and no head vouches for that", seq=seq, last=last.seq,
        )  # fmt: skip
        return seq, unproven("unchanged", why, seq + 1)
    why = phrase("all {n:,} are those to which the head you gave was made", n=seq)
    return seq, proven("unchanged", why)


def _packed(head: Head) -> str:
    return head.short.replace(" ", "")


def _original(head: Head) -> Claim:
    if not head.since:
        return proven("original", phrase("from its first entry on"))
    why = phrase("chained since entry {seq}: what was changed before can't be told", seq=head.since)
    return unproven("original", why, head.since)


def _complete(vouched: int, entries: int) -> Claim:
    if vouched == entries:
        why = phrase("the head you gave is the last one here; that there was no later one, only "
                     "a checkpoint tells")  # fmt: skip
    else:
        why = phrase("no checkpoint tells how far the record went")
    return unproven("complete", why)
