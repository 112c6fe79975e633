"""The acts of Hollow Flux: their table, which `kit.choices.acts` reads.

A row's checks stand in the order in which a judge asks (`legal`); what carries an act out is in the
chapter that has it, and waits there for its turn. Steps ask with the offers of this table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from domain.effects.constant.silence import in_force
from domain.effects.select import Running
from domain.engine.rulebook import Refusal, go
from domain.engine.signals import Play, unknown
from domain.engine.table import Table
from domain.games.hollow_flux.choices.declare import declare_attack, declare_defence
from domain.games.hollow_flux.choices.legal import (
    affordable,
    aimable,
    art_matched,
    attack_targets,
    attacker,
    defender,
    extra_draw,
    in_play,
    in_reach,
    instead,
    main_or_window,
    no_target,
    nothing_resolves,
    own_main,
    peek,
    resolving,
    set_rules,
    usable,
)
from domain.games.hollow_flux.choices.play import (
    MARKER,
    activate,
    aims_of,
    cost_pool,
    hosts,
    payable,
    picked_costs,
    play,
)
from domain.games.hollow_flux.effects import figures
from domain.games.hollow_flux.effects.figures import facts, print_of
from domain.games.hollow_flux.effects.texts import TERMS, follow_up
from domain.games.hollow_flux.flow.reload import draw
from domain.games.hollow_flux.flow.windows import WINDOW
from domain.games.hollow_flux.lists import cards as catalogue
from domain.games.kit.choices.acts import Acts, Question
from domain.games.kit.choices.legality import never, refuse
from domain.games.kit.choices.rows import (
    AS_PRINTED,
    Asking,
    Do,
    Pick,
    Row,
    concession,
    declaring,
    end_step,
    redrawing,
    reply,
    texts_of,
    unnamed,
    usual_picks,
)
from domain.record.decisions import Act, Misfit, Part
from domain.record.position import Position
from domain.record.schema.manifest import Word

# -- with which cards ------------------------------------------------------------------------------


def in_reach_of(asking: Asking) -> Iterator[int]:
    """The cards of his hand and guard deck that he can pay for.

    Most cards, most of the time, are not worth all the questions.
    """
    p, seat, most = asking.p, asking.seat, len(asking.pools[0])
    for number in (*p.zone("hand", seat), *p.zone("guard", seat)):
        cost = print_of(p, p.cards[number]).cost
        if cost <= most or (asking.strangers and unknown(p, number)):
            yield number


def own_cards(asking: Asking) -> Iterator[int]:
    """The cards that he controls on the battlefield."""
    p = asking.p
    return (n for n in p.zone("battlefield") if p.cards[n].controller == asking.seat)


def own_characters(asking: Asking) -> Iterator[int]:
    """His characters."""
    return iter(figures.characters(asking.p, asking.seat))


def _played_texts(asking: Asking, card: int) -> Iterator[str]:
    print_ = facts(asking.p, card)
    if print_.type != "command":
        return iter(("",))
    return figures.stock(asking.p).named(print_.id, "command")


ABILITIES = texts_of(partial(in_force, TERMS), "activated")


# -- what is picked --------------------------------------------------------------------------------


def _aims(asking: Asking, card: int, text: str) -> Iterator[Part]:
    """The targets that a text asks for when it is declared (hf:target.def.1)."""
    if text:
        run = Running(0, text, TERMS.effect(asking.p, text), card, asking.seat, 0)
        for part, pool in aims_of(asking.t, run):
            yield asking.part(part.name, tuple(pool), part.low, part.high)


def _hosts(asking: Asking, card: int, text: str) -> Iterator[Part]:
    print_ = facts(asking.p, card)
    if print_.type == "set":
        yield asking.part("host", hosts(asking.p, asking.seat, print_.host))


def _cost(asking: Asking, card: int, text: str) -> Iterator[Part]:
    cost = facts(asking.p, card).cost
    if cost:
        yield Part("pay", 0, cost, cost)


def _costs(asking: Asking, card: int, text: str) -> Iterator[Part]:
    """The costs in brackets, part by part (hf:key.act.7)."""
    for cost in picked_costs(TERMS.effect(asking.p, text)):
        pool = cost_pool(asking.p, asking.seat, cost, card)
        low, high = (0, len(pool)) if cost.x else (cost.n, cost.n)
        yield asking.part(cost.do, pool, low, high)


def _targets(asking: Asking, card: int, text: str) -> Iterator[Part]:
    yield asking.part("target", tuple(attack_targets(asking.t, asking.seat)))


def _no_host(t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal | None:
    """A set card's own words come first."""
    if not isinstance(act.card, int):
        return None
    return refuse(HOST, *set_rules(facts(t.pos, act.card)), fault="BAD_PICKS")


