"""Limits on connections: slow ones are closed, and their number is bounded.

uvicorn gives an idle connection up, but waits for ever for the rest of a head or a body that has
begun, and for a client who takes no answers. Here a head has `HEAD` seconds in all, a body those
and more the more of it comes (`RATE`), and a client who takes nothing of what is sent `TAKEN`.
What can't be read is refused before the application, with the same headers as all else.

A connection that is closed while its client still sends would be reset, and an answer that he has
not read by then be lost to him. So the client learns that nothing more comes, and what it sends is
discarded for `LINGER`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

#: Seconds that a head has in all, and that a client has to take what is sent.
HEAD, TAKEN = 10.0, 60.0
#: Bytes a second that a body comes with at least, after as many seconds as a head has.
RATE = 8 * 1024
#: Seconds that a client who is answered may go on sending, and how many may beyond all others.
LINGER, LINGERING = 2.0, 64
#: Connections at most, where the system allows as many files; files left for all else.
CONNECTIONS, SPARE = 10_000, 256


def room() -> int:
    """How many connections there may be; raises what this process may have open, if it can."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    wanted = CONNECTIONS + SPARE
    if soft != unlimited and soft < wanted:
        more = wanted if hard == unlimited else min(wanted, hard)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
            soft = more
    return CONNECTIONS if soft == unlimited else max(16, min(CONNECTIONS, soft - SPARE))


def protocol(most: int, headers: Iterable[tuple[bytes, bytes]]) -> type[H11Protocol]:
    """The protocol of connections, of which there are so many at most.

    `headers` are those of what is refused before the application.
    """
    text = [*headers]

    class _Protocol(Patient):
        limit, refused_with = most, text

    return _Protocol


class Patient(H11Protocol):
    """A connection whose client is waited for so long, and no longer."""

    limit = CONNECTIONS
    refused_with: list[tuple[bytes, bytes]] = []  # noqa: RUF012

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """There is a connection; a head is to come."""
        self._due: asyncio.TimerHandle | None = None
        self._awaited: Any = None  # h11's state of the client who keeps us waiting
        self._since, self._came = 0.0, 0
        self._stuck: asyncio.TimerHandle | None = None
        self._leaving: asyncio.TimerHandle | None = None
        super().connection_made(transport)
        if len(self.connections) > self.limit:
            self._refuse(503)
        else:
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone, and nothing is waited for."""
        self._wait_for(None)
        self.resume_writing()
        if self._leaving is not None:
            self._leaving.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Something came: of a head or a body, of which more may have to come."""
        if self._leaving is not None:
            return
        self._came += len(data)
        super().data_received(data)
        if self._leaving is None:
            self._watch()

    def on_response_complete(self) -> None:
        """It is answered; a head may have begun meanwhile."""
        super().on_response_complete()
        if self.conn.their_state is not h11.IDLE or self.conn.trailing_data[0]:
            self._watch()

    def pause_writing(self) -> None:
        """The client does not read for now."""
        super().pause_writing()
        if self._stuck is None:
            self._stuck = self.loop.call_later(TAKEN, self.transport.abort)

    def resume_writing(self) -> None:
        """It is taken again."""
        super().resume_writing()
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None

    def shutdown(self) -> None:
        """The server ends: answer what is under way, and close."""
        if self._leaving is not None:
            self.transport.close()
        else:
            super().shutdown()

    def send_400_response(self, msg: str) -> None:
        """Refuse what can't be read."""
        self._refuse(400)

    def _watch(self) -> None:
        """Wait for what is to come, and no longer than it may take."""
        state = self.conn.their_state
        self._wait_for(state if state in (h11.IDLE, h11.SEND_BODY) else None)

    def _wait_for(self, state: Any) -> None:
        if state is self._awaited:
            return
        if self._due is not None:
            self._due.cancel()
            self._due = None
        self._awaited = state
        if state is not None:
            self._since, self._came = time.monotonic(), 0
            self._due = self.loop.call_later(HEAD, self._check)

    def _check(self) -> None:
        """Cut off a client who has let us wait too long."""
        self._due = None
        allowed = HEAD
        if self._awaited is h11.SEND_BODY and self.conn.our_state is not h11.DONE:
            allowed += self._came / RATE
        left = self._since + allowed - time.monotonic()
        answered = self.conn.our_state is h11.SEND_BODY  # what has come, and more is awaited
        if self.flow.read_paused or answered:  # it is we who let him wait, or he may send on
            left = max(left, 1.0)
        if left > 0:
            self._due = self.loop.call_later(left, self._check)
        elif self._awaited is h11.IDLE:
            self._refuse(408)
        elif self.conn.our_state is h11.DONE:
            self._leave()
        else:
            self.transport.abort()

    def _refuse(self, status: int) -> None:
        """Answer without the application, where an answer can still be begun, and close."""
        if self.transport.is_closing() or self._leaving is not None:
            return
        if self.cycle is not None:  # what the application may still say has nowhere to go
            self.cycle.disconnected = True
        with suppress(h11.LocalProtocolError):
            close = [(b"connection", b"close"), (b"content-length", b"0")]
            head = h11.Response(status_code=status, headers=[*self.refused_with, *close])
            self.transport.write(self.conn.send(head) or b"")
        self._leave()

    def _leave(self) -> None:
        """Close once the client has done so, or `LINGER` is over; received data are discarded."""
        self._wait_for(None)
        self._unset_keepalive_if_required()
        if self.cycle is not None:  # what the application still waits for does not come
            self.cycle.waiting_for_100_continue = False
            self.cycle.message_event.set()
        if len(self.connections) > self.limit + LINGERING:
            self.transport.close()
            return
        self._leaving = self.loop.call_later(LINGER, self.transport.abort)
        self.flow.resume_reading()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        else:  # TLS says by itself that nothing more comes
            self.transport.close()
