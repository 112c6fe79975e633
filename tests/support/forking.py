"""Processes of tests that are forked from one that has imported what they run: see `preloaded`.

To import the service takes a new interpreter longer than most tests of a server take. So each
worker keeps one process that has done it and runs nothing (the fork server of `multiprocessing`).
What is forked from it shares nothing with its siblings but the seed of hashes.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TextIO

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.support.preloaded"])


class Forked:
    """A process that runs a function; what is used here of `subprocess.Popen` with two pipes."""

    def __init__(
        self, main: Callable[[], object], arguments: Sequence[str], errors: Path | None = None
    ) -> None:
        """Call `main` with these behind `sys.argv[0]`; what it writes to stderr goes to a file."""
        out, theirs_out = _CONTEXT.Pipe(duplex=False)
        theirs_in, into = _CONTEXT.Pipe(duplex=False)
        given = (main, [*arguments], dict(os.environ), os.getcwd(), theirs_in, theirs_out, errors)
        self._process = _CONTEXT.Process(target=_run, args=given, daemon=True)
        self._process.start()
        for end in (theirs_in, theirs_out):
            end.close()
        self.stdin, self.stdout = _file(into, "w"), _file(out, "r")
        assert self._process.pid is not None
        self.pid = self._process.pid

    def __enter__(self) -> Forked:
        return self

    def __exit__(self, *_: object) -> None:
        self.stdin.close()
        self.stdout.close()
        self.wait()

    def poll(self) -> int | None:
        """Its exit code, if it has ended: minus the signal that ended it."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code once it has ended; raises `TimeoutExpired` after so many seconds."""
        self._process.join(timeout)
        code = self._process.exitcode
        if code is None:
            raise subprocess.TimeoutExpired(str(self._process), timeout or 0.0)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


def _file(end: Connection, mode: str) -> TextIO:
    """A pipe as a file of text, which goes on without the connection."""
    found = os.fdopen(os.dup(end.fileno()), mode)
    end.close()
    return found  # type: ignore[return-value]


def _run(
    main: Callable[[], object],
    arguments: list[str],
    environment: dict[str, str],
    folder: str,
    stdin: Connection,
    stdout: Connection,
    errors: Path | None,
) -> None:
    """In the new process: be as one that was started with these."""
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(stdin.fileno(), 0)
    os.dup2(stdout.fileno(), 1)
    if errors is not None:
        os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
    for end in (stdin, stdout):
        end.close()
    sys.stdin, sys.stdout, sys.argv = os.fdopen(0), os.fdopen(1, "w"), [sys.argv[0], *arguments]
    main()
