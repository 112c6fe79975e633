"""The officials' desk through the real server: what it does, what it refuses, and to whom."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest
from kifu.v1 import desk_service_pb2 as pb

from domain.officials.corrections.fixes import Fix
from domain.officials.ways import RANDOM
from domain.record import events as ev
from domain.record.decisions import Act
from domain.record.entries import active
from domain.record.folding.fold import fold_all
from domain.record.interventions import Irregularity, Looked, Rewound
from domain.record.schema.policy import Policy
from service.client.client import CallError, Client, Opened
from tests.support.refusals import refused
from tests.support.serving import play

Call = Callable[[Client], Any]


@pytest.fixture
def match(organiser: Client) -> Opened:
    """A match of a real game, some decisions in, its open decision at rest."""
    opened = organiser.open_match(
        "gundam", ["Ann", "Ben"], ["ST01", "ST03"], seed=4, policy=Policy(replay_evidence="rulings")
    )
    seats, rng = tuple(map(organiser.with_token, opened.seats)), Random(4)
    play(seats, opened, rng, 20)
    while not _open(organiser, opened).rest:
        play(seats, opened, rng, 1)
    return opened


def _open(client: Client, opened: Opened) -> Any:
    decision = client.position(opened.id).decision
    assert decision is not None
    return decision


def test_everything_at_the_desk_is_recorded_and_exact(organiser: Client, match: Opened) -> None:
    official, name = organiser.with_token(match.official), match.id
    look = next(official.events(name)).seq
    ruling = official.rule(name, "so it is", ["gcg:7-3-1"], about=look, request_id="r")
    assert official.rule(name, "so it is", ["gcg:7-3-1"], about=look, request_id="r") == ruling
    official.penalise(name, 0, "warning", "late")
    official.note(name, "hm", public=True)
    official.pause(name)
    official.resume(name)
    official.flag(name, "gcg:6-3-1", "looked", seat=0)
    n = _open(official, match).n
    done = official.correct(name, n, [Fix("draw", n=1, src="deck/0", place="hand/0")], "forgotten")
    assert done.decision == n + 1
    found = official.preview_rewind(name, n - 6)
    assert found.decisions[0].n == n - 6
    seen = {"why": "wrong", "open_decision": done.decision, "request_id": "b"}
    assert official.rewind(name, n - 6, **seen) == official.rewind(name, n - 6, **seen)
    play(tuple(map(organiser.with_token, match.seats)), match, Random(1), 30)
    log = list(organiser.events(name))
    assert organiser.verify(name).verdict == 1
    assert organiser.position(name) == fold_all(active(log))
    assert sum(isinstance(entry.event, Rewound) for entry in log) == 1


def test_an_illegal_play_stands_and_is_flagged(organiser: Client, match: Opened) -> None:
    official = organiser.with_token(match.official)
    p = official.position(match.id)
    assert p.decision is not None
    seat, n = p.decision.seats[0], p.decision.n
    legal = _open(official, match).offers[seat].options[-1].act()
    allowed = refused(official.play_anyway, match.id, n, seat, legal)
    assert allowed == ("FAILED_PRECONDITION", "LEGAL_ACT")
    gone = refused(official.play_anyway, match.id, n, seat, Act("deploy", 9999, ((),)))
    assert gone == ("FAILED_PRECONDITION", "IRREGULARITY_IMPOSSIBLE")
    other = 1 - seat
    for card in p.zone("hand", other):
        try:
            official.play_anyway(match.id, n, other, Act("deploy", card, ((),)))
        except CallError:
            continue
        break
    public = [entry.event for entry in organiser.with_token(match.public).events(match.id)]
    assert any(isinstance(event, Irregularity) and event.seat == other for event in public)
    assert organiser.verify(match.id).verdict == 1


def test_who_watches_follows_a_rewind(organiser: Client, match: Opened) -> None:
    public, name = organiser.with_token(match.public), match.id
    before, seen = _open(public, match).n, list[int]()
    ready = threading.Event()

    def watch() -> None:
        for entry, p in public.follow(name):
            ready.set()
            seen.append(p.decision.n if p.decision is not None else 0)
            if isinstance(entry.event, ev.MatchEnded):
                return

    thread = threading.Thread(target=watch)
    thread.start()
    official = organiser.with_token(match.official)
    while not ready.is_set():
        official.note(name, "is anybody there?")
        ready.wait(0.05)
    official.rewind(name, before - 5, "wrong")
    official.penalise(name, 0, "match-loss")
    thread.join(10)
    assert not thread.is_alive()
    assert before - 5 in seen


# -- looks -----------------------------------------------------------------------------------------


def looks(client: Client, match: str) -> list[str]:
    entries = client.events(match, view=-1)
    return [entry.event.view for entry in entries if isinstance(entry.event, Looked)]


def test_a_look_is_recorded_once_for_each_decision(organiser: Client, match: Opened) -> None:
    official = organiser.with_token(match.official)
    assert "official" in looks(organiser, match.id), "the organiser has looked already"
    n = len(looks(organiser, match.id))
    for _ in range(2):
        official.position(match.id)
        official.position(match.id, view=1)
        official.position(match.id, view=-1)
    assert looks(organiser, match.id)[n:] == ["official", "seat/1"]
    organiser.with_token(match.public).position(match.id)
    organiser.with_token(match.seats[0]).position(match.id)
    assert len(looks(organiser, match.id)) == n + 2
    plain = organiser.open_match("toy", ["A", "B"], ["ones", "tens"])
    organiser.position(plain.id)
    assert looks(organiser, plain.id) == []


# -- hostile ---------------------------------------------------------------------------------------

DESK: dict[str, Callable[[str], Call]] = {
    "rule": lambda m: lambda c: c.rule(m, "mine"),
    "penalise": lambda m: lambda c: c.penalise(m, 1, "match-loss"),
    "result": lambda m: lambda c: c.correct_result(m, 0, (1, 0), "mine"),
    "note": lambda m: lambda c: c.note(m, "hm"),
    "pause": lambda m: lambda c: c.pause(m),
    "clock": lambda m: lambda c: c.set_clock(m, "round", 1),
    "extend": lambda m: lambda c: c.extend(m, "round", 1),
    "time": lambda m: lambda c: c.call_time(m),
    "decide": lambda m: lambda c: c.decide_by_time(m),
    "flag clock": lambda m: lambda c: c.flag_clock(m, 0),
    "flag": lambda m: lambda c: c.flag(m, "gcg:6-3-1", "x"),
    "play": lambda m: lambda c: c.play_anyway(m, 1, 0, Act("end")),
    "correct": lambda m: lambda c: c.correct(m, 1, [Fix("shuffle", place="deck/0")], "x"),
    "preview": lambda m: lambda c: c.preview_rewind(m, 1),
    "rewind": lambda m: lambda c: c.rewind(m, 1, "x"),
    "undo": lambda m: lambda c: c.undo(m),
    "fork": lambda m: lambda c: c.fork(m, 1),
}


@pytest.mark.parametrize("what", DESK)
def test_the_desk_is_for_officials(organiser: Client, toy: Opened, what: str) -> None:
    call, other = DESK[what](toy.id), organiser.open_match("toy", ["A", "B"], ["ones", "tens"])
    before = list(organiser.events(toy.id))
    for token in (*toy.seats, toy.public):
        assert refused(call, organiser.with_token(token)) == ("PERMISSION_DENIED", "ROLE_REQUIRED")
    strange = refused(call, organiser.with_token(other.official))
    assert strange == ("PERMISSION_DENIED", "MATCH_FOREIGN")
    assert list(organiser.events(toy.id)) == before


def test_what_makes_no_sense_changes_nothing(organiser: Client, match: Opened) -> None:
    official, name = organiser.with_token(match.official), match.id
    n = _open(official, match).n
    before = list(organiser.events(name))
    failed = "FAILED_PRECONDITION"
    cases: list[tuple[Callable[[], object], tuple[str, str]]] = [
        (partial(official.rule, name, "x", ["gcg:0"]), (failed, "RULE_UNKNOWN")),
        (partial(official.penalise, name, 5, "warning"), (failed, "NO_SUCH_SEAT")),
        (partial(official.resume, name), (failed, "NOT_PAUSED")),
        (partial(official.correct, name, n - 1, [Fix("shuffle", place="deck/0")], "x"),
         ("ABORTED", "DECISION_STALE")),
        (partial(official.correct, name, n, [Fix("shuffle", place="attic")], "x"),
         (failed, "BAD_CORRECTION")),
        (partial(official.rewind, name, n - 3, "x", open_decision=n - 1),
         ("ABORTED", "DECISION_STALE")),
        (partial(official.rewind, name, n, "x"), (failed, "NOTHING_TO_UNDO")),
        (partial(official.rewind, name, n - 3, "x", cards={9999: RANDOM}),
         (failed, "BAD_PUT_BACK")),
        (partial(official.fork, name, 10_000), (failed, "NO_SUCH_DECISION")),
        (partial(official.undo, name), (failed, "NOT_A_TABLE")),
        (partial(official.rule, name, "x" * 3000), ("INVALID_ARGUMENT", "FIELD_INVALID")),
    ]  # fmt: skip
    for call, answer in cases:
        assert refused(call) == answer
    assert list(organiser.events(name)) == before


def test_what_needs_a_live_match_is_refused_once_it_is_over(
    organiser: Client, match: Opened
) -> None:
    official, name = organiser.with_token(match.official), match.id
    n = _open(official, match).n
    official.penalise(name, 0, "match-loss")
    log = list(organiser.events(name))
    calls: list[Call] = [
        lambda c: c.pause(name),
        lambda c: c.set_clock(name, "round", 1),
        lambda c: c.call_time(name),
        lambda c: c.adopt(name),
        lambda c: c.play_anyway(name, n, 0, Act("pass")),
        lambda c: c.interject(name, Act("concede"), seat=0),
    ]
    for call in calls:
        assert refused(call, official) in (
            ("FAILED_PRECONDITION", "MATCH_OVER"), ("PERMISSION_DENIED", "ROLE_REQUIRED"),
        )  # fmt: skip
    assert list(organiser.events(name)) == log


def test_a_fork_is_unofficial_and_cannot_be_forked(organiser: Client, match: Opened) -> None:
    official, n = organiser.with_token(match.official), _open(organiser, match).n
    forked, token = official.fork(match.id, n - 3, request_id="f")
    assert official.fork(match.id, n - 3, request_id="f")[0] == forked
    theirs = organiser.with_token(token)
    assert refused(theirs.fork, forked, 1) == ("FAILED_PRECONDITION", "FORKED_ALREADY")
    assert refused(official.position, forked) == ("PERMISSION_DENIED", "MATCH_FOREIGN")
    assert organiser.match(forked).unofficial
    assert forked not in [one.id for one in organiser.list_matches()]
    decision = theirs.position(forked).decision
    assert decision is not None
    act = Act("pass")
    for seat in match.seats:
        assert refused(organiser.with_token(seat).choose, forked, decision.n, act)[0] == (
            "PERMISSION_DENIED"
        )


def test_a_rewind_and_a_choice_at_once(organiser: Client, match: Opened) -> None:
    """One of them comes first; the record is exact with any answer to the other."""
    official, name = organiser.with_token(match.official), match.id
    seats = tuple(map(organiser.with_token, match.seats))
    for _ in range(4):
        play(seats, match, Random(7), 6)
        decision = _open(official, match)
        n, seat = decision.n, decision.seats[0]
        act = decision.offers[seat].options[0].act()
        answers = at_once(
            partial(official.rewind, name, n - 2, "wrong", open_decision=n),
            partial(seats[seat].choose, name, n, act),
        )
        assert set(answers) <= {"done", "ABORTED", "FAILED_PRECONDITION"}
        assert "done" in answers
    assert organiser.verify(name).verdict == 1
    log = list(organiser.events(name))
    assert [entry.seq for entry in log] == list(range(1, len(log) + 1))


def at_once(*calls: Callable[[], object]) -> list[str]:
    """Make calls at the same time; what came of each."""
    answers: list[str] = []

    def run(call: Callable[[], object]) -> None:
        try:
            call()
        except CallError as error:
            answers.append(error.code)
        else:
            answers.append("done")

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_numbers_from_nowhere(organiser: Client, match: Opened) -> None:
    """A request with impossible numbers is refused with a reason."""
    desk, numbers = organiser.desk, (-(2**31), -1, 2**31 - 1)
    before = list(organiser.events(match.id))
    fields: dict[str, tuple[str, ...]] = {
        "RecordRuling": ("about", "decision", "evidence"),
        "RecordPenalty": ("seat",),
        "FlagClock": ("seat",),
        "FlagIrregularity": ("about", "seat"),
        "RecordIrregularity": ("decision", "seat"),
        "CorrectPosition": ("decision", "seat"),
        "PreviewRewind": ("decision",),
        "RewindMatch": ("decision", "open_decision"),
        "UndoEntry": ("open_decision",),
        "ForkMatch": ("decision",),
    }
    for method, names in fields.items():
        request = getattr(pb, f"{method}Request")
        seen = {"text": "x", "why": "x", "kind": "warning", "rule": "gcg:6-3-1", "note": "x"}
        known = request.DESCRIPTOR.fields_by_name
        given = {name: text for name, text in seen.items() if name in known}
        for name in names:
            for number in numbers:
                asked = request(match_id=match.id, **given, **{name: number})
                code, reason = refused(organiser.call, getattr(desk, method), asked)
                assert code in ("FAILED_PRECONDITION", "INVALID_ARGUMENT", "ABORTED"), (
                    method,
                    name,
                )
                assert reason != "INTERNAL"
    assert list(organiser.events(match.id)) == before
