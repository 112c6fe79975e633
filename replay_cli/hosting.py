"""The real server inside this process, on a loopback port, for as long as a command needs one.

`demo` plays on one, and `--data FILE` reads a file through one where no server is running on it. A
`kifu serve` leaves its address beside its file, so that others on this machine find it; keys and
tokens there are `service.server`'s.
"""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from service.server import Server, Serving, Settings


@contextmanager
def hosted(data: Path) -> Iterator[Serving]:
    """A server on `data` in a thread of its own, on a free loopback port."""
    found: list[Serving] = []
    wrong: list[BaseException] = []
    ready = threading.Event()
    loop = asyncio.new_event_loop()
    over = asyncio.Event()

    async def run() -> None:
        server = Server(Settings(data=data, port=0, grace=1.0))
        found.append(await server.start())
        ready.set()
        await over.wait()
        await server.stop()

    def target() -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: loop) as runner:
                runner.run(run())
        except BaseException as error:
            wrong.append(error)
        finally:
            ready.set()

    thread = threading.Thread(target=target, name="kifu-server", daemon=True)
    thread.start()
    ready.wait()
    if wrong:
        raise wrong[0]
    try:
        yield found[0]
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(timeout=10)


def address_file(data: Path) -> Path:
    """Where a running server of this file leaves its address."""
    return data.with_name(data.name + "-address")


def announce(serving: Serving) -> None:
    """Leave the address of a server beside its data."""
    path = address_file(serving.settings.data)
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(serving.address + "\n")


def running(data: Path) -> str:
    """The address of the server that runs on this file; empty if none does."""
    path = address_file(data)
    try:
        address = path.read_text("utf-8").strip()
        host, _, port = address.rpartition(":")
        with socket.create_connection((host.strip("[]"), int(port)), timeout=0.5):
            return address
    except (OSError, ValueError):
        return ""
