"""The fields of acts, as people type them: the sort, help and bounds of each.

An act is a structure whose fields are annotated with a `Field`. From that its command, its form,
a line of a scenario and a random official are made (`domain.text.desk`), and the service checks how
much of anything a request brings.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from enum import StrEnum
from functools import cache
from inspect import Parameter, signature
from types import MappingProxyType
from typing import Any, get_type_hints

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from domain.words.phrases import Phrase, phrase

#: How long a text and a name may be, in characters; how many rules one act names; of how many seats
#: a score may be.
TEXT, NAME, RULES, SCORES = 2000, 80, 20, 16


class Kind(StrEnum):
    """The sort of a field, which decides how its text is read."""

    TEXT = "text"  #: words
    NAME = "name"  #: a short word: a rule, a kind of penalty
    NUMBER = "number"  #: of an entry or a decision
    PENALTY = "penalty"  #: one of the event's scheme
    SEAT = "seat"  #: `A`, `B`
    PERSON = "person"  #: who sits there, or `official`, `nobody`
    YES = "yes"  #: given or not
    SPAN = "span"  #: a time, as minutes and seconds: `2:00`
    RUNNING = "running"  #: started, or stopped
    CLOCK = "clock"  #: `round`, or a player's
    ACT = "act"  #: what a player did, in the notation
    FIX = "fix"  #: one thing that is put right
    ROLLS = "rolls"  #: how chance fell at a real table
    WINNER = "winner"  #: a player, or `draw`
    SCORE = "score"  #: games won: `2-1`
    WAY = "way"  #: how revealed cards are put back
    WAYS = "ways"  #: the same, of one card: `41=random`
    WORDS = "words"  #: the same, maybe in several lines
    PLAYER = "player"  #: of an event: by number, key or name
    PLAYERS = "players"  #: several of them
    TABLES = "tables"  #: of a round: `3,5`
    ROUND = "round"  #: the number of a round; 0: the latest
    SECONDS = "seconds"  #: a time, in seconds
    RULES = "rules"  #: several rules
    PRINT = "print"  #: a card, as JSON in the form of card data
    SEEN = "seen"  #: not typed: what the sender saw, or what follows from another field


#: Those that may be given several times.
MANY = (Kind.FIX, Kind.PRINT, Kind.ROLLS, Kind.RULES, Kind.WAYS)


class Field(Struct, frozen=True):
    """How a field is typed: in its place as `word`, or after one of its `flags`.

    `least` is the lowest number; `needed`: whether it is required, if that does not follow from its
    default.
    """

    kind: Kind
    help: Phrase = phrase("")
    flags: tuple[str, ...] = ()
    word: str = ""
    least: int = 0
    needed: bool | None = None

    def __repr__(self) -> str:
        """The text that `help` shows of an act besides the type of the field."""
        return repr(str(self.help or self.kind))


class Typed(Struct, frozen=True):
    """A field of an act: its name, how it is typed, and what it is where nobody says it."""

    name: str
    field: Field
    default: Any = NODEFAULT
    many: bool = False

    @property
    def needed(self) -> bool:
        """Whether it is required."""
        needed = self.field.needed
        return self.default is NODEFAULT if needed is None else needed

    @property
    def word(self) -> str:
        """Its placeholder in a line of help."""
        return self.field.word or self.name.upper()


@cache
def typed(act: type[Struct]) -> Mapping[str, Typed]:
    """The fields of an act, in order; raises `TypeError` where one does not say what it is."""
    hints, found = get_type_hints(act, include_extras=True), {}
    for one in fields(act):
        stated = [
            each for each in getattr(hints[one.name], "__metadata__", ()) if type(each) is Field
        ]
        if not stated:
            raise TypeError(f"{act.__name__}.{one.name} does not say what sort of field it is")
        default = one.default if one.default_factory is NODEFAULT else one.default_factory()
        found[one.name] = Typed(one.name, stated[0], default, stated[0].kind in MANY)
    return MappingProxyType(found)


def parameters(
    act: type[Struct], does: Callable[..., Any], apart: Collection[str], more: Collection[str] = ()
) -> dict[str, str]:
    """The parameters of what carries an act out, after its first two, each with its field.

    A parameter is named as its field (`round_` for `round`), or one of `more`. Raises `TypeError`
    where one has no field and no default, or a field has none and is not among those `apart`.
    """
    fields = {*act.__struct_fields__} - {*apart}
    found = {}
    for name, one in [*signature(does).parameters.items()][2:]:
        field = name.rstrip("_")
        if field in fields or field in more:
            found[name] = field
        elif one.default is Parameter.empty:
            raise TypeError(f"{act.__name__} has no field {field!r} for what carries it out")
    if wrong := fields - {*found.values()}:
        raise TypeError(f"what carries {act.__name__} out does not take {sorted(wrong)}")
    return found
