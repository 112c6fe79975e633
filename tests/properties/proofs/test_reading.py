"""Commands that only read write nothing: not a byte of the file, after any manipulation of it.

What is hidden is not read without a trace: then a line of the log of access is all that is new.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import click
import pytest
from click.testing import CliRunner

from replay_cli.main import kifu
from service.client.client import CallError, Client
from service.store.records import Records
from service.store.schema import KEPT
from service.store.sqlite.file import sidecars
from tests.support import serving
from tests.support.marks import only
from tests.support.serving import open_toy, play, seats_of
from tests.unit.cli.clis import forked_servers, run

PUBLIC = "--as public"
#: Commands that only read, as they are typed; `FILE` and `MATCH` stand for those of the test.
READING = {
    "tokens list": "", "codes list": "", "list": "", "event list": "", "verify": "",
    "show": PUBLIC, "decisions": PUBLIC, "watch": PUBLIC, "why": f"{PUBLIC} MATCH 30",
    "why-not": f"{PUBLIC} MATCH pass --decision 5",
    "dispute": f"{PUBLIC} MATCH --decision 5 -o page.html", "diff": f"{PUBLIC} MATCH 3 9",
    "export": f"{PUBLIC} -o out.kifu-proof", "audit access": "", "audit checkpoint": "",
    "audit inclusion": "", "audit tiles": "-o log", "audit key": "",
}  # fmt: skip
#: The same, of those that are given a file of matches themselves.
OF_A_FILE = (
    "stats FILE --as official",
    "audit file FILE",
    "store check FILE",
    "verify FILE",
    "verify --offline -d FILE",
)
#: Those that read hidden hands: that is written down.
LOOKING = ("show", "decisions", "watch", "export -o own.jsonl")
#: Groups of commands, and commands, that are there to write, or read what an event
#: has; one that needs a terminal, and one that looks as `show` does, and takes a minute.
OTHERS = {
    "analyse", "call", "demo", "desk", "event", "import", "join", "open", "play", "record", "serve",
    "auto-pass", "time", "tokens issue", "tokens revoke", "codes issue", "codes revoke",
    "audit key rotate",
    "store", "audit file", "replay", "stats",
}  # fmt: skip


def _leaves(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    if command.invoke_without_command and path:
        yield path, command
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        yield from _leaves(found, f"{path} {name}".strip())


def test_every_command_that_reaches_matches_is_one_or_the_other() -> None:
    for name, command in _leaves(kifu, ""):
        if {"server", "where", "data"} & {option.name for option in command.params}:
            assert name in READING or {name, name.split(" ")[0]} & OTHERS, name


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("read") / "matches.kifu"
    run("demo", "--seed", 7, "-d", path)
    return path


def _whole(file: sqlite3.Connection) -> None: ...


def _cut(file: sqlite3.Connection) -> None:
    file.execute(
        "DELETE FROM stored_events WHERE originator_version="
        "(SELECT max(originator_version) FROM stored_events)"
    )
    file.execute("DELETE FROM chains")


def _without_what_is_derived(file: sqlite3.Connection) -> None:
    file.execute("DELETE FROM snapshots")
    file.execute("UPDATE matches SET id=id")


@pytest.fixture(params=only([_without_what_is_derived], [_whole, _cut, _without_what_is_derived]))
def file(
    request: pytest.FixtureRequest, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A file that nobody has open, whole or not."""
    path = tmp_path / played.name
    for aside in played.parent.glob(f"{played.name}*"):
        shutil.copy(aside, tmp_path)
    change: Callable[[sqlite3.Connection], None] = request.param
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        change(connection)
    monkeypatch.chdir(tmp_path)
    return path


def _typed(command: str, path: Path, match: str) -> int:
    words = command.replace("FILE", str(path)).replace("MATCH", match).split()
    if "FILE" not in command:
        words += ["-d", str(path)]
    with forked_servers():
        return CliRunner().invoke(kifu, words).exit_code


def test_what_only_reads_changes_no_byte(file: Path) -> None:
    with closing(Records(file, reading=True)) as records:
        (match,) = records.ids()
    before = file.read_bytes()
    codes = {}
    for name, options in READING.items():
        codes[name] = _typed(f"{name} {options}", file, match)
        assert file.read_bytes() == before, name
    for command in OF_A_FILE:
        codes[command] = _typed(command, file, match)
        assert file.read_bytes() == before, command
    assert 2 not in codes.values(), codes  # each was understood
    assert not any(one.exists() and one.stat().st_size for one in sidecars(file)[:1])


def test_what_reads_what_is_hidden_leaves_a_line_and_nothing_else(file: Path) -> None:
    with closing(Records(file, reading=True)) as records:
        (match,) = records.ids()
    before = _kept(file)
    for command in LOOKING:
        lines = _count(file)
        _typed(command, file, match)
        assert _kept(file) == before, command
        assert _count(file) > lines, command


def _kept(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(path)) as file:
        found = file.execute("SELECT name FROM sqlite_master WHERE type='table'")
        tables = [row[0] for row in found]
        assert {table.name for table in KEPT} <= {*tables}
        return {name: file.execute(f"SELECT * FROM {name}").fetchall()
                for name in tables if name != "access"}  # fmt: skip


def _count(path: Path) -> int:
    with closing(sqlite3.connect(path)) as file:
        return int(file.execute("SELECT count(*) FROM access").fetchone()[0])


# -- a server --------------------------------------------------------------------------------------

#: What is asked of a server that only reads; the public asks.
ASKED: dict[str, Callable[[Client, str], object]] = {
    "match": lambda client, match: client.match(match),
    "matches": lambda client, _: list(client.list_matches()),
    "position": lambda client, match: client.position(match),
    "decisions": lambda client, match: list(client.decisions(match)),
    "events": lambda client, match: list(client.events(match)),
    "stream": lambda client, match: next(iter(client.watch(match))),
    "verify": lambda client, match: client.verify(match),
    "proof": lambda client, match: client.proof(match),
    "head": lambda client, match: client.head(match),
    "checkpoint": lambda client, _: client.checkpoint(),
    "inclusion": lambda client, match: client.inclusion(match),
    "keys": lambda client, _: client.log_keys(),
}


@pytest.mark.parametrize("how", [_whole, _cut])
def test_what_a_server_is_asked_changes_nothing_that_is_kept(
    tmp_path: Path, how: Callable[[sqlite3.Connection], None]
) -> None:
    data = tmp_path / "matches.kifu"
    with serving.running(data) as running, running.client() as organiser:
        opened = open_toy(organiser)
        most = 4 if how is _whole else 1000  # one that is over is repacked, unless it is broken
        play(seats_of(organiser, opened), opened, Random(1), most)
    with closing(sqlite3.connect(data, isolation_level=None)) as file:
        how(file)
    before = _of_tables(data)
    with serving.running(data) as running, running.client() as organiser:
        public = organiser.with_token(opened.public)
        for ask in ASKED.values():
            with suppress(CallError):  # what is broken is not proven
                ask(public, opened.id)
    assert _of_tables(data) == before


def _of_tables(path: Path) -> dict[str, list[tuple[object, ...]]]:
    names = {table.name for table in KEPT}
    return {name: rows for name, rows in _kept(path).items() if name in names}
