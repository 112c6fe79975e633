"""Cards outside the catalogue are brought to a match that was opened without them.

They are added to those that it brought when it was opened (`engine.opening.terms`), and change
nothing that lies on its table: no card is one of them until it is named so. None takes the place of
a card that the match has. A match that goes back keeps them (`restore`): they are printed all the
same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from domain.engine.match import Match
from domain.engine.opening import terms
from domain.engine.rulebook import Rulebook
from domain.engine.table import Table
from domain.officials import checks
from domain.officials.frame import Official, frame
from domain.record.interventions import CardsBrought
from domain.record.position import Position
from domain.words.phrases import phrase

RULE = "house:prints"


def bring(match: Match, by: Official, prints: tuple[str, ...]) -> None:
    """Bring cards, as JSON; raises `Refused`."""
    checks.going_on(match, RULE)
    match.fit()
    check(match.rules, match.pos.heading.prints, prints)
    with frame(match, by, "prints") as cites:
        match.table.emit(CardsBrought(prints), *cites)


def check(rules: Rulebook, had: tuple[str, ...], prints: tuple[str, ...]) -> None:
    """Make sure that a match may bring these cards, besides those it `had`; raises `Refused`."""
    if not prints:
        raise checks.refused("no card is given", RULE, "BAD_PRINTS")
    terms.bounded((*had, *prints))
    known = rules.known(had)
    if twice := [known[one].name for one in map(_id, prints) if one in known]:
        names = ", ".join(dict.fromkeys(twice))
        text = phrase("the match has a card of that id already: {names}", names=names)
        raise checks.refused(text, RULE, "CARD_KNOWN")
    terms.admitted(rules, (*had, *prints))


def restore(t: Table, before: Position, *cites: str) -> None:
    """Bring what a match that went back had brought by then."""
    here = t.pos.heading.prints
    if lost := tuple(one for one in before.heading.prints if one not in here):
        t.emit(CardsBrought(lost), *cites)


def _id(text: str) -> str:
    """The id of a card; empty if it can't be read, which is for others to say."""
    try:
        table: Mapping[str, Any] = msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, msgspec.ValidationError):
        return ""
    return str(table.get("id", ""))
