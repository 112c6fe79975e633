"""Errors as callers get them: gRPC statuses with machine-readable details (AIP-193).

Every error carries an `ErrorInfo` of domain "kifu" with an UPPER_SNAKE reason. Texts are cut to
`MOST_CHARACTERS`, details to what fits the trailers of a call. Which exception becomes which error
is in `faults`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from grpc import StatusCode

from domain.words.phrases import labelled, phrase
from domain.words.tables import ENGLISH, Language
from service.identity import Identity, Role

DOMAIN = "kifu"
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
        """The same, with the trace that its receiver may quote; may be empty.

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


def may_see(who: Identity, match: str) -> None:
    """Raises `Fault` if somebody's token is for another match."""
    if not who.may_see(match):
        text = "The token is for another match."
        raise Fault(StatusCode.PERMISSION_DENIED, "MATCH_FOREIGN", text)


def organisers_only(who: Identity) -> None:
    """Raises `Fault` unless somebody is an organiser."""
    if who.role != Role.ORGANISER:
        raise forbidden("an organiser")
