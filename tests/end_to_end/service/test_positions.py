"""Positions as they change, through the real server and the client."""

from __future__ import annotations

from random import Random
from threading import Thread

import pytest

from domain.record.points import Point
from domain.record.views import OFFICIAL, PUBLIC
from service.client.client import CallError, Client, Opened
from service.client.seen import SeenPosition, UnknownName
from tests.support.serving import followers, play
from tests.support.waiting import until

Seats = tuple[Client, ...]


def test_a_match_that_is_followed(organiser: Client, toy: Opened, seats: Seats) -> None:
    """Each position is what it was, also when the stream is over and has sent others."""
    followed = dict[str, list[SeenPosition]]()

    def follow(each: str, after: int | None) -> None:
        public = organiser.with_token(toy.public)
        followed[each] = list(public.positions(toy.id, after, each=each))

    asked = [("entry", None), ("decision", 0), ("moment", 3)]
    threads = [Thread(target=follow, args=one) for one in asked]
    for thread in threads:
        thread.start()
    until(lambda: followers(organiser, toy.id) == len(threads))
    play(seats, toy, Random(5))
    for thread in threads:
        thread.join(20)
    public = organiser.with_token(toy.public)
    last = public.position(toy.id)
    for each, found in followed.items():
        assert found[-1] == last, each
        assert found[-1].tally("deck", 0) == len(last.zone("deck", 0))
        assert [pos.seq for pos in found] == sorted({pos.seq for pos in found})
        for pos in found[:: max(len(found) // 8, 1)]:
            assert pos == public.position(toy.id, Point(seq=pos.seq))
    by_entry, by_decision = followed["entry"], followed["decision"]
    assert len(by_decision) < len(by_entry)
    assert all(pos.decision is not None for pos in by_decision[:-1])
    with pytest.raises(UnknownName, match="did you mean 'hand'"):
        last.zone("hands", 0)


def test_a_rewind_is_followed(organiser: Client, toy: Opened, seats: Seats) -> None:
    """To the position that was gone back to, as the viewer sees it."""
    assert play(seats, toy, Random(1), 5) == 5
    stream = seats[1].positions(toy.id)
    assert next(stream) == seats[1].position(toy.id)
    rested = [one.n for one in organiser.decisions(toy.id) if one.kind == "main"][1]
    organiser.with_token(toy.official).rewind(toy.id, rested, "a slip")
    after = seats[1].position(toy.id)
    pos = next(pos for pos in stream if pos.decision is not None and pos.seq >= after.seq)
    assert pos == after
    assert after.decision is not None
    assert after.turn <= seats[1].position(toy.id, Point(decision=rested)).turn


def test_whose_eyes(organiser: Client, toy: Opened, seats: Seats) -> None:
    play(seats, toy, Random(7))
    for viewer, client in ((OFFICIAL, organiser), (PUBLIC, seats[0]), (1, seats[1])):
        last = [*client.positions(toy.id, 0, viewer, each="decision")][-1]
        assert last == client.position(toy.id, view=viewer)
    with pytest.raises(CallError) as caught:
        next(seats[0].positions(toy.id, 0, 1))
    assert caught.value.reason == "ROLE_REQUIRED"
    late = organiser.with_token(organiser.issue_tokens(toy.id, "3600s").public)
    for ask in (late.position, lambda m: next(late.positions(m)), lambda m: next(late.watch(m))):
        with pytest.raises(CallError) as caught:
            ask(toy.id)
        assert caught.value.reason == "RECORD_DELAYED"
