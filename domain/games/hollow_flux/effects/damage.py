"""Damage to players and characters, damage triggers, and losing by damage.

Who takes X damage picks the guard cards and their order at once (reading:hf/A10); where both take
damage, both have picked before anything moves. Then the cards go to the damage field one by one,
each possibly revealed for its damage trigger. While that is carried out, all that was picked and
lies there still is set aside (`guard`). He loses only if there was no guard card when the damage
came (hf:damage.loss.1), and then none is taken, even if something else happens instead
(reading:hf/A35).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from domain.effects.constant.calculator import barring, texts
from domain.effects.instructions.replacement import unreplaced
from domain.engine.series import Loss, defeat
from domain.engine.signals import Play, unknown
from domain.engine.table import Table
from domain.engine.verbs.picking import pick
from domain.games.hollow_flux.effects import figures
from domain.games.hollow_flux.effects.processes import spared, spared_by
from domain.games.hollow_flux.effects.texts import TERMS, perform, running
from domain.games.hollow_flux.flow.guard import MARK, RULE, free_guard, release_set_aside, set_aside
from domain.record.decisions import ORDERED, Offer, Option
from domain.record.events import DamageDealt
from domain.record.position import Position, seat_of
from domain.record.values import Ref


def lose(t: Table, seats: Sequence[int], why: str, *cites: str) -> Play:
    """These players lose, together, and the game is over at once (reading:hf/A15).

    It goes on if something else happens instead to each of them (reading:hf/A34).
    """
    lost = yield from unreplaced(t, TERMS, "lost", [f"seat/{seat}" for seat in sorted(seats)])
    if not lost:
        return
    both = ("reading:hf/A15",) if len(lost) > 1 else ()
    defeat(t, Loss(tuple(map(seat_of, lost)), why, (*cites, *both)))


# -- players ---------------------------------------------------------------------------------------


#: The guard cards picked for damage that have not moved yet, in their order, by seat.
Picked = dict[int, list[int]]


def damage_players(
    t: Table, seats: Sequence[int], n: int, source: Ref, kind: str, *cites: str
) -> Play:
    """Deal `n` damage to each of these players, at one moment."""
    p = t.pos
    with t.at_once():
        for seat in seats:
            t.emit(DamageDealt(source, f"seat/{seat}", n, kind), *cites)
    empty = [seat for seat in seats if not free_guard(p, seat)]
    if empty:
        yield from lose(t, empty, "guard", "hf:damage.loss.1", "hf:over.loss.1")
    left: Picked = {}
    for seat in seats:
        if seat in empty:
            left[seat] = taking_none(t, seat, "damage", n)
        else:
            left[seat] = yield from _pick(t, seat, n, kind)
    for seat in seats:
        few = ("hf:damage.player.3",) if n > len(left[seat]) else ()
        while left[seat]:
            if p.present(left[seat][0]):  # it may lie elsewhere, if it was picked against the rules
                yield from _take_picked(
                    t, seat, left, *few, "hf:damage.player.1", "hf:over.damage.1"
                )
            del left[seat][0]


def taking_none(t: Table, seat: int, what: str, n: int) -> list[int]:
    """Damage that found no guard card takes none, though one was laid instead of losing by it."""
    if free_guard(t.pos, seat):
        t.not_done(what, f"guard/{seat}", "no guard", "reading:hf/A35", asked=n)
    return []


def _pick(t: Table, seat: int, n: int, kind: str) -> Play:
    """Which guard cards go, and in which order. One, by an attack, has a rule of its own."""
    guard = free_guard(t.pos, seat)
    k = min(n, len(guard))
    if len(guard) < 2:
        return guard
    rules = (
        *(("hf:combat.damage.2",) if n == 1 and kind == "battle" else ()),
        "hf:damage.player.1",
        *(("reading:hf/A10",) if k > 1 else ()),
    )
    limits = ORDERED if k > 1 else None
    return (yield from pick(t, seat, "hurt", guard, k, *rules, limits=limits))


def _take_picked(t: Table, seat: int, left: Picked, *cites: str) -> Play:
    """Move the first of the cards picked; its player may reveal it for its damage trigger.

    He is asked about every card that others can't see: whether it has one is his to know.
    """
    p, number = t.pos, left[seat][0]
    up = p.cards[number].up
    if _triggers(p, number) or not up:
        act = yield from t.ask(
            seat, "trigger", partial(_reveals, number=number), "hf:key.trigger.1"
        )
        if act.kind == "reveal":
            yield from _reveal(t, seat, left, act.effect)
            return
    down = ("hf:key.secret.2",) if up else ()
    t.move([number], f"damage/{seat}", "taken", *cites, *down)


def _triggers(p: Position, number: int) -> list[str]:
    """The damage triggers of a card, if it is known."""
    effects = figures.printed_effects(p, p.cards[number].id)
    return [ref for ref, effect in effects if effect.on == "damage-trigger"]


def _reveals(t: Table, number: int) -> Offer:
    """Revealing the card for its damage trigger, if it has one; or not."""
    if unknown(t.pos, number):
        return Offer((Option("unknown", number), Option("conceal")))
    reveals = (Option("reveal", number, effect=ref) for ref in _triggers(t.pos, number))
    return Offer((*reveals, Option("conceal")))


def _reveal(t: Table, seat: int, left: Picked, ref: str) -> Play:
    """Carry out a damage trigger; only then does its card move, face up (hf:key.trigger.2)."""
    p, place, number = t.pos, f"guard/{seat}", left[seat][0]
    with t.at_once():
        if not p.cards[number].up:
            rule = "hf:key.trigger.1"
            (number,) = t.move([number], place, "reveal", rule, up=True, hide=True, at=0)
        t.mark(number, MARK, ref, RULE)
        waiting = {one: _still_guard(p, one, cards[one == seat :]) for one, cards in left.items()}
        for one, cards in waiting.items():
            set_aside(t, one, cards)
    for act in [act for act in p.waiting() if act.source == number]:
        yield from perform(t, act, running(p, act, number))
    for one, cards in waiting.items():
        release_set_aside(t, one, cards)
    if p.present(number):
        t.move([number], f"damage/{seat}", "taken", "hf:key.trigger.2", up=True)


def _still_guard(p: Position, seat: int, cards: Sequence[int]) -> list[int]:
    """Those of the cards picked that are guard cards: an irregular pick may take any."""
    return [number for number in cards if number in p.zone("guard", seat)]


# -- characters ------------------------------------------------------------------------------------


def deal(t: Table, source: Ref, number: int, n: int, kind: str, *cites: str) -> bool:
    """Deal damage to a character; whether any was dealt. Destruction follows when rules settle."""
    p = t.pos
    if n <= 0:
        t.not_done("damage", number, "impossible", *cites, asked=n)
        return False
    bars = list(barring(TERMS, p, number, "damage", source)) if isinstance(source, int) else []
    if bars:
        t.not_done("damage", number, "forbidden", *cites, *texts(bars), asked=n)
        return False
    t.emit(DamageDealt(source, number, n, kind), *cites)
    t.counters("damage", n, "hf:damage.char.1", dst=number)
    card = p.cards[number]
    if figures.damage(card) >= card.stat("power") and spared(p, number):
        t.not_done("destroy", number, "forbidden", *spared_by(p, number))
    return True
