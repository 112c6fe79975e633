"""Interruption: windows that go to and fro, and waiting acts carried out last in, first out.

What may be answered is declared and waits; the other player then holds a window, for one act or for
doing nothing (reading A3). Either gives a window to the other; two passes in a row close it, and
everything is carried out from the latest act down, without further windows (reading A2). At the
bottom lies what began it all: a play, an ability, an attack, a defence, the end of a phase.

All of it is in the record: the frame, whose window it is, how often was passed, the acts that wait.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.hollow_flux import offers
from domain.games.hollow_flux.effects import TERMS, resolve_triggers
from domain.games.hollow_flux.play import activate, play, resolve_ability, resolve_play
from domain.games.hollow_flux.windows import frame_of, holder, latest, passed
from domain.record.decisions import Offer, Option
from domain.record.position import Pending, Position

#: The rule by which each kind of act gives the other player a window.
CAUSES = {
    "attack": "hf:inter.cause.1",
    "defend": "hf:inter.cause.2",
    "play": "hf:inter.cause.3",
    "activate": "hf:inter.cause.5",
}
PHASE_ENDS = {
    "active": "hf:inter.cause.6",
    "energy": "hf:inter.cause.7",
    "draw": "hf:inter.cause.8",
    "main": "hf:inter.cause.9",
    "discard": "hf:inter.cause.10",
}
#: What is done when an act's turn has come; the later chapters add theirs.
RESOLVERS: dict[str, Callable[[Table, Pending], Play]] = {
    "play": resolve_play,
    "activate": resolve_ability,
}
#: Where the game goes on when everything is done, by the kind of the act at the bottom.
NEXT: dict[str, Callable[[Table, Pending], None]] = {}
CONTINUE = Offer((Option("continue"),))


def begin(t: Table, *cites: str, by: int = 0) -> None:
    """Something will be declared that may be answered: the frame of all that comes of it.

    `by` is the card that acts.
    """
    facts = {"card": by} if by else {}
    t.open_frame("interruption", *cites, **facts)


def open_window(t: Table) -> Play:
    """The act just declared waits; what it made go off is done first, then the rival may answer."""
    yield from TERMS.settle(t)
    yield from resolve_triggers(t)
    t.mark(f"frame/{frame_of(t.pos).id}", "passes", None, "hf:inter.open.1")
    if t.pos.step != "window":
        go(t, "window", _cause(t.pos), "hf:inter.wait.1")


def _cause(p: Position) -> str:
    """The rule by which this window arose."""
    act = latest(p)
    if passed(p):
        return "hf:inter.cause.4"
    return PHASE_ENDS[act.mode] if act.kind == "phase-end" else CAUSES[act.kind]


def window_step(t: Table) -> Play:
    """One window: an act, or nothing."""
    p = t.pos
    seat = holder(p)
    cites = (_cause(p), "hf:inter.open.1")
    offer = partial(offers.window_offer, t, seat)
    act = yield from t.ask(seat, "window", offer, *cites, about=latest(p).source)
    if act.kind != "pass":
        (play if act.kind == "play" else activate)(t, seat, act)
        yield from open_window(t)
    elif passed(p):
        go(t, "resolve", "hf:inter.pass.2", "hf:inter.lifo.1")
    else:
        t.mark(f"frame/{frame_of(p).id}", "passes", 1, "hf:inter.pass.1", "hf:inter.cause.4")


def resolve_step(t: Table) -> Play:
    """One waiting act, the latest; the step comes round again until none waits."""
    p = t.pos
    frame = frame_of(p)
    act = latest(p)
    if p.heading.options.get("stops"):
        for seat in (p.turn_seat, p.rival(p.turn_seat)):
            cites = ("reading:hf/A1", "hf:carn.draw.1")
            yield from t.ask(seat, "continue", CONTINUE, *cites, about=act.source, public=True)
    last = sum(1 for _ in p.declared()) == 1
    yield from RESOLVERS[act.kind](t, act)
    yield from TERMS.settle(t)
    yield from resolve_triggers(t)
    if last:
        t.close_frame(frame.id, "hf:inter.lifo.1")
        NEXT[act.kind](t, act)


def main_next(t: Table, act: Pending) -> None:
    """After a play or an ability that began in the main phase, the main phase goes on."""
    go(t, "main", "hf:turn.main.1")


NEXT["play"] = NEXT["activate"] = main_next
