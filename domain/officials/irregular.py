"""Irregularities: plays against the rules, flagged in the record and carried out if asked for.

A play that the rules refuse is flagged with the rule that it breaks, then carried out: as the
answer to the open decision if that takes acts of its kind (`Rulebook.answers`), else beside it,
after which the decision is asked again. What no table can hold is refused (`sound`). What has
happened already is only flagged (`flag`). A process done wrong, such as three cards drawn for two,
is a correction that names the broken rule: see `corrections`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import chain, zip_longest

from domain.engine import naming
from domain.engine.checks import invariants
from domain.engine.match import Match, Stale
from domain.engine.naming import NOTHING, Inputs, Misstated
from domain.engine.rulebook import Refusal, Refused, refuse
from domain.engine.signals import NameRequired, RollRequired
from domain.engine.table import Table
from domain.officials import checks
from domain.officials.frame import Official, frame
from domain.record import events as ev
from domain.record.decisions import Act, Answer, Misfit, Offer, Part, act_of, alone
from domain.record.fitting.fit import fit
from domain.record.interventions import Irregularity
from domain.record.position import Decision, Position
from domain.record.values import BY_OFFICIAL, EVERYONE, Sealed
from domain.record.views import seen_by_all
from domain.words.phrases import phrase

RULE = "house:irregularity"


class Impossible(Misstated):
    """The rulebook can't carry that out. The match in memory is of no use any more."""


def flag(match: Match, by: Official, rule: str, note: str, seat: int = -1, about: int = 0) -> None:
    """Flag that something was done against a rule: by a seat, at an entry, if these are known."""
    checks.cited(match, (rule,), RULE)
    checks.worded(note, RULE)
    checks.happened(match, about, RULE)
    if seat >= 0:
        checks.seated(match, seat, RULE)
    with frame(match, by, "irregularity", about) as cites:
        cited = match.rules.manifest.in_full((rule,))
        match.table.emit(Irregularity(rule, note, seat), *cited, *cites)


def play(
    match: Match,
    by: Official,
    n: int,
    seat: int,
    act: Act,
    note: str = "",
    inputs: Inputs = NOTHING,
) -> None:
    """Record a play that the rules refuse while decision `n` is open, and go on from it.

    Raises `Stale`; `Refused` where the act is legal, or the decision can't be asked again after it;
    `Impossible` where the rulebook does not know what to do with it. An act brings all its picks.
    """
    checks.going_on(match, RULE)
    match.playable()
    checks.seated(match, seat, RULE)
    p, decision = match.pos, match.pos.decision
    if decision is None or decision.n != n:
        raise Stale(decision.n if decision is not None else 0)
    offer, had = match.open_to(seat, inputs.names), naming.counted(p, inputs)
    t = match.with_names(inputs)
    forbidden = objection(match, t, seat, act, offer)
    broken = forbidden or unlisted(match, t, inputs, had)
    act = _completed(match, t, seat, act, offer, legal=forbidden is None)
    untenable = broken and (_absent(p, decision, seat, act) or match.rules.untenable(t.pos, act))
    if broken is None:
        raise checks.refused("it is legal: choose it", RULE, "LEGAL_ACT")
    if broken.fault in ("UNKNOWN_ACT", "OUT_OF_BOUNDS"):
        raise Refused(broken)
    if untenable:
        raise Refused(_impossible(untenable))
    asked = seat in decision.seats and act.kind in kinds(match, decision)
    if not asked:
        at_rest(match, RULE)
    elif len(decision.seats) > 1:  # it would be carried out by the last answer, not here
        raise Refused(_impossible("another seat has yet to answer: let that be recorded first"))
    with (
        carried_out("the rulebook can't carry that out; state every part of the act"),
        sound(match),
    ):
        with frame(match, by, "irregularity", plays=True) as cites:
            match.table.emit(Irregularity(broken.rules[0], note or str(broken.text), seat), *cites)
            _reveal(match.table, act, *cites)
        carry_out(match, seat, act, Inputs(inputs.names, inputs.rolls, by.who))


def _completed(
    match: Match, t: Table, seat: int, act: Act, offer: Offer | None, *, legal: bool
) -> Act:
    """An act with all its picks: of what is left out, what the offer asks for, or else nothing."""
    if legal:
        return act_of(offer, fit(offer, act)) if offer is not None else act
    with suppress(Exception):  # what can't be completed so is reported when it is carried out
        return match.rules.whole(t, seat, act)
    return act


def _absent(p: Position, decision: Decision, seat: int, act: Act) -> str:
    """The pick of an act that does not exist; empty if all exist.

    A pick is a card, a seat, or else something that is on offer to be picked.
    """
    if act.kind == "declare":
        return ""  # a text, which was read already
    offer = decision.offers.get(seat)
    alike = next((one for one in offer.options if one.kind == act.kind), None) if offer else None
    parts = alike.parts if alike is not None else ()
    pools = offer.pools if offer is not None else ()
    seats = [f"seat/{one}" for one in range(len(p.heading.seats))]
    for part, picked in zip_longest(parts, act.picks, fillvalue=None):
        free = isinstance(part, Part) and part.pool < 0
        own = pools[part.pool] if isinstance(part, Part) and not free else chain(*pools)
        known = {*seats, *own}
        for ref in (picked or ()) if not free else ():
            if isinstance(ref, str) and ref not in known:
                return phrase("there is no {ref!r} to pick", ref=ref)
            if part is not None and isinstance(ref, int) and not p.present(ref):
                return phrase("there is no card @{ref} to pick", ref=ref)
    return ""


