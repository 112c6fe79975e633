"""Durable commands through gRPC, 16 and 64 matches at once, beside what they can't be faster than.

    python -m tests.benchmarks service_commands

The bounds, before, between and after: a bare gRPC echo of the same server stack, and a bare one-row
SQLite commit with synchronous FULL; what counts is the slower one. The matches are real ones,
played in advance in this process: the client only sends, each seat on a stream, or by calls. Beside
it the same in the servers' processor time, which other programs on the machine change less: what a
bare echo takes, beside what a command takes.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import grpc
import uvloop
from kifu.v1 import match_service_pb2 as pb
from kifu.v1.match_service_pb2_grpc import MatchServiceStub

from domain import games
from domain.engine.match import Deck, Match, Opening
from service import wire
from service.client.client import opened as read_tokens
from service.dice import Dice
from tests.benchmarks.table import Found, Rounds, bracketed, cpu, show
from tests.support import serving

Metadata = tuple[tuple[str, str], ...]
GAME, DECKS = "gundam", ("ST01", "ST03")


class Played(NamedTuple):
    """A match that was played in advance: its seed, and who answered what."""

    seed: int
    commands: list[tuple[int, pb.ChooseRequest]]


def play(seed: int) -> Played:
    """Play a match in this process, by the luck that the server will have."""
    rules, rng = games.rulebook(GAME), Random(seed)
    decks = tuple(Deck(name, rules.decks[name]) for name in DECKS)
    match = Match.open(rules, Opening(("A", "B"), decks, 0), Dice(seed))
    commands = []
    while (decision := match.pos.decision) is not None:
        seat = decision.seats[0]
        offer = decision.offers[seat]
        assert offer is not None
        option = rng.choice(offer.options)
        act = option.act()
        match.choose(seat, decision.n, act, match.pos.time + 1)
        request = pb.ChooseRequest(decision=decision.n, act=wire.act(act))
        commands.append((seat, request))
    return Played(seed, commands)


def bearer(token: str) -> Metadata:
    return (("authorization", f"Bearer {token}"),)


async def opened(stub: Any, organiser: str, played: Played) -> tuple[str, list[Metadata]]:
    """A match that is open, and the tokens of its seats."""
    request = pb.OpenMatchRequest(
        game=GAME,
        seats=["A", "B"],
        decks=[pb.DeckChoice(name=name) for name in DECKS],
        seed=played.seed,
    )
    response = await stub.OpenMatch(request, metadata=bearer(organiser))
    match = read_tokens(response.match.id, response.tokens)
    return match.id, [bearer(token) for token in match.seats]


async def call(stub: Any, organiser: str, played: Played, times: list[float]) -> None:
    """Send one match's commands, one after the other, a call each."""
    match, seats = await opened(stub, organiser, played)
    for seat, command in played.commands:
        command.match_id = match
        start = time.perf_counter()
        await stub.Choose(command, metadata=seats[seat])
        times.append(time.perf_counter() - start)


async def stream(stub: Any, organiser: str, played: Played, times: list[float]) -> None:
    """The same on a stream for each seat."""
    match, seats = await opened(stub, organiser, played)
    streams = [stub.Play(metadata=seat) for seat in seats]
    for n, (seat, command) in enumerate(played.commands):
        command.match_id = match
        start = time.perf_counter()
        await streams[seat].write(pb.PlayRequest(id=n, choose=command))
        answer = await streams[seat].read()
        assert answer.choose.first_seq, answer
        times.append(time.perf_counter() - start)
    for one in streams:
        await one.done_writing()
        assert await one.read() is grpc.aio.EOF


async def many(at_once: int, work: Callable[[int], Awaitable[None]], total: int) -> float:
    """Seconds that it takes to do `total` pieces of work, so many at once."""
    left = iter(range(total))

    async def worker() -> None:
        for at in left:
            await work(at)

    start = time.perf_counter()
    await asyncio.gather(*(worker() for _ in range(at_once)))
    return time.perf_counter() - start


# -- bounds --------------------------------------------------------------------------------------


def echo_server(port: Any) -> None:
    async def run() -> None:
        async def echo(request: bytes, context: Any) -> bytes:
            return request

        server = grpc.aio.server()
        method = grpc.unary_unary_rpc_method_handler(echo)
        handlers = grpc.method_handlers_generic_handler("bare.Echo", {"Echo": method})
        server.add_generic_rpc_handlers((handlers,))
        port.put(server.add_insecure_port("127.0.0.1:0"))
        await server.start()
        await server.wait_for_termination()

    uvloop.run(run())


