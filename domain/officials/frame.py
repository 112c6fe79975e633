"""The frame around everything that officials put into the record.

It is a `FrameOpened` of kind `official`, which says who did what and why, the entries, and a
`FrameClosed`. All of it is input: a rulebook that goes on with the match takes it as recorded. What
it leads to (a lost game, a question asked again) follows when the frame closes, by the frame's
facts alone (`engine.driver`).

What officials say is in `rulings`, what they do about time in `clocks`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct

from domain.engine.passes.autopass import without
from domain.record import events as ev
from domain.record.values import BY_OFFICIAL, Value

if TYPE_CHECKING:
    from domain.engine.match import Match

#: The kind of frame.
KIND = "official"
#: Facts of a frame that say what the rulebook is to do when it closes.
RULED = frozenset({"anew", "decides", "loses", "plays"})


class Official(Struct, frozen=True):
    """The author, with the time (`now`, in milliseconds since the match was opened) and the reason.

    `ticket` is what the sender named his command by, so that a repeat finds the first answer. Who
    keeps the record of a real table is no official: his `voice` is another (`Entry.by`). How chance
    fell there in what follows (a next game begins) is in `rolls`.
    """

    who: str
    now: int
    why: str = ""
    ticket: str = ""
    voice: int = BY_OFFICIAL
    rolls: tuple[tuple[int, ...], ...] = ()


@contextmanager
def frame(
    match: Match,
    by: Official,
    what: str,
    about: int = 0,
    rules: tuple[str, ...] = (),
    /,
    **facts: Value,
) -> Iterator[tuple[str, ...]]:
    """Put what is emitted within into an official's frame; what to cite for it.

    `about` is the entry that it is about, if one; `rules` are cited first.

    Everything emitted through the table's verbs within is by the official. Further facts say what
    follows when the frame closes: `anew` (the rulebook brings itself up to date, and the open
    decision is asked again), `begins` (the rulebook starts a match that waited), `decides` (the
    tie-breaks end the game), or `loses` (a seat) and `loss` (why: a reason of the manifest). `rule`
    is the narrowest rule by which a game is lost so.
    """
    t = match.table
    if facts.keys() & RULED:
        match.playable()
        match.auto_passes = without(match.auto_passes, tuple(match.auto_passes))  # another table's
    cites = (*rules, f"house:{what}", "house:official")
    t.now = max(by.now, t.pos.time)
    number, by_whom = t.pos.next_frame, {"who": by.who, "what": what, "why": by.why}
    if by.ticket:
        by_whom["ticket"] = by.ticket
    opened = ev.FrameOpened(number, KIND, t.pos.frame, about or t.pos.seq, {**by_whom, **facts})
    with t.speaking(by.voice):
        match.driver.take(t.input(opened, *cites, by=by.voice))
        yield cites
        closed = t.input(ev.FrameClosed(number), *cites, by=by.voice)
    t.rolls = list(by.rolls)
    match.driver.take(closed)
    match.used_up()
