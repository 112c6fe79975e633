"""How chance falls at a real table where nobody sees it: it is rolled as it is asked for."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from msgspec.structs import replace

from domain.engine.signals import RollRequired
from domain.officials.frame import Official


class Rolls:
    """The rolls so far.

    A command that asks is begun anew: each of its steps gets the same rolls then, and one more.
    """

    def __init__(self) -> None:
        self._rolled = dict[int, list[tuple[int, ...]]]()

    def used(self, step: int, by: Official, act: Callable[[Official], None]) -> None:
        """Do a step with its rolls; raises `RollRequired` after it has rolled one more."""
        mine = self._rolled.setdefault(step, [])
        try:
            act(replace(by, rolls=tuple(mine)))
        except RollRequired as required:
            order = secrets.SystemRandom().sample(range(required.of), required.of)
            mine.append(tuple(order) if required.kind == "order" else (order[0],))
            raise
