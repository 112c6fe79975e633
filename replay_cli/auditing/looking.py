"""Whether the log of access is whole, which lists who has read what is hidden."""

from __future__ import annotations

from collections.abc import Iterator

from domain.words.phrases import phrase
from replay_cli.auditing.claims import Claim, proven, wrong
from replay_cli.auditing.evidence import Evidence


def claims(evidence: Evidence) -> Iterator[Claim]:
    """Whether its lines follow one another as they were chained; it says nothing of its end."""
    looks = evidence.looks
    if looks is None:
        return
    if looks.fault:
        yield wrong("looks", looks.fault)
        return
    why = phrase("the log of access is whole, with {n:,} lines about this match; only a head noted"
        " earlier shows that no line is missing at its end", n=looks.lines)  # fmt: skip
    yield proven("looks", why)
