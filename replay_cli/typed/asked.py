"""Acts to ask about, as typed: `A: attack GM -> player`, `block with GM`.

The notation is in `domain.text.notation`; nothing that is asked needs to be possible. Who sees the
whole record of a real table may name cards that nobody has seen.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from domain.record.decisions import Act
from domain.record.position import SEATS, Position
from domain.text import notation

if TYPE_CHECKING:
    from domain.engine.rulebook import Rulebook

_SEAT = re.compile(r"\s*([A-Ha-h])\s*:\s*(.*)")
#: People block *with* a card; in the notation the card follows the verb.
_WITH = re.compile(r"([a-z-]+) with (.+)")


def read(
    text: str, rules: Rulebook, pos: Position, seat: int, *, sees_all: bool
) -> tuple[int, Act, dict[int, str]]:
    """Whose act a text means, the act, and the unseen cards it names; raises `notation.BadText`.

    It is the act of `seat`, or else of the seat that is asked, unless the text names one.
    """
    found = _SEAT.fullmatch(text)
    if found:
        seat, text = SEATS.index(found[1].upper()), found[2]
    decision = pos.decision
    if seat < 0:
        seat = decision.seats[0] if decision is not None and decision.seats else 0
    offer = decision.offers.get(seat) if decision is not None else None
    led = _WITH.fullmatch(text.strip())
    if led:
        text = f"{led[1]} {led[2]}"
    named: dict[int, str] | None = {} if sees_all and pos.heading.mode == "table" else None
    act = notation.parse(
        text, pos, rules, seat, offer, free=True, named=named, sees_all=sees_all, any_card=True
    )
    return seat, act, named or {}
