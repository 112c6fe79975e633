"""`kifu export`: a match as a file, for people and programs that have no Kifu at hand.

As a transcript (domain/text/transcript/TRANSCRIPTS.md), which `kifu import` records again, or as
the very entries of the record.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

import click

from domain.engine.rulebook import Rulebook
from domain.text.transcript.write import write
from replay_cli import record
from replay_cli.reaching.connection import (
    Access,
    Reader,
    access_options,
    match_argument,
    view_option,
    viewer_of,
)

TEXT, JSON = "text", "json"
#: What files of entries are called.
ENTRIES = (".jsonl", ".json", ".ndjson")


@click.command("export")
@match_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write; standard output if there is none.",
)
@click.option(
    "--format",
    "kind",
    type=click.Choice([TEXT, JSON]),
    help="A transcript, or entries as JSON, one a line (default: by the file's name; text).",
)
@view_option
@access_options
def export_command(
    match: str, output: Path | None, kind: str | None, eyes: str, access: Access
) -> None:
    """Write MATCH (default: the newest) to a file.

    A text is a transcript: `kifu import FILE` records it again. A .jsonl file is the record itself.
    `kifu verify FILE` and `kifu replay FILE` read both, without a server.
    """
    named = output is not None and output.suffix.lower() in ENTRIES
    with access.open() as client:
        reader = Reader(client, match)
        viewer = viewer_of(eyes, reader.book)
        entries = list(client.events(reader.id, view=viewer))
        if (kind or (JSON if named else TEXT)) == JSON:
            found = "".join(record.write(entries))
        else:
            found = write(entries, cast(Rulebook, reader.book))
    if output is None:
        click.echo(found, nl=False)
        return
    output.write_text(found, encoding="utf-8", newline="\n")
    click.echo(f"{len(entries)} entries of match {reader.id} written to {output}", err=True)
