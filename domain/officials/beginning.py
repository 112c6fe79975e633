"""An official has a match begin that was opened to wait (`engine.opening.beginning`).

The rulebook starts when the frame closes (`engine.driver`); how chance fell at a real table before
the first decision comes with the official.
"""

from __future__ import annotations

from domain.engine.match import Match
from domain.engine.opening import beginning
from domain.officials import checks
from domain.officials.frame import Official, frame

RULE = beginning.RULE


def begin(match: Match, by: Official) -> None:
    """Have a match begin; raises `Refused`, or `RollRequired` at a real table."""
    checks.going_on(match, RULE)
    if not match.pos.heading.waits:
        raise checks.refused("the match has begun already", RULE, "MATCH_BEGUN")
    match.fit()
    with frame(match, by, "begin", begins=True) as cites:
        beginning.begin(match.table, *cites)
