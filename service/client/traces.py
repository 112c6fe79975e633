"""The client's part of a trace: a span around each call, and what tells the service of it.

That takes nothing but a program that uses OpenTelemetry already: then its calls are traced by the
tracer that it has set up. The service gets `traceparent`, as defined by the W3C.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

from kifu.v1 import (
    admin_service_pb2,
    anchor_service_pb2,
    catalog_service_pb2,
    code_service_pb2,
    desk_service_pb2,
    identity_service_pb2,
    match_service_pb2,
    tournament_service_pb2,
)

_FILES = (
    admin_service_pb2, anchor_service_pb2, catalog_service_pb2, code_service_pb2, desk_service_pb2,
    identity_service_pb2, match_service_pb2, tournament_service_pb2,
)  # fmt: skip
#: What goes with a call.
Headers = tuple[tuple[str, str], ...]


@cache
def _methods() -> Mapping[str, str]:
    """The method that a request is for, by the request's name."""
    services = [one for file in _FILES for one in file.DESCRIPTOR.services_by_name.values()]
    return {
        method.input_type.full_name: f"{service.full_name}/{method.name}"
        for service in services
        for method in service.methods
    }


def headers() -> Headers:
    """The headers with the current trace; none without a trace."""
    trace: Any = sys.modules.get("opentelemetry.trace")
    if trace is None:
        return ()
    place = trace.get_current_span().get_span_context()
    if not place.is_valid:
        return ()
    ids = trace.format_trace_id(place.trace_id), trace.format_span_id(place.span_id)
    parent = ("traceparent", f"00-{ids[0]}-{ids[1]}-{place.trace_flags:02x}")
    state = place.trace_state.to_header()
    return (parent, ("tracestate", state)) if state else (parent,)


def traceparent() -> str:
    """The first of them, for a command on a stream; may be empty."""
    return next((value for name, value in headers() if name == "traceparent"), "")


@contextmanager
def calling(request: Any) -> Iterator[Headers]:
    """A call with this request; what goes with it. Of an exception its code is noted."""
    trace: Any = sys.modules.get("opentelemetry.trace")
    if trace is None:
        yield ()
        return
    name = _methods().get(request.DESCRIPTOR.full_name, "kifu")
    attributes = {"rpc.system.name": "grpc", "rpc.method": name}
    with trace.get_tracer("kifu").start_as_current_span(
        name,
        kind=trace.SpanKind.CLIENT,
        attributes=attributes,
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        code = "OK"
        try:
            yield headers()
        except Exception as error:
            code = getattr(error, "code", "")
            code = code().name if callable(code) else code or type(error).__name__
            span.set_attribute("error.type", code)
            span.set_status(trace.Status(trace.StatusCode.ERROR))
            raise
        finally:
            span.set_attribute("rpc.response.status_code", code)
