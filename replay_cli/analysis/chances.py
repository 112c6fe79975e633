"""The chances of a seat to win the game at one decision, by what it did and might have done.

Worlds that agree with what the viewer saw (`playing.policy.sight`) are played to the end of the
game by rules of thumb, the same worlds for each act. The better act is picked by one half of them
and measured by the other, so that the luck of the pick does not count as its merit.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from msgspec import Struct

from domain.engine.rulebook import Refused
from domain.games.kit.game import Game
from domain.record.decisions import Act, Offer
from domain.record.entries import Entry
from domain.record.views import OFFICIAL, redact
from replay_cli.playing.policy.player import Player, Stand, bots_of, step_on
from replay_cli.playing.policy.sight import Parts, Sight, Unsure

#: How many acts are played out beside the one that was taken: the best by a quick look.
OTHERS = 4
#: Decisions after which a game that does not end is weighed as it stands.
FAR = 600
#: Standard deviations of an interval that holds in 95 of 100 cases.
WIDE = 1.96


class Estimate(Struct, frozen=True):
    """A share of 1, and the ends of the interval that it lies in with 95 %."""

    value: float
    low: float
    high: float


class Finding(Struct, frozen=True):
    """A decision: the chance of its seat by what it did, and what did better.

    `worlds`: how many were played for each act; 0: none could be dealt. `better` is empty if no act
    did better; `lost` is by how much, in shares of 1.
    """

    n: int
    seat: int
    turn: int
    worlds: int
    chance: Estimate | None = None
    better: Act | None = None
    lost: Estimate | None = None

    @property
    def sure(self) -> bool:
        """Whether the loss is more than luck of the worlds that were dealt."""
        return self.lost is not None and self.lost.low > 0


class Question(Struct, frozen=True):
    """A decision to look at: how many entries of the line lead to it, and what was done."""

    n: int
    seat: int
    turn: int
    count: int
    offer: Offer
    taken: Act


def estimate(
    rules: Game, line: Sequence[Entry], asked: Question, lists: dict[int, Parts], worlds: int,
    seed: int, *, everything: bool,
) -> Finding:  # fmt: skip
    """What a decision was worth, by what its seat knew, or by `everything` that is recorded."""
    viewer = OFFICIAL if everything else asked.seat
    player = Player(rules, asked.seat, seed)
    player.sight = Sight(rules, viewer, lists)
    player.follow(redact(entry, viewer) for entry in line[: asked.count])
    acts = _acts(player, asked)
    played: list[list[float]] = [[] for _ in acts]
    for n in range(worlds):
        try:
            for act, values in zip(acts, played, strict=True):
                values.append(_played(player.sight, asked.seat, act, f"{seed}/{asked.n}/{n}"))
        except Unsure:
            break
    whole = min(map(len, played))
    return _found(asked, acts, [values[:whole] for values in played], whole)


def _acts(player: Player, asked: Question) -> list[Act]:
    """The act that was taken, and the best of the others by a quick look."""
    others = [act for act in dict.fromkeys(player.acts(asked.offer)) if act != asked.taken]
    worth = dict(zip(others, player.worth(others), strict=False))
    best = sorted(worth, key=lambda act: -worth[act])[:OTHERS]
    return [asked.taken, *best]


def _played(sight: Sight, seat: int, act: Act, seed: str) -> float:
    """How a world ends if this is done: 1 won, 0 lost."""
    match = sight.world(seed)
    try:
        p = match.pos
        assert p.decision is not None
        stand, rules = Stand.of(p), sight.rules
        try:
            match.choose(seat, p.decision.n, act, p.time)
        except Refused:
            return 0.0
        bots = bots_of(rules, seed)
        for _ in range(FAR):
            if stand.ended(match.pos) or match.pos.decision is None:
                break
            step_on(match, bots)
        result = stand.result(match.pos, seat)
        if result is None and rules.worth is not None:
            return rules.worth.chance(rules.tallies, match.pos, seat)
        return 0.5 if result is None else result
    finally:
        match.close()


def _found(
    asked: Question, acts: Sequence[Act], played: Sequence[Sequence[float]], worlds: int
) -> Finding:
    if worlds < 2:
        return Finding(asked.n, asked.seat, asked.turn, 0)
    chance = share(sum(played[0]), worlds)
    half = worlds // 2
    picked = max(range(len(acts)), key=lambda at: sum(played[at][:half]))
    gains = [
        other - own for other, own in zip(played[picked][half:], played[0][half:], strict=True)
    ]
    lost = _mean(gains)
    if not picked or lost.value <= 0:
        return Finding(asked.n, asked.seat, asked.turn, worlds, chance)
    return Finding(asked.n, asked.seat, asked.turn, worlds, chance, acts[picked], lost)


def share(won: float, n: int) -> Estimate:
    """So many of `n`, with Wilson's interval."""
    p, z = won / n, WIDE * WIDE / n
    middle, wide = (p + z / 2) / (1 + z), WIDE * sqrt((p * (1 - p) + z / 4) / n) / (1 + z)
    return Estimate(p, max(middle - wide, 0.0), min(middle + wide, 1.0))


def _mean(values: Sequence[float]) -> Estimate:
    """The mean of differences between pairs; of fewer than four pairs nothing is sure."""
    n = len(values)
    mean = sum(values) / n
    if n < 4:
        return Estimate(mean, -1.0, 1.0)
    spread = sqrt(sum((one - mean) ** 2 for one in values) / (n - 1)) or 1 / n
    wide = WIDE * spread / sqrt(n)
    return Estimate(mean, max(mean - wide, -1.0), min(mean + wide, 1.0))
