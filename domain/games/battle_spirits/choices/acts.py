"""The acts of Battle Spirits: their table, which `kit.choices.acts` reads.

A row's checks stand in the order in which a judge asks (`legal`); what a play costs is in `prices`,
what carries it out in `play`, moving cores in `moves`. Steps ask with the offers of this table.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from domain.effects.language.vocabulary import every
from domain.engine.rulebook import Refusal
from domain.engine.table import Table
from domain.games.battle_spirits.choices import activate, battle, by_text, legal, moves, prices
from domain.games.battle_spirits.choices.play import CHAPTERS, to_field, use
from domain.games.battle_spirits.effects.figures import facts, stock
from domain.games.battle_spirits.effects.instructions.cores import SOUL_BY_NAME, spares_soul
from domain.games.battle_spirits.effects.texts import TERMS, TRIGGERS, follow_up
from domain.games.battle_spirits.lists import cards as catalogue
from domain.games.battle_spirits.manifest import SOUL
from domain.games.kit.choices.acts import Acts, Question
from domain.games.kit.choices.legality import asked, in_hand, of_type, refuse
from domain.games.kit.choices.rows import (
    AS_PRINTED,
    Asking,
    Pick,
    Row,
    concession,
    declaring,
    end_step,
    redrawing,
    reply,
    unnamed,
    usual_picks,
)
from domain.record.decisions import Act, Limits, Misfit
from domain.record.position import Position
from domain.record.schema.manifest import Word

# -- with which cards ------------------------------------------------------------------------------


def hand(asking: Asking) -> Iterator[int]:
    """The cards of the hand."""
    return iter(asking.p.zone("hand", asking.seat))


def used_texts(asking: Asking, card: int) -> Iterator[str]:
    """The texts for which a card is used from the hand."""
    return stock(asking.p).named(facts(asking.p, card).id, "command")


# -- what is picked --------------------------------------------------------------------------------


def _together(placed: bool, asking: Asking, card: int, text: str) -> Limits:
    return prices.together(asking, card, placed)


CORES = "cores of your Reserve and of your cards on the Field, as many as there are"


def _overpaid(
    chapter: str, placed: bool, t: Table, seat: int, act: Act, misfit: Misfit
) -> Refusal | None:
    """The sentence for more cores than the price, by the rule for reduced ones where it is."""
    if misfit.fault not in ("too many", "sum") or not isinstance(act.card, int):
        return None
    names = prices.names(t.pos, seat, act.card, placed)
    picked = dict(zip(names, act.picks, strict=False))
    exiled = [
        prices.exiled_as(t.pos, n) for n in picked.get(prices.EXILE, ()) if isinstance(n, int)
    ]
    costs = prices.price(t.pos, seat, act.card)
    due = costs.due(exiled)
    if len(picked.get(prices.PAY, ())) <= due:
        return None
    reduced = ("bs:2-3-3",) if due < costs.cost else ()
    return refuse(prices.EXACT, *reduced, f"{chapter}-5", fault="BAD_PICKS")


def payment(kind: str, placed: bool) -> tuple[Pick, ...]:
    """The parts of a play, and the sentences for bad picks of each."""
    chapter = CHAPTERS[kind]
    exiled = ("cards with an EX symbol in your Trash", "bs:12-2-1-3-1", f"{chapter}-4")
    most = ("no more than it has reduction symbols", "bs:12-2-1-3-2-1", f"{chapter}-4")
    least = (prices.LEAST, f"{chapter}-6")
    over = partial(_overpaid, chapter, placed)
    pays = Pick(prices.PAY, {"": (CORES, f"{chapter}-5")}, parts=prices.paid, why=over)
    places = Pick(prices.PLACE, {"sum": least, "": (CORES, f"{chapter}-6")}, parts=prices.placed)
    exiles = Pick(prices.EXILE, {"too many": most, "": exiled}, parts=prices.exiled)
    price = Pick(prices.PRICE, {"": (prices.EXACT, f"{chapter}-5")}, why=over)
    return (pays, places, exiles, price) if placed else (pays, exiles, price)


def _soul_taken(t: Table, seat: int, act: Act, misfit: Misfit) -> Refusal | None:
    """The Soul Core moves to a place only if it is picked by its name."""
    if misfit.fault != "unknown pick" or SOUL not in act.picks[0]:
        return None
    texts = [one.effect for one in t.pos.pending.values() if one.resolving and one.effect]
    clauses = every(TERMS.effect(t.pos, texts[-1]).do) if texts else ()
    if any(spares_soul(clause) for clause in clauses):
        return refuse("the text does not name the Soul Core", SOUL_BY_NAME, fault="BAD_PICKS")
    return None


#: The sentences for parts of any act, and at last of any part.
PICKS = (
    Pick(prices.PAY, {"": (CORES, "bs:11-1-1-5")}),
    Pick(prices.PRICE, {"": (prices.EXACT, "bs:11-1-1-5")}),
    Pick(prices.PLACE, {"": (prices.LEAST, "bs:11-1-1-6", "reading:bs/24")}),
    Pick(moves.MOVED, {"none": ("one core or more", "bs:1-4-2-3", moves.RULE),
                        "": ("cores that are there, as many as there are", moves.RULE)}),
    Pick("number", {"": ("a number that is not below 0, and no more than it says", "bs:1-4-5")}),
    *usual_picks("bs:4-1-5"),
    Pick("taken", {"": (*AS_PRINTED, "bs:9-3-2-1")}, why=_soul_taken),
    Pick("", {"": AS_PRINTED}),
)  # fmt: skip


# -- by which rule ---------------------------------------------------------------------------------


def _main_rule(t: Table) -> str:
    return "bs:7-8-1" if t.pos.step == "second-main" else "bs:7-6-1-2-1"


def _played_rules(t: Table, seat: int, act: Act) -> tuple[str, ...]:
    narrow = {"summon": "bs:3-2-1", "deploy": "bs:3-3-1"}.get(act.kind, "bs:3-4-1")
    when = _main_rule(t) if legal.in_main(t.pos, seat) else "bs:12-2-1-5-1"
    soul = ("bs:12-2-1-2-1",) if act.kind == "use-soul" else ()
    return (*soul, CHAPTERS[act.kind], narrow, when)


def _moved_rules(t: Table, seat: int, act: Act) -> tuple[str, ...]:
    return (moves.RULE, _main_rule(t))


def _end_rules(t: Table, seat: int, act: Act) -> tuple[str, ...]:
    return ("bs:7-7-3-2",) if t.pos.step == "attack" else ("bs:7-6-1-2-4", _main_rule(t))


def _brought_rules(t: Table, seat: int, act: Act) -> tuple[str, ...]:
    assert isinstance(act.card, int)
    return (by_text.placing(t.pos, act.card), "reading:bs/24")


def _next_rules(t: Table, seat: int, act: Act) -> tuple[str, ...]:
    """The turn player orders what waits, or whose it all is; and what replaces (bs:9-1-8-1-3)."""
    decision = t.pos.decision
    offer = decision.offers.get(seat) if decision is not None else None
    offered = {(option.card, option.effect) for option in offer.options} if offer else set()
    acts = [act for act in t.pos.waiting() if (act.source, act.effect) in offered]
    return TRIGGERS.order_cites(t.pos, acts) if acts else ("bs:9-1-8-1-3",)


def _not_asked(t: Table, seat: int, act: Act) -> Refusal:
    decision = t.pos.decision
    if decision is not None and seat not in decision.seats:
        text = "the other player is to decide first: {asked}"
        return refuse(text, legal.BY_STEP.get(t.pos.step, "bs:5-3-2"), asked=asked(t))
    rule = legal.BY_STEP.get(t.pos.step, "bs:7-6-1-2-1")
    return refuse("something else is asked: {asked}", rule, asked=asked(t))


def ending(t: Table, seat: int, act: Act) -> Refusal | None:
    """Only a phase that waits for commands is ended by one (bs:7-1-2), by whose turn it is."""
    if seat == t.pos.turn_seat and t.pos.step in (*legal.MAIN_STEPS, "attack"):
        return None
    if seat == t.pos.turn_seat and t.pos.attack is not None:
        return refuse("a battle is going on", "bs:8-1", "bs:7-7-3-2")
    rule = "bs:7-7-3-2" if t.pos.step.startswith("attack") else "bs:7-6-1-2-4"
    return refuse("only the turn player ends a phase of his", rule, "bs:7-1-2")


# -- what carries it out ---------------------------------------------------------------------------


def redraws(p: Position, seat: int) -> tuple[str, ...]:
    """The rule by which one player after the other decides about his first hand."""
    return ("bs:6-2-1-7", "reading:bs/29")


# -- the table -------------------------------------------------------------------------------------

OWN_MAIN = legal.in_own_main("bs:7-6-1-2-1", "bs:7-8-1")
WHEN = (legal.nothing_resolves, OWN_MAIN)
MOVES = (legal.nothing_resolves, legal.in_own_main(moves.RULE, "bs:7-8-1"))
MAGIC = (in_hand("bs:5-12-1"), of_type(facts, "bs:3-4-1", "magic"))
THERE = (moves.on_own_field,)


def _onto_field(name: str, label: str, type_: str, rule: str) -> Row:
    """The row of a play that puts a card of the hand on the Field: of that type, by that rule."""
    met = (in_hand("bs:2-2-2"), of_type(facts, rule, type_))
    return Row(
        name=name, label=label, at=("main",), cards=hand, types=(type_,), met=met,
        picks=payment(name, True), together=partial(_together, True), when=WHEN,
        checks=(*met, legal.barred_from(name), legal.affordable(CHAPTERS[name], placed=True)),
        allows=_played_rules, do=to_field, steady=True, meets=True, play_anyway=to_field,
    )  # fmt: skip


ROWS: tuple[Row | Word, ...] = (
    reply("first", "bs:6-2-1-6"),
    reply("second", "bs:6-2-1-6"),
    *redrawing("bs:6-2-1-7", redraws),
    _onto_field("summon", "summons {card}", "spirit", "bs:3-2-1"),
    _onto_field("deploy", "deploys {card}", "nexus", "bs:3-3-1"),
    Row(
        name="use", label="uses {card}", at=("main", "flash"), cards=hand, types=("magic",),
        texts=used_texts,
        picks=payment("use", False), together=partial(_together, False),
        when=(legal.nothing_resolves, legal.priority),
        checks=(*MAGIC, legal.timely, legal.barred_from("use"),
                legal.affordable("bs:11-3-1", placed=False)), met=MAGIC,
        allows=_played_rules, do=use, play_anyway=use, which="bs:9-1-7-1-3",
        steady=True, meets=True,
    ),
    Row(
        name="use-soul", label="uses {card} with the Soul Core", at=("main", "flash"),
        cards=hand, types=("magic",), texts=used_texts,
        when=(legal.nothing_resolves, legal.priority),
        checks=(*MAGIC, legal.timely, legal.soul_magic, legal.barred_from("use")), met=MAGIC,
        allows=_played_rules, do=use, play_anyway=use, which="bs:9-1-7-1-3",
    ),
    activate.ROW,
    Row(
        name="place-cores", label="places cores on {card}", at=("main",), cards=moves.own_field,
        picks=(Pick(moves.MOVED, parts=moves.of_reserve),), together=moves.as_many_of_reserve,
        when=MOVES, met=THERE, checks=(*THERE, moves.cores_in_reserve), allows=_moved_rules,
        do=moves.place_cores, meets=True, free=True, play_anyway=moves.place_cores,
    ),
    Row(
        name="move-cores", label="moves cores from {card} to {target}", at=("main",),
        cards=moves.own_field,
        picks=(
            Pick(moves.TARGET, {"": ("your Reserve, or another card on your Field", moves.RULE)},
                 parts=moves.targets, why=moves.same_place),
            Pick(moves.MOVED, parts=moves.of_card),
        ),
        together=moves.as_many_of_card,
        when=MOVES, met=THERE, checks=(*THERE, moves.cores_on_it), allows=_moved_rules,
        do=moves.move_cores, free=True, steady=True, meets=True, play_anyway=moves.move_cores,
    ),
    Row(
        name="swap", label="swaps the Soul Core with a core of {card}", at=("main",),
        cards=moves.own_field, when=MOVES, met=THERE, checks=(*THERE, moves.swappable),
        allows=_moved_rules, do=moves.swap, free=True, play_anyway=moves.swap,
    ),
    Row(
        name="end-phase", label="ends the phase", at=("main", "attack"), idle=True,
        when=(legal.nothing_resolves, ending, battle.others_attack_first),
        cards=battle.no_card, allows=_end_rules, do=end_step,
    ),
    *battle.ROWS,
    Word("replacement", "{card} instead"),
    reply(
        "bring", "bs:11-1-1-6", "brings in {card}", "cores", "nothing is brought in",
        allows=_brought_rules, parts=("place", "pay"),
    ),
    reply("take", "bs:9-3-2-1", "takes {}", "cores", "no cores are to be picked"),
    reply("number", "bs:1-4-5", "says {}", "number", "no number is asked for"),
    reply("choose", "bs:9-3-2-1"),
    reply("discard", "bs:5-13-1"),
    reply("order", "bs:4-1-5"),
    reply(
        "resolve", "bs:9-1-5-8", "carries out {card} next", "order",
        "the order is not yours to decide", which="bs:9-1-5-7", allows=_next_rules,
    ),
    reply("mode", "bs:9-3-2"),
    reply("yes", "bs:9-1-2"),
    reply("no", "bs:9-1-2"),
    declaring(
        "declares what {card} does", TERMS, catalogue.declaration_faults, legal.between_acts,
        follow_up,
    ),
    unnamed("does something with {card}", ("main", "flash"), hand),
    concession("concedes", "bs:1-3-4"),
)  # fmt: skip

ACTS = Acts(
    ROWS,
    questions={
        "main": Question(prices.pool), "attack": Question(), "flash": Question(prices.pool),
        "block": Question(),
    },
    picks=PICKS,
    unasked=_not_asked,
    which="bs:9-1-7-1-3",
    over="bs:1-3-1",
    seats="bs:1-2-1",
    unknown="bs:7-6-1-2-1",
    type_of=lambda p, card: facts(p, card).type,
)  # fmt: skip
