"""The checks of activating a card or a text of one: where, when, how fast, its cost and needs.

The checks stand in the order in which a judge asks. Of what a card says only what it says about
itself counts: an effect that can do nothing now is refused by what it lacks. The sentences for its
picks are in `aims`.
"""

from __future__ import annotations

from domain.effects.conditions import may_hold
from domain.effects.constant.calculator import texts
from domain.effects.foresight.idle import idle
from domain.effects.interpreter import candidates
from domain.effects.language.vocabulary import Effect
from domain.engine.rulebook import Refusal
from domain.engine.table import Table
from domain.games.kit.choices.legality import asked, between_acts, refuse
from domain.games.yugioh.choices import costs, uses
from domain.games.yugioh.choices.activate import base
from domain.games.yugioh.choices.legal.acts import leads_back
from domain.games.yugioh.choices.legal.aims import unbanishable, unsummonable
from domain.games.yugioh.choices.summons import recipes
from domain.games.yugioh.effects import figures, rules
from domain.games.yugioh.effects.field.places import room
from domain.games.yugioh.effects.summons import methods
from domain.games.yugioh.effects.texts import TERMS
from domain.games.yugioh.effects.waiting import hands
from domain.games.yugioh.effects.waiting.timing import answered, outlived
from domain.games.yugioh.lists.words import LINKS, SUMMONS, set_off_in_hand
from domain.record.decisions import Act
from domain.record.position import Position, zone_of


def nothing_between(t: Table, seat: int, act: Act) -> Refusal | None:
    """While players are asked for what is set off in their hands nothing else is activated."""
    p, number = t.pos, act.card
    assert isinstance(number, int)
    if not hands.asked(p) or set_off_in_hand(uses.effect_of(p, uses.meant(p, act))):
        return None
    return refuse("effects that were set off come first", "ygo:order.limit.1")


def in_its_class(t: Table, seat: int, act: Act) -> Refusal | None:
    """An effect set off in a hand is activated when its player is asked for that."""
    p, number = t.pos, act.card
    assert isinstance(number, int)
    run = uses.running(p, seat, number, uses.meant(p, act))
    if set_off_in_hand(run.effect) and not hands.asked(p):
        rule = "ygo:order.list.3" if seat == p.turn_seat else "ygo:order.list.4"
        return refuse("the effects that were set off are linked by now", rule, run.text)
    return None


MAIN = ("main1", "main2")
#: What is asked where texts may be activated.
OPEN = frozenset({"main", "battle", "window", "chain", "hand"})
#: By which nothing is activated that would do nothing.
IDLE = "reading:ygo/A32"


def amid(p: Position) -> str:
    """By which rule nothing is done beside what is asked, where that is no text to activate."""
    if p.step == "chain/resolve" or any(act.resolving for act in p.pending.values()):
        return "ygo:chain.resolve.4"
    return "ygo:order.limit.1" if uses.question(p)[0] == "trigger" else "ygo:chain.window.1"


def declarable(t: Table, seat: int, act: Act) -> Refusal | None:
    """Between acts a player may declare what a text does."""
    return between_acts(amid(t.pos), OPEN, leads_back)(t, seat, act)


def your_move(t: Table, seat: int, act: Act) -> Refusal | None:
    """Somebody activates when it is his to: holding priority, or answering a link."""
    p = t.pos
    if not p.turn:
        return refuse("the duel has not begun", "ygo:base.setup.2")
    kind, whose = uses.question(p)
    rule = amid(p)
    if rule == "ygo:chain.resolve.4":
        return refuse("a chain is being resolved", rule)
    if (refusal := _linked_otherwise(t, seat, act, kind)) is not None:
        return refusal
    if kind not in OPEN:
        return refuse("something else is asked: {asked}", rule, asked=asked(t))
    if whose not in (-1, seat):
        rule = "ygo:priority.turn.5" if kind != "chain" else "ygo:chain.build.1"
        return refuse("the other player is asked first", rule)
    return None


def _linked_otherwise(t: Table, seat: int, act: Act, kind: str) -> Refusal | None:
    """While a class is linked: what waits is used, what is in a hand is asked for separately."""
    p, number = t.pos, act.card
    if kind not in ("trigger", "hand") or not isinstance(number, int) or not p.present(number):
        return None
    if p.cards[number].controller != seat:
        return None
    if any(set_off_in_hand(uses.effect_of(p, ref)) for ref in uses.named(p, number)):
        rules = ("ygo:order.choice.1", "reading:ygo/A28")
        once = kind == "trigger"  # its player has just been asked, and is once more after a link
        return refuse("something else is asked: {asked}", *rules, asked=asked(t)) if once else None
    if any(one.source == number and one.seat == seat for one in p.waiting()):
        return refuse("its effect waits to be linked: the act is 'use'", "ygo:order.choice.1")
    return None


