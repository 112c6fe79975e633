"""What was done and seen while faults were made: each call with its two times and its outcome.

A call's outcome is what its caller could know: it took effect, it was refused, the match had gone
on, or nothing can be said (`Unknown`: a time-out, a broken connection, a failed commit).
`checking.histories` makes operations of it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from threading import Lock
from typing import Any, NamedTuple

from service.client.client import CallError

#: In the place of a number that the answer to a command does not tell.
UNSTATED = -1


class Took(NamedTuple):
    """A command took effect: its entries, and the decision that is open by then (0: none).

    `UNSTATED` is what its answer leaves out.
    """

    first: int
    last: int
    opens: int


class Stands(NamedTuple):
    """How a match stands: its last entry, and the open decision (0: none)."""

    seq: int
    decision: int


class Gone(NamedTuple):
    """A command for a decision that is not the open one, which is named."""

    current: int


class Refused(NamedTuple):
    """A command was refused for a reason that lies in the match."""

    reason: str


class Unknown(NamedTuple):
    """Nobody knows whether it took effect; the code and the reason that came, if any."""

    code: str
    reason: str


Outcome = Took | Stands | Gone | Refused | Unknown


class Call(NamedTuple):
    """One call: `name` is its request id ("" for a look), `asked` the decision that it was for."""

    match: str
    name: str
    asked: int
    server: int
    called: float
    answered: float
    outcome: Outcome


class Page(NamedTuple):
    """What a follower was sent at once: entries, as the bytes that he sees."""

    first: int
    entries: tuple[bytes, ...]
    at: float


class Journal:
    """All that was done and seen; to be written by many threads."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.pages: dict[tuple[str, str, str], list[Page]] = {}  # by match, token and follower
        self.errors: Counter[str] = Counter()  # errors that leave open what happened, how often
        self.lock = Lock()

    def note(
        self, match: str, name: str, asked: int, server: int, call: Callable[[], Outcome]
    ) -> Outcome:
        """Make a call and write down what came of it."""
        called = time.monotonic()
        try:
            outcome = call()
        except CallError as error:
            outcome = outcome_of(error)
        answered = time.monotonic()
        with self.lock:
            self.calls.append(Call(match, name, asked, server, called, answered, outcome))
            if isinstance(outcome, Unknown):
                self.errors[f"{outcome.code} {outcome.reason}"] += 1
        return outcome

    def saw(self, match: str, token: str, follower: str, page: Page) -> None:
        """Write down what a follower was sent."""
        with self.lock:
            self.pages.setdefault((match, token, follower), []).append(page)

    def odd(self) -> dict[str, int]:
        """The errors that nobody should be told, whatever fails."""
        return {text: n for text, n in self.errors.items() if text.split()[0] not in EXPECTED}

    def counts(self) -> dict[str, int]:
        """How many calls had which kind of outcome."""
        with self.lock:
            found = Counter(type(call.outcome).__name__ for call in self.calls)
            return {**found, "pages": sum(map(len, self.pages.values()))}


#: What says nothing of whether a command took effect, and may come of any fault.
EXPECTED = ("UNAVAILABLE", "DEADLINE_EXCEEDED", "ABORTED", "CANCELLED", "RESOURCE_EXHAUSTED")


def outcome_of(error: CallError) -> Outcome:
    """What a caller knows after an error."""
    if error.reason == "DECISION_STALE":
        return Gone(int(error.metadata.get("current", "0")))
    if error.code == "FAILED_PRECONDITION":
        return Refused(error.reason)
    return Unknown(error.code, error.reason)


def opens(found: Any) -> int:
    """The decision that is open after a command of a seat or of an official."""
    if hasattr(found, "next"):
        return found.next.n if found.next is not None else 0
    return int(found.decision)
