"""The client's connection: a channel, a token, the stubs, and what a failed call raises."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Self

import grpc
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status
from kifu.v1 import (
    admin_service_pb2_grpc,
    anchor_service_pb2_grpc,
    catalog_service_pb2_grpc,
    code_service_pb2_grpc,
    desk_service_pb2_grpc,
    identity_service_pb2_grpc,
    match_service_pb2_grpc,
    tournament_service_pb2_grpc,
)

from service.client import threads
from service.client.traces import calling, headers

_CODES = {code.value[0]: code.name for code in grpc.StatusCode}

#: How long it may take until it is known that there is no connection to be had, in seconds.
CONNECTING = 25.0


class CallError(Exception):
    """A call that failed: the status' name, the reason and its facts, and a sentence for people.

    `rules` are the rules behind a refusal, the narrowest first; `violations` every single fault of
    a request or a deck list as (field or subject, rule if one, sentence). If a limit was exceeded
    it may be tried again after `after` seconds; None: unknown.
    """

    def __init__(self, error: grpc.RpcError | status_pb2.Status) -> None:
        """`error` is what a call ended with, or what an answer on a stream says of its command."""
        if isinstance(error, status_pb2.Status):
            status, self.code, text = error, _CODES[error.code], error.message
        else:
            call: Any = error
            status, self.code, text = rpc_status.from_call(call), call.code().name, call.details()
        self.text: str = text or self.code  # in the language asked for, if there is one
        self.reason, self.metadata = self.code, dict[str, str]()
        self.violations: list[tuple[str, str, str]] = []
        self.after: float | None = None
        super().__init__(self.text)
        for detail in status.details if status is not None else ():
            self._read(detail)

    def _read(self, detail: Any) -> None:
        info = error_details_pb2.ErrorInfo()
        bad, broken = error_details_pb2.BadRequest(), error_details_pb2.PreconditionFailure()
        retry, localized = error_details_pb2.RetryInfo(), error_details_pb2.LocalizedMessage()
        if detail.Unpack(info):
            self.reason, self.metadata = info.reason, dict(info.metadata)
        elif detail.Unpack(localized):
            self.text = localized.message
        elif detail.Unpack(bad):
            self.violations += [(v.field, "", v.description) for v in bad.field_violations]
        elif detail.Unpack(retry):
            self.after = retry.retry_delay.ToNanoseconds() / 1e9
        elif detail.Unpack(broken):
            self.violations += [(v.subject, v.type, v.description) for v in broken.violations]

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules behind a refusal."""
        return tuple(filter(None, self.metadata.get("rules", "").split(",")))


@contextmanager
def errors() -> Iterator[None]:
    """Failures within are raised as `CallError`."""
    try:
        yield
    except grpc.RpcError as error:
        found = CallError(error)
        if found.code == "CANCELLED":  # by a server that stopped before it took the call up
            found.code = found.reason = "UNAVAILABLE"
        raise found from None


#: The header that names what a call is about: a proxy in front of several servers may send all
#: calls of a match to the same one, which has it in memory then (`service/deploy`).
ABOUT = "kifu-match"


def about(request: Any) -> tuple[tuple[str, str], ...]:
    """The header of a request that names a match, or else an event; none, if it names neither."""
    for name in ("match_id", "event_id"):
        found = getattr(request, name, "")
        if re.fullmatch(r"[\x21-\x7e]{1,128}", found):
            return ((ABOUT, found),)
    return ()


class Connection:
    """One channel, one token; `with_token` gives another one for the same channel."""

    def __init__(
        self, channel: grpc.Channel, token: str = "", timeout: float = 10.0, language: str = ""
    ) -> None:
        """`timeout` is every call's deadline, in seconds; streams have none.

        `language` is what people read errors and the words of games in, as `accept-language` says.
        """
        self._channel, self._timeout, self._language = channel, timeout, language
        self._games = dict[str, Any]()  # what they declare, shared by those of one channel
        headers = {"authorization": token and f"Bearer {token}", "accept-language": language}
        self._metadata = tuple((name, value) for name, value in headers.items() if value)
        self.matches = match_service_pb2_grpc.MatchServiceStub(channel)
        self.catalog = catalog_service_pb2_grpc.CatalogServiceStub(channel)
        self.codes = code_service_pb2_grpc.CodeServiceStub(channel)
        self.identity = identity_service_pb2_grpc.IdentityServiceStub(channel)
        self.desk = desk_service_pb2_grpc.DeskServiceStub(channel)
        self.anchors = anchor_service_pb2_grpc.AnchorServiceStub(channel)
        self.tournaments = tournament_service_pb2_grpc.TournamentServiceStub(channel)
        self.admin = admin_service_pb2_grpc.AdminServiceStub(channel)

    def with_token(self, token: str) -> Self:
        """The same channel, as somebody else."""
        other = type(self)(self._channel, token, self._timeout, self._language)
        other._games = self._games
        return other

    def close(self) -> None:
        """Close the channel, also for other users of it."""
        self._channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *args: object) -> None:
        self.close()

    def call(self, method: Callable[..., Any], request: Any, timeout: float | None = None) -> Any:
        """Call a method of one of the stubs; `timeout` in seconds, unless that of the client."""
        with errors(), calling(request) as trace:
            metadata = (*self._metadata, *about(request), *trace)
            deadline = timeout or self._timeout
            return threads.answer(lambda: method(request, metadata=metadata, timeout=deadline))

    def stream(self, method: Callable[..., Any], request: Any) -> Iterator[Any]:
        """The messages of a streaming method, which has no deadline."""
        with errors():
            metadata = (*self._metadata, *about(request), *headers())
            yield from threads.read(lambda: method(request, metadata=metadata))

    def lasting(
        self, method: Callable[..., Any], request: Callable[[], Any], patience: float
    ) -> Iterator[Any]:
        """The messages of a streaming method; a broken connection is taken up for so many seconds.

        `request` says by then what to go on after, at each time.
        """
        broken: float | None = None  # since when it does not go on
        while True:
            began = time.monotonic()
            try:
                for message in self.stream(method, request()):
                    broken = None
                    yield message
                return
            except CallError as error:
                now = time.monotonic()
                if broken is None or now - began > max(patience, CONNECTING):
                    broken = now  # it was there all the time, with nothing to tell
                passing = error.code == "UNAVAILABLE" or error.after is not None
                if not passing or now - broken >= patience:
                    raise
                time.sleep(error.after or 0.2)

    def pages(self, method: Callable[..., Any], request: Any, field: str) -> Iterator[Any]:
        """The items of a method that answers page by page."""
        while True:
            response = self.call(method, request)
            yield from getattr(response, field)
            if not response.next_page_token:
                return
            request.page_token = response.next_page_token
