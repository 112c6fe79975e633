"""A delayed viewer's part of a tournament: its first entries, up to a number.

Of seconds, those that are as old. Of decisions or games: up to the first that tells what goes on
at a table (`places`) of which he has not been shown as much of its match; once the table has a
result, or the round has ended, nothing of it is held back any more. So an entry that waits holds
up those after it, the results of other tables too: a number that was left out would tell as much.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from domain.tournament import record as ev
from domain.tournament.folding import apply
from domain.tournament.places import Place, tables_of
from domain.tournament.record import Entry
from domain.tournament.state import State
from service.identity import Identity
from service.live.tournaments import Tournaments
from service.store import delay
from service.store.delay import Delay
from service.store.derived import listing
from service.store.history import History
from service.store.records import NoSuchMatch

#: How soon it is looked again whether what waits is due, in seconds; of how many is remembered.
LOOK_EVERY, MOST = 0.5, 256


class _Seen(NamedTuple):
    """How many entries are released of so many, as it was found at a time."""

    upto: int
    of: int
    at: float

    @property
    def holds(self) -> bool:
        """Whether it is still so, or was a short time ago."""
        return self.upto == self.of or time.monotonic() - self.at < LOOK_EVERY


class Late:
    """Finds what is released, for all who see as late. To be used within one loop."""

    def __init__(self, tournaments: Tournaments, in_thread: Callable[..., Awaitable[Any]]) -> None:
        self._tournaments, self._in_thread = tournaments, in_thread
        self._history = History(tournaments.records)
        self._seen = dict[tuple[str, Delay], _Seen]()

    async def log(self, id_: str, who: Identity) -> Sequence[Entry]:
        """The entries of a tournament that somebody may know of by now."""
        log, late = await self._tournaments.log(id_), delay.parse(who.delay)
        if late.seconds:
            due = self._tournaments.clock() - late.seconds * 1000
            return [one for one in log if one.time <= due]
        return log[: await self._upto(id_, late, log)] if late else log

    async def matches_shown(self, who: Identity, matches: Sequence[str]) -> set[str]:
        """Those of these matches, which are over, of which somebody may know all by now."""
        late, now = delay.parse(who.delay), self._tournaments.clock()
        if not late:
            return {*matches}
        return await self._in_thread(_whole, self._history, late, matches, now)  # type: ignore[no-any-return]

    def wait(self, who: Identity, following: Entry) -> float:
        """For how many seconds to wait until an entry that is not released may be."""
        late = delay.parse(who.delay)
        due = self._tournaments.clock() - late.seconds * 1000
        return max(following.time - due, 1) / 1000 if late.seconds else LOOK_EVERY

    async def _upto(self, id_: str, late: Delay, log: Sequence[Entry]) -> int:
        key, known = (id_, late), self._seen.get((id_, late))
        if known is not None and known.of == len(log) and known.holds:
            return known.upto
        some = [*log]
        upto = await self._in_thread(released, self._history, late, some, self._tournaments.clock())
        while len(self._seen) >= MOST:
            self._seen.pop(next(iter(self._seen)))
        self._seen[key] = _Seen(upto, len(some), time.monotonic())
        return upto  # type: ignore[no-any-return]


def released(history: History, late: Delay, log: Sequence[Entry], now: int) -> int:
    """How many entries are released to somebody who sees so many decisions late, or by games.

    `now` is milliseconds since 1970. What was released stays so.
    """
    s, settled = State(), _settled(log)
    for entry in log:
        apply(s, entry)
        for place in tables_of(entry, s):
            open_ = max(settled.get(place, 0), settled.get((place[0], 0), 0)) < entry.seq
            if open_ and not _is_shown(history, late, s.match(*place), entry, now):
                return entry.seq - 1
    return len(log)


def _whole(history: History, late: Delay, matches: Sequence[str], now: int) -> set[str]:
    found = {match: listing.find(history.records, match) for match in matches}
    return {m for m, one in found.items() if delay.released(history, one, late, now).all}


def _settled(log: Sequence[Entry]) -> dict[Place, int]:
    """The last entry that reported the result of a table, or (table 0) that its round has ended."""
    found = dict[Place, int]()
    for entry in log:
        match entry.event:
            case ev.ResultReported() | ev.ResultCorrected() | ev.ResultWithdrawn() as event:
                found[event.round, event.table] = entry.seq
            case ev.RoundEnded(number):
                found[number, 0] = entry.seq
    return found


def _is_shown(history: History, late: Delay, match: str, entry: Entry, now: int) -> bool:
    """Whether an entry of a tournament that comes from a match is released."""
    try:
        listed = listing.find(history.records, match)
    except NoSuchMatch:  # nothing is recorded of what is played there
        return True
    upto = delay.released(history, listed, late, now).upto
    if listed.ended or not upto:
        return listed.ended
    if isinstance(entry.event, ev.PlayerPenalised) and entry.event.match:
        return upto >= entry.event.seq
    (last,) = history.records.entries(match, upto - 1, upto)
    return listed.heading.at + last.time >= entry.time
