"""Implied passes: at a real table nobody says that he passes, he lets the next act be done.

Whoever enters a match types that act alone: `after_passes` is told how many decisions before it are
passed, and records those passes with it, as `implied`, or nothing at all. Only acts that the game
declares to let a chance go by are implied (`Row.passes`), of whichever seat is asked; where
something else is to be decided first, that says so. `foresee` is where passes lead from here, by
which a line is understood that is for a later decision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from domain.engine.match import Match
from domain.engine.naming import Inputs, Misstated
from domain.engine.passes.standing import pass_of
from domain.engine.rulebook import Refusal, Refused, Rulebook, refuse
from domain.engine.signals import NameRequired, RollRequired
from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.position import Position, seat_letter

RULE = "house:implied"
#: Where an answer comes from that nobody gave (`DecisionMade.origin`).
ORIGIN = "implied"
#: How many passes one act may imply.
MOST = 24


class Foreseen(NamedTuple):
    """What passes lead to: the entries that would be recorded, and whether something must be told.

    `cut`: one more could be passed, but then a card must be named, or how chance fell.
    """

    entries: list[Entry]
    cut: bool


def next_pass(p: Position, rules: Rulebook) -> tuple[int, Act] | None:
    """Who passes at the open decision, and how; None where nothing passes."""
    decision = p.decision
    if decision is None or p.over:
        return None
    seat = decision.seats[0]
    act = pass_of(rules.passes, decision.offers.get(seat))
    return None if act is None else (seat, act)


def refusal(p: Position, rules: Rulebook) -> Refusal:
    """Why nothing is implied at the open decision."""
    if p.heading.mode != "table":
        return refuse("passes are implied at real tables only", RULE, fault="PASS_NOT_IMPLIED")
    decision = p.decision
    if decision is None or p.over:
        return refuse("nothing is left to pass", RULE, fault="PASS_NOT_IMPLIED")
    return refuse(
        "{seat} has to decide first: {kind}", RULE, fault="PASS_NOT_IMPLIED",
        seat=seat_letter(decision.seats[0]), kind=rules.manifest.label("decisions", decision.kind),
    )  # fmt: skip


def foresee(match: Match) -> Foreseen:
    """Pass, and pass again, as long as that can be; the match is of no other use afterwards."""
    match.collect()
    entries: list[Entry] = []
    for _ in range(MOST if match.pos.heading.mode == "table" else 0):
        found = next_pass(match.pos, match.rules)
        if found is None:
            break
        (seat, act), decision = found, match.pos.decision
        assert decision is not None
        try:
            match.choose(seat, decision.n, act, match.pos.time, origin=ORIGIN)
        except (NameRequired, RollRequired):
            return Foreseen(entries, cut=True)
        except Refused:  # the match stands still, or is another engine's
            break
        entries += match.collect()
    return Foreseen(entries, cut=False)


def after_passes(
    match: Match, passes: int, n: int, now: int, inputs: Inputs, answer: Callable[[int], None]
) -> None:
    """Pass so many decisions, of which `n` is the first, and answer the next, by its number.

    Raises like `Match.choose`; `Misstated` for what is refused once something was passed.
    """
    for at in range(passes):
        found = next_pass(match.pos, match.rules) if match.pos.heading.mode == "table" else None
        if found is None:
            raise (Misstated if at else Refused)(refusal(match.pos, match.rules))
        whose, passed = found
        match.choose(whose, n, passed, now, "", ORIGIN, inputs.nameless())
        n = match.pos.decision.n if match.pos.decision is not None else 0
    try:
        answer(n)
    except Refused as error:
        if not passes:
            raise
        raise Misstated(error.refusal) from error
