"""Metrics of a running service, read by an RPC and by a plain HTTP endpoint (Prometheus)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Thread
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
_WORKS = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class Metrics:
    """Counts calls, refusals and their latencies; asks the service for the rest."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._calls = Counter(
            "kifu_calls", "Calls answered.", ("method", "code"), registry=self.registry
        )
        self._refusals = Counter(
            "kifu_refusals", "Calls refused, by reason.", ("reason",), registry=self.registry
        )
        self._seconds = Histogram(
            "kifu_call_seconds", "How long calls took.", ("method",),
            buckets=_SECONDS, registry=self.registry,
        )  # fmt: skip
        self._works = Histogram(
            "kifu_commit_works", "How many commands shared a transaction.",
            buckets=_WORKS, registry=self.registry,
        )  # fmt: skip
        self._failures = Counter(
            "kifu_background_failures", "Failures of what runs beside the play.", ("task",),
            registry=self.registry,
        )  # fmt: skip
        self._codes = Counter(
            "kifu_codes", "Short codes that somebody came with.", ("outcome",),
            registry=self.registry,
        )  # fmt: skip
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

    def refusal(self, reason: str) -> None:
        """A call was refused."""
        self._refusals.labels(reason).inc()

    def code(self, outcome: str) -> None:
        """Somebody came with a short code: exchanged, no place, wrong, mistyped, too many."""
        self._codes.labels(outcome).inc()

    def commit(self, works: int) -> None:
        """A transaction carried so many commands."""
        self._works.observe(works)

    def failure(self, task: str) -> None:
        """What runs beside the play has failed once."""
        self._failures.labels(task).inc()

    def gauge(self, name: str, text: str, ask: Callable[[], float]) -> None:
        """A metric that is asked for whenever metrics are read."""
        Gauge(name, text, registry=self.registry).set_function(ask)

    def all(self) -> Iterator[tuple[str, dict[str, str], float]]:
        """Every metric: name, labels, value."""
        for family in self.registry.collect():
            for sample in family.samples:
                yield sample.name, sample.labels, sample.value

    def serve(self, host: str, port: int) -> tuple[WSGIServer, Thread]:
        """Answer plain HTTP with the metrics in the Prometheus text format."""
        return start_http_server(port, host, registry=self.registry)
