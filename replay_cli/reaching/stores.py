"""Stores by their names, for commands that need no server: a file of matches, or a database.

As servers have it (`kifu serve --store`), the address of a database may be in a file: @FILE.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from domain.words.phrases import phrase
from replay_cli.output import MISSING, USAGE, Failed, FilePath
from replay_cli.reaching import places
from replay_cli.reaching.connection import DATA
from service.store.opening import is_address
from service.store.records import Records
from service.telemetry.passwords import is_secret

#: How long a command that writes waits for others to let a file go, in seconds.
PATIENCE = 5.0
#: The argument that names a store.
store_argument = click.argument("where")
#: The option that does.
store_option = click.option(
    "-d", "--data", "--store", "where", metavar="WHERE", default=str(DATA), show_default=True,
    envvar=["KIFU_STORE", "KIFU_DATA"],
    help="A file of matches, or postgresql://… (or @FILE with that).",
)  # fmt: skip


class FileOrStore(FilePath):
    """A file that is there, or the address of a database."""

    def __init__(self) -> None:
        super().__init__(exists=True, dir_okay=False)

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        found = _meant(str(value))
        return found if is_address(found) else super().convert(value, param, ctx)


def named(where: str) -> str:
    """The name of a store for people: an address without its password."""
    if not is_address(where := _meant(where)):
        return where
    from service.store.postgres.connections import Address

    return Address(where).name


def read(where: str) -> Records:
    """A store to be read; raises `StoreError`."""
    where = _meant(where)
    return Records(where if is_address(where) else _file(where), reading=True)


def held(where: str, *, made: bool = False) -> Records:
    """A store to be written, while no server has it if it is a file; raises `StoreError`.

    `made`: a missing file is created.
    """
    if is_address(where := _meant(where)):
        return Records(where)
    if not _file(where).exists() and not made:
        raise Failed(phrase("there is no file {where}", where=where), MISSING)
    return Records(_file(where), patience=PATIENCE)


def _meant(where: str) -> str:
    """The text as typed, or the address in the file that it names."""
    found = places.named(where)
    if found != where and not is_address(found):
        raise Failed(
            phrase("{file} does not contain the address of a database", file=where[1:]), USAGE
        )
    return found


def _file(where: str) -> Path:
    """A text without a scheme is a file; raises `Failed` if it looks like an address."""
    if is_secret(where):
        raise Failed(phrase("a store is a file, or postgresql://USER@HOST:PORT/NAME"), USAGE)
    return Path(where)
