"""Positions that are impossible in this game between two moments.

That is a player with two Soul Cores, and cards that the rules would have taken away by themselves.
Cards that are nowhere are for `domain.engine.checks.invariants`.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.signals import unknown
from domain.games.battle_spirits.effects import cores, figures
from domain.games.battle_spirits.effects.texts import TERMS
from domain.games.battle_spirits.manifest import CORES, SOUL
from domain.games.kit.zones.room import Belongings, strays
from domain.record.position import Position
from domain.words.phrases import Phrase, phrase

#: Cores lie on cards of the Field; there are no tokens.
BELONGINGS = Belongings(counters=dict.fromkeys(CORES, ("field",)), ties=("field",))


def disorder(p: Position, quiet: bool) -> Iterator[Phrase]:
    """Everything against the rules; more must be true where nothing is under way (`quiet`)."""
    yield from strays(p, BELONGINGS)
    souls = cores.totals(p)[SOUL]
    if souls > 2:
        yield phrase("there are {n} Soul Cores", n=souls)  # bs:5-7-3
    if not quiet:
        return
    for seat in (0, 1):
        for number in p.zone("limbo", seat):
            yield phrase("card {number} was used, and nothing is carried out", number=number)
        for number in p.zone("field", seat):
            if not unknown(p, number) and figures.lacking(TERMS, p, number):
                yield phrase("card {number} has too few cores and stays", number=number)
