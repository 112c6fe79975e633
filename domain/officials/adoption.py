"""Adoption: a match that an older engine recorded goes on under this one.

Only from a resting point, and recorded: the digests of rules, cards and manifest change with the
engine. Earlier entries stand. Then the rulebook brings the table up to date and asks the open
decision again, as after a correction; resuming starts from here (`engine.driver.resting`).
"""

from __future__ import annotations

from domain.engine.checks import versions
from domain.engine.match import Match
from domain.engine.rulebook import Refused
from domain.officials import checks
from domain.officials.frame import Official, frame
from domain.officials.irregular import at_rest, carried_out
from domain.record.interventions import EngineChanged
from domain.words.phrases import message_of, phrase

RULE = "house:engine"


def adopt(match: Match, by: Official) -> None:
    """Go on with a match of an older engine under this one.

    Raises `Refused` (`ENGINE_SAME`, `ENGINE_NEWER`, `NOT_AT_REST`, `BAD_PRINTS`), and `Impossible`
    where the rulebook can't go on from the position.
    """
    checks.going_on(match, RULE)
    checks.begun(match)
    if match.unfit is None:
        raise checks.refused("it is played by this engine already", RULE, "ENGINE_SAME")
    if match.unfit.fault != versions.OLDER:
        raise Refused(match.unfit)
    at_rest(match, RULE)
    rules = match.rules
    try:
        rules.known(match.pos.heading.prints)
    except ValueError as error:
        raise checks.refused(
            phrase("its cards can't be read: {error}", error=message_of(error)), RULE, "BAD_PRINTS"
        ) from None
    unfit, match.unfit = match.unfit, None
    try:
        with (
            carried_out("the rulebook can't go on from that position"),
            frame(match, by, "engine", anew=True) as cites,
        ):
            changed = EngineChanged(rules.manifest.version, dict(rules.digests))
            match.table.emit(changed, *cites)
    except BaseException:
        match.unfit = unfit
        raise
