"""The check of histories finds what can't have happened, and nothing else.

Histories come from a simulated match whose clients overlap: each operation takes effect at a moment
between its call and its answer, of which the check learns nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import permutations
from math import inf
from random import Random
from typing import NamedTuple

import pytest

from tests.faults.checking.linear import Operation, contradiction
from tests.faults.checking.log import (
    Added,
    Followed,
    Looked,
    Refused,
    Stale,
    State,
    What,
    step,
)


class Moment(NamedTuple):
    """An operation, and when it took effect."""

    effect: float
    op: Operation


def simulated(seed: int, many: int = 120, clients: int = 5) -> list[Moment]:
    """What clients of a match that works do and see."""
    rng, state, found = Random(seed), State(), list[Moment]()
    free = [0.0] * clients
    times = list[tuple[float, float, float]]()
    for _ in range(many):
        client = rng.randrange(clients)
        called = free[client] + rng.random()
        effect = called + rng.random() * 3
        free[client] = answered = effect + rng.random() * 3
        times.append((effect, called, answered))
    for n, (effect, called, answered) in enumerate(sorted(times)):
        what = drawn(rng, state, f"r{n}", found)
        (state,) = step(state, what)
        lost = isinstance(what, Added) and rng.random() < 0.1
        found.append(Moment(effect, Operation(what, called, inf if lost else answered)))
    return found


def drawn(rng: Random, state: State, name: str, before: list[Moment]) -> What:
    """An operation as a match that works would answer it now."""
    now, last = state.decision, state.seq + rng.randrange(1, 9)
    standing = sorted(state.done)
    kind = rng.randrange(10)
    if kind < 4 or not state.seq:
        return Added(name, state.seq + 1, last, now, now + 1)
    if kind == 4:
        back = rng.randrange(state.seq)
        return Added(name, state.seq + 1, last, 0, rng.randrange(1, now + 1), back)
    if kind == 5:
        return Stale(name, now + rng.choice((-1, 1)), now)
    if kind == 6 and standing:
        found, _, _ = rng.choice(standing)
        return next(op.what for _, op in before if getattr(op.what, "name", "") == found)
    if kind == 7:
        return Refused(name, now)
    return Followed(rng.randrange(1, state.seq + 1)) if kind == 8 else Looked(state.seq, now)


def ops(moments: Iterable[Moment]) -> list[Operation]:
    return [moment.op for moment in moments]


def explained(history: Iterable[Operation]) -> bool:
    return contradiction(State(), step, [*history]) is None


@pytest.mark.parametrize("seed", range(25))
def test_what_a_match_that_works_has_shown_is_explained(seed: int) -> None:
    history = ops(simulated(seed))
    Random(seed).shuffle(history)
    assert explained(history)


@pytest.mark.parametrize("seed", range(10))
def test_a_look_at_what_was_before_the_call_is_found(seed: int) -> None:
    """Stale memory: what a look shows is over since another's command was answered."""
    history = ops(simulated(seed))
    adding = [op for op in history if isinstance(op.what, Added) and op.what.first > 1]
    early = next(op for op in adding if op.answered < inf)
    late = max(op.answered for op in history if op.answered < inf)
    for seq in (0, early.what.first - 1):
        look = Operation(Looked(seq, early.what.answers), late + 1, late + 2)
        assert not explained([*history, look])


@pytest.mark.parametrize("seed", range(10))
def test_an_acknowledged_command_that_is_not_there_is_found(seed: int) -> None:
    """Acknowledged before the commit: another command has got its place, or a look misses it."""
    history = ops(simulated(seed))
    adding = [op for op in history if isinstance(op.what, Added)]
    once = Counter(op.what.name for op in adding)
    last = max(op.what.first for op in adding)
    for op in adding[1:]:
        if op.answered < inf:
            other = op.what._replace(name="lost", last=op.what.last + 1)
            assert not explained([*history, Operation(other, op.called, op.called + 9)])
        if once[op.what.name] == 1 and op.what.first < last:
            assert not explained([one for one in history if one is not op])


