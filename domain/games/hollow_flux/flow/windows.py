"""Interruption: windows that go to and fro, and waiting acts carried out last in, first out.

What may be answered is declared and waits; the other player then holds a window, for one act or for
doing nothing (reading:hf/A3). Either gives a window to the other; two passes in a row close it, and
everything is carried out from the latest act down, without further windows (reading:hf/A2). At the
bottom lies what began it all: a play, an ability, an attack, a defence, the end of a phase. What is
done in a window, and when an act's turn has come, is in `interruption`.
"""

from __future__ import annotations

from domain.games.hollow_flux.effects.texts import follow_up
from domain.games.kit.flow.window import Cites, Priority, Rules, Window
from domain.record.position import Position

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


def _cause(p: Position, holds: Priority) -> Cites:
    """The rule by which this window arose."""
    act = WINDOW.latest(p)
    if holds.passes or act is None:
        return ("hf:inter.cause.4",)
    return (PHASE_ENDS[act.mode] if act.kind == "phase-end" else CAUSES[act.kind],)


WINDOW = Window(
    kind="window",
    frame="interruption",
    step="window",
    resolve="resolve",
    follow=follow_up,
    rules=Rules(
        cause=_cause,
        asks=("hf:inter.open.1",),
        opens=("hf:inter.wait.1",),
        reopens=("hf:inter.open.1",),
        passes=("hf:inter.pass.1", "hf:inter.cause.4"),
        closes=("hf:inter.pass.2", "hf:inter.lifo.1"),
        ends=("hf:inter.lifo.1",),
    ),
)
