"""The turn and its eight phases (`TURN`), with those that the very first turn does not have.

The Attack Phase is in `attack`. A phase that the rules leave out is noted as not done.
"""

from __future__ import annotations

from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.battle_spirits.choices.acts import ACTS
from domain.games.battle_spirits.effects import cores
from domain.games.battle_spirits.effects.instructions.lying import refresh as refresh_cards
from domain.games.battle_spirits.effects.occurrences import forget
from domain.games.battle_spirits.effects.processes import defeat
from domain.games.battle_spirits.effects.texts import TRIGGERS, follow_up
from domain.games.battle_spirits.flow import attack
from domain.games.battle_spirits.flow.phases import end_phase, to
from domain.games.kit.flow.steps import Stage, Steps
from domain.games.kit.zones.hand import draw


def skip(t: Table, phase: str, rule: str) -> None:
    """The first player's first turn does not have this phase."""
    t.not_done(phase, f"seat/{t.pos.turn_seat}", "skipped", rule)


# -- the phases ------------------------------------------------------------------------------------


def count_deck(t: Table) -> Play:
    """Whose deck is empty in his Start Phase has lost, before anything triggers (reading:bs/3)."""
    yield from defeat(t)


def after_start(t: Table) -> Play:
    """The Core Phase, or without one the Draw Phase (bs:7-3-3)."""
    yield from end_phase(t, "bs:7-1-1")
    if t.pos.turn == 1:
        skip(t, "core", "bs:7-3-3")
        go(t, "draw", "bs:7-1-1", "bs:7-3-3")
    else:
        go(t, "core", "bs:7-1-1", "bs:7-2-2")


def gain_core(t: Table) -> None:
    """The turn player puts a core of the Void into his Reserve."""
    cores.move(t, 1, cores.VOID, cores.reserve(t.pos.turn_seat), "bs:7-3-2", "bs:4-8-1")


def draw_one(t: Table) -> None:
    """The turn player draws, in the first turn too."""
    seat = t.pos.turn_seat
    if not draw(t, seat, "deck", 1, "bs:7-4-2", "bs:5-6-2"):
        t.not_done("draw", f"deck/{seat}", "impossible", "bs:1-4-2", "bs:7-4-2", asked=1)


def refresh(t: Table) -> None:
    """All own cards on the Field refresh by one step, and all cores of the Trash come back."""
    seat = t.pos.turn_seat
    with t.at_once():
        refresh_cards(t, list(t.pos.zone("field", seat)), "bs:7-5-2")
        cores.move_all(t, cores.trash(seat), cores.reserve(seat), "bs:7-5-2", "reading:bs/26")


def main_act(t: Table) -> Play:
    """One act of a Main Phase, once all that the one before has set off is done."""
    rules = ("bs:7-6-1-2", "bs:7-6-1-2-3") if t.pos.step == "main" else ("bs:7-8-1", "bs:7-6-1-2")
    yield from follow_up(t)
    t.resting_point()
    yield from ACTS.ask(t, t.pos.turn_seat, "main", *rules)


def after_main(t: Table) -> Play:
    """The Attack Phase, or without one the End Phase (bs:7-7-2, 7-8-2)."""
    yield from end_phase(t, "bs:7-6-1-2-4", "bs:7-1-1")
    if t.pos.turn == 1:
        skip(t, "attack-phase", "bs:7-7-2")
        skip(t, "second-main", "bs:7-8-2")
        go(t, "end", "bs:7-9-1", "bs:7-1-1")
    else:
        go(t, "attack/start", "bs:7-7-3", "bs:7-6-1-2-4", "bs:7-1-1")


def expire(t: Table) -> None:
    """Effects for this turn end before anything of the End Phase triggers."""
    t.expire("turn", "bs:7-9-1-1")


def pass_turn(t: Table) -> Play:
    """Effects for this turn that began since end (reading:bs/22), and the turn passes."""
    yield from end_phase(t, "bs:7-9-1-3")
    while t.expire("turn", "bs:7-9-1-3", "reading:bs/22"):
        yield from follow_up(t)
    forget(t, "bs:7-9-1-3")
    TURN.begin_turn(t, t.pos.rival(t.pos.turn_seat), "bs:7-9-1-3")


TURN = Steps(
    TRIGGERS,
    {
        "start": Stage(count_deck, after_start, ends="start"),
        "core": Stage(gain_core, to("draw", "bs:7-1-1", "bs:7-3-2"), begins="core"),
        "draw": Stage(draw_one, to("refresh", "bs:7-1-1", "bs:7-4-2"), begins="draw"),
        "refresh": Stage(refresh, to("main/start", "bs:7-6-1", "bs:7-1-1"), begins="refresh"),
        "main/start": Stage(begins="main-start", then="main", cites=("bs:7-6-1-2",)),
        "main": Stage(main_act, after_main, ends="main-end", round=True),
        **attack.STAGES,
        "second-main": Stage(
            main_act, to("end", "bs:7-9-1", "bs:7-1-1"), ends="second-main-end", round=True
        ),
        "end": Stage(expire, "end/turn", ("bs:7-9-1-2",), ends="end"),
        "end/turn": Stage(begins="turn-end", then=pass_turn),
    },
    turns=("bs:7-1-1",),
    enters=("bs:7-1-1",),
)
