"""How chance is told, and what officials do."""

from __future__ import annotations

from domain.record import events as ev
from domain.record.events import Entry
from replay_cli.drawing import officials
from replay_cli.drawing.names import (
    clock_name,
    countdown,
    time_left,
)
from replay_cli.drawing.telling.narrator import Narrator, tells


@tells(ev.ChanceDrawn)
def _chance(n: Narrator, e: Entry, v: ev.ChanceDrawn) -> None:
    if v.result.value is None or v.result.to != ev.EVERYONE:
        return
    result = ", ".join(str(number + 1) for number in v.result.value)
    n.line(e, -1, f"chance ({v.kind}): {result} of {v.of}", "event", minor=True)


@tells(ev.Irregularity)
def _irregular(n: Narrator, e: Entry, v: ev.Irregularity) -> None:
    n.line(e, -1, officials.irregularity(n.pos, v), "note")


@tells(ev.Ruling)
def _ruling(n: Narrator, e: Entry, v: ev.Ruling) -> None:
    n.line(e, -1, officials.ruling(n.pos, v), "note")


@tells(ev.Penalty)
def _penalty(n: Narrator, e: Entry, v: ev.Penalty) -> None:
    n.line(e, v.seat, officials.penalty(n.pos, v), "note")


@tells(ev.Noted)
def _noted(n: Narrator, e: Entry, v: ev.Noted) -> None:
    if text := officials.note(n.pos, v):
        n.line(e, -1, text, "note")


@tells(ev.Looked)
def _looked(n: Narrator, e: Entry, v: ev.Looked) -> None:
    n.line(e, -1, officials.look(n.pos, v), "note")


@tells(ev.Unreadable)
def _unreadable(n: Narrator, e: Entry, v: ev.Unreadable) -> None:
    n.line(e, -1, f"{v.event}: can't be read ({v.reason})", "note")


@tells(ev.Rewound)
def _rewound(n: Narrator, e: Entry, v: ev.Rewound) -> None:
    decision = n.pos.decision
    where = f"entry {v.to}" if decision is None else f"decision {decision.n}, entry {v.to}"
    why = f": {v.note}" if v.note else ""
    n.line(e, -1, f"the game goes back to {where}; what followed is undone{why}", "note")


@tells(ev.ClockSet)
def _clock(n: Narrator, e: Entry, v: ev.ClockSet) -> None:
    stands = "" if v.running else ", and stands still"
    n.line(e, -1, f"{clock_name(v.clock)} shows {countdown(v.left)}{stands}", "note")


@tells(ev.EngineChanged)
def _engine(n: Narrator, e: Entry, v: ev.EngineChanged) -> None:
    n.line(e, -1, f"from here on played by {v.engine}", "note")


@tells(ev.Paused)
def _paused(n: Narrator, e: Entry, v: ev.Paused) -> None:
    said = "the match stands still" if v.on else "the match goes on"
    n.line(e, -1, f"{said}: {v.note}" if v.note else said, "note")


@tells(ev.TimeCalled)
def _time(n: Narrator, e: Entry, v: ev.TimeCalled) -> None:
    n.line(e, -1, time_left(n.pos, e.time), "note")
