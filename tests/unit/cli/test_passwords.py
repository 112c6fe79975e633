"""No command repeats a password that was typed: wherever a file or an address may be, as it may be.

Each command is called with each of its parameters that take a file, an address or a match; what
else it needs is there.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner

from domain.words.phrases import phrase
from replay_cli.main import kifu
from replay_cli.output import Failed, FilePath
from replay_cli.reaching.connection import Access
from service.store.records import Records
from service.telemetry.logs import JsonLines, Sentences
from service.telemetry.passwords import concealed, is_secret

SECRET = "hunter2"
#: Addresses as they are, and as people mistype them. Nothing listens there.
TYPED = (
    f"postgresql://u:{SECRET}@127.0.0.1:1/db",
    f"postgres://u:{SECRET}@",
    f"postgresql:/u:{SECRET}@h",
    f"postgresql:u:{SECRET}@h",
    f"postgresql://u:{SECRET}@h:port/db",
    f"postgresql://u:a/{SECRET}@127.0.0.1:1/db",
    f"postgresql://u:%zz{SECRET}@127.0.0.1:1/db",
    f"postgresql://127.0.0.1:1/db?user=u&password={SECRET}",
    f"host=127.0.0.1 port=1 password={SECRET}",
    f"host=127.0.0.1 port=1 password = 'a b{SECRET}'",
    f"postgresql://u:{''.join(f'%{ord(c):02X}' for c in SECRET)}@127.0.0.1:1/db",
    f"nats://u:{SECRET}@127.0.0.1:1",
    f"nats:/u:{SECRET}@h",
    f"nats://{SECRET}@127.0.0.1:1",
)
#: Parameters that take no file and may be an address, or a match, which may be a file.
NAMED = {"match", "where", "source", "target", "url", "server", "store", "stores", "news", "pages",
         "addresses", "token", "reader", "file", "files", "data"}  # fmt: skip
#: What keeps commands from doing what they are for: the database of a server that is not there.
WITHOUT = {"serve": ("--store", "postgresql://u@127.0.0.1:1/x")}


class Place(NamedTuple):
    """A parameter of a command, and what leads to it."""

    path: tuple[str, ...]
    command: click.Command
    parameter: click.Parameter


def places(command: click.Command = kifu, path: tuple[str, ...] = ()) -> Iterator[Place]:
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from places(found, (*path, name))
        return
    for parameter in command.params:
        if isinstance(parameter.type, click.Path) or (
            parameter.name in NAMED and isinstance(parameter.type, click.types.StringParamType)
        ):
            yield Place(path, command, parameter)


PLACES = [*places()]


def alike(place: Place) -> tuple[object, ...]:
    """What tells a parameter from others; many commands share those of where matches are."""
    one = place.parameter
    alone = place.path if one.callback is None and isinstance(one, click.Argument) else ()
    return (*alone, one.name, *one.opts, getattr(one, "help", ""), type(one.type))


def words(place: Place, typed: str, store: str) -> list[str]:
    """The command with what was typed in its place, and with what else it must have."""
    found, before = [*place.path], list[str]()
    for one in place.command.params:
        if one is place.parameter:
            value = [typed]
        elif one.required:
            value = ["1" if isinstance(one.type, click.types.IntParamType) else store]
            if isinstance(one.type, click.Choice):
                value = [str(one.type.choices[0])]
        else:
            continue
        if isinstance(one, click.Option):
            before += [one.opts[0], *value]
        else:
            found += value
    taken = WITHOUT.get(place.path[-1], ())
    more = taken if not taken or place.parameter.opts[0] != taken[0] else ()
    return [*found, *before, *more]


def test_no_command_repeats_a_password(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    def opened(access: Access, **_: object) -> Access:
        raise Failed(phrase("there is no match {typed}", typed=typed))  # as a server says

    monkeypatch.setattr(Access, "open", opened)
    monkeypatch.chdir(tmp_path)
    Records(tmp_path / "m.kifu").close()
    runner, all_typed = CliRunner(), cycle(TYPED)
    for place in {alike(one): one for one in PLACES}.values():
        plain = type(place.parameter.type) is FilePath
        for typed in islice(all_typed, 3 if plain else len(TYPED)):
            found = runner.invoke(kifu, words(place, typed, "m.kifu"))
            where = (place.path, place.parameter.name, typed)
            assert SECRET not in found.output, (where, found.output)
            assert found.exception is None or isinstance(found.exception, SystemExit), where
            assert found.exit_code != 0, (where, found.output)
    assert not [one for one in tmp_path.iterdir() if is_secret(one.name)]


def test_nor_one_that_is_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "address"
    for typed in TYPED:
        file.write_text(typed)
        for command in (
            ("doctor", "--store"),
            ("store", "migrate"),
            ("store", "check"),
            ("audit",),
            ("serve", "--store"),
        ):
            found = CliRunner().invoke(kifu, [*command, f"@{file}"])
            assert SECRET not in found.output, (command, typed, found.output)
            assert found.exit_code != 0


def test_all_files_are_typed_as_such() -> None:
    files = [one for one in PLACES if isinstance(one.parameter.type, click.Path)]
    assert len(files) > 100
    assert all(isinstance(one.parameter.type, FilePath) for one in files)


@pytest.mark.parametrize("typed", TYPED)
def test_nor_does_a_log_or_a_traceback(typed: str) -> None:
    assert is_secret(typed)
    assert SECRET not in concealed(f"ValueError: {typed!r} is wrong")
    try:
        raise ValueError(typed)
    except ValueError as error:
        record = logging.LogRecord("kifu", 30, "", 1, f"at {typed}", None, None)
        record.exc_info = (ValueError, error, error.__traceback__)
        record.__dict__["with_"] = {"where": typed, "what": Path(typed)}
    line = JsonLines().format(record)
    json.loads(line)
    assert SECRET not in line
    assert SECRET not in Sentences().format(record)
    record.__dict__["with_"]["incident"] = "aa"
    trace = Sentences().format(record)
    assert "Traceback" in trace, "only what nobody foresaw has one"
    assert SECRET not in trace


@pytest.mark.parametrize(
    "text",
    [
        "name one with --server HOST:PORT --token @FILE",
        "match m1 at 12:30, by judge@example.org",
        "C:\\files\\a@b.kifu",
        "the password is wrong",
    ],
)
def test_what_has_none_stays(text: str) -> None:
    assert concealed(text) == text
    assert not is_secret(text)
