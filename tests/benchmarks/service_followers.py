"""What a follower costs: server CPU a message, beside a bare stream of the same stack.

    python -m tests.benchmarks service_followers

So many followers of one match, on two connections, all with the public's token. A command is sent
once all of them have the entries of the one before. The bound, before and after: a bare grpc.aio
server that sends as many bytes to as many streams at each call. CPU is that of the server process.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import uvloop
from kifu.v1 import match_service_pb2 as pb
from kifu.v1.match_service_pb2_grpc import MatchServiceStub

from service.api.watching.following import SLICE
from service.client.client import opened as read_tokens
from tests.benchmarks.service_commands import DECKS, GAME, Played, bearer, play
from tests.benchmarks.table import Found, bracketed, cpu, show
from tests.support import serving

FOLLOWERS, COMMANDS, CONNECTIONS = 1000, 25, 2
OWN = [("grpc.use_local_subchannel_pool", 1)]
#: About as many bytes as the entries of a command have, as the public sees them.
PAYLOAD = b"x" * 700


class Followers(NamedTuple):
    """A process with all the followers: says `ready` once, and then whenever each has one more."""

    process: Any
    results: Any

    def everybody(self) -> None:
        """Wait until everybody has the next message."""
        self.results.get(timeout=120)

    def stop(self) -> None:
        self.process.kill()
        self.process.join()


def follow(address: str, method: str, request: bytes, token: str, n: int) -> Followers:
    """Follow a stream so often; each follower gets a first message at once."""
    results: Any = multiprocessing.Queue()
    work = multiprocessing.Process(
        target=_follow, args=(address, method, request, token, n, results), daemon=True
    )
    work.start()
    found = Followers(work, results)
    found.everybody()
    return found


def _follow(address: str, method: str, request: bytes, token: str, n: int, results: Any) -> None:
    behind = [0] * 10_000  # how many lack their k-th message

    async def one(channel: Any) -> None:
        k = 0
        async for _ in channel.unary_stream(method)(request, metadata=bearer(token)):
            behind[k] += 1
            if behind[k] == n:
                results.put(k)
            k += 1

    async def run() -> None:
        channels = [grpc.aio.insecure_channel(address, options=OWN) for _ in range(CONNECTIONS)]
        await asyncio.gather(*(one(channels[at % CONNECTIONS]) for at in range(n)))

    uvloop.run(run())


# -- the bound -------------------------------------------------------------------------------------


def bare_server(port: Any) -> None:
    async def run() -> None:
        changed = asyncio.Event()

        async def watch(request: bytes, context: Any) -> Any:
            while True:
                wait = changed
                yield PAYLOAD
                await wait.wait()

        async def tell(request: bytes, context: Any) -> bytes:
            nonlocal changed
            changed.set()
            changed = asyncio.Event()
            return b""

        server = grpc.aio.server()
        methods = {
            "Watch": grpc.unary_stream_rpc_method_handler(watch),
            "Tell": grpc.unary_unary_rpc_method_handler(tell),
        }
        handler = grpc.method_handlers_generic_handler("bare.Stream", methods)
        server.add_generic_rpc_handlers((handler,))
        port.put(server.add_insecure_port("127.0.0.1:0"))
        await server.start()
        await server.wait_for_termination()

    uvloop.run(run())


def bare_cost(n: int) -> float:
    """Messages a second of CPU that a bare server sends."""
    queue: Any = multiprocessing.Queue()
    server = multiprocessing.Process(target=bare_server, args=(queue,), daemon=True)
    server.start()
    address = f"127.0.0.1:{queue.get(timeout=20)}"
    followers = follow(address, "/bare.Stream/Watch", b"", "t" * 200, n)
    with grpc.insecure_channel(address, OWN) as channel:
        tell, before = channel.unary_unary("/bare.Stream/Tell"), cpu(server.pid or 0)
        for _ in range(COMMANDS):
            tell(b"")
            followers.everybody()
        took = cpu(server.pid or 0) - before
    followers.stop()
    server.kill()
    server.join()
    return n * COMMANDS / took


# -- the measurement -------------------------------------------------------------------------------


def cost(n: int, played: Played, each: Any = None) -> float:
    """To how many followers a second of CPU tells of a command, the commands included.

    They get its entries; or positions, after `each` of them or as often as that says.
    """
    with tempfile.TemporaryDirectory() as name:
        running = serving.start(Path(name) / "matches.kifu", forked=False)
        with grpc.insecure_channel(running.address, OWN) as channel:
            stub = MatchServiceStub(channel)
            request = pb.OpenMatchRequest(
                game=GAME, seats=["A", "B"], decks=[pb.DeckChoice(name=one) for one in DECKS],
                seed=played.seed,
            )  # fmt: skip
            response = stub.OpenMatch(request, metadata=bearer(running.token))
            match = read_tokens(response.match.id, response.tokens)
            asked: dict[str, Any] = {
                "match_id": match.id, "after_seq": response.match.entries - 1
            }  # fmt: skip
            watch, method = pb.WatchEventsRequest(**asked).SerializeToString(), "WatchEvents"
            if each is not None:
                watch = pb.WatchPositionRequest(**asked, each=each).SerializeToString()
                method = "WatchPosition"
            method = f"/kifu.v1.MatchService/{method}"
            followers = follow(running.address, method, watch, match.public, n)
            before = cpu(running.process.pid)
            for seat, command in played.commands[:COMMANDS]:
                command.match_id = match.id
                done = stub.Choose(command, metadata=bearer(match.seats[seat]))
                added = done.last_seq - done.first_seq + 1
                for _ in range(-(-added // SLICE) if each == pb.POSITION_EACH_ENTRY else 1):
                    followers.everybody()
            took = cpu(running.process.pid) - before
        followers.stop()
        running.kill()
    return n * COMMANDS / took


def main(n: int = FOLLOWERS, rounds: int = 2) -> list[Found]:
    played = play(1)
    rounds_ = bracketed(lambda: bare_cost(n), lambda: cost(n, played), rounds)
    found = Found(
        "followers",
        f"{n:,} followers of one match: messages a second of server CPU, beside a bare stream",
        rounds_.ratios,
        rounds_.figures("/s"),
        "0.6",
    )
    show(found.text, {"ratio": str(found), "figures": found.figures})
    return [found, *(positions(n, played, each, rounds) for each in EACH)]


#: How often positions are told, and what the aim is beside entries.
EACH = {pb.POSITION_EACH_ENTRY: "0.45", pb.POSITION_EACH_DECISION: "0.6"}


def positions(n: int, played: Played, each: Any, rounds: int) -> Found:
    """What positions cost beside the entries that they are made of."""
    rounds_ = bracketed(lambda: cost(n, played), lambda: cost(n, played, each), rounds)
    name = pb.PositionEach.Name(each).removeprefix("POSITION_EACH_").lower()
    found = Found(
        f"positions, {name}",
        f"{n:,} followers of the positions of one match, each {name}: commands told of by a second"
        " of server CPU, beside followers of its entries",
        rounds_.ratios,
        rounds_.figures("/s"),
        EACH[each],
    )
    show(found.text, {"ratio": str(found), "figures": found.figures})
    return found


if __name__ == "__main__":
    main()
