"""What spectators in browsers cost: server-sent events, positions, and what a cache spares.

    python -m tests.benchmarks web

So many follow one match by server-sent events. A command is sent once all of them know of the one
before. The bound, before and after: a bare Starlette server on uvicorn that sends the same bytes to
as many at each call. CPU is that of the server process, the commands' own included; delays are from
when an entry is durable, by the clock of the machine.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import re
import socket
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from struct import iter_unpack
from typing import Any, NamedTuple

import grpc
import httpx
import uvloop
from kifu.v1 import match_service_pb2 as pb
from kifu.v1.match_service_pb2_grpc import MatchServiceStub

from service.client.client import Opened
from service.client.client import opened as read_tokens
from tests.benchmarks.left_out import leaving_out
from tests.benchmarks.service_commands import DECKS, GAME, Played, bearer, play
from tests.benchmarks.table import Found, bracketed, cpu, show, yard
from tests.support import proxies, serving
from tests.support.spectators import Spectator

FOLLOWERS, COMMANDS = 1000, 25
#: An event as the service sends it.
EVENT = b'event: entry\nid: %d\ndata: {"seq":%d}\n\n'
_ID = re.compile(rb"\nid: ([0-9]+)\n")
OWN = [("grpc.use_local_subchannel_pool", 1)]


class Arrivals(NamedTuple):
    """When an event was with half of the followers, and with all but a hundredth."""

    seq: int
    half: float
    most: float


class Followers(NamedTuple):
    """A process with all the followers."""

    process: Any
    results: Any

    def everybody(self) -> Arrivals:
        """Wait until everybody has the next event."""
        return Arrivals(*self.results.get(timeout=120))

    def stop(self) -> None:
        self.process.kill()
        self.process.join()


def follow(port: int, path: str, n: int) -> Followers:
    """Follow so often; each follower gets a first event at once."""
    results: Any = multiprocessing.Queue()
    work = multiprocessing.Process(target=_follow, args=(port, path, n, results), daemon=True)
    work.start()
    found = Followers(work, results)
    found.everybody()
    return found


class _Reader(asyncio.Protocol):
    """One follower."""

    def __init__(self, heard: Callable[[int], None], path: str) -> None:
        self._heard, self._path, self._rest = heard, path, b""

    def connection_made(self, transport: Any) -> None:
        transport.write(f"GET {self._path} HTTP/1.1\r\nhost: x\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        self._rest += data
        for found in _ID.finditer(self._rest):
            self._heard(int(found[1]))
            self._rest = self._rest[found.end() :]


def _follow(port: int, path: str, n: int, results: Any) -> None:
    arrived: dict[int, list[float]] = {}

    def heard(seq: int) -> None:
        times = arrived.setdefault(seq, [])
        times.append(time.monotonic())
        if len(times) == n:
            results.put((seq, times[n // 2], times[n * 99 // 100]))

    async def run() -> None:
        loop = asyncio.get_running_loop()
        make = partial(_Reader, heard, path)
        for start in range(0, n, 100):
            some = range(start, min(start + 100, n))
            await asyncio.gather(*(loop.create_connection(make, "127.0.0.1", port) for _ in some))
        await asyncio.sleep(3600)

    uvloop.run(run())


class Cost(NamedTuple):
    """Events that a second of the server's CPU sends, and delays in milliseconds."""

    rate: float
    halves: list[float]
    mosts: list[float]


# -- the bound -------------------------------------------------------------------------------------


def bare_server(port: Any) -> None:
    """Starlette's way to send events, on the same stack; `POST /` tells everybody of the next."""
    import uvicorn
    from starlette.applications import Starlette
    from starlette.responses import Response, StreamingResponse
    from starlette.routing import Route

    seq, changed = 1, asyncio.Event()

    async def events() -> Any:
        results = 0
        while True:
            wait = changed
            if results < seq:
                results = seq
                yield EVENT % (results, results)
            await wait.wait()

    async def follow(request: Any) -> Any:
        return StreamingResponse(events(), media_type="text/event-stream")

    async def tell(request: Any) -> Any:
        nonlocal seq, changed
        seq += 1
        now = time.monotonic()
        changed.set()
        changed = asyncio.Event()
        return Response(str(now))

    routes = [Route("/", follow), Route("/", tell, methods=["POST"])]
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listening:
        port.put(listening.getsockname()[1])
        config = uvicorn.Config(
            Starlette(routes=routes), log_config=None, access_log=False, lifespan="off"
        )
        server = uvicorn.Server(config)
        uvloop.run(server.serve([listening]))


