"""The present Summon: its frame, its kind, its monster; and the result of negating it."""

from __future__ import annotations

from domain.engine.table import Table
from domain.games.yugioh.effects.field.places import leave
from domain.games.yugioh.effects.summons import methods
from domain.record.position import Frame, Position


def frame_of(p: Position) -> Frame | None:
    """The frame of the Summon that is going on."""
    return next((frame for frame in reversed(p.frames) if frame.kind == "summon"), None)


def summoned(p: Position) -> int:
    """The monster whose Summon is going on; 0 if it is gone."""
    frame = frame_of(p)
    card = frame.facts.get("card", 0) if frame is not None else 0
    if isinstance(card, int) and card:
        return card if p.present(card) else 0
    lying = p.zone("limbo", p.turn_seat)
    return lying[-1] if lying else 0


def in_place(p: Position) -> bool:
    """Whether it is the Summon of a monster that lies on the field already: a Flip, a Gemini."""
    frame = frame_of(p)
    return frame is not None and isinstance(frame.facts.get("card"), int)


def decided_by(p: Position) -> tuple[str, ...]:
    """By which rules it goes on where it can't be negated any more: it succeeds, or was negated."""
    rules = methods.rules(p)
    return rules.succeeds[:1] if summoned(p) else rules.negated


def negate(t: Table, *cites: str) -> int:
    """The Summon is negated, and its monster destroyed; its number in the Graveyard, 0: none was.

    It is destroyed neither on the field nor in the hand (ygo:summon.normal.4, ygo:flip.summon.7).
    """
    p = t.pos
    number = summoned(p)
    if not number:
        return 0
    rules = methods.rules(p).negated
    with t.at_once():
        if in_place(p):
            card = p.cards[number]
            t.move(
                [number], f"limbo/{card.controller}", "summon negated", *rules, *cites, same=True,
                orient=card.orient, up=card.up,
            )  # fmt: skip
        gone = leave(t, [number], "grave", "summon negated", *rules, *cites)
    return gone[-1] if gone else 0
