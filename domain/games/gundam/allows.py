"""Which rule allows a legal act: what the answer to a decision is cited with."""

from __future__ import annotations

from domain.engine.table import Table
from domain.games.gundam.figures import facts
from domain.games.gundam.legal import OWN_ORDER
from domain.record.decisions import Act
from domain.record.position import zone_of

ALLOWS = {
    "declare": ("house:declared",),
    "support": ("gcg:11-1-3-1",),
    "attack": ("gcg:6-5-4-1", "gcg:7-1"),
    "end": ("gcg:6-5-5-1",),
    "block": ("gcg:7-4-1",),
    "no-block": ("gcg:7-4-4",),
    "pass": ("gcg:8-3-3",),
    "burst": ("gcg:11-2-5-2",),
    "decline": ("gcg:11-2-5-3",),
    "yes": ("gcg:9-1-3",),
    "no": ("gcg:9-1-3",),
    "choose": ("gcg:9-3-3",),
    "mode": ("gcg:9-3-3",),
    "order": ("gcg:3-1-6",),
    "resolve": ("gcg:9-1-6-5",),
    "trash": ("gcg:10-4-2",),
    "first": ("gcg:5-2-1-4",),
    "second": ("gcg:5-2-1-4",),
    "concede": ("gcg:1-2-3",),
}


def cites(t: Table, seat: int, act: Act) -> tuple[str, ...]:
    """The rules that allow a legal act."""
    p = t.pos
    main = p.step == "main"
    if act.kind in ("deploy", "pair") and isinstance(act.card, int):
        kind = facts(p, act.card).type
        return {
            "unit": ("gcg:6-5-2-1-1",),
            "base": ("gcg:6-5-2-2-1",),
            "pilot": ("gcg:6-5-2-3-1",),
            "command": ("gcg:6-5-2-3-5",),
        }[kind]
    match act.kind:
        case "command":
            return ("gcg:6-5-2-4-1", "gcg:11-2-3-2") if main else ("gcg:8-3-1", "gcg:11-2-4-2")
        case "activate":
            return ("gcg:6-5-3-1", "gcg:11-2-1-1") if main else ("gcg:8-3-2", "gcg:11-2-2-1")
        case "redraw" | "keep":
            first = p.mark(f"seat/{seat}", "first")
            return ("gcg:5-2-1-6" if first else "gcg:5-2-1-7",)
        case "reorder":
            return (OWN_ORDER[zone_of(str(act.card))],)
        case "discard":
            return ("gcg:6-6-4-1",) if p.step == "end/hand" else ("gcg:4-11-1",)
    return ALLOWS[act.kind]
