"""The occurrences that card texts wait for, derived from the record.

Pierce hangs on the same patterns. The times at which texts go off (the beginning of the main phase,
the end of each phase and of the turn) stand in the table of the turn's steps (`flow.turn`).
"""

from __future__ import annotations

from domain.engine.table import Table
from domain.games.hollow_flux.effects import figures
from domain.games.hollow_flux.effects.texts import TRIGGERS
from domain.games.hollow_flux.flow.guard import MARK
from domain.games.kit.effects.occurrences import Case, Note, Occurrences, Passage, Pattern
from domain.record import events as ev


def _enters(passage: Passage) -> bool:
    """A card comes to the battlefield, by itself or to be set on another."""
    return passage.dst == "battlefield" and not passage.kept


def _revealed(case: Case) -> bool:
    """A guard card that moves by damage is revealed for one of its texts (hf:key.trigger.1)."""
    return bool(case.event.key == MARK and case.event.value)


def _destroyer(case: Case) -> int:
    """The character that has destroyed another; 0 where nobody is to blame (reading:hf/A33)."""
    damage = case.t.due.damage.get(case.card)
    dealt = damage.source if damage is not None else 0
    source = {"damage": dealt, "effect": case.event.responsible}.get(case.event.cause, 0)
    return source if isinstance(source, int) and figures.is_character(case.t.pos, source) else 0


def _pierce(t: Table, note: Note) -> None:
    """Attack damage destroyed a character: pierce goes off (hf:key.pierce.1)."""
    p, attacker, fallen = t.pos, note.card, note.befallen
    damage = t.due.damage.get(fallen)
    by_it = damage is not None and damage.kind == "battle" and damage.source == attacker
    if by_it and p.card(attacker).stats.get("pierce"):
        seat = p.card(attacker).controller
        act = t.trigger("keyword/pierce", attacker, seat, note.seq, "hf:key.pierce.1")
        t.mark(attacker, f"pierced:{act}", p.cards[fallen].controller, "hf:key.pierce.1")


OCCURRENCES = Occurrences(
    TRIGGERS,
    lambda p: figures.stock(p).heard,
    (
        Pattern("attack", ev.AttackDeclared),
        Pattern("damage-trigger", ev.Marked, _revealed),
        Pattern("defend", ev.AttackChanged, lambda case: case.event.why == "defence"),
        Pattern(
            "enter", ev.CardsMoved, whom=lambda case: case.now,
            passes=lambda passage: _enters(passage) and passage.why != "set",
        ),
        Pattern(
            "set", ev.CardsMoved, whom=lambda case: case.now,
            passes=lambda passage: _enters(passage) and passage.why == "set",
        ),
        Pattern("destroyed", ev.DepartureBegan, lambda c: c.event.cause),
        Pattern("destroyed-by-damage", ev.DepartureBegan, lambda c: c.event.cause == "damage"),
        Pattern("destroyed-by-effect", ev.DepartureBegan, lambda c: c.event.cause == "effect"),
        Pattern("destroys", ev.DepartureBegan, _destroyer, _destroyer, then=_pierce),
    ),
)  # fmt: skip
