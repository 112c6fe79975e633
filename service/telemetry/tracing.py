"""Traces: the way of a command from its caller to its followers, step by step.

A step is a span: `with span("engine"): …`, or `start` and `end` where it ends elsewhere. Nothing is
traced, and a span costs a function call, until somebody gives a tracer (`use`): the one that speaks
to OpenTelemetry is in `opentelemetry_spans`, what sends spans away in `exporting`.

Attributes are visible to the operator, and perhaps others. They say which match, decision and entry
it was, how it ended, and how much there was of what everybody may count; never the text of an
error, a card, an option, a name, a token. So the type of an exception is noted and no more of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, Self

Kind = Literal["internal", "server", "client", "producer", "consumer"]
#: Names as OpenTelemetry's conventions have them, or `match.…`.
Attributes = Mapping[str, str | int | float | bool]
#: Where a span is in its trace, as OpenTelemetry has it (`SpanContext`); what it is parent of.
Place = Any
#: In place of a parent: a span that begins a trace of its own.
NO_PARENT: Place = object()

#: How long a `tracestate` is that is passed on, by the W3C; a longer one is dropped.
MOST_STATE = 512
_TRACEPARENT = re.compile(r"00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})")
_LATER = re.compile(r"(?!00|ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")


class Span:
    """A step; spans that begin within `with` are parts of it. This one is not traced."""

    __slots__ = ()

    @property
    def place(self) -> Place | None:
        """The place that other spans name as parent or link; None: not traced."""
        return None

    def note(self, attributes: Attributes) -> None:
        """Say more of it."""

    def link(self, place: Place | None) -> None:
        """Name another one that it has to do with."""

    def rename(self, name: str) -> None:
        """Give it another name, by what is known of it by now."""

    def fail(self, why: str) -> None:
        """It failed, for a reason that is a word of a fixed list."""

    def end(self) -> None:
        """It is over."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        pass


class Tracer(Protocol):
    """Makes spans."""

    def start(
        self,
        name: str,
        attributes: Attributes | None,
        kind: Kind,
        parent: Place | None,
        links: Sequence[Place],
    ) -> Span:
        """Begin a span; without a parent it is a part of the one that is current."""

    def current(self) -> tuple[str, str] | None:
        """The current trace and span, in hexadecimal; None: there is none."""

    def place(self) -> Place | None:
        """The place of the current span, if it is sampled."""

    def parent(self, trace: str, span: str, flags: int, state: str) -> Place:
        """The place of a span of another process."""

    def header(self, place: Place) -> str:
        """A place as `traceparent` has it."""


#: The span where nothing is traced.
NOTHING = Span()
_tracer: Tracer | None = None


def use(tracer: Tracer | None) -> None:
    """Trace with this from now on; None: trace nothing."""
    global _tracer
    _tracer = tracer


def enabled() -> bool:
    """Whether anything is traced."""
    return _tracer is not None


def span(
    name: str,
    attributes: Attributes | None = None,
    kind: Kind = "internal",
    parent: Place | None = None,
    links: Sequence[Place] = (),
) -> Span:
    """Begin a span: a part of the `parent`, or of the current one; `links`: what else it is of."""
    if _tracer is None:
        return NOTHING
    return _tracer.start(name, attributes, kind, parent, links)


def current() -> tuple[str, str] | None:
    """The current trace and span, in hexadecimal; None: there are none."""
    return _tracer.current() if _tracer is not None else None


def place() -> Place | None:
    """The place of the current span; None: nothing is traced here."""
    return _tracer.place() if _tracer is not None else None


def trace_id() -> str:
    """The current trace, in hexadecimal; empty: none."""
    found = current()
    return found[0] if found is not None else ""


def incoming(traceparent: str | None, tracestate: str | None = None) -> Place | None:
    """The place that a caller names (W3C Trace Context); None: none that could be one.

    What is malformed counts as if it were not there. `baggage` is not looked at: nothing here would
    be kept in it.
    """
    if _tracer is None or not traceparent or len(traceparent) > MOST_STATE:
        return None
    found = _TRACEPARENT.fullmatch(traceparent) or _LATER.fullmatch(traceparent)
    if found is None or not (int(found[1], 16) and int(found[2], 16)):
        return None
    state = tracestate if tracestate and len(tracestate) <= MOST_STATE else ""
    return _tracer.parent(found[1], found[2], int(found[3], 16), state)


def header(place: Place | None) -> str:
    """A place in the form of `traceparent`, for other processes; empty: none."""
    return _tracer.header(place) if _tracer is not None and place is not None else ""
