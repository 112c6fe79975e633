"""Metrics as OpenTelemetry has them: those of Prometheus, converted every so often and sent.

Each figure is counted once, for all readers. Names stay as they are, but for `_total`, which is
Prometheus' own (OpenTelemetry: "Prometheus and OpenMetrics Compatibility").
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator, Sequence
from threading import Event, Thread

from opentelemetry.sdk.metrics.export import (
    AggregationTemporality,
    Gauge,
    Histogram,
    HistogramDataPoint,
    Metric,
    MetricExporter,
    MetricsData,
    NumberDataPoint,
    ResourceMetrics,
    ScopeMetrics,
    Sum,
)
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from prometheus_client import CollectorRegistry
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.samples import Sample

from service.telemetry.logs import log_event

#: Milliseconds between two sendings, unless OTEL_METRIC_EXPORT_INTERVAL says otherwise, and how
#: long one may take (OTEL_METRIC_EXPORT_TIMEOUT).
INTERVAL, TIMEOUT = 60_000.0, 30_000.0
_SCOPE = InstrumentationScope("kifu")
_CUMULATIVE = AggregationTemporality.CUMULATIVE
#: The units that names end with.
_UNITS = (("_seconds", "s"), ("_bytes", "By"))


class Sending:
    """Sends the metrics of a registry every so often, in a thread, until `shutdown`."""

    def __init__(
        self, registry: CollectorRegistry, exporter: MetricExporter, resource: Resource
    ) -> None:
        self._registry, self._exporter, self._resource = registry, exporter, resource
        self._interval = _milliseconds("OTEL_METRIC_EXPORT_INTERVAL", INTERVAL) / 1000
        self._timeout = _milliseconds("OTEL_METRIC_EXPORT_TIMEOUT", TIMEOUT)
        self._began = time.time_ns()
        self._stopping = Event()
        self._thread = Thread(target=self._run, name="metrics", daemon=True)
        self._thread.start()

    def shutdown(self) -> None:
        """Send a last time, and end."""
        self._stopping.set()
        self._thread.join()
        self._send()
        self._exporter.shutdown()

    def _run(self) -> None:
        while not self._stopping.wait(self._interval):
            self._send()

    def _send(self) -> None:
        try:
            found = converted(self._registry, self._resource, self._began, time.time_ns())
            self._exporter.export(found, self._timeout)
        except Exception as error:
            log_event(logging.WARNING, "metrics were not sent", text=type(error).__name__)


def converted(registry: CollectorRegistry, resource: Resource, began: int, now: int) -> MetricsData:
    """All metrics of a registry, counted since `began` (nanoseconds since 1970)."""
    metrics = [one for family in registry.collect() for one in _metric(family, began, now)]
    return MetricsData([ResourceMetrics(resource, [ScopeMetrics(_SCOPE, metrics, "")], "")])


def _metric(family: Family, began: int, now: int) -> Iterator[Metric]:
    """A family of series, if it is of a kind that there is here."""
    unit = next((unit for end, unit in _UNITS if family.name.endswith(end)), "")
    data: Sum | Gauge | Histogram
    if family.type == "counter":
        counted = [one for one in family.samples if one.name.endswith("_total")]
        points = [_number(one, began, now) for one in counted]
        data = Sum(points, _CUMULATIVE, is_monotonic=True)
    elif family.type == "gauge":
        data = Gauge([_number(one, 0, now) for one in family.samples])
    elif family.type == "histogram":
        data = Histogram([*_histograms(family.samples, began, now)], _CUMULATIVE)
    else:
        return
    yield Metric(family.name, family.documentation, unit, data)


def _number(sample: Sample, began: int, now: int) -> NumberDataPoint:
    return NumberDataPoint(dict(sample.labels), began, now, sample.value)


def _histograms(samples: Sequence[Sample], began: int, now: int) -> Iterator[HistogramDataPoint]:
    """The histograms of a family, each of whose series come one after another."""
    below: list[tuple[float, float]] = []
    total = 0.0
    for one in samples:
        if one.name.endswith("_bucket"):
            below.append((float(one.labels["le"]), one.value))
        elif one.name.endswith("_count"):
            total = one.value
        elif one.name.endswith("_sum"):
            counts = [value for _, value in below]
            each = [int(b - a) for a, b in zip([0.0, *counts], counts, strict=False)]
            bounds = [bound for bound, _ in below[:-1]]  # the last one is without a bound
            yield HistogramDataPoint(
                dict(one.labels), began, now, int(total), one.value, each, bounds, 0.0, 0.0
            )
            below = []


def _milliseconds(name: str, default: float) -> float:
    try:
        return max(float(os.environ.get(name, "") or default), 100.0)
    except ValueError:
        return default
