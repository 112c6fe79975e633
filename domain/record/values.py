"""The values that events and decisions are made of: numbers, names, audiences, sealed fields."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Generic, TypeVar

from msgspec import NODEFAULT, Struct

from domain.record.groups import Group

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

#: A field of an event that is for everybody. Any other field is `Sealed`, or at an event of
#: organisers `Kept`: one of which nothing is stated is an error at import (`kept_fields`).
Open = Annotated[T, "open"]
#: A field of an organisers' event that is not for everybody at all times (`tournament.views`).
Kept = Annotated[T, "kept"]


class Sealed(
    Struct, Generic[T], array_like=True, frozen=True, gc=False, forbid_unknown_fields=True
):
    """A value addressed to an audience; `None` once redacted for somebody outside it."""

    to: int
    value: T | None = None

    def opens_to(self, mask: int) -> bool:
        """Whether a viewer with this bit mask is addressed."""
        return bool(self.to & mask) if mask >= 0 else self.to == EVERYONE


def kept_fields(cls: type[Struct]) -> tuple[tuple[int, str], ...]:
    """The fields of a type of event that may be kept from somebody: number (from 0) and name.

    Raises `TypeError` for a field without such a statement, and for one that may be missing from an
    event that is not older than the field: its default can only be None. The annotations are read
    as they are written: that takes no time.
    """
    hints = {name: str(hint) for base in cls.__mro__[::-1] for name, hint in _annotated(base)}
    required = len(cls.__struct_fields__) - len(cls.__struct_defaults__)
    found = []
    for at, name in enumerate(cls.__struct_fields__):
        stated = _STATED.fullmatch(hints[name])
        if stated is None:
            raise TypeError(
                f"{cls.__name__}.{name} is neither Open nor Sealed (or Kept) as a whole"
            )
        if stated[1] != "Open":
            default = cls.__struct_defaults__[at - required] if at >= required else NODEFAULT
            if default not in (NODEFAULT, None):
                raise TypeError(f"{cls.__name__}.{name} is kept: its default can only be None")
            found.append((at, name))
    return tuple(found)


def _annotated(cls: type) -> Iterable[tuple[str, object]]:
    annotations: dict[str, object] = vars(cls).get("__annotations__", {})
    return annotations.items()


#: Whom a field is for, as its annotation says it; what is sealed lies in nothing else.
_STATED = re.compile(r"(Open|Sealed|Kept)\[(?!.*Sealed\[).*\](?: \| None)?")


#: The operation of a change that lowers something the next time alone.
NEXT = "reduce next"


class Change(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """The effect of a modifier on its targets: `add 2 to ap`, `set blocker`, `forbid attack`.

    `op` is `add`, `set`, `multiply`, `swap`, `lose`, maybe after a layer (`original set`), or
    `forbid` (up to a value, if it has one), `allow`, `oblige`, `reduce` (`NEXT`), `divert` (to a
    card); `effects.calculator` computes the result. What is so as to some cards only is so
    `against` these.
    """

    key: str
    op: str
    value: Value = True
    against: Group | None = None
