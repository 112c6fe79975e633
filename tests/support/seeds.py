"""Matches whose chance comes from seeds of the service and of the seats."""

from __future__ import annotations

from hashlib import sha256

from msgspec.structs import replace

from domain.engine.match import Match
from domain.engine.opening import seeding
from domain.record.entries import Entry
from domain.record.proof import draws
from tests.playouts import Setup, opening, take_turn

ID = "k7f3q"
SETUP = Setup(5, ("ST01", "ST03"))


def seed_of(who: object) -> bytes:
    """A seed of somebody's."""
    return sha256(repr(who).encode()).digest()


OWN = seed_of("service")
SERVICE = draws.of_service(ID, OWN)


def bound(seat: int, seed: bytes | None = None) -> bytes:
    """The commitment of a seat."""
    return draws.of_seat(SERVICE, seat, seed_of(seat) if seed is None else seed)


def waiting(setup: Setup = SETUP, *, waits: str = "seeds", best_of: int = 1) -> Match:
    """A match that waits for the seeds of its seats."""
    shared = replace(
        opening(setup), chance="shared", commitment=SERVICE, waits=waits, id=ID, best_of=best_of
    )
    return Match.open(setup.rules, shared, draws.Shared(OWN))


def begun(setup: Setup = SETUP, best_of: int = 1) -> Match:
    """A match that has all seeds, and has begun."""
    match = waiting(setup, best_of=best_of)
    for seat in (0, 1):
        seeding.commit(match, seat, bound(seat), 10)
    for seat in (0, 1):
        seeding.give(match, seat, seed_of(seat), 20)
    return match


def finished(match: Match, setup: Setup = SETUP) -> list[Entry]:
    """Play a match to its end; the whole record, its seeds opened."""
    log = match.collect()
    while not match.pos.over:
        take_turn(match, setup)
        log += match.collect()
    seeding.open_all(match)
    return log + match.collect()
