"""`kifu proto`: the protocol as files, from which clients in any language are made."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from replay_cli.output import FilePath, as_json, json_option, writing

#: Files that our protocol uses and compilers lack; and the files of error details.
FURTHER = ("error_details.proto", "status.proto")

EPILOG = """\b
Example:
  kifu proto proto
  protoc -Iproto --cpp_out=. kifu/v1/*.proto google/rpc/*.proto
"""


@click.command("proto", epilog=EPILOG)
@click.argument("folder", metavar="DIR", type=FilePath(file_okay=False))
@json_option
def proto_command(folder: Path, as_data: bool) -> None:
    """Write the protocol's files to DIR, which is created if missing.

    They are those of this version, with their imports (google/protobuf comes with compilers) and
    the details of errors. Files of the same names are overwritten.
    """
    written = [_write(one, folder / "kifu/v1" / one.name) for one in contract()]
    google = files("google.rpc")
    written += [_write(google.joinpath(one), folder / "google/rpc" / one) for one in FURTHER]
    if as_data:
        as_json({"files": [str(path) for path in written]})
        return
    for path in written:
        click.echo(path)


def contract() -> list[Traversable]:
    """The files of the protocol, by name."""
    found = [one for one in files("kifu").joinpath("v1").iterdir() if one.name.endswith(".proto")]
    return sorted(found, key=lambda one: one.name)


def _write(source: Traversable, path: Path) -> Path:
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(source.read_bytes())
    return path
