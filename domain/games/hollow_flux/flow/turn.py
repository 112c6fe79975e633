"""The turn, phase by phase (`TURN`), and what is done at its end.

Each phase ends with the effects for that, then with a window for the opponent, for which the turn
player's ending it is the act that waits (reading:hf/A4). The end of the turn has no windows.
"""

from __future__ import annotations

from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.hollow_flux.choices.acts import ACTS
from domain.games.hollow_flux.choices.declare import declare_phase_end
from domain.games.hollow_flux.effects.texts import TRIGGERS, follow_up
from domain.games.hollow_flux.flow.reload import draw, reload
from domain.games.kit.flow.steps import Stage, Steps
from domain.games.kit.zones.hand import discard_down
from domain.record.decisions import ORDERED, Offer, Option, Part
from domain.record.position import Pending
from domain.record.values import Ref

HAND_LIMIT = 7
#: What follows each phase.
AFTER = {
    "active": "draw",
    "draw": "energy",
    "energy": "main/start",
    "main": "discard",
    "discard": "end/heal",
}
ENERGY = Offer((Option("place"), Option("skip")))


def resolve_phase_end(t: Table, act: Pending) -> None:
    """The phase is over when its turn has come."""
    t.resolve(act.id, "hf:inter.lifo.1")
    t.end_act(act.id, "resolved", "hf:inter.lifo.1")


def after_phase(t: Table, act: Pending) -> None:
    """The next phase, or the end of the turn."""
    rule = "hf:turn.end.1" if act.mode == "discard" else "hf:turn.order.1"
    go(t, AFTER[act.mode], rule)


# -- the phases ------------------------------------------------------------------------------------


def wake(t: Table) -> None:
    """All the turn player's sleeping cards on the battlefield wake, and his energy."""
    p, seat = t.pos, t.pos.turn_seat
    own = [n for n in p.zone("battlefield") if p.cards[n].controller == seat]
    asleep = [n for n in (*own, *p.zone("energy", seat)) if p.cards[n].orient == "asleep"]
    t.turn(asleep, "hf:turn.active.1", orient="active")


def draw_one(t: Table) -> Play:
    """The turn player draws one, in the first turn too."""
    yield from draw(t, [t.pos.turn_seat], 1, "hf:turn.draw.1")


def place_energy(t: Table) -> Play:
    """The top card of the main deck becomes an energy, if he likes; nobody sees which it is."""
    seat = t.pos.turn_seat
    act = yield from t.ask(seat, "energy", ENERGY, "hf:turn.energy.1", public=True)
    if act.kind == "place":
        if not t.pos.zone("main", seat):
            yield from reload(t, seat, "hf:turn.energy.2")
        top, field = t.top(f"main/{seat}"), f"energy/{seat}"
        t.move(top, field, "energy", "hf:turn.energy.1", "hf:energy.field.1", "hf:energy.hidden.1")


def main_act(t: Table) -> Play:
    """One act of the main phase."""
    yield from ACTS.ask(t, t.pos.turn_seat, "main", "hf:turn.main.1")


def discard_to_limit(t: Table) -> Play:
    """The turn player discards down to seven."""
    yield from discard_down(t, t.pos.turn_seat, HAND_LIMIT, "hf:turn.discard.1")


# -- the end of the turn ---------------------------------------------------------------------------


def heal(t: Table) -> None:
    """Characters' damage is healed, everybody's."""
    p = t.pos
    with t.at_once():
        for number in list(p.zone("battlefield")):
            hurt = p.cards[number].counters.get("damage", 0)
            t.counters("damage", hurt, "hf:turn.end.2", "reading:hf/A14", src=number)


def lift(t: Table) -> Play:
    """Effects until the end of the turn are lifted, in the order the turn player decides.

    The step comes round again until none is left: lifting one may bring another about.
    """
    p, seat = t.pos, t.pos.turn_seat
    lasting = [f"modifier/{number}" for number, m in p.modifiers.items() if m.until == "turn"]
    if not lasting:
        TURN.begin_turn(t, p.rival(seat), "hf:turn.end.1")
        return
    order: tuple[Ref, ...] = tuple(lasting)
    if len(lasting) > 1:
        n = len(lasting)
        option = Option("lift", 0, (Part("lift", 0, n, n, ORDERED),))
        offer = Offer((option,), (order,))
        act = yield from t.ask(seat, "lift", offer, "hf:turn.end.5", public=True)
        order = act.picks[0]
    chosen = ("hf:turn.end.5",) if len(order) > 1 else ()
    for ref in order:
        number = int(str(ref).partition("/")[2])
        if number in p.modifiers:
            t.end_modifiers([number], "turn", "hf:turn.end.4", *chosen, "hf:key.auto.6")
            yield from follow_up(t)


# -- the table -------------------------------------------------------------------------------------

TURN = Steps(
    TRIGGERS,
    {
        "active": Stage(wake, declare_phase_end, ends="active-end"),
        "draw": Stage(draw_one, declare_phase_end, ends="draw-end"),
        "energy": Stage(place_energy, declare_phase_end, ends="energy-end"),
        "main/start": Stage(begins="main-start", then="main", cites=("hf:turn.main.1",)),
        "main": Stage(main_act, declare_phase_end, ends="main-end", round=True),
        "discard": Stage(discard_to_limit, declare_phase_end, ends="discard-end"),
        "end/heal": Stage(heal, "end/effects", ("hf:turn.end.1",)),
        "end/effects": Stage(begins="turn-end", then="end/lift", cites=("hf:turn.end.1",)),
        "end/lift": Stage(lift, round=True),
    },
    turns=("hf:turn.order.1",),
    enters=("hf:turn.order.1",),
)
