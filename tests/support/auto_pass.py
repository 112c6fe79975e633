"""Random matches whose players set auto-passes now and then, and withdraw some."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from domain.engine.match import Match
from domain.engine.passes.autopass import AutoPass
from domain.record.entries import Entry
from domain.record.events import DecisionMade
from domain.record.views import AUTO
from tests.playouts import Hook, Setup, begin, take_turn


class Lazy(NamedTuple):
    """A match, and what was left in it: after so many entries, by whom, what (None: withdrawn)."""

    log: list[Entry]
    leaves: Mapping[int, tuple[int, AutoPass | None]]

    @property
    def stood(self) -> list[Entry]:
        """The answers that auto-passes gave."""
        return [e for e in self.log if isinstance(e.event, DecisionMade) and e.event.origin == AUTO]


def drawn(rng: Random, match: Match) -> AutoPass:
    """Any auto-pass that the game has words for."""
    steps = [word.name for word in match.rules.manifest.steps]
    named = tuple(rng.sample(steps, rng.choice((0, 0, 0, 2, len(steps)))))
    return AutoPass(rng.random() < 0.6, rng.random() < 0.3, named)


def leave(match: Match, seat: int, left: AutoPass | None) -> None:
    """Have a seat set it, or withdraw its auto-pass."""
    if left is None:
        match.withdraw_auto_pass(seat)
    else:
        assert match.pos.decision is not None
        match.set_auto_pass(seat, match.pos.decision.n, left, match.pos.time)


def play_lazily(setup: Setup, hook: Hook = lambda match, log: None, most: int = 400) -> Lazy:
    """Play up to so many turns of bots, who set and withdraw auto-passes between them."""
    match, rng = begin(setup), Random(setup.seed)
    log, leaves = match.collect(), dict[int, tuple[int, AutoPass | None]]()
    for _ in range(most):
        if match.pos.over:
            break
        if rng.random() < 0.25:
            seat = rng.randrange(2)
            left = None if rng.random() < 0.2 else drawn(rng, match)
            leaves[len(log)] = seat, left
            leave(match, seat, left)
            log += match.collect()
        hook(match, log)
        if not match.pos.over:
            take_turn(match, setup)
            log += match.collect()
    return Lazy(log, leaves)
