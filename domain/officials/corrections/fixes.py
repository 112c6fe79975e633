"""A fix: one thing that a correction puts right, as officials say it and as it is recorded.

There is a verb for every kind of fact that a position holds, but for those that follow from others
or are settled elsewhere (tests/unit/officials/test_fixes.py lists both). What verbs need and do is
in `verbs`, what may be wrong with one in `checks`; several are rehearsed and carried out
together in `correcting`.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from domain.record.values import Ref, Value


class Fix(Struct, frozen=True):
    """One thing that is put right: a verb, and as much of the rest as the verb needs.

    What each verb takes and means is its row (`verbs.VERBS`). `names` are card ids, in the order of
    `cards`. Counters come from `src` and go to `dst` (empty: the supply); `value` None erases a
    mark; with `up` and `orient` None a card lies as it does; an empty `op` is `add`, an empty
    `until` is `turn`; `host` 0 is none any more; no `seats` are all, or the turns of anybody;
    `seat` None is the controller.
    """

    verb: str
    cards: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    place: str = ""
    at: int | None = None
    up: bool | None = None
    orient: str | None = None
    kind: str = ""
    n: int = 0
    src: Ref = ""
    dst: Ref = ""
    subject: Ref = ""
    value: Value = None
    op: str = ""
    until: str = ""
    host: int = 0
    role: str = ""
    seat: int | None = None
    seats: tuple[int, ...] = ()
    ids: tuple[int, ...] = ()
    effect: str = ""
    turn: int = 0
    figures: dict[str, Value] = {}


def named(fix: Fix) -> Iterator[tuple[int, str]]:
    """The cards that a fix names, and as what."""
    return zip(fix.cards, fix.names, strict=False)
