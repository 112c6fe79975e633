"""Bots: choose options at random, weighted by rules of thumb, from a seed.

A bot sees its seat's options and, if it is given one, the position as its seat sees it. It knows no
game: it prefers acting to passing and dear cards to cheap ones, and attacks or blocks when the
figures on the board (the manifest's badges) favour it. Used by demo, simulation, tests, benchmarks.
"""

from __future__ import annotations

import random

from domain.engine.rulebook import Dice
from domain.record.decisions import (
    NUMBER,
    PLAIN,
    SECRET,
    TEXT,
    TEXTS,
    Act,
    Offer,
    Option,
    Part,
    joint,
)
from domain.record.fitting.fit import completed
from domain.record.position import Position
from domain.record.schema.manifest import Manifest
from domain.record.values import Ref

#: How likely doing nothing is beside something worth 1; attacks that do not pay; a block; what may
#: be done for ever; to pay as one usually does.
IDLE, FOLLY, BLOCK, FREE, USUAL = 0.12, 0.15, 0.7, 0.02, 0.75
#: What a bot declares where a text is asked for: something that can be done at any time.
SOMETHING = '[{"do": "shuffle"}]'


class Bot:
    """Plays one seat."""

    def __init__(self, manifest: Manifest, seat: int, seed: int | str) -> None:
        self.manifest, self.seat = manifest, seat
        self.rng = random.Random(f"{seed}/{seat}")

    def choose(self, offer: Offer, pos: Position | None = None) -> Act:
        """One of the acts on offer, with its parts picked."""
        options = offer.options
        if len(options) == 1:
            return self.complete(offer, options[0], pos)
        weights = [self._weight(offer, option, pos) for option in options]
        (option,) = self.rng.choices(options, weights)
        return self.complete(offer, option, pos)

    def _weight(self, offer: Offer, option: Option, pos: Position | None) -> float:
        if not option.card and not option.parts:
            return IDLE
        if option.kind in self.manifest.free:
            return FREE
        if pos is not None and pos.attack is not None and not option.parts:  # stepping in
            stands = self.size(pos, option.card) >= self.size(pos, pos.attack.attacker)
            return BLOCK if stands else FOLLY
        if option.kind == "attack" and pos is not None and option.parts:
            pool = offer.pools[option.parts[0].pool]
            return max(self._target_value(pos, option.card, target) for target in pool)
        return 1.0 + 2.0 * sum(part.low for part in option.parts if part.pool >= 0)

    def _target_value(self, pos: Position, attacker: Ref, target: Ref) -> float:
        """The value of an attack: a seat always something, a card if it is the smaller one."""
        if not isinstance(target, int):
            return 1.6
        mine, its = self.size(pos, attacker), self.size(pos, target)
        return 2.0 if mine > its else 0.6 if mine == its else FOLLY

    def size(self, pos: Position, ref: Ref) -> int:
        """How big a card is: its figures added up, less the counters on it."""
        if not isinstance(ref, int) or ref not in pos.cards:
            return 0
        card = pos.cards[ref]
        return sum(card.stat(key) for key in self.manifest.badges) - sum(card.counters.values())

    def complete(self, offer: Offer, option: Option, pos: Position | None = None) -> Act:
        """An act that takes this option, with its parts picked."""
        if joint(option):
            texts = {
                at: self._picks(offer, option, part, pos)
                for at, part in enumerate(option.parts)
                if part.pool in TEXTS
            }
            usual = _pays(option) and self.rng.random() < USUAL
            picks = completed(offer, option, texts, None if usual else self.rng)
        else:
            picks = tuple(self._picks(offer, option, part, pos) for part in option.parts)
        return option.act(picks)

    def _picks(
        self, offer: Offer, option: Option, part: Part, pos: Position | None
    ) -> tuple[Ref, ...]:
        if part.pool == NUMBER:
            return (self.rng.randint(part.low, part.high),)
        if part.pool == SECRET:
            return ("",)  # of any kind, it stands as it is
        if part.pool == TEXT:
            return (SOMETHING[: part.high],)
        limits = part.limits or PLAIN
        pool = offer.pools[part.pool]
        if option.kind == "attack" and pos is not None and part.low == part.high == 1:
            weights = [self._target_value(pos, option.card, target) for target in pool]
            return tuple(self.rng.choices(pool, weights))
        most = min(part.high, len(pool))
        if part.low == most and not limits.ordered and part.low < len(pool):
            return pool[:most]  # payment: the front of a pool is what is best spent
        return tuple(self.rng.sample(pool, self.rng.randint(max(part.low, min(1, most)), most)))


def _pays(option: Option) -> bool:
    """Whether it is paid for out of places that hold several of what is paid with."""
    paid = (part.limits for part in option.parts if part.name == "pay")
    return any(limits is not None and limits.cap > 1 for limits in paid)


def seeded_dice(seed: int | str) -> Dice:
    """Chance that repeats itself: shuffles and throws from a seed."""
    rng = random.Random(f"{seed}/dice")

    def dice(kind: str, of: int) -> tuple[int, ...]:
        if kind not in ("shuffle", "order"):
            return (rng.randrange(of),)
        order = list(range(of))
        rng.shuffle(order)
        return tuple(order)

    return dice
