"""The dashboard and the alerts: each asks for metrics that a server has, and shows all of them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from msgspec import Struct
from opentelemetry.sdk.metrics.export import Gauge, Histogram, Sum
from opentelemetry.sdk.resources import Resource
from prometheus_client.parser import text_string_to_metric_families

from domain.record.decisions import Act
from service.client.client import CallError
from service.deploy import health
from service.store.records import Records, StoreError
from service.telemetry.metrics import Metrics
from service.telemetry.otlp_metrics import converted
from service.telemetry.shared import SECONDS
from tests.support import postgres, serving
from tests.support.ports import free_port

MONITORING = Path(health.__file__).parent / "monitoring"
#: What Prometheus adds by itself.
ADDED, ADDED_LABELS = {"up"}, {"instance", "job", "le"}


class Rule(Struct, forbid_unknown_fields=True):
    """An alert, as Prometheus reads it."""

    alert: str
    expr: str
    labels: dict[Literal["severity"], Literal["page", "ticket"]]
    annotations: dict[Literal["summary", "description"], str]
    for_: str = msgspec.field(name="for", default="0s")


class Group(Struct, forbid_unknown_fields=True):
    """Rules that are evaluated together."""

    name: str
    rules: list[Rule]


class Rules(Struct, forbid_unknown_fields=True):
    """A file of rules."""

    groups: list[Group]


RULES = [
    rule
    for group in msgspec.yaml.decode((MONITORING / "alerts.yaml").read_bytes(), type=Rules).groups
    for rule in group.rules
]
BOARD: dict[str, Any] = json.loads((MONITORING / "dashboard.json").read_text("utf-8"))
PANELS = [panel for panel in BOARD["panels"] if panel["type"] != "row"]
EXPRESSIONS = [rule.expr for rule in RULES] + [
    target["expr"] for panel in PANELS for target in panel["targets"]
]


@pytest.fixture(scope="module")
def families(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """The metrics of a server that was used, and of what kind they are."""
    port = free_port()
    data = tmp_path_factory.mktemp("monitored") / "m.kifu"
    with serving.running(data, metrics_port=port, http_port=0) as running:
        with running.client() as client:
            opened = client.open_match("toy", ["A", "B"], ["ones", "tens"])
            seat = client.with_token(opened.seats[0])
            seat.choose(opened.id, 1, Act("pass"))
            with pytest.raises(CallError):
                seat.choose(opened.id, 1, Act("pass"))
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            text = answer.read().decode()
    return {one.name: one.type for one in text_string_to_metric_families(text)}


def series(families: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The names that may be asked for, and the family of each."""
    ends = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count"), "gauge": ("",)}
    for name, kind in families.items():
        for end in ends[kind]:
            yield name.removesuffix("_total") + end if kind == "counter" else name + end, name


def asked(expression: str) -> set[str]:
    return set(re.findall(r"\bkifu_\w+|\bup\b", expression))


def known(families: Mapping[str, str]) -> Mapping[str, str]:
    """Those that mean something; when each series began is of no interest."""
    return {name: kind for name, kind in families.items() if not name.endswith("_created")}


def test_what_is_asked_for_is_there(families: Mapping[str, str]) -> None:
    there = dict(series(known(families)))
    for expression in EXPRESSIONS:
        assert asked(expression)
        assert asked(expression) <= there.keys() | ADDED, expression


def test_all_that_is_counted_is_shown(families: Mapping[str, str]) -> None:
    there = dict(series(known(families)))
    shown = {there[name] for expression in EXPRESSIONS for name in asked(expression) - ADDED}
    assert {family for family in there.values() if family.startswith("kifu_")} == shown


def test_the_page_names_what_there_is(families: Mapping[str, str]) -> None:
    page = (MONITORING / "MONITORING.md").read_text("utf-8")
    named = set(re.findall(r"\bkifu_\w+", page))
    assert len(named) > 15
    assert named <= {name.removesuffix("_bucket") for name, _ in series(known(families))}


