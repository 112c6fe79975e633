"""What looking back costs, and what a match takes up on disk and in memory.

    python -m tests.benchmarks.service_history

Opening any decision of a match of some 1,000 decisions that is not in memory, for every viewer,
beside playing the game again up to there; the same in matches of a fifth and of five times that
length, since it should not matter, and once the match was repacked. Then a list of 50 of 10,000
matches, and bytes on disk and in memory for a match of 15 turns.

Times are of the processor, so that whatever else runs on the machine does not count.
"""

from __future__ import annotations

import argparse
import gc
import sqlite3
import statistics
import tempfile
import time
import tracemalloc
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random

from msgspec.structs import replace

from domain import games
from domain.engine.match import Deck, Match, Opening, Refused
from domain.record.entries import Entry, encode
from domain.record.events import ChanceDrawn, DecisionMade, MatchOpened
from domain.record.points import Point
from domain.record.views import OFFICIAL, PUBLIC
from service.dice import Dice
from service.store.derived import listing
from service.store.derived.searching import Wanted, search
from service.store.history import History
from service.store.layout.repacking import repack_statements
from service.store.records import Records, Work
from service.store.tables import lists
from tests.benchmarks.table import show

GAME, DECKS = "gundam", ("ST01", "ST03")
RULES = games.rulebook(GAME)
MATCHES, MANY = 40, 10_000


def play(seed: int, best_of: int = 1) -> tuple[list[list[Entry]], int]:
    """A random match, command by command, and its turns."""
    rng = Random(seed)
    decks = tuple(Deck(name, RULES.decks[name]) for name in DECKS)
    match = Match.open(RULES, Opening(("A", "B"), decks, 0, best_of), Dice(seed))
    commands, turns = [match.collect()], 0
    while (decision := match.pos.decision) is not None:
        seat = decision.seats[0]
        offer = decision.offers[seat]
        assert offer is not None
        option = rng.choice(offer.options)
        try:
            act = option.act()
            match.choose(seat, decision.n, act, match.pos.time + rng.randrange(500, 30_000))
        except Refused:
            continue
        commands.append(match.collect())
        turns = max(turns, match.pos.turn)
    return commands, turns


def keep(records: Records, match: str, commands: Sequence[list[Entry]], game: str = GAME) -> None:
    history = History(records)
    for command in commands:
        records.write(Work(match, command, listing.derive(match, command, at=0), game))
    records.write(Work(match, (), history.advance(match)))


def rerun(log: Sequence[Entry], decision: int) -> None:
    """Play a match again up to a decision, from the recorded answers and chance."""
    drawn = iter(e.event.result.value for e in log if isinstance(e.event, ChanceDrawn))
    answers = (e.event for e in log if isinstance(e.event, DecisionMade))
    heading = log[0].event
    decks = [event for e in log[1:3] if (event := e.event)]
    opening = Opening(
        heading.seats,  # type: ignore[union-attr]
        tuple(Deck(d.name, d.cards.value) for d in decks),  # type: ignore[union-attr, arg-type]
        0,
        heading.best_of,  # type: ignore[union-attr]
    )
    match = Match.open(RULES, opening, lambda kind, of: next(drawn) or ())
    for answer in answers:
        open_now = match.pos.decision
        if open_now is None or open_now.n == decision:
            return
        offer = open_now.offers[answer.seat]
        assert offer is not None
        assert answer.answer.value is not None
        option = offer.options[answer.answer.value.option]
        act = option.act(answer.answer.value.picks)
        match.choose(answer.seat, answer.n, act, match.pos.time)


def opening_times(records: Records, match: str, decisions: int, samples: int) -> list[float]:
    history, rng, times = History(records), Random(1), []
    for viewer in (OFFICIAL, PUBLIC, 0, 1):
        for _ in range(samples):
            n = rng.randint(1, decisions)
            start = time.thread_time()
            history.position(match, viewer, Point(decision=n))
            times.append(time.thread_time() - start)
    return sorted(times)


def spread(times: Sequence[float]) -> str:
    """The median and the slowest but one of a hundred."""
    p99 = times[int(len(times) * 0.99)]
    return f"p50 {statistics.median(times) * 1e3:.2f} ms, p99 {p99 * 1e3:.2f} ms"


def end(records: Records, match: str) -> None:
    """Repack a match, as the service does once it is over."""
    records.write(Work("", (), [lists.added(listing.UNPACKED, 0, match)]))
    records.write(Work(match, (), repack_statements(records, match)))


