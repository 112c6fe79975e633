"""A command is one trace, from the client to the followers of its match."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from domain.record.decisions import Act
from service.client.client import CallError, Client, Opened
from tests.support import serving
from tests.support.collector import Collector, Received, collecting
from tests.support.marks import each

#: All attributes that spans may have, and nothing else.
ALLOWED = {
    "rpc.system.name", "rpc.method", "rpc.response.status_code", "error.type",
    "http.request.method", "http.route", "http.response.status_code", "url.scheme",
    "db.system.name", "db.operation.name", "db.collection.name", "db.operation.batch.size",
    "messaging.system", "messaging.operation.name", "messaging.operation.type",
    "messaging.destination.name", "messaging.batch.message_count",
    "match.id", "match.decision", "match.entry", "match.entries", "match.command",
}  # fmt: skip


class Site(NamedTuple):
    """A server that is traced, what it sent, and what the client in this process traced."""

    server: serving.Running
    collector: Collector
    tracer: trace.Tracer
    own: InMemorySpanExporter
    log: Path


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("traced")
    provider, own = TracerProvider(), InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(own))
    with pytest.MonkeyPatch.context() as patch, collecting() as collector:
        patch.setattr(trace, "get_tracer", provider.get_tracer)
        patch.setenv("OTEL_BSP_SCHEDULE_DELAY", "50")
        patch.setenv("OTEL_METRIC_EXPORT_INTERVAL", "200")
        patch.setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test")
        with serving.running(
            folder / "matches.kifu",
            telemetry=collector.address, name="one", http_port=0, log_level="debug",
        ) as server:  # fmt: skip
            yield Site(server, collector, provider.get_tracer("test"), own, folder / "server.log")


def opened(site: Site) -> Opened:
    with site.server.client() as client:
        return client.open_match("toy", ["A", "B"], ["ones", "tens"], seed=1)


def spans_of(site: Site, number: str, *names: str) -> dict[str, Received]:
    """The spans of a trace by name, once those are there."""

    def found(spans: list[Received]) -> dict[str, Received]:
        return {span.name: span for span in spans if span.trace == number}

    site.collector.wait(lambda spans: found(spans).keys() >= {*names})
    return found(site.collector.spans)


CHOOSE, PLAY = "kifu.v1.MatchService/Choose", "kifu.v1.MatchService/Play Choose"
STEPS = ("engine", "wait for commit", "INSERT entries", "publish", "deliver")


@pytest.mark.parametrize("streamed", [False, True], ids=["a call", "on a stream"])
def test_one_choice_is_one_trace_from_the_client_to_a_follower(site: Site, streamed: bool) -> None:
    match = opened(site)
    with site.server.client() as client:
        seat = client.with_token(match.seats[0])
        followed = client.watch(match.id)
        next(followed)  # by now it is open
        with site.tracer.start_as_current_span("an evening") as evening:
            if streamed:
                with seat.playing() as table:
                    table.choose(match.id, 1, Act("pass"))
            else:
                seat.choose(match.id, 1, Act("pass"))
        seat.interject(match.id, Act("concede"))
        list(followed)
    number = trace.format_trace_id(evening.get_span_context().trace_id)
    name = PLAY if streamed else CHOOSE
    found = spans_of(site, number, name, *STEPS)
    [client_span] = [
        span for span in site.own.get_finished_spans()
        if trace.format_trace_id(span.context.trace_id) == number and span.name == CHOOSE
    ]  # fmt: skip
    call = found[name]
    assert call.parent == trace.format_span_id(client_span.context.span_id)
    assert call.attributes["rpc.response.status_code"] == "OK"
    assert {found[step].parent for step in ("engine", "wait for commit", "publish")} == {call.id}
    assert found["INSERT entries"].parent == found["wait for commit"].id
    delivery = found["deliver"]
    assert delivery.parent == found["publish"].id
    [(followers, stream)] = delivery.links
    assert followers != number
    site.collector.wait(lambda spans: any(span.id == stream for span in spans))
    [watched] = [span for span in site.collector.spans if span.id == stream]
    assert (watched.name, watched.trace) == ("kifu.v1.MatchService/WatchEvents", followers)
    assert found["engine"].attributes["match.id"] == match.id
    assert call.resource["service.instance.id"] == "one"
    assert call.resource["deployment.environment.name"] == "test"
    site.collector.wait(lambda _: _delivered(site.collector) > 0)


def _delivered(collector: Collector) -> int:
    """How many deliveries the metrics have that were sent."""
    found = collector.metrics.get("kifu_delivery_seconds")
    return sum(point.count for point in found.histogram.data_points) if found is not None else 0


@pytest.mark.long
def test_a_follower_on_another_server_is_a_part_of_the_trace(
    tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "50")
    for name in ("one", "two"):
        (tmp_path / f"{name}-key").touch(0o600)
        (tmp_path / f"{name}-key").write_text("ab" * 32)
    with ExitStack() as stack:
        collector = stack.enter_context(collecting())
        here, there = (
            stack.enter_context(
                serving.running(
                    tmp_path / name, store=postgres_url, telemetry=collector.address, name=name
                )
            )
            for name in ("one", "two")
        )
        client, other = stack.enter_context(here.client()), stack.enter_context(there.client())

        def delivered(spans: list[Received]) -> bool:
            return any(_is_from(span, "two", "deliver") for span in spans)

        for _ in range(6):  # until news gets through, the other server looks by itself
            _play_and_follow(client, other)
            with suppress(AssertionError):
                collector.wait(delivered, 5.0)
                break
        [delivery, *_] = [one for one in collector.spans if _is_from(one, "two", "deliver")]
        [publish] = [one for one in collector.spans if one.id == delivery.parent]
        assert _is_from(publish, "one", "publish")
        assert publish.trace == delivery.trace


def _play_and_follow(client: Client, other: Client) -> None:
    """Play a match at one server, while it is followed at the other."""
    match = client.open_match("toy", ["A", "B"], ["ones", "tens"], seed=1)
    followed = other.with_token(match.seats[1]).watch(match.id)
    first = next(followed)
    seat = client.with_token(match.seats[0])
    seat.choose(match.id, 1, Act("pass"))
    seat.interject(match.id, Act("concede"))
    assert next(followed).seq == first.seq + 1
    list(followed)


def _is_from(span: Received, server: str, name: str) -> bool:
    return span.name == name and span.resource["service.instance.id"] == server


def test_an_error_its_trace_and_its_line_in_the_log_agree(site: Site) -> None:
    match = opened(site)
    with site.server.client() as client, pytest.raises(CallError) as caught:
        client.with_token(match.seats[0]).choose(match.id, 7, Act("pass"), "request 1")
    number = caught.value.metadata["trace"]
    lines = [json.loads(line) for line in site.log.read_text().splitlines()]
    mine = [line for line in lines if line.get("trace_id") == number]
    assert [line["event"] for line in mine] == ["call refused", "call answered"]
    refused, answered = mine
    assert refused["reason"] == caught.value.reason
    assert (answered["request"], answered["match"]) == ("request 1", match.id)
    assert {line["server"] for line in lines[1:]} == {"one"}
    call = spans_of(site, number, CHOOSE)[CHOOSE]
    assert {line["span_id"] for line in mine} == {call.id}
    assert call.attributes["rpc.response.status_code"] == caught.value.code
    assert not call.failed, "it is the caller's fault"


def test_a_browser_says_which_trace_a_request_is_of(site: Site) -> None:
    number = "0af7651916cd43dd8448eb211c80319c"
    headers = {"traceparent": f"00-{number}-b7ad6b7169203331-01", "tracestate": "a=1"}
    path = "/api/kifu.v1.CatalogService/ListGames"
    headers["content-type"] = "application/json"
    answer = httpx.post(f"{site.server.web}{path}", headers=headers, content="{}")
    assert answer.status_code == 200
    site.collector.wait(lambda spans: sum(span.trace == number for span in spans) == 2)
    found = spans_of(site, number, "kifu.v1.CatalogService/ListGames")
    [request] = [span for span in found.values() if span.parent == "b7ad6b7169203331"]
    assert found["kifu.v1.CatalogService/ListGames"].parent == request.id
    assert request.attributes["http.response.status_code"] == 200


HOSTILE = [
    "", "00", "x" * 9000, "00-" + "0" * 32 + "-b7ad6b7169203331-01",
    "00-0af7651916cd43dd8448eb211c80319c-" + "0" * 16 + "-01",
    "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
    "ff-0af7651916cd43dd8448eb211c80319d-b7ad6b7169203331-01",
    "00-0af7651916cd43dd8448eb211c80319d-b7ad6b7169203331-01-more",
    "00-0af7651916cd43dd8448eb211c80319d-b7ad6b7169203331-01\tx",
]  # fmt: skip


@pytest.mark.parametrize("parent", each(3, HOSTILE))
def test_what_is_no_traceparent_counts_for_nothing(site: Site, parent: str) -> None:
    state = {"tracestate": "a=" + "x" * 4000, "baggage": "y=" + "z" * 4000}
    headers = {**state, "traceparent": parent, "content-type": "application/json"}
    path = "/api/kifu.v1.MatchService/GetMatch"
    answer = httpx.post(f"{site.server.web}{path}", headers=headers, content="{}")
    assert answer.status_code == 401
    [info] = answer.json()["details"][:1]
    number = info["debug"]["metadata"]["trace"]
    site.collector.wait(lambda spans: sum(span.trace == number for span in spans) == 2)
    found = spans_of(site, number, "kifu.v1.MatchService/GetMatch")  # a trace of its own
    assert number not in parent
    assert {span.parent for span in found.values()} == {"", *(s.id for s in found.values())} - {
        found["kifu.v1.MatchService/GetMatch"].id
    }


def test_spans_have_nothing_that_is_secret(site: Site) -> None:
    match = opened(site)
    with site.server.client() as client:
        for seat in match.seats:
            client.with_token(seat).position(match.id)
    with httpx.Client(base_url=site.server.web) as browser:
        browser.get(f"/m/{match.id}", params={"code": "secret code"})
        browser.get("/api/secret")
    site.collector.wait(lambda spans: any("/api" in span.name for span in spans))
    for span in site.collector.spans:
        assert span.attributes.keys() <= ALLOWED, span
        assert not span.events, "an exception would say what it is about"
        seen = f"{span.name} {[*span.attributes.values()]}"
        assert "secret" not in seen
        assert not any(token in seen for token in (site.server.token, *match.seats))
