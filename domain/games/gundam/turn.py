"""Chapter 6: the turn, phase by phase. Playing cards is in `play`, attacking in `attack`.

Each step is a generator that says where to go next; the driver starts that step.
"""

from __future__ import annotations

from functools import partial

from domain.engine import overtime
from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.gundam.action import action_step
from domain.games.gundam.acts import ACTS
from domain.games.gundam.effects import TRIGGERS, follow_up
from domain.games.gundam.play import RESOURCES, draw
from domain.games.kit.hand import discard_down
from domain.record.decisions import ORDERED

HAND_LIMIT = 10


def begin_turn(t: Table, seat: int, *cites: str) -> None:
    """A turn begins, with its Start Phase (6-1-2, 6-2-1)."""
    overtime.begin_turn(t, seat, *cites, "gcg:6-1-2")
    go(t, "start/active", "gcg:6-2-1")


def active_step(t: Table) -> Play:
    """6-2-2: all the turn player's rested cards become active, simultaneously."""
    p, seat = t.pos, t.pos.turn_seat
    own = [n for zone in ("battle", "resource", "base") for n in p.zone(zone, seat)]
    t.turn(own, "gcg:6-2-2-1", "gcg:6-2-2-2", orient="active")
    yield from follow_up(t)
    go(t, "start/start", "gcg:6-2-1")


def start_step(t: Table) -> Play:
    """6-2-3: effects for the start of the turn."""
    TRIGGERS.time(t, "turn-start", latest=True)
    yield from follow_up(t)
    go(t, "draw", "gcg:6-1-1", "gcg:6-1-3")


def draw_step(t: Table) -> Play:
    """6-3: the turn player draws one; with the deck empty now, he loses at once (6-3-1-1)."""
    draw(t, [t.pos.turn_seat], 1, "gcg:6-3-1")
    yield from follow_up(t)
    go(t, "resource", "gcg:6-1-1", "gcg:6-1-3")


def resource_step(t: Table) -> Play:
    """6-4: one Resource from the Resource Deck, if there is one and room for it."""
    seat = t.pos.turn_seat
    source, area = f"resource-deck/{seat}", f"resource/{seat}"
    cards = t.top(source)
    if not cards:
        t.not_done("resource", source, "impossible", "gcg:1-3-2", "gcg:6-4-1", asked=1)
    elif not RESOURCES.room(t.pos, seat):
        t.not_done("resource", area, "limit", "gcg:3-4-2", "gcg:1-3-2", asked=1)
    else:
        t.move(cards, area, "resource", "gcg:6-4-1", "gcg:3-4-1")
    yield from follow_up(t)
    go(t, "main", "gcg:6-1-1", "gcg:6-1-3")


def main_step(t: Table) -> Play:
    """6-5: one act of the Main Phase; the step comes round again until its end is declared."""
    seat = t.pos.turn_seat
    act = yield from t.ask(seat, "main", partial(ACTS.offer, "main", t, seat), "gcg:6-5-1")
    yield from ACTS.carry_out(t, seat, act)
    yield from TRIGGERS.resolve(t)  # each act has settled, or has entered another step


def end_action_step(t: Table) -> Play:
    """6-6-2: the Action Step of the End Phase."""
    yield from action_step(t)
    go(t, "end/end", "gcg:8-5", "gcg:6-6-1")


def end_step(t: Table) -> Play:
    """6-6-3: effects for the end of the turn, Repair among them."""
    TRIGGERS.time(t, "turn-end", latest=True)
    yield from follow_up(t)
    go(t, "end/hand", "gcg:6-6-1")


def hand_step(t: Table) -> Play:
    """6-6-4: the turn player discards down to ten, in an order he chooses (3-1-6)."""
    asks, moves = ("gcg:3-8-4-1",), ("gcg:4-11-1",)
    over = yield from discard_down(
        t, t.pos.turn_seat, HAND_LIMIT, "gcg:6-6-4-1", asks=asks, moves=moves, limits=ORDERED
    )
    if over:
        yield from follow_up(t)
    go(t, "end/cleanup", "gcg:6-6-1")


def cleanup_step(t: Table) -> Play:
    """6-6-5: effects for this turn end, and what that triggers is resolved; then the turn passes.

    Effects for this turn that begin here end in another pass (reading 18).
    """
    while t.expire("turn", "gcg:6-6-5-1"):
        yield from follow_up(t)
    begin_turn(t, t.pos.rival(t.pos.turn_seat), "gcg:6-6-6")
