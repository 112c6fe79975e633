"""Lines of officials in a scenario: `@ desk rewind 3 --put-back random`.

What each act takes is in `domain.text.desk`, and the same for `kifu desk`. A card stands in braces
where `kifu desk` takes its number: `@ desk correct -f 'move {B.GM} to trash/1'`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from domain.engine.match import Match
from domain.officials import carrying
from domain.officials.frame import Official
from domain.record.entries import Entry
from domain.record.position import NOBODY
from domain.text import desk
from domain.text.notation import Names
from domain.text.transcript.lines import groups
from domain.words.phrases import joined, phrase

#: Who does it, and why, where a line does not say.
WHO, WHY = "judge", "as the scenario says"


def carry_out(match: Match, log: Sequence[Entry], line: int, written: str, now: int) -> Match:
    """Do what a line says after `@ desk`, and return the match that goes on.

    Raises `BadAct`, `BadText` or `BadTranscript` where it can't be read, and what the act raises.
    """
    text, _, rolls = groups(line, written)
    names = Names(match.pos, match.rules, NOBODY, sees_all=True)
    text = re.sub(r"\{([^{}:]+)\}", lambda found: str(names.find(found[1])), text)
    name, given = desk.words(text)
    if name in desk.WITH_STORE:
        known = joined(", ", (one for one in desk.TYPED if one not in desk.WITH_STORE))
        raise desk.BadAct(
            phrase(
                "{name} is nothing that a scenario can show; it can: {known}",
                name=name,
                known=known,
            )
        )
    found = tuple(roll.result for roll in rolls)
    act = desk.meant(name, given, match)
    by = Official(WHO, now, given.get("why") or WHY, rolls=found)
    return carrying.carry_out(match, by, act, carrying.Past(log, match.dice))
