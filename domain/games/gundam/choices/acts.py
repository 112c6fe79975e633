"""The acts of the Gundam Card Game: their table, which `kit.choices.acts` reads.

A row's checks stand in the order in which a judge asks (`legal`, `timing`); what carries an act out
is in the chapter that has it. Steps ask with the offers of this table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from domain.effects.constant.silence import in_force
from domain.effects.select import Running
from domain.engine.rulebook import Refusal
from domain.engine.signals import unknown
from domain.engine.table import Table
from domain.games.gundam.choices import costs
from domain.games.gundam.choices.declare import activate, declare_attack, declare_block
from domain.games.gundam.choices.legal import (
    OWN_ORDER,
    affordable,
    attack_targets,
    attackable,
    attacker,
    blocker,
    conditions,
    free_host,
    has_target,
    hosts,
    in_hand,
    level_reached,
    not_in_action_step,
    of_type,
    peek,
    pilotable,
    points,
    reorder,
    stated_timing,
    supporter,
    unpairable,
    way_open,
    works_here,
)
from domain.games.gundam.choices.play import payable, play
from domain.games.gundam.choices.timing import (
    ACTION,
    answering,
    ending,
    idle,
    next_in_line,
    nothing_waits,
    own_main,
    passing,
    timing,
)
from domain.games.gundam.effects import figures
from domain.games.gundam.effects.figures import facts
from domain.games.gundam.effects.keywords import support
from domain.games.gundam.effects.prices import has_texts, price, running, ways
from domain.games.gundam.effects.texts import PRINTED, TERMS, follow_up
from domain.games.gundam.lists import cards as catalogue
from domain.games.gundam.lists.deck import SIDE
from domain.games.kit.choices.acts import Acts, Question
from domain.games.kit.choices.legality import asked, never, redraw_once, refuse
from domain.games.kit.choices.rows import (
    Asking,
    Pick,
    Row,
    Sentence,
    concession,
    declaring,
    end_step,
    reply,
    texts_of,
    unnamed,
)
from domain.record.decisions import Act, Misfit, Part
from domain.record.position import Position, zone_of
from domain.record.schema.manifest import Word

# -- with which cards ------------------------------------------------------------------------------


def hand(asking: Asking) -> Iterator[int]:
    """The cards of his hand that he has the level and the resources for.

    Most cards, most of the time, are not worth all the questions.
    """
    p, active = asking.p, len(asking.pools[0])
    there = len(p.zone("resource", asking.seat))
    for card in p.zone("hand", asking.seat):
        if asking.strangers and unknown(p, card):
            yield card
            continue
        print_ = facts(p, card)
        if (print_.lv <= there and print_.cost <= active) or has_texts(p, card):
            yield card


#: What `hand` has looked at, or `_possible`.
OF_HAND = (in_hand, way_open, level_reached, affordable)


def _possible(asking: Asking, act: Act) -> bool:
    """Whether a card whose own texts change its price can be played so, as for that."""
    checks = (way_open, level_reached, affordable)
    return all(check(asking.t, asking.seat, act) is None for check in checks)


def _ways(kind: str) -> Callable[[Asking, int], Iterator[str]]:
    """The ways to play a card: as usual, and those that its own texts make."""

    def texts(asking: Asking, card: int) -> Iterator[str]:
        if not has_texts(asking.p, card):
            yield ""
            return
        for way in ("", *ways(asking.p, card)):
            if _possible(asking, Act(kind, card, (), way)):
                yield way

    return texts


def _commands(asking: Asking, card: int) -> Iterator[str]:
    """The command effects of a card, and the ways to play it that its own texts make."""
    named = COMMANDS(asking, card)
    if not has_texts(asking.p, card):
        yield from named
        return
    for text in (*named, *ways(asking.p, card)):
        if _possible(asking, Act("command", card, (), text)):
            yield text


def field(asking: Asking) -> Iterator[int]:
    """His Units and his Base, and what has texts apart from them."""
    for zone in ("battle", "base"):
        yield from asking.p.zone(zone, asking.seat)
    yield from figures.apart(asking.p, asking.seat)


def units(asking: Asking) -> list[int]:
    """His Units."""
    return asking.p.zone("battle", asking.seat)


def supporters(asking: Asking) -> list[int]:
    """His Units with Support."""
    p = asking.p
    return [unit for unit in p.zone("battle", asking.seat) if p.cards[unit].stats.get("support")]


COMMANDS = texts_of(figures.own_effects, "command")
ACTIVATED = texts_of(
    partial(in_force, TERMS), "activated", lambda p, effect: timing(p) in effect.at
)


# -- what is picked --------------------------------------------------------------------------------


def _sentences(text: str, rule: str) -> dict[str, Sentence]:
    """The sentences for a part that asks for a number of picks: zero is no number."""
    return {"": (text, rule), "none": (text, rule, "gcg:1-3-5", "reading:gcg/6")}


def _cost(asking: Asking, card: int, text: str) -> Iterator[Part]:
    p = asking.p
    cost = price(PRINTED, p, card, text).cost
    yield Part("pay", 0, cost, cost)
    if text and text in ways(p, card):
        yield from costs.parts(asking, running(text, TERMS.effect(p, text), card, asking.seat))


def _price(asking: Asking, card: int, text: str) -> Iterator[Part]:
    effect = TERMS.effect(asking.p, text)
    n = points(effect)
    if n:
        yield Part("pay", 0, n, n)
    yield from costs.parts(asking, Running(0, text, effect, card, asking.seat, 0))


def _hosts(asking: Asking, card: int, text: str) -> Iterator[Part]:
    yield asking.part("host", hosts(asking.p, asking.seat, card, text))


def _friends(asking: Asking, card: int, text: str) -> Iterator[Part]:
    friends = tuple(u for u in asking.p.zone("battle", asking.seat) if u != card)
    yield asking.part("support", friends)


def _targets(asking: Asking, card: int, text: str) -> Iterator[Part]:
    yield asking.part("target", tuple(attack_targets(asking.t, asking.seat, card)))


def _has_pilot(t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal | None:
    p = t.pos
    picked = [n for pick in act.picks for n in pick if isinstance(n, int) and p.present(n)]
    if any(p.cards[n].attached for n in picked):
        return refuse("that Unit has a Pilot already", "gcg:6-5-2-3-3", fault="BAD_PICKS")
    barred = (unpairable(p, n) for n in picked if n in p.zone("battle", seat))
    if refused := next((one for one in barred if one is not None), None):
        return refused
    if not act.effect and isinstance(act.card, int):
        others = set(picked).difference(hosts(p, seat, act.card))
        found = [
            way for way in ways(p, act.card) if others.intersection(hosts(p, seat, act.card, way))
        ]
        if found:
            text = "with that Unit it is played as its text says: name that"
            return refuse(text, *(f"card:{way}" for way in found), fault="BAD_PICKS")
    return None


def _no_target(t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal | None:
    if isinstance(act.card, int) and act.picks and act.picks[0]:
        return attackable(t, seat, act.card, act.picks[0][0])
    return None


def _lower_shield(t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal | None:
    """Of a stack of shields from which one may be picked another is, that lies lower."""
    p, offer = t.pos, t.asked.offers.get(seat)
    pool = {ref for members in offer.pools for ref in members} if offer is not None else set()
    stacks = {p.cards[ref].place for ref in pool if isinstance(ref, int) and p.present(ref)}
    other = {ref for pick in act.picks for ref in pick if isinstance(ref, int)} - pool
    places = {p.cards[ref].place for ref in other if p.present(ref)} & stacks
    if any(place.startswith("shield/") for place in places):
        return refuse("only the topmost shields can be picked", "gcg:3-6-4-1", fault="BAD_PICKS")
    return None


def _for_an_effect(t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal | None:
    """A discard for an effect is no hand limit."""
    if t.pos.step != "end/hand":
        return refuse(DISCARD, "gcg:9-3-4", fault="BAD_PICKS")
    return None


FOE = "one target: the opposing player, or a rested Unit of his"
DISCARD = "exactly as many cards of your hand as are asked for"
#: The sentences for parts of any act, and at last of any part.
PICKS = (
    Pick("", why=_lower_shield),
    Pick("pay", {"": ("pay with exactly the cost, from your active resources", "gcg:2-9-1")}),
    Pick(
        "host",
        {"": ("one Unit of your Battle Area without a Pilot", "gcg:6-5-2-3-1")},
        why=_has_pilot,
    ),
    Pick("support", _sentences("one other friendly Unit", "gcg:11-1-3-2")),
    Pick("trash", _sentences("exactly as many Units as are over the limit", "gcg:10-4-2")),
    Pick("discard", _sentences(DISCARD, "gcg:6-6-4-1"), why=_for_an_effect),
    Pick("order", _sentences("every card once, in the order you want", "gcg:3-1-6")),
    Pick("mode", _sentences("one of the ways the text gives", "gcg:9-3-3")),
    Pick("text", _sentences("a list of clauses, as JSON", "house:declared")),
    Pick(
        "",
        {
            "none": (
                "as many as possible must be chosen", "gcg:9-3-4", "gcg:1-3-5", "reading:gcg/6"
            ),
            "too few": ("as many as possible must be chosen", "gcg:9-3-4"),
            "too many": ("no more than the text says", "gcg:9-3-4"),
            "repeated": ("each at most once", "gcg:9-3-4"),
            "": ("what the text specifies, and nothing else",),
        },
    ),
)  # fmt: skip


# -- by which rule ---------------------------------------------------------------------------------

PLAYED = {
    "unit": ("gcg:6-5-2-1-1",),
    "base": ("gcg:6-5-2-2-1",),
    "pilot": ("gcg:6-5-2-3-1",),
    "command": ("gcg:6-5-2-3-5",),
}


def _played_rules(t: Table, seat: int, act: Act) -> tuple[str, ...]:
    assert isinstance(act.card, int)
    return PLAYED[facts(t.pos, act.card).type]


def _by_step(main: tuple[str, ...], action: tuple[str, ...]) -> Callable[..., tuple[str, ...]]:
    return lambda t, seat, act: main if t.pos.step == "main" else action


def _redraws(p: Position, seat: int) -> tuple[str, ...]:
    return ("gcg:5-2-1-6" if p.mark(f"seat/{seat}", "first") else "gcg:5-2-1-7",)


def _redraw_rules(t: Table, seat: int, act: Act) -> tuple[str, ...]:
    return _redraws(t.pos, seat)


def _discard_rules(t: Table, seat: int, act: Act) -> tuple[str, ...]:
    return ("gcg:6-6-4-1" if t.pos.step == "end/hand" else "gcg:4-11-1",)


def _not_asked(t: Table, seat: int, act: Act) -> Refusal:
    decision = t.pos.decision
    if decision is not None and seat not in decision.seats:
        text = "the other player is to decide first: {asked}"
        return refuse(text, "gcg:1-3-4", asked=asked(t))
    if decision is not None and decision.kind in ("main", "action"):
        right = "gcg:8-4" if seat == t.pos.turn_seat else "gcg:8-3"
        return refuse("that is not possible now", "gcg:6-5-1" if decision.kind == "main" else right)
    return refuse("something else is asked: {asked}", "gcg:6-5-1", "gcg:6-1-3", asked=asked(t))


# -- what carries it out ---------------------------------------------------------------------------


def _reorder(t: Table, seat: int, act: Act) -> None:
    """Cards of an area of one's own are put in another order, where the book lets one (3-1-4)."""
    place, order = str(act.card), [n for pick in act.picks for n in pick if isinstance(n, int)]
    t.order(place, order, "tidy", OWN_ORDER[zone_of(place)])


