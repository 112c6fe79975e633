"""What the tests of the command line share: played records, and the program in this process."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from click.testing import CliRunner, Result

from domain.games import rulebook
from domain.record.entries import Entry
from domain.telling.book import Book
from replay_cli.__main__ import main
from replay_cli.main import kifu
from replay_cli.playing.playout import play
from replay_cli.reaching import hosting
from tests.support.forking import Forked

RULES = rulebook("gundam")
BOOK = Book.of(RULES)


@cache
def log(seed: int, decks: tuple[str, str] = ("ST01", "ST03"), best_of: int = 1) -> list[Entry]:
    """A whole match of bots."""
    return play(RULES, decks, seed, best_of=best_of)


def run(*args: object, code: int = 0, stdin: str = "") -> Result:
    """Run `kifu` with these arguments; it must end with this exit code.

    With something typed it is as if somebody sat at a terminal.
    """
    with patch("replay_cli.reaching.asking.can_be_asked", lambda: bool(stdin)), forked_servers():
        result = CliRunner().invoke(kifu, [str(arg) for arg in args], input=stdin or None)
    assert result.exit_code == code, f"{args}: {result.exit_code}\n{result.output}"
    return result


def forked_servers() -> Any:
    """Meanwhile commands fork the servers of files that nobody serves; `test_process` does not."""
    return patch.object(hosting, "_begun", lambda arguments: Forked(hosting.main, arguments))


def begun(*args: object, cwd: Path) -> Forked:
    """`kifu` with these arguments, in a folder, as a process that is forked."""
    with chdir(cwd):
        return Forked(main, [*map(str, args)])


@contextmanager
def serving(*args: object, cwd: Path) -> Iterator[dict[str, str]]:
    """While `kifu serve` runs with these arguments: what it answers with `--json`."""
    process = begun("serve", *args, "--json", "--log-level", "error", cwd=cwd)
    ready = ""
    while not ready.rstrip().endswith("}"):
        line = process.stdout.readline()
        assert line, f"it ended: {process.wait(20)}"
        ready += line
    try:
        yield json.loads(ready)
    finally:
        process.send_signal(signal.SIGTERM)
        code = process.wait(20)
    assert code == 0


def answer(*args: object) -> Any:
    """What `kifu … --json` answers."""
    return json.loads(run(*args, "--json").stdout)


def on_terminal(args: list[str], keys: bytes, until: bytes, cwd: Path | None = None) -> int:
    """Run a program on a terminal, press keys once it shows something; its exit code."""
    import fcntl
    import pty
    import termios

    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 45, 110, 0, 0))
    env = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
    process = subprocess.Popen(
        args, stdin=follower, stdout=follower, stderr=follower, cwd=cwd,
        env={**env, "TERM": "xterm"},
    )  # fmt: skip
    os.close(follower)
    seen, pressed, end = b"", 0.0, time.monotonic() + 60
    while process.poll() is None and time.monotonic() < end:
        if select.select([leader], [], [], 0.2)[0]:
            try:
                seen += os.read(leader, 65536)
            except OSError:
                break  # the program has left the terminal
        shown = until in re.sub(rb"\x1b\[[0-9;?]*[a-zA-Z]", b"", seen)
        if shown and time.monotonic() - pressed > 2:
            os.write(leader, keys)
            pressed = time.monotonic()
    if process.poll() is None and not pressed:
        process.kill()
    os.close(leader)
    return process.wait(10)