def labels() -> dict[str, dict[str, set[str]]]:
    """The labels of each series, and their values, where something of each kind happened."""
    metrics = Metrics()
    metrics.info("one", "1")
    metrics.call("Choose", "DATA_LOSS", 1.0)
    metrics.refusal("DECISION_STALE")
    metrics.failure("sweep")
    metrics.code("exchanged")
    metrics.request("/", 500, 1.0)
    found: dict[str, dict[str, set[str]]] = {}
    for name, given, _ in metrics.all():
        for label, value in given.items():
            found.setdefault(name, {}).setdefault(label, set()).add(value)
    return found


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_labels_are_those_that_there_are(expression: str) -> None:
    had = labels()
    for name, matchers in re.findall(r"(kifu_\w+)\{([^}]*)\}", expression):
        for label, how, value in re.findall(r'(\w+)(=~|=)"([^"]*)"', matchers):
            if label in ADDED_LABELS:
                continue
            values = had[name][label]
            assert any(re.fullmatch(value, one) for one in values) if how == "=~" else (
                value in values
            )  # fmt: skip
    wanted = {
        label.strip() for by in re.findall(r"by \(([^)]*)\)", expression) for label in by.split(",")
    }
    given = {label for name in asked(expression) for label in had.get(name, {})}
    assert wanted <= given | ADDED_LABELS


def test_panels_do_not_overlap_and_alerts_have_names_of_their_own() -> None:
    assert len({panel["id"] for panel in BOARD["panels"]}) == len(BOARD["panels"])
    assert len({rule.alert for rule in RULES}) == len(RULES)
    places = [panel["gridPos"] for panel in BOARD["panels"]]
    assert all(at["x"] + at["w"] <= 24 for at in places)
    for a, b in combinations(places, 2):
        aside = a["x"] + a["w"] <= b["x"] or b["x"] + b["w"] <= a["x"]
        assert aside or a["y"] + a["h"] <= b["y"] or b["y"] + b["h"] <= a["y"]


@pytest.mark.skipif(shutil.which("promtool") is None, reason="Prometheus is not installed")
def test_prometheus_reads_them(tmp_path: Path) -> None:
    steps = {"$__rate_interval": "5m", "$server": ".*"}
    rules = []
    for n, expression in enumerate(EXPRESSIONS):
        for name, value in steps.items():
            expression = expression.replace(name, value)
        rules.append({"record": f"of:board_{n}", "expr": expression})
    board = tmp_path / "board.yaml"
    board.write_bytes(msgspec.yaml.encode({"groups": [{"name": "board", "rules": rules}]}))
    files = [str(MONITORING / "alerts.yaml"), str(board)]
    subprocess.run(["promtool", "check", "rules", *files], check=True)


# -- metrics as they are sent to a collector: the same as Prometheus reads, in its own words -------


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


# -- what the metrics say of a database: its connections, and what took too long -------------------


def test_the_pool_and_what_takes_too_long(
    postgres_server: postgres.Server, postgres_url: str
) -> None:
    metrics = Metrics()

    def counted(*of: str) -> float:
        found = {(name, *labels.values()): value for name, labels, value in metrics.all()}
        return found[of]

    def late(records: Records, limit: str, sql: str) -> None:
        with records.reading():
            records.row("SELECT set_config(?, '50', true)", limit)
            with pytest.raises(StoreError):
                records.row(sql)

    database = postgres_url.rpartition("/")[2]
    with closing(Records(postgres_url)) as records:
        records.driver.report(metrics.store)
        with records.reading():
            records.row("SELECT 1")
            assert counted("kifu_store_pool_used") == 1
            assert 1 <= counted("kifu_store_pool_open") <= counted("kifu_store_pool_most")
        assert counted("kifu_store_pool_used") == 0
        assert counted("kifu_store_pool_waiting") == 0
        late(records, "statement_timeout", "SELECT pg_sleep(5)")
        with postgres_server.connection(database) as holder:
            holder.execute("SELECT pg_advisory_lock(7)")
            late(records, "lock_timeout", "SELECT pg_advisory_xact_lock(7)")
        for kind in ("statement", "lock"):
            assert counted("kifu_store_timeouts_total", kind) == 1
