"""An audit: every claim that can be made of a match, judged by the evidence in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from domain.record.position import seat_letter
from domain.record.views import OFFICIAL, PUBLIC
from domain.words.phrases import phrase
from replay_cli.auditing import acting, chaining, replaying, telling, timing
from replay_cli.auditing.chaining import Chained, Trust
from replay_cli.auditing.claims import Claim, Report, wrong
from replay_cli.auditing.evidence import Evidence

#: Who judges what, in the order of `claims.TITLES`.
JUDGES: tuple[Callable[[Evidence, Chained, Trust], Iterator[Claim]], ...] = (
    chaining.claims,
    telling.claims,
    replaying.claims,
    acting.claims,
    timing.claims,
)


def audit(evidence: Evidence, trust: Trust) -> Report:
    """What is proven of a match by what is trusted, and what is not."""
    if evidence.damage:
        return Report(evidence.subject, (wrong("readable", evidence.damage),))
    chained = chaining.chained(evidence)
    claims = tuple(c for judge in JUDGES for c in judge(evidence, chained, trust))
    last = chained.heads[-1] if chained.heads else None
    return Report(
        evidence.subject,
        claims,
        len(evidence.entries),
        _seen_by(evidence.viewer),
        last.hash.hex() if last is not None else "",
        last.short if last is not None else "",
    )


def _seen_by(viewer: int) -> str:
    if viewer == OFFICIAL:
        return phrase("an official")
    if viewer == PUBLIC:
        return phrase("the public")
    return phrase("player {seat}", seat=seat_letter(viewer))
