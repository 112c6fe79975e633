"""What a game says of positions in which card texts are tried (its `situations`, TOML).

And a position as it is made up: the cards of each zone, in the words of scenario files.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct, field

from domain.record.groups import Filter


class Moment(Struct, forbid_unknown_fields=True):
    """When the match goes on, in lines of a scenario.

    `attack` is who attacks whom, one of these; `lies` how such cards lie.
    """

    lines: list[str]
    attack: list[str] = []
    lies: str = ""


class Row(Struct, forbid_unknown_fields=True, kw_only=True):
    """What lies in a zone (`name`): `n` of these `cards`, or any of these `types`.

    `lies` are ways to lie in which some of them do, `rider` the role of what may lie beneath.
    """

    name: str
    n: list[int]
    most: int = 1_000
    types: list[str] = []
    cards: list[str] = []
    tokens: bool = False
    lies: list[str] = []
    rider: str = ""


class Rider(Struct, forbid_unknown_fields=True):
    """What lies beneath others in a role.

    `by`: the filters of the host for what goes well; `on`: what occurs as it is laid there.
    """

    types: list[str]
    by: str
    on: list[str] = []


class Situations(Struct, forbid_unknown_fields=True):
    """What may lie where (`card`: the one that is tried, by its type), and when matches go on."""

    card: dict[str, list[str]]
    moment: list[Moment]
    zone: list[Row]
    #: where cards are played from, and are looked at
    held: str
    looked: str
    #: what lies beneath others, by its role
    rider: dict[str, Rider] = {}
    #: where the card is for texts that wait for this, or are of this kind; otherwise on the field
    usual: dict[str, list[str]] = {}
    #: by what figures of cards may be changed
    more: list[str] = []
    #: how a card lies of which a text asks what is not printed: attribute, value, how
    attribute: dict[str, dict[str, str]] = {}
    #: the attributes that say where a card has come from, and what its texts wait for
    origin: str = ""
    waits: str = ""
    #: how a card lies to which an instruction is done
    done: dict[str, str] = {}
    #: the instructions by which something occurs, or a card is played from a zone
    brings: dict[str, list[str]] = {}
    #: what texts wait for with which cards bring that about, beside those that wait for nothing
    played: list[str] = []
    #: what the other card is in something that occurs
    other: dict[str, Filter] = {}
    #: counters of which a card has fewer than a figure of it (`most`: one fewer)
    below: dict[str, str] = {}


def situations(text: str) -> Situations:
    """Read what a game says."""
    return msgspec.toml.decode(text, type=Situations)


class Slot(Struct):
    """A card as it is laid; `more` is what its figures are changed by."""

    card: str
    lies: list[str] = field(default_factory=list)
    role: str = ""
    rider: str = ""
    more: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        traits = [*self.lies, *([f"with {self.role} {self.rider}"] if self.rider else [])]
        return f"{self.card} [{', '.join(traits)}]" if traits else self.card


#: The cards of each zone and seat, the lowest first.
Table = dict[tuple[str, int], list[Slot]]