def bare_cost(n: int) -> Cost:
    queue: Any = multiprocessing.Queue()
    server = multiprocessing.Process(target=bare_server, args=(queue,), daemon=True)
    server.start()
    port = queue.get(timeout=20)
    followers = follow(port, "/", n)
    halves, mosts = list[float](), list[float]()
    with httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
        before = cpu(server.pid or 0)
        for _ in range(COMMANDS):
            durable = float(client.post("/").text)
            arrived = followers.everybody()
            halves.append((arrived.half - durable) * 1000)
            mosts.append((arrived.most - durable) * 1000)
        took = cpu(server.pid or 0) - before
    followers.stop()
    server.kill()
    server.join()
    return Cost(n * COMMANDS / took, halves, mosts)


# -- the measurement -------------------------------------------------------------------------------


class Service:
    """A server with pages and a match; it notes when entries were durable."""

    def __init__(self, folder: Path, played: Played) -> None:
        self._times = folder / "published"
        self._played = iter(played.commands)
        self.running = serving.start(
            folder / "matches.kifu", forked=False, http_port=0, published=str(self._times)
        )
        self.port = int(self.running.web.rpartition(":")[2])
        self._channel = grpc.insecure_channel(self.running.address, OWN)
        self._stub = MatchServiceStub(self._channel)
        request = pb.OpenMatchRequest(
            game=GAME, seats=["A", "B"], decks=[pb.DeckChoice(name=one) for one in DECKS],
            seed=played.seed,
        )  # fmt: skip
        response = self._stub.OpenMatch(request, metadata=bearer(self.running.token))
        self.match: Opened = read_tokens(response.match.id, response.tokens)

    @property
    def pid(self) -> int:
        return self.running.process.pid

    def command(self) -> int:
        """Carry out the next command; the last entry."""
        seat, command = next(self._played)
        command.match_id = self.match.id
        done = self._stub.Choose(command, metadata=bearer(self.match.seats[seat]))
        return int(done.last_seq)

    def durable(self) -> float:
        """When the last entries were."""
        return float([*iter_unpack("d", self._times.read_bytes())][-1][0])

    def stop(self) -> None:
        self._channel.close()
        self.running.kill()


def cost(n: int, played: Played) -> Cost:
    with tempfile.TemporaryDirectory() as name:
        service = Service(Path(name), played)
        followers = follow(service.port, f"/m/{service.match.id}/follow", n)
        halves, mosts = list[float](), list[float]()
        before = cpu(service.pid)
        for _ in range(COMMANDS):
            service.command()
            arrived, durable = followers.everybody(), service.durable()
            halves.append((arrived.half - durable) * 1000)
            mosts.append((arrived.most - durable) * 1000)
        took = cpu(service.pid) - before
        followers.stop()
        service.stop()
    return Cost(n * COMMANDS / took, halves, mosts)


def followers(n: int = FOLLOWERS, rounds: int = 2) -> Found:
    """Followers of one match beside those of a bare server."""
    played, costs, bounds = play(1), list[Cost](), list[Cost]()

    def kept(costs: list[Cost], found: Cost) -> float:
        costs.append(found)
        return found.rate

    rounds_ = bracketed(
        lambda: kept(bounds, bare_cost(n)), lambda: kept(costs, cost(n, played)), rounds
    )
    found = Found(
        "web followers",
        f"{n:,} followers of one match by server-sent events: events a second of server CPU,"
        " beside a bare Starlette server",
        rounds_.ratios,
        rounds_.figures("/s"),
        "0.6",
    )
    show(
        found.text,
        {
            "ratio": str(found),
            "figures": found.figures,
            "from durable to delivered": delays(costs),
            "the bare server": delays(bounds),
        },
    )
    return found


