"""Which card is meant where a scorekeeper says what a card of a real table is.

A number of the catalogue, a name, or the start of one: of its owner's list, else of any card, as
`domain.text.names` has it. A name that can't be is refused before anything is stated with it, so
that the page can say so at the field; commands then bring what was found here.
"""

from __future__ import annotations

from typing import Any

import msgspec
from grpc import StatusCode
from msgspec import Struct

from domain.engine import naming
from domain.engine.rulebook import Refused, Rulebook
from domain.record.position import Position
from domain.text.names import BadText, Names
from service.api.calls.errors import Fault, forbidden, malformed
from service.web.seats.seated import Seated
from service.web.site import Site


class Asking(Struct, forbid_unknown_fields=True):
    """What was typed for a card, by the card's number."""

    number: int
    name: str


def read(body: bytes) -> Asking:
    """Read what a page sends; raises `Fault`."""
    try:
        asking = msgspec.json.decode(body, type=Asking)
    except (msgspec.DecodeError, msgspec.ValidationError):
        raise malformed("body", "must be the number of a card and its name") from None
    if not asking.name.strip():
        raise malformed("name", "is missing")
    return asking


def answer(site: Site, found: Seated, asking: Asking) -> dict[str, Any]:
    """The id of the card that is meant; raises `Fault` for none, several, or one it can't be."""
    if found.own or not found.plays:
        raise forbidden("a scorekeeper of the match, or an official")
    pos, number = found.pos, asking.number
    rules = site.matches.rulebook(pos.heading.game)
    owner = pos.cards[number].owner if number in pos.cards else found.seat
    try:
        card = Names(pos, rules, owner).identity(asking.name.strip())
        _check(pos, rules, owner, number, card)
    except BadText as bad:
        raise Fault(StatusCode.FAILED_PRECONDITION, "CARD_AMBIGUOUS", *bad.args) from None
    except Refused as refused:
        refusal = refused.refusal
        raise Fault(StatusCode.FAILED_PRECONDITION, refusal.fault, refusal.text) from None
    return {"card": card}


def _check(pos: Position, rules: Rulebook, owner: int, number: int, card: str) -> None:
    """Refuse what a command would be refused with, as far as the seat knows; raises `Refused`."""
    inputs = naming.Inputs({number: card})
    now = naming.named(pos, rules, inputs)
    if pos.heading.decks.get(owner, ("", None))[1]:  # the list of a rival may be unknown here
        naming.listed(now, rules, inputs, naming.counted(pos, inputs))
