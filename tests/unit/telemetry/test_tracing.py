"""Traces in one process: who shares a transaction is linked, what is not sampled leaves nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from service.live.streams.channels import Recent
from service.live.streams.delivery import TRACED, Delivering, Origin
from service.store.commit import Committer
from service.store.records import Conflict, Records, Work
from service.telemetry import exporting, tracing
from service.telemetry.metrics import Metrics
from service.telemetry.opentelemetry_spans import OpenTelemetryTracer
from service.web.answers import NOTHING
from tests.unit.store.records import toy_commands

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0{}"


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    """What is traced, all of which is sampled unless a caller says otherwise."""
    provider, kept = TracerProvider(), InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    tracing.use(OpenTelemetryTracer(provider.get_tracer("test")))
    yield kept
    tracing.use(None)


def named(kept: InMemorySpanExporter, name: str) -> Sequence[ReadableSpan]:
    return [span for span in kept.get_finished_spans() if span.name == name]


def saved(path: Path, works: Sequence[Work]) -> list[object]:
    """What comes of works that are submitted at once, each within a trace of its own."""

    async def one(committer: Committer, work: Work) -> object:
        with tracing.span("command", parent=tracing.NO_PARENT):
            return await committer.submit(work)

    async def go() -> list[object]:
        records = Records(path / "matches.kifu")
        committer = Committer(records)
        tasks = (one(committer, work) for work in works)
        found = await asyncio.gather(*tasks, return_exceptions=True)
        await committer.close()
        records.close()
        return found

    return asyncio.run(go())


def test_a_transaction_and_those_who_share_it_are_linked(
    tmp_path: Path, spans: InMemorySpanExporter
) -> None:
    log = toy_commands(most=0)[0]
    works = [Work(f"m{at}", log) for at in range(3)]
    found = saved(tmp_path, [*works, works[0]])
    assert isinstance(found[-1], Conflict)
    [transaction] = named(spans, "INSERT entries")
    waiting = named(spans, "wait for commit")
    assert len(waiting) == 4
    ids = [span.context.span_id for span in waiting]
    assert transaction.parent is not None
    assert transaction.parent.span_id in ids
    linked = [link.context.span_id for link in transaction.links]
    assert sorted([transaction.parent.span_id, *linked]) == sorted(ids)
    for span in waiting:
        back = [link.context.span_id for link in span.links]
        child = span.context.span_id == transaction.parent.span_id
        assert back == ([] if child else [transaction.context.span_id])
    assert dict(transaction.attributes or {})["db.operation.batch.size"] == 4
    [failed] = [span for span in waiting if not span.status.is_ok and span.status.status_code.value]
    assert dict(failed.attributes or {})["error.type"] == "Conflict"


def test_what_is_not_sampled_leaves_nothing_and_has_an_id_for_the_log(
    tmp_path: Path, spans: InMemorySpanExporter
) -> None:
    with tracing.span("call", parent=tracing.incoming(PARENT.format(0))) as call:
        assert tracing.trace_id() == "0af7651916cd43dd8448eb211c80319c"
        assert call.place is None
        assert tracing.span("part") is tracing.NOTHING
    assert saved(tmp_path, [])[:1] == []
    assert not spans.get_finished_spans()


def test_an_exception_is_noted_by_its_type_alone(spans: InMemorySpanExporter) -> None:
    with pytest.raises(LookupError), tracing.span("step"):
        raise LookupError("the top card is a Zaku")
    [span] = spans.get_finished_spans()
    assert (dict(span.attributes or {}), span.events) == ({"error.type": "LookupError"}, ())
    assert span.status.description is None


def test_few_deliveries_of_a_commit_are_traced_and_all_are_measured(
    spans: InMemorySpanExporter,
) -> None:
    place, found = tracing.incoming(PARENT.format(1)), list[bool]()
    streams = [
        Delivering("m", lambda _, elsewhere: found.append(elsewhere), late=at == 0)
        for at in range(TRACED + 3)
    ]
    entry = toy_commands(most=0)[0][0]
    lines = [Recent(entry, None, Origin(place, elsewhere=True))]
    streams.append(  # which came later, and catches up
        Delivering("m", lambda *_: found.append(False), late=False)
    )
    for stream in streams:
        stream.span(lines).end()
        stream.sent(lines)
    assert found == [True] * (len(streams) - 2)
    delivered = named(spans, "deliver")
    assert len(delivered) == TRACED
    assert {span.parent.span_id for span in delivered if span.parent} == {0xB7AD6B7169203331}


def test_a_fault_that_others_get_as_well_keeps_no_trace() -> None:
    found = NOTHING.traced("a" * 32)
    assert (found.metadata, found.code, found.reason) == (
        {"trace": "a" * 32}, NOTHING.code, NOTHING.reason,
    )  # fmt: skip
    assert "trace" not in NOTHING.metadata
    assert NOTHING.traced("") is NOTHING


@pytest.mark.parametrize(
    ("address", "env", "kinds"),
    [
        ("", {}, ""),
        ("otlp://c:4317", {}, "metrics traces"),
        ("", {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4317"}, "metrics traces"),
        ("", {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c:4317"}, "traces"),
        ("otlp://c:4317", {"OTEL_METRICS_EXPORTER": "none"}, "traces"),
        ("otlp://c:4317", {"OTEL_SDK_DISABLED": "true"}, ""),
        ("", {"OTEL_TRACES_EXPORTER": "otlp"}, "traces"),
    ],
)
def test_exporting_is_set_by_the_standard_variables(
    address: str, env: dict[str, str], kinds: str
) -> None:
    assert exporting.wanted(address, env) == {*kinds.split()}


@pytest.mark.parametrize(
    ("address", "env"),
    [
        ("http://c:4317", {}),
        ("otlp://", {}),
        ("otlp://c:4317/path", {}),
        ("otlp://c", {"OTEL_EXPORTER_OTLP_PROTOCOL": "http/json"}),
        ("otlp://c", {"OTEL_TRACES_EXPORTER": "zipkin"}),
    ],
)
def test_what_cannot_be_sent_is_logged(address: str, env: dict[str, str]) -> None:
    with pytest.raises(exporting.CantExport):
        exporting.begin(address, "one", Metrics(), env)
    assert not tracing.enabled()
