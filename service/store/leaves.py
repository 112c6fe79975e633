"""The leaves of a match in the log, in the store that has both.

The log is written by `service.anchors`; what leaves say of a record is found by
`domain.record.proof.anchors.findings`. Here they are what a chain is held to (`chains`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from domain.record.proof.anchors import findings
from domain.record.proof.anchors.findings import Found
from domain.record.proof.anchors.leaves import Leaf
from domain.record.proof.chain import Head
from domain.words.phrases import Phrase, phrase
from service.store.driver import Driver

_OF_MATCH = "SELECT count, since, head FROM leaves WHERE id=? ORDER BY count"


def of(store: Driver, match: str) -> list[Leaf]:
    """The leaves of a match by their counts; those that can be none are left out (`check.log`)."""
    with store.rows(_OF_MATCH, (match,)) as found:
        return [
            Leaf(match, Head(count, head, since))
            for count, since, head in found
            if type(count) is type(since) is int and type(head) is bytes
        ]


def missing(logged: Sequence[Leaf], entries: int) -> str:
    """The fault of a match of so many entries without a chain; empty: none."""
    if not logged:
        return phrase("its chain is missing") if entries else ""
    count = logged[-1].count
    if count > entries:
        return cut(entries, count)
    return phrase("its chain is missing, and the log has its head after entry {n}", n=count)


def contradicted(logged: Sequence[Leaf], entries: int, hashes: Mapping[int, bytes]) -> str:
    """The contradictions between a match and the log, by its `hashes` (`findings.against`)."""
    finding = findings.against(logged, entries, hashes) if logged else None
    if finding is None or finding.leaf is None:
        return ""
    if finding.found is Found.CUT:
        return cut(entries, finding.leaf.count)
    return phrase("entry {n} or one before it is not what the log has", n=finding.leaf.count)


def cut(entries: int, had: int) -> Phrase:
    """The fault of a match that had more entries."""
    return phrase("cut after entry {has}; the log has {n}", has=entries, n=had)
