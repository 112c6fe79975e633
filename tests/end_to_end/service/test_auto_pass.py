"""Auto-passes through real calls: by a call or on a stream, in a real game, over a restart."""

from __future__ import annotations

from random import Random

import pytest

from domain.engine.checks.verify import EXACT, verify
from domain.games import rulebook
from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.events import DecisionMade
from domain.record.views import AUTO
from service.client.client import CallError, Client, Opened

GAME = "gundam"


def opened_in(client: Client) -> tuple[Opened, tuple[Client, ...]]:
    opened = client.open_match(GAME, ["Ann", "Ben"], ["ST01", "ST03"], seed=11)
    return opened, tuple(client.with_token(token) for token in opened.seats)


def played(seats: tuple[Client, ...], match: str, rng: Random, n: int, lazy: int = -1) -> int:
    """Play on at random, each on a stream; how many decisions the `lazy` seat was asked."""
    asked = 0
    with seats[0].playing() as one, seats[1].playing() as other:
        tables = (one, other)
        for _ in range(n):
            decision = seats[0].position(match).decision
            if decision is None:
                break
            seat = decision.seats[0]
            if lazy >= 0 and seats[lazy].auto_pass(match) is None:
                decision_ = tables[lazy].set_auto_pass(match, decision.n, until_turn_ends=True).next
                if decision_ is not None:
                    continue
            asked += seat == lazy
            offer = seats[seat].position(match).decision.offers[seat]  # type: ignore[union-attr]
            assert offer is not None
            act = rng.choice(offer.options).act()
            tables[seat].choose(match, decision.n, act)
    return asked


def origins(log: list[Entry], seat: int) -> list[str]:
    made = [e.event for e in log if isinstance(e.event, DecisionMade)]
    return [event.origin for event in made if event.seat == seat]


def test_a_lazy_seat_is_asked_little_and_nobody_sees_why(organiser: Client) -> None:
    opened, seats = opened_in(organiser)
    played(seats, opened.id, Random(2), 60, lazy=1)
    log = list(organiser.events(opened.id))
    assert origins(log, 1).count(AUTO) > 5
    assert AUTO not in origins(log, 0)
    rules = rulebook(GAME)
    for entry, event in [(e, e.event) for e in log if isinstance(e.event, DecisionMade)]:
        if event.origin == AUTO:
            assert event.answer.value is not None
            assert entry.time == log[entry.seq - 2].time
    assert AUTO in origins(list(seats[1].events(opened.id)), 1)
    public = organiser.with_token(opened.public)
    for viewer in (seats[0], public):
        assert AUTO not in origins(list(viewer.events(opened.id)), 1)
        sides = [s for d in viewer.decisions(opened.id) for s in d.seats]
        assert AUTO not in {side.origin for side in sides}
    assert verify(log, rules).kind == EXACT


def test_it_is_nobody_elses(organiser: Client, toy: Opened, seats: tuple[Client, ...]) -> None:
    public = organiser.with_token(toy.public)
    with seats[0].playing() as table:
        for call in (
            lambda: table.set_auto_pass(toy.id, 1, seat=1),
            lambda: table.withdraw_auto_pass(toy.id, seat=1),
            lambda: public.set_auto_pass(toy.id, 1, seat=1),
            lambda: public.auto_pass(toy.id, 1),
            lambda: seats[0].auto_pass(toy.id, 1),
        ):
            with pytest.raises(CallError) as caught:
                call()
            assert caught.value.code == "PERMISSION_DENIED"
        with pytest.raises(CallError) as caught:
            table.set_auto_pass(toy.id, 9)
        assert caught.value.reason == "DECISION_STALE"
        assert table.set_auto_pass(toy.id, 1).first_seq
        assert seats[1].choose(toy.id, 2, Act("pass")).next.n == 4  # type: ignore[union-attr]
