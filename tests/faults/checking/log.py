"""The model of a match: a log that grows, with an expected version for whatever is added.

A command that was carried out adds the entries from `first` to `last` and names the decision that
it answers; the next one must begin where it ended. The same request again adds nothing and says the
same. A rewind undoes what came after an entry, and the requests that did. Refusals, stale answers
and looks observe one state each. `linear` finds whether all that was seen of a match fits it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

#: What names a request that took effect: its id, its first entry, its last.
Effect = tuple[str, int, int]


class State(NamedTuple):
    """A match: its last entry, the open decision (0: none), and which requests it knows."""

    seq: int = 0
    decision: int = 0
    done: frozenset[Effect] = frozenset()
    undone: frozenset[str] = frozenset()


class Added(NamedTuple):
    """A command that took effect: it answered a decision (0: none in particular), another opens.

    `back`: it took the match back to after that entry; -1: it did not.
    """

    name: str
    first: int
    last: int
    answers: int
    opens: int
    back: int = -1


class Looked(NamedTuple):
    """Somebody saw a match as it stood."""

    seq: int
    decision: int


class Followed(NamedTuple):
    """Somebody was sent the entries up to this one."""

    seq: int


class Stale(NamedTuple):
    """A command for a decision that is not the open one, which is named."""

    name: str
    asked: int
    current: int


class Refused(NamedTuple):
    """A command that the rules refuse at the decision that it was for, or because all is over.

    `asked` 0: it was for no decision in particular.
    """

    name: str
    asked: int


What = Added | Looked | Followed | Stale | Refused


def step(state: State, what: What) -> Sequence[State]:
    """The state after an operation; none if it can't happen there."""
    match what:
        case Added():
            return _added(state, what)
        case Looked(seq, decision):
            return [state] if (state.seq, state.decision) == (seq, decision) else []
        case Followed(seq):
            return [state] if state.seq >= seq else []
        case Stale(name, asked, current):
            fits = state.decision == current
            known = any(name == effect[0] for effect in state.done)
            return (
                [state] if fits and not known and (asked != current or _undone(state, name)) else []
            )
        case Refused(name, asked):
            known = _undone(state, name) or any(name == effect[0] for effect in state.done)
            fits = state.seq > 0 and (not asked or state.decision in (asked, 0))
            return [state] if fits and not known else []


def _undone(state: State, name: str) -> bool:
    return name in state.undone


def _added(state: State, what: Added) -> Sequence[State]:
    name, first, last, answers, opens, back = what
    if (name, first, last) in state.done:
        return [state]
    fresh = not _undone(state, name) and all(name != effect[0] for effect in state.done)
    if not fresh or state.seq != first - 1 or (answers and state.decision != answers):
        return []
    done, undone = state.done | {(name, first, last)}, state.undone
    if back >= 0:
        gone = frozenset(effect for effect in state.done if effect[1] > back)
        done, undone = done - gone, undone | {effect[0] for effect in gone}
    return [State(last, opens, done, undone)]
