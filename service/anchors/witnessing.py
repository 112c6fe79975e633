"""Witnessing: has checkpoints cosigned by others, over HTTP (c2sp.org/tlog-witness).

A witness signs what follows from all that it signed before, so a log that shows one thing to one
person and another to the next needs its help. Each has a task of its own, which sends it the newest
checkpoint, with a proof from the size that it had last; what it answers is checked against its key
before it is kept. One that does not answer is asked again later, and keeps nobody waiting.
"""

from __future__ import annotations

import asyncio
import logging
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from domain.record.proof.anchors import notes
from domain.record.proof.anchors.encoding import Malformed, base64, number
from domain.record.proof.anchors.notes import BadSignature, Signature
from domain.record.proof.anchors.policy import Policy, Witness
from service.anchors.ledger import Ledger, Signed
from service.store.records import StoreError
from service.telemetry.logs import log_event

T = TypeVar("T")

#: How long a witness may take, and how long it is left alone after each failure, in seconds.
TIMEOUT, FIRST_PAUSE, LONGEST_PAUSE = 10.0, 1.0, 300.0
#: No answer is longer.
MOST_BYTES = 64 * 1024
_SIZE = "text/x.tlog.size"


class Unwitnessed(Exception):
    """A witness did not sign; the text says why."""


class Reply(NamedTuple):
    """The answer of a witness: the status, the type of the text, the text."""

    status: int
    kind: str
    text: str


def ask(witness: Witness, old: int, proof: list[bytes], signed: Signed) -> Reply:
    """Ask a witness to sign a checkpoint, `proof` leading there from `old` leaves.

    Raises `Unwitnessed` if it can't be reached.
    """
    lines = "".join(f"{base64(one)}\n" for one in proof)
    request = urllib.request.Request(
        f"{witness.url.rstrip('/')}/add-checkpoint",
        f"old {old}\n{lines}\n{signed.note}".encode(),
        {"Content-Type": "text/plain; charset=utf-8"},
        method="POST",
    )
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
            return _reply(response, response.status)
    except urllib.error.HTTPError as error:
        return _reply(error, error.code)
    except (OSError, ValueError) as error:
        raise Unwitnessed(str(error)) from error


def _reply(response: Any, status: int) -> Reply:
    kind = response.headers.get_content_type()
    return Reply(status, kind, response.read(MOST_BYTES).decode("utf-8", "replace"))


class Witnessing:
    """The witnesses, and the last checkpoint that each has. To be used within one running loop."""

    def __init__(
        self,
        policy: Policy,
        ledger: Ledger,
        cosigned: Callable[[Signed, Signature], Awaitable[None]],
    ) -> None:
        """`cosigned` is called with each valid signature."""
        self._ledger, self._cosigned = ledger, cosigned
        self._had = {name: 0 for name, one in policy.witnesses.items() if one.url}
        self._news = {name: asyncio.Event() for name in self._had}
        self._witnesses = policy.witnesses

    @property
    def names(self) -> list[str]:
        """The names of the witnesses."""
        return [*self._had]

    def signed(self) -> None:
        """There is a new checkpoint."""
        for news in self._news.values():
            news.set()

    async def watch(self, name: str) -> None:
        """Have each newest checkpoint signed by one witness, for ever."""
        pause = FIRST_PAUSE
        while True:
            await self._news[name].wait()
            self._news[name].clear()
            newest = self._ledger.newest
            if newest is None:
                continue
            try:
                await self._submit(self._witnesses[name], newest)
                pause = FIRST_PAUSE
            except (Unwitnessed, Malformed, BadSignature, StoreError, IndexError) as error:
                log_event(logging.WARNING, "no cosignature", witness=name, text=str(error))
                self._news[name].set()
                await asyncio.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE)

    async def _submit(self, witness: Witness, signed: Signed) -> None:
        reply = await self._asked(witness, signed)
        if reply.status == 409 and reply.kind == _SIZE:
            self._had[witness.name] = number(reply.text.removesuffix("\n"))
            reply = await self._asked(witness, signed)
        if reply.status != 200:
            raise Unwitnessed(f"it answers {reply.status}: {reply.text[:200]}")
        note = notes.Note(signed.note.text, notes.signatures(reply.text))
        if (found := witness.key.of(note)) is None:
            raise Unwitnessed("its answer has no signature of its key")
        self._had[witness.name] = signed.checkpoint.size
        await self._cosigned(signed, found)

    async def _asked(self, witness: Witness, signed: Signed) -> Reply:
        old, size = self._had[witness.name], signed.checkpoint.size
        if old > size:
            raise Unwitnessed(
                f"it saw this log with {old} leaves, and it has {size}: the file of matches is"
                " older than what was signed (ANCHORS.md)"
            )
        return await _in_daemon(lambda: self._ask(witness, old, signed))

    def _ask(self, witness: Witness, old: int, signed: Signed) -> Reply:
        return ask(witness, old, self._ledger.consistency(old, signed), signed)


async def _in_daemon(work: Callable[[], T]) -> T:
    """Run something in a thread that keeps no program from ending."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: Exception | None) -> None:
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        outcome: tuple[T | None, Exception | None]
        try:
            outcome = work(), None
        except Exception as error:
            outcome = None, error
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, *outcome)

    Thread(target=run, name="witness", daemon=True).start()
    return await done