def _no_marker(t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal | None:
    if any(MARKER in pick for pick in act.picks) and not t.pos.counters(f"seat/{seat}", MARKER):
        text = "the marker is spent, or was never yours"
        return refuse(text, "hf:setup.marker.2", "hf:energy.pay.1", fault="BAD_PICKS")
    return None


def _hand_limit(t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal | None:
    if t.pos.step == "discard":
        return refuse(DISCARD, "hf:turn.discard.1", fault="BAD_PICKS")
    return None


HOST = "one character or world set on the battlefield"
DISCARD = "as many cards of your hand as are asked for"
#: The sentences for parts of any act, and at last of any part.
PICKS = (
    Pick(
        "pay",
        {"": ("one active energy of yours for each point, the marker once", "hf:energy.pay.1")},
        why=_no_marker,
    ),
    Pick("carnage", {"": ("one card of your damage field for each point", "hf:carn.cost.1")}),
    Pick("trash", {"": ("what stands in brackets, exactly", "hf:key.act.6")}),
    Pick("host", {"": (HOST, "hf:target.set.1")}, why=_no_host),
    Pick("hurt", {"": ("as many of your guard cards as there is damage", "hf:damage.player.1")}),
    Pick("reload", {"": ("two of your guard cards", "hf:reload.step.1")}),
    Pick("discard", {"": (DISCARD, "hf:prep.guard.5")}, why=_hand_limit),
    Pick("lift", {"": ("every effect once, in the order you want", "hf:turn.end.5")}),
    *usual_picks(),
    Pick(
        "sky-arms",
        {
            "too many": ("one sky-arms card and no more", "hf:key.sky.3"),
            "too few": ("the list is legal with it only", "hf:key.sky.4"),
            "": ("a sky-arms card of your guard deck that your deck fits", "hf:key.sky.1"),
        },
    ),
    Pick("secret-art", {"": ("cards of your guard deck", "hf:key.secret.1")}),
    Pick("target", {"": ("what the text says may be its target", "hf:target.command.1")}),
    Pick("", {"": AS_PRINTED}),
)


# -- by which rule ---------------------------------------------------------------------------------


def _in_window(t: Table) -> bool:
    return t.pos.decision is not None and t.pos.decision.kind == "window"


def _played_rules(t: Table, seat: int, act: Act) -> tuple[str, ...]:
    when = "hf:inter.act.1" if _in_window(t) else "hf:turn.main.4"
    guard = isinstance(act.card, int) and t.pos.cards[act.card].place.startswith("guard")
    return (when, "hf:play.when.1", *(("hf:prep.guard.4",) if guard else ()))


def _used_rules(t: Table, seat: int, act: Act) -> tuple[str, ...]:
    return ("hf:inter.act.2" if _in_window(t) else "hf:turn.main.3", "hf:key.act.1")


def _discard_rules(t: Table, seat: int, act: Act) -> tuple[str, ...]:
    return ("hf:turn.discard.1",) if t.pos.step == "discard" else ("hf:prep.guard.5",)


def _not_asked(t: Table, seat: int, act: Act) -> Refusal:
    decision = t.pos.decision
    if decision is not None and seat not in decision.seats:
        text = "the other player is to decide first{instead}"
        return refuse(text, "hf:inter.open.1", instead=instead(t))
    rule = "hf:inter.open.1" if _in_window(t) else "hf:turn.main.1"
    return refuse("that is not possible now{instead}", rule, instead=instead(t))


# -- what carries it out ---------------------------------------------------------------------------

Declare = Callable[[Table, int, Act], None]


def _answerable(declare: Declare, cause: str) -> Do:
    """It is declared, in the main phase as the first of several, and may be answered."""

    def do(t: Table, seat: int, act: Act) -> Play:
        first = t.pos.step == "main"
        if first:
            WINDOW.begin(t, cause)
        declare(t, seat, act)
        if first:
            yield from WINDOW.open(t)

    return do


def _against_rules(declare: Declare, cause: str) -> Do:
    """It is declared against the rules, and may be answered like any other."""

    def do(t: Table, seat: int, act: Act) -> Play:
        if t.pos.step not in ("main", "window"):
            raise ValueError(f"{act.kind!r} can't be done during this decision")
        if t.pos.step == "main":
            WINDOW.begin(t, cause)
        declare(t, seat, act)
        yield from WINDOW.open(t)

    return do


def _no_defence(t: Table, seat: int, act: Act) -> None:
    go(t, "attack/damage", "hf:combat.damage.1")


EXTRA_DRAW = ("hf:carn.draw.1", "hf:carn.use.1")


def _draw(t: Table, seat: int, act: Act) -> Play:
    """A card of the damage field for a new one; then what may be done has changed."""
    assert isinstance(act.card, int)
    frame = t.open_frame("extra-draw", *EXTRA_DRAW, seat=seat)
    t.move([act.card], f"trash/{seat}", "extra-draw", *EXTRA_DRAW)
    yield from draw(t, [seat], 1, *EXTRA_DRAW)
    t.close_frame(frame, *EXTRA_DRAW)
    return True


def _draws(p: Position, seat: int) -> list[Act]:
    may = p.turn and not resolving(p)
    return [Act("extra-draw", n) for n in p.zone("damage", seat) if n] if may else []


# -- the table -------------------------------------------------------------------------------------

EITHER = ("main", "window")

ROWS: tuple[Row | Word, ...] = (
    reply("first", "hf:setup.order.1"),
    reply("second", "hf:setup.order.1"),
    reply(
        "face-up", "hf:key.secret.1", "faces up {}", "face-up", "only at game start",
        allows=("hf:key.secret.1", "hf:key.sky.1"), parts=("sky-arms", "secret-art"),
        unasked=(
            "nothing of that is yours to face up", "hf:key.sky.1", "hf:key.secret.1"
        ),
    ),
    *redrawing("hf:setup.redraw.1", lambda p, seat: ("reading:hf/A19", "hf:setup.redraw.1")),
    reply("place", "hf:turn.energy.1", "places an energy", "energy", "only in your energy phase"),
    reply(
        "skip", "hf:turn.energy.1", "places no energy", "energy", "only in your energy phase",
        idle=True,
    ),
    Row(
        name="play", label="plays {card}", at=EITHER,
        cards=in_reach_of, texts=_played_texts,
        picks=(Pick("target", parts=_aims), Pick("host", parts=_hosts), Pick("pay", parts=_cost)),
        when=(main_or_window("hf:play.when.1", "hf:inter.open.1"),),
        checks=(in_reach, art_matched, aimable, affordable),
        allows=_played_rules, do=_answerable(play, "hf:inter.cause.3"),
        play_anyway=_against_rules(play, "hf:inter.cause.3"),
        which="hf:card.command.1",
    ),
    Row(
        name="activate", label="uses {card}", at=EITHER,
        cards=own_cards, texts=ABILITIES,
        picks=(
            Pick(
                "target",
                {"": ("what the text says may be its target", "hf:target.act.1")},
                parts=_aims,
            ),
            Pick("cost", parts=_costs),
        ),
        parts=("target", "pay", "carnage", "trash", "discard"),
        when=(main_or_window("hf:turn.main.3", "hf:inter.open.1"),), checks=(in_play, usable),
        allows=_used_rules, do=_answerable(activate, "hf:inter.cause.5"),
        play_anyway=_against_rules(activate, "hf:inter.cause.5"),
    ),
    Word("replacement", "{card} instead"),
    Row(
        name="attack", label="attacks {target} with {card}", at=("main",),
        cards=own_characters, picks=(Pick("target", parts=_targets, why=no_target),),
        when=(own_main("hf:combat.attack.1", "hf:turn.main.2"),), checks=(attacker,),
        allows=("hf:turn.main.2", "hf:combat.attack.1"), do=declare_attack,
    ),
    Row(
        name="end", label="ends the main phase", at=("main",), idle=True,
        when=(own_main("hf:turn.main.1", "hf:turn.order.1"),),
        allows=("hf:turn.main.1",), do=end_step,
    ),
    Row(
        name="defend", label="defends with {card}", at=("defend",), cards=own_characters,
        checks=(defender,), allows=("hf:combat.defend.1",), do=declare_defence,
    ),
    reply(
        "no-defence", "hf:combat.defend.1", "does not defend", "defend",
        "there is nothing to defend against", do=_no_defence, passes=True,
    ),
    reply(
        "pass", "hf:inter.open.1", "does nothing", "window",
        "the interruption timing is not yours", allows=("hf:inter.pass.1",), passes=True,
    ),
    reply(
        "continue", "reading:hf/A1", "lets it go on", "continue", "nothing waits for you",
        passes=True,
    ),
    reply(
        "hurt", "hf:damage.player.1", "takes the damage with {}", "hurt",
        "you have taken no damage",
    ),
    reply(
        "reveal", "hf:key.trigger.1", "reveals {card}", "trigger", "no damage moves that card",
        which="hf:key.trigger.1",
        unasked=("that card is not the one that moves, or has no trigger", "hf:key.trigger.1"),
    ),
    reply(
        "conceal", "hf:key.trigger.1", "reveals nothing", "trigger",
        "no damage moves a card of yours", passes=True,
    ),
    reply("reload", "hf:reload.step.1", "reloads with {}", "reload", "you do not reload"),
    reply("discard", "hf:turn.discard.1", allows=_discard_rules),
    reply("lift", "hf:turn.end.5", "lifts {}", "lift", "there is nothing for you to order"),
    reply("choose", "hf:target.lost.2", allows=("hf:target.auto.1",)),
    reply("order", "hf:target.parts.2"),
    reply(
        "resolve", "hf:key.auto.3", "carries out {card} next", "order",
        "the order is not yours to decide", which="hf:key.auto.3",
    ),
    reply("mode", "hf:target.parts.2"),
    reply("yes", "hf:key.auto.1"),
    reply("no", "hf:key.auto.1"),
    declaring(
        "declares what {card} does", TERMS, catalogue.declaration_faults, nothing_resolves,
        follow_up,
    ),
    Row(
        name="extra-draw", label="draws a card for {card}",
        checks=(extra_draw,), allows=EXTRA_DRAW, do=_draw, stands=_draws,
    ),
    Word("phase-end", "{card} ends the phase"),
    unnamed("does something with {card}", EITHER, in_reach_of),
    concession("concedes", "house:concede"),
    # what people try
    Row(
        name="take",
        checks=(never("hf:prep.guard.3", "guard cards never join the hand by themselves"),),
    ),
    Row(name="look", checks=(peek,)),
)  # fmt: skip

ACTS = Acts(
    ROWS,
    questions={
        "main": Question(payable),
        "window": Question(payable, kept=False),
        "defend": Question(),
    },
    picks=PICKS,
    unasked=_not_asked,
    which="hf:key.act.1",
    over="hf:over.loss.1",
    seats="house:open",
    unknown="hf:turn.main.1",
)
