"""The parts of acts that Special Summon without a chain: Materials on the field, or a price.

What binds them is in `effects.summons.makings`; who may be Material of which kind of Summon is in
`effects.summons.materials`; what forbids a Summon and what carries it out, in
`legal.special` and `special`.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.effects.select import Running
from domain.games.kit.choices.rows import Asking
from domain.games.yugioh.choices import costs, uses
from domain.games.yugioh.effects import figures
from domain.games.yugioh.effects.field.places import holding
from domain.games.yugioh.effects.summons import makings
from domain.games.yugioh.effects.summons.makings import Making, of_lines, zones
from domain.games.yugioh.effects.summons.materials import candidates
from domain.games.yugioh.effects.texts import TERMS
from domain.record.decisions import Limits, Part
from domain.record.position import Position

# -- Materials -------------------------------------------------------------------------------------


def making(p: Position, seat: int, card: int) -> Making:
    """The Materials for a Synchro or Xyz Monster, on one's own field."""
    print_ = figures.facts(p, card)
    return of_lines(TERMS, p, seat, print_, candidates(p, seat, print_))


def too_few(p: Position, seat: int, card: int) -> bool:
    """Whether one controls fewer monsters than it takes, line by line."""
    print_ = figures.facts(p, card)
    return makings.too_few(TERMS, p, print_, candidates(p, seat, print_))


def materials(asking: Asking, card: int, text: str) -> Iterator[Part]:
    """A part for each line of Materials; the one Tuner of a Synchro Summon goes by that name."""
    for line in making(asking.p, asking.seat, card).lines:
        yield asking.part(line.name, line.pool, line.low, line.high, line.limits)


def together(asking: Asking, card: int, text: str) -> Limits:
    """No Material serves twice, and those of a Synchro Summon add up to its Level."""
    made = making(asking.p, asking.seat, card)
    return made.joint(asking.pool(made.pool))


# -- what a condition costs ------------------------------------------------------------------------


def price(asking: Asking, card: int, text: str) -> Iterator[Part]:
    """The picks for a monster's own condition, cost by cost."""
    run = uses.running(asking.p, asking.seat, card, text)
    yield from costs.parts(asking.p, run, 0, asking.pool)


def freed_at_most(p: Position, run: Running) -> int:
    """How many Monster Zones a price may leave free."""
    held = {*holding(p, "monster", run.seat)}
    return sum(
        min(cost.n, len(held & {*costs.pool(p, run, cost)})) for cost in costs.picked(run.effect)
    )


def zone_for(asking: Asking, card: int, text: str) -> Limits:
    """Some of the price leaves a Monster Zone, where none is free (ygo:summon.zone.1)."""
    p, seat = asking.p, asking.seat
    run = uses.running(p, seat, card, text)
    pools = [costs.pool(p, run, cost) for cost in costs.picked(run.effect)]
    return Limits(sums=(zones(p, seat, pools),))
