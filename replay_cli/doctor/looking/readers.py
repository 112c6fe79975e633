"""Looks at the rights of a read-only token."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice

from domain.words.phrases import Phrase, phrase
from replay_cli.doctor.seen import Reader
from service.client.client import CallError, Client

#: Errors that are refusals; others leave the right unknown.
_REFUSED = ("PERMISSION_DENIED", "UNAUTHENTICATED")
#: What he must not: refused to a token that only reads, and without effect if it is not.
FORBIDDEN: Mapping[Phrase, Callable[[Client, str], object]] = {
    phrase("see what the server is"): lambda client, match: client.describe(),
    phrase("see what player A sees"): lambda client, match: client.position(match, view=0),
    phrase("list tokens"): lambda client, match: next(iter(client.list_tokens()), None),
}


def look(client: Client) -> Reader:
    """The identity and rights of a token's holder."""
    found = Reader()
    try:
        who = client.who_am_i()
        found.role = who.role
        matches = [one.id for one in islice(client.list_matches(), 10)]
    except CallError as error:
        if error.code in _REFUSED:
            found.refused = error.reason
        else:
            found.untried = error.reason
        return found
    found.sees = len(matches)
    match = who.match_id or (matches[0] if matches else "")
    for what, attempt in FORBIDDEN.items():
        try:
            attempt(client, match)
            found.got = (*found.got, what)
        except CallError as error:
            if error.code not in _REFUSED:
                found.untried = error.reason
    return found
