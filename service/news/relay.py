"""A relay maintains the connection that carries news.

It connects, says what it wants to hear, tells what waits (`outbox`), and begins again whenever the
connection fails, for ever. Every few seconds it tells itself something: as long as that comes back,
news get through, and how long it took is their delay, by one clock. After each interruption, the
news that may have been lost are sent again, and the listener is told to look everywhere. What a
connection is to NATS or PostgreSQL is its `Link`.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from typing import Protocol

from service.news import spelling
from service.news.news import CREDENTIALS, OK, News, Piece
from service.news.outbox import Outbox
from service.telemetry.logs import log_event
from service.telemetry.shared import NewsMetrics

#: How often a server tells itself something, how long it waits for it, how long anything that is
#: asked of a connection takes at most; seconds.
PROBE, DEAF, PATIENCE = 5.0, 12.0, 10.0
#: How long to wait before it connects again, at first and at most, and at the end; seconds.
SOON, LATER, FAREWELL = 0.05, 2.0, 1.0
#: So many topics are followed before anything else gets its turn.
AT_ONCE = 256


class Away(Exception):
    """The connection is of no use any more; the text says why."""


class Link(Protocol):
    """A connection by which news go. Each method may raise anything."""

    #: Where it leads, without passwords.
    where: str
    #: Seconds between two times that something is sent.
    pause: float

    async def open(self, received: Callable[[str, bytes], None], lost: Callable[[], None]) -> None:
        """Connect; from now on call `received` with each topic and its payload.

        `lost`: some could not be received.
        """
        ...

    async def gone(self) -> None:
        """Return or raise once the connection is lost."""
        ...

    async def send(self, messages: Sequence[tuple[str, bytes]]) -> None:
        """Say something of topics, in this order."""
        ...

    async def follow(self, topics: Sequence[str]) -> None:
        """Receive the messages of these topics from now on."""
        ...

    async def leave(self, topics: Sequence[str]) -> None:
        """Receive it no more."""
        ...

    async def close(self) -> None:
        """Close the connection, whether it was opened or not."""
        ...


class Relay(News):
    """News by one connection. To be used within one loop."""

    def __init__(
        self,
        link: Link,
        metrics: NewsMetrics | None = None,
    ) -> None:
        """`metrics` count sent and received news, and measure their delay."""
        self.id = secrets.token_hex(4)
        self._link, self._metrics = link, metrics or NewsMetrics()
        self._heard: Callable[[Piece], None] = lambda piece: None
        self._missed: Callable[[], None] = lambda: None
        self._out = Outbox()
        self._followed = dict[tuple[str, str], str]()  # what to hear of, and its topic
        self._turned = dict[tuple[str, str], str]()  # of those: begun or left of late
        self._turn = asyncio.Event()
        self._connected = False  # else followed topics are sent once it is
        self._probes, self._probed, self._proven = 0, 0.0, asyncio.Event()
        self._back = 0.0  # when the last probe came back
        self._since, self._why = time.time(), "not connected yet"
        self._task: asyncio.Task[None] | None = None

    # -- as `News` -------------------------------------------------------------------------------

    @property
    def state(self) -> str:
        """`OK`, or since when and why news do not get through."""
        if not self._why:
            return OK
        since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._since))
        return f"away since {since}: {self._why}"

    def listen(self, heard: Callable[[Piece], None], missed: Callable[[], None]) -> None:
        """Set the listener for the news of others, and for losses of news."""
        self._heard, self._missed = heard, missed

    def follow(self, kind: str, id_: str) -> None:
        """Hear of this match or event from now on."""
        with suppress(ValueError):  # it has no topic, so nobody can tell of it
            name = self._followed[kind, id_] = spelling.topic(kind, id_)
            self._note_turned((kind, id_), name)

    def leave(self, kind: str, id_: str) -> None:
        """Hear of it no more."""
        if (name := self._followed.pop((kind, id_), None)) is not None:
            self._note_turned((kind, id_), name)

    def _note_turned(self, key: tuple[str, str], name: str) -> None:
        if self._connected:
            self._turned[key] = name
            self._turn.set()

    def tell(self, piece: Piece) -> None:
        """Tell the other servers."""
        self._out.put([piece])

    async def start(self) -> None:
        """Begin to connect."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Send what is still to be sent, and end."""
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                while self.state == OK and len(self._out):
                    await asyncio.sleep(0.01)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._close_link()

    # -- the connection --------------------------------------------------------------------------

    async def _run(self) -> None:
        wait = SOON
        while True:
            self._proven.clear()
            try:
                async with asyncio.timeout(PATIENCE):
                    await self._connect()
                await _first_of(
                    self._link.gone(), self._sending(), self._turning(), self._probing(),
                    self._welcome(),
                )  # fmt: skip
                error: Exception = Away("the connection was closed")
            except Exception as found:
                error = found
            if self._proven.is_set():
                wait = SOON
            self._note_away(error)
            self._connected = False
            self._turned.clear()
            await self._close_link()
            self._out.take_back()
            await asyncio.sleep(wait * random.uniform(0.5, 1))
            wait = min(2 * wait, LATER)

    async def _connect(self) -> None:
        await self._link.open(self._received, self._lost)
        own = [spelling.topic(CREDENTIALS, ""), spelling.topic(spelling.PROBE, self.id)]
        self._connected = True
        await self._follow([*own, *self._followed.values()])

    async def _follow(self, topics: Sequence[str]) -> None:
        for at in range(0, len(topics), AT_ONCE):
            await self._link.follow(topics[at : at + AT_ONCE])
            await asyncio.sleep(0)

    async def _welcome(self) -> None:
        """Once news get through, look at what came before; then wait for ever."""
        try:
            async with asyncio.timeout(PATIENCE):
                await self._proven.wait()
        except TimeoutError:
            raise Away("probes do not come back: may this server publish, and subscribe?") from None
        if self._why:
            log_event(logging.INFO, "news get through", where=self._link.where)
        self._why = ""
        self._lost()
        await asyncio.Event().wait()

    def _note_away(self, error: Exception) -> None:
        why = str(error) or type(error).__name__
        if not self._why:
            self._since = time.time()
        if why != self._why:
            where = self._link.where
            log_event(logging.WARNING, "news do not get through", where=where, text=why)
        self._why = why

    async def _close_link(self) -> None:
        with suppress(Exception):
            async with asyncio.timeout(FAREWELL):
                await self._link.close()

    async def _sending(self) -> None:
        while True:
            found = await self._out.take()
            async with asyncio.timeout(PATIENCE):
                await self._link.send([*self._messages(found)])
            self._metrics.count("sent", len(found))
            await asyncio.sleep(self._link.pause)

    def _messages(self, pieces: Iterable[Piece]) -> Iterable[tuple[str, bytes]]:
        for kind, id_, seq, trace in pieces:
            with suppress(ValueError):
                yield spelling.topic(kind, id_), spelling.written(self.id, seq, trace)

    async def _probing(self) -> None:
        self._back = time.monotonic()
        name = spelling.topic(spelling.PROBE, self.id)
        while True:
            self._probes, self._probed = self._probes + 1, time.monotonic()
            self._out.mark()
            async with asyncio.timeout(PATIENCE):
                await self._link.send([(name, spelling.written(self.id, self._probes))])
            await asyncio.sleep(PROBE)
            if time.monotonic() - self._back > DEAF:
                raise Away("probes no longer come back")

    async def _turning(self) -> None:
        """Say what is to be heard, as that changes; then look at what is followed newly."""
        while True:
            await self._turn.wait()
            self._turn.clear()
            turned, self._turned = self._turned, {}
            begun = [key for key in turned if key in self._followed]
            async with asyncio.timeout(PATIENCE):
                await self._link.leave([name for key, name in turned.items() if key not in begun])
                await self._follow([turned[key] for key in begun])
            for key in begun:
                self._pass_on(Piece(*key))

    # -- what comes in ---------------------------------------------------------------------------

    def _received(self, name: str, data: bytes) -> None:
        """A message on a topic has arrived, from any sender."""
        found = spelling.piece(name, data)
        if found is None:
            self._metrics.count("wrong")
            return
        server, piece = found
        if server == self.id:
            if piece.kind == spelling.PROBE and piece.seq == self._probes:
                self._came_back()
        elif piece.kind == CREDENTIALS or piece[:2] in self._followed:
            self._metrics.count("heard")
            self._pass_on(piece)

    def _came_back(self) -> None:
        self._back = time.monotonic()
        self._metrics.delay(self._back - self._probed)
        self._out.confirm()
        self._proven.set()

    def _lost(self) -> None:
        self._metrics.count("missed")
        self._safely(self._missed)

    def _pass_on(self, piece: Piece) -> None:
        self._safely(self._heard, piece)

    def _safely(self, call: Callable[..., None], *args: object) -> None:
        """An exception of the listener is no fault of the connection."""
        try:
            call(*args)
        except Exception as error:
            log_event(logging.ERROR, "news not taken", wrong=error)


async def _first_of(*works: Awaitable[None]) -> None:
    """Wait until one of several has ended, end the others, and raise what it raised."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
