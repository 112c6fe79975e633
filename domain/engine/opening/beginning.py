"""How a match begins that was opened to wait (`MatchOpened.waits`).

As long as it waits, nothing is asked, no clock runs and no chance falls: what plays or times it is
refused. What officials say beside the game may be recorded. An official has it begin
(`officials.beginning`), or it begins by itself when what it waits for is there.
"""

from __future__ import annotations

from domain.engine import timekeeping
from domain.engine.opening import terms
from domain.engine.rulebook import Refusal, refuse
from domain.engine.table import Table
from domain.record.interventions import MatchBegan
from domain.record.position import Position

RULE = "house:begin"


def refusal(p: Position) -> Refusal | None:
    """Why nothing is played yet; None once the match has begun."""
    if not p.heading.waits:
        return None
    if p.heading.waits == terms.SEEDS:
        text = "the match has not begun: it waits for the seeds of its seats"
        return refuse(text, RULE, "house:chance", fault="MATCH_WAITING")
    return refuse("the match has not begun: an official begins it", RULE, fault="MATCH_WAITING")


def begin(t: Table, without: tuple[tuple[int, str], ...], *cites: str) -> None:
    """The match begins, and its clocks start; the rulebook is still to be started.

    `without`: seats that have no part in chance, and how so (`seeding`).
    """
    t.emit(MatchBegan(without), *cites)
    timekeeping.start(t)
