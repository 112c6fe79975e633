"""Checks that acts of officials share, and the refusal that they raise."""

from __future__ import annotations

from domain.engine.match import Match
from domain.engine.opening import beginning
from domain.engine.rulebook import Refused, refuse
from domain.record.schema.citations import known, texts
from domain.words.phrases import phrase

#: How long a text may be, in characters.
TEXT = 2000


def refused(text: str, rule: str, fault: str) -> Refused:
    """A refusal of something asked for at the desk."""
    return Refused(refuse(text, rule, "house:official", fault=fault))


def going_on(match: Match, rule: str) -> None:
    """Make sure that the match is not over; raises `Refused`."""
    if match.pos.over:
        raise refused("the match is over", rule, "MATCH_OVER")


def begun(match: Match) -> None:
    """Make sure that the match does not wait to begin; raises `Refused`."""
    if (waiting := beginning.refusal(match.pos)) is not None:
        raise Refused(waiting)


def seated(match: Match, seat: int, rule: str) -> None:
    """Make sure that there is such a seat; raises `Refused`."""
    if seat not in range(match.rules.manifest.seats):
        raise refused(phrase("there is no seat {seat}", seat=seat), rule, "NO_SUCH_SEAT")


def worded(text: str, rule: str) -> None:
    """Make sure that a text says something, and not too much; raises `Refused`."""
    if not text.strip():
        raise refused("say it in words", rule, "TEXT_MISSING")
    if len(text) > TEXT:
        raise refused(
            phrase("a text has at most {text} characters", text=TEXT), rule, "TEXT_TOO_LONG"
        )


def cited(match: Match, cites: tuple[str, ...], rule: str) -> None:
    """Make sure that rules exist; raises `Refused`."""
    rules = match.rules
    sayings = texts(rules.known(match.pos.heading.prints))
    for cite in cites:
        if not known(cite, rules.rules, sayings):
            raise refused(phrase("there is no rule {cite!r}", cite=cite), rule, "RULE_UNKNOWN")


def happened(match: Match, about: int, rule: str) -> None:
    """Make sure that there is an entry of that number, on any line; raises `Refused`."""
    if not 0 <= about <= match.table.last:
        raise refused(phrase("there is no entry {about}", about=about), rule, "NO_SUCH_ENTRY")
