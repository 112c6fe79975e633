"""What playing a record again shows: the rulebook would have recorded the same."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.checks.verify import EXACT, UNVERIFIED
from domain.record.views import OFFICIAL
from domain.words.phrases import phrase
from replay_cli.auditing.claims import Claim, not_asked, proven, unproven, wrong
from replay_cli.auditing.evidence import Evidence
from replay_cli.checking import verifying


def claims(evidence: Evidence) -> Iterator[Claim]:
    """Whether the engine agrees, and what is derived from the record with it."""
    verdict = verifying.check([*evidence.entries])
    if verdict.kind == EXACT:
        yield proven("engine", phrase("exact: {why}", why=verdict.reason))
    elif verdict.kind == UNVERIFIED and evidence.viewer != OFFICIAL:
        yield not_asked(
            "engine", phrase("a viewer's copy can't be replayed; it folds without errors")
        )
    elif verdict.kind == UNVERIFIED:
        yield unproven("engine", phrase("unverified: {why}", why=verdict.reason), verdict.seq)
    else:
        yield wrong("engine", phrase("diverged: {why}", why=verdict.reason), verdict.seq)
    if evidence.derived:
        yield wrong("derived", phrase("{faults}; `kifu store rebuild` rebuilds it",
                                      faults="; ".join(evidence.derived)))  # fmt: skip
    elif evidence.derived is not None:
        yield proven("derived", phrase("all are what the entries add up to"))
