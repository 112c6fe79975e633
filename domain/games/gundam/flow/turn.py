"""Chapter 6: the turn, step by step (`TURN`). Playing cards is in `choices.play`."""

from __future__ import annotations

from domain.effects.lately import forget
from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.gundam.choices.acts import ACTS
from domain.games.gundam.choices.play import RESOURCES, draw
from domain.games.gundam.effects.lasting import expire, setting_active, spare_forbidden
from domain.games.gundam.effects.texts import TRIGGERS, follow_up
from domain.games.gundam.flow.attack import action_step
from domain.games.kit.flow.steps import Stage, Steps
from domain.games.kit.zones.hand import discard_down
from domain.record.decisions import ORDERED

HAND_LIMIT = 10


def make_active(t: Table) -> None:
    """6-2-2: all the turn player's rested cards become active, simultaneously."""
    p, seat = t.pos, t.pos.turn_seat
    own = [n for zone in ("battle", "resource", "base") for n in p.zone(zone, seat)]
    rested = [number for number in own if p.cards[number].orient == "rested"]
    free = spare_forbidden(t, rested, "ready", setting_active(p), "gcg:6-2-2-1")
    t.turn(free, "gcg:6-2-2-1", "gcg:6-2-2-2", orient="active")


def end_start_phase(t: Table) -> Play:
    """7-2-5 (1.9): what lasts until the end of this phase is over; the Draw Phase follows."""
    if expire(t, "start", "gcg@1.9:7-2-5"):
        yield from follow_up(t)
    go(t, "draw", *NEXT_PHASE)


def draw_one(t: Table) -> None:
    """6-3: the turn player draws one; with the deck empty now, he loses at once (6-3-1-1)."""
    draw(t, [t.pos.turn_seat], 1, "gcg:6-3-1")


def place_resource(t: Table) -> None:
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


def main_act(t: Table) -> Play:
    """6-5: one act of the Main Phase."""
    yield from ACTS.ask(t, t.pos.turn_seat, "main", "gcg:6-5-1")
    yield from TRIGGERS.resolve(t)  # each act has settled, or has entered another step


def end_action(t: Table) -> Play:
    """6-6-2: the Action Step of the End Phase."""
    yield from action_step(t)
    yield from TURN.end(t)


def discard_to_limit(t: Table) -> Play:
    """6-6-4: the turn player discards down to ten, in an order he chooses (3-1-6)."""
    asks, moves = ("gcg:3-8-4-1",), ("gcg:4-11-1",)
    yield from discard_down(
        t, t.pos.turn_seat, HAND_LIMIT, "gcg:6-6-4-1", asks=asks, moves=moves, limits=ORDERED
    )


def clean_up(t: Table) -> Play:
    """6-6-5: effects for this turn end, and what that triggers is resolved.

    Effects for this turn that begin here end in another pass (reading:gcg/18).
    """
    while expire(t, "turn", "gcg:6-6-5-1"):
        yield from follow_up(t)


def pass_turn(t: Table) -> None:
    """6-6-6: the other player's turn begins; what has happened in this one is asked no more."""
    forget(t, "gcg:6-6-5-1")
    TURN.begin_turn(t, t.pos.rival(t.pos.turn_seat), "gcg:6-6-6")


NEXT_PHASE = ("gcg:6-1-1", "gcg:6-1-3")
TURN = Steps(
    TRIGGERS,
    {
        "start/active": Stage(make_active, "start/start", ("gcg:6-2-1",)),
        "start/start": Stage(begins="turn-start", then=end_start_phase),  # 6-2-3
        "draw": Stage(draw_one, "resource", NEXT_PHASE),
        "resource": Stage(place_resource, "main", NEXT_PHASE),
        "main": Stage(main_act, "end/action", ("gcg:6-5-5-2", "gcg:6-6-1", "gcg:8-1"), round=True),
        "end/action": Stage(end_action, "end/end", ("gcg:8-5", "gcg:6-6-1"), round=True),
        "end/end": Stage(begins="turn-end", then="end/hand", cites=("gcg:6-6-1",)),  # 6-6-3
        "end/hand": Stage(discard_to_limit, "end/cleanup", ("gcg:6-6-1",)),
        "end/cleanup": Stage(clean_up, pass_turn),
    },
    turns=("gcg:6-1-2",),
    enters=("gcg:6-2-1",),
)
