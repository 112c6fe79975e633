"""Which exception becomes which error for the caller (`errors`).

A refusal lists its rules in `rules`, the narrowest first. An unforeseen exception is INTERNAL with
the number of its log entry (`guard`); no caller sees a stack trace.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Sequence
from typing import Any

from google.rpc import error_details_pb2
from grpc import StatusCode

from domain.engine.match import BadDeck, Refused, Stale
from domain.engine.rulebook import Refusal
from domain.engine.signals import Diverged, NameRequired, RollRequired
from domain.record.points import NoSuchPoint
from domain.text.transcript.lines import BadTranscript
from domain.words.phrases import Phrase, capital, lines, message_of, phrase
from service.api.calls.errors import Detail, Fault, malformed, retry_after, too_much
from service.identity import BadToken
from service.live.lanes import Busy
from service.live.matches import UnknownGame
from service.live.streams.channels import Closing
from service.store.chains import Unchained
from service.store.delay import NotReleased
from service.store.records import (
    ChainBroken,
    Conflict,
    Full,
    Gone,
    Locked,
    Newer,
    NoSuchMatch,
    StoreError,
    Unstorable,
    Unwritable,
)
from service.store.tables.archived import InArchive
from service.store.tables.tournaments import NoSuchTournament
from service.telemetry.logs import log_event
from service.wire import BadValue

#: When to try again what a database that is gone did not answer, in seconds.
GONE = 1.0
#: When to try again what a full disk had no room for, in seconds: somebody has to make room.
FULL = 30.0
#: Makes an error of an exception.
Telling = Callable[[Any], Fault]


def fault_of(error: Exception) -> Fault | None:
    """The fault for an error; None if it was not foreseen."""
    if isinstance(error, Fault):
        return error
    return next((tell(error) for kind, tell in _FAULTS if isinstance(error, kind)), None)


def unforeseen(error: Exception, event: str, **facts: str) -> Fault:
    """The fault for an exception that was not foreseen; the log has it by the same number."""
    incident = secrets.token_hex(4)
    log_event(logging.ERROR, event, wrong=error, **facts, incident=incident)
    text = phrase("Something went wrong; the log has it as {incident}.", incident=incident)
    return Fault(StatusCode.INTERNAL, "INTERNAL", text, incident=incident)


def _always(code: StatusCode, reason: str, text: Phrase, *details: Detail) -> Telling:
    """The same of every error of a kind."""
    return lambda error: Fault(code, reason, text, details)


def _sentence(error: Exception) -> Phrase:
    """The message of an error, as a sentence."""
    return phrase("{sentence}.", sentence=capital(message_of(error)))


def _refused(refusal: Refusal) -> Fault:
    """A refusal; where several things are wrong, a line each, all of them."""
    first, *more = lines(refusal.text) or [Phrase("")]
    violations = [(refusal.rules[0], "", line) for line in (first, *more)]
    text = phrase("{first} (and {n} more)", first=first, n=len(more)) if more else first
    return Fault(
        StatusCode.FAILED_PRECONDITION,
        refusal.fault.upper().replace(" ", "_").replace("-", "_"),
        text,
        [_violations(violations)] if more else (),
        rules=",".join(refusal.rules),
    )


def _violations(found: Sequence[tuple[str, str, str]]) -> Detail:
    """The violations: the rule, the subject, a sentence each."""
    return lambda language: error_details_pb2.PreconditionFailure(
        violations=[
            error_details_pb2.PreconditionFailure.Violation(
                type=rule, subject=subject, description=language.say(text)
            )
            for rule, subject, text in found[:100]
        ]
    )


def _bad_deck(error: BadDeck) -> Fault:
    """Every fault of every list: its rule, the seat and the card it is about, a sentence."""
    found = [
        (fault.rule, f"decks/{seat}/{fault.card}".rstrip("/"), fault.text)
        for seat, faults in error.faults.items()
        for fault in faults
    ]
    text = "The lists have {n} fault(s); the first: {fault}"
    return Fault(
        StatusCode.FAILED_PRECONDITION,
        "DECK_ILLEGAL",
        phrase(text, n=len(found), fault=found[0][2]),
        [_violations(found)],
        rules=",".join(dict.fromkeys(rule for rule, _, _ in found)),
        faults=len(found),
    )


def _unnamed(error: NameRequired) -> Fault:
    return Fault(
        StatusCode.FAILED_PRECONDITION,
        "CARD_UNNAMED",
        _sentence(error),
        cards=",".join(str(need.number) for need in error.needs),
        places=",".join(need.place for need in error.needs),
        rules="house:named",
    )


def _roll_required(error: RollRequired) -> Fault:
    code, text = StatusCode.FAILED_PRECONDITION, _sentence(error)
    return Fault(code, "ROLL_REQUIRED", text, kind=error.kind, of=error.of, rules="house:named")


def _stale(error: Stale) -> Fault:
    return Fault(StatusCode.ABORTED, "DECISION_STALE", _sentence(error), current=error.current)


def _bad_transcript(error: BadTranscript) -> Fault:
    code, text = StatusCode.INVALID_ARGUMENT, _sentence(error)
    return Fault(code, "TRANSCRIPT_REFUSED", text, line=error.line)


def _archived(error: InArchive) -> Fault:
    text = phrase(
        "Match {match} was archived on {day}, and is read from its archive.",
        match=str(error), day=error.day,
    )  # fmt: skip
    return Fault(StatusCode.NOT_FOUND, "MATCH_ARCHIVED", text)


def _diverged(error: Diverged) -> Fault:
    text = phrase(
        "The rulebook at hand would not have played entry {seq}: the match was recorded"
        " under another version. It can be read, but not gone on with.",
        seq=error.seq,
    )
    return Fault(StatusCode.FAILED_PRECONDITION, "ENGINE_DIVERGED", text, seq=error.seq)


def _newer(error: Newer) -> Fault:
    text = phrase(
        "A newer version of Kifu wrote entry {seq}, which this server does not know; others"
        " may. Before it all can be read; nothing is added here.",
        seq=error.seq,
    )
    code = StatusCode.UNAVAILABLE  # a server that is newer answers
    return Fault(code, "RECORD_NEWER", text, [retry_after(1)], seq=error.seq)


def _busy(error: Busy) -> Fault:
    text = phrase("Too many requests at once; wait a moment and try again.")
    return too_much("TOO_MUCH_AT_ONCE", text, error.after)


def _failed(error: StoreError) -> Fault:
    text, where = "The matches can't be read or written.", str(error)
    if where.startswith(("match ", "event ")):  # where the file lies is private
        text = where
    return Fault(StatusCode.DATA_LOSS, "STORE_FAILED", text)


#: The fault for each kind of error; of several that fit, the first counts.
_FAULTS: Sequence[tuple[type[Exception], Telling]] = (
    (Refused, lambda error: _refused(error.refusal)),
    (BadDeck, _bad_deck),
    (NameRequired, _unnamed),
    (RollRequired, _roll_required),
    (Stale, _stale),
    (BadTranscript, _bad_transcript),
    (BadToken, lambda error: Fault(StatusCode.UNAUTHENTICATED, error.reason, message_of(error))),
    (NotReleased, _always(
        StatusCode.FAILED_PRECONDITION, "RECORD_DELAYED",
        phrase("You see this match late, and nothing of it is released to you yet."),
    )),
    (InArchive, _archived),
    (NoSuchMatch, lambda error: Fault(
        StatusCode.NOT_FOUND, "MATCH_UNKNOWN",
        phrase("There is no such match: {match}.", match=str(error)),
    )),
    (NoSuchTournament, _always(
        StatusCode.NOT_FOUND, "EVENT_UNKNOWN", phrase("There is no such event."),
    )),
    (NoSuchPoint, lambda error: Fault(
        StatusCode.NOT_FOUND, "POINT_UNKNOWN",
        phrase("In this match {error}.", error=message_of(error)),
    )),
    (UnknownGame, _always(
        StatusCode.NOT_FOUND, "GAME_UNKNOWN", phrase("There is no such game."),
    )),
    (Conflict, _always(
        StatusCode.ABORTED, "CONCURRENT_WRITE",
        phrase("Somebody else wrote to this match at the same time. Look again, then try again."),
    )),
    (Diverged, _diverged),
    (Busy, _busy),
    (Closing, _always(
        StatusCode.UNAVAILABLE, "SHUTTING_DOWN",
        phrase("The service is shutting down; resume after the last entry."),
    )),
    (Locked, _always(
        StatusCode.UNAVAILABLE, "STORE_LOCKED",
        phrase("Another program holds the file of matches; try again."),
    )),
    (Gone, _always(
        StatusCode.UNAVAILABLE, "STORE_GONE",
        phrase("The database of matches does not answer; try again."), retry_after(GONE),
    )),
    (BadValue, lambda error: malformed("value", message_of(error))),
    (Unstorable, lambda error: malformed("text", "must be printable")),
    (Full, _always(
        StatusCode.RESOURCE_EXHAUSTED, "STORE_FULL",
        phrase("There is no room left where the matches are kept; nothing was saved. They can still"
               " be read."),
        retry_after(FULL),
    )),
    (Unwritable, _always(
        StatusCode.FAILED_PRECONDITION, "STORE_READ_ONLY",
        phrase("The matches can only be read here, not written."),
    )),
    (ChainBroken, _always(
        StatusCode.DATA_LOSS, "CHAIN_BROKEN",
        phrase(
            "The entries of this match are not those that were recorded: nothing can "
            "be added. An official may accept them (`kifu desk accept`)."
        ),
    )),
    (Unchained, _always(
        StatusCode.FAILED_PRECONDITION, "RECORD_UNCHAINED",
        phrase("This match has no chain yet: its file was not opened to be written."),
    )),
    (Newer, _newer),
    (StoreError, _failed),
)  # fmt: skip
