"""What has just happened, for effects that are activated because of it.

A trigger is linked by itself; a Trap, or a Quick Effect, that says `on` is activated by its player,
in the window that follows what it speaks of. So that is noted on the match (`note`), as far as some
card of the game answers such a thing, with the moment at which it happened; it is over once a
window has closed, or something else has happened in a chain (`forget`). What answers what is in
`timing`.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.table import Table
from domain.games.yugioh.effects import figures
from domain.record.position import Position

MATCH, KEY = "match", "lately"
RULE = "ygo:main1.effect.1"


def note(t: Table, word: str, number: int) -> None:
    """Something has happened that some card of the game answers."""
    if word not in figures.stock(t.pos).answered:
        return
    ref = number if t.in_sight(number) else 0
    moment, _, before = str(t.pos.mark(MATCH, KEY) or "").partition(" ")
    told = f"{before} {word}:{ref}" if moment == str(t.moment) else f"{word}:{ref}"
    t.mark(MATCH, KEY, f"{t.moment} {told}", RULE)


def forget(t: Table, last: int = 0) -> None:
    """It is over; unless nothing has happened since (`last` is when something did)."""
    moment, _, _ = str(t.pos.mark(MATCH, KEY) or "").partition(" ")
    if moment and (not last or int(moment) < last):
        t.mark(MATCH, KEY, None, RULE)


def lately(p: Position) -> Iterator[tuple[str, int]]:
    """What has just happened, and to which card."""
    _, _, told = str(p.mark(MATCH, KEY) or "").partition(" ")
    for one in told.split():
        word, _, number = one.partition(":")
        yield word, int(number)
