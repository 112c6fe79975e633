"""News through PostgreSQL: NOTIFY and LISTEN, without NATS.

Every server hears of everything, so this is for a few servers. A NOTIFY takes a lock that all of
the database share until it is committed; so it has a transaction and a connection of its own, which
does not wait for the disk, and says many things at once (`pause`). One connection listens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import psycopg

#: The channel, and the longest notification (PostgreSQL takes 7,999 bytes).
CHANNEL, LONGEST = "kifu_news", 7900
_OPTIONS: dict[str, Any] = {
    "connect_timeout": 3,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
    "application_name": "kifu news",
}


class Listen:
    """A `relay.Link` to PostgreSQL."""

    pause = 0.005

    def __init__(self, url: str) -> None:
        """`url`: of the database that the servers share; raises `ValueError`."""
        try:
            known = psycopg.conninfo.conninfo_to_dict(url)
        except psycopg.Error as error:
            raise ValueError(f"no address of PostgreSQL: {error}") from error
        self._url = url
        self.where = f"{known.get('host') or 'PostgreSQL'}/{known.get('dbname') or ''}"
        self._listening: psycopg.AsyncConnection[Any] | None = None
        self._saying: psycopg.AsyncConnection[Any] | None = None
        self._received: Callable[[str, bytes], None]

    async def open(self, received: Callable[[str, bytes], None], lost: Callable[[], None]) -> None:
        """Connect twice, and listen."""
        self._received = received
        self._listening = await self._connection()
        await self._listening.execute(f"LISTEN {CHANNEL}")
        self._saying = await self._connection()
        await self._saying.execute("SET synchronous_commit TO off")

    async def _connection(self) -> psycopg.AsyncConnection[Any]:
        return await psycopg.AsyncConnection.connect(self._url, autocommit=True, **_OPTIONS)

    async def gone(self) -> None:
        """Receive notifications until the connection is lost."""
        assert self._listening is not None
        async for notice in self._listening.notifies():
            for name, data in _parts(notice.payload):
                self._received(name, data)

    async def send(self, messages: Sequence[tuple[str, bytes]]) -> None:
        """Say something of topics, all in one transaction."""
        assert self._saying is not None
        sql = f"SELECT pg_notify('{CHANNEL}', said) FROM unnest(%s::text[]) said"
        if messages:
            await self._saying.execute(sql, [[*_payloads(messages)]])

    async def follow(self, topics: Sequence[str]) -> None:
        """Everything comes anyway."""

    async def leave(self, topics: Sequence[str]) -> None:
        """It comes all the same."""

    async def close(self) -> None:
        """Close both connections."""
        for one in (self._listening, self._saying):
            if one is not None:
                await one.close()
        self._listening = self._saying = None


def _payloads(messages: Sequence[tuple[str, bytes]]) -> Iterator[str]:
    """The notifications for several topics: `TOPIC SERVER SEQ;…`, as few texts as possible."""
    text = ""
    for name, data in messages:
        more = f"{name} {data.decode()}"
        if text and len(text) + 1 + len(more) > LONGEST:
            yield text
            text = ""
        text = f"{text};{more}" if text else more
    yield text


def _parts(payload: str) -> Iterator[tuple[str, bytes]]:
    for part in payload.split(";"):
        name, _, data = part.partition(" ")
        yield name, data.encode()
