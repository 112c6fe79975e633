"""The cards that matches have brought, up to an entry: with their opening, and since.

What is found of a match is kept, and only later entries are looked through the next time.
"""

from __future__ import annotations

from collections.abc import Callable

from domain.record.events import MatchOpened
from domain.record.interventions import CardsBrought
from service.store.records import LAST, Records
from service.web.positions.sights import REMEMBERED

#: How many entries were looked through, and what some of them brought.
_Found = tuple[int, tuple[tuple[int, tuple[str, ...]], ...]]


class Brought:
    """Finds what matches have brought. To be used in threads."""

    def __init__(self, records: Records, opened: Callable[[str], MatchOpened]) -> None:
        self._records, self._opened = records, opened
        self._known: dict[str, _Found] = {}

    def prints(self, match: str, upto: int = LAST) -> tuple[str, ...]:
        """The cards as JSON, those of the opening first, each once."""
        seq, found = self._known.get(match) or (1, ((1, self._opened(match).prints),))
        last = self._records.last(match)
        while at := self._records.find(match, _TAG, after=seq, until=last):
            found += tuple(
                (entry.seq, entry.event.prints)
                for entry in self._records.entries(match, at - 1, at)
                if isinstance(entry.event, CardsBrought)
            )
            seq = at
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        self._known[match] = last, found
        return tuple(dict.fromkeys(one for at, some in found if at <= upto for one in some))


_TAG = int(CardsBrought.__struct_config__.tag)  # type: ignore[arg-type]
