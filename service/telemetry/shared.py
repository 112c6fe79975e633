"""Metrics of what servers share: the store, news, caches of matches.

Each class is a part of `metrics.Metrics`, and can be used alone: a caller without metrics makes one
of its own. All series exist from the start, so that a rate begins at zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

#: Boundaries of what takes part of a second, in seconds.
SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
#: How many commands shared a transaction.
_WORKS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
#: Outcomes of a transaction: all saved; one by one, since another server wrote to a match or a
#: match did not fit its chain; nothing, since the store failed.
OUTCOMES = ("saved", "conflict", "broken", "failed")
#: Why a transaction was tried again: the database chose it to give way, or the connection was lost.
RETRIES = ("serialization", "deadlock", "connection")
#: What was waited for too long: a statement, a lock, a connection of the pool, a new connection.
TIMEOUTS = ("statement", "lock", "pool", "connect")
#: What is known of the connections to a database; all is 0 for a file.
POOL = {
    "open": "Connections to the database.",
    "used": "Connections to the database that are in use.",
    "most": "Connections to the database that there may be.",
    "waiting": "Calls that wait for a connection to the database.",
}
#: What is counted of news.
NEWS = {
    "sent": "News that were sent.",
    "heard": "News that were heard.",
    "missed": "Times that news may have been missed, so that everything was looked for.",
    "wrong": "News that were none.",
}


class StoreMetrics:
    """Transactions, conflicts, retries, time-outs; connections are asked for."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        registry = registry or CollectorRegistry()
        self._pool = {
            name: Gauge(f"kifu_store_pool_{name}", text, registry=registry)
            for name, text in POOL.items()
        }
        self._lag = Gauge(
            "kifu_store_lag_seconds", "Seconds that the oldest command waits for its transaction.",
            registry=registry,
        )  # fmt: skip
        self._works = Histogram(
            "kifu_commit_works", "How many commands shared a transaction.",
            buckets=_WORKS, registry=registry,
        )  # fmt: skip
        self._seconds = Histogram(
            "kifu_store_transaction_seconds", "How long transactions took.",
            buckets=SECONDS, registry=registry,
        )  # fmt: skip
        self._outcomes = _counters(
            "kifu_store_transactions", "Transactions, by outcome.", "outcome",
            OUTCOMES, registry,
        )  # fmt: skip
        self._conflicts = Counter(
            "kifu_store_conflicts", "Commands that conflicted with one of another server.",
            registry=registry,
        )  # fmt: skip
        self._retries = _counters(
            "kifu_store_retries", "Transactions that were tried again.", "why", RETRIES, registry
        )
        self._timeouts = _counters("kifu_store_timeouts", "Time-outs.", "kind", TIMEOUTS, registry)

    def transaction(self, outcome: str, works: int, seconds: float) -> None:
        """A transaction of so many commands ended; the outcome is one of `OUTCOMES`."""
        self._works.observe(works)
        self._seconds.observe(seconds)
        self._outcomes[outcome]()

    def conflict(self) -> None:
        """A command could not be saved, because another server wrote to its match before it."""
        self._conflicts.inc()

    def retry(self, why: str) -> None:
        """A transaction is tried again; why is one of `RETRIES`."""
        self._retries[why]()

    def timeout(self, kind: str) -> None:
        """Something was waited for too long; the kind is one of `TIMEOUTS`."""
        self._timeouts[kind]()

    def pool(self, ask: Callable[[], Mapping[str, float]]) -> None:
        """The connections are asked for by this: `open`, `used`, `most`, and calls `waiting`."""
        for name, gauge in self._pool.items():
            gauge.set_function(partial(_one_of, ask, name))

    def lag(self, ask: Callable[[], float]) -> None:
        """How long, in seconds, the oldest work has waited that is not saved yet, is asked for."""
        self._lag.set_function(ask)


class NewsMetrics:
    """News to and from other servers; whether they come is asked for."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        registry = registry or CollectorRegistry()
        self._connected = Gauge(
            "kifu_news_connected", "Whether news come, if they are to.", registry=registry
        )
        self._connected.set(1)  # a server that is alone misses none
        self._counts = {
            what: Counter(f"kifu_news_{what}", text, registry=registry).inc
            for what, text in NEWS.items()
        }
        self._seconds = Histogram(
            "kifu_news_seconds", "How long news took to get through.",
            buckets=SECONDS, registry=registry,
        )  # fmt: skip

    def count(self, what: str, n: int = 1) -> None:
        """So many pieces of news were what `NEWS` says."""
        self._counts[what](n)

    def delay(self, seconds: float) -> None:
        """A piece of news took so long to get through."""
        self._seconds.observe(max(seconds, 0.0))

    def connected(self, ask: Callable[[], bool]) -> None:
        """Whether news come by now is asked for."""
        self._connected.set_function(lambda: float(ask()))


class CacheMetrics:
    """Matches in memory that were out of date, and the delay of entries to followers."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        registry = registry or CollectorRegistry()
        self._reloaded = Counter(
            "kifu_matches_reloaded", "Matches read again after another server wrote to them.",
            registry=registry,
        )  # fmt: skip
        self._repeated = Counter(
            "kifu_commands_repeated", "Commands carried out again, on what another server wrote.",
            registry=registry,
        )  # fmt: skip
        delivery = Histogram(
            "kifu_delivery_seconds", "From the commit of entries until a follower was sent them.",
            ("origin",), buckets=SECONDS, registry=registry,
        )  # fmt: skip
        self._here, self._elsewhere = delivery.labels("here"), delivery.labels("elsewhere")

    def reloaded(self) -> None:
        """A match in memory was out of date, and is read again."""
        self._reloaded.inc()

    def repeated(self) -> None:
        """A command is carried out again, since it met a conflict."""
        self._repeated.inc()

    def delivered(self, seconds: float, elsewhere: bool = False) -> None:
        """A follower was sent entries so long after their commit, here or on another server."""
        (self._elsewhere if elsewhere else self._here).observe(max(seconds, 0.0))


def _one_of(ask: Callable[[], Mapping[str, float]], name: str) -> float:
    return ask().get(name, 0.0)


def _counters(
    name: str, text: str, label: str, values: tuple[str, ...], registry: CollectorRegistry
) -> Mapping[str, Callable[[], None]]:
    """A counter with one label: what adds one to it, by the label's value."""
    counter = Counter(name, text, (label,), registry=registry)
    return {value: counter.labels(value).inc for value in values}
