"""News between servers: how late they are, and how many there can be, beside the bare carrier.

    python -m tests.benchmarks news

One process has all the ends, so that one clock measures them. Delay: from `tell` on one server to
`heard` on another, of a piece every few milliseconds: by one NATS, by a hub and a leaf of it, by
LISTEN and NOTIFY, and by looking; the bound is a bare message of nats-py between two connections.
How many: pieces of many matches at once, beside bare messages to as many subjects. Then what it
costs ten servers to hear of the matches that each of them has followers of, beside hearing of all.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import uvloop
from nats.aio.client import Client
from nats.aio.msg import Msg

from service.news.listening import Listen
from service.news.nats import Nats, address
from service.news.news import MATCH, OK, Piece
from service.news.polling import SELDOM, Polling
from service.news.relay import Link, Relay
from tests.benchmarks.table import Found, bracketed, show
from tests.support import nats, postgres

PIECES, PAUSE, CROWD = 400, 0.003, 5_000
#: Servers, and matches that each of them has followers of.
SERVERS, MATCHES = 10, 1_000


async def _until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not true():
            await asyncio.sleep(0.001)


async def _relays(*links: Link) -> list[Relay]:
    found = [Relay(link) for link in links]
    for one in found:
        await one.start()
    await _until(lambda: all(one.state == OK for one in found))
    return found


async def _delays(here: Link, there: Link) -> list[float]:
    """Seconds that pieces take from one server to another, in their order."""
    teller, hearer = await _relays(here, there)
    seen, found, last = dict[int, float](), list[float](), [0]

    def heard(piece: Piece) -> None:
        last[0] = piece.seq
        if piece.seq:  # of some that are told together only the last one is
            found.append(time.perf_counter() - seen[piece.seq])

    hearer.listen(heard, lambda: None)
    hearer.follow(MATCH, "abcd.r1.t1")
    await asyncio.sleep(0.5)
    for seq in range(1, PIECES + 1):
        seen[seq] = time.perf_counter()
        teller.tell(Piece(MATCH, "abcd.r1.t1", seq))
        await asyncio.sleep(PAUSE)
    await _until(lambda: last[0] == PIECES)
    await asyncio.gather(teller.close(), hearer.close())
    return sorted(found)


async def _bare_delays(url: str) -> list[float]:
    here, there, found = Client(), Client(), list[float]()
    await here.connect(url)
    await there.connect(url)
    seen = dict[bytes, float]()

    async def came(message: Msg) -> None:
        found.append(time.perf_counter() - seen[message.data])

    await there.subscribe("bare.match.abcd", cb=came)
    await there.flush()
    for seq in range(PIECES):
        data = b"9f3c21ab %d" % seq
        seen[data] = time.perf_counter()
        await here.publish("bare.match.abcd", data)
        await asyncio.sleep(PAUSE)
    await _until(lambda: len(found) == PIECES)
    await asyncio.gather(here.close(), there.close())
    return sorted(found)


async def _looked() -> list[float]:
    """Seconds until a server looks by itself that hears nothing."""
    found, polling = list[float](), Polling()
    seen = time.perf_counter()

    def looked() -> None:
        nonlocal seen
        found.append(time.perf_counter() - seen)
        seen = time.perf_counter()

    polling.listen(lambda piece: None, looked)
    await polling.start()
    await asyncio.sleep(6)
    await polling.close()
    return sorted(found)


async def _rate(here: Link, there: Link) -> float:
    """Pieces a second, of as many matches, from one server to another."""
    teller, hearer = await _relays(here, there)
    heard = set[str]()
    hearer.listen(lambda piece: heard.add(piece.id) if piece.seq else None, lambda: None)
    for at in range(CROWD):
        hearer.follow(MATCH, f"m{at}")
    await asyncio.sleep(2)
    began = time.perf_counter()
    for at in range(CROWD):
        teller.tell(Piece(MATCH, f"m{at}", 7))
    await _until(lambda: len(heard) == CROWD)
    took = time.perf_counter() - began
    await asyncio.gather(teller.close(), hearer.close())
    return CROWD / took


async def _bare_rate(url: str) -> float:
    here, there, heard = Client(), Client(), set[str]()
    await here.connect(url)
    await there.connect(url)

    async def came(message: Msg) -> None:
        heard.add(message.subject)

    for at in range(CROWD):
        await there.subscribe(f"bare.match.m{at}", cb=came)
    await there.flush()
    began = time.perf_counter()
    for at in range(CROWD):
        await here.publish(f"bare.match.m{at}", b"9f3c21ab 7")
    await _until(lambda: len(heard) == CROWD)
    took = time.perf_counter() - began
    await asyncio.gather(here.close(), there.close())
    return CROWD / took


async def _followed(url: str, every: bool) -> float:
    """Processor seconds of ten servers for a piece of each match; `every`: each hears all."""
    heard, clients, teller = 0, list[Client](), Client()
    await teller.connect(url)

    async def came(message: Msg) -> None:
        nonlocal heard
        heard += 1

    for server in range(SERVERS):
        client = Client()
        clients.append(client)
        await client.connect(url)
        own = [f"all.match.s{server}m{at}" for at in range(MATCHES)]
        for subject in ["all.match.*"] if every else own:
            await client.subscribe(subject, cb=came)
        await client.flush()
    began = time.process_time()
    for at in range(MATCHES):
        for server in range(SERVERS):
            await teller.publish(f"all.match.s{server}m{at}", b"9f3c21ab 7")
        await asyncio.sleep(0)
    wanted = SERVERS * MATCHES * (SERVERS if every else 1)
    await _until(lambda: heard == wanted)
    spent = time.process_time() - began
    await asyncio.gather(teller.close(), *(one.close() for one in clients))
    return spent


def _run(work: Coroutine[Any, Any, Any]) -> Any:
    return uvloop.run(work)


def _percentiles(delays: list[float]) -> str:
    at = [delays[len(delays) // 2], delays[len(delays) * 99 // 100]]
    return f"{at[0] * 1e3:.2f} ms p50, {at[1] * 1e3:.2f} ms p99"


def main() -> list[Found]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        with nats.running(path) as hub, nats.running(path, hub=hub) as leaf:
            return _measured(hub, leaf, path / "postgres")


def _measured(hub: nats.Nats, leaf: nats.Nats, folder: Path) -> list[Found]:
    def link(server: nats.Nats) -> Link:
        return Nats(address(server.url))

    bare, one = list[list[float]](), list[list[float]]()

    def bound() -> float:
        bare.append(_run(_bare_delays(hub.url)))
        return 1 / statistics.median(bare[-1])

    def work() -> float:
        one.append(_run(_delays(link(hub), link(hub))))
        return 1 / statistics.median(one[-1])

    late = bracketed(bound, work)
    rates = bracketed(
        lambda: float(_run(_bare_rate(hub.url))), lambda: float(_run(_rate(link(hub), link(hub))))
    )
    far = _run(_delays(link(hub), link(leaf)))
    with postgres.running(folder) as server:
        url = server.database(empty=True)
        listened = _run(_delays(Listen(url), Listen(url)))
        seen = _run(_rate(Listen(url), Listen(url)))
    by_match, by_all = (_run(_followed(hub.url, every)) for every in (False, True))
    looked = _run(_looked())
    figures = {
        "a bare message": _percentiles(bare[-1]),
        "one NATS": _percentiles(one[-1]),
        "a hub and a leaf": _percentiles(far),
        "LISTEN and NOTIFY": f"{_percentiles(listened)}; {seen:,.0f} pieces/s",
        "looking": f"every {statistics.mean(looked):.1f} s, or {SELDOM:.0f} s while news come",
        "pieces by NATS": rates.figures("a second"),
        f"{SERVERS} servers, a piece of each of {SERVERS * MATCHES:,} matches": (
            f"{by_match:.2f} s by match, {by_all:.2f} s if all hear all"
        ),
    }
    show("News", figures)
    return [
        Found(
            "news_delay", "Delay of news by NATS, beside a bare message's",
            tuple(1 / ratio for ratio in late.ratios), _percentiles(one[-1]), "≤ 2", less=True,
        ),
        Found(
            "news_leaf", "Delay of news by a hub and a leaf, beside that by one NATS",
            (statistics.median(far) / statistics.median(one[-1]),), _percentiles(far), less=True,
        ),
        Found(
            "news_rate", "Pieces of news by NATS, beside bare messages", rates.ratios,
            rates.figures("a second"), "≥ 0.25",
        ),
        Found(
            "news_interest", "Processor of ten servers if each hears all news, beside its own only",
            (by_all / by_match,), f"{by_match:.2f} s for {SERVERS * MATCHES:,} pieces", "> 2",
        ),
    ]  # fmt: skip


if __name__ == "__main__":
    main()
