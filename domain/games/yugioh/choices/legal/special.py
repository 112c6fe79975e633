"""The checks of a Special Summon without a chain, each with its narrowest rule.

Whether there is Material for it, and which, is for the parts of the option (`recipes`). A Fusion or
a Ritual Summon is made as a text is carried out (`effects.summons.deploy`): here are the sentences
for its picks.
"""

from __future__ import annotations

from itertools import chain

from domain.effects.conditions import may_hold
from domain.effects.language.vocabulary import every
from domain.effects.select import Running
from domain.engine.rulebook import Refusal
from domain.engine.signals import unknown
from domain.engine.table import Table
from domain.games.kit.choices.legality import Check, refuse
from domain.games.yugioh.choices import costs, uses
from domain.games.yugioh.choices.legal.acts import overlaid
from domain.games.yugioh.choices.legal.aims import bad_summon
from domain.games.yugioh.choices.summons import recipes
from domain.games.yugioh.effects import figures, rules
from domain.games.yugioh.effects.field.places import room
from domain.games.yugioh.effects.figures import facts
from domain.games.yugioh.effects.summons.makings import level_of, listed
from domain.games.yugioh.effects.summons.materials import refusing
from domain.games.yugioh.effects.texts import TERMS
from domain.record.decisions import Act, Misfit
from domain.record.position import Position

#: The narrowest rules of what is needed.
STEPS = {"synchro": "ygo:synchro.steps.1", "xyz": "ygo:xyz.steps.1"}


def of_extra(kind: str) -> Check:
    """A monster of this kind in one's own Extra Deck."""
    rule = STEPS[kind]

    def check(t: Table, seat: int, act: Act) -> Refusal | None:
        if not isinstance(act.card, int) or act.card not in t.pos.zone("extra", seat):
            return refuse("that card is not in your Extra Deck", rule).of_wrong_card()
        if kind not in facts(t.pos, act.card).kind:
            return refuse("it is not summoned in that way", rule).of_wrong_card()
        return None

    return check


def allowed(t: Table, seat: int, act: Act) -> Refusal | None:
    """No text in force forbids it to the player."""
    assert isinstance(act.card, int)
    by = rules.no_summon(TERMS, t.pos, seat, act.card, "special-summon")
    return refuse("a text forbids it", "ygo:golden.card.1", *by) if by else None


def material_there(t: Table, seat: int, act: Act) -> Refusal | None:
    """As many monsters as it takes, line by line; whether they add up is asked later."""
    p, number = t.pos, act.card
    assert isinstance(number, int)
    rule = STEPS[act.kind]
    if not listed(facts(p, number)):
        return refuse("its materials were not named", rule)
    if recipes.too_few(p, seat, number):
        if under := overlaid(t, seat, act, Misfit("too few")):
            return under
        return refuse("you control too few monsters that it is summoned with", rule)
    return None


