"""The values that events and decisions are made of: numbers, names, audiences, sealed fields."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Annotated, Any, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import fields

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

_OPEN, _KEPT = "open", "kept"
#: A field of an event that is for everybody. Any other field is `Sealed`, or at an event of
#: organisers `Kept`: one of which nothing is stated is an error at import (`kept_fields`).
Open = Annotated[T, _OPEN]
#: A field of an organisers' event that is not for everybody at all times (`tournament.views`).
Kept = Annotated[T, _KEPT]


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

    Raises `TypeError` for a field of which it is not stated whether it may, and for one that could
    be left out of an event for any other reason than that the event is older than the field: its
    default can only be None.
    """
    hints = get_type_hints(cls, include_extras=True)
    found = []
    for at, field in enumerate(fields(cls)):
        stated = {_statement(hint) for hint in _alternatives(hints[field.name])}
        called = f"{cls.__name__}.{field.name}"
        if len(stated) != 1 or None in stated:
            raise TypeError(f"{called} is neither Open nor Sealed (or Kept) as a whole")
        if stated != {_OPEN}:
            if not field.required and field.default is not None:
                raise TypeError(f"{called} may be kept from somebody: its default can only be None")
            found.append((at, field.name))
    return tuple(found)


def _alternatives(hint: Any) -> list[Any]:
    """A type, or those of a union but for None."""
    if isinstance(hint, UnionType) or get_origin(hint) is Union:
        return [arg for arg in get_args(hint) if arg is not NoneType]
    return [hint]


def _statement(hint: Any) -> str | None:
    """Whom a field of this type is for; None: it is not stated."""
    if get_origin(hint) is Sealed:
        return _KEPT
    if get_origin(hint) is Annotated and "Sealed[" not in str(hint):
        return str(hint.__metadata__[0])
    return None


class Change(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a modifier does to its targets: `add 2 to ap`, `set blocker`, `forbid attack`.

    `op` is `add`, `set`, `multiply`, `swap`, `lose`, maybe after a layer (`original set`), or
    `forbid`, `allow`; what they come to is `effects.calculator`'s to say. What is forbidden or
    allowed as to some cards only is so `against` these.
    """

    key: str
    op: str
    value: Value = True
    against: Group | None = None
