"""What lasts: when it ends, and what it keeps from being done to cards.

Damage that a card can't receive is in `damage`, acts that players may not choose in
`choices.legal`.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.effects.constant.calculator import barring, texts
from domain.engine.table import Table
from domain.games.gundam.effects.texts import TERMS
from domain.record.position import Modifier, Position


def expire(t: Table, until: str, *cites: str) -> int:
    """End what lasts until this time, and what a text has said lasts until this one; how much."""
    ended = t.expire(until, *cites)
    for one in t.come_due(until, *cites) if t.pos.scheduled else ():
        if one.x in t.pos.modifiers:
            t.end_modifiers([one.x], until, *cites, f"card:{one.effect}")
            ended += 1
    return ended


def spare_forbidden(
    t: Table, numbers: Sequence[int], what: str, acts: Sequence[str], *cites: str, by: int = 0
) -> list[int]:
    """Those of some cards to which something may be done; of the others it is recorded why not."""
    if not t.pos.modifiers:
        return list(numbers)
    free = []
    for number in numbers:
        bars = forbidding(t.pos, number, acts, by)
        if bars:
            t.not_done(what, number, "forbidden", "gcg:1-3-3", *texts(bars), *cites)
        else:
            free.append(number)
    return free


def forbidding(p: Position, number: int, acts: Sequence[str], by: int = 0) -> list[Modifier]:
    """The texts in force by which one of these acts is not done to a card, or by it."""
    if not p.modifiers:
        return []
    return [bar for act in acts for bar in barring(TERMS, p, number, act, by)]


def setting_active(p: Position) -> tuple[str, ...]:
    """What texts call it to set a card as active now."""
    return ("ready", "refresh") if p.step.startswith("start/") else ("ready",)
