"""What the domain costs, without server or store: folding, playing, looking back, memory.

    python -m tests.benchmarks.domain

Times are of this process's processor, the best of several runs, and what is compared is measured in
the same run, so that a busy machine changes little. The aims are those of the issue that asked for
the figures.
"""

from __future__ import annotations

import gc
import statistics
import time
import tracemalloc
from collections.abc import Callable
from random import Random

import msgspec

from domain.engine.driver import resting
from domain.engine.match import Match
from domain.record.decisions import Act
from domain.record.entries import Entry, decode, encode
from domain.record.events import DecisionMade, Interjected
from domain.record.folding.fold import fold_all
from domain.record.position import Position, decoded
from service.store.layout.compression import HARD, Compression, shipped
from service.store.layout.packing import pack, runs
from tests.benchmarks.table import Found, bracketed, show, yard
from tests.playouts import DECKS, RULES, Dice, Setup, acts, begin, complete, cuts, opening, play

#: Decisions between two snapshots, about as the service keeps them.
SPACING = 50


def best(work: Callable[[], object], times: int = 7) -> float:
    """Processor seconds of the fastest of several runs."""
    return fastest([work], times)[0]


def fastest(works: list[Callable[[], object]], times: int = 9) -> list[float]:
    """The same of several pieces of work, run in turn so that a busy moment hits them all."""
    found: list[list[float]] = [[] for _ in works]
    for _ in range(times):
        for work, seconds in zip(works, found, strict=True):
            start = time.process_time()
            work()
            seconds.append(time.process_time() - start)
    return [min(seconds) for seconds in found]


