"""The rows of rounds as all insiders see them, and since when each is as it is.

Officials look at the same tables, and most of them change seldom. So the rows of a round are made
at most once in `FRESH` seconds for all visitors, and each has the version of the board at which it
changed last: a request with one version gets the newer rows. A version means nothing to another
process, or after a restart: then all rows are sent.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from time import monotonic

from service.web.hall.rows import Row

#: For how long rows stay as they are, in seconds, unless the event's record has gone on.
FRESH = 2.0
#: How many rounds are remembered.
MOST = 64

#: Makes the rows again, by those that were made last.
Make = Callable[[Mapping[int, Row]], Awaitable[Sequence[Row]]]


class Board:
    """The rows of a round, each with the version at which it changed last."""

    def __init__(self) -> None:
        self.rows: dict[int, tuple[int, Row]] = {}
        self.lock = asyncio.Lock()
        self.made, self.seq = 0.0, -1
        self._name, self._version = secrets.token_hex(3), 0

    @property
    def version(self) -> str:
        """The present version of the board, for `since`."""
        return f"{self._name}-{self._version}"

    @property
    def known(self) -> dict[int, Row]:
        """The rows, by table."""
        return {n: row for n, (_, row) in self.rows.items()}

    def put(self, rows: Sequence[Row]) -> None:
        """The rows are these now."""
        known = self.known
        if [*known] != [one.number for one in rows]:  # other tables: all is new
            self._name, known = secrets.token_hex(3), {}
        if any(known.get(one.number) != one for one in rows):
            self._version += 1
        self.rows = {
            one.number: self.rows[one.number]
            if known.get(one.number) == one
            else (self._version, one)
            for one in rows
        }

    def since(self, version: str) -> tuple[bool, list[Row]]:
        """The rows that are newer than a version; and whether those are all there are."""
        name, _, at = version.partition("-")
        if name != self._name or not (at.isascii() and at.isdecimal()):
            return True, [row for _, row in self.rows.values()]
        return False, [row for changed, row in self.rows.values() if changed > int(at)]


class Boards:
    """The boards of rounds, by event, number and language."""

    def __init__(self) -> None:
        self._found: OrderedDict[tuple[str, int, str], Board] = OrderedDict()

    async def get(self, key: tuple[str, int, str], seq: int, make: Make) -> Board:
        """The board of a round, for entry `seq` of the event; `make` makes its rows."""
        board = self._found.setdefault(key, Board())
        self._found.move_to_end(key)
        while len(self._found) > MOST:
            self._found.popitem(last=False)
        async with board.lock:
            if board.seq < seq or monotonic() - board.made > FRESH:
                board.put(await make(board.known))
                board.made, board.seq = monotonic(), max(seq, board.seq)
        return board