def there(t: Table, seat: int, act: Act) -> Refusal | None:
    """A card of one's own, or a text that anybody may use, where it acts from."""
    p, number = t.pos, act.card
    if not isinstance(number, int) or not p.present(number):
        return refuse("that card is not yours to use", "ygo:effect.ignition.3")
    if p.cards[number].controller != seat and not uses.anybodys(p, number, act.effect):
        return refuse("that card is not yours to use", "ygo:effect.ignition.3")
    named = uses.named(p, number)
    if not named or act.effect not in ("", *named):
        return refuse("it has nothing to activate there", *_placed(p, number)).of_wrong_card()
    return None


def _placed(p: Position, number: int) -> tuple[str, ...]:
    """The rules by which the texts of a card say nothing where it lies, each kind its own."""
    found = [effect for _, effect in figures.stock(p).effects(p.cards[number].id)]
    rules = dict.fromkeys(
        "ygo:effect.continuous.2" if one.kind == "constant"
        else "ygo:effect.trigger.2" if one.kind == "triggered"
        else "ygo:effect.quick.2" if uses.QUICK in one.at
        else "ygo:effect.ignition.3"
        for one in found
    )  # fmt: skip
    return (*rules,) or ("ygo:effect.ignition.3",)


def right_card(t: Table, seat: int, act: Act) -> Refusal | None:
    """Cards activated out of the hand, or Set: whose turn, and since when they lie there."""
    p, number = t.pos, act.card
    assert isinstance(number, int)
    if not uses.playing(p, number):
        return None
    print_, card = figures.facts(p, number), p.cards[number]
    if zone_of(card.place) == "hand":
        if print_.type == "trap":
            return refuse("a Trap must be Set first", "ygo:base.trap.1")
        if seat != p.turn_seat:
            text = "out of the hand only the turn player activates Spells"
            rule = "ygo:turn.window.2" if "quick-play" in print_.kind else "ygo:base.spell.1"
            return refuse(text, rule)
        if not figures.goes_to_field_zone(print_) and room(p, "spell", seat) < 1:
            return refuse("all five Spell & Trap Zones are taken", "ygo:base.zone.2")
    elif figures.came(p, number):
        if print_.type == "trap":
            return refuse("it was Set this turn", "ygo:base.trap.1")
        if "quick-play" in print_.kind:
            return refuse("it was Set this turn", "ygo:base.spell.2")
    return None


def fast_enough(t: Table, seat: int, act: Act) -> Refusal | None:
    """The kind of answer, and its necessary speed (ygo:chain.speed.1, ygo:chain.speed.2)."""
    p, number = t.pos, act.card
    assert isinstance(number, int)
    effect = uses.running(p, seat, number, uses.meant(p, act)).effect
    speed = uses.speed(p, number, effect)
    kind, _ = uses.question(p)
    if kind == "hand" or set_off_in_hand(effect):
        return None  # as effects that were set off are linked (ygo:chain.speed.4)
    if speed == 1 and (kind != "main" or seat != p.turn_seat):
        return _too_slow(t, kind, number)
    if kind == "chain":
        latest = [*p.declared()][-1:]
        if latest and speed < latest[0].speed:
            rules = ("ygo:base.speed.3", "ygo:chain.speed.1")
            return refuse("only a Counter Trap answers a Counter Trap", *rules)
    return None


def _too_slow(t: Table, kind: str, number: int) -> Refusal:
    p = t.pos
    if kind == "chain":
        return refuse("it has Spell Speed 1", "ygo:chain.speed.2")
    if uses.playing(p, number):
        return refuse("only in your Main Phase, with nothing open", "ygo:base.spell.1")
    if p.step == "summon/done":
        return refuse("not as a Summon has succeeded", "ygo:effect.ignition.4")
    own = p.cards[number].controller == p.turn_seat
    rule = "ygo:effect.ignition.2" if own else "ygo:effect.ignition.1"
    return refuse("only in your Main Phase, with nothing open", rule)


