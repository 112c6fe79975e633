"""Bodies of requests: read no further than they may be long."""

from __future__ import annotations

from grpc import StatusCode
from starlette.requests import Request

from domain.words.phrases import phrase
from service.api.calls.errors import Fault


async def body_of(request: Request, most: int) -> bytes:
    """The body of a request; raises `Fault` where it has more than `most` bytes."""
    found = bytearray()
    async for part in request.stream():
        found += part
        if len(found) > most:
            text = phrase("The request has more than {most} bytes.", most=most)
            raise Fault(StatusCode.RESOURCE_EXHAUSTED, "REQUEST_TOO_LARGE", text, most=most)
    return bytes(found)
