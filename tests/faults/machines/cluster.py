"""Servers, PostgreSQL and NATS in processes, with a link between any two of them (`links`).

Each server reaches PostgreSQL and NATS by links of its own, and its clients reach it by one. What
is killed is started again on the same port; a server that can't start is started again until it
can, as a supervisor would. Without `postgres` there is one server, on an SQLite file.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, RLock, Thread
from typing import Any

from tests.faults.machines.backends import Nats, Postgres, Program
from tests.faults.machines.forging import Forger
from tests.faults.machines.links import Link, Links
from tests.faults.machines.namespaces import Namespace
from tests.support import serving
from tests.support.ports import free_port
from tests.support.serving import Running

#: How long a server may take to start, on a machine that is busy, in seconds.
PATIENCE = 60.0


class Server(Program):
    """A server that is kept running: it is started again whenever it ends."""

    def __init__(
        self, number: int, where: Any, settings: Mapping[str, Any], within: Namespace | None
    ) -> None:
        self.number, self._where = number, where
        self.host, self._prefix = "127.0.0.1", list[str]()
        if within is not None:
            self.host, self._prefix = within.address, within.prefix
        self.settings = {"port": free_port(), "host": self.host, **settings}
        self.running: Running | None = None
        self.up = Event()
        self.starts, self.failed, self.ended = 0, 0, 0  # started; could not; ended by itself
        self.wanted = True
        self._lock = RLock()
        self._thread = Thread(target=self._keep, name=f"server {number}", daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self.settings["port"])

    @property
    def pids(self) -> list[int]:
        """Its process, while it runs."""
        running = self.running
        return [running.process.pid] if running is not None and self.up.is_set() else []

    def kill(self, **settings: Any) -> None:
        """End it without warning; it is started again, with these settings."""
        with self._lock:
            self.settings.update(settings)
            self.up.clear()
            if self.running is not None:
                self.running.kill()

    def leave(self) -> None:
        """Ask it to stop; it is started again."""
        with self._lock:
            self.up.clear()
            if self.running is not None:
                self.running.process.terminate()

    def stop(self) -> None:
        """End it for good, politely."""
        self.wanted = False
        running = self.running
        if running is not None and running.process.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                running.stop()
            running.kill()
        self._thread.join(PATIENCE)

    def _keep(self) -> None:
        while self.wanted:
            try:
                running = serving.start(self._where, self._prefix, forked=False, **self.settings)
            except RuntimeError:
                self.failed += 1
                time.sleep(0.3)
                continue
            with self._lock:  # else one that is ended just now is taken for up
                self.running, self.starts = running, self.starts + 1
                self.up.set()
            running.process.wait()
            self.ended += self.up.is_set() and self.wanted
            self.up.clear()


class Cluster:
    """One PostgreSQL, one NATS and servers that are reached by links."""

    def __init__(
        self, folder: Path, servers: int, settings: Mapping[str, Any], apart: bool = False
    ) -> None:
        self.folder, self.links = folder, Links()
        self.postgres: Postgres | None = None
        self.nats: Nats | None = None
        self.forger: Forger | None = None
        self.of: dict[str, list[Link]] = {"clients": [], "store": [], "news": []}
        self.servers: list[Server] = []
        self.namespaces = [Namespace(n) for n in range(servers)] if apart else []
        self.store: Any = folder / "matches.kifu"
        if servers > 1:
            self.postgres, self.nats = Postgres(folder / "postgres"), Nats(folder)
            self.store, self.forger = self.postgres.at(), Forger(self.nats.port)
        for number in range(servers):
            within = self.namespaces[number] if apart else None
            more = dict(settings)
            if self.postgres is not None and self.nats is not None:
                at = within.outside if within else "127.0.0.1"
                more["store"], more["news"] = self._reached(at)
            server = Server(number, folder / "matches.kifu", more, within)
            if not server.up.wait(PATIENCE):  # the first one makes the key of all
                raise RuntimeError(f"server {number} does not come up")
            self.servers.append(server)
            self.of["clients"].append(self.links.to(server.port, server.host))

    def _reached(self, at: str) -> tuple[str, str]:
        """Where one more server finds PostgreSQL and NATS: by links of its own."""
        assert self.postgres is not None
        assert self.nats is not None
        store = self.links.to(self.postgres.port, at=at)
        news = self.links.to(self.nats.port, at=at)
        self.of["store"].append(store)
        self.of["news"].append(news)
        return self.postgres.at(store.port, at), f"nats://{at}:{news.port}"

    def wait(self) -> None:
        """Wait until every server answers."""
        for server in self.servers:
            if not server.up.wait(PATIENCE):
                raise RuntimeError(f"server {server.number} does not come up")

    @property
    def token(self) -> str:
        """The organiser's token."""
        running = self.servers[0].running
        assert running is not None
        return running.token

    def addresses(self) -> list[str]:
        """Where clients reach the servers."""
        return [f"127.0.0.1:{link.port}" for link in self.of["clients"]]

    def heal(self) -> None:
        """Let all links forward and all processes run."""
        for links in self.of.values():
            for link in links:
                link.heal()
        for namespace in self.namespaces:
            namespace.plug()
        for program in (*self.servers, self.postgres, self.nats):
            if program is not None:
                program.resume()

    def close(self) -> None:
        """End everything."""
        self.heal()
        for server in self.servers:
            server.stop()
        if self.forger is not None:
            self.forger.close()
        for program in (self.nats, self.postgres):
            if program is not None:
                program.kill()
        self.links.close()
        for namespace in self.namespaces:
            namespace.close()


@contextmanager
def cluster(folder: Path, servers: int, apart: bool, **settings: Any) -> Iterator[Cluster]:
    """A cluster for as long as it is used; `settings` are those of every server.

    `apart`: each server is in a network namespace of its own.
    """
    found = Cluster(folder, servers, settings, apart)
    try:
        yield found
    finally:
        found.close()