def echo_rate(at_once: int, total: int) -> tuple[float, float]:
    """Bare calls a second, with a request as large as a command and its metadata; CPU of one."""
    queue: Any = multiprocessing.Queue()
    process = multiprocessing.Process(target=echo_server, args=(queue,), daemon=True)
    process.start()
    port = queue.get(timeout=20)
    payload, metadata = b"x" * 40, bearer("t" * 200)

    async def run() -> float:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            bare = channel.unary_unary("/bare.Echo/Echo")

            async def work(at: int) -> None:
                await bare(payload, metadata=metadata)

            await many(at_once, work, total // 10)
            return total / await many(at_once, work, total)

    before = cpu(process.pid or 0)
    rate = uvloop.run(run())
    spent = cpu(process.pid or 0) - before
    process.terminate()
    process.join()
    return rate, spent / (total + total // 10)


def commit_rate(folder: Path, total: int) -> float:
    """Bare one-row transactions a second, synchronous FULL."""
    connection = sqlite3.connect(folder / "bare.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, state BLOB)")
    start = time.perf_counter()
    for _ in range(total):
        connection.execute("BEGIN")
        connection.execute("INSERT INTO rows (state) VALUES (?)", (b"x" * 60,))
        connection.execute("COMMIT")
    return total / (time.perf_counter() - start)


# -- the measurement -----------------------------------------------------------------------------


#: How commands are sent: by calls, or on streams.
Way = Callable[[Any, str, Played, list[float]], Awaitable[None]]


def command_rate(
    matches: list[Played], at_once: int, way: Way, times: list[float], **settings: Any
) -> tuple[float, float]:
    """Durable commands a second, and CPU of one; `times` gets how long each of them took.

    `settings` are those of the server.
    """
    with tempfile.TemporaryDirectory() as name:
        running = serving.start(Path(name) / "matches.kifu", forked=False, **settings)
        before, spent = len(times), cpu(running.process.pid)

        async def run() -> float:
            async with grpc.aio.insecure_channel(running.address) as channel:
                stub = MatchServiceStub(channel)
                await way(stub, running.token, matches[-1], [])
                return await many(
                    at_once,
                    lambda at: way(stub, running.token, matches[at], times),
                    len(matches) - 1,
                )

        seconds = uvloop.run(run())
        spent = cpu(running.process.pid) - spent
        running.stop()
    done = len(times) - before
    return done / seconds, spent / done


def measure(at_once: int, way: Way, aim: str, rounds: int) -> list[Found]:
    matches = [play(seed) for seed in range(max(24, at_once) + 1)]
    times, bare, spent = list[float](), list[float](), list[float]()

    def bound() -> float:
        rate, each = echo_rate(at_once, 4000)
        bare.append(each)
        with tempfile.TemporaryDirectory() as name:
            return min(rate, commit_rate(Path(name), 3000))

    def work() -> float:
        rate, each = command_rate(matches, at_once, way, times)
        spent.append(each)
        return rate

    found = bracketed(bound, work, rounds)
    times.sort()
    p50, p99 = statistics.median(times) * 1e3, times[int(len(times) * 0.99)] * 1e3
    how = "on streams" if way is stream else "by calls"
    seen = Found(
        f"commands {how}, {at_once}",
        f"durable commands {how}, {at_once} matches at once, beside min(echo, commit)",
        found.ratios,
        f"{found.figures('/s')}; p50 {p50:.0f} ms, p99 {p99:.0f} ms",
        aim,
    )
    processor = Found(
        f"{seen.name}, CPU",
        f"the same {how}, {at_once} at once: CPU of a bare echo beside that of a command",
        Rounds([1 / each for each in bare], [1 / each for each in spent]).ratios,
        f"{min(spent) * 1e6:.0f}–{max(spent) * 1e6:.0f} µs a command,"
        f" {min(bare) * 1e6:.0f}–{max(bare) * 1e6:.0f} µs an echo",
    )
    for one in (seen, processor):
        show(one.text, {"ratio": str(one), "figures": one.figures})
    return [seen, processor]


def main(rounds: int = 2) -> list[Found]:
    return [
        *measure(16, stream, "0.5", rounds),
        *measure(16, call, "", rounds),
        *measure(64, stream, "0.6", rounds),
    ]


if __name__ == "__main__":
    main()
