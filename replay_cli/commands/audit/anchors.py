"""`kifu audit checkpoint`, `inclusion`, `tiles`, `key`: the public data of the log of heads.

What they make is judged by `kifu audit FILE` (`file`), or by others' programs: all of it is in the
formats of C2SP.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from domain.record.proof.anchors.checkpoints import checkpoint
from domain.words.phrases import phrase
from replay_cli.output import (
    MISSING,
    REFUSED,
    Failed,
    FilePath,
    NewFile,
    as_json,
    console,
    json_option,
    say,
    writing,
)
from replay_cli.pages import Commands
from replay_cli.reaching.connection import DATA, Access, Reader, access_options, match_argument

_output = click.option(
    "-o",
    "--output",
    type=NewFile(),
    help="The file to write; else it is printed.",
)
_cosigned = click.option(
    "--cosigned", is_flag=True, help="The newest that enough witnesses have signed."
)
_data = click.option(
    "-d",
    "--data",
    type=FilePath(dir_okay=False, exists=True),
    default=DATA,
    envvar="KIFU_DATA",
    show_default=True,
    help="The file of matches.",
)


@click.command("checkpoint")
@_cosigned
@_output
@access_options
@json_option
def checkpoint_command(cosigned: bool, output: Path | None, access: Access, as_data: bool) -> None:
    """Print the newest checkpoint: the size of the log of all matches, its root, who signed.

    Keep it to detect any later change of what was played until now. It reveals nothing about any
    match; no token is needed.
    """
    with access.open() as client:
        note = client.checkpoint(cosigned=cosigned)
    found = checkpoint(note)
    if as_data:
        root = found.root.hex()
        as_json({"note": str(note), "origin": found.origin, "size": found.size, "root": root})
    _written(str(note), output, quiet=as_data)


@click.command("inclusion")
@match_argument
@click.option("--count", type=click.IntRange(1), help="For this many entries, or fewer.")
@_cosigned
@_output
@access_options
@json_option
def inclusion_command(
    match: str,
    count: int | None,
    cosigned: bool,
    output: Path | None,
    access: Access,
    as_data: bool,
) -> None:
    """Print the proof that MATCH (default: the newest) is in the log as it is now.

    It is one text, complete in itself, usually kept as a .tlog-proof file.
    """
    with access.open() as client:
        proof = client.inclusion(Reader(client, match).id, count, cosigned=cosigned)
    if as_data:
        head = proof.parsed.head
        as_json(
            {
                "proof": str(proof),
                "match": proof.parsed.match,
                "index": proof.index,
                "count": head.seq,
                "head": head.hash.hex(),
                "since": head.since,
            }
        )
    _written(str(proof), output, quiet=as_data)


def _written(text: str, output: Path | None, *, quiet: bool) -> None:
    if output is not None:
        with writing(output):
            output.write_text(text, "utf-8")
    elif not quiet:
        click.echo(text, nl=False)


@click.command("tiles")
@_data
@click.option(
    "-o",
    "--output",
    required=True,
    type=FilePath(file_okay=False),
    help="The directory to write to, or to bring up to date.",
)
@click.option("--hashes", is_flag=True, help="Only hashes: no ids, counts and heads of matches.")
@json_option
def tiles_command(data: Path, output: Path, hashes: bool, as_data: bool) -> None:
    """Write the log as static files (c2sp.org/tlog-tiles), from the file of matches alone.

    Any web server can serve them. `kifu serve --log-dir` keeps them up to date by itself.
    """
    from service.anchors.ledger import Ledger
    from service.anchors.publishing import OtherLog, publish
    from service.store.records import Records

    with closing(Records(data, reading=True)) as records:
        ledger = Ledger(records)
        ledger.load()
        newest = ledger.last()
        if newest is None:
            raise Failed(
                phrase("{data} has no checkpoint yet: a server makes them", data=data), MISSING
            )
        try:
            with writing(output):
                written = publish(ledger, newest, output, entries=not hashes)
        except OtherLog as error:
            raise Failed(str(error), REFUSED) from error
    size = newest.checkpoint.size
    if as_data:
        as_json({"files": written, "size": size, "origin": newest.checkpoint.origin})
    else:
        text = phrase("{n} files were written; the log has {size} leaves.", n=written, size=size)
        console().print(text)


@click.group("key", cls=Commands, invoke_without_command=True)
@click.pass_context
@access_options
@json_option
def key_command(context: click.Context, access: Access, as_data: bool) -> None:
    """Print the keys that sign or signed checkpoints, the newest last.

    People must get the key from another source: give it to them before the event, on paper.
    """
    if context.invoked_subcommand is not None:
        return
    with access.open() as client:
        found = client.log_keys()
    if as_data:
        keys = [{"key": one.key, "size": one.size, "endorsed": one.endorsed} for one in found.keys]
        as_json({"origin": found.origin, "keys": keys})
        return
    if not found.keys:
        raise Failed("there is no key yet: the first server makes one", MISSING)
    for one in found.keys:
        click.echo(one.key)


@key_command.command("rotate")
@_data
@click.option(
    "--name",
    default="",
    help="Start another log with this name: after a backup was restored.",
)
@json_option
def rotate_command(data: Path, name: str, as_data: bool) -> None:
    """Sign with a new key from now on, while no server has the file open.

    A last checkpoint is signed by both keys. A new --name starts another log, which people have to
    be given.
    """
    from service.anchors.assembly import rotate
    from service.store.records import Records

    with closing(Records(data)) as records:
        old, new = rotate(records, name)
    if as_data:
        as_json({"old": str(old.verifier), "new": str(new.verifier)})
        return
    click.echo(say(phrase("until now: {key}", key=old.verifier)))
    click.echo(say(phrase("from now:  {key}", key=new.verifier)))
