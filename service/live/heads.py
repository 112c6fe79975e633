"""Heads of matches for those who ask: from memory where the match is live, else from the store.

Where other servers write as well, the last one is the store's to say.

A match that is loaded to be played is compared with its chain (`memory`). For one that is only read
that is done here, once for each head that it has. What the store knows of chains is in
`service.store.chains`.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from threading import Lock

from domain.record.proof.chain import Head
from service.live.lanes import Lanes
from service.live.memory import Memory
from service.store import chains
from service.store.records import LAST, ChainBroken, Records

#: Of how many matches it is remembered to which head they were compared.
REMEMBERED = 4096


class Heads:
    """The heads of a service's matches."""

    def __init__(self, records: Records, memory: Memory, lanes: Lanes) -> None:
        self._records, self._memory = records, memory
        self._in_thread = partial(lanes.run, unlimited=True)  # what was done is answered
        self._compared: OrderedDict[str, Head] = OrderedDict()
        self._lock = Lock()

    async def at(self, match: str, seq: int = LAST) -> Head | None:
        """The head of a match after an entry, or its last one; None if it is not chained.

        An older head also does not say how many entries there were when it was chained. At once for
        the last entries of a match in memory, else O(`seq`). Raises `ChainBroken`.
        """
        recent = self._memory.heads(match)
        if recent and seq == LAST and not self._records.shared:
            return recent[-1]
        back = recent[-1].seq - seq if recent else -1
        if 0 <= back < len(recent):
            return recent[-1 - back]
        found = await self._in_thread(chains.head, self._records, match, seq)
        return found if found is not None and found.since <= found.seq else None

    def fault(self, match: str, *, accepting: bool = True) -> str:
        """Why the entries of a match are not those that were chained; empty: they are.

        O(entries that were not compared before). To be called in a thread. Not `accepting` what an
        official has, they are compared with all that the log had of it ever.
        """
        with self._lock:
            known = self._compared.get(match) if accepting else None
        try:
            head = chains.check(self._records, match, known, accepting=accepting)
            with self._lock:
                self._remember(match, head)
        except ChainBroken as error:
            return error.why
        return ""

    def _remember(self, match: str, head: Head | None) -> None:
        if head is not None:
            self._compared[match] = head
            self._compared.move_to_end(match)
        if len(self._compared) > REMEMBERED:
            self._compared.popitem(last=False)
