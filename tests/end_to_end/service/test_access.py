"""A look at hidden cards is recorded before anything is shown: through the server."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from domain.record.decisions import Act
from domain.record.interventions import Looked
from domain.record.schema.policy import Policy
from domain.record.views import PUBLIC
from service.client.client import CallError, Client, Opened
from tests.support.marks import each
from tests.support.serving import play

Read = Callable[[Client, str], Any]
#: What is read, how, and as what it is written down.
READS: dict[str, tuple[Read, str, str]] = {
    "position": (lambda c, m: c.position(m), "position", "official"),
    "a seat's": (lambda c, m: c.position(m, view=1), "position", "seat/1"),
    "decisions": (lambda c, m: list(c.decisions(m)), "decisions", "official"),
    "decision": (lambda c, m: c.decision(m, 2), "decisions", "official"),
    "entries": (lambda c, m: list(c.events(m, view=0)), "entries", "seat/0"),
    "stream": (lambda c, m: list(c.watch(m)), "stream", "official"),
    "proof": (lambda c, m: c.proof(m), "proof", "official"),
    "preview": (lambda c, m: c.preview_rewind(m, 1), "preview", "official"),
    "fork": (lambda c, m: c.fork(m, 1), "fork", "official"),
    "why not": (lambda c, m: c.why_not(m, Act("pass"), 0, decision=1), "why-not", "official"),
}  # fmt: skip


def ended(client: Client, **more: Any) -> Opened:
    opened = client.open_match(
        "toy", ["Ann", "Ben"], ["ones", "tens"], options={"turns": 4}, **more
    )
    play(tuple(map(client.with_token, opened.seats)), opened, Random(1))
    return opened


def lines(client: Client, match: str) -> list[tuple[str, str, str]]:
    return [(line.who, line.what, line.view) for line in client.access(match)][::-1]


@pytest.mark.parametrize("what", each(3, READS))
def test_reads_of_a_match_that_is_over_are_lines(organiser: Client, what: str) -> None:
    match, (read, kind, view) = ended(organiser), READS[what]
    official, public = (organiser.with_token(t) for t in (match.official, match.public))
    log = list(public.events(match.id))
    assert lines(organiser, match.id) == []
    read(official, match.id)
    read(official, match.id)
    who = official.who_am_i().subject
    assert lines(organiser, match.id) == [(who, kind, view)]
    (line,) = organiser.access(match.id)
    assert (line.seq, line.role) == (len(log), "official")
    assert list(public.events(match.id)) == log, "the record is what it was"
    read(organiser, match.id)
    assert lines(organiser, match.id)[1:] == [(organiser.who_am_i().subject, kind, view)]
    assert organiser.check_access().fault == ""


def test_who_sees_nothing_hidden_is_not_written_down(organiser: Client) -> None:
    match = ended(organiser)
    for token in (match.public, *match.seats):
        for read, *_ in (READS["position"], READS["decisions"], READS["stream"]):
            read(organiser.with_token(token), match.id)
    organiser.position(match.id, view=PUBLIC)
    list(organiser.events(match.id, view=PUBLIC))
    organiser.match(match.id)
    organiser.verify(match.id)
    assert lines(organiser, match.id) == []


def test_a_look_is_an_entry_of_a_live_match_or_a_line(organiser: Client) -> None:
    for evidence in ("none", "rulings"):
        policy = Policy(replay_evidence=evidence)
        match = organiser.open_match("toy", ["A", "B"], ["ones", "tens"], policy=policy)
        official = organiser.with_token(match.official)
        official.position(match.id, why="a question")
        public = organiser.with_token(match.public)
        looks = [e.event for e in public.events(match.id) if isinstance(e.event, Looked)]
        found = [line.why for line in organiser.access(match.id)]
        assert (len(looks), found) == ((0, ["a question"]) if evidence == "none" else (1, []))


def test_the_log_is_for_organisers(organiser: Client) -> None:
    match = ended(organiser)
    for token in (match.official, match.public, *match.seats):
        client = organiser.with_token(token)
        for call in (lambda c: list(c.access()), lambda c: c.check_access()):
            with pytest.raises(CallError) as caught:
                call(client)
            assert caught.value.code == "PERMISSION_DENIED"
