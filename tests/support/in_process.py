"""The servicers in the test's own event loop, and faults injected into them.

`COMMANDS` has every kind of command that changes a record, each ready to be sent on a match of its
own; `cancelled` cancels one at its k-th await, `Faults` makes the k-th call of the store fail.
`Servicers.sound` checks what must hold afterwards.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from types import coroutine
from typing import Any, NamedTuple

from grpc.aio import EOF
from kifu.v1 import desk_service_pb2, match_service_pb2
from kifu.v1.match_service_pb2 import DeckChoice

from domain import games
from domain.engine.checks.verify import verify
from domain.engine.match import Stale
from domain.record.decisions import Act
from domain.record.entries import Entry, active
from domain.record.events import DecisionOpened
from domain.record.folding.fold import fold_all
from domain.text.transcript.write import write
from service import wire
from service.api.calls import over_grpc
from service.api.calls.admission import Admission
from service.api.calls.guard import Guard
from service.api.calls.pages import Pages
from service.api.matches import MatchServicer
from service.api.officials import DeskServicer
from service.api.tournaments.commands import TournamentServicer
from service.credentials.issuing import Tokens
from service.identity import Identity, Keys, Role
from service.live.carrying import Carrying
from service.live.following import Following
from service.live.matches import Matches
from service.live.tournaments import Tournaments
from service.store import chains
from service.store.records import Records, StoreError
from service.store.tables import auto_passes
from service.telemetry.metrics import Metrics
from tests.toy import TOY

BOOKS = {"toy": TOY, "gundam": games.rulebook("gundam")}
HEAD = Identity(Role.ORGANISER, "organiser")
KEYS = Keys(b"k" * 32)


class Servicers:
    """The servicers on a store, and what must be true of it."""

    def __init__(self, records: Records, saved: Any = None, **more: Any) -> None:
        """`saved` is called with what is saved, as its tournaments' is."""
        self.records = records

        def tell(*of: Any) -> None:
            self.following.saved(*of)
            if saved is not None:
                saved(*of)

        self.matches = m = Matches(records, BOOKS, saved=tell, **more)
        tokens, marks = Tokens(self.matches, KEYS, 1.0), Pages(KEYS.of("pages"))
        self.match = MatchServicer(self.matches, tokens, marks)
        self.tournaments = Tournaments(records, m.committer, m.lanes, m.background, m.clock)
        carrying = Carrying(self.tournaments, self.matches)
        self.following = Following(self.tournaments, self.matches, carrying)
        self.event = TournamentServicer(
            self.tournaments, carrying, self.following, self.matches, tokens, marks
        )
        following = self.following
        self.desk = DeskServicer(
            self.matches, self.match, following.may_begin, following.may_penalise
        )
        self.opened = 0

    async def open(self, game: str = "toy", **more: Any) -> str:
        """A new match; its id."""
        self.opened += 1
        response = await self.match.open_match(opening(game, f"m{self.opened}", **more), HEAD)
        return response.match.id

    async def sound(self, match: str, before: list[Entry]) -> None:
        """After any acts on a match, it is complete, and goes on."""
        pos = await self.matches.query(match, lambda m: m.pos.encoded())
        log = self.records.entries(match)
        assert log[: len(before)] == before
        assert fold_all(active(log)).encoded() == pos
        left = await self.matches.query(match, lambda m: m.auto_passes)
        assert auto_passes.find(self.records, match) == left
        assert chains.check(self.records, match) == await self.matches.heads.at(match)
        verdict = verify(log, BOOKS[log[0].event.game])  # type: ignore[union-attr]
        assert verdict.kind == "exact", verdict
        if not fold_all(active(log)).over:
            await choosing(self, match)
            assert self.records.last(match) > len(log)
            assert self.records.entries(match)[: len(log)] == log


@asynccontextmanager
async def open_servicers(path: Path) -> AsyncIterator[Servicers]:
    """The service on a file."""
    records = Records(path)
    found = Servicers(records)
    try:
        yield found
    finally:
        await found.following.settled()
        await found.matches.close()
        records.close()


# -- what may be done -----------------------------------------------------------------------------


def opening(game: str, ticket: str, **more: Any) -> match_service_pb2.OpenMatchRequest:
    """A request for a match of a game."""
    names = {"toy": ("ones", "tens"), "gundam": ("ST01", "ST02")}[game]
    decks = [DeckChoice(name=name) for name in names]
    return match_service_pb2.OpenMatchRequest(
        game=game, seats=["A", "B"], decks=decks, request_id=ticket, **more
    )


