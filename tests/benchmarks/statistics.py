"""Statistics: reading facts of matches, beside a bare fold; adding up 10,000, beside a bare read.

    python -m tests.benchmarks.statistics

Facts are read as an official and as the public see a match; entries a second of the processor. What
is added up lies in memory as it would lie in a store: the bare read decodes it and does no more.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from itertools import cycle, islice

from domain.record.entries import Entry, active, decode, encode
from domain.record.folding.fold import fold_all
from domain.record.views import OFFICIAL, PUBLIC
from domain.statistics import facts as facts_
from domain.statistics.facts import Zones, facts
from domain.statistics.figures import Wanted, added, chosen
from tests.benchmarks.table import Found, bracketed, show
from tests.playouts import PAIRS, Setup, play

MATCHES = 10_000
GAMES = ("gundam", "yugioh")


def timed(work: Callable[[], object]) -> float:
    """Seconds of the processor."""
    start = time.process_time()
    work()
    return time.process_time() - start


def matches_of(game: str, n: int) -> list[Setup]:
    """So many matches, each of another pair of decks."""
    return [Setup(seed, (one, other)) for seed, (one, other) in enumerate(PAIRS[game][:n])]


def reading(game: str, rounds: int) -> list[Found]:
    """Facts beside a fold, each from the bytes of the entries."""
    setups = matches_of(game, 3)
    logs = [[encode(entry) for entry in play(setup)] for setup in setups]
    n = sum(map(len, logs))
    zones = Zones.of(setups[0].rules.manifest, setups[0].rules.tallies)

    def rate(read: Callable[[list[Entry]], object]) -> float:
        return n / timed(lambda: [read([*map(decode, log)]) for log in logs])

    found = []
    for name, viewer in (("official", OFFICIAL), ("public", PUBLIC)):
        rates = bracketed(
            lambda: rate(lambda log: fold_all(active(log))),
            partial(rate, partial(facts, viewer=viewer, zones=zones)),
            rounds,
        )
        found.append(Found(
            f"statistics, {game}, facts, {name}",
            f"facts of matches of {game} as the {name} may know them: entries a second of CPU,"
            " beside those of a bare fold", rates.ratios, rates.figures("entries/s"), "",
        ))  # fmt: skip
    return found


def adding(game: str, rounds: int) -> list[Found]:
    """Figures of many matches beside the decoding of their facts."""
    setups = matches_of(game, 4)
    zones = Zones.of(setups[0].rules.manifest, setups[0].rules.tallies)
    kept = [facts_.encode(facts(play(setup), OFFICIAL, zones)) for setup in setups]
    rows = [(f"event.{n}", one) for n, one in enumerate(islice(cycle(kept), MATCHES))]

    def added_up(cards: bool) -> float:
        def work() -> None:
            many = ((match, facts_.decode(one)) for match, one in rows)
            figures = added((one for _, one in chosen(many, Wanted(event="event"))), cards=cards)
            assert figures.matches == MATCHES

        return 1 / timed(work)

    def alone() -> float:
        return 1 / timed(lambda: [facts_.decode(one) for _, one in rows])

    found = []
    for name, cards in (("all but cards", False), ("with cards", True)):
        rates = bracketed(alone, partial(added_up, cards), rounds)
        found.append(Found(
            f"statistics, {game}, figures, {name}",
            f"figures of {MATCHES:,} matches of {game}, {name}: times a second of CPU, beside the"
            " decoding of their facts alone", rates.ratios, rates.figures("times/s"), "",
        ))  # fmt: skip
    return found


def main(rounds: int = 3) -> list[Found]:
    found = [one for game in GAMES for one in (*reading(game, rounds), *adding(game, rounds))]
    for one in found:
        show(one.text, {"ratio": str(one), "figures": one.figures})
    return found


if __name__ == "__main__":
    main()
