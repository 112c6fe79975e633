"""Recent events, for effects that are activated because of them.

A trigger is linked by itself; a Trap, or a Quick Effect, that says `on` is activated by its player,
in the window that follows what it speaks of. So that is noted on the match (`note`), if some card
of the game answers such an event, with its moment; the note ends once a window has closed, or
something else has happened in a chain (`forget`). For texts that say if, and not when, it is not
over before the window is (`earlier`, ygo:base.missed.1). What answers what is in `timing`.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.effects.language.vocabulary import Effect, Filter
from domain.effects.select import Terms
from domain.engine.signals import NameRequired
from domain.engine.table import Table
from domain.games.yugioh.effects import figures
from domain.record.position import Position

MATCH, KEY, EARLIER = "match", "lately", "earlier"
RULE = "ygo:main1.effect.1"
#: Steps in which nothing is activated: what happens in them is answered together afterwards.
_UNASKED = ("damage/4", "damage/6")


def note(t: Table, terms: Terms, word: str, number: int) -> None:
    """Something has happened to a card, if some card of the game answers that of such a one."""
    answered, fighting = figures.stock(t.pos).answered.get(word, ()), figures.in_damage_step(t.pos)
    hidden = not t.in_sight(number)  # the note must not reveal which it is
    if not any(
        (admitted or not fighting) and (hidden or _may_fit(terms, t.pos, number, of))
        for of, admitted in answered
    ):
        return
    ref = 0 if hidden else number
    moment, _, before = str(t.pos.mark(MATCH, KEY) or "").partition(" ")
    together = before and (moment == str(t.moment) or t.pos.step in _UNASKED)
    recent = f"{before} {word}:{ref}" if together else f"{word}:{ref}"
    t.mark(MATCH, KEY, f"{t.moment} {recent}", RULE)
    if word in figures.stock(t.pos).patient:
        so_far = t.pos.mark(MATCH, EARLIER)
        t.mark(MATCH, EARLIER, f"{so_far or ''} {word}:{ref}".strip(), RULE)


def _may_fit(terms: Terms, p: Position, number: int, of: Filter) -> bool:
    """Whether a card is such a one, or may be, where nobody has named it."""
    try:
        return not of or figures.matches(terms, p, number, of)
    except NameRequired:
        return True


def forget(t: Table, last: int = 0) -> None:
    """It is over; unless nothing has happened since (`last` is when something did)."""
    moment, _, _ = str(t.pos.mark(MATCH, KEY) or "").partition(" ")
    if moment and (not last or int(moment) < last):
        t.mark(MATCH, KEY, None, RULE)
    if not last and t.pos.mark(MATCH, EARLIER):
        t.mark(MATCH, EARLIER, None, RULE)


def lately(p: Position, effect: Effect) -> Iterator[tuple[str, int]]:
    """The recent event for a text, and its card."""
    _, _, recent = str(p.mark(MATCH, KEY) or "").partition(" ")
    if figures.LATE in effect.at:
        recent = f"{recent} {p.mark(MATCH, EARLIER) or ''}"
    for one in recent.split():
        word, _, number = one.partition(":")
        yield word, int(number)


def happened(p: Position) -> set[str]:
    """Events of now, or earlier in this window, about any card."""
    _, _, recent = str(p.mark(MATCH, KEY) or "").partition(" ")
    noted = f"{recent} {p.mark(MATCH, EARLIER) or ''}".split()
    return {one.partition(":")[0] for one in noted}


def answerable(p: Position) -> bool:
    """Whether something has just happened that some fast effect of the game answers."""
    return not figures.stock(p).fast.isdisjoint(happened(p))
