"""The parts of the log put together, for a server: loaded, kept up in the background, shut down.

    anchors = Anchors(records, key, policy, every=5.0, directory=None)
    anchors.start(committer, background)
    anchors.changed(match, entries)

Without a key nothing is anchored: what is in the file can be read.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from domain.record.entries import Entry
from domain.record.proof.anchors.notes import Signature, SigningKey
from domain.record.proof.anchors.policy import Policy
from service.anchors import keys
from service.anchors.anchoring import Anchoring
from service.anchors.ledger import Ledger, LogBroken, Signed
from service.anchors.publishing import OtherLog, publish
from service.anchors.witnessing import Witnessing
from service.live.background import Background
from service.store.commit import Committer
from service.store.records import Records, StoreError, Work
from service.telemetry.logs import log_event

#: How long after a look for matches that no round has taken up comes the next, in seconds.
LOOK_EVERY = 300.0
#: The same where other servers play as well, of which this one may have missed news.
LOOK_EVERY_SHARED = 30.0


def key_of(records: Records, origin: str = "") -> SigningKey:
    """The key of a file's log, created if there is none; raises `BadKey`.

    A change of keys that was begun and written to the file is brought to its end.
    """
    path, following = keys.key_file(records.path), keys.next_file(records.path)
    if following.exists():
        key = keys.read(following)
        if any(one.key == key.verifier for one in Ledger(records).known_keys()):
            keys.save(path, key)
        following.unlink()
    return keys.key_at(path, origin, keys.default_origin(records.path))


def rotate(records: Records, origin: str = "") -> tuple[SigningKey, SigningKey]:
    """Give a file's log another key, and another name if one is given; the old key and the new.

    Whenever it is broken off, there is one key in the end, and the log knows it. Raises `BadKey`
    and `LogBroken`.
    """
    old = key_of(records)
    new = keys.new_key(origin or old.name)
    ledger = Ledger(records, old)
    ledger.load()
    keys.save(keys.next_file(records.path), new)
    ledger.rotate(new)
    return old, key_of(records)


class Anchors:
    """The log of a server. To be used within one running loop, once it is started."""

    def __init__(
        self,
        records: Records,
        key: SigningKey | None,
        policy: Policy,
        *,
        every: float,
        directory: Path | None,
        fault: str = "",
    ) -> None:
        """`every` so many seconds of play are anchored; `directory` is for static files.

        `fault`: what is known to be wrong with the log, which is not gone on with then.
        """
        self.ledger, self.policy = Ledger(records, key), policy
        self._every, self._directory = every, directory
        self._publishing = asyncio.Lock()
        self._anchoring: Anchoring | None = None
        self._witnessing = Witnessing(policy, self.ledger, self._cosigned)
        try:
            self.ledger.load()
            broken = LogBroken(fault) if fault else None
        except LogBroken as error:
            broken = error
        if broken is not None:
            log_event(logging.ERROR, "the log is broken, nothing is anchored", wrong=broken)
            self.ledger.key = None

    def start(self, committer: Committer, background: Background) -> None:
        """Begin to keep the log up, in threads that no reader waits for."""
        if self.ledger.key is None:
            return
        self._committer = committer
        self._anchoring = anchoring = Anchoring(
            self.ledger, committer, every=self._every, signed=self._signed
        )
        background.repeat("catching up", self._caught_up)
        background.repeat("anchoring", anchoring.round)
        for name in self._witnessing.names:
            background.repeat("witnessing", partial(self._witnessing.watch, name))

    @property
    def kept_up(self) -> bool:
        """Whether it is this server that takes up what is played."""
        return self._anchoring is not None and self._anchoring.leads

    def changed(self, match: str, entries: Sequence[Entry] = ()) -> None:
        """Note that a match has further entries, which are durable; none are given of an event."""
        if self._anchoring is not None:
            self._anchoring.changed(match, entries)

    async def close(self) -> None:
        """Anchor what is still to be anchored."""
        if self._anchoring is not None:
            try:
                await self._anchoring.flush()
            except StoreError as error:
                log_event(logging.ERROR, "the last commands are not anchored", wrong=error)

    async def _caught_up(self) -> None:
        """Begin with what is missing, and look now and then whether anything is."""
        assert self._anchoring is not None
        if self.ledger.newest is not None:
            await self._signed(self.ledger.newest)
        while True:
            try:
                if await self._anchoring.lead():
                    await self._anchoring.catch_up()
                else:
                    await self._publish()  # what another has signed
            except StoreError as error:
                log_event(logging.ERROR, "some entries are not anchored", wrong=error)
            shared = self.ledger.records.shared
            await asyncio.sleep(LOOK_EVERY_SHARED if shared else LOOK_EVERY)

    async def _signed(self, signed: Signed) -> None:
        self._witnessing.signed()
        await self._publish()

    async def _cosigned(self, signed: Signed, signature: Signature) -> None:
        statements = self.ledger.cosigned(signed.number, [signature])
        await self._committer.submit(Work("", (), statements))
        await self._publish()

    async def _publish(self) -> None:
        """Write the newest checkpoint, and what it needs, where it is to be published."""
        if self._directory is None:
            return
        async with self._publishing:
            try:
                await asyncio.to_thread(self._published, self._directory)
            except (OtherLog, OSError, StoreError) as error:
                text = str(error)
                log_event(logging.ERROR, "the log's files were not written", wrong=None, text=text)

    def _published(self, directory: Path) -> None:
        newest = self.ledger.last()
        if newest is None:
            return
        ledger = self.ledger
        if ledger.tree.size < newest.checkpoint.size:  # another keeps it up
            ledger = Ledger(ledger.records)
            ledger.load()
        publish(ledger, newest, directory)
