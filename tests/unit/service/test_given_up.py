"""Whoever gives up, wherever he waits just then, hinders nobody who comes after him."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from kifu.v1 import tournament_service_pb2 as pb

from domain.tournament.folding import fold
from service.credentials import tokens
from service.live import background
from service.live.background import Background, Shared
from service.store.records import Gone
from service.store.tables import access
from service.store.tables.tournaments import Tournaments as Store
from service.web.connect.playing import Exchange
from tests.support.halls import Hall, started
from tests.support.in_process import HEAD, Cut, open_servicers


async def given_up(cut: Cut, call: Awaitable[Any]) -> None:
    """Make a call, which is cut."""
    with suppress(asyncio.CancelledError):
        await asyncio.create_task(cut(call))


async def test_readers_who_give_up_leave_a_log_in_which_others_are_written_down(
    tmp_path: Path,
) -> None:
    async with open_servicers(tmp_path / "m.kifu") as servicers:
        match = await servicers.open()
        add = partial(servicers.matches.access.add, HEAD, match, "entries")
        names = list[str]()
        for k in count(1):
            cut, before, after = Cut(k), f"before {k}", f"after {k}"
            names += before, after
            adding = asyncio.create_task(add(before))
            await given_up(cut, add(f"given up {k}"))
            await asyncio.wait_for(asyncio.gather(adding, add(after)), 5)
            if not cut.happened:
                break
        assert access.check(servicers.records) == ""
        kept = access.lines(servicers.records, limit=1000)
        views = [one.line.view for one in reversed(kept)]
        assert [view for view in views if not view.startswith("given up")] == names
        assert k > 1


async def _watched(h: Hall) -> None:
    watching = h.servicers.tournaments.watch(h.id, 0)
    await anext(watching)
    await watching.aclose()


NAMES = map(str, count(100))
#: What is asked of a tournament.
ASKED: dict[str, Callable[[Hall], Awaitable[Any]]] = {
    "state": lambda h: h.servicers.tournaments.state(h.id),
    "log": lambda h: h.servicers.tournaments.log(h.id),
    "watch": _watched,
    "command": lambda h: h.ask("EnterPlayers", players=[pb.NewPlayer(name=next(NAMES))]),
}


@pytest.mark.parametrize("kind", ASKED)
async def test_who_gives_up_asking_a_tournament_leaves_it_to_others(kind: str, h: Hall) -> None:
    tournaments = h.servicers.tournaments
    for k in count(1):
        live = tournaments._live.get(h.id)
        if live is not None:
            live.tournament = None  # to be read
        cut = Cut(k)
        await given_up(cut, ASKED[kind](h))
        state = await asyncio.wait_for(h.state(), 5)
        log, _ = Store(h.servicers.records).log(h.id)
        assert fold(log) == state
        assert not [one for one in tournaments._live.values() if one.users]
        if not cut.happened:
            break
    assert k > 1


async def test_who_is_official_no_more_is_let_in_no_more_whoever_gives_up(h: Hall) -> None:
    def good(h: Hall) -> bool:
        issued = tokens.lines(h.servicers.records, tokens.Filter(event=h.id))
        return any(one.who.subject == "Jo" and not one.revoked for one in issued)

    for k in count(1):
        await h.ask("NameOfficial", name="Jo", role="judge")
        assert good(h)
        cut = Cut(k)
        await given_up(cut, h.ask("NameOfficial", name="Jo", role=""))
        await asyncio.gather(*h.servicers.matches.background._finishing)
        assert good(h) == ("Jo" in (await h.state()).officials)
        if not cut.happened:
            break
    assert k > 1


async def test_followers_of_a_shared_tournament_ask_the_store_when_they_begin(
    h: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not each of them after each entry: from then on they are told."""
    asked, last = 0, Store.last

    def counted(store: Store, id_: str) -> int:
        nonlocal asked
        asked += 1
        return last(store, id_)

    monkeypatch.setattr(Store, "last", counted)
    monkeypatch.setattr(h.servicers.records.driver, "shared", True)
    watching = [h.servicers.tournaments.watch(h.id, 0) for _ in range(20)]
    for one in watching:
        await anext(one)
    begun = asked
    following = [asyncio.create_task(anext(one)) for one in watching]  # type: ignore[arg-type]
    await h.ask("EnterPlayers", players=[pb.NewPlayer(name="Zoe")])
    await asyncio.gather(*following)
    assert asked - begun < 5, "those that the command itself asks"
    for one in watching:
        await one.aclose()


