"""After the end through the real server: results that are superseded, ends that are taken back."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

from kifu.v1.match_service_pb2 import MATCH_STATE_ENDED, MATCH_STATE_LIVE, Match

from domain.record import events as ev
from domain.record.decisions import Act
from domain.record.entries import Entry, active
from domain.record.folding.fold import fold_all
from domain.record.interventions import Noted, ResultCorrected, Rewound
from service.client.client import CallError, Client, Opened
from tests.support.refusals import refused
from tests.support.serving import play


def ended(client: Client, turns: int = 6) -> Opened:
    """A toy match that is over: seat 1 has won it, as seat 0 conceded."""
    opened = client.open_match("toy", ["Ann", "Ben"], ["ones", "tens"], options={"turns": turns})
    seats = tuple(map(client.with_token, opened.seats))
    play(seats, opened, Random(1), most=4)
    seats[0].interject(opened.id, Act("concede"))
    return opened


def watched(stream: Iterator[Entry]) -> tuple[list[Entry], Any]:
    """The messages of a stream up to its end, and its state of the match then."""
    entries: list[Entry] = []
    while True:
        try:
            entries.append(next(stream))
        except StopIteration as end:
            return entries, end.value


def results(match: Match) -> list[tuple[int, tuple[int, ...], int]]:
    return [(one.winner, tuple(one.score), one.by) for one in match.superseded]


def test_a_corrected_result_is_shown_to_everybody_everywhere(organiser: Client) -> None:
    match = ended(organiser)
    official, public = (organiser.with_token(t) for t in (match.official, match.public))
    log, summary = watched(public.watch(match.id))
    assert (summary.state, summary.winner, summary.entries) == (MATCH_STATE_ENDED, 1, len(log))
    first = public.position(match.id).results[-1].seq
    done = official.correct_result(match.id, 0, (1, 0), "mixed up", result=first, request_id="r")
    repeated = official.correct_result(
        match.id, 0, (1, 0), "mixed up", result=first, request_id="r"
    )
    assert repeated == done
    assert done.decision == 0
    corrected = done.first_seq + 1
    for client in (organiser, official, public):
        found = client.match(match.id)
        assert (found.winner, [*found.score], found.state) == (0, [1, 0], MATCH_STATE_ENDED)
        assert results(found) == [(1, (0, 1), corrected)]
        p = client.position(match.id)
        assert (p.winner, [one.winner for one in p.results]) == (0, [1, 0])
    (listed,) = [one for one in organiser.list_matches(state="ended") if one.id == match.id]
    assert results(listed) == [(1, (0, 1), corrected)]
    later, summary = watched(public.watch(match.id, after=log[-1].seq))
    assert [type(entry.event) for entry in later] == [
        ev.FrameOpened, ResultCorrected, ev.FrameClosed,
    ]  # fmt: skip
    assert results(summary) == [(1, (0, 1), corrected)]
    assert watched(public.watch(match.id, after=later[-1].seq)) == ([], summary)
    assert organiser.verify(match.id).verdict == 1
    assert not organiser.verify(match.id).derived


def test_what_no_result_can_be_is_refused_and_leaves_no_trace(organiser: Client) -> None:
    match, live = ended(organiser), organiser.open_match("toy", ["A", "B"], ["ones", "tens"])
    official, failed = organiser.with_token(match.official), "FAILED_PRECONDITION"
    log = list(organiser.events(match.id))
    first = official.position(match.id).results[-1].seq
    for winner, score, result, fault in (
        (0, (1, 1), 0, "BAD_RESULT"), (0, (1,), 0, "BAD_RESULT"), (2, (1, 0), 0, "NO_SUCH_SEAT"),
        (1, (0, 1), 0, "SAME_RESULT"), (0, (1, 0), first - 1, "RESULT_STALE"),
    ):  # fmt: skip
        call = refused(official.correct_result, match.id, winner, score, "so", result=result)
        assert call == (failed, fault)
    stale = refused(official.penalise, match.id, 1, "match-loss", result=first + 1)
    assert stale == (failed, "RESULT_STALE")
    assert refused(official.rewind, match.id, 2, "so", result=1) == (failed, "RESULT_STALE")
    assert refused(official.correct_result, match.id, 0, (1, 0), "") == (failed, "TEXT_MISSING")
    assert refused(organiser.correct_result, live.id, 0, (1, 0), "x") == (failed, "MATCH_LIVE")
    assert refused(organiser.correct_result, match.id, 0, (0,) * 99, "x")[1] == "FIELD_INVALID"
    assert list(organiser.events(match.id)) == log


def test_followers_get_the_end_and_a_match_whose_end_is_undone_goes_on(organiser: Client) -> None:
    match = ended(organiser)
    official, public = (organiser.with_token(t) for t in (match.official, match.public))
    late = organiser.with_token(organiser.issue_tokens(match.id, "5 decisions").public)
    once = organiser.with_token(organiser.issue_tokens(match.id, "game").public)
    before, _ = watched(late.watch(match.id))
    got: list[Entry] = []
    shown = threading.Event()

    def stay() -> None:
        noted = False
        for entry, p in public.follow(match.id, stay=True):
            got.append(entry)
            noted = noted or (isinstance(entry.event, Noted) and p.over)
            if noted and isinstance(entry.event, ev.FrameClosed):
                shown.set()
                return

    watcher = threading.Thread(target=stay, daemon=True)
    watcher.start()
    while not got:  # it follows by then
        official.rule(match.id, "the concession was no such thing")
        time.sleep(0.05)
    n = next(e.event.n for e in reversed(before) if isinstance(e.event, ev.DecisionOpened))
    seen = official.position(match.id).results[-1].seq
    official.rewind(match.id, n, "a slip at the end", result=seen)
    found = organiser.match(match.id)
    back = next(e.seq for e in organiser.events(match.id) if isinstance(e.event, Rewound))
    assert (found.state, found.winner, [*found.score]) == (MATCH_STATE_LIVE, -1, [])
    assert results(found) == [(1, (0, 1), back)]
    assert [one.id for one in organiser.list_matches(state="live")].count(match.id) == 1
    for client in (late, once):  # what they had seen is not taken from them, nor this kept
        assert client.match(match.id).entries >= back
        assert client.match(match.id).state == MATCH_STATE_LIVE
    seats = tuple(map(organiser.with_token, match.seats))
    assert (
        seats[0].position(match.id).decision == fold_all(active(seats[0].events(match.id))).decision
    )
    play(seats, match, Random(5))
    official.note(match.id, "so it ended", public=True)
    assert shown.wait(20), "who stays is told"
    log = list(public.events(match.id))
    assert got == log[got[0].seq - 1 :]
    for client in (late, once):
        later, summary = watched(client.watch(match.id, after=before[-1].seq))
        assert before + later == log
        assert results(summary) == [(1, (0, 1), back)]
    assert organiser.verify(match.id).verdict == 1
    assert not organiser.verify(match.id).derived


def test_two_officials_at_once(organiser: Client) -> None:
    """Of several who saw the same result one corrects it; the others get RESULT_STALE."""
    match = ended(organiser)
    first = organiser.position(match.id).results[-1].seq

    def correct(winner: int) -> str:
        score = (1, 0) if winner == 0 else (0, 0)
        official = organiser.with_token(match.official)
        try:
            if winner == 1:
                official.rewind(match.id, 2, "no", result=first)
            else:
                official.correct_result(match.id, winner, score, "so", result=first)
        except CallError as error:
            return error.reason
        return "done"

    with ThreadPoolExecutor(3) as pool:
        found = [*pool.map(correct, (0, -1, 1))]
    assert sorted(found) == ["RESULT_STALE", "RESULT_STALE", "done"]
    assert len(organiser.match(match.id).superseded) == 1
    assert organiser.verify(match.id).verdict == 1
