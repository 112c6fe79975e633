"""Fetches the proofs of a viewer's copy, and the anchor of its head, from a server.

What a server says is not believed here; `audit` judges it when somebody reads it.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.record.entries import Entry
from domain.record.proof.bundle import Bundle
from domain.record.proof.openings import Disclosed, opened_parts
from domain.words.phrases import phrase
from replay_cli.auditing.anchoring import ANCHOR
from replay_cli.auditing.chaining import BROKEN
from replay_cli.output import MISSING, REFUSED, Failed
from replay_cli.reaching.connection import own_view
from service.client.client import CallError, Client

#: What a server answers where a match has no chain, or has lost it; or its log nothing of it.
_UNCHAINED = {"RECORD_UNCHAINED", "CHAIN_BROKEN"}
_UNANCHORED = {"NOT_FOUND", "FAILED_PRECONDITION", "UNIMPLEMENTED"}


def fetch(
    client: Client, match: str, view: int | None, entries: Sequence[Entry], why: str = ""
) -> Bundle | None:
    """The proof of the first entries of a match in the caller's view; None without a chain.

    `why` is an official's reason to look at what is hidden. Raises `CallError`.
    """
    viewer = own_view(client) if view is None else view
    try:
        proof = client.proof(match, until=entries[-1].seq, view=viewer, why=why)
    except CallError as error:
        if error.reason in _UNCHAINED:
            return None
        raise
    broken = client.match(match).broken
    attached = {BROKEN: broken} if broken else {}
    try:
        attached[ANCHOR] = str(client.inclusion(match, count=entries[-1].seq))
    except CallError as error:
        if error.code not in _UNANCHORED:
            raise
    return Bundle(entries, viewer, proof, attached=attached)


def disclosed(client: Client, match: str, seqs: Sequence[int], why: str = "") -> list[Disclosed]:
    """The fields of these entries that are hidden from others and open to the client.

    Raises `Failed`, also where an entry has nothing such.
    """
    viewer, found = own_view(client), list[Disclosed]()
    entries = {e.seq: e for e in client.events(match, view=viewer, why=why)}
    for seq in dict.fromkeys(seqs):
        if seq not in entries:
            raise Failed(phrase("in this match there is no entry {seq}", seq=seq), MISSING)
        (opened,) = client.proof(match, seq - 1, seq, viewer, why).openings
        parts = [*opened_parts(entries[seq], opened, viewer)]
        if not parts:
            why_not = phrase(
                "entry {seq} has nothing that is hidden from others and open to you", seq=seq
            )
            raise Failed(why_not, REFUSED)
        found += parts
    return found
