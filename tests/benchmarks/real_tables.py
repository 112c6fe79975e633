"""What a real table and its officials cost, without server or store.

    python -m tests.benchmarks real_tables

Entering a match that was dealt elsewhere, beside dealing it (naming a card means that a command is
tried again from the last resting point); going back to a decision, beside playing the match again.
"""

from __future__ import annotations

import statistics
import time
from random import Random

from domain.engine.match import Match
from domain.officials.frame import Official
from domain.officials.rewind import preview, rewind
from domain.record.entries import Entry
from domain.record.events import DecisionOpened
from domain.record.position import decoded
from replay_cli.playing.fuzz.tables import Scorekeeper, at_table, names_in
from tests.benchmarks.domain import setups
from tests.benchmarks.table import show
from tests.playouts import Dice, Setup, answer, begin, opening, play


def entering(matches: int = 6) -> None:
    """Seconds of the processor for dealing matches, and for entering them once more."""
    dealing = entering = 0.0
    decisions = named = 0
    for setup in setups(matches):
        dealt = begin(setup)
        keeper = Scorekeeper(at_table(setup.rules, opening(setup), dealt.collect()))
        while (decision := dealt.pos.decision) is not None:
            seat, n = decision.seats[0], decision.n
            offer = decision.offers[seat]
            assert offer is not None
            act, now, before = answer(setup, n, offer), dealt.pos.time + 10, dealt.pos.encoded()
            start = time.process_time()
            dealt.choose(seat, n, act, now)
            dealing += time.process_time() - start
            entries = dealt.collect()
            name = names_in(decoded(before), entries)
            start = time.process_time()
            keeper.enter(
                lambda match, inputs, s=seat, n=n, a=act, t=now: match.choose(
                    s, n, a, t, inputs=inputs
                ),  # type: ignore[misc]
                entries,
                name,
            )
            entering += time.process_time() - start
            decisions += 1
        named += keeper.asked
    show(
        f"a real table: {matches} matches, {decisions:,} decisions, {named} cards named when asked",
        {
            "dealt": f"{decisions / dealing:,.0f} decisions/s",
            "entered, the whole log at hand for every name": f"{decisions / entering:,.0f}/s",
            "of dealing": f"{dealing / entering:.2f}",
        },
    )


def going_back(times: int = 60) -> None:
    """Milliseconds for a preview and a rewind anywhere in a long match, beside playing it again."""
    setup = max(setups(8), key=lambda setup: len(play(setup)))
    log = _unfinished(setup)
    rng, numbers = Random(1), [e.event.n for e in log if isinstance(e.event, DecisionOpened)][4:-1]
    seen: list[float] = []
    done: list[float] = []
    for _ in range(times):
        n, by = rng.choice(numbers), Official("judge", log[-1].time + 10, "put right")
        start = time.process_time()
        preview(log, n, setup.rules.manifest)
        seen.append(time.process_time() - start)
        start = time.process_time()
        rewind(setup.rules, log, n, by, Dice(7))
        done.append(time.process_time() - start)
    start = time.process_time()
    play(setup)
    repeated = time.process_time() - start
    show(
        f"going back in a match of {numbers[-1]} decisions, {len(log):,} entries",
        {
            "preview": f"{_ms(statistics.median(seen))} p50, {_ms(max(seen))} at the most",
            "rewind": f"{_ms(statistics.median(done))} p50, {_ms(max(done))} at the most",
            "playing it again": f"{_ms(repeated)}: "
            f"{repeated / statistics.median(done):.1f} times that",
        },
    )


def _unfinished(setup: Setup) -> list[Entry]:
    """The log of a match but for its last decision."""
    match: Match = begin(setup)
    log = match.collect()
    while (decision := match.pos.decision) is not None:
        seat = decision.seats[0]
        offer = decision.offers[seat]
        assert offer is not None
        match.choose(seat, decision.n, answer(setup, decision.n, offer), match.pos.time + 10)
        if match.pos.over:
            break
        log += match.collect()
    return log


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


def main() -> None:
    entering()
    going_back()


if __name__ == "__main__":
    main()
