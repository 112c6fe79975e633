"""The auto-passes that seats have set and not withdrawn.

They are in no entry, whose existence all can see (`engine.passes.autopass`), and come from none:
a table of their own keeps them, written in the transaction of the entries that ended them. One that
can't be read is as good as withdrawn: the seat is asked.
"""

from __future__ import annotations

import msgspec

from domain.engine.passes.autopass import AutoPass, AutoPasses
from service.store.records import Records, Statement
from service.store.statements import upsert

_SAVE = upsert("auto_passes", "id, seat", "id, seat, state")
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(AutoPass).decode


def find(records: Records, match: str) -> AutoPasses:
    """The auto-passes of a match's seats; none if the records are only read."""
    if not records.writable:
        return {}
    found: dict[int, AutoPass] = {}
    with records.rows("SELECT seat, state FROM auto_passes WHERE id=?", match) as rows:
        for row in rows:
            try:
                found[int(row["seat"])] = _decode(row["state"])
            except (msgspec.MsgspecError, TypeError, ValueError):
                continue
    return found


def changed(match: str, was: AutoPasses, now: AutoPasses) -> list[Statement]:
    """The statements that change the stored auto-passes from `was` to `now`."""
    if was == now:
        return []
    gone = [
        ("DELETE FROM auto_passes WHERE id=? AND seat=?", (match, seat))
        for seat in was
        if seat not in now
    ]
    new = [
        (_SAVE, (match, seat, _encode(left))) for seat, left in now.items() if was.get(seat) != left
    ]
    return [*gone, *new]
