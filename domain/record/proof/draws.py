"""Draws: where chance comes from."""

from __future__ import annotations

#: Where chance comes from (`MatchOpened.chance`): the service's system; a seed that the service was
#: told, for demonstrations; seeds of the service and of the seats; real dice and real shuffles.
SYSTEM, SEED, SHARED, TABLE = "system", "seed", "shared", "table"
SOURCES = (SYSTEM, SEED, SHARED, TABLE)
HASH = 32
