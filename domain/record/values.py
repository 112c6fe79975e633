"""The values that events and decisions are made of: numbers, names, audiences, sealed fields."""

from __future__ import annotations

from typing import Generic, TypeVar

from msgspec import Struct

#: What a mark, a statistic or an option may hold.
Value = int | str | bool | None
#: What a fact of a frame may hold: a value, or several numbers in order.
Fact = Value | tuple[int, ...]
#: A card's number, or the name of anything else: a zone (`hand/0`), a seat (`seat/1`), `match`.
Ref = int | str

#: Audiences are bit masks of seats.
EVERYONE = -1
OFFICIALS = 0

#: `entries.Entry.by`: a seat's number, or one of these.
RULES, CHANCE, BY_OFFICIAL, TABLE = -1, -2, -3, -4

T = TypeVar("T")


class Sealed(
    Struct, Generic[T], array_like=True, frozen=True, gc=False, forbid_unknown_fields=True
):
    """A value addressed to an audience; `None` once redacted for somebody outside it."""

    to: int
    value: T | None = None

    def opens_to(self, mask: int) -> bool:
        """Whether a viewer with this bit mask is addressed."""
        return bool(self.to & mask) if mask >= 0 else self.to == EVERYONE


class Change(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a modifier does to its targets: `add 2 to ap`, `set blocker`, `forbid attack`.

    `op` is `add`, `set`, `multiply`, `swap`, `lose`, maybe after a layer (`original set`), or
    `forbid`, `allow`; what they come to is `effects.calculator`'s to say.
    """

    key: str
    op: str
    value: Value = True
