"""Two servers, each with one of two matches that a viewer can't tell apart, tell him the same.

Every call he can make is made to both: what they answer, byte for byte, in answers and in errors,
what they count and what they log. Only hashes differ, as they would between two records of the same
match: of a proof it is the lengths that are compared. The twins are made in
`properties.secrecy.twins`.
"""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from kifu.v1 import match_service_pb2 as pb

from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.events import DecisionOpened
from domain.record.points import Point
from domain.record.views import PUBLIC
from service.anchors.ledger import Ledger
from service.client.client import CallError, Client
from service.store.derived import listing
from service.store.records import Records, Work
from tests.playouts import Setup, cuts, play
from tests.properties.secrecy.twins import permuted, swapped_in_hand
from tests.support import serving
from tests.support.collector import Collector
from tests.support.heads import without_hashes
from tests.support.leaks import LEAKS
from tests.support.marks import each
from tests.support.waiting import until

ID = "k7f3q"
#: A viewer, the decks, and how a twin is made.
TWINS = [
    (1, ("ST01", "ST03"), permuted),
    (0, ("ST03", "ST02"), swapped_in_hand),
    (PUBLIC, ("ST03", "ST01"), permuted),
    (1, ("HX-A", "HX-B"), permuted),
]


def twins(viewer: int, decks: tuple[str, str], make: Any) -> tuple[list[Entry], list[Entry]]:
    """Two matches that stand at a decision, the same to the viewer, and not the same."""
    for seed in range(40):
        setup, rng = Setup(seed, decks), Random(seed)
        log = play(setup)
        twin = make(setup, log, viewer, rng)
        ends = [at for at in cuts(log) if twin is not None and at <= min(twin.same, len(twin.log))]
        end = ends[len(ends) * 3 // 4] if len(ends) > 12 else 0
        if end and log[:end] != twin.log[:end]:
            return log[:end], twin.log[:end]
    raise AssertionError("no twins that differ")


def watched(client: Client, request: pb.WatchPositionRequest, end: int) -> None:
    """Read a stream of positions to the end of what there is."""
    for message in client.stream(client.matches.WatchPosition, request):
        if message.seq >= end:
            return


class Inquiry:
    """A client, and everything that was answered it: bytes, or what an error says."""

    def __init__(self, client: Client) -> None:
        self.client, self.answers = client, list[Any]()
        call, stream = client.call, client.stream

        def recorded(method: Any, request: Any, **more: Any) -> Any:
            try:
                answer = call(method, request, **more)
            except CallError as error:
                error.metadata.pop("trace")  # a number by chance
                data = (error.code, error.reason, error.text, sorted(error.metadata.items()))
                self.answers.append((str(request), *data, str(error.violations)))
                raise
            found = without_hashes(answer).SerializeToString(deterministic=True)
            self.answers.append((str(request), found))
            return answer

        def read(method: Any, request: Any) -> Iterator[Any]:
            for message in stream(method, request):
                self.answers.append((str(request), message.SerializeToString(deterministic=True)))
                yield message

        client.call = recorded  # type: ignore[method-assign]
        client.stream = read  # type: ignore[method-assign]

    def ask(self, question: Any) -> None:
        """Put a question; an error is an answer."""
        try:
            question(self.client)
        except CallError as error:
            if error.code in ("INTERNAL", "UNKNOWN"):
                raise


def questions(end: int, decisions: int) -> Iterator[Any]:
    """Every kind of call that a viewer can make about a match."""
    yield lambda c: c.match(ID)
    yield lambda c: list(c.events(ID))
    for seq in (0, end // 2, end + 5):
        yield lambda c, seq=seq: c.position(ID, Point(seq=seq))
    for n in (0, 2, decisions, decisions + 9):
        yield lambda c, n=n: c.decision(ID, n)
    yield lambda c: list(c.decisions(ID, offers=True))
    for request in (
        pb.WatchPositionRequest(match_id=ID, after_seq=-1),
        pb.WatchPositionRequest(match_id=ID, each=pb.POSITION_EACH_MOMENT),
        pb.WatchPositionRequest(match_id=ID, each=pb.POSITION_EACH_DECISION, whole=True),
        pb.WatchPositionRequest(match_id=ID, after_seq=end // 2),
    ):
        yield lambda c, request=request: watched(c, request, end)
    yield lambda c: c.verify(ID)
    yield lambda c: c.proof(ID)
    yield lambda c: c.proof(ID, 5, end + 5)
    yield lambda c: c.list_matches()
    kinds = ("activate", "attack", "deploy", "play", "look", "choose", "fly")
    for act in (Act(kind, n) for kind in kinds for n in (1, 5, 30, 60, 61, 75, 90, 110, 999)):
        yield lambda c, act=act: c.why_not(ID, act)
        yield lambda c, act=act: c.choose(ID, decisions, act)
        for seat in (0, 1):
            yield lambda c, act=act, seat=seat: c.why_not(ID, act, seat, decision=decisions // 2)
    yield lambda c: c.interject(ID, Act("declare", 20, (("[]",),)))
    yield lambda c: c.match(ID)


def is_anchored(data: Path) -> bool:
    """Whether a server has done what it does by itself at first: it may share a transaction."""
    with closing(Records(data, reading=True)) as records:
        return Ledger(records).last() is not None


def served(folder: Path, log: list[Entry], key: Path, viewer: int, leak: str = "") -> list[Any]:
    """The answers, metrics and logs of a server with this match, for a viewer."""
    data = folder / "matches.kifu"
    folder.mkdir()
    records = Records(data)
    records.write(Work(ID, log, listing.derive(ID, log)))
    records.close()
    if key.exists():
        shutil.copy(key, folder / "matches.kifu-key")
    collector = Collector()
    running = serving.start(data, leak=leak, name="twin", telemetry=collector.address)
    until(lambda: is_anchored(data))
    shutil.copy(folder / "matches.kifu-key", key)
    with running.client() as organiser:
        granted = organiser.issue_tokens(ID)
        client = organiser.with_token(granted.public if viewer < 0 else granted.seats[viewer])
        inquiry = Inquiry(client)
        decisions = sum(isinstance(entry.event, DecisionOpened) for entry in log)
        for question in questions(len(log), decisions):
            inquiry.ask(question)
        while any(metric.value for metric in organiser.metrics() if "streams" in metric.name):
            time.sleep(0.01)  # until the streams that were left have ended, and are counted
        counted = [
            (metric.name, str(sorted(map(str, metric.labels))), metric.value)
            for metric in organiser.metrics()
            if not re.search(r"seconds|created|bytes|python|process", metric.name)
        ]
    running.stop()
    collector.close()
    lines = (folder / "server.log").read_text().splitlines()
    spans = sorted(str((span.name, span.failed, span.attributes)) for span in collector.spans)
    assert spans
    return [*inquiry.answers, *counted, *map(_steady, lines), *spans]


#: What differs from run to run in a line of the log.
_BY_CHANCE = ("time", "at", "port", "data", "ts", "trace_id", "span_id")


def _steady(line: str) -> str:
    """A line of the log without what differs from run to run."""
    try:
        data = json.loads(line)
    except ValueError:
        return line
    return str({key: data[key] for key in data if key not in _BY_CHANCE})


def difference(tmp_path: Path, twin: Any, leak: str = "") -> Any:
    viewer = twin[0]
    both = [
        served(tmp_path / name, log, tmp_path / "key", viewer, leak)
        for name, log in zip("ab", twins(*twin), strict=True)
    ]
    assert len(both[0]) > 100
    return next((pair for pair in zip(*both, strict=False) if pair[0] != pair[1]), None)


@pytest.mark.parametrize("twin", each(4, TWINS), ids=lambda twin: f"{twin[0]}-{twin[2].__name__}")
def test_two_servers_tell_a_viewer_the_same(tmp_path: Path, twin: Any) -> None:
    assert difference(tmp_path, twin) is None


@pytest.mark.long
@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(tmp_path: Path, leak: str) -> None:
    assert difference(tmp_path, TWINS[0], leak) is not None
