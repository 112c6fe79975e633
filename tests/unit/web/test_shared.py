"""What was rendered of late: made once, bounded, and compressed as whoever asks can read it."""

from __future__ import annotations

import asyncio
import gzip

import pytest
import zstandard
from starlette.requests import Request

from service.web.positions.sending import send
from service.web.positions.shared import SHORT, Body, Shared


async def test_those_who_ask_at_once_share_the_work() -> None:
    made = list[int]()
    shared = Shared(most=4000)

    async def make(n: int) -> Body:
        made.append(n)
        await asyncio.sleep(0.01)
        if n == 3:
            raise LookupError(n)
        return Body.of(b"%d" % n, "text/plain")

    asking = [asyncio.create_task(shared.get(1, lambda: make(1))) for _ in range(9)]
    await asyncio.sleep(0)
    asking[0].cancel()  # whoever gives up takes nothing from the others
    found = await asyncio.gather(*asking, return_exceptions=True)
    assert sum(isinstance(one, Body) for one in found) == 8
    for _ in range(2):
        failed = [shared.get(3, lambda: make(3)) for _ in range(3)]
        seen = await asyncio.gather(*failed, return_exceptions=True)
        assert [type(one) for one in seen] == [LookupError] * 3
    for _ in range(2):
        await shared.get(2, lambda: make(2), keep=False)
    assert made == [1, 3, 3, 2, 2]
    for n in range(10, 30):
        await shared.get(n, lambda n=n: make(n))  # type: ignore[misc]
    assert shared.size <= 4000
    assert len(shared) == 4000 // Body.of(b"10", "text/plain").size
    await shared.get(29, lambda: make(29))
    await shared.get(1, lambda: make(1))
    assert made[-2:] == [29, 1]


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("", ""), ("identity", ""), ("gzip", "gzip"), ("gzip, deflate, br, zstd", "zstd"),
        ("GZIP;q=0.5", "gzip"), ("zstd;q=0, gzip", "gzip"), ("zstd; q=0.000,gzip;q=0.0", ""),
        ("br", ""), ("*", ""), ("gzip;x", "gzip"),
    ],
)  # fmt: skip
def test_what_can_be_read_is_sent(accepted: str, coding: str) -> None:
    data = b"position " * SHORT
    body = Body.of(data, "text/html")
    scope = {
        "type": "http", "method": "GET", "path": "/", "query_string": b"",
        "headers": [(b"accept-encoding", accepted.encode())],
    }  # fmt: skip
    answer = send(Request(scope), body, "no-cache", shared=True)
    unpack = {"": bytes, "gzip": gzip.decompress, "zstd": zstandard.decompress}[coding]
    assert answer.headers.get("content-encoding", "") == coding
    assert unpack(bytes(answer.body)) == data
    assert answer.headers["etag"].endswith(f'-{coding}"' if coding else f'{body.tag}"')
