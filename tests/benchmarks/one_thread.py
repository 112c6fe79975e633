"""The service in one process and one thread, without gRPC: pieces of work for `instructions`.

What the service hands to a thread is done at once where it is handed over. Clocks and chance are
fixed, and nothing goes on in the background, so that the numbers are the same each time.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, Future
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import uvloop
from kifu.v1 import match_service_pb2 as pb

from domain.record.folding.fold import fold_all
from domain.record.points import Point
from domain.record.proof.chain import HASH, Head
from domain.record.views import OFFICIAL, PUBLIC
from replay_cli.checking.verifying import check
from replay_cli.record import read, write
from service import wire
from service.api.calls import over_grpc
from service.api.calls.admission import Admission
from service.api.calls.guard import Guard, Method, Sender
from service.api.calls.languages import LANGUAGE
from service.identity import Identity, Role
from service.live import lanes
from service.store import commit
from service.store.history import History
from service.store.records import Records
from service.telemetry.metrics import Metrics
from tests.benchmarks.service_commands import DECKS, GAME, play
from tests.benchmarks.service_history import keep
from tests.playouts import play as played_log
from tests.playouts import setup_of
from tests.support.in_process import HEAD, KEYS, Servicers, player

T = TypeVar("T")

#: How many commands are sent, messages to how many followers, of how many entries each; how many
#: decisions are opened.
COMMANDS, MESSAGES, FOLLOWERS, ENTRIES, SEEKS = 40, 20, 50, 8, 20
#: How often tasks take turns until all that can be done at once is done.
TURNS = 100
_MATCH_SERVICE = pb.DESCRIPTOR.services_by_name["MatchService"]


class AtOnce(Executor):
    """Threads that do their work where it is handed over."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        found: Future[T] = Future()
        try:
            found.set_result(fn(*args, **kwargs))
        except BaseException as error:
            found.set_exception(error)
        return found


class WorkingQueue:
    """A queue in front of the threads that are made next: what is put into it, they do at once."""

    made: WorkingQueue

    def __init__(self) -> None:
        self._waiting, self.threads = deque[Any](), list[Callable[[], object]]()
        WorkingQueue.made = self

    def put(self, one: Any) -> None:
        self._waiting.append(one)
        self.threads[0]()

    def get(self) -> Any:
        """What is next; None, which ends a thread, once there is nothing."""
        return self._waiting.popleft() if self._waiting else None


class NoThread:
    """A thread that runs when its queue gets something."""

    def __init__(self, target: Callable[[], object], **_: Any) -> None:
        WorkingQueue.made.threads.append(target)

    def start(self) -> None:
        pass

    def join(self) -> None:
        pass


def fix() -> None:
    """Have time and chance be the same each time, and no threads."""
    ms, chance = count(1_800_000_000_000), random.Random(1)
    time.time = time.monotonic = time.perf_counter = lambda: next(ms) / 1000
    time.time_ns = lambda: next(ms) * 1_000_000
    random._urandom = chance.randbytes  # type: ignore[attr-defined]
    lanes.ThreadPoolExecutor = AtOnce  # type: ignore[misc,assignment]
    commit.SimpleQueue, commit.Thread = WorkingQueue, NoThread  # type: ignore[misc,assignment]


class Line:
    """A stream of commands as the server sees it, in bytes, as gRPC brings and takes them."""

    def __init__(self, who: Identity, method: Method) -> None:
        self._token, _ = KEYS.issue(who, 1)
        self._method = method
        self._sent, self._answers = asyncio.Queue[bytes](), asyncio.Queue[bytes]()

    def invocation_metadata(self) -> Any:
        return (("authorization", f"Bearer {self._token}"),)

    def peer(self) -> str:
        return "here"

    async def read(self) -> Any:
        return self._method.parsed(await self._sent.get())

    async def write(self, message: Any) -> None:
        self._answers.put_nowait(message.SerializeToString())

    async def answer(self, request: bytes) -> bytes:
        """The answer to a request."""
        self._sent.put_nowait(request)
        return await self._answers.get()


def as_saved(batch: commit.Batch) -> commit.Outcomes:
    """What the committer's thread says of works with entries, which are not written."""
    works = (one.work for one in batch.submissions)
    return [tuple(Head(entry.seq, bytes(HASH)) for entry in work.entries) for work in works]