def _own_areas(p: Position, seat: int) -> Iterator[Act]:
    return (Act("reorder", f"{zone}/{seat}") for zone in OWN_ORDER)


# -- the table -------------------------------------------------------------------------------------

MAIN = own_main("gcg:6-5-1")
EITHER = ("main", "action")
PAY = Pick("pay", parts=_cost)
#: What is picked for what comes first, beside Resources.
GIVEN = tuple(
    Pick(name, {"": ("as many cards as it says, of those that it asks for", costs.RULE)})
    for name in costs.WAYS
)
PARTS = ("pay", *costs.WAYS)

ROWS: tuple[Row | Word, ...] = (
    reply("first", "gcg:5-2-1-4"),
    reply("second", "gcg:5-2-1-4"),
    Row(
        name="redraw", label="redraws", at=("redraw",),
        when=(redraw_once("gcg:5-2-1-6", _redraws),), allows=_redraw_rules,
    ),
    reply(
        "keep", "gcg:5-2-1-6", "keeps the hand", "redraw",
        "it is not yours to keep or redraw now", allows=_redraw_rules, idle=True,
    ),
    Row(
        name="deploy", label="deploys {card}", at=("main",), against=("action",),
        cards=hand, types=("unit", "base"), texts=_ways("deploy"), picks=(PAY, *GIVEN), parts=PARTS,
        when=(nothing_waits, MAIN),
        checks=(
            in_hand, of_type("gcg:4-8-1", "unit", "base"), way_open, level_reached, affordable,
        ),
        met=OF_HAND,
        allows=_played_rules, do=play, play_anyway=play,
    ),
    Row(
        name="pair", label="pairs {card} with {host}", at=("main",), against=("action",),
        cards=hand, types=("pilot", "command"), texts=_ways("pair"),
        picks=(Pick("host", parts=_hosts), PAY, *GIVEN), parts=("host", *PARTS),
        when=(nothing_waits, not_in_action_step, MAIN),
        checks=(in_hand, pilotable, free_host, way_open, level_reached, affordable),
        met=OF_HAND,
        allows=_played_rules, do=play, play_anyway=play,
    ),
    Row(
        name="command", label="plays {card}", at=EITHER,
        cards=hand, types=("command",), texts=_commands, picks=(PAY, *GIVEN), parts=PARTS,
        when=(nothing_waits,),
        checks=(
            in_hand, of_type("gcg:9-1-8-1", "command"), stated_timing, way_open,
            level_reached, affordable, has_target,
        ),
        met=OF_HAND,
        allows=_by_step(("gcg:6-5-2-4-1", "gcg:11-2-3-2"), ("gcg:8-3-1", "gcg:11-2-4-2")),
        do=play, play_anyway=play,
    ),
    Row(
        name="activate", label="activates {card}", at=EITHER,
        cards=field, texts=ACTIVATED, picks=(Pick("pay", parts=_price), *GIVEN), parts=PARTS,
        when=(nothing_waits,), checks=(works_here, stated_timing, conditions, has_target),
        allows=_by_step(("gcg:6-5-3-1", "gcg:11-2-1-1"), ("gcg:8-3-2", "gcg:11-2-2-1")),
        do=activate, play_anyway=activate,
    ),
    Row(
        name="support", label="supports with {card}", at=("main",),
        cards=supporters, picks=(Pick("support", parts=_friends),),
        when=(nothing_waits, own_main("gcg:11-1-3-1")), checks=(supporter,),
        allows=("gcg:11-1-3-1",), do=support,
    ),
    Word("replacement", "{card} instead"),
    Row(
        name="attack", label="attacks {target} with {card}", at=("main",),
        cards=units, picks=(Pick("target", {"": (FOE, "gcg:7-3-1")}, _targets, _no_target),),
        when=(nothing_waits, own_main("gcg:7-1")), checks=(attacker,),
        allows=("gcg:6-5-4-1", "gcg:7-1"), do=declare_attack,
    ),
    Row(
        name="end", label="ends the main phase", at=("main",), idle=True,
        when=(ending,), allows=("gcg:6-5-5-1",), do=end_step,
    ),
    Row(
        name="block", label="blocks with {card}", at=("block",), cards=units,
        when=(nothing_waits,), checks=(blocker,), allows=("gcg:7-4-1",), do=declare_block,
    ),
    reply("no-block", "gcg:7-4-4", "no block", "block", "there is nothing to block", passes=True),
    Row(
        name="pass", label="passes", at=("action",), passes=True,
        when=(passing,), allows=("gcg:8-3-3",),
    ),
    reply(
        "burst", "gcg:9-1-6-2", "activates the Burst of {card}", "burst",
        "no Burst has been turned up for you", allows=("gcg:11-2-5-2",), check=answering,
    ),
    reply(
        "decline", "gcg:11-2-5-3", "declines", "burst", "there is no Burst to decline",
        check=answering, idle=True,
    ),
    reply("yes", "gcg:9-1-3", check=answering),
    reply("no", "gcg:9-1-3", check=answering),
    reply("choose", "gcg:9-3-3", check=answering),
    reply("discard", "gcg:4-11-1", allows=_discard_rules, check=answering),
    reply("order", "gcg:3-1-6", check=answering),
    Row(
        name="resolve", label="resolves {card} next", at=("order",),
        checks=(next_in_line,), allows=("gcg:9-1-6-5",),
    ),
    reply("mode", "gcg:9-3-3", check=answering),
    reply("trash", "gcg:10-4-2", "trashes {}", "excess", "no room is to be made"),
    declaring(
        "declares what {card} does", TERMS, catalogue.declaration_faults, idle,
        follow_up, ACTION.hold, catalogue.UNREAD,
    ),
    unnamed("does something with {card}", EITHER, hand),
    concession("concedes", "gcg:1-2-3", "gcg:1-2-3", "gcg:1-2-4"),
    Row(
        name="reorder", label="tidies {place}",
        checks=(reorder,), allows=lambda t, seat, act: (OWN_ORDER[zone_of(str(act.card))],),
        do=_reorder, stands=_own_areas,
    ),
    # what people try
    Row(name="unpair", checks=(never("gcg:6-5-2-3-3-1", "a Pilot can't be detached at will"),)),
    Row(name="swap", checks=(never("gcg:6-5-2-3-3-1", "a Pilot can't be exchanged at will"),)),
    Row(name="trigger", checks=(never("gcg:9-1-6-2", "it triggers by itself or not at all"),)),
    Row(name="look", checks=(peek,)),
)  # fmt: skip


def _acts(*more: Row) -> Acts:
    return Acts(
        (*ROWS, *more),
        questions={"main": Question(payable), "action": Question(payable), "block": Question()},
        picks=PICKS,
        unasked=_not_asked,
        which="gcg:9-3-1-2",
        over="gcg:1-2-1",
        seats="gcg:1-1-1",
        unknown="gcg:6-5-1",
        type_of=lambda p, card: facts(p, card).type,
    )


ACTS = _acts()
#: Those of later editions, whose matches may be played with sideboards.
LATER = _acts(SIDE.row("makes the list anew"))
