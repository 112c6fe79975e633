"""Auto-passes beside the records: those that seats have set, and not withdrawn yet.

They are in no entry, whose existence all can see (`engine.passes.standing`), and come from none:
a table of their own keeps them, written in the transaction of the entries that ended them. One that
can't be read is as good as withdrawn: the seat is asked.
"""

from __future__ import annotations

import msgspec

from domain.engine.passes.standing import AllStanding, Standing
from service.store.records import Recorder, Records, Statement
from service.store.statements import upsert

Recorder.tables.append(
    "CREATE TABLE IF NOT EXISTS standing (id TEXT, seat INTEGER, left BLOB,"
    " PRIMARY KEY (id, seat)) WITHOUT ROWID"
)
_SAVE = upsert("standing", "id, seat", 'id, seat, "left"')
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Standing).decode


def find(records: Records, match: str) -> AllStanding:
    """What the seats of a match have left; nothing where the records are only read."""
    if not records.writable:
        return {}
    found: dict[int, Standing] = {}
    with records.rows('SELECT seat, "left" FROM standing WHERE id=?', match) as rows:
        for row in rows:
            try:
                found[int(row["seat"])] = _decode(row["left"])
            except (msgspec.MsgspecError, TypeError, ValueError):
                continue
    return found


def changed(match: str, was: AllStanding, now: AllStanding) -> list[Statement]:
    """What is to be written where seats had left one thing and now have left another."""
    if was is now:
        return []
    gone = [
        ("DELETE FROM standing WHERE id=? AND seat=?", (match, seat))
        for seat in was
        if seat not in now
    ]
    new = [
        (_SAVE, (match, seat, _encode(left))) for seat, left in now.items() if was.get(seat) != left
    ]
    return [*gone, *new]