def bad_material(t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal | None:
    """Why something can't be Material of a Synchro or Xyz Summon, by more than its steps.

    A Token can't be overlaid (ygo:xyz.material.2), what is overlaid be Material (ygo:xyz.def.4),
    nor a monster without a Level (ygo:base.rank.1); a card may say so of itself
    (ygo:effect.rule.2).
    """
    if under := overlaid(t, seat, act, misfit):
        return under
    p, steps = t.pos, STEPS[act.kind]
    picked = [n for pick in act.picks for n in pick if isinstance(n, int) and n in p.cards]
    by = [text for n in picked for text in refusing(p, n)] if act.kind == "synchro" else []
    if by:
        cites = ("ygo:effect.rule.2", *by, steps)
        return refuse("its text keeps it from that", *cites, fault="BAD_PICKS")
    if act.kind == "xyz" and any(p.cards[n].token for n in picked):
        text = "a Token can't be Xyz Material"
        return refuse(text, "ygo:xyz.material.2", steps, fault="BAD_PICKS")
    if any(not unknown(p, n) and "xyz" in facts(p, n).kind and not level_of(p, n) for n in picked):
        text = "an Xyz Monster has a Rank and no Level"
        return refuse(text, "ygo:base.rank.1", steps, fault="BAD_PICKS")
    return None


# -- by its own condition --------------------------------------------------------------------------


def has_condition(t: Table, seat: int, act: Act) -> Refusal | None:
    """A card of one's own with a condition to be Special Summoned by, where it works."""
    p, number = t.pos, act.card
    if not isinstance(number, int) or not p.present(number) or p.cards[number].controller != seat:
        return refuse("that card is not yours to summon", "ygo:special.condition.1")
    if figures.on_field(p, number):
        return refuse("it is on the field already", "ygo:special.default.2").of_wrong_card()
    texts = figures.stock(p).effects(p.cards[number].id)
    own = {ref for ref, effect in texts if uses.CONDITION in effect.at}
    if not own:
        return refuse(
            "it has no condition to be Special Summoned by", "ygo:special.def.1"
        ).of_wrong_card()
    working = {ref for ref, _ in TERMS.effects(p, number)} & own
    if not working or act.effect not in ("", *working):
        text = "its condition does not hold for a card that lies there"
        return refuse(text, "ygo:special.default.2")
    return None


def _running(p: Position, seat: int, act: Act) -> Running:
    """The condition that is meant; the first that works where nobody has named one."""
    number = act.card
    assert isinstance(number, int)
    own = (ref for ref, effect in TERMS.effects(p, number) if uses.CONDITION in effect.at)
    return uses.running(p, seat, number, act.effect or next(own))


def condition_met(t: Table, seat: int, act: Act) -> Refusal | None:
    """The requirements of the condition, and its cost."""
    p = t.pos
    run = _running(p, seat, act)
    rule = "ygo:special.condition.1"
    if not may_hold(TERMS, p, (*run.effect.when, *run.effect.provided), run):
        return refuse("its condition is not met", rule, run.text)
    if run.effect.limit and uses.used(p, run):
        return refuse("it was used this turn", rule, run.text)
    if (lacking := costs.payable(p, run)) is not None:
        by = costs.hindering(p, run, lacking)
        return refuse("what it takes is not there", rule, *by, run.text)
    return None


def zone_left(t: Table, seat: int, act: Act) -> Refusal | None:
    """A Monster Zone for it, now or once some of the price has left one."""
    p = t.pos
    run = _running(p, seat, act)
    if room(p, "monster", seat) + recipes.freed_at_most(p, run) > 0:
        return None
    return refuse("all five Monster Zones are taken", "ygo:summon.zone.1", "ygo:base.zone.1")


# -- by a text -----------------------------------------------------------------------------------

#: The rules by which a player makes the monster of something, by the kind of Summon.
MAKES = {
    "fusion": ("ygo:fusion.steps.2", "ygo:fusion.choice.1"),
    "ritual": ("ygo:ritual.steps.2",),
}
_MAKING = ("summon", "deploy", "send-materials")
#: By which another monster can't be chosen, for want of what it is made with.
_WHICH = {"fusion": "ygo:fusion.choice.1", "ritual": "ygo:ritual.steps.1"}


def kind(p: Position) -> str:
    """Which kind of Summon the text makes that is being carried out; empty: none.

    Of a text that was declared the frame says it, once the Summon has begun.
    """
    carried_out = (act.effect for act in p.pending.values() if act.resolving and act.effect)
    texts = (TERMS.effect(p, ref) for ref in carried_out)
    begun = (str(frame.facts.get("method")) for frame in p.frames if frame.kind == "summon")
    printed = (c.key for text in texts for c in every(text.do) if c.do in _MAKING)
    return next(chain(printed, (method for method in begun if method in MAKES)), "")


def makes(t: Table, seat: int, act: Act) -> tuple[str, ...]:
    """The rules by which what was picked makes it."""
    return MAKES.get(kind(t.pos), MAKES["fusion"])


def lacks(t: Table, seat: int, act: Act) -> tuple[str, ...]:
    """The rule by which it fails when its Materials turn out missing."""
    return ("ygo:ritual.steps.1" if kind(t.pos) == "ritual" else "ygo:fusion.choice.3",)


def bad_making(t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal:
    """Why it can't be made of these; no more may be Tributed than it takes (reading:ygo/A20)."""
    if act.kind in STEPS:
        text = "face-up monsters of yours that it is summoned with, and as many"
        narrower = bad_material(t, seat, act, misfit)
        return narrower or refuse(text, STEPS[act.kind], fault="BAD_PICKS")
    ritual = kind(t.pos) == "ritual"
    rules = ("ygo:ritual.level.1",) if ritual and misfit.fault == "sum" else ()
    text = "what it is made with, and no more than is needed"
    return refuse(text, *rules, *MAKES["ritual" if ritual else "fusion"][:1], fault="BAD_PICKS")


def bad_monster(t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal | None:
    """Why this monster can't be chosen: another is meant, or it can't be made of what is there.

    Or it can't be Special Summoned by the text that is being carried out.
    """
    found = kind(t.pos)
    if found not in _WHICH:
        picked = [ref for pick in act.picks for ref in pick if isinstance(ref, int)]
        acts = [one for one in t.pos.pending.values() if one.resolving]
        runs = [
            uses.running(t.pos, seat, one.source, one.effect)
            for one in acts if isinstance(one.source, int) and one.effect
        ]  # fmt: skip
        return next(filter(None, (bad_summon(t.pos, run, picked) for run in runs)), None)
    text = "a monster that the text can summon now"
    return refuse(text, _WHICH[found], fault="BAD_PICKS")
