"""Checks of acts that are the same in every game.

A check looks at an act and says nothing, or refuses it by the narrowest rule. `acts` holds the
checks of each kind of act, in the order in which a judge asks.

A refusal is shown to the asker, so it may depend only on what he sees: a number that he can't
follow does not exist, and a card that he can follow and not see is no particular card (`seen_by`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from msgspec.structs import replace

from domain.effects.declared import DECLARED, RULE, text_of
from domain.effects.declared import objection as objection_to
from domain.effects.interpreter import LONGEST
from domain.effects.language.vocabulary import Effect
from domain.engine.rulebook import Refusal
from domain.engine.rulebook import refuse as refuse
from domain.engine.series import between
from domain.engine.table import Table
from domain.games.kit.flow.attack import FRAME as ATTACK
from domain.record.decisions import Act
from domain.record.position import Frame, Position, seat_letter
from domain.record.schema import bounds
from domain.record.values import Ref
from domain.words.phrases import Phrase, joined, phrase

Check = Callable[[Table, int, Act], Refusal | None]


def seen_by(t: Table, seat: int, act: Act) -> tuple[Table, Act]:
    """The act as the seat knows its cards, over a table that names no unseen card.

    What it may do with such a card is for its place to tell, or for the offer.
    """
    p, bit = t.pos, 1 << seat

    def named(ref: Ref) -> Ref:
        card = p.cards.get(ref) if isinstance(ref, int) else None
        return 0 if card is not None and not card.follow & bit else ref

    picks = tuple(tuple(named(ref) for ref in picked) for picked in act.picks)
    seen = Act(act.kind, named(act.card), picks, act.effect)
    refs = {seen.card, *(ref for picked in picks for ref in picked)}
    hidden = {
        ref: replace(card, id="")
        for ref in refs
        if isinstance(ref, int) and (card := p.cards.get(ref)) is not None and not card.seen & bit
    }
    return t.over(p.with_cards(hidden) if hidden else p), seen


def at(kind: str, rule: str, text: str, *others: str) -> Check:
    """Acts that answer one kind of decision only, or `others`; another that is open is named.

    It depends on the open decision, so it is for replies, not for making offers.
    """

    def check(t: Table, seat: int, act: Act) -> Refusal | None:
        decision = t.pos.decision
        if decision is not None and decision.kind not in (kind, *others):
            return refuse("something else is asked: {asked}", rule, asked=asked(t))
        if decision is None or seat not in decision.seats:
            return refuse(text, rule)
        return None

    return check


def in_step(step: str, rule: str, text: str, *, own: bool = True) -> Check:
    """Acts of one step of the game, of one's `own` turn unless anybody may do them then."""

    def check(t: Table, seat: int, act: Act) -> Refusal | None:
        timely = t.pos.step == step and (not own or seat == t.pos.turn_seat)
        return None if timely else refuse(text, rule)

    return check


def asked(t: Table) -> Phrase:
    """The open decision, and its seat, in words; empty if there is none."""
    decision = t.pos.decision
    if decision is None:
        return Phrase("")
    who = ", ".join(seat_letter(seat) for seat in decision.seats)
    what = t.manifest.label("decisions", decision.kind)
    return phrase("{decision} (player {who})", decision=what, who=who)


def in_hand(rule: str) -> Check:
    """A card out of one's own hand."""

    def check(t: Table, seat: int, act: Act) -> Refusal | None:
        if not isinstance(act.card, int) or act.card not in t.pos.zone("hand", seat):
            return refuse("that card is not in your hand", rule).of_wrong_card()
        return None

    return check


def of_type(facts: Callable[[Position, int], Any], rule: str, *types: str) -> Check:
    """Only cards of these types are used so; `facts` is what is printed on one."""

    def check(t: Table, seat: int, act: Act) -> Refusal | None:
        assert isinstance(act.card, int)
        if facts(t.pos, act.card).type not in types:
            return refuse(
                "only a {types} card can be used so", rule, types=joined(" or ", map(Phrase, types))
            ).of_wrong_card()
        return None

    return check


def between_acts(
    rule: str, kinds: Collection[str], flows: Callable[[Frame], bool] = lambda frame: False
) -> Check:
    """While a game is going on and nothing that was begun is unfinished, but for an attack.

    What is asked then is of these kinds, to which a step comes round: it may begin again after the
    act. Nothing that was declared or has triggered waits, and no frame is open but such as steps go
    on in (`flows`).
    """

    def check(t: Table, seat: int, act: Act) -> Refusal | None:
        p = t.pos
        if between(p):
            return refuse("the game has ended, and the next has not begun", rule)
        open_ = p.decision is not None and p.decision.kind in kinds and not p.pending
        if p.turn and open_ and all(one.kind == ATTACK or flows(one) for one in p.frames):
            return None
        return refuse("something is being carried out: {asked}", rule, asked=asked(t))

    return check


def never(rule: str, text: str) -> Check:
    """Acts that people try and no rule ever lets them do."""
    return lambda t, seat, act: refuse(text, rule)


def redraw_once(rule: str, waits: Callable[[Position, int], tuple[str, ...]]) -> Check:
    """Hands are redrawn once, before the game, by one player after the other (`waits`)."""

    def check(t: Table, seat: int, act: Act) -> Refusal | None:
        p = t.pos
        if act.kind == "redraw" and p.mark(f"seat/{seat}", "redrawn"):
            return refuse("the hand may be redrawn once", rule)
        if p.decision is None or p.decision.kind != "redraw":
            return refuse("only before the game", rule)
        if seat not in p.decision.seats:
            return refuse("the first player decides first", *waits(p, seat))
        return None

    return check


def declaration(
    effect: Callable[[Position, str], Effect],
    faults: Callable[[str, Effect, Position], list[Phrase]],
    idle: Check,
    unread: frozenset[str] = frozenset(),
) -> Check:
    """A declaration is a list of clauses in the vocabulary of card data.

    It answers the question for a text that was reached, or stands open beside any decision while
    nothing is being done (`idle` objects then).
    """

    def check(t: Table, seat: int, act: Act) -> Refusal | None:
        decision, meant = t.pos.decision, DECLARED
        if decision is not None and decision.kind == "declare":
            offer = decision.offers.get(seat)
            if offer is None:
                return refuse("the text is not yours to declare", RULE)
            meant = effect(t.pos, offer.options[0].effect)
        elif objection := objection_to(t.pos, seat, act.card, unread):
            return refuse(objection, RULE)
        elif busy := idle(t, seat, act):
            return busy
        text = text_of(act.picks)
        if wrong := _out_of_bounds(text):
            return refuse(joined("; ", wrong), "house:bounds", RULE, fault="OUT_OF_BOUNDS")
        wrong = faults(text, meant, t.pos)
        return refuse(joined("; ", wrong), RULE, fault="BAD_DECLARATION") if wrong else None

    return check


def _out_of_bounds(text: str) -> list[Phrase]:
    long = len(text) > LONGEST
    return [phrase("{n} characters at most", n=LONGEST)] if long else bounds.faults(text)
