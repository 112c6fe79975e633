"""5-2: the procedure before a game, step by step in the order of the book.

The decks were handed in and checked when the match was opened (5-2-1-1; `deck` checks them).
"""

from __future__ import annotations

from domain.engine.signals import Chance, Play
from domain.engine.table import Table
from domain.games.gundam.play import EX_BASE, EX_RESOURCE
from domain.games.gundam.turn import begin_turn
from domain.record.decisions import Offer, Option
from domain.record.events import EVERYONE, GameBegan

HAND, SHIELDS = 5, 6
ORDER = Offer((Option("first"), Option("second")))
REDRAW = Offer((Option("keep"), Option("redraw")))


def setup_step(t: Table) -> Play:
    """Everything from the shuffles to the first turn."""
    t.emit(GameBegan(t.pos.game + 1), "gcg:5-2-1")
    yield from _lay_decks(t)
    first = yield from _decide_order(t)
    for seat in (first, 1 - first):
        t.move(t.top(f"deck/{seat}", HAND), f"hand/{seat}", "draw", "gcg:5-2-1-5", "gcg:4-14-1")
    for seat in (first, 1 - first):
        yield from _redraw(t, seat, "gcg:5-2-1-6" if seat == first else "gcg:5-2-1-7")
    for seat in (first, 1 - first):
        place_shields(t, seat, SHIELDS, "setup", "gcg:5-2-2")
    for seat in (first, 1 - first):
        t.make([EX_BASE], f"base/{seat}", "setup", "gcg:5-2-3", "gcg:4-17-4-2", token=True)
    second = f"resource/{1 - first}"
    t.make([EX_RESOURCE], second, "setup", "gcg:5-2-4", "gcg:4-17-5-2", token=True)
    begin_turn(t, first, "gcg:5-2-5")


def _lay_decks(t: Table) -> Play:
    for seat in (0, 1):
        _, cards = t.pos.heading.decks[seat]
        assert cards is not None
        t.make(cards["main"], f"deck/{seat}", "setup", "gcg:5-2-1-2", "gcg:3-2-1", seen=1 << seat)
        yield from t.shuffle(f"deck/{seat}", "gcg:5-2-1-2", "gcg:3-2-4", "gcg:4-13-1")
    for seat in (0, 1):
        _, cards = t.pos.heading.decks[seat]
        assert cards is not None
        resources = f"resource-deck/{seat}"
        t.make(cards["resource"], resources, "setup", "gcg:5-2-1-3", "gcg:3-3-1")


def _decide_order(t: Table) -> Play:
    """5-2-1-4: chance names who chooses; that player says who goes first."""
    (chooser,) = yield Chance("chooser", 2, ("gcg:5-2-1-4", "gcg:4-13-1"), EVERYONE)
    act = yield from t.ask(chooser, "turn-order", ORDER, "gcg:5-2-1-4", public=True)
    first = chooser if act.kind == "first" else 1 - chooser
    t.mark(f"seat/{first}", "first", True, "gcg:5-2-1-4")
    return first


def _redraw(t: Table, seat: int, rule: str) -> Play:
    """5-2-1-6-1: the whole hand to the bottom, five new cards, then a shuffle."""
    act = yield from t.ask(seat, "redraw", REDRAW, rule, public=True)
    if act.kind == "keep":
        return
    deck, hand = f"deck/{seat}", f"hand/{seat}"
    t.move(list(t.pos.zone(hand)), deck, "redraw", "gcg:5-2-1-6-1", rule, at=0)
    t.move(t.top(deck, HAND), hand, "draw", "gcg:5-2-1-6-1", rule)
    yield from t.shuffle(deck, "gcg:5-2-1-6-1", rule)
    t.mark(f"seat/{seat}", "redrawn", True, rule)


def place_shields(t: Table, seat: int, n: int, why: str, *cites: str) -> None:
    """Top cards of the deck become shields, each on top of the last (5-2-2); a shield has HP 1."""
    cards = t.top(f"deck/{seat}", n)
    t.move(cards, f"shield/{seat}", why, *cites, "gcg:3-6-4", "gcg:4-4-5")
