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

    `move` cards to a place (`at` from the bottom, `up`, `orient`); `draw` the top `n` of `src` to a
    place; `turn` cards (`up`, `orient`); `show` cards to seats (none: to all); `name` cards, again
    where they were named wrongly; `define` what cards lying face down count as (`figures`; none:
    they are themselves again); `counters`: `n` of a `kind` from `src` to `dst` (a card's number or
    `seat/0`; empty: the supply); `mark` a `subject` with `kind` and `value` (None: erased); `order`
    a place as `cards` say, bottom to top; `shuffle` a place whose cards not all can see; `control`
    of cards to a seat; `attach` cards to `host` in a role, `link` them to it from where they lie
    (0: to none any more); `remove` cards; `make` tokens by `names` at a place; `depart`: cards are
    on their way to a place for `kind` (empty: they stay after all), `subject` is to blame; `modify`
    cards, or all that lies at a place: `kind`, `value`, `op` (empty: `add`), `until` (empty:
    `turn`); `end` the modifiers `ids`; `trigger` the text `effect` of a card, for a seat (None: its
    controller's); `schedule` it, or what `kind` says, for a seat: due with `until`, not before
    `turn`, only in a turn of `seats` (none: of anybody), about `cards`, with the amount `n`; `void`
    the waiting effects and schedules `ids`; `retarget` the attack to `subject`, with `host` in its
    place (0: with none). `names` are card ids, in the order of `cards`.
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
