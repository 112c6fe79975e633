"""How a monster is being Summoned, and what the book says of each way: rules, mark, proper or not.

The way is a fact of the Summon's frame; a Summon by an effect needs no frame, but for Fusion and
Ritual Summons. The frame's steps are in `flow.summons`.
"""

from __future__ import annotations

from msgspec import Struct

from domain.record.position import Position


class Method(Struct, frozen=True):
    """The rules of a way to Summon: its negation window, success, responses, being negated.

    `proper`: it lifts the revival limit (ygo:special.revive.1).
    """

    window: tuple[str, ...]
    succeeds: tuple[str, ...]
    answered: tuple[str, ...]
    negated: tuple[str, ...]
    proper: bool = False


_NORMAL = Method(
    ("ygo:summon.steps.4",),
    ("ygo:summon.steps.5", "reading:ygo/A22"),
    ("ygo:summon.steps.6",),
    ("ygo:summon.normal.4",),
)
#: By the word that stands in the frame.
METHODS = {
    "normal": _NORMAL,
    "tribute": _NORMAL,
    "flip": Method(
        ("reading:ygo/A15",), ("ygo:flip.summon.2",), ("ygo:summon.steps.6",),
        ("ygo:flip.summon.7",),
    ),
    "set": Method((), (), ("ygo:set.steps.3",), ()),
    "own": Method(
        ("ygo:summon.steps.4",), ("ygo:special.def.1", "reading:ygo/A22"), ("ygo:summon.steps.6",),
        ("ygo:summon.normal.4",), True,
    ),
    "synchro": Method(
        ("ygo:synchro.steps.4",), ("ygo:synchro.steps.5", "reading:ygo/A22"),
        ("ygo:synchro.steps.6",), ("ygo:synchro.def.2", "ygo:summon.normal.4"), True,
    ),
    "fusion": Method((), ("ygo:fusion.steps.3",), ("ygo:fusion.steps.4",), (), True),
    "ritual": Method((), ("ygo:ritual.steps.3",), ("ygo:ritual.steps.4",), (), True),
    "xyz": Method(
        ("ygo:xyz.steps.3",), ("ygo:xyz.steps.4", "reading:ygo/A22"), ("ygo:xyz.steps.5",),
        ("ygo:xyz.def.2", "reading:ygo/A21", "ygo:summon.normal.4"), True,
    ),
}  # fmt: skip


def method(p: Position) -> str:
    """How the monster is being Summoned whose Summon is going on; empty if none is."""
    frame = next((frame for frame in reversed(p.frames) if frame.kind == "summon"), None)
    return str(frame.facts.get("method", "")) if frame is not None else ""


def rules(p: Position) -> Method:
    """The rules of that way; of a Normal Summon if the way is unknown."""
    return METHODS.get(method(p), _NORMAL)
