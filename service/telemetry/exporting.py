"""Sending traces and metrics away, to a collector that speaks OTLP.

It is configured by the standard variables of OpenTelemetry (`OTEL_EXPORTER_OTLP_ENDPOINT`,
`OTEL_TRACES_SAMPLER`, `OTEL_RESOURCE_ATTRIBUTES`, …), or by an address: `otlp://HOST:PORT`, or over
TLS `otlps://…`. Where neither names a collector nothing is loaded, traced or sent. Metrics are
those of `metrics.Metrics`, as `otlp_metrics` converts them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.metadata import version
from importlib.util import find_spec
from threading import Thread
from typing import TYPE_CHECKING

from service.telemetry import tracing

if TYPE_CHECKING:
    from opentelemetry.sdk.metrics.export import MetricExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace.export import SpanExporter

    from service.telemetry.metrics import Metrics
    from service.telemetry.otlp_metrics import Sending

#: How long, in seconds, the service waits at its end for what is still to be sent.
FAREWELL = 3.0
#: How long an attribute is at most, where OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT says nothing else.
LONGEST = 128
_ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
_ENDPOINTS = {
    "traces": "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "metrics": "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
}


class CantExport(Exception):
    """Telemetry was asked for and can't be sent; the text says why."""


class Exporting:
    """Traces and metrics on their way out, until `stop`."""

    def __init__(
        self,
        name: str,
        metrics: Metrics,
        spans: SpanExporter | None,
        figures: MetricExporter | None,
    ) -> None:
        """`name` is that of this server; None: nothing of the kind is sent."""
        from opentelemetry.sdk.trace import SpanLimits, TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        from service.telemetry.opentelemetry_spans import OpenTelemetryTracer
        from service.telemetry.otlp_metrics import Sending

        resource = _resource(name)
        self._provider: TracerProvider | None = None
        self._sending: Sending | None = None
        if spans is not None:
            given = "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT" in os.environ
            limits = SpanLimits() if given else SpanLimits(max_attribute_length=LONGEST)
            self._provider = TracerProvider(
                resource=resource, span_limits=limits, shutdown_on_exit=False
            )
            self._provider.add_span_processor(BatchSpanProcessor(spans))
            tracing.use(OpenTelemetryTracer(self._provider.get_tracer("kifu", _version())))
        if figures is not None:
            self._sending = Sending(metrics.registry, figures, resource)

    def stop(self) -> None:
        """Send what is left, for `FAREWELL` seconds at most. Blocks."""
        tracing.use(None)
        ends = [one.shutdown for one in (self._provider, self._sending) if one is not None]
        threads = [Thread(target=end, daemon=True) for end in ends]  # a collector may be gone
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(FAREWELL)


def begin(
    address: str, name: str, metrics: Metrics, env: Mapping[str, str] = os.environ
) -> Exporting | None:
    """Begin to send; None: nothing says where. `address` goes before what the environment says.

    Raises `CantExport`.
    """
    kinds = wanted(address, env)
    if not kinds:
        return None
    if find_spec("opentelemetry") is None or find_spec("opentelemetry.sdk") is None:
        raise CantExport("telemetry needs OpenTelemetry: pip install 'kifu[otel]'")
    protocol = env.get("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
    if protocol != "grpc":
        raise CantExport(f"OTEL_EXPORTER_OTLP_PROTOCOL={protocol}: only grpc is spoken")
    from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter

    endpoint, insecure = _endpoint(address)
    return Exporting(
        name,
        metrics,
        OTLPSpanExporter(endpoint=endpoint, insecure=insecure) if "traces" in kinds else None,
        OTLPMetricExporter(endpoint=endpoint, insecure=insecure) if "metrics" in kinds else None,
    )


def wanted(address: str, env: Mapping[str, str]) -> frozenset[str]:
    """The parts to export, of `traces` and `metrics`; raises `CantExport`."""
    if env.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return frozenset()
    found = set()
    for kind, endpoint in _ENDPOINTS.items():
        exporter = env.get(f"OTEL_{kind.upper()}_EXPORTER", "")
        if exporter not in ("", "otlp", "none"):
            raise CantExport(f"OTEL_{kind.upper()}_EXPORTER={exporter}: only otlp, or none")
        somewhere = address or exporter or env.get(_ENDPOINT) or env.get(endpoint)
        if somewhere and exporter != "none":
            found.add(kind)
    return frozenset(found)


def _endpoint(address: str) -> tuple[str | None, bool | None]:
    """Where an address leads, and whether it does without TLS; raises `CantExport`."""
    if not address:
        return None, None  # as the environment says
    scheme, found, rest = address.partition("://")
    if scheme not in ("otlp", "otlps") or not found or not rest or set(rest) & set("/?#@ "):
        raise CantExport(f"{address}: telemetry goes to otlp://HOST:PORT or otlps://HOST:PORT")
    return f"{'http' if scheme == 'otlp' else 'https'}://{rest}", scheme == "otlp"


def _resource(name: str) -> Resource:
    """The sender; OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence."""
    from opentelemetry.sdk.resources import OTELResourceDetector, Resource

    attributes = {
        "service.name": "kifu",
        "service.version": _version(),
        "service.instance.id": name,
    }
    return Resource.create(attributes).merge(OTELResourceDetector().detect())


def _version() -> str:
    return version("kifu")
