"""The games beside one another: how much a match asks, records and takes up, how fast it is played.

    python -m tests.benchmarks.games

Random matches between the bots of `tests.playouts`, over the deck pairs of each game in turn. The
decisions a second of a game are compared with those of the first game, which is played in between.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random

from msgspec import Struct

from domain import games
from domain.record.entries import Entry
from service.store.records import Records
from tests.benchmarks.service_history import end, keep, opening_times, spread, used
from tests.benchmarks.table import Found, bracketed, show
from tests.playouts import Setup, begin, complete, setup_of

#: The game that the others are compared with.
FIRST = games.names()[0]


class Played(Struct, frozen=True):
    """A match, command by command."""

    commands: Sequence[list[Entry]]
    turns: int

    @property
    def entries(self) -> int:
        return sum(map(len, self.commands))


def commands(setup: Setup) -> Iterator[tuple[list[Entry], int]]:
    """The entries of each command of a random match, and the turn by then."""
    match, rng = begin(setup), Random(setup.seed)
    yield match.collect(), 0
    while (decision := match.pos.decision) is not None:
        offer = decision.offers[decision.seats[0]]
        assert offer is not None
        act = complete(rng, offer, rng.choice(offer.options))
        match.choose(
            decision.seats[0], decision.n, act, match.pos.time + rng.randrange(500, 30_000)
        )
        yield match.collect(), match.pos.turn


def setups(game: str, n: int) -> list[Setup]:
    """Single games over all deck pairs."""
    return [setup_of(seed, False, game)._replace(best_of=1) for seed in range(n)]


def rate(game: str, n: int) -> float:
    """Decisions a second of the processor, nothing stored."""
    wanted, made = setups(game, n), 0
    start = time.process_time()
    for setup in wanted:
        made += sum(1 for _ in commands(setup))
    return made / (time.process_time() - start)


def pace(game: str, n: int, rounds: int) -> Found:
    """Decisions a second beside the first game's."""
    found = bracketed(lambda: rate(FIRST, n), lambda: rate(game, n), rounds)
    return Found(
        f"play {game}", f"decisions a second of random play: {game}, beside {FIRST}",
        found.ratios, found.figures("decisions/s"), "0.5",
    )  # fmt: skip


def room(game: str, n: int, samples: int) -> dict[str, str]:
    """What a match has, what it takes up while it is played and once it is over, and any look."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "matches.kifu"
        with closing(Records(path)) as records:
            records.use_dictionary(game)
            empty, _ = used(path)
            played = []
            for at, setup in enumerate(setups(game, n)):
                found = [*commands(setup)]
                played.append(Played([entries for entries, _ in found], found[-1][1]))
                keep(records, f"m{at:04}", played[-1].commands, game)
            live, _ = used(path)
            looks = _looks(records, played, samples)
            for at in range(n):
                end(records, f"m{at:04}")
            over, _ = used(path)
            return {
                "turns, decisions, entries a match": ", ".join(
                    f"{statistics.mean(figures):,.0f}"
                    for figures in (
                        [one.turns for one in played],
                        [len(one.commands) - 1 for one in played],
                        [one.entries for one in played],
                    )
                ),
                "stored, a live match": f"{(live - empty) / n / 1000:.1f} kB",
                "once it is over": f"{(over - empty) / n / 1000:.1f} kB",
                "opening any decision, live": spread(looks),
                "once it is over ": spread(_looks(records, played, samples)),
            }


def _looks(records: Records, played: Sequence[Played], samples: int) -> list[float]:
    return sorted(
        seconds
        for at, one in enumerate(played)
        for seconds in opening_times(records, f"m{at:04}", len(one.commands) - 1, samples)
    )


def main(rounds: int = 3) -> list[Found]:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=30)
    parser.add_argument("--samples", type=int, default=5, help="decisions of a match, each viewer")
    given = parser.parse_args()
    for game in games.names():
        show(f"a match of {game}", room(game, given.matches, given.samples))
    return [pace(game, given.matches // 2, rounds) for game in games.names() if game != FIRST]


if __name__ == "__main__":
    main()
