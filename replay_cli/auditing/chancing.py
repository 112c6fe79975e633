"""Whether chance was fair: every draw is derived again from the seeds opened in the end."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.checks import chance
from domain.words.phrases import joined, phrase
from replay_cli.auditing.claims import PROVEN, UNPROVEN, WRONG, Claim, not_asked
from replay_cli.auditing.evidence import Evidence

_VERDICTS = {chance.PROVEN: PROVEN, chance.UNPROVEN: UNPROVEN, chance.WRONG: WRONG}


def claims(evidence: Evidence) -> Iterator[Claim]:
    """What weighs most of all that can be said of the chance of a record."""
    found = chance.audit(evidence.entries)
    if found.hidden:
        n = sum(claim.kind == chance.UNSEEN for claim in found.claims)
        why = phrase(
            "{known:,} of {all:,} draws follow from the seeds that were opened; the "
            "others are hidden in this copy", known=found.draws - n, all=found.draws,
        )  # fmt: skip
        yield not_asked("chance", why)
        return
    worst = [claim for claim in found.claims if claim.verdict == found.verdict]
    why = joined("; ", dict.fromkeys(claim.text for claim in worst))
    seq = min((claim.seq for claim in worst if claim.seq), default=0)
    proven = found.verdict == chance.PROVEN
    yield Claim("chance", _VERDICTS[found.verdict], why, 0 if proven else seq)
