"""Runs a server in a child process on a loopback port while a command needs one.

`commands.demo` plays on one; `--data FILE` reads a file through one if no server is running on it.
The child ends with the command that started it, however that ends. A running `kifu serve` writes
its address beside its file (`service.store.sqlite.lock`), where other commands find it; while it is
starting, they wait for that. Run as a module, this is the child.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from msgspec import Struct

from domain.words.phrases import phrase
from replay_cli.output import MISSING, Failed
from service.store.sqlite.lock import TRY, Holder, holder, starting

if TYPE_CHECKING:
    from service.settings import Serving

#: How long a command that adds something waits for others to end, and any for a server that is
#: starting, in seconds.
PATIENT, STARTING = 5.0, 30.0


class Hosted(Struct, frozen=True):
    """Where the server answers, and the organiser's token; where its pages are, if it has any.

    `entrance`: where the organiser's browser is let in, once.
    """

    address: str
    token: str
    web: str = ""
    entrance: str = ""


@contextmanager
def reached(data: Path, *, adds: bool) -> Iterator[Hosted]:
    """The server that runs on `data`, or one for as long as it is needed (`hosted`).

    The token of a running one is not printed.
    """
    with ExitStack() as stack:
        address = running(data)
        found = Hosted(address, "")
        if not address:
            from service.store.errors import StoreError

            try:
                found = stack.enter_context(hosted(data, adds=adds))
            except StoreError:
                address = running(data)  # it was quicker
                if not address:
                    raise
                found = Hosted(address, "")
        yield found


@contextmanager
def hosted(
    data: Path, *, adds: bool = True, web: bool = False, anew: bool = False
) -> Iterator[Hosted]:
    """A server on `data`; raises `StoreError`, `BadKey` or `CantServe` if there can be none.

    `adds`: something is to be added, so it waits for other commands to let the file go; else it is
    content to read, and makes no file beside the data. What is written then is who looked. `web`:
    it has pages for browsers, too. `anew`: a lost file is no reason not to begin another one.
    """
    with _begun([str(data), *_options(adds=adds, web=web, anew=anew)]) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        line = process.stdout.readline()
        status = json.loads(line) if line else {"wrong": "CantServe", "text": "it ended at once"}
        if "wrong" in status:
            raise _wrong()[status["wrong"]](status["text"])
        try:
            yield Hosted(**status)
        finally:
            process.stdin.close()  # which makes it stop
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()


def _begun(arguments: list[str]) -> subprocess.Popen[str]:
    """The child process, which gets its task and reports the result."""
    return subprocess.Popen(
        # -P: without the current folder, where anything may lie that is called like a module
        [sys.executable, "-P", "-m", __name__, *arguments],
        env=_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # an interrupt is for the command, which then ends the server
    )


def _options(**given: bool) -> list[str]:
    return [name for name, value in given.items() if value]


def _environment() -> dict[str, str]:
    """The environment of this process; an empty part of PYTHONPATH would be the current folder."""
    path = [part for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path)}


def main() -> None:
    """Serve the file that is named until standard input closes."""
    from service.server import serve
    from service.settings import Settings
    from service.telemetry import logs

    logs.to_stderr("WARNING", logs.Sentences())

    def ready(serving: Serving) -> None:
        _tell(
            address=serving.address,
            token=serving.token,
            web=serving.web,
            entrance=serving.entrance,
        )
        Thread(target=_stop_with_parent, daemon=True).start()  # which may be gone already

    try:
        data, adds, web = Path(sys.argv[1]), "adds" in sys.argv[2:], "web" in sys.argv[2:]
        patience = PATIENT if adds else TRY
        settings = Settings(
            data=data, port=0, grace=1.0, patience=patience,
            reading=not adds, keeps_keys=adds, anchored=adds, http_port=0 if web else None,
            anew="anew" in sys.argv[2:],
        )  # fmt: skip
        serve(settings, ready)
    except tuple(_wrong().values()) as error:
        _tell(wrong=type(error).__name__, text=str(error))


def _tell(**status: str) -> None:
    """Write a line to the command that waits for it; whether it still does shows elsewhere."""
    with suppress(BrokenPipeError):
        os.write(1, f"{json.dumps(status)}\n".encode())


def _wrong() -> dict[str, type[Exception]]:
    """The failures at a start, passed by name from one process to the other.

    The command itself need not load the server, but for this.
    """
    from service.identity import BadKey
    from service.settings import CantServe
    from service.store.errors import StoreError, Unwritable

    return {e.__name__: e for e in (StoreError, Unwritable, BadKey, CantServe)}


def _stop_with_parent() -> None:
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)


def running(data: Path) -> str:
    """The address of the server that runs on this file; empty if none does.

    One that is starting is waited for; raises `Failed` if it does not answer in time.
    """
    until = time.monotonic() + STARTING
    while starting(data):
        if time.monotonic() > until:
            raise Failed(
                phrase(
                    "{file}: {holder}; it has not answered for {n} seconds",
                    file=str(data), holder=str(holder(data)), n=round(STARTING),
                ), MISSING,
            )  # fmt: skip
        time.sleep(0.05)
    return _answering(holder(data))


def _answering(found: Holder | None) -> str:
    """The address of a file's owner; empty if it does not answer."""
    address = found.address if found is not None else ""
    try:
        host, _, port = address.rpartition(":")
        with socket.create_connection((host.strip("[]"), int(port)), timeout=0.5):
            return address
    except (OSError, ValueError):
        return ""


if __name__ == "__main__":
    main()
