"""Playing cards and using activated abilities: declaring, paying, and the results.

A play is one decision with its targets and its payment, legal as a whole (`legal` says why not). It
is declared here and waits for its turn (`flow.interruption`); until then a played card is in no
zone (hf:play.limbo.1). Targets are named at declaration and can't be named again
(hf:target.lost.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from domain.effects.constant.calculator import in_group
from domain.effects.constant.once import use
from domain.effects.constant.silence import in_force
from domain.effects.interpreter import aimed, candidates
from domain.effects.language.vocabulary import Cost, Effect, Group
from domain.effects.select import Running, members
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.hollow_flux.effects import figures
from domain.games.hollow_flux.effects.processes import leave
from domain.games.hollow_flux.effects.texts import TERMS, perform, running
from domain.games.kit.effects.texts import by_clause, in_a_row
from domain.games.kit.zones.room import Limit, make_room
from domain.record.decisions import Act, Part
from domain.record.position import Pending, Position
from domain.record.values import Ref, Value
from domain.words.phrases import phrase

#: What the second player's marker is called among what one pays with (hf:setup.marker.2).
MARKER = "marker"
#: The world sets of a player; older ones go.
WORLDS = Limit(
    phrase("world sets"), 1, "hf:card.world.4", figures.worlds,
    lambda n: ("hf:card.world.4", "hf:destroy.direct.1"),
)  # fmt: skip


# -- what there is to choose -----------------------------------------------------------------------


def payable(p: Position, seat: int) -> tuple[Ref, ...]:
    """The means of paying energy: active energy, and the marker last."""
    active = [n for n in p.zone("energy", seat) if p.cards[n].orient == "active"]
    marker = p.counters(f"seat/{seat}", MARKER)
    return (*active, MARKER) if marker else tuple(active)


def hosts(p: Position, seat: int, wanted: Group | None = None) -> tuple[int, ...]:
    """The hosts of a set card: any character, any world set (hf:card.set.3, card.world.2).

    `wanted` is how the card itself restricts that, seen from its player.
    """
    return tuple(
        number
        for number in p.zone("battlefield")
        if not p.cards[number].departing
        and facts_type(p, number) in ("character", "world")
        and (wanted is None or in_group(TERMS, p, wanted, number, seat))
    )


def facts_type(p: Position, number: int) -> str:
    """Of what kind a card counts."""
    return figures.facts(p, number).type


def aims_of(t: Table, run: Running) -> list[tuple[Part, list[int]]]:
    """The targets that an effect asks for when it is declared: a part of the option, its pool."""
    found = []
    for at in aimed(t, TERMS, run.effect.do):
        clause = run.effect.do[at]
        wanted = clause.choose
        assert wanted is not None
        pool = candidates(t, TERMS, run, clause)
        n = min(wanted.n, max(len(pool), 1))  # as many as there are, but not none
        low = 0 if wanted.may else 1 if wanted.up_to else n
        found.append((Part("target", 0, low, n), pool))
    return found


def cost_pool(p: Position, seat: int, cost: Cost, card: int) -> tuple[Ref, ...]:
    """The pool for a part of a cost, if there is something to pick."""
    match cost.do:
        case "pay":
            return payable(p, seat)
        case "carnage":
            return tuple(p.zone("damage", seat))
        case "discard":
            return tuple(p.zone("hand", seat))
        case "trash" if cost.of is not None:
            run = Running(0, "", _NOTHING, card, seat, 0)
            return tuple(members(TERMS, p, cost.of, run))
    return ()


_NOTHING = Effect(kind="activated", name="cost")


def picked_costs(effect: Effect) -> Iterator[Cost]:
    """The parts of a cost that are paid with something picked; a card itself is not."""
    for cost in effect.cost:
        if cost.do != "rest" and (cost.do != "trash" or cost.of is not None):
            yield cost


# -- declaring -------------------------------------------------------------------------------------


def play(t: Table, seat: int, act: Act) -> None:
    """Declare a play: reveal, name targets, pay."""
    card = act.card
    assert isinstance(card, int)
    print_ = figures.facts(t.pos, card)
    if print_.type == "command":
        TERMS.effect(t.pos, act.effect)  # also against the rules, it must be named
    picks = [list(pick) for pick in act.picks]
    payment = picks.pop() if print_.cost else []
    from_guard = t.pos.cards[card].place.startswith("guard")
    guard = ("hf:prep.guard.4", "hf:prep.guard.6", "reading:hf/A18") if from_guard else ()
    (now,) = t.move([card], "limbo", "play", "hf:play.cost.1", *guard, "hf:play.limbo.1")
    pay(t, seat, payment)
    rule = {"set": "hf:target.set.1", "command": "hf:target.command.1"}.get(print_.type)
    named = (rule, "hf:target.def.1") if rule and picks else ()
    t.declare(
        "play", now, seat, "hf:play.when.1", *named, effect=act.effect, targets=in_a_row(picks)
    )


def activate(t: Table, seat: int, act: Act) -> None:
    """Declare the use of an ability: name targets, pay everything in brackets."""
    source, effect = act.card, TERMS.effect(t.pos, act.effect)
    assert isinstance(source, int)
    picks = [list(pick) for pick in act.picks]
    costs = list(picked_costs(effect))
    split = len(picks) - len(costs)
    paid = {cost.do: pick for cost, pick in zip(costs, picks[split:], strict=True)}
    x = next((len(paid[cost.do]) for cost in effect.cost if cost.x), 0)
    several = ("hf:key.act.7",) if len(effect.cost) > 1 else ()
    with t.at_once():
        if effect.limit:
            use(t, source, act.effect, "hf:key.act.1")
        for cost in sorted(effect.cost, key=lambda one: one.do != "rest"):  # while it lies there
            _pay_part(t, seat, source, cost, paid.get(cost.do, []), f"card:{act.effect}", *several)
    spent = "" if t.pos.present(source) else "spent"  # reading:hf/A7
    cites = ("hf:key.act.1", *(("hf:target.act.1",) if split else ()), f"card:{act.effect}")
    t.declare(
        "activate",
        source, seat, *cites,
        effect=act.effect, targets=in_a_row(picks[:split]), x=x, mode=spent,
    )  # fmt: skip


def _pay_part(t: Table, seat: int, source: int, cost: Cost, picks: list[Ref], *cites: str) -> None:
    cards = [number for number in picks if isinstance(number, int)]
    match cost.do:
        case "pay":
            pay(t, seat, picks, "hf:key.act.3", *cites)
        case "rest":
            t.turn([source], "hf:key.act.4", *cites, orient="asleep")
        case "carnage":
            rules = ("hf:key.act.5", "hf:carn.cost.1", "hf:carn.use.1")
            t.move(cards, f"trash/{seat}", "cost", *rules, *cites)
        case "discard":
            t.move(cards, f"trash/{seat}", "cost", "hf:key.act.6", *cites)
        case "trash":
            why = ("hf:key.act.6", "hf:destroy.direct.1", *cites)
            going = cards if cost.of is not None else [source]
            here = [n for n in going if t.pos.cards[n].place == "battlefield"]
            leave(t, here, "trash", "cost", *why)
            for number in going:
                if number not in here:
                    t.move([number], f"trash/{t.pos.cards[number].owner}", "cost", *why)


def pay(t: Table, seat: int, payment: Sequence[Ref], *cites: str) -> None:
    """One energy to sleep for each point; the marker may stand for one of them."""
    energy = [ref for ref in payment if isinstance(ref, int)]
    with t.at_once():
        t.turn(energy, "hf:energy.pay.1", *cites, orient="asleep")
        if MARKER in payment:
            t.counters(MARKER, 1, "hf:setup.marker.2", "reading:hf/A21", src=f"seat/{seat}")


# -- its turn has come -----------------------------------------------------------------------------


def resolve_play(t: Table, act: Pending) -> Play:
    """A played card's turn has come."""
    card = act.source
    assert isinstance(card, int)
    if not t.pos.present(card):  # it was taken away meanwhile: by an official, a text declared
        t.end_act(act.id, "void", "hf:inter.lifo.1")
        return
    match figures.facts(t.pos, card).type:
        case "command":
            yield from _command(t, act, card)
        case "character":
            t.resolve(act.id, "hf:inter.lifo.1", "hf:card.any.1")
            enter(t, card, "hf:play.char.1", "hf:card.char.1", "reading:hf/A26")
            t.end_act(act.id, "resolved", "hf:play.char.1")
        case "set":
            _set(t, act, card)
        case "world":
            t.resolve(act.id, "hf:inter.lifo.1", "hf:card.any.1")
            yield from _world(t, card)
            t.end_act(act.id, "resolved", "hf:card.world.1")
    yield from TERMS.settle(t)


