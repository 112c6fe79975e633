"""An official has a match begin that was opened to wait (`engine.opening.beginning`).

The rulebook starts when the frame closes (`engine.driver`); how chance fell at a real table before
the first decision comes with the official. Where seats give seeds to chance, those that have bound
themselves may still open theirs: then the match begins by itself, or at the official's second word.
"""

from __future__ import annotations

from domain.engine.match import Match
from domain.engine.opening import beginning, seeding
from domain.officials import checks
from domain.officials.frame import Official, frame
from domain.record.interventions import SeedCommitted
from domain.record.proof import draws

RULE = beginning.RULE


def begin(match: Match, by: Official) -> None:
    """Have a match begin; raises `Refused`, or `RollRequired` at a real table.

    Seats that gave no seed are named. It does not begin yet, and goes on to wait, if some could not
    open theirs for want of the others, who are let off now.
    """
    checks.going_on(match, RULE)
    if not match.pos.heading.waits:
        raise checks.refused("the match has begun already", RULE, "MATCH_BEGUN")
    match.fit()
    heading = match.pos.heading
    missing = seeding.uncommitted(heading) if heading.chance == draws.SHARED else []
    if missing and seeding.ungiven(heading):
        with frame(match, by, "begin") as cites:
            for seat in missing:
                match.table.emit(SeedCommitted(seat, b""), *cites)
        return
    with frame(match, by, "begin", begins=True) as cites:
        beginning.begin(match.table, seeding.without(match), *cites)
