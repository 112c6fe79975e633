"""6-5-2: playing cards from hand, and entering the field in any way (4-8, 4-9, 10-4, 10-5).

A play is one decision with its payment and its host, legal as a whole (`legal` says why not), so
nothing here can fail half way. Effects deploy and pair through the same procedures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from domain.effects.constant.calculator import texts
from domain.effects.select import Running
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.gundam.choices import costs
from domain.games.gundam.choices.timing import timing
from domain.games.gundam.editions import PLAYED, settings
from domain.games.gundam.effects import figures
from domain.games.gundam.effects.lasting import forbidding
from domain.games.gundam.effects.prices import price, running, ways
from domain.games.gundam.effects.texts import PILOTS, PRINTED, TERMS, perform, rest
from domain.games.gundam.lists.deck import PREPARED, TOKENS
from domain.games.kit.effects.texts import meant
from domain.games.kit.zones import hand
from domain.games.kit.zones.moves import leave
from domain.games.kit.zones.room import Limit, make_room, place_tokens
from domain.record.decisions import Act
from domain.record.position import Position, zone_of
from domain.record.schema import bounds
from domain.record.values import Ref
from domain.words.phrases import phrase


def ex_resources(p: Position, seat: int) -> list[int]:
    """The EX Resources among a player's resources; another token there is none (4-17-5)."""
    tokens = (number for number in p.zone("resource", seat) if p.cards[number].token)
    return [number for number in tokens if figures.facts(p, number).type == "resource"]


def _excess(n: int) -> tuple[str, ...]:
    """10-4: Units over the limit are put into the Trash; that is no destruction."""
    return ("gcg:10-4-2" if n == 1 else "gcg:10-4-2-2", "gcg:10-4-2-1")


UNITS = Limit(
    phrase("units"),
    6,
    "gcg:3-5-2",
    lambda p, seat: p.zone("battle", seat),
    _excess,
    "excess",
    "trash",
)
BASES = Limit(
    phrase("bases"), 1, "gcg:10-5-1", lambda p, seat: p.zone("base", seat),
    lambda n: ("gcg:10-5-2", "gcg:10-5-2-1"),
)  # fmt: skip
RESOURCES = Limit(phrase("resources"), 15, "gcg:3-4-2", lambda p, seat: p.zone("resource", seat))
EX = Limit(phrase("EX Resources"), 5, "gcg:3-4-2-1", ex_resources)
#: The area for each type of card on the field, and its limit.
AREAS: Mapping[str, tuple[str, tuple[Limit, ...]]] = {
    "unit": ("battle", (UNITS,)),
    "base": ("base", (BASES,)),
    "resource": ("resource", (RESOURCES, EX)),
}
EX_BASE, EX_RESOURCE = "EXB-001", "EXR-001"
#: What is picked with a play: Resources, then what the way that it is played in asks for.
Picks = Sequence[Sequence[int]]


def play(t: Table, seat: int, act: Act) -> Play:
    """Carry out a play that is legal: deploy, pair or use a Command."""
    assert isinstance(act.card, int)
    picks = [tuple(n for n in pick if isinstance(n, int)) for pick in act.picks]
    way = act.effect if act.effect in ways(t.pos, act.card) else ""
    match act.kind:
        case "deploy":
            yield from play_to_field(t, seat, act.card, way, picks)
        case "pair":
            yield from play_pilot(t, seat, act.card, picks[0][0], way, picks[1:])
        case "command":
            ref = act.effect if not way else command_of(t.pos, act.card)
            yield from play_command(t, seat, act.card, ref, way, picks)


def play_to_field(t: Table, seat: int, card: int, way: str, picks: Picks) -> Play:
    """6-5-2-1, 6-5-2-2: deploy a Unit or a Base from hand."""
    kind = figures.facts(t.pos, card).type
    rule, steps = PLAYED[kind], settings(t.pos).steps
    frame = yield from declare(t, seat, card, rule, way, picks)
    placed = (rule, *steps[3]) if steps[3] else ()
    yield from deploy(t, [card], seat, "deploy", *placed)
    t.close_frame(frame, rule)


def play_pilot(t: Table, seat: int, card: int, host: int, way: str, picks: Picks) -> Play:
    """6-5-2-3: put a Pilot, or a Command with a pilot effect, beneath a Unit."""
    kind = figures.facts(t.pos, card).type
    rule = "gcg:6-5-2-3-1" if kind == "pilot" else "gcg:6-5-2-3-5"
    frame = yield from declare(t, seat, card, rule, way, picks)
    steps = settings(t.pos).steps
    yield from pair(t, card, host, rule, *steps[3])
    t.close_frame(frame, rule)