async def choosing(servicers: Servicers, match: str, ticket: str = "") -> Any:
    """Answer the open decision, raises `Stale` if none is open.

    By its first option, or the last where others would need cards to be named.
    """
    return await servicers.match.choose(*await _answer(servicers, match, ticket))


async def _answer(
    servicers: Servicers, match: str, ticket: str
) -> tuple[match_service_pb2.ChooseRequest, Identity]:
    """The answer to the open decision, and its sender."""
    decision, mode = await servicers.matches.query(
        match, lambda m: (m.pos.decision, m.pos.heading.mode)
    )
    if decision is None:
        raise Stale(0)
    seat = decision.seats[0]
    act = decision.offers[seat].options[-1 if mode == "table" else 0].act()
    request = match_service_pb2.ChooseRequest(
        match_id=match, decision=decision.n, act=wire.act(act), seat=seat, request_id=ticket
    )
    return request, keeper(match) if mode == "table" else player(match, seat)


def keeper(match: str) -> Identity:
    """The scorekeeper of a real table."""
    return Identity(Role.SCOREKEEPER, "keeper", match)


def player(match: str, seat: int) -> Identity:
    """A seat of a dealt match."""
    return Identity(Role.SEAT, f"seat {seat}", match, seat)


class Ready(NamedTuple):
    """A command that waits to be sent, and the match that it is about."""

    match: str
    send: Callable[[], Awaitable[Any]]


async def _played(servicers: Servicers, n: int = 4) -> str:
    match = await servicers.open()
    for _ in range(n):
        await choosing(servicers, match)
    return match


async def _open(servicers: Servicers) -> Ready:
    servicers.opened += 1
    request = opening("toy", f"m{servicers.opened}")
    match = await servicers.open()  # the request's own is not known before it is carried out
    return Ready(match, lambda: servicers.match.open_match(request, HEAD))


async def _choose(servicers: Servicers) -> Ready:
    match = await _played(servicers)
    return Ready(match, lambda: choosing(servicers, match, ticket="t"))


class Line:
    """A stream of commands as the server sees it: what comes in is given, what goes out is kept."""

    def __init__(self, who: Identity, requests: list[match_service_pb2.PlayRequest]) -> None:
        self._token, _ = KEYS.issue(who, 1)
        self.left, self.sent = requests, list[match_service_pb2.PlayResponse]()
        self.gate = asyncio.Event()  # open: answers are taken
        self.gate.set()

    def invocation_metadata(self) -> Any:
        return (("authorization", f"Bearer {self._token}"),)

    def peer(self) -> str:
        return "here"

    async def read(self) -> Any:
        await asyncio.sleep(0)
        return self.left.pop(0) if self.left else EOF

    async def write(self, message: match_service_pb2.PlayResponse) -> None:
        await self.gate.wait()
        self.sent.append(message)


async def served(servicers: Servicers, line: Line) -> None:
    """Answer a stream of commands."""
    guard = Guard(KEYS, Metrics(), Admission(), servicers.matches.lanes)
    service = match_service_pb2.DESCRIPTOR.services_by_name["MatchService"]
    play = guard.methods(service, servicers.match)["Play"]
    await over_grpc.commands(guard, play)(None, line)  # type: ignore[arg-type]


async def _play(servicers: Servicers) -> Ready:
    match = await _played(servicers)

    async def send() -> None:
        request, who = await _answer(servicers, match, "t")
        await served(servicers, Line(who, [match_service_pb2.PlayRequest(id=1, choose=request)]))

    return Ready(match, send)


async def _interject(servicers: Servicers) -> Ready:
    match = await _played(servicers)
    request = match_service_pb2.InterjectRequest(
        match_id=match, act=wire.act(Act("concede")), request_id="t"
    )
    return Ready(
        match, lambda: servicers.match.interject(request, Identity(Role.SEAT, "s", match, 0))
    )


def _leaving(
    servicers: Servicers, match: str, seat: int, n: int, ticket: str = "t"
) -> Awaitable[Any]:
    """A seat leaves that it passes, while decision `n` is open, until the other one does not."""
    request = match_service_pb2.SetAutoPassRequest(
        match_id=match,
        decision=n,
        auto_pass=match_service_pb2.AutoPass(until_rival_acts=True),
        request_id=ticket,
    )
    return servicers.match.set_auto_pass(request, player(match, seat))


async def _leave(servicers: Servicers, own: bool = True) -> Ready:
    match = await _played(servicers)
    decision = await servicers.matches.query(match, lambda m: m.pos.decision)
    seat = decision.seats[0] if own else 1 - decision.seats[0]
    return Ready(match, lambda: _leaving(servicers, match, seat, decision.n))


