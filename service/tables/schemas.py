"""The schemas of the tables, and their version: TABLES.md says what is in each column.

A column that is added raises nothing; one that is renamed, removed or means something else raises
`VERSION`. Both are in the metadata of each schema.
"""

from __future__ import annotations

import pyarrow as pa

VERSION = "1"

_TEXTS = pa.list_(pa.string())
_PART = pa.struct(
    [("name", pa.string()), ("pool", pa.int32()), ("low", pa.int32()), ("high", pa.int32())]
)
_OPTION = pa.struct(
    [
        ("act", pa.string()),
        ("number", pa.int32()),
        ("place", pa.string()),
        ("card", pa.string()),
        ("effect", pa.string()),
        ("parts", pa.list_(_PART)),
    ]
)
_COLUMNS = {
    "matches": [
        ("match", pa.string()),
        ("game", pa.string()),
        ("engine", pa.string()),
        ("mode", pa.string()),
        ("best_of", pa.int32()),
        ("opened", pa.timestamp("ms", tz="UTC")),
        ("seats", _TEXTS),
        ("labels", pa.map_(pa.string(), pa.string())),
        ("fork_of", pa.string()),
        ("viewer", pa.string()),
        ("over", pa.bool_()),
        ("winner", pa.int8()),
        ("why", pa.string()),
        ("score", pa.list_(pa.int32())),
        ("first", pa.int8()),
        ("games", pa.int32()),
        ("turns", pa.int32()),
        ("decisions", pa.int32()),
        ("entries", pa.int32()),
        ("irregularities", pa.int32()),
        ("rewinds", pa.int32()),
        ("duration", pa.duration("ms")),
    ],
    "decks": [
        ("match", pa.string()),
        ("seat", pa.int8()),
        ("deck", pa.string()),
        ("part", pa.string()),
        ("card", pa.string()),
        ("n", pa.int32()),
    ],
    "decisions": [
        ("match", pa.string()),
        ("n", pa.int32()),
        ("seat", pa.int8()),
        ("seq", pa.int32()),
        ("time", pa.duration("ms")),
        ("game", pa.int32()),
        ("turn", pa.int32()),
        ("turn_seat", pa.int8()),
        ("step", pa.string()),
        ("kind", pa.string()),
        ("rules", _TEXTS),
        ("options", pa.list_(_OPTION)),
        ("pools", pa.list_(_TEXTS)),
        ("answered", pa.int32()),
        ("took", pa.duration("ms")),
        ("origin", pa.string()),
        ("option", pa.int32()),
        ("act", pa.string()),
        ("number", pa.int32()),
        ("place", pa.string()),
        ("card", pa.string()),
        ("effect", pa.string()),
        ("picks", pa.list_(_TEXTS)),
        ("allowed_by", _TEXTS),
        ("abandoned", pa.bool_()),
    ],
    "events": [
        ("match", pa.string()),
        ("seq", pa.int32()),
        ("time", pa.duration("ms")),
        ("moment", pa.int32()),
        ("frame", pa.int32()),
        ("by", pa.int8()),
        ("game", pa.int32()),
        ("turn", pa.int32()),
        ("step", pa.string()),
        ("event", pa.string()),
        ("rules", _TEXTS),
        ("fields", pa.string()),
        ("abandoned", pa.bool_()),
    ],
    "cards": [
        ("match", pa.string()),
        ("seq", pa.int32()),
        ("game", pa.int32()),
        ("turn", pa.int32()),
        ("event", pa.string()),
        ("was", pa.int32()),
        ("number", pa.int32()),
        ("card", pa.string()),
        ("owner", pa.int8()),
        ("src", pa.string()),
        ("dst", pa.string()),
        ("why", pa.string()),
        ("token", pa.bool_()),
        ("seen_by", pa.string()),
        ("abandoned", pa.bool_()),
    ],
}
#: The schema of each table, by its name.
SCHEMAS = {
    name: pa.schema(columns, metadata={"kifu_table": name, "kifu_version": VERSION})
    for name, columns in _COLUMNS.items()
}
