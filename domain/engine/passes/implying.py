"""Implied passes: at a real table players do not say that they pass; the next act implies it.

The scorekeeper types only that act: `after_passes` gets the number of decisions before it that are
passed, and records those passes with it, as `implied`, or nothing at all. Only acts that the game
declares to let a chance go by are implied (`Row.passes`), of whichever seat is asked; where
something else is to be decided first, that says so. If it is asked for, so are the acts that end
what the turn player might go on with, once a turn (`Rulebook.idle`). `foresee` follows the passes
from here, for a line that is meant for a later decision; `trial` tries an act after them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from domain.engine.match import Match
from domain.engine.naming import NOTHING, Inputs, Misstated
from domain.engine.passes.autopass import pass_of
from domain.engine.rulebook import Refusal, Refused, Rulebook, refuse
from domain.engine.signals import NameRequired, RollRequired
from domain.record.decisions import Act, Offer
from domain.record.entries import Entry
from domain.record.position import Position, seat_letter

RULE = "house:implied"
#: Where an answer comes from that nobody gave (`DecisionMade.origin`).
ORIGIN = "implied"
#: How many passes one act may imply.
MOST = 24


class Foreseen(NamedTuple):
    """The consequences of passes: the entries to be recorded, and whether a statement is missing.

    `cut`: one more could be passed, but then a card must be named, or how chance fell.
    """

    entries: list[Entry]
    cut: bool


class Trial(NamedTuple):
    """The result of trying an act: why it is refused, if it is, and the offer to its seat then.

    The offer is as it is once the cards are known that the act names.
    """

    refusal: Refusal | None
    offer: Offer | None


def next_pass(p: Position, rules: Rulebook, last: int = 0) -> tuple[int, Act] | None:
    """The seat that passes at the open decision, and how; None if no seat can.

    Up to turn `last`, the turn player ends what he might go on with.
    """
    decision = p.decision
    if decision is None or p.over:
        return None
    seat = decision.seats[0]
    offer = decision.offers.get(seat)
    act = pass_of(rules.passes, offer)
    if act is None and 0 < p.turn <= last and seat == p.turn_seat:
        act = _ending(rules, offer)
    return None if act is None else (seat, act)


def _ending(rules: Rulebook, offer: Offer | None) -> Act | None:
    """The last act on offer that is nothing but a word, and does nothing else."""
    options = offer.options if offer is not None else ()
    plain = [one for one in options if one.kind in rules.idle and not one.card and not one.parts]
    return Act(plain[-1].kind, 0, (), plain[-1].effect) if plain else None


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


def foresee(match: Match, ends: bool = False) -> Foreseen:
    """Pass, and pass again, as long as that can be; the match is of no other use afterwards.

    With `ends`, the turn is ended as well, up to what may be done in the next one.
    """
    match.collect()
    entries: list[Entry] = []
    last = match.pos.turn if ends else 0
    for _ in range(MOST if match.pos.heading.mode == "table" else 0):
        found = next_pass(match.pos, match.rules, last)
        if found is None:
            break
        (seat, act), decision = found, match.pos.decision
        assert decision is not None
        try:
            match.choose(seat, decision.n, act, match.pos.time, origin=ORIGIN)
        except (NameRequired, RollRequired):
            return Foreseen(entries, cut=True)
        except Refused:  # the match is paused, or is another engine's
            break
        entries += match.collect()
    return Foreseen(entries, cut=False)


def trial(
    match: Match, passes: int, ends: bool, seat: int, act: Act, now: int, inputs: Inputs = NOTHING
) -> Trial:
    """Try an act at the decision that passes lead to.

    Names and rolls that are still to be asked for are no objection. The match is of no other use
    afterwards.
    """
    found: Offer | None = None

    def answer(n: int) -> None:
        nonlocal found
        found = match.open_to(seat, inputs.names)
        match.choose(seat, n, act, now, inputs=inputs)

    decision = match.pos.decision
    n = decision.n if decision is not None else 0
    try:
        after_passes(match, passes, n, now, inputs, answer, ends)
    except (NameRequired, RollRequired):
        pass
    except Refused as refused:
        return Trial(refused.refusal, found)
    return Trial(None, found)


def after_passes(
    match: Match, passes: int, n: int, now: int, inputs: Inputs, answer: Callable[[int], None],
    ends: bool = False,
) -> None:  # fmt: skip
    """Pass so many decisions, of which `n` is the first, and answer the next, by its number.

    With `ends`, ends of this turn count as passes. Raises like `Match.choose`; `Misstated` for what
    is refused once something was passed.
    """
    last = match.pos.turn if ends else 0
    for at in range(passes):
        real = match.pos.heading.mode == "table"
        found = next_pass(match.pos, match.rules, last) if real else None
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
