"""Delays: which entries of a match are released to a viewer who sees it late.

A public token may carry a delay: `300s` (seconds), `5 decisions`, or `game` (each game once it is
over). Entries that are not released do not exist for its holder, in queries and streams alike: both
ask here how many entries there are. The answer is computed from the stored entries alone, so it is
the same after a restart.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from msgspec import Struct

from domain.record.entries import TYPES
from domain.record.events import DecisionOpened, GameEnded, MatchEnded
from domain.words.phrases import phrase
from service.store.derived import rewinds
from service.store.derived.listing import Listed
from service.store.history import History
from service.store.records import LAST, NoSuchMatch, Records

#: A day, and as many decisions as no match has, are the most.
MOST_SECONDS, MOST_DECISIONS = 86_400, 100_000


class BadDelay(ValueError):
    """A delay that can't be read."""


class NotReleased(NoSuchMatch):
    """Nothing of a match is released yet with this delay."""


class Delay(Struct, frozen=True):
    """How late somebody sees: so many seconds, so many decisions, or `game` by game."""

    seconds: int = 0
    decisions: int = 0
    game: bool = False

    def __bool__(self) -> bool:
        return self != NONE

    def __str__(self) -> str:
        if self.game:
            return "game"
        if self.decisions:
            return f"{self.decisions} decision{'s' * (self.decisions > 1)}"
        return f"{self.seconds}s" if self.seconds else ""


NONE = Delay()


class Released(NamedTuple):
    """The entries that a viewer may know: those up to `upto`. `all`: there are no more yet.

    `wait`: more of what is stored is due after so many milliseconds; -1: time alone brings none.
    """

    upto: int = LAST
    all: bool = True
    wait: int = -1


EVERYTHING = Released()


def parse(text: str) -> Delay:
    """A delay as it is written; empty: none. Raises `BadDelay`."""
    text = text.strip().lower()
    if text == "game":
        return Delay(game=True)
    found = re.fullmatch(r"([0-9]{1,6}) ?(s|seconds?|decisions?)", text)
    if text and not found:
        message = phrase("{text!r} is no delay: say 300s, 5 decisions or game", text=text)
        raise BadDelay(message)
    n, unit = (int(found[1]), found[2]) if found else (0, "s")
    delay = Delay(decisions=n) if unit.startswith("d") else Delay(seconds=n)
    if delay.seconds > MOST_SECONDS or delay.decisions > MOST_DECISIONS:
        longest = phrase("a day, or {n} decisions, is the longest delay", n=MOST_DECISIONS)
        raise BadDelay(longest)
    return delay


def released(history: History, listed: Listed, delay: Delay, now: int) -> Released:
    """The entries of a match released by a delay; `now` is milliseconds since 1970.

    Decisions and games hold nothing back once the match is over, seconds still do. What was let out
    so stays so if the end is taken back, and that it was.
    """
    if not delay:
        return EVERYTHING
    records, match = history.records, listed.id
    last = records.last(match)
    if delay.seconds:
        return _by_time(history, match, now - listed.heading.at - delay.seconds * 1000, last)
    if listed.ended:
        upto = last
    elif delay.game:
        upto = records.find(match, _GAME_ENDED, -1)
    else:  # he stands at a decision, its options on offer
        upto = records.find(match, _OPENED, -1 - delay.decisions)
        upto = history.offered(match, upto) if upto else 0
    if not listed.ended:
        upto = max(upto, _taken_back(records, match))
    return Released(upto, upto >= last)


def _taken_back(records: Records, match: str) -> int:
    """The last rewind that took the end of a match back; 0 if none did."""
    back = [seq for seq, _ in rewinds.find(records, match)]
    ended = records.find(match, _ENDED, -1, until=back[-1]) if back else 0
    return next(seq for seq in back if seq > ended) if ended else 0


def _by_time(history: History, match: str, due: int, last: int) -> Released:
    """The entries up to a time of the match."""
    upto = history.until(match, due, last)
    if upto == last:
        return Released(upto)
    (following,) = history.records.entries(match, upto, upto + 1)
    return Released(upto, False, following.time - due)


_OPENED, _GAME_ENDED, _ENDED = (
    next(tag for tag, cls in TYPES.items() if cls is wanted)
    for wanted in (DecisionOpened, GameEnded, MatchEnded)
)