def play_command(t: Table, seat: int, card: int, ref: str, way: str, picks: Picks) -> Play:
    """6-5-2-4, 8-3-1: use a Command; it is in no area until its effect is over (2-3-5-1)."""
    main = t.pos.step == "main"
    rule = "gcg:6-5-2-4-1" if main else "gcg:8-3-1"
    with_ex = not {*picks[0]}.isdisjoint(ex_resources(t.pos, seat))
    frame = yield from declare(t, seat, card, rule, way, picks)
    steps = settings(t.pos).steps
    (now,) = t.move([card], f"resolving/{seat}", "play", "gcg:9-3-2", "gcg:2-3-5-1")
    if with_ex and _payment_asked(t.pos, now):
        t.mark(now, figures.EX_PAID, True, "gcg:4-17-5-3")
    number = t.declare("command", now, seat, rule, *steps[3], effect=ref)
    act = t.pos.pending[number]
    run = Running(number, ref, TERMS.effect(t.pos, ref), now, seat, 0)
    yield from perform(t, act, run)
    if t.pos.present(now):
        t.move([now], f"trash/{t.pos.cards[now].owner}", "command", "gcg:2-3-5-2")
    yield from TERMS.settle(t)
    t.close_frame(frame, rule)


def _payment_asked(p: Position, command: int) -> bool:
    """Whether its own texts, or some at work, ask what a Command was paid with."""
    asks = figures.stock(p).asks_payment
    if not asks:
        return False
    there = (one for number in TERMS.workplaces(p) for one in TERMS.effects(p, number))
    return any(ref in asks for ref, _ in (*figures.own_effects(p, command), *there))


def command_of(p: Position, card: int) -> str:
    """The command effect that a Command is played for now, in a way of its own."""
    here = timing(p)
    texts = figures.own_effects(p, card)
    way = meant(texts, "command", Act("command", card), 0, lambda effect: here in effect.at)
    return way.ref if way is not None else ""


def declare(t: Table, seat: int, card: int, rule: str, way: str, picks: Picks) -> Play:
    """Declare a play: the card is revealed, its Lv and cost are stated and paid (9-3-1-2).

    First is done what the `way` of playing it asks for; what the texts of the card make of its Lv
    and cost is cited.
    """
    p, steps = t.pos, settings(t.pos).steps
    id_, now, left = p.card(card).id, price(PRINTED, p, card, way), iter(picks[1:])
    rules = (rule, "gcg:4-7-1", "gcg:9-3-1-2", *steps[0], *steps[1], *now.texts)
    frame = t.open_frame("play", *rules, seat=seat, card=id_, cost=now.cost)
    if way:
        run = running(way, TERMS.effect(p, way), card, seat)
        with t.running.use(card):
            for cost in run.effect.cost:
                yield from costs.meet(t, run, cost, left)
    pay(t, seat, picks[0], *steps[2])
    return frame


def pay(t: Table, seat: int, resources: Sequence[int], *cites: str) -> None:
    """2-9-1: rest the resources chosen; an EX Resource leaves the game (4-17-5-3)."""
    if not resources:
        return
    with t.at_once():
        rest(t, resources, "gcg:2-9-1", *cites)
        spent = [number for number in ex_resources(t.pos, seat) if number in resources]
        t.remove(spent, "spent", "gcg:4-17-5-3")


def deploy(
    t: Table,
    cards: Sequence[int],
    seat: int,
    why: str,
    *cites: str,
    orient: str = "active",
    defined: Mapping[str, int] | None = None,
) -> Play:
    """Put Units and Bases on the field together, making room first; Deploy triggers (11-2-6).

    `defined`: as Units with these figures, whatever is printed on them.
    """
    kinds: dict[str, list[int]] = {}
    for number in cards:
        kind: str = "unit" if defined else figures.facts(t.pos, number).type
        kinds.setdefault(kind, []).append(number)
    for kind, some in kinds.items():
        yield from make_room(t, seat, AREAS[kind][1][0], len(some), trash)
    with t.at_once():
        for kind, some in kinds.items():
            zone = AREAS[kind][0]
            some = [number for number in some if t.pos.present(number)]
            for lies, bars, these in _as_they_come(t.pos, some, orient):
                rules = (settings(t.pos).deploys[kind], "gcg:4-8-1", *cites, _orient_rule(lies))
                there = t.move(these, f"{zone}/{seat}", why, *rules, *bars, orient=lies)
                if defined:
                    t.define(there, defined, "gcg:1-3-1", *cites)
    yield from TERMS.settle(t)


def _as_they_come(
    p: Position, numbers: Sequence[int], orient: str
) -> Iterator[tuple[str, tuple[str, ...], list[int]]]:
    """Cards that are deployed by how they lie then: rested, where texts say so, and these texts."""
    bars = {number: texts(forbidding(p, number, ("deployed-active",))) for number in numbers}
    barred = [number for number in numbers if orient == "active" and bars[number]]
    usual = [number for number in numbers if number not in barred]
    if usual:
        yield orient, (), usual
    if barred:
        why = dict.fromkeys(text for number in barred for text in bars[number])
        yield "rested", tuple(why), barred