def delays(costs: list[Cost]) -> str:
    """Delays of all commands: how long it took to half of the followers, and to nearly all."""
    halves = [one for cost in costs for one in cost.halves]
    mosts = [one for cost in costs for one in cost.mosts]
    worst = sorted(mosts)[len(mosts) * 99 // 100]
    return (
        f"p50 {statistics.median(halves):.1f} ms, p99 {statistics.median(mosts):.1f} ms"
        f" (the slowest command {worst:.1f} ms)"
    )


# -- positions -------------------------------------------------------------------------------------


def rendering(kind: str, text: str, rounds: int = 3) -> Found:
    """Positions that nobody has asked for yet, one after the other, by one client."""
    played, ratios, spent = play(2), list[float](), list[float]()
    with tempfile.TemporaryDirectory() as name:
        service = Service(Path(name), played)
        for _ in range(len(played.commands) - 1):
            last = service.command()
        each = range(1, last + 1)
        with httpx.Client(base_url=f"{service.running.web}/m/{service.match.id}") as client:
            later = client.get(f"at/{last}{kind}").content  # what is loaded at first, is
            for number in range(rounds):
                some, before = each[number::rounds], cpu(service.pid)
                for seq in some:
                    assert client.get(f"at/{seq}{kind}").status_code == 200
                took = (cpu(service.pid) - before) / len(some)
                spent.append(took * 1000)
                ratios.append(1 / took / yard())
            before = cpu(service.pid)
            for _ in range(500):
                assert client.get(f"at/{last}{kind}").content == later
            repeated = (cpu(service.pid) - before) * 2
        service.stop()
    found = Found(
        f"web position{kind}",
        f"positions {text} a second of server CPU, of which nobody had asked before, beside a fixed"
        " piece of Python work",
        tuple(ratios),
        f"{min(spent):.1f}–{max(spent):.1f} ms each, {repeated:.1f} ms once it is kept",
    )
    show(found.text, {"ratio": str(found), "figures": found.figures})
    return found


# -- a cache in front ------------------------------------------------------------------------------


def behind_a_cache(crowds: Sequence[int] = (10, 100, 1000)) -> Found:
    """What spectators ask of the service where nginx is in front."""
    results = list[str]()
    ratios = list[float]()
    for n in crowds:
        with tempfile.TemporaryDirectory() as name:
            service = Service(Path(name), play(1))
            with proxies.nginx(Path(name) / "nginx", service.running.web) as proxy:
                begun = service.command()
                asyncio.run(_watch(proxy, service, begun, n))
                time.sleep(0.5)
                everybody, origin = proxy.asked()
            service.stop()
        kept = [path for path in everybody if "follow" not in path]
        asked, reached = (sum(counted[path] for path in kept) for counted in (everybody, origin))
        ratios.append(reached / len(kept))
        results.append(f"{n:,} spectators: {reached} of {asked:,}")
    found = Found(
        "web origin requests",
        "Requests for positions, lines and marks that reach the service behind nginx, beside how"
        " many different ones there are",
        tuple(ratios),
        "; ".join(results),
        "1",
        less=True,
    )
    show(found.text, {"ratio": str(found), "figures": found.figures})
    return found


async def _watch(proxy: proxies.Proxy, service: Service, begun: int, n: int) -> None:
    people = [Spectator(proxy.port, service.match.id, begun) for _ in range(n)]
    for _ in range(COMMANDS):
        now = await asyncio.to_thread(service.command)
        await asyncio.gather(*(one.reached(now) for one in people))
    back = [f"at/{seq}" for seq in range(now, now - 20, -1)]
    await asyncio.gather(*(one.fetch(back) for one in people))
    await asyncio.gather(*(one.leave() for one in people))


def main() -> list[Found]:
    found = [followers(), rendering("", "as boards"), rendering(".json", "as JSON")]
    with leaving_out("web behind nginx"):
        found.append(behind_a_cache())
    return found


if __name__ == "__main__":
    main()
