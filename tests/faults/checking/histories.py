"""Histories: what a journal says of one match, as operations on the model of a log (`log`).

What a call without an answer did, the record says, which loses nothing: if its request is there,
it took effect at some time after it was sent; if not, never.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tests.faults.checking import linear, log
from tests.faults.checking.commands import Command, hashed
from tests.faults.checking.linear import Contradiction, Operation
from tests.faults.journal import UNSTATED, Call, Gone, Page, Refused, Stands, Took, Unknown


def contradiction(
    calls: Iterable[Call], pages: Iterable[Page], record: Sequence[Command]
) -> Contradiction | None:
    """Why what was seen of a match can't have happened in any order; None: it can."""
    return linear.contradiction(log.State(), log.step, [*operations(calls, pages, record)])


def operations(
    calls: Iterable[Call], pages: Iterable[Page], record: Sequence[Command]
) -> Iterable[Operation]:
    """What was done to a match and seen of it, as operations."""
    by_name = {command.name: command for command in record}
    calls = [*calls]
    begun = min((call.called for call in calls), default=0.0)
    for call in calls:
        if (what := _what(call, by_name)) is not None:
            unknown = isinstance(call.outcome, Unknown)
            yield Operation(what, call.called, *() if unknown else (call.answered,))
    for page in pages:
        last = page.first + len(page.entries) - 1
        yield Operation(log.Followed(last), begun, page.at)


def _what(call: Call, record: Mapping[str, Command]) -> log.What | None:
    known = record.get(call.name) or record.get(hashed(call.name)) if call.name else None
    match call.outcome:
        case Stands(seq, decision):
            return log.Looked(seq, decision)
        case Gone(current):
            return log.Stale(call.name, call.asked, current)
        case Refused():
            return log.Refused(call.name, call.asked)
        case Took(first, last, opens):
            back = known.back if known is not None else -1
            if known is not None:
                last = known.last if last == UNSTATED else last
                opens = known.opens if opens == UNSTATED else opens
            return log.Added(call.name, first, last, call.asked, opens, back)
        case Unknown():
            if known is None:
                return None
            return log.Added(
                call.name, known.first, known.last, known.answers, known.opens, known.back
            )
