"""The page of an event is made once for all who look, and what they get stays as it was."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from types import SimpleNamespace
from typing import Any

import pytest
from kifu.v1 import tournament_service_pb2 as pb

from domain.tournament import views
from service.identity import Identity, Role
from service.live.background import Made
from service.web.events import pages, shared
from tests.support.halls import WON, Hall, started
from tests.support.pages import KEYS, Pages

KEY = ("abcd", 7, "en", "")


class Maker:
    """Makes pages, each with its number, as they are let go on."""

    def __init__(self) -> None:
        self.begun, self.fails, self.let = 0, False, asyncio.Event()
        self.let.set()

    async def __call__(self) -> str:
        self.begun += 1
        n = self.begun
        await self.let.wait()
        if self.fails:
            raise LookupError(n)
        return f"page {n}"


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Sets what time it is."""

    def at(seconds: float) -> None:
        monkeypatch.setattr(shared, "time", SimpleNamespace(monotonic=lambda: seconds))

    return at


async def test_those_who_ask_at_once_get_the_same(now: Callable[[float], None]) -> None:
    now(0)
    kept, maker = shared.Shared(), Maker()
    maker.let.clear()
    asked = [asyncio.create_task(kept.get(KEY, maker)) for _ in range(5)]
    await asyncio.sleep(0)
    maker.let.set()
    assert {*await asyncio.gather(*asked)} == {"page 1"}
    assert await kept.get(("abcd", 8, "en", ""), maker) == "page 2"


async def test_nobody_waits_while_an_older_one_is_made_anew(
    now: Callable[[float], None],
) -> None:
    now(0)
    kept, maker = shared.Shared(), Maker()
    assert await kept.get(KEY, maker) == "page 1"
    maker.let.clear()
    now(shared.KEPT + 1)
    for _ in range(3):
        assert await kept.get(KEY, maker) == "page 1"
    await asyncio.sleep(0)
    assert maker.begun == 2
    maker.let.set()
    await asyncio.sleep(0.01)
    assert await kept.get(KEY, maker) == "page 2"
    now(2 * (shared.OLDEST + 1))
    assert await kept.get(KEY, maker) == "page 3"


async def test_one_that_fails_is_made_once_more(now: Callable[[float], None]) -> None:
    now(0)
    kept, maker = shared.Shared(), Maker()
    maker.fails = True
    with pytest.raises(LookupError):
        await kept.get(KEY, maker)
    maker.fails = False
    assert await kept.get(KEY, maker) == "page 2"
    now(shared.KEPT + 1)
    maker.fails = True
    assert await kept.get(KEY, maker) == "page 2"
    await asyncio.sleep(0.01)
    maker.fails = False
    assert await kept.get(KEY, maker) == "page 2"
    await asyncio.sleep(0.01)
    assert await kept.get(KEY, maker) == "page 4"


async def test_what_was_made_for_the_last_keys_is_kept() -> None:
    made, maker = Made[str](2), Maker()

    def work() -> Coroutine[Any, Any, str]:
        return maker()

    assert [await made.of(key, work) for key in (1, 1, 2, 3, 2, 1)] == [
        "page 1", "page 1", "page 2", "page 3", "page 2", "page 4",
    ]  # fmt: skip
    maker.fails = True
    with pytest.raises(LookupError):
        await made.of(9, work)
    maker.fails = False
    assert await made.of(9, work) == "page 6"


async def test_what_somebody_sees_of_an_event_stays_as_it_is(h: Hall) -> None:
    await started(h)
    state = await h.state()
    assert views.snapshot(state) == state
    head, one = Identity(Role.ORGANISER, "o"), Identity(Role.PUBLIC, "p", event=h.id, player=1)
    official, own = [await h.servicers.event.seen(h.id, who) for who in (head, one)]
    was, seen = views.snapshot(official), views.snapshot(own)
    await h.report(1, WON)
    await h.ask("ExtendClock", seconds=60)
    await h.ask("CheckIn", player=1)
    assert (official, own) == (was, seen)
    assert (await h.servicers.event.seen(h.id, head)).seq > was.seq


async def test_a_page_that_an_official_asked_for_first_tells_others_nothing(h: Hall) -> None:
    """Lists that are not published are linked for their players alone."""
    site, found = Pages(h.servicers), dict[str, str]()
    identities = {
        "head": Identity(Role.ORGANISER, "head"),
        "one": Identity(Role.PUBLIC, "one", event=h.id, player=1),
        "two": Identity(Role.PUBLIC, "two", event=h.id, player=2),
        "": None,
    }
    for name, who in identities.items():
        sent = list[dict[str, Any]]()

        async def send(message: dict[str, Any], sent: list[dict[str, Any]] = sent) -> None:
            sent.append(message)

        headers = {"cookie": f"kifu={KEYS.issue(who, 1)[0]}"} if who is not None else {}
        await site.ask(f"/e/{h.id}", send, **headers)
        assert sent[0]["status"] == 200
        found[name] = b"".join(one.get("body", b"") for one in sent).decode()
    assert "/players/" not in found["head"]
    assert "/players/" not in found[""]
    assert f"/e/{h.id}/players/1" in found["one"]
    assert f"/e/{h.id}/players/2" not in found["one"]
    assert f"/e/{h.id}/players/2" in found["two"]


async def test_who_follows_the_page_gets_the_number_of_the_last_entry(h: Hall) -> None:
    before = (await h.state()).seq
    await started(h)
    seq = (await h.state()).seq
    asked = pb.WatchTournamentRequest(event_id=h.id, after=before, brief=True)
    stream = h.servicers.event.watch_tournament(asked, Identity(Role.PUBLIC, "p", event=h.id))
    entries = pb.WatchTournamentResponse.FromString(await anext(stream)).entries
    await stream.aclose()  # type: ignore[attr-defined]
    assert [one.seq for one in entries] == [seq]
    assert not entries[0].HasField("event")
    assert pages._entry(pb.WatchTournamentResponse(entries=entries)) == (
        b'event: entry\nid: %d\ndata: {"seq":%d}\n\n' % (seq, seq)
    )
