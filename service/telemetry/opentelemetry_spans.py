"""Spans of OpenTelemetry, for `tracing`. Needs the extra `otel`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Self

from opentelemetry import context, trace
from opentelemetry.trace import (
    Link,
    NonRecordingSpan,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
    TraceState,
)

from service.telemetry.tracing import NO_PARENT, NOTHING, Attributes, Kind, Place, Span

_KINDS = {
    "internal": SpanKind.INTERNAL,
    "server": SpanKind.SERVER,
    "client": SpanKind.CLIENT,
    "producer": SpanKind.PRODUCER,
    "consumer": SpanKind.CONSUMER,
}


class OpenTelemetrySpan(Span):
    """A span of OpenTelemetry. Only those that are sampled have a place for others."""

    __slots__ = ("_span", "_token")

    def __init__(self, span: trace.Span) -> None:
        self._span = span
        self._token: Any = None

    @property
    def place(self) -> Place | None:
        """Its context, if it is sampled."""
        found = self._span.get_span_context()
        return found if found.trace_flags.sampled else None

    def note(self, attributes: Attributes) -> None:
        """Set attributes."""
        self._span.set_attributes(attributes)

    def link(self, place: Place | None) -> None:
        """Link another span."""
        if place is not None:
            self._span.add_link(place)

    def rename(self, name: str) -> None:
        """Update its name."""
        self._span.update_name(name)

    def fail(self, why: str) -> None:
        """Set the status to an error of this type."""
        self._span.set_attribute("error.type", why)
        self._span.set_status(Status(StatusCode.ERROR))

    def end(self) -> None:
        """End it."""
        self._span.end()

    def __enter__(self) -> Self:
        self._token = context.attach(trace.set_span_in_context(self._span))
        return self

    def __exit__(self, *raised: object) -> None:
        """End it; of an exception, which may say what is hidden, the type is noted."""
        with suppress(ValueError):  # a stream that was left is closed in another context
            self._token.var.reset(self._token)
        if isinstance(kind := raised[0], type) and issubclass(kind, Exception):
            self._span.set_attribute("error.type", kind.__name__)
        self._span.end()


class OpenTelemetryTracer:
    """Makes spans by a tracer of OpenTelemetry."""

    def __init__(self, tracer: trace.Tracer) -> None:
        self._tracer = tracer

    def start(
        self,
        name: str,
        attributes: Attributes | None,
        kind: Kind,
        parent: Place | None,
        links: Sequence[Place],
    ) -> Span:
        """Begin a span; what is a part of one that is not sampled costs nothing."""
        where = None
        if parent is None:
            around = trace.get_current_span().get_span_context()
            if around.is_valid and not around.trace_flags.sampled:
                return NOTHING
        if parent is NO_PARENT:
            where = context.Context()
        elif parent is not None:
            where = trace.set_span_in_context(NonRecordingSpan(parent), context.Context())
        return OpenTelemetrySpan(
            self._tracer.start_span(
                name, where, _KINDS[kind], attributes, [Link(one) for one in links]
            )
        )

    def current(self) -> tuple[str, str] | None:
        """The current trace and span."""
        found = trace.get_current_span().get_span_context()
        if not found.is_valid:
            return None
        return trace.format_trace_id(found.trace_id), trace.format_span_id(found.span_id)

    def place(self) -> Place | None:
        """The place of the current span, if it is sampled."""
        found = trace.get_current_span().get_span_context()
        return found if found.trace_flags.sampled else None

    def parent(self, trace_id: str, span_id: str, flags: int, state: str) -> Place:
        """The place of a span of another process; a malformed state is ignored."""
        return SpanContext(
            int(trace_id, 16),
            int(span_id, 16),
            is_remote=True,
            trace_flags=TraceFlags(flags & TraceFlags.SAMPLED),
            trace_state=TraceState.from_header([state]) if state else None,
        )

    def header(self, place: Place) -> str:
        """A place as `traceparent` has it."""
        ids = trace.format_trace_id(place.trace_id), trace.format_span_id(place.span_id)
        return f"00-{ids[0]}-{ids[1]}-{place.trace_flags:02x}"