def timely(t: Table, seat: int, act: Act) -> Refusal | None:
    """The limits of the Damage Step and of the moment before a Summon succeeds."""
    p, number = t.pos, act.card
    assert isinstance(number, int)
    run = uses.running(p, seat, number, uses.meant(p, act))
    effect, step = run.effect, base(p)
    chain = uses.question(p)[0] == "chain"
    if p.step == "summon/negate" and effect.on not in SUMMONS:
        text = "only what negates the Summon may be activated"
        return refuse(text, *methods.rules(p).window)
    if p.step.startswith("damage") or step.startswith("damage"):
        return _in_damage_step(p, number, effect, step, chain)
    if uses.CALCULATION in effect.at and uses.DAMAGE not in effect.at:
        return refuse("only while damage is calculated", "ygo:battle.d3.2", run.text)
    return None


def _in_damage_step(
    p: Position, number: int, effect: Effect, step: str, chain: bool
) -> Refusal | None:
    """The effect's terms for the Damage Step; Counter Traps answer any link (reading:ygo/A3).

    What is admitted and answers something may be activated whenever that happens; anything else
    until damage is calculated, or as it is.
    """
    print_ = figures.facts(p, number)
    if chain and "counter" in print_.kind and print_.type == "trap":
        return None
    calculating, admitted = step in ("damage/3", "damage/4"), uses.DAMAGE in effect.at
    if admitted and (effect.on or step in ("damage/1", "damage/2")):
        return None
    if calculating and uses.CALCULATION in effect.at:
        return None
    if admitted:
        text = "only until damage is calculated"
        return refuse(text, "ygo:battle.damage-step.3", "ygo:battle.damage-step.2")
    if calculating:
        return refuse("not while damage is calculated", "ygo:battle.d3.3")
    return refuse("not in the Damage Step", "ygo:battle.damage-step.2")


def answering(t: Table, seat: int, act: Act) -> Refusal | None:
    """The event that the text answers has just happened."""
    p, number = t.pos, act.card
    assert isinstance(number, int)
    run = uses.running(p, seat, number, uses.meant(p, act))
    if answered(t, run) is None:
        by = ("reading:ygo/A39",) if outlived(t, run) else ()
        return refuse("there is nothing that it answers", *by, "ygo:main1.effect.1", run.text)
    once = run.effect.on and run.effect.on not in (*LINKS, *SUMMONS)
    if once and any(
        link.source == number and f"card:{link.effect}" == run.text for link in p.declared()
    ):
        return refuse("it answers that already", "ygo:main1.effect.1", run.text)
    return None


def conditions(t: Table, seat: int, act: Act) -> Refusal | None:
    """Prohibitions of other texts, the text's own conditions, and its limit."""
    p, number = t.pos, act.card
    assert isinstance(number, int)
    run = uses.running(p, seat, number, uses.meant(p, act))
    stopped = silenced_by(p, number)
    stopped += (
        rules.forbidden(TERMS, p, seat, "activate", number) if uses.playing(p, number) else []
    )
    if stopped:
        return refuse("a text forbids it", "ygo:negate.activate.1", *stopped)
    if not may_hold(TERMS, p, (*run.effect.when, *run.effect.provided), run):
        return refuse("its condition is not met", "ygo:main1.effect.1", run.text)
    if run.effect.limit and uses.used(p, run):
        return refuse("it was used this turn", "ygo:main1.effect.1", run.text)
    return None


def silenced_by(p: Position, number: int) -> list[str]:
    """The texts in force by which those of a card can't be activated; none for one that is gone."""
    if not p.present(number):
        return []
    return texts(
        one
        for one in p.modifiers.values()
        if one.change.op == "forbid"
        and one.change.key == "activate"
        and figures.reaches(TERMS, p, one, number)
    )


def affordable(t: Table, seat: int, act: Act) -> Refusal | None:
    """Its cost can be paid."""
    p, number = t.pos, act.card
    assert isinstance(number, int)
    run = uses.running(p, seat, number, uses.meant(p, act))
    lacking = costs.payable(p, run)
    if lacking is None:
        return None
    rule = "ygo:base.life.3" if lacking.do == "life" else "ygo:base.cost.1"
    by = costs.hindering(p, run, lacking)
    return refuse("its cost can't be paid", rule, *by, run.text)


