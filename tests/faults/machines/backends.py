"""PostgreSQL and NATS as what can be killed, paused and started again, one process or all."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from random import Random

import psutil

from tests.support import nats, postgres

#: How long PostgreSQL may take to recover, in seconds.
PATIENCE = 60.0


class Program:
    """Something that runs in processes."""

    @property
    def pids(self) -> Iterable[int]:
        """Its processes."""
        raise NotImplementedError

    def pause(self) -> None:
        """Let it stand still, in the middle of whatever it does."""
        self.signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        self.signal(signal.SIGCONT)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to all of it."""
        for pid in self.pids:
            with suppress(ProcessLookupError):
                os.kill(pid, number)


class Nats(nats.Nats):
    """A NATS server that has been started; it keeps nothing."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.start()


class Postgres(Program, postgres.Server):
    """A PostgreSQL of its own, with an empty database."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o755)
        for parent in folder.parents:  # those of pytest are closed to whoever runs it for root
            with suppress(PermissionError):
                parent.chmod(parent.stat().st_mode | 0o011)
        super().__init__(folder / "data")
        self._database = self.database(empty=True)

    def at(self, port: int = 0, host: str = "127.0.0.1") -> str:
        """The address of its database, at another port if there is a link."""
        return self._database.replace(f"127.0.0.1:{self.port}", f"{host}:{port or self.port}")

    @property
    def pids(self) -> Iterable[int]:
        with suppress(psutil.NoSuchProcess):
            found = psutil.Process(self.process.pid)
            return [found.pid, *(child.pid for child in found.children(recursive=True))]
        return []

    def kill(self) -> None:
        """End all its processes without warning."""
        self.signal(signal.SIGKILL)
        self.process.wait()

    def start(self) -> None:
        """Start it, and have it recover; processes that were killed may hold it up for a while."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                super().start()
                return
            except RuntimeError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.2)

    def kill_one(self, rng: Random) -> None:
        """Kill a process that serves a connection: PostgreSQL ends all others, and recovers."""
        if backends := self._backends():
            rng.choice(backends).kill()

    def end_one(self, rng: Random) -> None:
        """End one connection."""
        if backends := self._backends():
            rng.choice(backends).terminate()

    def _backends(self) -> list[psutil.Process]:
        with suppress(psutil.NoSuchProcess):
            found = psutil.Process(self.process.pid).children()
            return [one for one in found if "127.0.0.1(" in " ".join(one.cmdline())]
        return []
