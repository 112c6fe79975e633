"""Records as Arrow tables, and as Parquet files.

    >>> from kifu import tables
    >>> found = tables.read("matches.kifu")     # or match.jsonl, match.txt, match.kifu-proof
    >>> found["matches"].column("winner").to_pylist()
    [1]
    >>> tables.write("analysis", ((match, log, tables.OFFICIAL)
    ...                           for match, log in tables.matches("matches.kifu")))
    1

`SCHEMAS` has the schema of each table, `VERSION` their version; what the columns mean, and how to
ask DuckDB and polars, is in `service/tables/TABLES.md`. It needs `pip install 'kifu[tables]'`.
"""

from __future__ import annotations

from kifu import _find_own

_find_own()
try:
    from domain.record.views import OFFICIAL as OFFICIAL
    from domain.record.views import PUBLIC as PUBLIC
    from service.tables.arrow import matches as matches
    from service.tables.arrow import of as of
    from service.tables.arrow import read as read
    from service.tables.arrow import write as write
    from service.tables.schemas import SCHEMAS as SCHEMAS
    from service.tables.schemas import VERSION as VERSION
except ModuleNotFoundError as error:
    if error.name != "pyarrow":
        raise
    text = "pyarrow is not installed: pip install 'kifu[tables]'"
    raise ModuleNotFoundError(text, name=error.name) from error

__all__ = ["OFFICIAL", "PUBLIC", "SCHEMAS", "VERSION", "matches", "of", "read", "write"]
