"""Map exceptions to gRPC statuses with machine-readable details (AIP-193).

Every error carries an `ErrorInfo` of domain "kifu" with an UPPER_SNAKE reason; a refusal lists its
rules in `rules`, the narrowest first. Texts are cut to `MOST_CHARACTERS`, details to what fits the
trailers of a call. An unforeseen exception is INTERNAL with the number of its log entry; no caller
sees a stack trace.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from grpc import StatusCode

from domain.engine.match import BadDeck, Refused, Stale
from domain.engine.rulebook import Refusal
from domain.engine.signals import Diverged, NameRequired, RollRequired
from domain.record.points import NoSuchPoint
from domain.text.transcript.lines import BadTranscript
from domain.words.phrases import Phrase, capital, labelled, lines, message_of, phrase
from domain.words.tables import ENGLISH, Language
from service.identity import BadToken, Identity, Role
from service.live.lanes import Busy
from service.live.matches import UnknownGame
from service.live.streams.channels import Closing
from service.store.beside.archived import InArchive
from service.store.beside.tournaments import NoSuchTournament
from service.store.chains import Unchained
from service.store.delay import NotReleased
from service.store.records import (
    ChainBroken,
    Conflict,
    Gone,
    Locked,
    Newer,
    NoSuchMatch,
    StoreError,
    Unstorable,
    Unwritable,
)

DOMAIN = "kifu"
#: When to try again what a database that is gone did not answer, in seconds.
GONE = 1.0
#: How many characters a text has at most, and how many bytes a status: trailers hold 8 kB.
MOST_CHARACTERS, MOST_BYTES = 200, 3500


#: Something further about an error, its texts in a language.
Detail = Callable[[Language], Message]


class Fault(Exception):
    """An error that the caller gets: its status, reason, text and details."""

    def __init__(
        self,
        code: StatusCode,
        reason: str,
        text: str,
        details: Sequence[Detail] = (),
        **metadata: str | int,
    ) -> None:
        super().__init__(text)
        self.code, self.reason, self.text, self.details = code, reason, phrase(text), details
        self.metadata: Mapping[str, str] = {
            key: truncated(str(value)) for key, value in metadata.items()
        }

    def traced(self, trace: str) -> Fault:
        """The same, with the trace that its receiver may quote; empty: there is none.

        It is a number by chance, so it tells nothing.
        """
        if not trace:
            return self
        found = type(self).__new__(type(self), *self.args)  # others may get the same one
        found.__dict__.update(self.__dict__)
        found.metadata = {**self.metadata, "trace": trace}
        return found

    @property
    def message(self) -> str:
        """The text in English, which programs may log."""
        return truncated(str(self.text))

    def message_in(self, language: Language) -> status_pb2.Status:
        """The `google.rpc.Status` of this error, with its texts in a language."""
        info = error_details_pb2.ErrorInfo(
            reason=self.reason, domain=DOMAIN, metadata=self.metadata
        )
        status = status_pb2.Status(code=self.code.value[0], message=self.message)
        localized = error_details_pb2.LocalizedMessage(
            locale=language.tag, message=truncated(language.say(self.text))
        )
        first = [info] if language.tag == ENGLISH else [info, localized]
        room = MOST_BYTES - status.ByteSize() - sum(one.ByteSize() for one in first)
        for detail in (*first, *(_fitting(one(language), room) for one in self.details)):
            packed = AnyMessage()
            packed.Pack(detail)
            status.details.append(packed)
        return status

    def status(self, language: Language) -> bytes:
        """The same, serialised."""
        return bytes(self.message_in(language).SerializeToString())


def truncated(text: str) -> str:
    """A text, cut to `MOST_CHARACTERS`."""
    return text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 1]}…"


def _fitting(detail: Message, room: int) -> Message:
    """As much of a detail as there is room for, its texts shortened."""
    found = type(detail)()
    found.CopyFrom(detail)
    for field, parts in detail.ListFields():
        if not field.is_repeated:
            continue
        kept = getattr(found, field.name)
        del kept[:]
        for part in parts:
            for name, text in part.ListFields():
                if isinstance(text, str):
                    setattr(part, name.name, truncated(text))
            room -= part.ByteSize() + 8
            if room < 0:
                break
            kept.append(part)
    return found


def malformed(field: str, text: str) -> Fault:
    """An invalid request: which field, and what is wrong with it."""
    wrong = phrase(text)

    def detail(language: Language) -> error_details_pb2.BadRequest:
        violation = error_details_pb2.BadRequest.FieldViolation(
            field=field, description=language.say(wrong)
        )
        return error_details_pb2.BadRequest(field_violations=[violation])

    localized = labelled(field, wrong)
    return Fault(StatusCode.INVALID_ARGUMENT, "FIELD_INVALID", localized, [detail], field=field)


def too_much(reason: str, text: str, after: float, **metadata: str | int) -> Fault:
    """More than there is room for; `after` so many seconds it may be tried again."""
    return Fault(StatusCode.RESOURCE_EXHAUSTED, reason, text, [retry_after(after)], **metadata)


def retry_after(seconds: float) -> Detail:
    """The hint that something may be tried again after so many seconds."""
    delay = Duration(seconds=int(seconds), nanos=int(seconds % 1 * 1e9))
    hint = error_details_pb2.RetryInfo(retry_delay=delay)
    return lambda language: hint


def forbidden(role: str) -> Fault:
    """A call that is not for the caller's role."""
    return Fault(
        StatusCode.PERMISSION_DENIED,
        "ROLE_REQUIRED",
        phrase("This is for {role}.", role=phrase(role)),
        role=role,
    )


