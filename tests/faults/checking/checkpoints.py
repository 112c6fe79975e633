"""Checkpoints of the log of heads, as servers show them while things fail, are all of one log.

A `Watcher` asks any server for the newest one, over and over. In the end every one of them must be
of the leaves that are in the store (nothing was signed twice over), none may be older than another
that was seen before it was asked for, and each match must be in the log with its last head.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from random import Random
from threading import Event, Thread
from typing import Any, NamedTuple

from domain.record.proof.anchors import tree
from domain.record.proof.anchors.checkpoints import checkpoint
from service.anchors.growth import Tree
from service.anchors.ledger import Ledger
from service.client.client import CallError, Client
from service.store import chains
from service.store.records import Records
from tests.faults.journal import Unknown, outcome_of

#: How often to ask, in seconds; how long all matches may take to be in the log in the end.
EVERY, PATIENCE = 0.4, 90.0


class Seen(NamedTuple):
    """A checkpoint: over so many leaves, with this root; when it was asked for, and came."""

    size: int
    root: bytes
    asked: float
    came: float


class Watcher(Thread):
    """Somebody who asks servers for the newest checkpoint."""

    def __init__(self, servers: Sequence[Client], rng: Random, stopping: Event) -> None:
        super().__init__(daemon=True)
        self._servers, self._rng, self._stopping = servers, rng, stopping
        self.seen: list[Seen] = []
        self.wrong: list[str] = []

    def run(self) -> None:
        while not self._stopping.wait(EVERY):
            asked = time.monotonic()
            try:
                found = checkpoint(self._rng.choice(self._servers).checkpoint())
                self.seen.append(Seen(found.size, found.root, asked, time.monotonic()))
            except CallError as error:
                if not isinstance(outcome_of(error), Unknown) or error.code == "INTERNAL":
                    self.wrong.append(f"asked for a checkpoint: {error.code} {error.reason}")


def wrong(where: Any, watcher: Watcher) -> Iterator[str]:
    """What is wrong with the checkpoints that were seen, and with the log in the store."""
    yield from watcher.wrong
    records = Records(where, reading=True)
    try:
        ledger = Ledger(records)
        yield from _missing(records, ledger)
        ledger.load()
        roots = _roots(ledger.entries(0, ledger.tree.size), {one.size for one in watcher.seen})
    finally:
        records.close()
    for one in watcher.seen:
        if roots.get(one.size) != one.root:
            yield f"a checkpoint over {one.size} leaves is not of the log in the store"
    newest = 0
    for one in sorted(watcher.seen, key=lambda seen: seen.asked):
        before = [other.size for other in watcher.seen if other.came < one.asked]
        newest = max((newest, *before))
        if one.size < newest:
            yield f"a checkpoint over {one.size} leaves was shown after one over {newest}"


def _missing(records: Records, ledger: Ledger) -> Iterator[str]:
    """The matches that do not come into the log, however long one waits."""
    until = time.monotonic() + PATIENCE
    while (left := ledger.unanchored(chains.heads(records))) and time.monotonic() < until:
        time.sleep(0.5)
    yield from (f"{leaf.match}: its last head is not in the log" for leaf in left)


def _roots(leaves: Sequence[bytes], sizes: set[int]) -> dict[int, bytes]:
    """The roots over the first so many leaves."""
    full = dict[tuple[int, int], Sequence[bytes]]()
    read: Callable[[int, int], Sequence[bytes]] = lambda *place: full[place]  # noqa: E731
    grown = Tree(0, (), read)
    found = dict[int, bytes]()
    for leaf in leaves:
        grown, filled = grown.grown([tree.leaf_hash(leaf)])
        full |= {(level, number): hashes for level, number, hashes in filled}
        if grown.size in sizes:
            found[grown.size] = grown.root
    return found