async def test_what_is_added_while_a_tournament_is_read_is_not_overlooked(
    monkeypatch: pytest.MonkeyPatch, h: Hall
) -> None:
    whole = Store.log
    tournaments, loop = h.servicers.tournaments, asyncio.get_running_loop()
    looked, reading = asyncio.Event(), asyncio.Event()
    look = tournaments._look

    async def looks(id_: str, live: Any) -> None:
        await look(id_, live)
        looked.set()

    def before(store: Store, id_: str) -> Any:
        log, head = whole(store, id_)
        loop.call_soon_threadsafe(reading.set)
        asyncio.run_coroutine_threadsafe(looked.wait(), loop).result(5)
        monkeypatch.setattr(Store, "log", whole)
        return log[:-1], head  # as it was a moment ago

    monkeypatch.setattr(tournaments, "_look", looks)
    monkeypatch.setattr(Store, "log", before)
    tournaments._live.clear()
    seen = list[Any]()

    async def follow() -> None:
        async for entries in tournaments.watch(h.id, 0):
            seen.extend(entries)
            if len(seen) == last:
                return

    last = Store(h.servicers.records).last(h.id)
    monkeypatch.setattr(h.servicers.records.driver, "shared", True)
    following = asyncio.create_task(follow())
    await reading.wait()
    tournaments.caught_up(h.id, last)
    await asyncio.wait_for(following, 5)


async def test_two_looks_at_a_match_that_both_fail_end_as_the_service_does(
    monkeypatch: pytest.MonkeyPatch, h: Hall
) -> None:
    await started(h)
    following, both, failing = h.servicers.following, asyncio.Event(), 0

    async def away(*_: object) -> bool:
        nonlocal failing
        failing += 1
        if failing == 2:
            both.set()
        await both.wait()
        return False

    monkeypatch.setattr(following, "_followed", away)
    match = f"{h.id}.r1.t1"
    following.look(match)
    await asyncio.sleep(0)
    while match in following._due:
        await asyncio.sleep(0)
    following.look(match)  # while the first is under way
    await both.wait()
    await asyncio.wait_for(following.close(), 5)
    assert not following._due


async def test_a_stream_of_commands_ends_though_nobody_takes_its_answers() -> None:
    async def commands() -> AsyncIterator[int]:
        for n in range(10):
            yield n

    async def same(value: Any) -> Any:
        return value

    async def serve(exchange: Any) -> None:
        while True:
            await exchange.write(await exchange.read())

    answers = Exchange(commands(), same, same).answers(serve)
    assert await anext(answers) == 0
    for _ in range(5):
        await asyncio.sleep(0)  # one answer waits to be taken, and another to wait
    closing = asyncio.ensure_future(answers.aclose())  # type: ignore[attr-defined]
    await asyncio.wait({closing}, timeout=5)
    assert closing.done()
    await asyncio.sleep(0)
    assert len(asyncio.all_tasks()) == 1


@pytest.mark.parametrize(("error", "logged"), [(ValueError(), 1), (Gone("away"), 0)])
async def test_a_shared_request_is_retried_and_its_fault_logged(
    error: Exception, logged: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "FAILED", 0.0)
    found = list[Any]()
    monkeypatch.setattr(background, "log_event", lambda *_, wrong: found.append(wrong))
    wrong, done = [error], asyncio.Event()

    async def work() -> None:
        if wrong:
            raise wrong.pop()
        done.set()

    Shared(work)()
    await asyncio.wait_for(done.wait(), 5)
    assert found == [error] * logged


async def test_what_fails_in_the_background_is_heard_of() -> None:
    failed = list[str]()
    tasks = Background(failed.append, lambda error: None)
    later = asyncio.Event()

    async def fails(error: Exception) -> None:
        raise error

    async def once() -> None:
        later.set()
        await asyncio.Event().wait()

    tasks.start("begun", partial(fails, ValueError()))
    tasks.repeat("repeated", partial(fails, ValueError()))
    tasks.start("waits", partial(fails, Gone("away")))
    tasks.repeat("goes on", once)
    await asyncio.wait_for(later.wait(), 5)
    assert failed == ["begun", "repeated"], "it waits before it fails again"
    await tasks.close()
