"""Whether the results of an event are what the records of its matches say."""

from __future__ import annotations

from collections.abc import Iterator

from domain.words.phrases import phrase
from replay_cli.auditing.claims import Claim, proven, unproven, wrong
from replay_cli.auditing.evidence import Evidence
from service.live.results import Difference


def claims(evidence: Evidence) -> Iterator[Claim]:
    """Whether each result that comes from a match is in its record, as the file has both."""
    false = next((one for one in evidence.unlike if one.wrong), None)
    if false is not None:
        yield wrong("results", _of(false))
    elif evidence.absent:
        why = phrase("{n:,} of them come from matches that are not here", n=evidence.absent)
        yield unproven("results", why)
    elif evidence.unlike:
        why = phrase("those that come from matches are what these say; an official has it otherwise"
                     " of {first}", first=_of(evidence.unlike[0]))  # fmt: skip
        yield proven("results", why)
    else:
        yield proven("results", phrase("those that come from matches are what these say"))


def _of(one: Difference) -> str:
    return phrase("table {table} of round {round}: {why}",
                  table=one.table, round=one.round, why=one.why)  # fmt: skip
