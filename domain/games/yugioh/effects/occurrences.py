"""What occurs that card texts wait for, as the record shows it.

The times of a turn stand in the table of its steps (`flow.turn`).
"""

from __future__ import annotations

from domain.games.kit.effects.occurrences import Case, Occurrences, Pattern
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.texts import TRIGGERS
from domain.record import events as ev
from domain.record.position import zone_of


def _summoned(case: Case) -> bool:
    return bool(case.event.why == "succeeded")


def _flipped(case: Case) -> bool:
    """A monster was turned face up, by battle or by an effect (ygo:effect.flip.2)."""
    return bool(case.event.up) and not any(f.kind == "summon" for f in case.t.pos.frames)


def _flip_summoned(case: Case) -> bool:
    """A Flip Summon has succeeded (ygo:flip.summon.2)."""
    return case.event.key == "changed" and any(f.kind == "summon" for f in case.t.pos.frames)


def _buried(case: Case) -> bool:
    """A card is sent from the field to the Graveyard."""
    e = case.event
    return zone_of(e.dst) == "grave" and zone_of(e.src) in figures.FIELD


OCCURRENCES = Occurrences(
    TRIGGERS,
    lambda p: figures.stock(p).heard,
    (
        Pattern("summoned", ev.CardsMoved, _summoned, lambda case: case.now),
        Pattern("flip", ev.CardsTurned, _flipped),
        Pattern("flip", ev.Marked, _flip_summoned),
        Pattern("attack", ev.AttackDeclared),
        Pattern("buried", ev.CardsMoved, _buried, lambda case: case.now),
    ),
)
