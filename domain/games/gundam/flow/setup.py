"""5-2: the procedure before a game, step by step in the order of the book.

The decks were handed in and checked when the match was opened (5-2-1-1; `deck` checks them).
"""

from __future__ import annotations

from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.gundam.choices.play import EX_BASE, EX_RESOURCE
from domain.games.gundam.flow.turn import TURN
from domain.games.gundam.lists.formats import chosen
from domain.games.kit.flow.setup import (
    Deck,
    first_hands,
    lay_out,
    redraw,
    who_begins,
    who_chooses,
)
from domain.record.events import GameBegan

HAND, SHIELDS = 5, 6
MAIN = Deck(
    "main",
    "deck",
    ("gcg:5-2-1-2", "gcg:3-2-1"),
    shuffled=("gcg:5-2-1-2", "gcg:3-2-4", "gcg:4-13-1"),
)
RESOURCES = Deck("resource", "resource-deck", ("gcg:5-2-1-3", "gcg:3-3-1"))


def setup_step(t: Table) -> Play:
    """Everything from the shuffles to the first turn."""
    played = chosen(t.pos.heading.options)
    settled, by = who_chooses(t.pos, played.first, played.later)
    t.emit(GameBegan(t.pos.game + 1), "gcg:5-2-1")
    yield from lay_out(t, MAIN)
    yield from lay_out(t, RESOURCES)
    first = yield from who_begins(t, "gcg:5-2-1-4", chance=("gcg:4-13-1",), chooser=settled, by=by)
    first_hands(t, first, "deck", HAND, "gcg:5-2-1-5", "gcg:4-14-1")
    for seat, rule in ((first, "gcg:5-2-1-6"), (1 - first, "gcg:5-2-1-7")):
        yield from redraw(t, seat, "deck", HAND, rule, "gcg:5-2-1-6-1", bottom=True)
    for seat in (first, 1 - first):
        place_shields(t, seat, SHIELDS, "setup", "gcg:5-2-2")
    for seat in (first, 1 - first):
        t.make([EX_BASE], f"base/{seat}", "setup", "gcg:5-2-3", "gcg:4-17-4-2", token=True)
    second = f"resource/{1 - first}"
    t.make([EX_RESOURCE], second, "setup", "gcg:5-2-4", "gcg:4-17-5-2", token=True)
    TURN.begin_turn(t, first, "gcg:5-2-5")


def place_shields(t: Table, seat: int, n: int, why: str, *cites: str) -> None:
    """Top cards of the deck become shields, each on top of the last (5-2-2); a shield has HP 1."""
    cards = t.top(f"deck/{seat}", n)
    t.move(cards, f"shield/{seat}", why, *cites, "gcg:3-6-4", "gcg:4-4-5")
