"""What the service is sent for a command beside a player's act, and what its refusals come to.

The terminal (`replay_cli.scorekeeper.link`) and the table's page (`service.web.table.recording`)
send in their own ways; what they send, and how they read the answer, is the same.
"""

from __future__ import annotations

from collections.abc import Mapping

from domain.engine.naming import RULE as NAMED
from domain.officials import acts
from domain.officials.acts import OfficialAct
from domain.officials.corrections.fixes import Fix
from domain.scorekeeping.command import Command, NamesMissing, Outcome, Rejected, RollMissing

#: The reasons that are written down for another name, and for an end that is taken back.
MISNAMED, TAKEN_BACK = "named wrongly", "the end was entered by mistake"


def by_official(command: Command, decision: int) -> OfficialAct | None:
    """The act of an official that a command is at a decision; None: it is a player's."""
    if command.renames:
        fixes = [Fix("name", cards=(card,), names=(id_,)) for card, id_ in command.names.items()]
        rule = NAMED if command.irregular else ""
        return acts.CorrectPosition(decision, fixes, MISNAMED, rule=rule)
    if command.irregular:
        return acts.RecordIrregularity(
            decision, command.seat, command.act, names=command.names, rolls=command.rolls,
            passes=command.passes, ends=bool(command.ends),
        )  # fmt: skip
    return None


def refused(reason: str, text: str, facts: Mapping[str, str]) -> Outcome:
    """The outcome of a call that was not carried out, by the reason and the facts of its error."""
    if reason == "CARD_UNNAMED":
        numbers = [int(n) for n in facts.get("cards", "").split(",") if n]
        places = facts.get("places", "").split(",")
        return NamesMissing(tuple(zip(numbers, places, strict=False)))
    if reason == "ROLL_REQUIRED":
        return RollMissing(facts.get("kind", ""), int(facts.get("of", "0")))
    return Rejected(reason, text, tuple(filter(None, facts.get("rules", "").split(","))))
