"""What occurs that card texts wait for, as the record shows it.

The times of a turn stand in the table of its steps (`flow.turn`), what occurs in battles is in
`battle`.
"""

from __future__ import annotations

from domain.games.battle_spirits.effects import battle, figures
from domain.games.battle_spirits.effects.texts import TRIGGERS
from domain.games.kit.effects.occurrences import Occurrences, Pattern
from domain.record import events as ev

OCCURRENCES = Occurrences(
    TRIGGERS,
    lambda p: figures.stock(p).heard,
    (
        Pattern(
            "summoned", ev.CardsMoved, lambda case: case.event.why == "summon",
            lambda case: case.now,
        ),
        Pattern(
            "deployed", ev.CardsMoved, lambda case: case.event.why == "deploy",
            lambda case: case.now,
        ),
        *battle.PATTERNS,
    ),
)  # fmt: skip
