"""Metrics of a running service, read by an RPC and over plain HTTP (`answering`).

What one server counts of its calls is here; what it shares with others has parts of its own
(`shared`): metrics.store (transaction, conflict, retry, timeout, pool, lag), metrics.news (count,
delay, connected) and metrics.cache (reloaded, repeated, delivered). They are counted where they
happen: each takes some microseconds, from any thread, and never fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from service.telemetry.shared import SECONDS, CacheMetrics, NewsMetrics, StoreMetrics


class Metrics:
    """Counts calls, refusals and their latencies; asks the service for the rest."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.store, self.news = StoreMetrics(self.registry), NewsMetrics(self.registry)
        self.cache = CacheMetrics(self.registry)
        self._calls = Counter(
            "kifu_calls", "Calls answered.", ("method", "code"), registry=self.registry
        )
        self._refusals = Counter(
            "kifu_refusals", "Calls refused, by reason.", ("reason",), registry=self.registry
        )
        self._seconds = Histogram(
            "kifu_call_seconds", "How long calls took.", ("method",),
            buckets=SECONDS, registry=self.registry,
        )  # fmt: skip
        self._failures = Counter(
            "kifu_background_failures", "Failures of background tasks.", ("task",),
            registry=self.registry,
        )  # fmt: skip
        self._codes = Counter(
            "kifu_codes", "Short codes that somebody came with.", ("outcome",),
            registry=self.registry,
        )  # fmt: skip
        self._requests = Counter(
            "kifu_http_requests", "Requests answered over HTTP.", ("route", "status"),
            registry=self.registry,
        )  # fmt: skip
        self._request_seconds = Histogram(
            "kifu_http_seconds", "How long until an answer over HTTP began.", ("route",),
            buckets=SECONDS, registry=self.registry,
        )  # fmt: skip
        self._followers = Gauge(
            "kifu_http_followers", "Streams followed over HTTP.", registry=self.registry
        )
        self._known: dict[tuple[str, str], tuple[Callable[[], None], Callable[[float], None]]] = {}

    def call(self, method: str, code: str, seconds: float) -> None:
        """A call was answered."""
        known = self._known.get((method, code))
        if known is None:
            known = self._known[method, code] = (
                self._calls.labels(method, code).inc,
                self._seconds.labels(method).observe,
            )
        count, observe = known
        count()
        observe(seconds)

    def request(self, route: str, status: int, seconds: float) -> None:
        """A request over HTTP was answered; `route` is the template of its address."""
        self._requests.labels(route, str(status)).inc()
        self._request_seconds.labels(route).observe(seconds)

    def follower(self, more: int) -> None:
        """Somebody follows a stream over HTTP (1), or no longer (-1)."""
        self._followers.inc(more)

    def refusal(self, reason: str) -> None:
        """A call was refused."""
        self._refusals.labels(reason).inc()

    def code(self, outcome: str) -> None:
        """Somebody came with a short code: exchanged, no place, wrong, mistyped, too many."""
        self._codes.labels(outcome).inc()

    def failure(self, task: str) -> None:
        """A background task has failed once."""
        self._failures.labels(task).inc()

    def info(self, name: str, version: str) -> None:
        """The name of this server, and its version."""
        text = "This server: its name and version."
        info = Gauge("kifu_server_info", text, ("name", "version"), registry=self.registry)
        info.labels(name, version).set(1)

    def gauge(self, name: str, text: str, ask: Callable[[], float]) -> None:
        """A metric that is asked for whenever metrics are read."""
        Gauge(name, text, registry=self.registry).set_function(ask)

    def all(self) -> Iterator[tuple[str, dict[str, str], float]]:
        """Every metric: name, labels, value."""
        for family in self.registry.collect():
            for sample in family.samples:
                yield sample.name, sample.labels, sample.value
