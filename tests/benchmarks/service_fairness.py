"""What others wait while one token's holders ask for all they can, or for what takes long.

    python -m tests.benchmarks.service_fairness

One public token asks for 60 lists of decisions at a time, with their options, again and again; a
seat of another match looks at its table and answers its decisions meanwhile. The bound, in the same
run: the seat alone. Then the same while an organiser has a match verified and imported, over and
over: each takes many times as long as an answer.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import grpc
import uvloop
from kifu.v1 import match_service_pb2 as pb
from kifu.v1.match_service_pb2_grpc import MatchServiceStub

from domain.games import rulebook
from domain.text.transcript.write import write
from service.client.client import opened as read_tokens
from tests.benchmarks.service_commands import DECKS, GAME, Played, bearer, play
from tests.benchmarks.table import show
from tests.playouts import play as games_played
from tests.playouts import setup_of
from tests.support import serving

#: How many lists are asked for at a time, and how often.
AT_ONCE, TIMES = 60, 4
OWN = [("grpc.use_local_subchannel_pool", 1)]


async def begin(stub: Any, organiser: str, played: Played) -> Any:
    request = pb.OpenMatchRequest(
        game=GAME, seats=["A", "B"], decks=[pb.DeckChoice(name=name) for name in DECKS],
        seed=played.seed,
    )  # fmt: skip
    response = await stub.OpenMatch(request, metadata=bearer(organiser))
    return read_tokens(response.match.id, response.tokens)


async def commands(stub: Any, match: Any, played: Played, times: list[float]) -> None:
    """Look at the table and answer, decision after decision."""
    seats = [bearer(token) for token in match.seats]
    for seat, command in played.commands:
        command.match_id = match.id
        start = time.perf_counter()
        look = pb.GetPositionRequest(match_id=match.id)
        await stub.GetPosition(look, metadata=seats[seat])
        await stub.Choose(command, metadata=seats[seat])
        times.append((time.perf_counter() - start) / 2)


async def lists(stub: Any, match: Any, codes: dict[str, int], until: asyncio.Event) -> None:
    """Ask for lists, so many at a time."""
    request = pb.ListDecisionsRequest(match_id=match.id, with_offers=True, page_size=200)

    async def one() -> None:
        try:
            await stub.ListDecisions(request, metadata=bearer(match.public))
            codes["OK"] = codes.get("OK", 0) + 1
        except grpc.aio.AioRpcError as error:
            codes[error.code().name] = codes.get(error.code().name, 0) + 1

    while not until.is_set():
        await asyncio.gather(*(one() for _ in range(AT_ONCE)))


async def long_work(stub: Any, organiser: str, match: Any, until: asyncio.Event) -> None:
    """Have a match verified and its transcript imported, over and over."""
    asked, by = pb.VerifyMatchRequest(match_id=match.id), bearer(organiser)
    log = write(games_played(setup_of(5, game=GAME)), rulebook(GAME))
    while not until.is_set():
        await stub.VerifyMatch(asked, metadata=by)
        await stub.ImportMatch(pb.ImportMatchRequest(transcript=log), metadata=by)


async def measure(address: str, token: str) -> dict[str, str]:
    long, quiet, busy, third = (play(seed) for seed in range(1, 5))
    codes: dict[str, int] = {}
    alone, aside, while_long = list[float](), list[float](), list[float]()
    async with (
        grpc.aio.insecure_channel(address, options=OWN) as channel,
        grpc.aio.insecure_channel(address, options=OWN) as crowd,
    ):
        stub, crowded = MatchServiceStub(channel), MatchServiceStub(crowd)
        listed = await begin(stub, token, long)
        await commands(stub, listed, long, [])
        await commands(stub, await begin(stub, token, quiet), quiet, alone)
        until = asyncio.Event()
        crowding = asyncio.create_task(lists(crowded, listed, codes, until))
        await commands(stub, await begin(stub, token, busy), busy, aside)
        until.set()
        await crowding
        until = asyncio.Event()
        working = asyncio.create_task(long_work(crowded, token, listed, until))
        await commands(stub, await begin(stub, token, third), third, while_long)
        until.set()
        await working

    def figures(times: list[float]) -> str:
        times.sort()
        p50, p99 = statistics.median(times), times[int(len(times) * 0.99)]
        return " ".join(f"{seconds * 1e3:.0f}" for seconds in (p50, p99, times[-1]))

    return {
        "a call alone: p50, p99, worst (ms)": figures(alone),
        f"beside {AT_ONCE} lists at a time (ms)": figures(aside),
        "while a match is verified and imported (ms)": figures(while_long),
        "what became of the lists": ", ".join(f"{code} {n}" for code, n in codes.items()),
    }


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        running = serving.start(Path(name) / "matches.kifu", forked=False)
        found = uvloop.run(measure(running.address, running.token))
        running.stop()
    show("one token that asks for all it can", found)


if __name__ == "__main__":
    main()
