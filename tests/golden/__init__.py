"""Golden records: what released programs wrote (`write`), a directory each; read, never changed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from domain.record.entries import Entry
from domain.record.events import MatchEnded, MatchOpened
from domain.record.interventions import EngineChanged, SeedsOpened
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


def engine_of(log: Sequence[Entry]) -> str:
    """The engine that wrote a record."""
    opened = log[0].event
    assert isinstance(opened, MatchOpened)
    return opened.engine


def as_written_by(engine: str, log: Sequence[Entry]) -> list[Entry]:
    """The record as if that engine had written it."""
    return [
        replace(entry, event=replace(entry.event, engine=engine))
        if isinstance(entry.event, MatchOpened | EngineChanged)
        else entry
        for entry in log
    ]


def of_before(log: Sequence[Entry]) -> list[Entry]:
    """The record as if an older engine of its game had written it: one that never was."""
    opened = log[0].event
    assert isinstance(opened, MatchOpened)
    return as_written_by(f"{opened.game} 0.9", log)


def endless(log: list[Entry]) -> bool:
    """Whether a record, which was made by hand, has what only follows an end, and no end."""
    found = {type(entry.event) for entry in log}
    return SeedsOpened in found and MatchEnded not in found