def measure_opening(records: Records, samples: int) -> dict[str, str]:
    long, short = play(0, 7)[0], play(1)[0]
    log = [entry for command in long for entry in command]
    decisions, few = len(long) - 1, len(short) - 1
    longest = play(0, 35)[0]
    keep(records, "long", long)
    keep(records, "short", short)
    keep(records, "longest", longest)
    times = opening_times(records, "long", decisions, samples)
    figures = {
        f"in a match of {n} decisions": spread(opening_times(records, match, n, samples))
        for match, n in (("short", few), ("longest", len(longest) - 1))
    }
    end(records, "long")
    repeated = []
    for n in [decisions // 2, decisions] * 3:
        start = time.thread_time()
        rerun(log, n)
        repeated.append(time.thread_time() - start)
    p99, whole = times[int(len(times) * 0.99)], min(repeated[1::2])
    return {
        "decisions, entries": f"{decisions}, {len(log)}",
        "playing it again": f"{whole * 1e3:.1f} ms (half of it: {min(repeated[::2]) * 1e3:.1f} ms)",
        "opening any decision": f"{spread(times)} (aim 0.5, 1)",
        "once it was repacked": spread(opening_times(records, "long", decisions, samples)),
        **figures,
        "times faster, p99": f"{whole / p99:.0f} (aim 10)",
    }


def measure_lists(path: Path) -> dict[str, str]:
    """A list of 50 of 10,000 matches, by game and by label, and opening the file."""
    records = Records(path)
    first = play(0)[0][0]
    opened = first[0].event
    assert isinstance(opened, MatchOpened)
    for start in range(0, MANY, 500):
        works = []
        for at in range(start, start + 500):
            game = "gundam" if at % 100 else "another"
            event = replace(opened, game=game, at=at, labels={"round": str(at % 20)})
            match, entries = f"l{at:05}", [replace(first[0], event=event), *first[1:]]
            works.append(Work(match, entries, listing.derive(match, entries)))
        records.write(*works)
    figures = {}
    for what, labels, game in (
        ("of a game", {}, "gundam"),
        ("of a game with few", {}, "another"),
        ("of a game with none", {}, "nothing"),
        ("by a label", {"round": "7"}, ""),
        ("by a label and a game", {"round": "7"}, "gundam"),
    ):
        times = []
        for _ in range(40):
            start_time = time.thread_time()
            search(records, Wanted(labels, game), limit=50)
            times.append(time.thread_time() - start_time)
        figures[what] = f"{spread(sorted(times))} (aim 1)"
    records.close()
    start_time = time.perf_counter()
    records = Records(path)
    for game in games.names():
        records.use_dictionary(game)
    figures["opening the file"] = f"{(time.perf_counter() - start_time) * 1e3:.0f} ms"
    records.close()
    return figures


def measure_bytes(path: Path) -> dict[str, str]:
    records = Records(path)
    records.use_dictionary(GAME)
    empty, _ = used(path)
    turns = entries = plain = 0
    for seed in range(MATCHES):
        commands, length = play(seed)
        keep(records, f"m{seed:04}", commands)
        turns += length
        entries += sum(map(len, commands))
        plain += sum(len(encode(entry)) for command in commands for entry in command)
    share = 15 / turns
    stored, parts = used(path)
    figures = {
        "matches": f"{MATCHES}, of {turns / MATCHES:.1f} turns, {entries / MATCHES:.0f} entries",
        "an entry encoded, stored": f"{plain / entries:.0f} B, {stored / entries:.0f} B all in",
        "a live match of 15 turns": f"{(stored - empty) * share / 1000:.1f} kB (aim 24)",
        "of which": ", ".join(f"{name} {size * share / 1000:.1f} kB" for name, size in parts),
    }
    for seed in range(MATCHES):
        end(records, f"m{seed:04}")
    records.close()
    stored, parts = used(path)
    return {
        **figures,
        "once it was repacked": f"{(stored - empty) * share / 1000:.1f} kB (aim 14)",
        "of which then": ", ".join(f"{name} {size * share / 1000:.1f} kB" for name, size in parts),
    }


def used(path: Path) -> tuple[int, list[tuple[str, int]]]:
    """The bytes of the pages that are in use, and of the tables that have most; indexes count."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        tables = (
            "SELECT m.tbl_name, sum(pgsize) FROM dbstat d JOIN sqlite_master m ON m.name=d.name"
            " GROUP BY 1 ORDER BY 2 DESC"
        )
        parts = connection.execute(tables).fetchall()
    return sum(size for _, size in parts), parts[:2]


def measure_memory(path: Path) -> dict[str, str]:
    """Matches half played, as the service holds them."""
    records = Records(path)
    history = History(records)
    logs = []
    for seed in range(30):
        commands, _ = play(seed)
        half = [entry for command in commands[: len(commands) // 2] for entry in command]
        records.write(Work(f"h{seed}", half))
        records.write(Work(f"h{seed}", (), history.advance(f"h{seed}")))
        logs.append(f"h{seed}")
    live = []
    gc.collect()
    tracemalloc.start()
    for match in logs:
        base = history.resting(match)
        tail = records.entries(match, base.seq if base is not None else 0)
        live.append(Match.resume(RULES, tail, Dice(0), base))
        del base, tail
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    records.close()
    return {"a live match in mid-game": f"{held / len(live) / 1000:.0f} kB (aim 128)"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=200)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        records = Records(Path(name) / "opening.kifu")
        records.use_dictionary(GAME)
        show("opening a decision", measure_opening(records, given.samples))
        records.close()
        show("lists", measure_lists(Path(name) / "lists.kifu"))
        show("bytes", measure_bytes(Path(name) / "bytes.kifu"))
        show("memory", measure_memory(Path(name) / "memory.kifu"))


if __name__ == "__main__":
    main()
