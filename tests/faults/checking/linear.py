"""Linearisability: could operations that overlapped have happened one at a time, and in what order?

The search of Wing and Gong, with Lowe's memory of where it has been: of the operations that could
come next (called before any that is left was answered) it takes each that the model allows, and
comes back where nothing fits. An operation that changes nothing is taken as soon as it fits, which
loses no order. So where the model leaves one writer only to come next, the search is linear in the
length of the history.

What a history must have been is the model's concern (`log`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import inf
from typing import Any, NamedTuple, TypeVar

S = TypeVar("S", bound=Hashable)


class Operation(NamedTuple):
    """Something that was done between two times, as its caller saw it.

    `answered` is `inf` where no answer came: then it may have happened at any time since, or never.
    """

    what: Any
    called: float
    answered: float = inf


class Contradiction(NamedTuple):
    """As far as a history can be explained: the state by then, and what could have come next."""

    state: Any
    taken: int
    waiting: tuple[Operation, ...]


class _Node(NamedTuple):
    """Where the search is: operations before `low` were taken, and those of the bits from it on."""

    low: int
    bits: int
    state: Any


def contradiction(
    start: S, step: Callable[[S, Any], Sequence[S]], history: Sequence[Operation]
) -> Contradiction | None:
    """Why no order explains a history; None: one does.

    `step` gives the states in which an operation may leave one, none if it can't happen there.
    """
    ops = sorted(history, key=lambda op: op.called)
    left = [op.answered < inf for op in ops]
    needed = sum(left)
    stack, seen = [(_Node(0, 0, start), 0)], set[_Node]()
    far, furthest = -1, stack[0][0]
    while stack:
        node, taken = stack.pop()
        if taken == needed:
            return None
        if node in seen:
            continue
        seen.add(node)
        if taken > far:
            far, furthest = taken, node
        for at, after in reversed(_moves(ops, node, step)):
            low, bits = node.low, node.bits | 1 << (at - node.low)
            while bits & 1:
                low, bits = low + 1, bits >> 1
            stack.append((_Node(low, bits, after), taken + left[at]))
    return Contradiction(furthest.state, far, tuple(ops[at] for at in _next(ops, furthest)))


def _moves(
    ops: Sequence[Operation], node: _Node, step: Callable[[Any, Any], Sequence[Any]]
) -> list[tuple[int, Any]]:
    """What may be taken next, and the state after it."""
    found = list[tuple[int, Any]]()
    for at in _next(ops, node):
        states = step(node.state, ops[at].what)
        if states and all(state == node.state for state in states):
            return [(at, node.state)]
        found += [(at, state) for state in states]
    return found


def _next(ops: Sequence[Operation], node: _Node) -> list[int]:
    """Those not taken that were called before any of them was answered."""
    found, end = list[int](), inf
    for at in range(node.low, len(ops)):
        if ops[at].called > end:
            break
        if not node.bits >> (at - node.low) & 1:
            found.append(at)
            end = min(end, ops[at].answered)
    return [at for at in found if ops[at].called <= end]