@pytest.mark.parametrize("seed", range(10))
def test_a_command_that_took_effect_twice_is_found(seed: int) -> None:
    history = ops(simulated(seed))
    last = max(op.what.last for op in history if isinstance(op.what, Added))
    name = next(op.what.name for op in history if isinstance(op.what, Added) and op.answered < inf)
    late = max(op.answered for op in history if op.answered < inf)
    doubled = Added(name, last + 1, last + 3, 0, 1)
    assert not explained([*history, Operation(doubled, late + 1, late + 2)])


@pytest.mark.parametrize("seed", range(10))
def test_a_refusal_that_never_was_right_is_found(seed: int) -> None:
    history = ops(simulated(seed))
    for at, op in enumerate(history):
        if isinstance(op.what, Stale):
            wrong = op._replace(what=op.what._replace(current=op.what.current + 1000))
        elif isinstance(op.what, Refused):
            wrong = op._replace(what=op.what._replace(asked=op.what.asked + 1000))
        else:
            continue
        assert not explained([*history[:at], wrong, *history[at + 1 :]])


def test_what_was_sent_to_a_follower_must_have_been_there_by_then() -> None:
    added = Operation(Added("a", 1, 5, 0, 1), 2.0, 4.0)
    assert explained([added, Operation(Followed(5), 0.0, 3.0)])
    assert not explained([added, Operation(Followed(5), 0.0, 1.0)])
    assert not explained([added, Operation(Followed(6), 0.0, 9.0)])


def test_a_command_without_an_answer_may_come_late_or_never() -> None:
    first, second = Added("a", 1, 1, 0, 1), Added("b", 2, 2, 1, 2)
    sent = Operation(second, 1.0)
    for looks in ([(1, 1), (2, 2)], [(1, 1), (1, 1)], [(2, 2), (2, 2)]):
        seen = [Operation(Looked(*look), 2.0 + at, 2.5 + at) for at, look in enumerate(looks)]
        assert explained([Operation(first, 0.0, 0.5), sent, *seen])
    seen = [Operation(Looked(2, 2), 2.0, 2.5), Operation(Looked(1, 1), 3.0, 3.5)]
    assert not explained([Operation(first, 0.0, 0.5), sent, *seen])


def test_a_request_that_a_rewind_undid_is_stale_and_not_repeated() -> None:
    history = [
        Operation(Added("a", 1, 5, 0, 1), 0, 1),
        Operation(Added("b", 6, 9, 1, 2), 2, 3),
        Operation(Added("back", 10, 12, 2, 1, 5), 4, 5),
    ]
    assert explained([*history, Operation(Stale("b", 1, 1), 6, 7)])
    assert not explained([*history, Operation(Stale("c", 1, 1), 6, 7)])
    assert not explained([*history, Operation(Added("b", 6, 9, 1, 2), 6, 7)])
    assert not explained([*history, Operation(Added("b", 13, 15, 1, 2), 6, 7)])


@pytest.mark.parametrize("seed", range(60))
def test_it_agrees_with_trying_every_order(seed: int) -> None:
    """Of a few operations that overlap anyhow, some of which can't have happened."""
    rng = Random(seed)
    history = list[Operation]()
    for n in range(5):
        called = rng.uniform(0, 4)
        what = rng.choice(
            [
                Added(f"r{rng.randrange(2)}", at := rng.randrange(1, 4), at, rng.randrange(2), 1),
                Looked(rng.randrange(3), rng.randrange(2)),
                Stale(f"r{n}", rng.randrange(2), rng.randrange(2)),
            ]
        )
        history.append(Operation(what, called, rng.choice((inf, called + rng.uniform(0, 4)))))
    assert explained(history) == any(
        possible(order)
        for n in range(len(history) + 1)
        for order in permutations(history, n)
        if all(op in order for op in history if op.answered < inf)
    )


def possible(order: tuple[Operation, ...]) -> bool:
    """Whether operations may have happened in this order, one at a time."""
    if any(b.answered < a.called for at, a in enumerate(order) for b in order[at + 1 :]):
        return False
    state = State()
    for op in order:
        if not (states := step(state, op.what)):
            return False
        (state,) = states
    return True
