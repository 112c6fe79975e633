"""The acts of Yu-Gi-Oh!: their table, which `kit.choices.acts` reads.

A row's checks stand in the order in which a judge asks (`choices.legal`); what carries an
act out is in `summons`, `activate` and `declare`. Steps ask with the offers of this table.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from domain.effects.interpreter import aimed
from domain.engine.rulebook import Refusal
from domain.engine.signals import unknown
from domain.engine.table import Table
from domain.games.kit.choices.acts import EXTRA, Acts, Question
from domain.games.kit.choices.legality import Check, asked, at, never, refuse
from domain.games.kit.choices.rows import (
    AS_PRINTED,
    Asking,
    Pick,
    Row,
    declaring,
    reply,
    unnamed,
    usual_picks,
)
from domain.games.yugioh.choices import attacks, costs, declare, uses
from domain.games.yugioh.choices.activate import activate
from domain.games.yugioh.choices.legal import acts as legal
from domain.games.yugioh.choices.legal import aims, effects
from domain.games.yugioh.choices.legal import special as specials
from domain.games.yugioh.choices.summons import recipes, special, summon
from domain.games.yugioh.choices.summons.laying import LAYING
from domain.games.yugioh.choices.surrender import SURRENDER
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.figures import facts
from domain.games.yugioh.effects.summons import makings, tributes
from domain.games.yugioh.effects.texts import TERMS, follow_up
from domain.games.yugioh.effects.waiting import hands
from domain.games.yugioh.flow import windows
from domain.games.yugioh.lists.cards import UNREAD, declaration_faults
from domain.games.yugioh.lists.deck import SIDE
from domain.record.decisions import Act, Part
from domain.record.position import Position
from domain.record.schema.manifest import Word
from domain.words.phrases import phrase

# -- with which cards ------------------------------------------------------------------------------


def hand(asking: Asking) -> Iterator[int]:
    """The cards of the hand; those that nobody has named may be anything (`unnamed`)."""
    p, strangers = asking.p, asking.strangers
    return (n for n in p.zone("hand", asking.seat) if not (strangers and unknown(p, n)))


def to_summon(asking: Asking) -> Iterator[int]:
    """The cards of the hand, and Gemini monsters that lie on the field."""
    p, seat = asking.p, asking.seat
    yield from hand(asking)
    yield from (n for n in figures.monsters(p, seat) if figures.can_be_summoned_twice(p, seat, n))


def whole_hand(asking: Asking) -> Iterator[int]:
    """Every card of the hand: Set face-down, none needs to be named."""
    return iter(asking.p.zone("hand", asking.seat))


def own_monsters(asking: Asking) -> Iterator[int]:
    """The monsters that one controls."""
    return iter(figures.monsters(asking.p, asking.seat))


def extra(asking: Asking) -> Iterator[int]:
    """The cards of the Extra Deck that have been named, and for which there are enough monsters.

    Others would be refused for their Materials (`legal.special.material_there`).
    """
    p, strangers = asking.p, asking.strangers
    there = len(figures.monsters(p, asking.seat))
    for number in p.zone("extra", asking.seat) if there else ():
        if not (strangers and unknown(p, number)) and makings.least(facts(p, number)) <= there:
            yield number


def if_allowed(asking: Asking) -> tuple[int, ...]:
    """No card: the act is offered where its checks allow it."""
    return (0,)


def as_asked(asking: Asking) -> tuple[int, ...]:
    """No card: what asks adds the options."""
    return ()


def _type(p: Position, number: int) -> str:
    """Its type; of a monster that is Summoned in a way of its own, that way."""
    print_ = facts(p, number)
    return next((kind for kind in print_.kind if kind in specials.STEPS), print_.type)


# -- what is picked --------------------------------------------------------------------------------


def _tributes(asking: Asking, card: int, text: str) -> Iterator[Part]:
    if facts(asking.p, card).type != "monster":
        return
    needed = summon.tributes(asking.p, card)
    if needed:
        yield asking.part("tribute", *tributes.for_summon(asking.p, asking.seat, card, needed))


def _tribute_set(asking: Asking, card: int, text: str) -> Iterator[Part]:
    """As for a Summon, though none may be: a Set must not reveal the Level by its Tributes.

    One that nobody has named is Set with as many as its player says.
    """
    p, seat = asking.p, asking.seat
    if unknown(p, card):
        found = tributes.for_unknown(p, seat)
    else:
        found = tributes.for_summon(p, seat, card, summon.tributes(p, card))
    yield asking.part("tribute", *found)


def _targets(asking: Asking, card: int, text: str) -> Iterator[Part]:
    yield asking.part("target", attacks.targets(asking.p, card))


def _aims(asking: Asking, card: int, text: str) -> Iterator[Part]:
    """The targets that are named as a text is activated (ygo:base.cost.1)."""
    if text:
        run = uses.running(asking.p, asking.seat, card, text)
        for part, pool in uses.aims(asking.t, run):
            yield asking.part(part.name, tuple(pool), part.low, part.high)


def _costs(asking: Asking, card: int, text: str) -> Iterator[Part]:
    """The picks for paying, cost by cost."""
    if text:
        t, run = asking.t, uses.running(asking.p, asking.seat, card, text)
        pool = partial(costs.fruitful, t)
        named = len(aimed(t, TERMS, run.effect.do))
        yield from costs.parts(asking.p, run, named, asking.pool, pool)


TRIBUTE = "as many of your monsters as its Level asks for"
NONE = {EXTRA: ("a monster of Level 4 or lower needs no Tribute", "ygo:base.level.1")}
LENT = "first of all the monster that a text has you Tribute"
TUNED = "one face-up Tuner of yours"
LEVELS = "Materials whose Levels come to its own"
DIFFERENT = "Materials of which no two are alike in what its line names"
ZONE = "something that leaves it a Monster Zone"
FOE = "one monster of the opponent's, or himself if he has none"
#: What is attacked, as an attack is declared and as it is replayed.
ATTACKED = Pick("target", {"": (FOE, "ygo:battle.battle-step.1")}, _targets, legal.target_refusal)
#: The sentences for parts of any act, and at last of any part.
PICKS = (
    Pick("tribute", {"": (TRIBUTE, "ygo:summon.tribute.3")}, why=legal.bad_tribute),
    *(Pick(name, why=specials.bad_making) for name in makings.MATERIALS),
    *(Pick(name, why=specials.bad_monster) for name in ("monster", "deploy")),
    Pick("lent", {"": (LENT, "ygo:golden.card.1")}),
    Pick("tuner", {"": (TUNED, "ygo:synchro.steps.1")}, why=specials.bad_material),
    Pick("level", {"": (LEVELS, "ygo:synchro.steps.1")}),
    Pick("different", {"": (DIFFERENT, "ygo:fusion.steps.2")}),
    Pick("zone", {"": (ZONE, "ygo:summon.zone.1", "ygo:base.zone.1")}),
    *(Pick(name, why=aims.aim_refusal) for name in uses.TARGETS),
    *(Pick(name, why=aims.bad_cost) for name in costs.PARTS),
    Pick("discard", {"": ("as many as are over the limit, all at once", "ygo:end.hand.2")}),
    *usual_picks(),
    Pick("position", {"": ("face-up Attack or Defence Position",)}),
    Pick("", {"": AS_PRINTED}, why=aims.unreadable),
)


# -- by which rule ---------------------------------------------------------------------------------


def _activated(t: Table, seat: int, act: Act) -> tuple[str, ...]:
    kind, _ = uses.question(t.pos)
    if kind == "hand":
        return _of_class(t, seat)
    if kind == "main":
        return ("ygo:main1.phase.2", "ygo:main1.effect.1")
    return ("ygo:chain.build.1",) if kind == "chain" else windows.rules(t.pos)


def _passing(t: Table, seat: int, act: Act) -> tuple[str, ...]:
    return _of_class(t, seat) or ("ygo:priority.turn.2",)


def _of_class(t: Table, seat: int) -> tuple[str, ...]:
    """The rule by which a player is asked for effects out of his hand, if he is."""
    if not hands.asked(t.pos):
        return ()
    return ("ygo:order.list.3",) if seat == t.pos.turn_seat else ("ygo:order.list.4",)


def _attacking(t: Table, seat: int, act: Act) -> tuple[str, ...]:
    direct = act.picks and any(isinstance(ref, str) for ref in act.picks[0])
    return ("ygo:combat.direct.1",) if direct else ("ygo:battle.battle-step.1",)


def _unasked(t: Table, seat: int, act: Act) -> Refusal:
    p = t.pos
    if p.decision is not None and seat not in p.decision.seats:
        return refuse("the other player is asked first", "ygo:priority.turn.1")
    linking = p.decision is not None and p.decision.kind in ("trigger", "hand")
    rules = (linking and t.asked.by) or ("ygo:chain.window.1",)
    return refuse("what is asked: {asked}", *rules, asked=asked(t))


# -- the table -------------------------------------------------------------------------------------

ANYTIME = ("main", "battle", "window", "chain", "hand")
MAIN = legal.open_to("main1", "main2", rule="ygo:main1.phase.2")
SUMMONS = legal.open_to("main1", "main2", rule="ygo:summon.normal.1")
SETS = legal.open_to("main1", "main2", rule="ygo:base.set.1")


def in_main(rule: str) -> Check:
    """In one's own Main Phase, with nothing open."""
    return legal.open_to(*legal.MAIN, rule=rule)