async def _withdraw(servicers: Servicers) -> Ready:
    ready = await _leave(servicers, own=False)
    await ready.send()
    decision = await servicers.matches.query(ready.match, lambda m: m.pos.decision)
    request = match_service_pb2.WithdrawAutoPassRequest(match_id=ready.match)
    seat = 1 - decision.seats[0]
    return Ready(
        ready.match,
        lambda: servicers.match.withdraw_auto_pass(request, player(ready.match, seat)),
    )


async def _note(servicers: Servicers) -> Ready:
    match = await _played(servicers)
    request = desk_service_pb2.RecordNoteRequest(match_id=match, text="so it is", request_id="t")
    return Ready(
        match, lambda: servicers.desk.record_note(request, Identity(Role.OFFICIAL, "j", match))
    )


async def _rewind(servicers: Servicers) -> Ready:
    match = await _played(servicers, 8)
    log = servicers.records.entries(match)
    n = next(e.event.n for e in log if isinstance(e.event, DecisionOpened)) + 2
    request = desk_service_pb2.RewindMatchRequest(
        match_id=match, decision=n, why="a mistake", request_id="t"
    )
    return Ready(
        match, lambda: servicers.desk.rewind_match(request, Identity(Role.OFFICIAL, "j", match))
    )


async def _undo(servicers: Servicers) -> Ready:
    roll = match_service_pb2.Roll(outcome=[0])
    match = await servicers.open("gundam", mode="table", rolls=[roll])
    await choosing(servicers, match)
    request = desk_service_pb2.UndoEntryRequest(match_id=match, why="a slip", request_id="t")
    return Ready(match, lambda: servicers.desk.undo_entry(request, keeper(match)))


async def _fork(servicers: Servicers) -> Ready:
    match = await _played(servicers)
    request = desk_service_pb2.ForkMatchRequest(match_id=match, decision=2, request_id="t")
    return Ready(match, lambda: servicers.desk.fork_match(request, HEAD))


async def _import(servicers: Servicers) -> Ready:
    match = await _played(servicers)
    text = write(servicers.records.entries(match), TOY)
    servicers.opened += 1
    ticket = f"m{servicers.opened}"
    request = match_service_pb2.ImportMatchRequest(transcript=text, request_id=ticket)
    return Ready(match, lambda: servicers.match.import_match(request, HEAD))


COMMANDS: dict[str, Callable[[Servicers], Coroutine[Any, Any, Ready]]] = {
    "open": _open, "choose": _choose, "play": _play, "interject": _interject, "note": _note,
    "leave": _leave, "leave for later": partial(_leave, own=False), "withdraw": _withdraw,
    "rewind": _rewind, "undo": _undo, "fork": _fork, "import": _import,
}  # fmt: skip


# -- what may go wrong ----------------------------------------------------------------------------


class Cut:
    """Breaks a call off where it waits for the k-th time, if it waits so often."""

    def __init__(self, k: int) -> None:
        self._left = k

    @property
    def happened(self) -> bool:
        """Whether it came to that."""
        return self._left <= 0

    async def __call__(self, call: Awaitable[Any]) -> Any:
        """Make a call, in a task of its own: it is this task that is cancelled."""
        return await self._steps(call.__await__())

    @coroutine
    def _steps(self, steps: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        resume: Callable[[Any], Any] = steps.send
        results: Any = None
        while True:
            try:
                waits = resume(results)
            except StopIteration as stop:
                return stop.value
            self._left -= 1
            if not self._left:
                task = asyncio.current_task()
                assert task is not None
                task.cancel()
            try:
                resume, results = steps.send, (yield waits)
            except BaseException as error:
                resume, results = steps.throw, error


class Fault:
    """Makes the k-th call of a store fail, if there are so many.

    `late`: a commit that fails has been made all the same, and only its answer is lost.
    """

    def __init__(self, k: int, late: bool) -> None:
        self._left, self._late = k, late

    @property
    def happened(self) -> bool:
        """Whether it came to that."""
        return self._left <= 0

    @contextmanager
    def of(self, records: Records) -> Iterator[None]:
        """Have it happen to a store within."""
        kept = {name: getattr(records, name) for name in ("rows", "stage", "commit")}

        def failing(name: str) -> Callable[..., Any]:
            def call(*args: Any) -> Any:
                self._left -= 1
                if self._left:
                    return kept[name](*args)
                if name == "commit":
                    kept["commit" if self._late else "_undo"]()
                raise StoreError("the disk is gone")

            return call

        kept["_undo"] = lambda: records.driver.recorder.writer.rollback()
        try:
            for name in ("rows", "stage", "commit"):
                setattr(records, name, failing(name))
            yield
        finally:
            for name in ("rows", "stage", "commit"):
                setattr(records, name, kept[name])