def _orient_rule(orient: str) -> str:
    """The rule for a card's orientation: active by default, else by its text."""
    return "gcg:4-4-4" if orient == "active" else "gcg:1-3-1"


def take_control(t: Table, numbers: Sequence[int], seat: int, *cites: str) -> Play:
    """A player takes control of Units and Bases: they lie in his areas from then on.

    The book has no word for it, but for all that a player's cards may do (attack: 7-3-1, work:
    2-10-3) they lie in his areas. They stay the cards they are, as 3-1-5 lets a text say, with
    their Pilots and as they lie; room is made for them as for others that come (reading:gcg/23).
    """
    p = t.pos
    for zone, limit in (("battle", UNITS), ("base", BASES)):
        coming = sum(zone_of(p.cards[number].place) == zone for number in numbers)
        if coming:
            yield from make_room(t, seat, limit, coming, trash)
    give_control(t, [number for number in numbers if p.present(number)], seat, *cites)


def give_control(t: Table, numbers: Sequence[int], seat: int, *cites: str) -> None:
    """Give control of cards to a player, whose areas have room for them."""
    p, rules = t.pos, ("reading:gcg/23", "gcg:3-1-5")
    with t.at_once():
        t.control([n for one in numbers for n in (one, *p.cards[one].attached)], seat, *cites)
        for number in numbers:
            card = p.cards[number]
            place = f"{zone_of(card.place)}/{seat}"
            t.move([number], place, "control", *cites, *rules, orient=card.orient, same=True)


def trash(t: Table, cards: Sequence[int], *cites: str) -> Play:
    """Cards make room, with the Pilots under them."""
    with t.at_once():
        for number in cards:
            leave(t, [number], partial(TERMS.place, "trash"), "excess", *cites, riders=PILOTS)
    yield from TERMS.settle(t)


def pair(t: Table, card: int, host: int, *cites: str) -> Play:
    """4-9-1: a Pilot comes beneath a Unit; When Paired triggers, and linking if it does."""
    seat = t.pos.cards[host].controller
    with t.at_once():
        t.move([card], f"battle/{seat}", "pair", *cites, "gcg:4-9-1", host=host, role="pilot")
    yield from TERMS.settle(t)


def place_token(
    t: Table, card: str, n: int, seat: int, *cites: str, orient: str = "active"
) -> Play:
    """4-17-1: tokens come from outside the game; how many were placed.

    An EX Resource over a limit is not placed (3-4-2, 3-4-2-1, 1-3-2).
    """
    zone, limits = AREAS[figures.stock(t.pos).cards[card].type]
    if n > (outside := prepared(t.pos, seat, card)):
        rules = ("reading:gcg@1.9/20", "gcg:1-3-2", *cites)
        t.not_done("token", f"{zone}/{seat}", "impossible", *rules, asked=n, done=outside)
        n = outside
    why, few = ("gcg:4-17-1", _orient_rule(orient), *cites), ("gcg:1-3-2", "reading:gcg/21")
    place = f"{zone}/{seat}"
    done = yield from place_tokens(
        t, card, n, place, *why, limits=limits, go=trash, few=few, orient=orient
    )
    yield from TERMS.settle(t)
    return done


def prepared(p: Position, seat: int, card: str) -> int:
    """How many tokens of a number a player has outside the game (1.9: 5-17-4).

    As many as were listed, else six of each, without those on the field: one that leaves the game
    may be placed again (reading:gcg@1.9/20). EX cards are always there, and so is any token in 1.0.
    """
    if not settings(p).tokens_outside or card in (EX_BASE, EX_RESOURCE):
        return bounds.RANGE
    _, parts = p.heading.decks.get(seat, ("", None))
    listed = (parts or {}).get(TOKENS)
    there = sum(one.token and (one.id, one.owner) == (card, seat) for one in p.cards.values())
    return max(0, (PREPARED if listed is None else listed.count(card)) - there)


def draw(t: Table, seats: Sequence[int], n: int, *cites: str) -> int:
    """4-14: players draw, at one moment; as many as there are. How many all of them drew."""
    drawn = 0
    with t.at_once():
        for seat in seats:
            came = hand.draw(t, seat, "deck", n, *cites, "gcg:4-14-1")
            if came < n:
                t.not_done("draw", f"deck/{seat}", "impossible", "gcg:1-3-2", asked=n, done=came)
            drawn += came
    return drawn


def payable(p: Position, seat: int) -> tuple[Ref, ...]:
    """Active resources, those that stay first: an EX Resource pays only once."""
    active = [n for n in p.zone("resource", seat) if p.cards[n].orient == "active"]
    return tuple(sorted(active, key=lambda n: p.cards[n].token))