def organisers_only(who: Identity) -> None:
    """Raises `Fault` unless somebody is an organiser."""
    if who.role != Role.ORGANISER:
        raise forbidden("an organiser")


def fault_of(error: Exception) -> Fault | None:
    """What to tell the caller about an error; None if it was not foreseen."""
    match error:
        case Fault():
            return error
        case Refused(refusal=refusal):
            return _refused(refusal)
        case BadDeck():
            return _bad_deck(error)
        case NameRequired(needs=needs):
            return Fault(
                StatusCode.FAILED_PRECONDITION,
                "CARD_UNNAMED",
                phrase("{sentence}.", sentence=capital(message_of(error))),
                cards=",".join(str(need.number) for need in needs),
                places=",".join(need.place for need in needs),
                rules="house:named",
            )
        case RollRequired(kind=kind, of=of):
            text = phrase("{sentence}.", sentence=capital(message_of(error)))
            code = StatusCode.FAILED_PRECONDITION
            return Fault(code, "CHANCE_UNTOLD", text, kind=kind, of=of, rules="house:named")
        case Stale(current=current):
            text = phrase("{sentence}.", sentence=capital(message_of(error)))
            return Fault(StatusCode.ABORTED, "DECISION_STALE", text, current=current)
        case BadTranscript(line=line):
            text = phrase("{sentence}.", sentence=capital(message_of(error)))
            return Fault(StatusCode.INVALID_ARGUMENT, "TRANSCRIPT_REFUSED", text, line=line)
        case BadToken(reason=reason):
            return Fault(StatusCode.UNAUTHENTICATED, reason, message_of(error))
        case NotReleased():
            text = phrase("You see this match late, and nothing of it is released to you yet.")
            return Fault(StatusCode.FAILED_PRECONDITION, "RECORD_DELAYED", text)
        case InArchive(day=day):
            text = phrase(
                "Match {match} was archived on {day}, and is read from its archive.",
                match=str(error), day=day,
            )  # fmt: skip
            return Fault(StatusCode.NOT_FOUND, "MATCH_ARCHIVED", text)
        case NoSuchMatch():
            text = phrase("There is no such match: {match}.", match=str(error))
            return Fault(StatusCode.NOT_FOUND, "MATCH_UNKNOWN", text)
        case NoSuchTournament():
            return Fault(StatusCode.NOT_FOUND, "EVENT_UNKNOWN", "There is no such event.")
        case NoSuchPoint():
            return Fault(
                StatusCode.NOT_FOUND,
                "POINT_UNKNOWN",
                phrase("In this match {error}.", error=message_of(error)),
            )
        case UnknownGame():
            return Fault(StatusCode.NOT_FOUND, "GAME_UNKNOWN", "There is no such game.")
        case Conflict():
            text = phrase(
                "Somebody else wrote to this match at the same time. Look again, then try again."
            )
            return Fault(StatusCode.ABORTED, "CONCURRENT_WRITE", text)
        case Diverged(seq=seq):
            text = phrase(
                "The rulebook at hand would not have played entry {seq}: the match was recorded"
                " under another version. It can be read, but not gone on with.",
                seq=seq,
            )
            return Fault(StatusCode.FAILED_PRECONDITION, "ENGINE_DIVERGED", text, seq=seq)
        case Busy(after=after):
            text = phrase("You have asked for too much at once; wait a moment, then go on.")
            return too_much("TOO_MUCH_AT_ONCE", text, after)
        case Closing():
            text = phrase("The service is shutting down; resume after the last entry.")
            return Fault(StatusCode.UNAVAILABLE, "SHUTTING_DOWN", text)
        case Locked():
            text = phrase("Another program holds the file of matches; try again.")
            return Fault(StatusCode.UNAVAILABLE, "STORE_LOCKED", text)
        case Gone():
            text = phrase("The database of matches does not answer; try again.")
            return Fault(StatusCode.UNAVAILABLE, "STORE_GONE", text, [retry_after(GONE)])
        case Unstorable():
            return malformed("text", "must be printable")
        case Unwritable():
            text = phrase("The matches can only be read here, not written.")
            return Fault(StatusCode.FAILED_PRECONDITION, "STORE_READ_ONLY", text)
        case ChainBroken():
            text = phrase(
                "The entries of this match are not those that were recorded: nothing can be added."
                " An official may let it go on (`kifu desk accept`)."
            )
            return Fault(StatusCode.DATA_LOSS, "CHAIN_BROKEN", text)
        case Unchained():
            text = phrase("This match has no chain yet: its file was not opened to be written.")
            return Fault(StatusCode.FAILED_PRECONDITION, "RECORD_UNCHAINED", text)
        case Newer(seq=seq):
            text = phrase(
                "A newer version of Kifu wrote entry {seq}, which this server does not know; others"
                " may. Before it all can be read; nothing is added here.",
                seq=seq,
            )
            code = StatusCode.UNAVAILABLE  # a server that is newer answers
            return Fault(code, "RECORD_NEWER", text, [retry_after(1)], seq=seq)
        case StoreError():
            where = str(error)  # where the file lies is nobody's business
            message_in = (
                where
                if where.startswith(("match ", "event "))
                else "The matches can't be read or written."
            )
            return Fault(StatusCode.DATA_LOSS, "STORE_FAILED", message_in)
    return None


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
    """What is wrong: the rule, the subject, a sentence each."""
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
