"""A channel that speaks Connect over HTTP, for clients that were made for gRPC.

    with Client(HttpChannel(server.web, is_json=True), server.token) as organiser: ...

So what is tested over gRPC is tested over HTTP by the same code. Every call has a connection of its
own; `cancel` cuts it, at any moment.
"""

from __future__ import annotations

import json
import struct
from base64 import b64decode
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPException
from threading import Thread
from typing import Any, Self
from urllib.parse import urlsplit

import grpc
from google.protobuf import descriptor_pool, json_format
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc.status_pb2 import Status

_CODES = {code.name.lower(): code for code in grpc.StatusCode}
_CODES["canceled"] = grpc.StatusCode.CANCELLED


class HttpChannel(grpc.Channel):
    """A channel to a service's pages, in JSON or in binary."""

    def __init__(self, web: str, *, is_json: bool) -> None:
        self.address, self.is_json = urlsplit(web), is_json

    def unary_unary(self, method: str, *coding: Any, **_: Any) -> Any:
        """A call of a method that answers once."""
        return _Method(self, method, streams=False)

    def unary_stream(self, method: str, *coding: Any, **_: Any) -> Any:
        """A call of a method that answers with a stream."""
        return _Method(self, method, streams=True)

    def stream_stream(self, method: str, *coding: Any, **_: Any) -> Any:
        """A call of a method that gets a stream as well."""
        return _Method(self, method, streams=True)

    def stream_unary(self, method: str, *coding: Any, **_: Any) -> Any:
        raise NotImplementedError

    def subscribe(self, callback: Any, try_to_connect: bool | None = False) -> None:
        raise NotImplementedError

    def unsubscribe(self, callback: Any) -> None:
        raise NotImplementedError

    def close(self) -> None:
        """There is nothing to close: each call has its connection."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *args: object) -> None:
        self.close()


class _Method:
    """An RPC over HTTP."""

    def __init__(self, channel: HttpChannel, path: str, *, streams: bool) -> None:
        self.channel, self.path, self.streams = channel, path, streams
        service, _, name = path.removeprefix("/").rpartition("/")
        try:
            found = descriptor_pool.Default().FindMethodByName(f"{service}.{name}")
        except KeyError:
            self.request = self.response = None
        else:
            self.request = GetMessageClass(found.input_type)
            self.response = GetMessageClass(found.output_type)

    def __call__(self, request: Any, metadata: Any = (), timeout: float | None = None) -> Any:
        call = self.future(request, metadata, timeout)
        return call if self.streams else call.result()

    def future(self, request: Any, metadata: Any = (), timeout: float | None = None) -> HttpCall:
        """A call that is under way."""
        return HttpCall(self, request, metadata, timeout)

    def written(self, request: Message | bytes) -> bytes:
        """A request as it is sent; what is no message is sent as it is."""
        if not self.channel.is_json:
            return request if isinstance(request, bytes) else request.SerializeToString()
        if isinstance(request, bytes):
            try:
                request = self.request.FromString(request)  # type: ignore[union-attr]
            except (DecodeError, AttributeError):
                return request
        return json_format.MessageToJson(request, indent=None).encode()

    def read(self, answer: bytes) -> Any:
        """An answer as it came."""
        assert self.response is not None
        if not self.channel.is_json:
            return self.response.FromString(answer)
        return json_format.Parse(answer, self.response())


class HttpCall(grpc.RpcError, grpc.Call):
    """One call, and its result; as an error, if it failed."""

    def __init__(self, method: _Method, sent: Any, metadata: Any, timeout: float | None) -> None:
        self._method, self._status, self._ended = method, Status(), False
        address, kind = method.channel.address, "json" if method.channel.is_json else "proto"
        self._connection = HTTPConnection(address.hostname or "", address.port or 0, timeout=60)
        headers = {"content-type": f"application/{'connect+' * method.streams}{kind}"}
        if timeout is not None:
            headers["connect-timeout-ms"] = str(max(0, int(timeout * 1000)))
        try:
            self._send(sent, headers | dict(metadata))
        except OSError as error:
            self._broke_off(error)

    def _send(self, sent: Any, headers: dict[str, str]) -> None:
        path = f"/api{self._method.path}"
        if isinstance(sent, Iterator):
            self._connection.putrequest("POST", path)
            for name, value in {**headers, "transfer-encoding": "chunked"}.items():
                self._connection.putheader(name, value)
            self._connection.endheaders()
            Thread(target=self._send_all, args=(sent,), daemon=True).start()
            return
        body = self._method.written(sent)
        self._connection.request(
            "POST", path, _enveloped(body) if self._method.streams else body, headers
        )

    def _send_all(self, requests: Iterator[Any]) -> None:
        try:
            for request in requests:
                body = _enveloped(self._method.written(request))
                self._connection.send(b"%x\r\n%b\r\n" % (len(body), body))
            self._connection.send(b"0\r\n\r\n")
        except OSError:
            pass  # its reader is told

    # -- what came -------------------------------------------------------------------------------

    def result(self) -> Any:
        """The answer; raises itself."""
        if not self._ended:
            self._guarded(self._read_one)
        if self._status.code:
            raise self
        return self._method.read(self._body)

    def _read_one(self) -> None:
        response = self._connection.getresponse()
        self._body, self._ended = response.read(), True
        if response.status != 200:
            self._failed(json.loads(self._body or b'{"code": "unknown"}'))
        self._connection.close()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        found: list[Any] = []
        if not self._ended:
            self._guarded(lambda: self._read_next(found))
        if found:
            return found[0]
        if self._status.code:
            raise self
        raise StopIteration

    def _read_next(self, found: list[Any]) -> None:
        if not hasattr(self, "_response"):
            self._response = self._connection.getresponse()
            if self._response.status != 200:
                self._failed(json.loads(self._response.read()))
                return
        flags, size = struct.unpack(">BI", self._response.read(5))
        body = self._response.read(size)
        if flags == 2:
            self._ended = True
            self._failed(json.loads(body).get("error"))
            self._connection.close()
        else:
            found.append(self._method.read(body))

    def _guarded(self, read: Callable[[], None]) -> None:
        try:
            read()
        except (OSError, HTTPException, struct.error, ValueError, AttributeError) as error:
            if not self._ended:
                self._broke_off(error)

    def _broke_off(self, error: Exception) -> None:
        self._failed({"code": "unavailable", "message": str(error)})

    def _failed(self, found: dict[str, Any] | None) -> None:
        self._ended = True
        if found is None:
            return
        self._status.code = _CODES[found["code"]].value[0]
        self._status.message = found.get("message", "")
        for one in found.get("details", ()):
            url = f"type.googleapis.com/{one['type']}"
            self._status.details.append(
                AnyMessage(type_url=url, value=b64decode(one["value"] + "=="))
            )

    # -- as gRPC has it --------------------------------------------------------------------------

    def cancel(self) -> bool:
        """Break off the connection."""
        if not self._ended:
            self._failed({"code": "canceled", "message": "cancelled"})
            self._connection.close()
        return True

    def is_active(self) -> bool:
        """Whether it is under way."""
        return not self._ended

    def time_remaining(self) -> None:
        """It is not known."""

    def add_callback(self, callback: Any) -> bool:
        raise NotImplementedError

    def initial_metadata(self) -> Any:
        """None."""
        return ()

    def trailing_metadata(self) -> Any:
        """The status with its details."""
        return (("grpc-status-details-bin", self._status.SerializeToString()),)

    def code(self) -> Any:
        """The status."""
        return next(code for code in grpc.StatusCode if code.value[0] == self._status.code)

    def details(self) -> str:
        """The text of the status."""
        return self._status.message


def _enveloped(body: bytes) -> bytes:
    return struct.pack(">BI", 0, len(body)) + body
