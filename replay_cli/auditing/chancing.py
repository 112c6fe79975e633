"""Whether chance was fair: every draw is derived again from the seeds opened in the end."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.checks import chance
from domain.words.phrases import joined
from replay_cli.auditing.claims import PROVEN, UNPROVEN, WRONG, Claim
from replay_cli.auditing.evidence import Evidence

_VERDICTS = {chance.PROVEN: PROVEN, chance.UNPROVEN: UNPROVEN, chance.WRONG: WRONG}


def claims(evidence: Evidence) -> Iterator[Claim]:
    """What weighs most of all that can be said of the chance of a record."""
    found = chance.audit(evidence.entries)
    worst = [claim for claim in found.claims if claim.verdict == found.verdict]
    why = joined("; ", dict.fromkeys(claim.text for claim in worst))
    seq = min((claim.seq for claim in worst if claim.seq), default=0)
    proven = found.verdict == chance.PROVEN
    yield Claim("chance", _VERDICTS[found.verdict], why, 0 if proven else seq)
