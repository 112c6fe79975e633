"""An audit: every claim that can be made of a match, judged by the evidence in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from domain.record.position import seat_letter
from domain.record.proof.anchors.leaves import Leaf
from domain.record.views import OFFICIAL, PUBLIC
from domain.words.phrases import phrase
from replay_cli.auditing import (
    acting,
    anchoring,
    chaining,
    contents,
    resulting,
    timing,
)
from replay_cli.auditing.anchoring import Anchored
from replay_cli.auditing.claims import TITLES, Claim, Report, unproven, wrong
from replay_cli.auditing.evidence import Evidence, of_file
from replay_cli.auditing.proofs import fetch
from replay_cli.auditing.trust import Trust
from replay_cli.reaching.source import File, Served, Source
from service.store import leaves
from service.store.tables.archived import Archived

#: The judges of claims from the entries alone, in the order of `claims.TITLES`.
JUDGES: tuple[Callable[[Evidence], Iterator[Claim]], ...] = (
    contents.disclosed,
    contents.text,
    contents.replayed,
    contents.chance_claims,
    acting.claims,
    timing.claims,
    contents.looks,
)


def audit(evidence: Evidence, trust: Trust) -> Report:
    """The claims that are proven of a match by trusted sources, and those that are not."""
    if evidence.archived is not None:
        logged = Anchored(evidence, trust).leaves
        return Report(evidence.subject, (*_archived(evidence.archived, logged),))
    behind = _behind(evidence, trust)
    if evidence.alone:
        return Report(evidence.subject, (anchoring.of_log(Anchored(evidence, trust)),))
    if evidence.damage:
        return Report(evidence.subject, (wrong("readable", evidence.damage),), behind=behind)
    chained = chaining.chained(evidence)
    anchored = Anchored(evidence, trust)
    trusted = [*trust.heads, *(head.hash.hex() for head in anchored.heads)]
    claims = [*chaining.claims(evidence, chained, trusted)]
    claims += anchoring.claims(evidence, chained.heads, anchored)
    judges = JUDGES if evidence.event is None else (resulting.table, resulting.claims)
    claims += [claim for judge in judges for claim in judge(evidence)]
    last = chained.heads[-1] if chained.heads else None
    return Report(
        evidence.subject,
        tuple(claims),
        evidence.count,
        _seen_by(evidence.viewer),
        last.hash.hex() if last is not None else "",
        last.short if last is not None else "",
        behind,
    )


def _archived(one: Archived, logged: Sequence[Leaf]) -> Iterator[Claim]:
    """The finding that a match was archived, and the head that its archive must have.

    `logged` is what the log has of it: that was archived too.
    """
    why = phrase(
        "archived on {day}, and no longer in this store: its archive has {n:,} entries, which lead "
        "to the head {digits}", day=one.day, n=one.head.seq, digits=one.head.short,
    )  # fmt: skip
    yield unproven("readable", why)
    if logged and logged[-1].count > one.head.seq:
        yield wrong("complete", leaves.cut(one.head.seq, logged[-1].count))
    elif any(leaf.count == one.head.seq and leaf.head.hash != one.head.hash for leaf in logged):
        yield wrong("complete", phrase("the log has another head of it than was archived"))


def _behind(evidence: Evidence, trust: Trust) -> int:
    """How many entries of a match of a store a log in hand has that the store has not."""
    if trust.archive is None or not evidence.match:
        return 0
    newest = max((leaf.count for leaf in trust.archive.of(evidence.match)), default=0)
    return max(0, newest - evidence.count)


def lines(at: Source) -> Sequence[str]:
    """The claims of a match's report, as lines for people."""
    if isinstance(at, Served):
        whole = fetch(at.reader.client, at.id, at.viewer, at.record.log, at.why)
        evidence = Evidence(at.id, at.record.log, whole)
    elif isinstance(at, File):
        evidence = next(of_file(at.path))
    else:
        evidence = Evidence(at.id, at.record.log)
    report = audit(evidence, Trust())
    head = [phrase("head {digits}, after entry {n:,}", digits=report.digits, n=report.entries)]
    return [
        *(head if report.digits else ()),
        *(
            phrase("{verdict}: {title}: {why}", verdict=claim.verdict, title=TITLES[claim.name],
                   why=claim.why)
            for claim in report.claims
        ),
    ]  # fmt: skip


def _seen_by(viewer: int) -> str:
    if viewer == OFFICIAL:
        return phrase("an official")
    if viewer == PUBLIC:
        return phrase("the public")
    return phrase("player {seat}", seat=seat_letter(viewer))
