"""Why something can't be targeted by a text, or given for its cost.

What keeps a text from being activated at all is in `legal.effects`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from domain.effects.constant.calculator import barring, texts, towards
from domain.effects.interpreter import aimed
from domain.effects.language.vocabulary import Clause, Filter, every
from domain.effects.select import Running, members
from domain.engine.rulebook import Refusal
from domain.engine.signals import unknown
from domain.engine.table import Table
from domain.games.kit.choices.legality import refuse
from domain.games.yugioh.choices import costs, uses
from domain.games.yugioh.choices.legal.acts import overlaid
from domain.games.yugioh.effects import figures, rules
from domain.games.yugioh.effects.texts import TERMS
from domain.record.decisions import Act, Misfit
from domain.record.position import Position


def _running(t: Table, seat: int, act: Act) -> Running:
    """The text that an act is by: where it names none, the one that is on offer."""
    assert isinstance(act.card, int)
    offer = t.asked.offers.get(seat)
    options = offer.options if offer is not None else ()
    same = (one.effect for one in options if (one.kind, one.card) == (act.kind, act.card))
    return uses.running(t.pos, seat, act.card, act.effect or next(same, ""))


def aim_refusal(t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal:
    """Why something can't be targeted: a battle has fixed it as destroyed (ygo:battle.d8.2).

    Or it is overlaid, can't be Special Summoned by this text (`rules.unsummonable`), or is such
    that this can't be done to it; else the text says what may be, and how many
    (ygo:base.cost.1).
    """
    if under := overlaid(t, seat, act, misfit):
        return under
    p, run = t.pos, _running(t, seat, act)
    picked = [n for pick in act.picks for n in pick if isinstance(n, int) and n in p.cards]
    if any(p.cards[n].departing == "battle" for n in picked):
        narrower = ("ygo:battle.flipped.2",) if run.effect.on == "flip" else ()
        text = "the battle has fixed it as destroyed"
        return refuse(text, *narrower, "ygo:battle.d8.2", fault="BAD_PICKS")
    if found := bad_summon(p, run, picked) or _unfit(t, run, act, misfit):
        return found
    text = "what the text says, and as many as it says"
    return refuse(text, "ygo:base.cost.1", run.text, fault="BAD_PICKS")


def bad_summon(p: Position, run: Running, picked: Sequence[int]) -> Refusal | None:
    """Why a text can't Special Summon one of the cards that were picked for it."""
    if picked and (by := next(unsummonable(p, run, picked), None)):
        return refuse("it can't be Special Summoned by that", *by, fault="BAD_PICKS")
    return None


def unsummonable(p: Position, run: Running, cards: Sequence[int] = ()) -> Iterator[Sequence[str]]:
    """Why a text that Special Summons can't do so with cards that it might mean, card by card."""
    for clause in run.effect.do:
        if clause.do == "deploy":
            group = clause.choose.of if clause.choose is not None else clause.to
            meant = [run.this] if group is None else members(TERMS, p, group, run, guess=True)
            for number in meant:
                by = rules.unsummonable(TERMS, p, run.seat, run.this, number, clause)
                if by and (number in cards or not cards):
                    yield by


def unbanishable(p: Position, run: Running) -> list[str]:
    """The texts by which what a text would banish can't be."""
    groups = [
        clause.choose.of
        for clause in run.effect.do
        if clause.choose is not None and (clause.do, clause.place) == ("move", "banished")
    ]
    meant = (number for group in groups for number in members(TERMS, p, group, run))
    by = (text for n in meant for text in rules.unbanishable(TERMS, p, n, run.seat))
    return list(dict.fromkeys(by))


def _unfit(t: Table, run: Running, act: Act, misfit: Misfit) -> Refusal | None:
    """Why a pick for a part is unfit, beyond the text itself."""
    at = uses.TARGETS.index(misfit.part)
    for clause in (run.effect.do[n] for n in aimed(t, TERMS, run.effect.do)[at : at + 1]):
        for number in act.picks[at] if at < len(act.picks) else ():
            if isinstance(number, int) and number in t.pos.cards:
                found = _unfit_card(t.pos, run, clause, number)
                if found is not None:
                    text, *by = found
                    return refuse(text, *by, run.text, fault="BAD_PICKS")
    return None


def _unfit_card(p: Position, run: Running, clause: Clause, number: int) -> Sequence[str] | None:
    """Why a clause can't be done to a card that lies among those it means: a sentence, rules."""
    assert clause.choose is not None
    card, of = p.cards[number], clause.choose.of
    if number not in members(TERMS, p, replace(of, match={}), run):
        return None
    if clause.do == "face-down" and card.token:
        return "a Token can't be turned face-down", "ygo:base.token.1"
    if TERMS.hides(p, number) and not {*of.match} <= {*figures.LYING, "type"}:
        return "of a face-down card nothing can be read", "ygo:base.face.1"
    if _unset(p, number, of.match):
        return _UNSET, "reading:ygo/A41"
    if "level" in of.match and card.up and TERMS.attribute(p, number, "level") is None:
        return "an Xyz Monster has a Rank and no Level", "ygo:base.rank.1"
    barred = list(barring(TERMS, p, number, clause.do))
    if (clause.do, clause.place) == ("move", "banished"):
        barred += rules.banning(TERMS, p, number, run.seat)
    barred += [
        one
        for one in p.modifiers.values()
        if one.change.key == "affected"
        and number in one.targets
        and towards(TERMS, p, one.change, number, run.this)
    ]
    return ("a text forbids it", "ygo:golden.card.1", *texts(barred)) if barred else None


def unreadable(t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal | None:
    """Why a text that is carried out can't mean a card off the field: a question mark is no number.

    By what else it asks for is the decision's to say.
    """
    p = t.pos
    resolving = (one.effect for one in p.pending.values() if one.resolving and one.effect)
    texts = (TERMS.effect(p, ref) for ref in resolving)  # one that is declared has no name
    groups = [c.choose.of for text in texts for c in every(text.do) if c.choose is not None]
    picked = [n for pick in act.picks for n in pick if isinstance(n, int) and n in p.cards]
    if any(_unset(p, number, of.match) for number in picked for of in groups):
        return refuse(_UNSET, "reading:ygo/A41", fault="BAD_PICKS")
    return None


_UNSET = "off the field a question mark is no number"


def _unset(p: Position, number: int, match: Filter) -> bool:
    """Whether a filter asks for a figure for which a card off the field has a question mark."""
    off = not unknown(p, number) and not figures.on_field(p, number)
    return off and not {*match}.isdisjoint(figures.facts(p, number).unset)


def bad_cost(t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal:
    """Why something can't be given for a cost: with that the text would find nothing to Summon.

    Else the text says what it costs, as it is activated (ygo:base.cost.1) or as a monster is
    Special Summoned by its condition (ygo:special.condition.1).
    """
    p, run = t.pos, _running(t, seat, act)
    for cost in costs.picked(run.effect):
        useless = {*costs.pool(p, run, cost)} - {*costs.fruitful(t, p, run, cost)}
        if any(ref in useless for pick in act.picks for ref in pick):
            text = "with that it would find nothing that it Special Summons"
            return refuse(text, "ygo:main1.effect.1", run.text, fault="BAD_PICKS")
    text = "what it costs, and as much"
    return refuse(text, costs.by(run.effect), run.text, fault="BAD_PICKS")
