"""The log of a service in the test's own loop, and what must hold of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from domain.record.proof.anchors import findings, policy, tiles
from domain.record.proof.anchors.findings import Archive
from domain.record.proof.anchors.policy import Judged, Policy
from service.anchors.assembly import Anchors, key_of
from service.anchors.ledger import Ledger, Signed
from service.anchors.publishing import publish
from service.store import chains
from service.store.records import Records
from tests.support.in_process import Servicers


class AnchoredService(Servicers):
    """The servicers, and the log that is kept up beside them."""

    def __init__(self, records: Records, **settings: Any) -> None:
        given = {"every": 0.0, "directory": None, "policy": Policy(), **settings}
        self.anchors = Anchors(records, key_of(records), **given)
        super().__init__(records, saved=self.anchors.changed)
        self.anchors.start(self.matches.committer, self.matches.background)

    @property
    def ledger(self) -> Ledger:
        return self.anchors.ledger

    async def anchored(self) -> Signed:
        """The newest checkpoint, once every match's head is a leaf."""
        for _ in range(400):
            missing = self.ledger.unanchored(chains.heads(self.records))
            written, known = self.ledger.last(), self.ledger.newest
            if not missing and known and written and written.number == known.number:
                return known
            await asyncio.sleep(0.01)
        raise AssertionError("nothing is anchored")


@asynccontextmanager
async def anchored_service(path: Path, **settings: Any) -> AsyncIterator[AnchoredService]:
    """The service on a file, which stops without complaint."""
    records = Records(path)
    found = AnchoredService(records, **settings)
    try:
        yield found
    finally:
        await found.anchors.close()
        await found.matches.close()
        records.close()


def believed(ledger: Ledger) -> Policy:
    """A policy that believes the log's present key, and all before it."""
    keys = "".join(f"log {one.key}\n" for one in ledger.known_keys())
    return policy.parse(f"{keys}quorum none")


def judged(ledger: Ledger, signed: Signed | None = None) -> Judged:
    """A checkpoint of the log, the newest if none is named, as who believes it sees it."""
    found = signed or ledger.last()
    assert found is not None
    return policy.judge(found.note, believed(ledger))


def archived(path: Path, directory: Path) -> Archive:
    """The log of a file, written to a directory and read back from there by a stranger."""
    records = Records(path, reading=True)
    try:
        ledger = Ledger(records)
        ledger.load()
        newest = ledger.last()
        assert newest is not None
        publish(ledger, newest, directory)
        return read_archive(directory, believed(ledger))
    finally:
        records.close()


def read_archive(directory: Path, trusted: Policy) -> Archive:
    """The log in a directory; raises `BadTile`."""
    from domain.record.proof.anchors import notes

    note = notes.parse((directory / tiles.CHECKPOINT).read_text())
    seen = policy.judge(note, trusted)
    assert findings.doubted(seen) is None

    def fetch(name: str) -> bytes | None:
        file = directory / name
        return file.read_bytes() if file.is_file() else None

    return findings.archive(seen, fetch)
