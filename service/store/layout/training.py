"""Training of the dictionaries that rows are compressed with (`compression`).

    python -m service.store.layout.training [GAME…]

plays random matches of a game, from the same seeds each time, and writes what zstd learns from
their rows to `dictionaries`. A new dictionary is worth its room where an engine writes much that is
new; rows that were written with an older one are read with that.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from random import Random
from typing import Any

import zstandard

from domain import games
from domain.engine.match import Deck, Match, Opening, Refused
from domain.engine.rulebook import Rulebook
from domain.record.entries import Entry
from service.dice import Dice
from service.store.layout import packing
from service.store.layout.compression import FOLDER, HARD

#: How many matches are played, and how much of them is used, in bytes.
MATCHES, SIZE = 48, 65_536
#: Choices after which a match goes on no longer: some games never end where the choices are random.
MOST = 400


def train(rules: Rulebook, matches: int = MATCHES, size: int = SIZE) -> bytes:
    """A dictionary for the records of a game."""
    rows: list[Any] = [packing.plain(row) for seed in range(matches) for row in played(rules, seed)]
    return bytes(zstandard.train_dictionary(size, rows, level=HARD).as_bytes())


def played(rules: Rulebook, seed: int, most: int = MOST) -> Iterator[Sequence[Entry]]:
    """A match played at random, command by command; its choices mean nothing."""
    rng = Random(seed)
    pairs = list(combinations_with_replacement(rules.decks.items(), rules.manifest.seats))
    decks = tuple(Deck(*deck) for deck in rng.choice(pairs))
    seats = tuple(f"seat {seat}" for seat in range(rules.manifest.seats))
    match = Match.open(rules, Opening(seats, decks, 1_700_000_000_000 + seed), Dice(seed))
    yield match.collect()
    for _ in range(most):
        decision = match.pos.decision
        if decision is None:
            return
        offer = decision.offers[decision.seats[0]]
        assert offer is not None
        option = rng.choice(offer.options)
        act = option.act()
        now = match.pos.time + rng.randrange(500, 30_000)
        try:
            match.choose(decision.seats[0], decision.n, act, now, f"{rng.getrandbits(64):016x}")
        except Refused:
            continue
        yield match.collect()


def main(wanted: Sequence[str]) -> None:
    """Write the dictionaries of games."""
    FOLDER.mkdir(exist_ok=True)
    for game in wanted or games.names():
        path = FOLDER / f"{game}.zdict"
        path.write_bytes(train(games.rulebook(game)))
        print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
