"""How real cards were shuffled, written down by whoever keeps the record or by an official.

Nothing proves how cards lie that a hand has mixed. What can be recorded is what everybody at the
table saw: whose cards, who shuffled, who cut, what a judge checked. It changes no table.
"""

from __future__ import annotations

from domain.engine.match import Match
from domain.officials import checks
from domain.officials.frame import Official, frame
from domain.record.interventions import ShuffleWitnessed
from domain.record.position import NOBODY
from domain.record.values import BY_OFFICIAL

RULE = "house:shuffle"


def witness(
    match: Match, by: Official, seat: int, shuffler: int, cutter: int = NOBODY, checked: str = ""
) -> None:
    """Record that the cards of a seat were shuffled, and how; raises `Refused`.

    Who shuffled and cut are seats, or `BY_OFFICIAL`; a cutter of `NOBODY`: nobody cut.
    """
    checks.going_on(match, RULE)
    if match.pos.heading.mode != "table":
        raise checks.refused("at a dealt table no hand shuffles", RULE, "NOT_A_TABLE")
    checks.seated(match, seat, RULE)
    for who in (shuffler, cutter):
        if who not in (BY_OFFICIAL, NOBODY) or who == shuffler == NOBODY:
            checks.seated(match, who, RULE)
    if checked:
        checks.worded(checked, RULE)
    with frame(match, by, "shuffle") as cites:
        match.table.emit(ShuffleWitnessed(seat, shuffler, cutter, checked), *cites)
