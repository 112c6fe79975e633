"""Whether anything takes longer in a store of 10,000 matches than in one of 100.

    python -m tests.benchmarks.cluster many

Both stores hold copies of the same matches (`copies`), 10,000 of them more than 10 million entries,
and are asked in turn for the same: so whatever else the machine does weighs on both alike. The
ratio is the small store's time to the large one's: 1 is flat.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

from domain import games
from domain.engine.match import Match
from domain.record.points import Point
from domain.record.views import PUBLIC
from service.dice import Dice
from service.store import chains
from service.store.derived import listing, searching
from service.store.derived.searching import Wanted
from service.store.history import History
from service.store.records import Records
from tests.benchmarks.cluster import copies
from tests.benchmarks.cluster.copies import Copies, Source
from tests.benchmarks.cluster.database import Cluster
from tests.benchmarks.table import Found

FEW, MANY = 100, 10_000
#: How often each is asked for, and how many matches are on a page: as many as either store has.
TIMES, LISTED = 250, 10


class Store(NamedTuple):
    """A store of copies, opened to be read."""

    records: Records
    copies: Copies


#: What is asked of a store about its copy of a number, and how many times less often.
Question = Callable[[Store, int], object]


def page(store: Store, at: int) -> object:
    """The newest matches."""
    return searching.search(store.records, limit=LISTED)


def further(store: Store, at: int) -> object:
    """Those that come after some time; there are enough of them in either store."""
    before = copies.AT + copies.SOURCES // 2 + at % (copies.SOURCES // 2), ""
    return searching.search(store.records, before=before, limit=LISTED)


def labelled(store: Store, at: int) -> object:
    """Those of a label."""
    return searching.search(store.records, Wanted({"round": "3"}), limit=LISTED)


def live(store: Store, at: int) -> object:
    """Those that are being played."""
    return searching.search(store.records, Wanted(state=listing.LIVE), limit=LISTED)


def decision(store: Store, at: int) -> object:
    """The position at some decision, as the public sees it."""
    wanted = 1 + at * 7919 % (store.copies.of(at).entries // 12)
    return History(store.records).position(store.copies.ids[at], PUBLIC, Point(decision=wanted))


def resume(store: Store, at: int) -> object:
    """The match as a server takes it into memory, to go on with it."""
    records, match = store.records, store.copies.ids[at]
    base = History(records).resting(match)
    tail = records.entries(match, base.seq if base is not None else 0)
    return Match.resume(games.rulebook(copies.GAME), tail, Dice(0), base)


def verify(store: Store, at: int) -> object:
    """Whether all entries of the match lead to its head."""
    return chains.check(store.records, store.copies.ids[at])


QUESTIONS: dict[Question, tuple[str, int]] = {
    page: ("a page of the newest matches", 1),
    further: ("a page from anywhere on", 1),
    labelled: ("a page of those with a label", 1),
    live: ("a page of those that are being played", 1),
    decision: ("any decision of any match", 1),
    resume: ("taking a match into memory", 2),
    verify: ("verifying the chain of a match", 8),
}


class Asked(NamedTuple):
    """How long a question took of each store, in seconds."""

    few: list[float]
    many: list[float]

    def at(self, part: float) -> tuple[float, float]:
        """That which `part` of them did not take longer than."""
        few, many = sorted(self.few), sorted(self.many)
        return few[int(len(few) * part)], many[int(len(many) * part)]


def ask(few: Store, many: Store, question: Question, times: int) -> Asked:
    """Ask both in turn, each for matches that are alike."""
    rng, found = Random(1), Asked([], [])
    for _ in range(times):
        at = rng.randrange(MANY)
        for store, took in ((few, found.few), (many, found.many)):
            asked = at if store is many else at % FEW
            start = time.perf_counter()
            question(store, asked)
            took.append(time.perf_counter() - start)
    return found


@contextmanager
def in_files(sources: Sequence[Source], sizes: Sequence[int]) -> Iterator[list[Store]]:
    """Stores of so many copies each, in files."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        found = []
        for number, size in enumerate(sizes):
            path, made = folder / f"{number}.kifu", Copies(sources, size)
            with closing(Records(path)) as records:
                records.use_dictionary(copies.GAME)
            copies.into_sqlite(path, made)
            found.append(Store(stack.enter_context(closing(Records(path))), made))
        yield found


@contextmanager
def in_databases(
    cluster: Cluster, sources: Sequence[Source], sizes: Sequence[int]
) -> Iterator[list[Store]]:
    """The same in databases of a cluster."""
    with ExitStack() as stack:
        found = []
        for size in sizes:
            url, made = cluster.database(), Copies(sources, size)
            stack.callback(cluster.drop, url)
            records = stack.enter_context(closing(Records(url)))
            records.use_dictionary(copies.GAME)
            copies.into_postgres(url, made)
            found.append(Store(records, made))
        yield found


def sources() -> list[Source]:
    """The matches of which all are copies."""
    with tempfile.TemporaryDirectory() as name, closing(Records(Path(name) / "some")) as records:
        records.use_dictionary(copies.GAME)
        return [copies.source(records, match) for match in copies.play(records)]


def measure(stores: Sequence[Store], where: str, times: int = TIMES) -> list[Found]:
    """Ask both stores everything."""
    few, many = stores
    found = []
    for question, (text, rarer) in QUESTIONS.items():
        ask(few, many, question, times // rarer // 10)
        asked = ask(few, many, question, times // rarer)
        p50, p99 = asked.at(0.5), asked.at(0.99)
        found.append(
            Found(
                f"many, {question.__name__}, {where}",
                f"{text}, of {MANY:,} matches with {many.copies.entries / 1e6:.1f} million entries"
                f" in {where}: p50 and p99 beside those of {FEW}",
                (p50[1] / p50[0], p99[1] / p99[0]),
                f"p50 {p50[1] * 1e3:.2f} ms ({p50[0] * 1e3:.2f}),"
                f" p99 {p99[1] * 1e3:.2f} ms ({p99[0] * 1e3:.2f});"
                f" mean {statistics.mean(asked.many) * 1e3:.2f} ms",
                "1",
                less=True,
            )
        )
    return found


def main(cluster: Cluster | None) -> list[Found]:
    """In a file, and in PostgreSQL if there is one."""
    some = sources()
    with in_files(some, (FEW, MANY)) as stores:
        found = measure(stores, "SQLite")
    if cluster is not None:
        with in_databases(cluster, some, (FEW, MANY)) as stores:
            found += measure(stores, "PostgreSQL")
    return found
