"""Arrow tables of matches, and Parquet files of many, written a match at a time.

A match is one row group of a file, so what is in memory is one match and what the writers note of
each group. Of the tables that have few rows a match, `GATHERED`, so many make a group. Files get
their names once all is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from domain.record.entries import Entry
from domain.record.views import OFFICIAL, redact
from service.client import files
from service.store.records import Records
from service.tables.decided import Row
from service.tables.rows import of_match
from service.tables.schemas import SCHEMAS

#: Tables of which many matches share a row group, and its rows.
GATHERED, ROWS = ("matches", "decks"), 50_000

Tables = dict[str, pa.Table]
#: A match: its id, its entries, and whose view of it they are.
Match = tuple[str, Sequence[Entry], int]


def of(entries: Iterable[Entry], match: str = "", viewer: int = OFFICIAL) -> Tables:
    """The tables of one match, as a viewer may see it; else as the entries have it."""
    log = [entry if viewer == OFFICIAL else redact(entry, viewer) for entry in entries]
    rows = of_match(match, log, viewer)
    return {name: _table(name, rows[name]) for name in SCHEMAS}


def read(path: Path | str, match: str = "", viewer: int = OFFICIAL) -> Tables:
    """The tables of all matches of a file that Kifu wrote, or of one of them.

    Raises `BadFile`. Everything is in memory: of many matches `write` makes files.
    """
    each = [of(log, id_, viewer) for id_, log in matches(path, match)]
    return {
        name: pa.concat_tables([one[name] for one in each]) if each else schema.empty_table()
        for name, schema in SCHEMAS.items()
    }


def matches(path: Path | str, match: str = "") -> Iterator[tuple[str, list[Entry]]]:
    """The id and entries of each match of a file, one after the other; raises `BadFile`."""
    path = Path(path)
    if match or not files.is_store(path):
        yield match or path.stem, files.read(path, match)
        return
    with closing(Records(path, reading=True)) as records:
        for id_ in sorted(records.ids()):
            yield id_, records.entries(id_)


def write(folder: Path | str, found: Iterable[Match]) -> int:
    """Write a Parquet file for each table into a folder; how many matches there were.

    Raises `OSError`; no file is replaced then.
    """
    folder, n = Path(folder), 0
    folder.mkdir(parents=True, exist_ok=True)
    begun = {name: folder / f".{name}.parquet.part" for name in SCHEMAS}
    try:
        with ExitStack() as stack:
            writers = {
                name: stack.enter_context(pq.ParquetWriter(begun[name], schema, compression="zstd"))
                for name, schema in SCHEMAS.items()
            }
            waiting: dict[str, list[pa.Table]] = {name: [] for name in SCHEMAS}
            for match, log, viewer in found:
                n += 1
                for name, table in of(log, match, viewer).items():
                    waiting[name].append(table)
                    if name not in GATHERED or sum(map(len, waiting[name])) >= ROWS:
                        _write_group(writers[name], waiting[name])
            for name, writer in writers.items():
                _write_group(writer, waiting[name])
        for name, path in begun.items():
            path.replace(folder / f"{name}.parquet")
    finally:
        for path in begun.values():
            path.unlink(missing_ok=True)
    return n


def _write_group(writer: pq.ParquetWriter, waiting: list[pa.Table]) -> None:
    """Write tables as one row group, if they have rows, and let go of them."""
    if n := sum(map(len, waiting)):
        writer.write_table(pa.concat_tables(waiting), row_group_size=n)
    waiting.clear()


def _table(name: str, rows: Sequence[Row]) -> pa.Table:
    schema = SCHEMAS[name]
    columns = [pa.array([row.get(one.name) for row in rows], one.type) for one in schema]
    return pa.Table.from_arrays(columns, schema=schema)
