"""Turns the entries of a record into readable lines with their rules.

The narrator is in `narration`, how lines are rendered in `lines`.
"""

from __future__ import annotations

from collections.abc import Iterable

from domain.record.entries import Entry
from domain.telling import narration
from domain.telling.book import Book
from domain.telling.narration.narrator import Line, Narrator, is_choice

__all__ = ["Line", "Narrator", "is_choice", "narrate", "narration"]


def narrate(book: Book, entries: Iterable[Entry], *, quiet: bool = True) -> list[Line]:
    """The whole transcript of some entries from the record's start."""
    narrator = Narrator(book, quiet=quiet)
    lines = [line for entry in entries for line in narrator.feed(entry)]
    return lines + narrator.close()
