"""Records in files: write entries as text, and read what Kifu wrote, for people at a terminal.

A record in memory is a `domain.telling.record`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from google.protobuf.json_format import MessageToJson

from domain.record.entries import Entry
from domain.record.proof.bundle import Bundle
from replay_cli.output import MISSING, REFUSED, Failed
from service import wire
from service.client import files
from service.client.files import is_store as is_store
from service.client.files import is_transcript as is_transcript


def write(entries: Iterable[Entry]) -> Iterator[str]:
    """A record as text: one entry a line, as JSON in the words of the contract."""
    for entry in entries:
        yield MessageToJson(wire.entry(entry), preserving_proto_field_name=True, indent=None) + "\n"


@contextmanager
def _failing() -> Iterator[None]:
    """A fault of a file ends the command."""
    try:
        yield
    except files.BadFile as error:
        hints = [error.hint] if error.hint else []
        raise Failed(error.text, MISSING if error.missing else REFUSED, hints) from error


def read(path: Path) -> list[Entry]:
    """The entries of a file that Kifu wrote (`service.client.files`); raises `Failed`."""
    with _failing():
        return files.read(path)


def parsed(path: Path, text: str) -> tuple[list[Entry], Bundle | None]:
    """The entries in the text of a file, and the bundle that they make with a proof, unchecked.

    Raises `Failed` with the line that is wrong.
    """
    with _failing():
        return files.parsed(path, text)


def text_of(path: Path) -> str:
    """The content of a file; raises `Failed` if it is no text."""
    with _failing():
        return files.text_of(path)
