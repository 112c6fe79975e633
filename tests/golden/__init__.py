"""Golden records: what older programs wrote (`write`), a directory each; read, never changed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from domain.games import rulebook
from domain.record.entries import Entry
from domain.record.events import MatchEnded, MatchOpened
from domain.record.interventions import SeedsOpened
from service.store.records import Records

HERE = Path(__file__).parent
DIRECTORIES = sorted(path for path in HERE.iterdir() if (path / "matches.kifu").exists())


@contextmanager
def store(directory: Path) -> Iterator[Records]:
    """The store of a directory, as it is read: a copy, beside which SQLite may put files."""
    with TemporaryDirectory() as there:
        copy = shutil.copy(directory / "matches.kifu", there)
        found = Records(copy, reading=True)
        try:
            yield found
        finally:
            found.close()


@cache
def logs(directory: Path) -> Mapping[str, list[Entry]]:
    """The records of a directory, by match."""
    with store(directory) as found:
        with found.rows("SELECT DISTINCT originator_id FROM stored_events ORDER BY 1") as rows:
            names = [str(row[0]) for row in rows.fetchall()]
        return {name: found.entries(name) for name in names}


def engine_of(log: list[Entry]) -> str:
    """The engine that wrote a record."""
    opened = log[0].event
    assert isinstance(opened, MatchOpened)
    return opened.engine


def older(log: list[Entry]) -> bool:
    """Whether another engine than the one at hand wrote a record."""
    engine = engine_of(log)
    return engine != rulebook(engine.partition(" ")[0]).manifest.version


def endless(log: list[Entry]) -> bool:
    """Whether a record, which was made by hand, has what only follows an end, and no end."""
    found = {type(entry.event) for entry in log}
    return SeedsOpened in found and MatchEnded not in found
