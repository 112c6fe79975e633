"""Checks that acts of officials share, and the refusal that they raise."""

from __future__ import annotations

from domain.engine.match import Match
from domain.engine.rulebook import Refusal, Refused
from domain.record.schema.citations import known, texts

#: How long a text may be, in characters.
TEXT = 2000


def refused(text: str, rule: str, fault: str) -> Refused:
    """A refusal of something asked for at the desk."""
    return Refused(Refusal((rule, "house:official"), text, fault))


def going_on(match: Match, rule: str) -> None:
    """Make sure that the match is not over; raises `Refused`."""
    if match.pos.over:
        raise refused("the match is over", rule, "MATCH_OVER")


def seated(match: Match, seat: int, rule: str) -> None:
    """Make sure that there is such a seat; raises `Refused`."""
    if seat not in range(match.rules.manifest.seats):
        raise refused(f"there is no seat {seat}", rule, "NO_SUCH_SEAT")


def worded(text: str, rule: str) -> None:
    """Make sure that a text says something, and not too much; raises `Refused`."""
    if not text.strip():
        raise refused("say it in words", rule, "TEXT_MISSING")
    if len(text) > TEXT:
        raise refused(f"a text has at most {TEXT} characters", rule, "TEXT_TOO_LONG")


def cited(match: Match, cites: tuple[str, ...], rule: str) -> None:
    """Make sure that rules exist; raises `Refused`."""
    rules = match.rules
    sayings = texts(rules.known(match.pos.heading.prints))
    for cite in cites:
        if not known(cite, rules.rules, sayings, rules.readings):
            raise refused(f"there is no rule {cite!r}", rule, "RULE_UNKNOWN")


def happened(match: Match, about: int, rule: str) -> None:
    """Make sure that there is an entry of that number, on whatever line; raises `Refused`."""
    if not 0 <= about <= match.table.last:
        raise refused(f"there is no entry {about}", rule, "NO_SUCH_ENTRY")
