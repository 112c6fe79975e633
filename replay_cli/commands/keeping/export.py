"""`kifu export`: a match as a file, for people and programs that have no Kifu at hand.

As a transcript (domain/text/transcript/TRANSCRIPTS.md), which `kifu import` records again, as the
very entries of the record, or as a bundle that proves them (domain/record/proof/AUDIT.md). What
proves entries is their file's last line; what proves a transcript is a bundle beside it. Tables for
analysis (service/tables/TABLES.md), of one match or of all, are `exporting_tables`.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

import click
from msgspec.structs import replace

from domain.engine.rulebook import Rulebook
from domain.record.proof import bundle
from domain.text.transcript.write import write
from domain.words.phrases import phrase
from replay_cli import record
from replay_cli.auditing import proofs
from replay_cli.auditing.evidence import bundle_of
from replay_cli.auditing.keeping import require_kept, require_kept_bundle
from replay_cli.commands.keeping import exporting_tables
from replay_cli.drawing.heads import head_line
from replay_cli.output import (
    REFUSED,
    BadValue,
    Failed,
    Misused,
    NewFile,
    as_file,
    say,
    writing,
)
from replay_cli.reaching.connection import (
    Access,
    Reader,
    access_options,
    match_argument,
    own_view,
    view_option,
    viewer_of,
)
from replay_cli.reaching.looking import Look, look_options

TEXT, JSON, PROOF, PARQUET = "text", "json", "proof", "parquet"
#: What files of entries are called.
ENTRIES = (".jsonl", ".json", ".ndjson")


@click.command("export")
@match_argument
@click.option(
    "-o",
    "--output",
    type=NewFile(folders=True),
    help="The file to write, or the folder of tables; standard output if there is none.",
)
@click.option(
    "--format",
    "kind",
    type=click.Choice([TEXT, JSON, PROOF, PARQUET]),
    help="A transcript, entries as JSON, one a line, a bundle that proves them (default: by the"
    " file's name; text), or a folder of tables for analysis.",
)
@click.option("--all", "every", is_flag=True, help="With parquet: all matches, in the same tables.")
@click.option(
    "--proof/--no-proof", "proving", default=None,
    help="Write the proofs too (default: if the format holds them).",
)  # fmt: skip
@click.option(
    "--disclose", "shown", metavar="ENTRY", type=int, multiple=True,
    help="With a bundle: also prove the hidden fields of this entry that you may see.",
)  # fmt: skip
@view_option
@look_options
@access_options
def export_command(
    match: str, output: Path | None, kind: str | None, every: bool, proving: bool | None,
    shown: tuple[int, ...], eyes: str, look: Look, access: Access,
) -> None:  # fmt: skip
    """Write MATCH (default: the newest) to a file.

    A text is a transcript: `kifu import FILE` records it again. A .jsonl file is the record itself,
    a .kifu-proof file is evidence that a stranger can check. `kifu verify FILE`, `kifu replay FILE`
    and `kifu audit FILE` read all of them, without a server. Tables (`--format parquet`) are for
    DuckDB, polars and other programs.
    """
    kind = kind or _kind_of(output)
    if every and (kind != PARQUET or match):
        raise Misused("--all goes with --format parquet, and with no match")
    if kind == PARQUET:
        if output is None or proving or shown:
            raise Misused("--format parquet goes with -o FOLDER, and proves nothing")
        exporting_tables.export(access, [] if every else [match], output, eyes, look)
        return
    if shown and kind != PROOF:
        raise BadValue("only a bundle discloses", param_hint="--disclose")
    if proving is None:
        proving = kind == PROOF or (kind == JSON and output is not None)
    with access.open() as client:
        reader = Reader(client, match)
        viewer, broken = viewer_of(eyes, reader.book), reader.summary.broken
        look.warn(reader, own_view(client) if shown else viewer)
        entries = list(client.events(reader.id, view=viewer, why=look.why))
        proof = proofs.fetch(client, reader.id, viewer, entries, look.why) if proving else None
        if proof is not None and shown:
            proof = replace(proof, disclosed=proofs.disclosed(client, reader.id, shown, look.why))
        if kind == TEXT:
            found = write(entries, cast(Rulebook, reader.book))
            head = client.head(reader.id, entries[-1].seq)
            found += f"; {head_line(head)}\n" if head is not None else ""
        elif kind == JSON:
            found = "".join(record.write(entries))
            found += bundle.as_line(proof) if proof is not None else ""
        else:
            found = "".join(bundle.lines(proof)) if proof is not None else ""
    if proving and proof is None:
        why = broken or phrase("this match has no chain yet: nothing proves it")
        if kind == PROOF:
            hint = phrase("it gets one when a server next opens its file")
            raise Failed(why, REFUSED, [] if broken else [hint])
        click.echo(f"kifu: {say(why)}", err=True)
    if output is None:
        as_file(found)
        return
    if kind == TEXT:
        require_kept_bundle(output, entries, proof)
    else:
        require_kept(output, proof)
    _save(output, found)
    text = phrase("{n} entries of match {id} written to {file}",
                  n=len(entries), id=reader.id, file=output)  # fmt: skip
    click.echo(say(text), err=True)
    if proof is not None and kind == TEXT:
        _save(bundle_of(output), "".join(bundle.lines(proof)))
        text = phrase("what proves them is written to {file}", file=bundle_of(output))
        click.echo(say(text), err=True)


def _kind_of(output: Path | None) -> str:
    suffix = output.suffix.lower() if output is not None else ""
    return PROOF if suffix == bundle.SUFFIX else JSON if suffix in ENTRIES else TEXT


def _save(path: Path, text: str) -> None:
    with writing(path):
        path.write_text(text, encoding="utf-8", newline="\n")
