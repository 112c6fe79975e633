"""Damage to players and characters, damage triggers, and losing by damage.

A player who takes X damage picks the guard cards and their order at once (reading A10), then they
go to the damage field one by one, each possibly revealed for its damage trigger. While that is
carried out, the picked cards that are still in the guard deck are set aside: they lie on top of it,
and nothing that goes on meanwhile may use or count them. He loses only if there was no guard card
when the damage came (hf:damage.loss.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from domain.decisions import ORDERED, Offer, Option, Part
from domain.effects.constant import barred
from domain.events import DamageDealt, Ref, SeatLost
from domain.games.hollow_flux import figures
from domain.games.hollow_flux.effects import TERMS, perform, running
from domain.games.hollow_flux.processes import spared
from domain.position import Position
from domain.table import Over, Play, Table, unknown


def free_guard(p: Position, seat: int) -> list[int]:
    """Guard cards that are not set aside for damage under way."""
    guard = p.zone("guard", seat)
    return guard[: len(guard) - _aside(p, seat)]


def _aside(p: Position, seat: int) -> int:
    n = p.mark(f"seat/{seat}", "committed")
    return n if isinstance(n, int) else 0


def lose(t: Table, seats: Sequence[int], why: str, *cites: str) -> None:
    """These players lose, together, and the game is over at once (reading A15)."""
    both = ("reading:hf/A15",) if len(seats) > 1 else ()
    t.emit(SeatLost(tuple(seats), why), *cites, *both)
    raise Over


# -- players ---------------------------------------------------------------------------------------


def hit(t: Table, seats: Sequence[int], n: int, source: Ref, kind: str, *cites: str) -> Play:
    """Deal `n` damage to each of these players, at one moment."""
    p = t.pos
    with t.at_once():
        for seat in seats:
            t.emit(DamageDealt(source, f"seat/{seat}", n, kind), *cites)
        empty = [seat for seat in seats if not free_guard(p, seat)]
        if empty:
            lose(t, sorted(empty), "guard", "hf:damage.loss.1", "hf:over.loss.1")
    for seat in seats:
        yield from _take(t, seat, n)


def _take(t: Table, seat: int, n: int) -> Play:
    """Pick the cards in order, then move each."""
    guard = free_guard(t.pos, seat)
    k = min(n, len(guard))
    cards = list(guard)
    if len(guard) > 1:
        part = Part("hurt", 0, k, k, ORDERED if k > 1 else None)
        offer = Offer((Option("hurt", 0, (part,)),), (tuple(guard),))
        rules = ("hf:combat.damage.2",) if k == 1 else ("hf:damage.player.1", "reading:hf/A10")
        act = yield from t.ask(seat, "hurt", offer, *rules)
        cards = [number for number in act.picks[0] if isinstance(number, int)]
    few = ("hf:damage.player.3",) if n > k else ()
    for at in range(k):
        yield from _suffer(t, seat, cards[at:], *few, "hf:damage.player.1", "hf:over.damage.1")


def _suffer(t: Table, seat: int, cards: Sequence[int], *cites: str) -> Play:
    """Move the first of the cards picked; its player may reveal it for its damage trigger.

    He is asked about every card that others can't see: whether it has one is his to know.
    """
    p, number = t.pos, cards[0]
    up = p.cards[number].up
    if _triggers(p, number) or not up:
        act = yield from t.ask(seat, "trigger", partial(_reveals, p, number), "hf:key.trigger.1")
        if act.kind == "reveal":
            yield from _reveal(t, seat, cards, act.effect)
            return
    down = ("hf:key.secret.2",) if up else ()
    t.move([number], f"damage/{seat}", "taken", *cites, *down)


def _triggers(p: Position, number: int) -> list[str]:
    """The damage triggers of a card, as far as it is known."""
    effects = figures.printed_effects(p.cards[number].id)
    return [ref for ref, effect in effects if effect.on == "damage-trigger"]


def _reveals(p: Position, number: int) -> Offer:
    """Revealing the card for its damage trigger, if it has one; or not."""
    if unknown(p, number):
        return Offer((Option("unknown", number), Option("conceal")))
    reveals = (Option("reveal", number, effect=ref) for ref in _triggers(p, number))
    return Offer((*reveals, Option("conceal")))


def _reveal(t: Table, seat: int, cards: Sequence[int], ref: str) -> Play:
    """Carry out a damage trigger; only then does its card move, face up (hf:key.trigger.2)."""
    p, place, holder = t.pos, f"guard/{seat}", f"seat/{seat}"
    before, number = _aside(p, seat), cards[0]
    if not p.cards[number].up:
        (number,) = t.move([number], place, "reveal", "hf:key.trigger.1", up=True, hide=True, at=0)
    aside = [number, *cards[1:]]
    free = free_guard(p, seat)
    rest = [other for other in free if other not in aside]
    already = p.zone(place)[len(free) :]
    t.order(place, [*rest, *aside, *already], "committed", "reading:hf/A10")
    t.mark(holder, "committed", before + len(aside), "reading:hf/A10")
    act = t.trigger(ref, number, seat, p.seq, "hf:key.trigger.1", f"card:{ref}")
    waiting = p.pending[act]
    yield from perform(t, waiting, running(waiting, number))
    t.mark(holder, "committed", before or None, "reading:hf/A10")
    if p.present(number):
        t.move([number], f"damage/{seat}", "taken", "hf:key.trigger.2", up=True)


# -- characters ------------------------------------------------------------------------------------


def deal(t: Table, source: Ref, number: int, n: int, kind: str, *cites: str) -> bool:
    """Deal damage to a character; whether any was dealt. Destruction follows when rules settle."""
    p = t.pos
    if n <= 0:
        t.not_done("damage", number, "impossible", *cites, asked=n)
        return False
    if isinstance(source, int) and barred(TERMS, p, number, "damage", source):
        t.not_done("damage", number, "forbidden", *cites, asked=n)
        return False
    t.emit(DamageDealt(source, number, n, kind), *cites)
    t.counters("damage", n, "hf:damage.char.1", dst=number)
    card = p.cards[number]
    if figures.damage(card) >= card.stat("power") and spared(p, number):
        t.not_done("destroy", number, "forbidden", "hf:key.undying.1", "hf:destroy.immune.1")
    return True