async def commands(name: str, saving: bool = True) -> Callable[[], Coroutine[Any, Any, None]]:
    """Sends commands of a match, from the request in bytes to the answer in bytes.

    Not `saving`, what the committer's thread does is left out.
    """
    service, guard = _served(name)
    match_played = play(1)
    request = pb.OpenMatchRequest(
        game=GAME, seats=["A", "B"], decks=[pb.DeckChoice(name=name) for name in DECKS],
        seed=match_played.seed,
    )  # fmt: skip
    match = (await service.match.open_match(request, HEAD)).match.id
    if not saving:
        service.matches.committer._save = as_saved  # type: ignore[method-assign]
    method = guard.methods(_MATCH_SERVICE, service.match)["Play"]
    seats = [Line(player(match, seat), method) for seat in range(2)]
    serving = [asyncio.create_task(over_grpc.commands(guard, method)(None, seat)) for seat in seats]  # type: ignore[arg-type]
    waiting = []
    for n, (seat, command) in enumerate(match_played.commands):
        command.match_id = match
        waiting.append((seats[seat], pb.PlayRequest(id=n, choose=command).SerializeToString()))
    left = iter(waiting)

    async def send() -> None:
        for _, (line, request) in zip(range(COMMANDS), left, strict=False):
            answer = pb.PlayResponse.FromString(await line.answer(request))
            assert answer.choose.first_seq, answer
        assert not any(one.done() for one in serving)

    return send


async def followers() -> Callable[[], Coroutine[Any, Any, None]]:
    """Sends entries of a match to its followers, as bytes that gRPC would take."""
    service, guard = _served("followed")
    log, match = played_log(setup_of(5, game=GAME)), "match"
    after = len(log) // 2
    await service.matches.save(match, GAME, log[:after])
    method = guard.methods(_MATCH_SERVICE, service.match)["WatchEvents"]
    token, _ = KEYS.issue(Identity(Role.PUBLIC, "public", match), 1)
    sender = Sender(f"Bearer {token}", "here", LANGUAGE.get())
    request, came = pb.WatchEventsRequest(match_id=match, after_seq=after), asyncio.Queue[bytes]()

    async def follow() -> None:
        async for message in guard.stream(method, request, sender):
            came.put_nowait(message)

    following = [asyncio.create_task(follow()) for _ in range(FOLLOWERS)]
    batches = iter([log[at : at + ENTRIES] for at in range(after, len(log), ENTRIES)])
    while len(service.matches.streams) < FOLLOWERS:
        await asyncio.sleep(0)
    for _ in range(TURNS):  # until all of them wait
        await asyncio.sleep(0)

    async def send() -> None:
        for _, entries in zip(range(MESSAGES), batches, strict=False):
            service.matches.streams.publish(match, entries)
            for _ in range(FOLLOWERS):
                await came.get()
        assert not any(one.done() for one in following)

    return send


def _served(name: str) -> tuple[Servicers, Guard]:
    """The service on a new file."""
    service = Servicers(Records(Path(f"{name}.kifu")), keeping=False)
    return service, Guard(KEYS, Metrics(), Admission(), service.matches.lanes)


def works() -> dict[str, Callable[[], object]]:
    """The pieces of work, by name; what is stored goes into the folder that the process is in.

    Each can be done twice: the second time goes on from where the first one ended.
    """
    fix()
    loop = uvloop.new_event_loop()

    async def prepared() -> list[Callable[[], Coroutine[Any, Any, None]]]:
        return [await commands("saved"), await commands("sent", saving=False), await followers()]

    save, send, publish = loop.run_until_complete(prepared())
    return {
        f"{COMMANDS} commands": lambda: loop.run_until_complete(save()),
        f"{COMMANDS} commands, the loop's part": lambda: loop.run_until_complete(send()),
        f"{MESSAGES} messages to {FOLLOWERS} followers": lambda: loop.run_until_complete(publish()),
    } | _reading()


def _reading() -> dict[str, Callable[[], object]]:
    """Pieces of work that read a record which is stored, or was exported."""
    log, records, match = played_log(setup_of(5, game=GAME)), Records(Path("read.kifu")), "match"
    keep(records, match, [log[at : at + ENTRIES] for at in range(0, len(log), ENTRIES)])
    history, last = History(records), fold_all(log).decisions
    exported = Path("record.jsonl")
    exported.write_text("".join(write(log)))

    def seek() -> None:
        for n in range(1, last, last // SEEKS):
            for viewer in (OFFICIAL, PUBLIC, 0):
                found = history.position(match, viewer, Point(decision=n))
                wire.table(found).SerializeToString()

    return {
        f"open {SEEKS} decisions, each for three viewers": seek,
        "verify an exported file": lambda: check(read(exported)),
    }
