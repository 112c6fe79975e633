"""Chapter 10: what the rules do by themselves, at once, even in the middle of other actions.

`settle` is called after every batch of events: it brings derived numbers up to date, ends the game
for whoever meets a condition of defeat, destroys what has no HP left and takes tokens out that left
the field, until nothing is left to do. Only then may triggers be resolved (10-1-2, reading 2).
Making room for a new Unit or Base (10-4, 10-5) belongs to deploying, in `play`.
"""

from __future__ import annotations

from collections.abc import Mapping

from domain.decisions import Offer, Option
from domain.effects.constant import barred, derive
from domain.effects.interpreter import carry_out
from domain.effects.select import Running, all_hold, works
from domain.events import DamageDealt, SeatLost
from domain.games.gundam import figures
from domain.games.gundam.effects import TERMS, occur, trigger_keyword
from domain.position import Position
from domain.table import Over, Play, Table

ON_FIELD = ("battle", "resource", "base")
#: A destroyed card: the rule that destroys it, by the zone it lies in.
DESTROYED = {
    "battle": ("gcg:10-3-1", "gcg:4-10-1"),
    "base": ("gcg:10-3-1", "gcg:4-10-2"),
    "shield": ("gcg:10-3-1-1", "gcg:4-10-3"),
}


def settle(t: Table, blame: Mapping[int, int] | None = None) -> Play:
    """Do all rule processes. `blame` says which Unit's battle damage a card took, if any did."""
    spared: set[int] = set()  # a replacement acts once for one event
    while t.touched:
        derive(t, TERMS)
        t.touched = False
        defeat(t)
        doomed = _doomed(t.pos)
        if doomed:
            yield from destroy(t, doomed, blame=blame, spared=spared)
        else:
            _remove_tokens(t)


def defeat(t: Table) -> None:
    """10-2: everybody who meets a condition of defeat loses, together, and the game is over."""
    p = t.pos
    hit = tuple(seat for seat in (0, 1) if p.mark(f"seat/{seat}", "hit"))
    empty = tuple(seat for seat in (0, 1) if not p.zone("deck", seat) and seat not in hit)
    if not hit and not empty:
        return
    with t.at_once():
        if hit:
            t.emit(SeatLost(hit, "defeat"), "gcg:10-2-1-1", "gcg:1-2-2-1")
        if empty:
            draws = p.step == "draw" and empty == (p.turn_seat,)
            t.emit(
                SeatLost(empty, "deck"),
                *(("gcg:6-3-1-1",) if draws else ()),
                "gcg:10-2-1-2",
                "gcg:1-2-2-2",
            )
    raise Over


def _doomed(p: Position) -> list[int]:
    """10-3-1: cards whose damage has reached their HP (reading 4: also when the HP came down)."""
    doomed = []
    for seat in (0, 1):
        for zone in ("battle", "base"):
            for number in p.zones.get(f"{zone}/{seat}", ()):
                card = p.cards[number]
                if card.counters.get("damage", 0) >= card.stat("hp", 1):
                    doomed.append(number)
        doomed += [
            number
            for number in p.zones.get(f"shield/{seat}", ())
            if p.cards[number].counters.get("damage")
        ]
    return doomed


def destroy(
    t: Table,
    cards: list[int],
    *cites: str,
    blame: Mapping[int, int] | None = None,
    spared: set[int] | None = None,
) -> Play:
    """Destroy cards simultaneously (7-6-3-2-3); Pilots go with their Units (6-5-2-3-4).

    `cites` is what destroys them, for an effect that says so; else it is the destruction process.
    """
    cards = yield from _unreplaced(t, cards, set() if spared is None else spared)
    with t.at_once():
        gone = [(number, *_send(t, number, cites)) for number in cards]
        for number, now, zone, cause in gone:
            if zone == "shield":
                _turned_up(t, now, cause)
            else:
                occur(t, "destroyed", number, cause)
            if blame and number in blame:
                _credit(t, blame[number], zone, cause)


def _send(t: Table, number: int, cites: tuple[str, ...]) -> tuple[int, str, int]:
    """Send one destroyed card on its way: its new number, where it lay, the entry."""
    p = t.pos
    card = p.cards[number]
    zone, seat = card.place.split("/")
    why = _why(p, number, zone, cites)
    if zone == "resource":
        now = t.move([number], f"resource-deck/{card.owner}", "destroyed", *why, at=0, up=False)
    elif zone == "shield":
        burst = any(e.on == "burst" for e in figures.facts(p, number).effects)
        dst = f"resolving/{seat}" if burst else f"trash/{card.owner}"
        now = t.move([number], dst, "destroyed", *why, *(("gcg:3-1-2",) if burst else ()))
    else:
        riders = list(card.attached)
        with_unit = ("gcg:6-5-2-3-4",) if riders else ()
        now = t.move([number, *riders], f"trash/{card.owner}", "destroyed", *why, *with_unit)
    return now[0], zone, p.seq


def _turned_up(t: Table, number: int, cause: int) -> None:
    """A destroyed shield lies face up: its Burst triggers (11-2-5-1), or it goes on."""
    p = t.pos
    occur(t, "burst", number, cause)
    card = p.cards[number]
    if card.place.startswith("resolving/") and not any(a.source == number for a in p.waiting()):
        t.move([number], f"trash/{card.owner}", "destroyed", "gcg:9-1-6-2", "gcg:4-10-3")


