"""`kifu import`: records the match of a transcript.

The service reads the transcript and plays it through the rulebook; it records all of it or nothing,
as an import. A fault of a text is reported with the number of its line.
"""

from __future__ import annotations

from pathlib import Path

import click

from domain.words.phrases import phrase
from replay_cli.commands.running.grants import opened_data, print_opened, tokens_option
from replay_cli.output import (
    MISSING,
    REFUSED,
    BadValue,
    Failed,
    FilePath,
    as_json,
    console,
    json_option,
)
from replay_cli.reaching.connection import Access, access_options
from replay_cli.typed import lists
from service.client.client import CallError, Client
from service.client.convert import DeckLike

SEATS = "ABCDEFGH"


@click.command("import")
@click.argument("file", type=FilePath(exists=True, dir_okay=False))
@click.option(
    "--deck", "decks", metavar="SEAT=NAME|FILE", multiple=True,
    help="The list of a seat, if the transcript has only its name.",
)  # fmt: skip
@tokens_option
@access_options
@json_option
def import_command(
    file: Path, decks: tuple[str, ...], tokens: bool, access: Access, as_data: bool
) -> None:
    """Record the match of the transcript in FILE.

    It is recorded as if entered at a real table, and marked as imported. A transcript of an
    impossible match is refused, with the line.
    """
    try:
        text = file.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Failed(phrase("{file} is no text", file=file), REFUSED) from error
    except OSError as error:
        raise Failed(
            phrase("{file} can't be read: {strerror}", file=file, strerror=error.strerror), MISSING
        ) from error
    with access.open(new=True) as client:
        listed = dict(_deck(client, option) for option in decks)
        try:
            opened = client.import_match(text, listed)
        except CallError as error:
            if error.reason != "TRANSCRIPT_REFUSED":
                raise
            text = f"{error.text[:1].lower()}{error.text[1:]}"
            raise Failed(phrase("{file}: {text}", file=file, text=text), REFUSED) from error
        entries = client.match(opened.id).entries
    if as_data:
        as_json({"entries": entries, **opened_data(opened, tokens)})
        return
    text = phrase("match {id} is recorded again, {n} entries", id=opened.id, n=entries)
    console().print(text, style="bold")
    print_opened(opened, tokens)


def _deck(client: Client, option: str) -> tuple[int, DeckLike]:
    letter, equals, name = option.partition("=")
    if not equals or len(letter) != 1 or letter.upper() not in SEATS:
        raise BadValue(phrase("{option!r} is not SEAT=NAME", option=option), param_hint="--deck")
    if not Path(name).is_file():
        return SEATS.index(letter.upper()), name
    forms = [form for game in client.games() for form in client.listed(game.name)[1]]
    return SEATS.index(letter.upper()), lists.of_file(Path(name), forms).deck