def _command(t: Table, act: Pending, card: int) -> Play:
    run = running(t.pos, act, card)
    yield from perform(t, act, run, by_clause(t, TERMS, act, run.effect))
    if t.pos.present(card):
        owner = t.pos.cards[card].owner
        t.move([card], f"trash/{owner}", "command", "hf:card.command.1", "hf:reload.timing.2")


def enter(t: Table, card: int, *cites: str, why: str = "enter") -> int:
    """A character comes to the battlefield, active; texts that wait for that trigger."""
    (now,) = t.move([card], "battlefield", why, *cites)
    return now


def _set(t: Table, act: Pending, card: int) -> None:
    """hf:target.set.2: an unfit host makes the play void."""
    host = act.targets[0] if act.targets else 0  # none, where it was played against the rules
    if host not in hosts(t.pos, act.seat, figures.facts(t.pos, card).host):
        t.end_act(act.id, "void", "hf:target.set.2")
        t.move([card], f"trash/{t.pos.cards[card].owner}", "void", "hf:target.set.2")
        return
    assert isinstance(host, int)
    t.resolve(act.id, "hf:inter.lifo.1", "hf:card.any.1")
    attach(t, card, host, "hf:card.set.1", "hf:card.set.2")
    t.end_act(act.id, "resolved", "hf:card.set.1")