def _why(p: Position, number: int, zone: str, cites: tuple[str, ...]) -> tuple[str, ...]:
    if zone == "resource":
        return ("gcg:4-10-4", *cites)
    rule, kind = DESTROYED[zone]
    if cites:
        return (kind, *cites)
    unhurt = not p.cards[number].counters.get("damage")
    also = ("gcg:2-7-1-1", "reading:gcg/4") if zone != "shield" else ()  # its HP came down to it
    return (*also, kind) if unhurt else (rule, kind, *also[:1])


def _credit(t: Table, unit: int, zone: str, cause: int) -> None:
    """A Unit's battle damage destroyed something: its texts for that, and Breach, trigger."""
    p = t.pos
    if zone != "battle":
        occur(t, "destroys-shield", unit, cause)
        return
    occur(t, "destroys-unit", unit, cause)
    own_turn = p.card(unit).controller == p.turn_seat
    if own_turn and p.card(unit).stats.get("breach"):
        also = ("gcg:11-1-2-4",) if not p.present(unit) else ()
        trigger_keyword(t, "breach", unit, cause, "gcg:11-1-2-1", *also)


def _unreplaced(t: Table, cards: list[int], spared: set[int]) -> Play:
    """9-1-9: those cards that no replacement effect keeps from being destroyed."""
    doomed = [number for number in cards if number in spared]
    for number in cards:
        if number not in doomed and (yield from replaced(t, "destroyed", number)):
            spared.add(number)
    return [number for number in cards if number in doomed or number not in spared]


def replaced(t: Table, on: str, number: int) -> Play:
    """Carry out a replacement effect for what is about to befall a card; whether there was one.

    With several, its owner picks; the event is gone then, so only one acts (reading 17).
    """
    p = t.pos
    card = p.cards[number]
    fitting: list[Running] = []
    if card.place.startswith("shield"):
        return False
    for ref, effect in figures.text_effects(p, number):
        run = Running(0, ref, effect, number, card.controller, number)
        if effect.kind != "replacement" or effect.on != on or not works(TERMS, p, number, effect):
            continue
        used = effect.limit and p.mark(number, f"used:{ref}") == p.turn
        if used or not all_hold(TERMS, p, effect.when, run):
            continue
        fitting.append(run)
    if not fitting:
        return False
    run = fitting[0]
    if len(fitting) > 1:
        offer = Offer(tuple(Option("resolve", number, effect=one.ref) for one in fitting))
        cites = ("reading:gcg/17", "gcg:9-1-9-1")
        act = yield from t.ask(card.owner, "order", offer, *cites, about=number, public=True)
        run = next(one for one in fitting if one.ref == act.effect)
    if run.effect.limit:
        t.mark(number, f"used:{run.ref}", p.turn, "gcg:11-2-12-1", run.text)
    t.not_done(on, number, "replaced", "gcg:9-1-9-1", "gcg:9-1-9-1-1", run.text)
    yield from carry_out(t, TERMS, run, run.effect.do)
    return True


def _remove_tokens(t: Table) -> None:
    """4-17-2-4: tokens anywhere but on the field leave the game."""
    p = t.pos
    latest = range(t.swept, p.next_card)  # only a card that has just moved can be astray
    t.swept = p.next_card
    astray = [
        number
        for number in latest
        if (card := p.cards.get(number)) is not None
        and card.token
        and card.place.partition("/")[0] not in ON_FIELD
    ]
    t.remove(astray, "outside", "gcg:4-17-2-4")


def shield_area(p: Position, seat: int) -> int:
    """What damage to a Shield Area hits: the Base, else the top shield (11-1-2-3); 0: nothing."""
    for zone in ("base", "shield"):
        cards = p.zone(zone, seat)
        if cards:
            return cards[-1]
    return 0


def deal(t: Table, source: int, target: int | str, n: int, kind: str, *cites: str) -> bool:
    """Deal damage; whether any was dealt. Destruction follows when the rules settle.

    A player who takes battle damage has no Shield Area left and meets a condition of defeat;
    effect damage to a player is recorded and does nothing (reading 20).
    """
    p = t.pos
    if n <= 0:
        t.not_done("damage", target, "impossible", "gcg:4-5-4", asked=n)
        return False
    if isinstance(target, int):
        acts = ("damage", "battle-damage") if kind == "battle" else ("damage",)
        if any(barred(TERMS, p, target, act, source) for act in acts):
            t.not_done("damage", target, "forbidden", "gcg:9-1-5-6", "gcg:1-3-3", asked=n)
            return False

    t.emit(DamageDealt(source, target, n, kind), *cites)
    if isinstance(target, int):
        keeps = {"battle": "gcg:7-6-3-2-1", "base": "gcg:7-6-2-3-1"}
        zone = p.cards[target].place.partition("/")[0]
        by = (keeps[zone],) if kind == "battle" and zone in keeps else ()
        t.counters("damage", n, *by, "gcg:4-5-1-1", dst=target)
    elif kind == "battle":
        t.mark(target, "hit", True, "gcg:1-2-2-1")
    return True