def aimable(t: Table, seat: int, act: Act) -> Refusal | None:
    """All its targets must be there."""
    p, number = t.pos, act.card
    assert isinstance(number, int)
    run = uses.running(p, seat, number, uses.meant(p, act))
    if any(len(pool) < part.low for part, pool in uses.aims(t, run)):
        by = (*next(unsummonable(p, run), ()), *unbanishable(p, run))
        return refuse("there is nothing that it may target", *by, "ygo:base.cost.1", run.text)
    return None


def worthwhile(t: Table, seat: int, act: Act) -> Refusal | None:
    """Not where everybody sees that it would do nothing; what stays on the field does that."""
    p, number = t.pos, act.card
    assert isinstance(number, int)
    if uses.playing(p, number) and not figures.used_up(figures.facts(p, number)):
        return None
    run = uses.running(p, seat, number, uses.meant(p, act))
    if not idle(t, TERMS, run, run.effect.do):
        return None
    return refuse("it would do nothing, as all can see", IDLE, run.text)


def room_for_it(t: Table, seat: int, act: Act) -> Refusal | None:
    """A Special Summon, or taking control, needs a zone; and no text must forbid it."""
    effect = uses.effect_of(t.pos, uses.meant(t.pos, act))
    if by := not_to_summon(t.pos, seat, effect):
        return refuse("a text forbids it", "ygo:golden.card.1", *by)
    cites = roomless(t.pos, seat, effect)
    return refuse("there is no Monster Zone for it", *cites) if cites else None


def not_to_summon(p: Position, seat: int, effect: Effect) -> list[str]:
    """The texts by which a player may not Special Summon altogether, if an effect would do that."""
    if _begins(effect) not in ("deploy", "token", "summon"):
        return []
    return rules.no_summon(TERMS, p, seat, 0, "special-summon")


def _begins(effect: Effect) -> str:
    """The instruction that an effect is activated for: its first, unless that may be left out."""
    for first in effect.do[:1]:
        if not first.may and not (first.choose is not None and first.choose.may):
            return first.do
    return ""


def roomless(p: Position, seat: int, effect: Effect) -> tuple[str, ...]:
    """The rules by which an effect has no Monster Zone, nor one that its cost may yet free."""
    first = _begins(effect)
    if first not in ("deploy", "control") or room(p, "monster", seat):
        return ()
    if any(cost.do in ("tribute", "tribute-this", "send", "banish") for cost in effect.cost):
        return ()
    summons = ("ygo:base.special.1",) if first == "deploy" else ()
    return (*summons, "ygo:summon.zone.1", "ygo:base.zone.1")


#: The rules by which what a Fusion or Ritual Monster is made with must be there.
MADE = {
    "fusion": ("ygo:fusion.choice.2", "ygo:fusion.steps.1"),
    "ritual": ("ygo:ritual.steps.1",),
}


def summonable(t: Table, seat: int, act: Act) -> Refusal | None:
    """The monster that it makes must be there, with its Materials; of Tokens, a zone for each.

    It reveals what a hand and an Extra Deck hold, so it is for the actor only.
    """
    p, number = t.pos, act.card
    assert isinstance(number, int)
    run = uses.running(p, seat, number, uses.meant(p, act))
    for clause in run.effect.do[:1]:
        if clause.key in MADE and clause.choose is not None:
            if not candidates(t, TERMS, run, clause):
                text = "there is nothing that it could summon, or not what that is made with"
                return refuse(text, *MADE[clause.key], run.text)
        elif clause.do == "token" and not clause.when:
            whose = p.rival(seat) if clause.key == "opponent" else seat
            wanted = max(run.amount(clause), 1)
            if room(p, "monster", whose) + recipes.freed_at_most(p, run) < wanted:
                text = "there are too few Monster Zones"
                rules = ("ygo:base.special.1", "ygo:summon.zone.1", "ygo:base.zone.1")
                return refuse(text, *rules, run.text)
    return None


def unseen(t: Table, seat: int, act: Act) -> Refusal | None:
    """The monster it Special Summons out of the hand or the Extra Deck must be there after payment.

    That is shown to the actor only.
    """
    p, number = t.pos, act.card
    assert isinstance(number, int)
    run = uses.running(p, seat, number, uses.meant(p, act))
    if costs.promising(t, run):
        return None
    text = "neither your hand nor your Extra Deck has what it Special Summons"
    return refuse(text, "ygo:main1.effect.1", run.text)


CHECKS = (
    there, nothing_between, right_card, fast_enough, timely, answering, conditions, in_its_class,
    affordable, aimable, worthwhile, room_for_it, summonable, unseen,
)  # fmt: skip