ROWS: tuple[Row | Word, ...] = (
    reply("first", "ygo:base.setup.2"),
    reply("second", "ygo:base.setup.2"),
    Row(
        name="summon", label="Summons {card}", at=("main",), cards=to_summon, types=("monster",),
        picks=(Pick("tribute", NONE, _tributes),), when=(SUMMONS, legal.once_a_turn),
        checks=(legal.once_more, legal.normal_summonable),
        allows=("ygo:summon.normal.1", "ygo:main1.phase.2"), do=summon.summon,
    ),
    Row(
        name="set", label="Sets {card}", at=("main",), cards=whole_hand, when=(SETS,),
        checks=(legal.of_hand("ygo:base.set.1"), legal.settable),
        allows=("ygo:main1.phase.2", "ygo:base.set.1"), do=summon.set_card,
    ),
    Row(
        name="set-monster", label="Sets the monster {card}", at=("main",), cards=whole_hand,
        picks=(Pick("tribute", parts=_tribute_set),),
        when=(in_main("ygo:set.monster.1"), legal.once_a_turn),
        checks=(legal.stays_up, legal.of_hand("ygo:set.monster.1"), legal.monster_settable),
        allows=("ygo:set.monster.1", "ygo:main1.phase.2"), do=summon.set_monster,
    ),
    Row(
        name="set-field", label="Sets the Field Spell {card}", at=("main",), cards=whole_hand,
        when=(SETS,), checks=(legal.of_hand("ygo:base.set.1"), legal.field_settable),
        allows=("ygo:main1.phase.2", "ygo:base.set.1"), do=summon.set_field,
    ),
    Row(
        name="flip", label="Flip Summons {card}", at=("main",), cards=own_monsters, when=(MAIN,),
        checks=(legal.own_monster("ygo:flip.summon.1"), legal.flippable),
        allows=("ygo:flip.summon.1", "ygo:main1.limit.2"), do=summon.flip,
    ),
    Row(
        name="position", label="turns {card}{how}", at=("main",), cards=own_monsters, when=(MAIN,),
        checks=(legal.own_monster("ygo:position.change.3"), legal.turnable),
        allows=("ygo:position.change.1", "ygo:main1.phase.2"), do=summon.change_position,
    ),
    Row(
        name="special", label="Special Summons {card}", at=("main",), cards=uses.conditioned,
        texts=uses.condition_texts,
        picks=(Pick("cost", parts=recipes.price),), together=recipes.zone_for,
        when=(in_main("ygo:special.default.1"),),
        checks=(
            specials.has_condition, specials.allowed, specials.condition_met, specials.zone_left,
        ),
        allows=("ygo:special.condition.1", "ygo:special.def.1", "ygo:main1.limit.3"),
        do=special.by_condition,
        which="ygo:special.condition.1",
    ),
    Row(
        name="synchro", label="Synchro Summons {card}", at=("main",), cards=extra,
        types=("synchro",), together=recipes.together, parts=("tuner", "material"),
        picks=(Pick("", parts=recipes.materials),), when=(in_main("ygo:synchro.steps.1"),),
        checks=(specials.of_extra("synchro"), specials.allowed, specials.material_there),
        allows=("ygo:synchro.def.1", "ygo:synchro.steps.1", "ygo:main1.limit.3"),
        do=special.synchro,
    ),
    Row(
        name="xyz", label="Xyz Summons {card}", at=("main",), cards=extra, types=("xyz",),
        picks=(Pick("", parts=recipes.materials),), together=recipes.together, parts=("material",),
        when=(in_main("ygo:xyz.steps.1"),),
        checks=(specials.of_extra("xyz"), specials.allowed, specials.material_there),
        allows=("ygo:xyz.def.1", "ygo:xyz.steps.1", "ygo:main1.limit.3"), do=special.xyz,
    ),
    Row(
        name="activate", label="activates {card}", at=ANYTIME, cards=uses.cards, texts=uses.texts,
        picks=(Pick("target", parts=_aims), Pick("cost", parts=_costs)),
        when=(effects.your_move,), checks=effects.CHECKS, allows=_activated, do=activate,
        which="ygo:main1.effect.1",
    ),
    Row(
        name="attack", label="attacks {target} with {card}", at=("battle",), cards=own_monsters,
        picks=(ATTACKED,),
        when=(legal.open_to("battle", rule="ygo:battle.battle-step.1"),),
        checks=(legal.own_monster("ygo:battle.battle-step.1"), legal.attacker),
        allows=_attacking, do=declare.attack,
    ),
    Row(
        name="battle", label="enters the Battle Phase", at=("main",), cards=if_allowed,
        when=(MAIN, legal.may_battle), allows=("ygo:battle.phase.1", "ygo:battle.phase.2"),
        do=declare.to("main1/to-battle", "ygo:battle.phase.1"), idle=True,
    ),
    Row(
        name="end-battle", label="ends the Battle Phase", at=("battle",), cards=if_allowed,
        when=(legal.open_to("battle", rule="ygo:battle.end-step.1"), legal.none_obliged),
        allows=("ygo:battle.end-step.1",),
        do=declare.to("battle/close", "ygo:battle.end-step.1"), idle=True,
    ),
    Row(
        name="end", label="ends the turn", at=("main",), when=(MAIN,),
        allows=("ygo:end.phase.1", "ygo:main1.phase.1"), do=declare.to_end, idle=True,
    ),
    reply(
        "to-battle", "ygo:main1.skip.1", "goes to the Battle Phase", "skipped",
        "no Main Phase was skipped",
    ),
    reply(
        "to-end", "ygo:main1.skip.1", "goes to the End Phase", "skipped",
        "no Main Phase was skipped", idle=True,
    ),
    reply(
        "retarget", "ygo:battle.replay.2", "attacks {}", "replay", "no attack is replayed",
        picks=(ATTACKED,), do=declare.retarget,
    ),
    reply(
        "abandon", "ygo:battle.replay.2", "gives the attack up", "replay",
        "no attack is replayed", do=declare.abandon, idle=True,
    ),
    Row(
        name="use", label="activates {card}", at=("trigger", "hand"), cards=as_asked,
        parts=("target", "cost"),
        when=(at("trigger", "ygo:order.choice.1", phrase("no effect of yours waits"), "hand"),),
        allows=("ygo:order.choice.1",), which="ygo:order.choice.1",
    ),
    reply(
        "process", "ygo:order.phase.2", "does what {card} says next", "trigger",
        "nothing is due", which="ygo:order.phase.2",
    ),
    reply(
        "decline", "ygo:order.list.3", "activates nothing", "trigger", "no effect of yours waits",
        idle=True,
    ),
    Row(
        name="pass", label="does nothing", at=("window", "chain", "hand"),
        when=(effects.your_move,), allows=_passing, passes=True,
    ),
    reply(
        "make", "ygo:fusion.steps.2", "makes it of {}", "summon", "nothing is being summoned",
        allows=specials.makes, parts=("material", "material-2"),
    ),
    reply(
        "lack", "ygo:fusion.choice.3", "lacks what it is made with", "summon",
        "nothing is being summoned", allows=specials.lacks,
        unasked=("what it is made with is there", "ygo:chain.resolve.1"),
    ),
    reply(
        "place", "ygo:special.default.3", "places {card} in {position} position", "position",
        "nothing is to be placed", parts=("position",),
    ),
    reply("discard", "ygo:end.hand.2"),
    reply("choose", "ygo:golden.card.1"),
    reply("order", "ygo:golden.card.1"),
    reply("mode", "ygo:golden.card.1"),
    reply("yes", "ygo:golden.card.1"),
    reply("no", "ygo:golden.card.1"),
    reply(
        "resolve", "ygo:order.choice.1", "does {card} next", "order", "nothing is to be ordered",
        which="ygo:order.choice.1",
    ),
    Word("replacement", "{card} instead"),
    declaring(
        "declares what {card} does", TERMS, declaration_faults,
        effects.declarable, follow_up, unread=UNREAD,
    ),
    unnamed("does something with {card}", ANYTIME, uses.cards),
    *SURRENDER,
    *LAYING,
    SIDE.row("makes the list anew"),
    # what people try
    Row(
        name="redraw",
        checks=(never("ygo:base.setup.3", "a first hand is never drawn again"),),
    ),
)  # fmt: skip

ACTS = Acts(
    ROWS,
    questions={kind: Question() for kind in ANYTIME},
    picks=PICKS,
    unasked=_unasked,
    which="ygo:main1.effect.1",
    over="ygo:base.loss.1",
    seats="ygo:base.match.1",
    unknown="ygo:main1.phase.2",
    type_of=_type,
)