def carry_out(match: Match, seat: int, act: Act, inputs: Inputs) -> None:
    """Go on from an act that was flagged, as though the rules allowed it."""
    decision = match.pos.decision
    assert decision is not None
    asked = seat in decision.seats and act.kind in kinds(match, decision)
    event = (
        _answer(match, decision, seat, act, inputs)
        if asked
        else _interjected(match, seat, act, inputs)
    )
    match.go_on(event, (RULE, "house:official"), BY_OFFICIAL, inputs)


def unlisted(match: Match, t: Table, inputs: Inputs, had: naming.Counts) -> Refusal | None:
    """The faults of cards that were named at a real table (`t`): one is not in the list.

    `had` is what was `naming.counted` before they were.
    """
    try:
        naming.listed(t.pos, match.rules, inputs, had)
    except Misstated as misstated:
        return misstated.refusal
    return None


def objection(match: Match, t: Table, seat: int, act: Act, offer: Offer | None) -> Refusal | None:
    """Why the rules refuse an act at the open decision; None where it is legal.

    `t` is the table with its cards named, and `offer` what is open to the seat then.
    """
    if offer is not None:
        try:
            fit(offer, act)
        except Misfit as misfit:
            return match.rules.refusal(t, seat, act, misfit)
        return None
    open_acts = {one.kind for one in match.rules.open_acts(t.pos, seat)}
    wrong = None if act.kind in open_acts else Misfit("not offered")
    return match.rules.refusal(t, seat, act, wrong)


def kinds(match: Match, decision: Decision) -> frozenset[str]:
    """The kinds of acts that the open decision can be answered with, legal or not."""
    offered = {
        option.kind for o in decision.offers.values() if o is not None for option in o.options
    }
    return frozenset(match.rules.answers.get(decision.kind, offered))


def at_rest(match: Match, rule: str) -> None:
    """Make sure that the open decision can be asked again; raises `Refused`."""
    decision = match.pos.decision
    if decision is not None and not match.rules.between_acts(match.pos):
        last = match.table.asked.rested
        instead = phrase("go back to one that can, or let it be finished first")
        if last:
            instead = phrase(
                "go back to one that can (the last one that can: {last}), or let it be finished"
                " first",
                last=last,
            )
        text = phrase(
            "decision {n} came in the middle of something and can't be asked again: {instead}",
            n=decision.n,
            instead=instead,
        )
        raise checks.refused(text, rule, "NOT_AT_REST")


@contextmanager
def carried_out(text: str) -> Iterator[None]:
    """Any failure of the rulebook within becomes `Impossible`, with this text."""
    try:
        yield
    except (Refused, NameRequired, RollRequired):
        raise
    except Exception as error:
        raise Impossible(_impossible(text)) from error


def _impossible(text: str) -> Refusal:
    return refuse(text, RULE, "house:official", fault="IRREGULARITY_IMPOSSIBLE")


@contextmanager
def sound(match: Match) -> Iterator[None]:
    """Make sure that what is done within leaves a table that the game can go on from.

    A table may show what happened against the rules, but not what no play can bring about: two
    cards where there is room for one, a rider whose host is gone. Raises `Impossible`.
    """
    before = invariants.faults(match.pos, match.rules, listed=False)
    yield
    after = invariants.faults(match.pos, match.rules, listed=False)
    wrong = next((fault for fault in after if fault not in before), "")
    if wrong:
        text = phrase(
            "the table can't be left so: {wrong}; put it right by one correction", wrong=wrong
        )
        raise Impossible(_impossible(text))


def _reveal(t: Table, act: Act, *cites: str) -> None:
    """Show all which card is used, if it lies hidden: its effect is public."""
    card = t.pos.cards.get(act.card) if isinstance(act.card, int) else None
    if card is not None and card.id and card.follow != EVERYONE and isinstance(act.card, int):
        t.show([act.card], EVERYONE, "reveal", *cites)


def _answer(
    match: Match, decision: Decision, seat: int, act: Act, inputs: Inputs
) -> ev.DecisionMade:
    asked = decision.offers[seat]
    alike = next((o for o in asked.options if o.kind == act.kind), None) if asked else None
    offer = alone(act, *(part.name for part in alike.parts)) if alike is not None else alone(act)
    to, answer = decision.readers(seat), Answer(0, act.picks)
    return ev.DecisionMade(
        n=decision.n,
        seat=seat,
        answer=Sealed(to, answer),
        ms=match.table.now - decision.time,
        origin="official",
        ticket=Sealed(1 << seat, ""),
        act=None if to == EVERYONE else _public_act(match, offer, answer, inputs),
        stated=Sealed(to, naming.recorded(inputs, offer)),
    )


def _interjected(match: Match, seat: int, act: Act, inputs: Inputs) -> ev.Interjected:
    offer = alone(act)
    seen = _public_act(match, offer, Answer(0, act.picks), inputs)
    flat = tuple(ref for picks in act.picks for ref in picks)
    own = 1 << seat
    return ev.Interjected(
        seat,
        act.kind,
        seen.card,
        Sealed(own, flat),
        Sealed(own, ""),
        Sealed(own, naming.recorded(inputs, offer)),
    )


def _public_act(match: Match, offer: Offer, answer: Answer, inputs: Inputs) -> Act:
    return seen_by_all(match.with_names(inputs).pos, offer, answer)
