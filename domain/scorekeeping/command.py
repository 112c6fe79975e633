"""Commands of the scorekeeper to the service, and their outcomes."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from domain.engine.passes.autopass import AutoPass
from domain.record.decisions import Act, Offer

#: What is named where nobody noted which card it was.
NOBODY_KNOWS = "????"


class Command(Struct, frozen=True):
    """An act of a seat, as `text` says it: the answer to the open decision, or `interjected`.

    `names` says which cards are which by number, `rolls` how chance fell. `implied`: it was not
    typed, but follows from the next act. `passes`: so many decisions before it are let pass, which
    it implies; `ends` are the acts among them that end the turn, or a phase of it.
    `irregular`: it stands although the rules refuse it. `auto_pass` is what the seat sets in place
    of an act, `withdraws` whether it withdraws its auto-pass; `renames` says that the cards of
    `names` were named wrongly before.
    """

    seat: int
    act: Act
    text: str = ""
    names: Mapping[int, str] = {}
    rolls: tuple[tuple[int, ...], ...] = ()
    interjected: bool = False
    implied: bool = False
    irregular: bool = False
    passes: int = 0
    ends: tuple[str, ...] = ()
    auto_pass: AutoPass | None = None
    withdraws: bool = False
    renames: bool = False


class Recorded(Struct, frozen=True):
    """It is recorded, in the entries up to this one."""

    last_seq: int


class NamesMissing(Struct, frozen=True):
    """Nothing is recorded: these cards must be named first, each a number and where it lies."""

    cards: tuple[tuple[int, str], ...]


class RollMissing(Struct, frozen=True):
    """Nothing is recorded: the outcome of chance is missing, an order or one `of` outcomes."""

    kind: str
    of: int


class Rejected(Struct, frozen=True):
    """Nothing is recorded: why, and by which rules, the narrowest first."""

    reason: str
    text: str
    rules: tuple[str, ...] = ()


Outcome = Recorded | NamesMissing | RollMissing | Rejected


class Trial(Struct, frozen=True):
    """The service's answer about a command in advance: why it would be refused, if it would.

    `offer` is what would be open to its seat, once the cards are known that it names; None: that is
    as it is here.
    """

    refused: Rejected | None = None
    offer: Offer | None = None
