"""Ends gRPC calls that are not answered: refused, or cancelled by their sender.

A client's disconnection is noticed in one place sooner than in another: sending to him fails before
his call is cancelled. Such a call counts as cancelled, which is reported to nobody, not as a
failure. Calls over HTTP are ended by `service.web.connect`.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import grpc
from grpc.aio import ServicerContext

from service.api.calls.errors import Fault
from service.api.calls.languages import requested

Context = ServicerContext[Any, Any]


class GivenUp:
    """Failing reads and writes within `with` cancel a call, unless it was refused already."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, grpc.aio.BaseError) and not isinstance(error, grpc.aio.AbortError):
            raise asyncio.CancelledError(str(error)) from None


GIVEN_UP = GivenUp()


async def abort(context: Context, fault: Fault) -> None:
    """End a call with what is wrong, and its details."""
    status = fault.status(requested(context.invocation_metadata()))
    with GIVEN_UP:
        await context.abort(fault.code, fault.message, (("grpc-status-details-bin", status),))


class Line:
    """A stream of commands, whose sender may have gone."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def read(self) -> Any:
        """The next message, or `grpc.aio.EOF`."""
        with GIVEN_UP:
            return await self._context.read()

    async def write(self, message: Any) -> None:
        """Answer a command."""
        with GIVEN_UP:
            await self._context.write(message)


#: What ends gRPC's own answers when the client has gone, or when the server stops.
_ENDINGS = {"ExecuteBatchError", "CancelledError"}


class _Gone(logging.Filter):
    """Drops gRPC's log messages about answers that reach nobody any more, with their traces."""

    def filter(self, record: logging.LogRecord) -> bool:
        kind = record.exc_info[0] if record.exc_info else None
        return kind is None or kind.__name__ not in _ENDINGS


_GONE = _Gone()


def log_no_givers_up() -> None:
    """Have gRPC log nothing of calls that were given up as it answered them itself."""
    logging.getLogger("grpc._cython.cygrpc").addFilter(_GONE)
