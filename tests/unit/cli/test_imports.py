"""What a command loads: nothing of the server, the store or the games that it does not need.

Not a timed test: the modules that took half a second and 30 MB of every command are named.
"""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import starmap
from pathlib import Path

import pytest

import domain
from tests.support.marks import each

LIBRARIES = {
    "asyncio", "cryptography", "eventsourcing", "grpc", "grpc_health", "grpc_reflection", "jwt",
    "kifu", "prometheus_client", "sqlite3", "textual", "uvloop",
}  # fmt: skip
SERVER = {"service.server", "service.api", "service.live", "service.store.records"}
GAMES = {"domain.games", "domain.text.transcript", "domain.text.scenario"}
#: What a game is made of, besides its rule index.
RULEBOOKS = {"domain.effects", "domain.games.gundam", "domain.games.kit", "domain.text"}
#: The same for cards, whose index lies beside it.
CARDS = (RULEBOOKS - {"domain.text"}) | {"domain.telling", "domain.text.names"}
#: All of the domain but the phrases that help is written in.
DOMAIN = {
    f"domain.{part.stem}"
    for part in Path(domain.__path__[0]).iterdir()
    if part.suffix in {"", ".py"} and part.stem not in {"words", "__init__", "__pycache__"}
}
#: What draws and decodes: a third of what a lookup may take.
DRAWING = {"rich.console", "msgspec", "hashlib", "importlib.resources", "tomllib"}
#: What plays games: a client asks for that to be done.
ENGINE = {"domain.engine.rulebook", "domain.engine.table", "domain.effects.interpreter"}
#: What a client needs, and no other command.
CLIENT = {"asyncio", "grpc", "grpc_health", "grpc_reflection", "kifu"}

RUN = """
import sys
from replay_cli.main import kifu
try:
    kifu(sys.argv[1:])
finally:
    print(*sys.modules, file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("command", "unneeded"),
    each(
        3,
        starmap(
            pytest.param,
            [
                ("--help", LIBRARIES | SERVER | DOMAIN | {"rich", "service"}),
                ("--version", LIBRARIES | SERVER | DOMAIN | {"rich", "service"}),
                ("nonsense", LIBRARIES | SERVER | DOMAIN | {"rich", "service"}),
                ("rules 7-6-2", LIBRARIES | SERVER | ENGINE | RULEBOOKS | DRAWING),
                ("cards ST01-004", LIBRARIES | SERVER | ENGINE | CARDS | DRAWING),
                ("cards unit blue --deck ST01", LIBRARIES | SERVER | ENGINE | CARDS | DRAWING),
                ("list --help", LIBRARIES | SERVER | GAMES | ENGINE),
                ("tokens list --help", LIBRARIES | SERVER | GAMES),
                ("codes --help", LIBRARIES | SERVER | GAMES),
                ("event --help", LIBRARIES | SERVER | DOMAIN | {"rich", "service"}),
                ("event list --help", LIBRARIES | SERVER | GAMES),
                (
                    "completion bash",
                    LIBRARIES | SERVER | DOMAIN | {"rich", "service"},
                ),
                ("show --help", (LIBRARIES | SERVER | GAMES) - {"kifu"}),
                (
                    "list --server 127.0.0.1:1 --token t",
                    (LIBRARIES | SERVER | GAMES | ENGINE) - CLIENT,
                ),
                ("show --server 127.0.0.1:1 --token t", (LIBRARIES | SERVER | GAMES) - CLIENT),
            ],
        ),
    ),
)
def test_a_command_loads_what_it_needs(command: str, unneeded: set[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUN, *command.split()], capture_output=True, text=True, timeout=60,
        env={**os.environ},  # without the COLUMNS that readline sets past it
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    loaded = done.stderr.splitlines()[-1].split()
    assert "replay_cli.main" in loaded
    too_many = {n for n in unneeded if any(m == n or m.startswith(f"{n}.") for m in loaded)}
    assert not too_many
