"""One server at a time keeps the log of heads up, and another does so once that is gone."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path

import pytest

from domain.record.proof.anchors.policy import Policy
from service.anchors import anchoring, assembly
from service.anchors.assembly import Anchors, key_of
from service.live.matches import Matches
from service.store.records import Records
from tests.support.waiting import eventually
from tests.toy import RULEBOOKS
from tests.unit.service.test_live import first_option, opened


class Server:
    """A server with a log, which it writes into a directory if one is named."""

    def __init__(self, url: str, path: Path, directory: Path | None = None) -> None:
        self.records = Records(url, path=path)
        self.anchors = Anchors(
            self.records, key_of(self.records), Policy(), every=0.05, directory=directory
        )
        self.matches = Matches(self.records, RULEBOOKS, saved=self.anchors.changed)
        self.anchors.start(self.matches.committer, self.matches.background)

    async def close(self) -> None:
        """End it."""
        await self.anchors.close()
        await self.matches.close()
        self.records.close()


@pytest.mark.parametrize("same", [True, False])
async def test_another_server_goes_on_with_the_log_if_it_has_its_key(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, same: bool
) -> None:
    monkeypatch.setattr(anchoring, "LEAD_RETRY", 0.05)
    a = Server(postgres_url, tmp_path / "m")
    await opened(a.matches)
    await eventually(lambda: a.anchors.ledger.last() is not None)
    b = Server(postgres_url, tmp_path / ("m" if same else "n"))
    await b.matches.command("aaaaa", first_option)
    await asyncio.sleep(0.3)
    assert b.anchors.ledger.last() == a.anchors.ledger.last()  # it leaves that to the first
    await a.close()
    was = b.anchors.ledger.last()
    await b.matches.command("aaaaa", first_option)
    if same:
        await eventually(lambda: b.anchors.ledger.last() != was)
    await asyncio.sleep(0.3)
    assert (b.anchors.ledger.last() == was) == (not same)
    assert len(b.anchors.ledger.known_keys()) == 1
    await b.close()


async def test_the_log_is_published_by_whichever_server_is_to_do_so(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assembly, "LOOK_EVERY_SHARED", 0.05)
    published = tmp_path / "log" / "checkpoint"
    keeper = Server(postgres_url, tmp_path / "m")
    await opened(keeper.matches)
    await eventually(lambda: keeper.anchors.ledger.last() is not None)
    other = Server(postgres_url, tmp_path / "m", published.parent)

    def is_published() -> bool:
        newest = keeper.anchors.ledger.last()
        return newest is not None and published.read_text() == str(newest.note)

    await eventually(published.exists)
    await eventually(is_published)
    size = keeper.anchors.ledger.tree.size
    await keeper.matches.command("aaaaa", first_option)
    await eventually(lambda: keeper.anchors.ledger.tree.size > size and is_published())
    await keeper.close()
    await other.close()


async def test_a_server_that_nobody_plays_on_takes_up_what_others_left(
    postgres_url: str, tmp_path: Path
) -> None:
    with closing(Records(postgres_url, path=tmp_path / "m")) as records:
        gone = Matches(records, RULEBOOKS)  # it ends before it has signed anything
        log = await opened(gone)
        await gone.close()
        matches = Matches(records, RULEBOOKS)
        anchors = Anchors(records, key_of(records), Policy(), every=0.05, directory=None)
        anchors.start(matches.committer, matches.background)
        await eventually(lambda: anchors.kept_up and anchors.ledger.last() is not None)
        assert anchors.ledger.leaf("aaaaa", len(log), 1) is not None
        await anchors.close()
        await matches.close()
