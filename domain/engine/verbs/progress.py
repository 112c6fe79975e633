"""Where the rules stand in their work, beyond the position: nothing here is part of the record.

All of it is made again when a match is resumed, so nothing that is recorded may hang on it in
another way than on the entries since the last resting point. Each group is read and written by
those whose work it is: `Due` by what settles the rules (`games.kit.effects.processes`), `Running`
by what carries texts out (`effects.interpreter`, `games.kit.effects`), `Asked` by the `table`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from domain.record import events as ev
from domain.record.decisions import Offer
from domain.record.values import Ref


class Due:
    """Work that may be due since the rules settled: numbers to derive, rule processes to carry out.

    touched: Something happened after which they may have to settle.
    changed: Something happened that numbers and states of cards follow from.
    numbers: Numbers may have to be derived (`effects.constant.texts.derive`): something happened to
        cards that have any, or texts act that may read anything.
    silenced: Some card may be under a text that takes its texts away.
    unchecked_from: Rule processes have yet to look at cards from this number on.
    damage: The latest damage to each card or seat, with who dealt it.
    """

    __slots__ = ("changed", "damage", "numbers", "silenced", "touched", "unchecked_from")

    def __init__(self) -> None:
        self.touched = self.changed = self.numbers = self.silenced = True
        self.unchecked_from = 1
        self.damage = dict[Ref, ev.DamageDealt]()


class Running:
    """How far the carrying out of texts has come.

    noted: What has occurred and has not set texts off yet.
    happened: The moment of the latest thing that happened, where a game asks.
    since: The moment at which the latest waiting effect began to be carried out.
    depth: How deep texts are carrying out each other.
    clauses: How many were carried out since somebody answered or a step began.
    using: The card whose effect somebody uses, while its costs are met; 0: none.
    stood: What constant texts did since then, by text and card.
    """

    __slots__ = ("clauses", "depth", "happened", "noted", "since", "stood", "using")

    def __init__(self) -> None:
        self.noted = list[Any]()
        self.happened = self.since = self.depth = self.clauses = self.using = 0
        self.stood = Counter[str]()

    def count_anew(self) -> None:
        """Somebody answers, or a step begins: what was done before goes on no longer."""
        self.clauses = 0
        self.stood.clear()

    @contextmanager
    def use(self, source: int) -> Iterator[None]:
        """What is done within meets the costs of an effect of that card."""
        before, self.using = self.using, source
        try:
            yield
        finally:
            self.using = before


class Asked:
    """The decisions that the table has asked.

    offers: What is open to each seat, as it was asked.
    by: The rules by which it was.
    renew: What makes the open offer for a table as of now, if that may depend on cards that
        nobody has named.
    last: A decision opened from now on has a higher number.
    rested: The last decision that was opened at rest; 0: not known.
    """

    __slots__ = ("by", "last", "offers", "renew", "rested")

    def __init__(self) -> None:
        self.offers = dict[int, Offer]()
        self.by: tuple[str, ...] = ()
        self.renew: Callable[[Any], Offer] | None = None  # of a table
        self.last = self.rested = 0
