"""Runs many matches with made-up cards in several processes, and collects the failures.

The first failure of each kind is reduced to a scenario (`shrink`), the others are listed by seed.
Seeds count up, so a run plays the same matches however many processes share it.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import count, islice
from types import FrameType

from msgspec import Struct

from replay_cli.checking.workers import workers
from replay_cli.playing.fuzz.run import LENGTH, SHARED, Outcome, Stuck, followed, fuzz
from replay_cli.playing.fuzz.shrink import PATIENCE, scenario

#: Matches that are handed to a process at a time, those that share their cards; and how long a
#: match may take, in seconds of processor time.
BATCH, PATIENT = SHARED, 120


class Wanted(Struct, frozen=True):
    """The work of a run: a game's seeds from one on, so many or for so many seconds (0: no end)."""

    game: str
    seed: int
    matches: int
    seconds: float
    jobs: int


class Report(Struct):
    """The result of a run. `failures` are kinds of failures, with their seeds."""

    game: str
    matches: int = 0
    cards: int = 0
    decisions: int = 0
    entries: int = 0
    seconds: float = 0.0
    kinds: dict[str, int] = {}
    failures: dict[str, list[int]] = {}
    scenarios: dict[str, str] = {}


def run_many(wanted: Wanted, patience: float = PATIENCE) -> Report:
    """Run the matches, and shrink the failures."""
    began = time.monotonic()
    report, batches = Report(wanted.game), set[int]()
    for outcome in _outcomes(wanted):
        report.matches += 1
        report.decisions += outcome.decisions
        report.entries += outcome.entries
        report.kinds[outcome.kind] = report.kinds.get(outcome.kind, 0) + 1
        if outcome.seed // SHARED not in batches:
            batches.add(outcome.seed // SHARED)
            report.cards += outcome.cards
        if outcome.finding is not None:
            report.failures.setdefault(outcome.finding.mark, []).append(outcome.seed)
    report.seconds = round(time.monotonic() - began, 1)
    for mark, seeds in report.failures.items():
        seeds.sort()
        report.scenarios[mark] = shrink_first(wanted.game, seeds[:3], mark, patience)
    return report


def shrink_first(game: str, seeds: Sequence[int], mark: str, patience: float) -> str:
    """The scenario that shows a failure; empty if none was found."""
    for seed in seeds:
        outcome, play = followed(game, seed)
        if outcome.finding is None or outcome.finding.mark != mark or play is None:
            continue
        text = scenario(play, outcome.finding, patience)
        if text:
            return text
    return ""


def _outcomes(wanted: Wanted) -> Iterator[Outcome]:
    """Every match's outcome, in the order in which they end."""
    until = time.monotonic() + wanted.seconds if wanted.seconds else None
    batches = _batches(wanted)

    def due() -> bool:
        return until is None or time.monotonic() < until

    if wanted.jobs == 1:
        for seeds in batches:
            for seed in seeds:
                if not due():
                    return
                yield _run(wanted.game, seed)
        return
    with workers(wanted.jobs) as pool:
        pending: set[Future[list[Outcome]]] = {
            pool.submit(_run_batch, wanted.game, seeds)
            for seeds in islice(batches, wanted.jobs * 2)
        }
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            if due():
                pending |= {
                    pool.submit(_run_batch, wanted.game, s) for s in islice(batches, len(done))
                }
            for future in done:
                yield from future.result()


def _batches(wanted: Wanted) -> Iterator[list[int]]:
    seeds = count(wanted.seed)
    left = islice(seeds, wanted.matches) if wanted.matches else seeds
    while batch := list(islice(left, BATCH)):
        yield batch


def _run_batch(game: str, seeds: Sequence[int]) -> list[Outcome]:
    return [_run(game, seed) for seed in seeds]


def _run(game: str, seed: int) -> Outcome:
    """A match that is stopped if it does not end; only a process's first thread can be."""

    def stop(signum: int, frame: FrameType | None) -> None:
        raise Stuck

    try:
        was = signal.signal(signal.SIGPROF, stop)
    except (ValueError, AttributeError):
        return fuzz(game, seed, LENGTH)
    signal.setitimer(signal.ITIMER_PROF, PATIENT)
    try:
        return fuzz(game, seed, LENGTH)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, was)
