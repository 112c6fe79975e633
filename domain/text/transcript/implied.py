"""The inferred parts of a text: passes implied by the next act, rolls that the next act shows.

A row without a decision's number answers the open decision if it may; else somebody has passed that
one. Only acts that do nothing (`Rulebook.idle`) are implied, and no turn of a rival's is passed
over for an act that was refused in one's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domain.engine.match import Match
from domain.engine.signals import RollRequired
from domain.record.decisions import Act
from domain.text.notation import BadText, verbs
from domain.text.transcript.lines import ANSWER, Row

#: Where an answer comes from that a text may leave out.
IMPLIED = "implied"
#: How many passes one row may imply.
MOST = 24


def answers(row: Row, match: Match) -> bool:
    """Whether a row may answer the open decision; raises `BadText` if it begins with no verb."""
    p, decision = match.pos, match.pos.decision
    if decision is None or p.over or row.seat not in decision.seats:
        return False
    if row.n:
        return row.n == decision.n
    offer = decision.offers.get(row.seat)
    offered = {option.kind for option in offer.options} if offer is not None else set()
    meant = verbs(row.text, match.rules, offered)
    if "unknown" in offered:  # for any identity that it may have
        offered |= set(match.rules.answers.get(decision.kind, meant))
    return not meant.isdisjoint(offered)


def breadth(match: Match) -> int:
    """How many kinds of acts may answer the open decision: the more, the likelier it is meant."""
    decision = match.pos.decision
    return len(match.rules.answers.get(decision.kind, ())) if decision is not None else 0


def passing(match: Match) -> tuple[int, Act] | None:
    """The seat that does nothing at the open decision, and how; None if it must act."""
    decision = match.pos.decision
    if decision is None or match.pos.over:
        return None
    seat = decision.seats[0]
    offer = decision.offers[seat]
    for option in offer.options if offer is not None else ():
        if option.kind in match.rules.idle and not option.parts:
            return seat, option.act()
    return None


def expects(row: Row, rows: Iterable[Row], match: Match) -> bool:
    """Whether the answer that follows a row is one to the decision that is open now."""
    least = row.line + (row.origin != IMPLIED)
    following = next((r for r in rows if r.line >= least and r.kind == ANSWER), None)
    try:
        return following is None or answers(following, match)
    except BadText:
        return False


def outcomes(required: RollRequired) -> Iterator[tuple[int, ...]]:
    """How chance may have fallen where nobody saw it; of orders, which nobody can tell, one."""
    if required.kind == "order":
        yield tuple(range(required.of))
    else:
        yield from ((result,) for result in range(required.of))
