"""Messages as JSON and back: in the words of Protobuf's own mapping, in lowerCamelCase.

A request that is no message of its method is a `Fault`, as over gRPC. What is large is read and
written in a thread, since that takes long. Messages of a stream come serialised, the same bytes to
all who get the same; so their JSON is made once for all of them too (`Shared`).
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import lru_cache
from typing import Any

import msgspec
from google.protobuf.descriptor import Descriptor
from google.protobuf.json_format import MessageToDict, Parse
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc import StatusCode

from domain.words.phrases import phrase
from service.api.calls.errors import Fault
from service.api.calls.guard import Method
from service.live.background import heeded

#: What has more bytes is read or written in a thread.
SMALL = 2048
#: Of how many large messages of streams the JSON is kept, for others who get the same.
LARGE_KEPT = 16


def parsed(method: Method, data: bytes) -> Message | Fault:
    """A request in JSON, or what is wrong with it; what is not in its message is ignored."""
    if len(data) > method.most:
        return method.too_large()
    try:
        text = data.decode()
        if not text.lstrip(" \t\r\n").startswith("{"):
            raise ValueError("it is no object")
        return Parse(text, method.request(), ignore_unknown_fields=True)
    except Exception as error:  # any error of the parser
        because = str(error).encode("ascii", "backslashreplace").decode()
        wrong = phrase("The request is not a message of this method.")
        return Fault(StatusCode.INVALID_ARGUMENT, "MESSAGE_INVALID", wrong, because=because)


def encoded(message: Message) -> bytes:
    """A message as JSON, without spaces."""
    return msgspec.json.encode(as_data(message))


def as_data(message: Message) -> dict[str, Any]:
    """A message as what JSON has."""
    found: dict[str, Any] = MessageToDict(message)
    return found


#: Makes of a message of a stream what is sent.
Form = Callable[[Message], bytes]


class Shared:
    """The JSON of messages of streams. To be used within one loop."""

    def __init__(self, in_thread: Callable[..., Awaitable[bytes]]) -> None:
        self._in_thread = in_thread
        self._large = OrderedDict[tuple[Descriptor, bytes, Form], asyncio.Future[bytes]]()

    async def of(self, response: Descriptor, data: bytes, form: Form) -> bytes:
        """A message of this type, which comes serialised, as it is sent."""
        if len(data) <= SMALL:
            return _small(response, data, form)
        key = response, data, form
        if key not in self._large:
            work = self._in_thread(_formed, *key, unlimited=True)
            self._large[key] = asyncio.ensure_future(work)
            self._large[key].add_done_callback(heeded)
            while len(self._large) > LARGE_KEPT:
                self._large.popitem(last=False)
        return await asyncio.shield(self._large[key])


def _formed(response: Descriptor, data: bytes, form: Form) -> bytes:
    return form(GetMessageClass(response).FromString(data))


_small = lru_cache(maxsize=1024)(_formed)
