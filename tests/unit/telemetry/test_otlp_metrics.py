"""Metrics as they are sent to a collector: the same as Prometheus reads, in its own words."""

from __future__ import annotations

from typing import Any

from opentelemetry.sdk.metrics.export import Gauge, Histogram, Sum
from opentelemetry.sdk.resources import Resource

from service.telemetry.metrics import Metrics
from service.telemetry.otlp_metrics import converted
from service.telemetry.shared import SECONDS


def test_counters_gauges_and_histograms_are_converted() -> None:
    metrics = Metrics()
    for seconds in (0.003, 0.004, 0.2, 60.0):
        metrics.call("Choose", "OK", seconds)
    metrics.call("Play", "INTERNAL", 0.0001)
    metrics.gauge("kifu_streams", "Streams followed.", lambda: 3)
    found = converted(metrics.registry, Resource.create({"service.name": "kifu"}), 5, 7)
    [of_resource] = found.resource_metrics
    [scope] = of_resource.scope_metrics
    data: dict[str, Any] = {metric.name: metric.data for metric in scope.metrics}
    assert of_resource.resource.attributes["service.name"] == "kifu"

    calls = data["kifu_calls"]
    assert isinstance(calls, Sum)
    assert calls.is_monotonic
    assert {tuple((p.attributes or {}).values()): p.value for p in calls.data_points} == {
        ("Choose", "OK"): 4,
        ("Play", "INTERNAL"): 1,
    }
    assert isinstance(data["kifu_streams"], Gauge)
    assert [point.value for point in data["kifu_streams"].data_points] == [3]

    seconds_of = data["kifu_call_seconds"]
    assert isinstance(seconds_of, Histogram)
    choose, play = seconds_of.data_points
    assert (choose.attributes, choose.count, choose.sum) == ({"method": "Choose"}, 4, 60.207)
    assert (*choose.explicit_bounds,) == SECONDS
    assert len(choose.bucket_counts) == len(SECONDS) + 1
    assert sum(choose.bucket_counts) == choose.count
    in_buckets = dict(zip((*SECONDS, None), choose.bucket_counts, strict=True))
    assert {bound: n for bound, n in in_buckets.items() if n} == {0.005: 2, 0.25: 1, None: 1}
    assert play.bucket_counts[0] == 1
    assert (choose.start_time_unix_nano, choose.time_unix_nano) == (5, 7)
    units = {metric.name: metric.unit for metric in scope.metrics}
    assert (units["kifu_call_seconds"], units["kifu_calls"]) == ("s", "")