def setups(n: int, best_of: int = 1) -> list[Setup]:
    """Matches between keen bots, of all deck pairs in turn."""
    return [Setup(at, (DECKS[at % 4], DECKS[at // 4 % 4]), best_of) for at in range(n)]


# -- folding ---------------------------------------------------------------------------------------


def folding(rounds: int) -> Found:
    """Decode and fold stored matches, beside only decoding them."""
    logs = [play(setup) for setup in setups(16)]
    stored = [[encode(entry) for entry in log] for log in logs]
    whole = [encode(log) for log in logs]
    decode_all = msgspec.msgpack.Decoder(list[Entry]).decode
    n = sum(map(len, logs))
    works: list[Callable[[], object]] = [
        lambda: [list(map(decode, match)) for match in stored],
        lambda: [fold_all(map(decode, match)) for match in stored],
        lambda: [decode_all(match) for match in whole],
        lambda: [fold_all(decode_all(match)) for match in whole],
        lambda: [fold_all(log) for log in logs],
    ]
    times = [fastest(works, 4) for _ in range(rounds)]
    rows, rows_folded, bare, folded, only = (min(one) for one in zip(*times, strict=True))
    show(
        f"decoding and folding {len(logs)} matches, {n:,} entries",
        {
            "bare decode, a match in one piece": f"{n / bare:,.0f} entries/s",
            "decode and fold, in one piece": f"{n / folded:,.0f} entries/s",
            "of the bare decode": f"{bare / folded:.2f} (aim 0.65)",
            "bare decode, entry by entry": f"{n / rows:,.0f} entries/s",
            "decode and fold, entry by entry": f"{n / rows_folded:,.0f} entries/s",
            "of that bare decode": f"{rows / rows_folded:.2f}",
            "fold alone": f"{only / n * 1e6:.2f} µs an entry",
        },
    )
    return Found(
        "fold", "decode and fold of a stored match, beside the bare decode",
        tuple(bare / folded for _, _, bare, folded, _ in times),
        f"{n / folded:,.0f} entries/s", "0.65",
    )  # fmt: skip


# -- playing ---------------------------------------------------------------------------------------


def playing(rounds: int) -> Found:
    """Random matches with events, options and digests, nothing stored, beside Python's own pace."""
    wanted = setups(32)

    def run() -> float:
        start = time.process_time()
        made, emitted = map(sum, zip(*map(_quick, wanted), strict=True))
        took = time.process_time() - start
        show(
            f"playing {len(wanted)} random matches, {made:,} decisions",
            {"decisions": f"{made / took:,.0f}/s", "entries": f"{emitted / took:,.0f}/s"},
        )
        return float(made / took)

    _quick(wanted[0])
    found = bracketed(yard, run, rounds)
    return Found(
        "play", "random play: decisions a second of CPU, beside Python's own pace",
        found.ratios, found.figures("decisions/s"), "9,000/s",
    )  # fmt: skip


def _quick(setup: Setup) -> tuple[int, int]:
    """Play a match with one generator for all choices, which is cheaper than one a choice."""
    rng, entries = Random(setup.seed), 0
    match = Match.open(RULES, opening(setup), Dice(setup.seed))
    while (decision := match.pos.decision) is not None:
        seat = decision.seats[0]
        offer = decision.offers[seat]
        assert offer is not None
        act = complete(rng, offer, rng.choice(offer.options))
        match.choose(seat, decision.n, act, match.pos.time + 10)
        entries += len(match.collect())
    return match.pos.decisions, entries


# -- looking back ----------------------------------------------------------------------------------


def long_log(decisions: int = 500) -> tuple[Setup, list[Entry]]:
    """A record of that many decisions, with its setup: as much of a best of three."""
    for setup in setups(200, best_of=3):
        log = play(setup)
        stops = cuts(log)
        if len(stops) >= decisions:
            return setup, log[: stops[decisions - 1]]
    raise AssertionError("no match is that long")


def looking_back() -> None:
    """Open every decision of a long match from its stored bytes, beside playing it again."""
    setup, log = long_log()
    stops = cuts(log)
    stored = [encode(entry) for entry in log]
    bases = _snapshots(log, stops)

    def look(cut: int) -> Position:
        at = max(start for start in bases if start <= cut)
        return fold_all(map(decode, stored[at:cut]), decoded(bases[at]))

    def unsnapped(cut: int) -> Position:
        return fold_all(map(decode, stored[:cut]))

    looks = [best(lambda cut=cut: look(cut), 3) for cut in stops]
    folds = [best(lambda cut=cut: unsnapped(cut), 1) for cut in stops]
    repeated = [best(lambda cut=cut: _resumed(setup, log[:cut]), 1) for cut in stops[::5]]
    assert look(stops[-1]) == _resumed(setup, log).pos
    early, late = looks[: len(looks) // 5], looks[-(len(looks) // 5) :]
    show(
        f"opening any of {len(stops)} decisions ({len(log):,} entries, {len(bases)} snapshots)",
        {
            "from a snapshot, p50 and p99": _two(looks),
            "folding from the start, p50 and p99": _two(folds),
            "playing it again, p50 and p99": _two(repeated),
            "p99, times faster than playing": f"{_p(repeated, 99) / _p(looks, 99):.0f} (aim 10)",
            "the last fifth beside the first, p50": f"{_p(late, 50) / _p(early, 50):.2f} (aim 1)",
            "a snapshot": f"{statistics.mean(map(len, bases.values())) / 1000:.1f} kB",
        },
    )


def _snapshots(log: list[Entry], stops: list[int]) -> dict[int, bytes]:
    """Positions by how many entries they stand for, every so many decisions."""
    wanted = {0, *(resting(log[:cut]) for cut in stops[SPACING - 1 :: SPACING])}
    p, found = Position(), {}
    for at, entry in enumerate(log):
        if at in wanted:
            found[at] = p.encoded()
        fold_all([entry], p)
    return found


def _resumed(setup: Setup, log: list[Entry]) -> Match:
    """The match played again from its start: the same inputs, given to the rulebook."""
    answers = {entry.seq: act for entry, act in acts(log)}
    match = Match.open(RULES, opening(setup), Dice(setup.seed))
    for entry in log:
        match_input(match, entry, answers)
    match.collect()
    return match


def match_input(match: Match, entry: Entry, answers: dict[int, Act]) -> None:
    """Give a match what came in from outside once more."""
    match entry.event:
        case DecisionMade(n=n, seat=seat):
            match.choose(seat, n, answers[entry.seq], entry.time)
        case Interjected(seat=seat, kind=kind, about=about, picks=picks):
            match.interject(seat, kind, entry.time, about, picks.value or ())


def _p(values: list[float], per_cent: int) -> float:
    return sorted(values)[min(len(values) - 1, len(values) * per_cent // 100)]


def _two(values: list[float]) -> str:
    return f"{_p(values, 50) * 1e3:.2f} and {_p(values, 99) * 1e3:.2f} ms"


# -- room ------------------------------------------------------------------------------------------


def room() -> None:
    """Bytes a match, as it is encoded and as it is stored, and what a live match takes."""
    dictionary = Compression(lambda: {1: shipped(RULES.manifest.game)})
    logs = [play(setup) for setup in setups(48)]
    usual = [log for log in logs if 12 <= fold_all(log).turn <= 18]
    encoded = [sum(len(encode(entry)) for entry in log) for log in usual]
    packed = [
        sum(len(pack("match", run, dictionary, 1, HARD)[2]) for run in runs(log)) for log in usual
    ]
    decisions = statistics.mean(len(cuts(log)) for log in usual)
    show(
        f"room: {len(usual)} matches of 12 to 18 turns, {decisions:.0f} decisions each",
        {
            "entries a match": f"{statistics.mean(map(len, usual)):.0f}",
            "encoded, a match": f"{statistics.mean(encoded) / 1000:.1f} kB",
            "in rows, once it has ended": f"{statistics.mean(packed) / 1000:.1f} kB",
            "in rows, the longest": f"{max(packed) / 1000:.1f} kB",
            "a live match in memory": f"{live_bytes() / 1000:.1f} kB (aim 45)",
        },
    )


def live_bytes(matches: int = 24, decisions: int = 90) -> float:
    """What a match in memory takes in the middle of its game, its entries saved elsewhere."""
    for setup in setups(4):
        _stood(setup, decisions)  # what is made once for all matches is not counted
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    live = [_stood(setup, decisions) for setup in setups(matches)]
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (after - before) / len(live)


def _stood(setup: Setup, decisions: int) -> Match:
    match, rng = begin(setup), Random(setup.seed)
    while (decision := match.pos.decision) is not None and decision.n < decisions:
        offer = decision.offers[decision.seats[0]]
        assert offer is not None
        act = complete(rng, offer, rng.choice(offer.options))
        match.choose(decision.seats[0], decision.n, act, match.pos.time + 10)
        match.collect()
    return match


def main(rounds: int = 3) -> list[Found]:
    found = [folding(rounds), playing(rounds)]
    looking_back()
    room()
    return found


if __name__ == "__main__":
    main()
