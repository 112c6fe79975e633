"""The store's SQL (`service.store.statements`) as PostgreSQL reads it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import count
from typing import Any

_PARAMETER = re.compile(r"\?(\d*)|'[^']*'")
#: SQLite must be told to read a damaged value as bytes; here columns have types.
_AS_BYTES = re.compile(r"CAST\(([\w.]+) AS BLOB\)")
#: A text that is read as bytes all the same, since a checksum is over those.
_TEXT = "topic"
#: Stands for NUL, which no text of PostgreSQL has; no text here has it either: it is no character.
_NO_CHARACTER = "\uffff"


@lru_cache(512)
def translated(sql: str) -> str:
    """A statement with `$1` for `?` and `?1`, without casts to bytes, `strpos` for `instr`."""
    numbers = count(1)

    def parameter(found: re.Match[str]) -> str:
        if found[0][0] == "'":
            return found[0]
        return f"${found[1] or next(numbers)}"

    text = _AS_BYTES.sub(_bytes, sql).replace("instr(", "strpos(")
    return _PARAMETER.sub(parameter, text)


def _bytes(found: re.Match[str]) -> str:
    return f"convert_to({_TEXT}, 'UTF8')" if found[1] == _TEXT else found[1]


def sought(parameters: Sequence[Any]) -> list[Any]:
    """The parameters of a query: a text with NUL in it finds nothing."""
    return [one.replace("\0", _NO_CHARACTER) if isinstance(one, str) else one for one in parameters]