def attach(
    t: Table, card: int, host: int, *cites: str, face_down: Mapping[str, Value] | None = None
) -> int:
    """Set a card on a host: it lies as the host lies and stays its owner's (hf:field.set.1).

    One that is set `face_down` is what that says before anything looks at it (hf:face.def.1).
    """
    with t.at_once():
        (now,) = t.move(
            [card], "battlefield", "set", *cites, "hf:field.set.1",
            orient="", host=host, role="set", up=None if face_down is None else False,
        )  # fmt: skip
        if face_down is not None:
            t.define([now], face_down, *cites)
    return now


def _world(t: Table, card: int) -> Play:
    """hf:card.world.4: the older world set of that player goes to the trash, at once."""
    seat = t.pos.cards[card].controller
    with t.at_once():
        cites = ("hf:card.world.1", "hf:card.world.3")
        t.move([card], "battlefield", "enter", *cites, orient="")
        t.set_off()
        yield from make_room(t, seat, WORLDS, 0, _to_trash)


def _to_trash(t: Table, worlds: Sequence[int], *cites: str) -> None:
    leave(t, worlds, "trash", "older", *cites)


def resolve_ability(t: Table, act: Pending) -> Play:
    """An ability's turn has come, unless its source has left or has lost it."""
    source, p = act.source, t.pos
    assert isinstance(source, int)
    repeated = any(
        a.source == source and a.effect == act.effect for a in p.declared() if a is not act
    )
    repeat = ("hf:inter.repeat.2",) if repeated else ()
    if not act.mode:
        if not p.present(source):
            t.end_act(act.id, "void", "hf:inter.source.1", *repeat)
            return
        if act.effect not in {ref for ref, _ in in_force(TERMS, p, source)}:
            t.end_act(act.id, "void", "hf:inter.source.2", *repeat)
            return
    run = running(p, act, source)
    yield from perform(t, act, run, by_clause(t, TERMS, act, run.effect))
    yield from TERMS.settle(t)
