"""Errors from outside, as a sentence and an exit code; `main` loads this once there is one."""

from __future__ import annotations

import msgspec

from domain.record.points import NoSuchPoint
from domain.words.phrases import labelled, message_of, phrase
from replay_cli.output import FORBIDDEN, MISSING, REFUSED, USAGE, Failed, say
from service.client.connection import CallError

_CODES = {
    "UNAVAILABLE": MISSING, "DEADLINE_EXCEEDED": MISSING, "NOT_FOUND": MISSING,
    "UNIMPLEMENTED": MISSING, "UNAUTHENTICATED": FORBIDDEN, "PERMISSION_DENIED": FORBIDDEN,
}  # fmt: skip


def failure_of(error: Exception) -> Failed | None:
    """The message for an error from outside; None if it is a bug."""
    if isinstance(error, CallError):
        hints = [labelled(rule or field, text) for field, rule, text in error.violations]
        hints += [phrase("by {rule}", rule=rule) for rule in error.rules if not error.violations]
        text: str = error.text
        if error.reason == "UNAVAILABLE":
            text = say(phrase("the server can't be reached"))
        if error.reason == "TOKEN_MISSING":
            hints.append(phrase("name a token with --token or KIFU_TOKEN"))
        return Failed(_within(text), _CODES.get(error.code, REFUSED), hints)
    if isinstance(error, NoSuchPoint):
        return Failed(phrase("in this match {error}", error=error), MISSING)
    if isinstance(error, msgspec.MsgspecError):
        return Failed(phrase("the data can't be read: {error}", error=error), REFUSED)

    if isinstance(error, UnicodeEncodeError) and error.reason == "surrogates not allowed":
        return Failed(phrase("{object!r} is no text in UTF-8", object=error.object), USAGE)

    # To raise one of these the server must be loaded.
    from service.identity import BadKey
    from service.settings import CantServe
    from service.store.errors import Conflict, StoreError

    if isinstance(error, Conflict):
        text = phrase(
            "another process wrote the same at the same time: begin again once it is done"
        )
        return Failed(text, REFUSED)
    wrong = isinstance(error, StoreError | BadKey | CantServe)
    return Failed(message_of(error), MISSING) if wrong else None


def _within(text: str) -> str:
    """A text of the service, which is in the language already, as it stands after `kifu:`."""
    return text[:1].lower() + text[1:]
