"""The layout of observations: the sections and columns of the array, and the numbers of words.

Words are numbered in the order of the manifest, cards in that of their ids, from 1 on; 0 is none,
or unknown. What a seat sees is put into it by `observing`; ENV.md says what is in which column.
"""

from __future__ import annotations

from collections.abc import Iterable
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from domain.games.kit.game import Game
from domain.record.values import Value
from service.env.menu import ACTIONS

Array = NDArray[np.int32]
#: Cards beyond those of the lists (tokens), effects that wait, picks of an act: rows for so many.
TOKENS, WAITING, PICKED = 40, 16, 16
#: Texts are numbers up to this: there is no list of all of them.
CODES = 32749

TABLE = (
    "turn", "turn_seat", "step", "game", "my_score", "rival_score", "decision", "asked", "about",
    "attacker", "target_card", "target_seat", "defender", "act", "part", "closed", "page",
)  # fmt: skip
CARD = (
    "card", "zone", "owner", "controller", "up", "orient", "token", "role", "came", "departing",
)  # fmt: skip
LINE = ("sort", "act", "row", "card", "whose", "zone", "text", "effect", "number", "parts")
WAIT = ("source", "effect", "seat", "resolving")


def code(text: str) -> int:
    """The number of a text; two texts have the same one once in `CODES` times."""
    return crc32(text.encode()) % CODES + 1 if text else 0


def number(value: Value) -> int:
    """A figure or a mark as a number: what is set is 1, a text has a code."""
    return code(value) if isinstance(value, str) else int(value or 0)


class Layout:
    """The sections and columns of the observations of a game."""

    def __init__(self, rules: Game, cards: int) -> None:
        """`cards`: how many the lists of all seats have at most."""
        m = rules.manifest
        self.zones = _numbered(zone.name for zone in m.zones)
        self.orients = {zone.name: _numbered(zone.orients) for zone in m.zones}
        self.cards = _numbered(sorted(rules.cards))
        self.steps, self.acts, self.parts, self.decisions, self.roles = (
            _numbered(word.name for word in words)
            for words in (m.steps, m.acts, m.parts, m.decisions, m.roles)
        )
        own = [zone.name for zone in m.zones if not zone.shared]
        shared = [zone.name for zone in m.zones if zone.shared]
        self.places = [
            [*(f"{zone}/{one}" for one in (seat, 1 - seat) for zone in own), *shared]
            for seat in range(m.seats)
        ]
        stats, kinds, marks = ([one.name for one in of] for of in (m.stats, m.counters, m.marks))
        places = [*(f"{whose} {zone}" for whose in ("my", "rival") for zone in own), *shared]
        sides = ("my seat", "rival seat")
        self.table = (
            *TABLE,
            *places,
            *(f"{place} {kind}" for place in (*places, *sides) for kind in kinds),
            *(f"{side} {mark}" for side in sides for mark in marks),
        )
        self.columns = (
            *CARD,
            *(f"stat {one}" for one in stats),
            *(f"counter {one}" for one in kinds),
            *(f"mark {one}" for one in marks),
        )
        self.kinds, self.marks, self.stats = _numbered(kinds), _numbered(marks), _numbered(stats)
        self.rows = cards + TOKENS
        self.sections: dict[str, tuple[int, int]] = {
            "table": (1, len(self.table)),
            "waiting": (WAITING, len(WAIT)),
            "picked": (1, PICKED),
            "menu": (ACTIONS, len(LINE)),
            "cards": (self.rows, len(self.columns)),
        }
        self.size = sum(rows * columns for rows, columns in self.sections.values())

    def split(self, observation: Array) -> dict[str, Array]:
        """The sections of an observation, as tables that share its memory."""
        found, at = {}, 0
        for name, (rows, columns) in self.sections.items():
            found[name] = observation[at : at + rows * columns].reshape(rows, columns)
            at += rows * columns
        return found


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: n for n, name in enumerate(names, 1)}
