"""Groups: cards that are named by their attributes, not one by one.

Card texts speak of them (`effects.language`), and so does the record where it is not settled which
cards a lasting effect acts on (`events.ModifierBegan`) or concerns (`values.Change`). Here is what
is written; which cards it means at a time is for `effects.select` to say.

A group is written as a map of the fields that differ from their defaults, in card data and in the
record alike.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

#: A filter's test: an exact value, a list of which any will do, or a comparison such as "<=2".
Test = int | bool | str | list[str]
#: What a filter asks of a card: attribute to test. The attributes are the game's.
Filter = dict[str, Test]
Whose = Literal["yours", "theirs", "any"]


class Like(Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True):
    """To be like one of these cards: the attribute `key` of both has a value in common.

    `unless`: to be like none of them.
    """

    key: str
    of: Group
    unless: bool = False


class Group(Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True):
    """Cards: those in a zone that match a filter, seen from the effect's controller.

    `zone` is a zone of the manifest, or one of `this` (the source), `it` (what the last choice
    picked), `chosen` (what all of them did), `looked` (what the last look showed), `cause` (the
    card that set the effect off), or of what `effects.select.SPECIAL` lists as well. Cards laid
    beneath others are among them only if the filter asks for a `type` or a `role`. `top`: only
    so many of each player's, the topmost ones; 0: all. `like` narrows it to those that have
    something in common with others, `most` and `least` to those that have the most, or the
    least, of a number; `besides` adds those of another group. A test of a number may be `"x"`,
    or a comparison with it: what was paid or noted as x.
    """

    zone: str = ""
    whose: Whose = "any"
    match: Filter = {}
    other: bool = False  # not the source itself
    top: int = 0
    like: Like | None = None
    most: str = ""
    least: str = ""
    besides: Group | None = None

    def __hash__(self) -> int:
        """Of what tells most groups apart: a filter is a dict, which has none."""
        return hash((self.zone, self.whose, self.other, *self.match))


def group_from(text: str) -> Group:
    """A group that somebody states, as JSON; raises `msgspec.DecodeError`."""
    return _decode(text)


_decode = msgspec.json.Decoder(Group).decode
