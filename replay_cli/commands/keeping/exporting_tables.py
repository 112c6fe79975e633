"""`kifu export --format parquet`: matches as tables for analysis, in a folder.

They are fetched one by one, as they are for other formats, so that whoever exports them gets what
he may see. The tables themselves are made by `service.tables`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from domain.record.views import OFFICIAL, PUBLIC
from domain.words.phrases import phrase
from replay_cli.output import MISSING, Failed, progress_bar, say, writing
from replay_cli.reaching.connection import Access, Reader, own_view, viewer_of
from replay_cli.reaching.looking import Look

if TYPE_CHECKING:
    from domain.telling.book import Book
    from service.client.client import Client
    from service.tables.arrow import Match


def export(access: Access, wanted: Sequence[str], folder: Path, eyes: str, look: Look) -> None:
    """Write the tables of these matches; of all, the oldest first, if none is named."""
    try:
        from service.tables.arrow import write
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        text = phrase("tables need further packages: pip install 'kifu[tables]'")
        raise Failed(text, MISSING) from error
    with access.open() as client, writing(folder), progress_bar(quiet=len(wanted) == 1) as bar:
        ids = wanted or [one.id for one in client.list_matches(forks=True)][::-1]
        task = bar.add_task(say(phrase("exporting")), total=len(ids))
        found = _matches(client, ids, eyes, look)
        n = write(folder, bar.track(found, task_id=task))
    text = phrase("tables written to {folder}; matches in them: {n:,}", folder=str(folder), n=n)
    click.echo(say(text), err=True)


def _matches(client: Client, ids: Sequence[str], eyes: str, look: Look) -> Iterator[Match]:
    """Each match as the viewer that is meant sees it: of several, a seat sees what all may see."""
    own = own_view(client)
    usual = None if len(ids) == 1 or own == OFFICIAL else PUBLIC
    books: dict[str, Book] = {}
    for match in ids:
        reader, viewer = Reader(client, match), usual
        if eyes:
            game = reader.summary.game
            books[game] = books.get(game) or reader.book
            viewer = viewer_of(eyes, books[game])
        look.warn(reader, viewer)
        entries = list(client.events(reader.id, view=viewer, why=look.why))
        yield reader.id, entries, own if viewer is None else viewer
