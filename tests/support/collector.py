"""A collector of OpenTelemetry for the exported spans and metrics, by OTLP.

`Collector` listens on a free port of this machine; `spans` has what came, with ids in hexadecimal.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple

import grpc
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2 as metrics_pb
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as trace_pb
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2_grpc as trace_grpc


class Received(NamedTuple):
    """A span that was sent, and by whom."""

    name: str
    trace: str
    id: str
    parent: str
    kind: int
    failed: bool
    links: tuple[tuple[str, str], ...]
    attributes: Mapping[str, Any]
    events: int
    resource: Mapping[str, Any]


class Collector(trace_grpc.TraceServiceServicer):
    """Takes in spans and metrics."""

    def __init__(self) -> None:
        self.spans: list[Received] = []
        self.metrics: dict[str, Any] = {}
        self._server = grpc.server(ThreadPoolExecutor(2))
        trace_grpc.add_TraceServiceServicer_to_server(self, self._server)
        service = metrics_pb.DESCRIPTOR.services_by_name["MetricsService"].full_name
        export = grpc.unary_unary_rpc_method_handler(
            self._metrics,
            request_deserializer=metrics_pb.ExportMetricsServiceRequest.FromString,
            response_serializer=metrics_pb.ExportMetricsServiceResponse.SerializeToString,
        )
        handler = grpc.method_handlers_generic_handler(service, {"Export": export})
        self._server.add_generic_rpc_handlers((handler,))
        self.address = f"otlp://127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()

    def close(self) -> None:
        """Take in no more."""
        self._server.stop(0).wait()

    def Export(self, request: Any, context: Any) -> Any:  # noqa: N802, as it is declared
        """Take in spans."""
        for sent in request.resource_spans:
            resource = _attributes(sent.resource.attributes)
            found = (span for scope in sent.scope_spans for span in scope.spans)
            self.spans += [_received(span, resource) for span in found]
        return trace_pb.ExportTraceServiceResponse()

    def _metrics(self, request: Any, context: Any) -> Any:
        for sent in request.resource_metrics:
            for scope in sent.scope_metrics:
                self.metrics |= {one.name: one for one in scope.metrics}
        return metrics_pb.ExportMetricsServiceResponse()

    def wait(self, until: Callable[[list[Received]], bool], seconds: float = 30.0) -> None:
        """Wait until the spans that came are as they should be."""
        end = time.monotonic() + seconds
        while not until(self.spans):
            assert time.monotonic() < end, [span.name for span in self.spans]
            time.sleep(0.02)


@contextmanager
def collecting() -> Iterator[Collector]:
    """A collector, for as long as it is used."""
    found = Collector()
    try:
        yield found
    finally:
        found.close()


def _received(span: Any, resource: Mapping[str, Any]) -> Received:
    links = tuple((link.trace_id.hex(), link.span_id.hex()) for link in span.links)
    ids = span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex()
    attributes = _attributes(span.attributes)
    failed = span.status.code == span.status.STATUS_CODE_ERROR
    return Received(
        span.name, *ids, span.kind, failed, links, attributes, len(span.events), resource
    )


def _attributes(sent: Any) -> Mapping[str, Any]:
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in sent}
