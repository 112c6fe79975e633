"""Why something can't be done, and the rules behind it in our own words.

Asked about a card, it is answered for the acts that this kind of decision has and that are done
with a card (`Manifest.answers`), except for those on offer: for the first `MOST` that somebody who
knows the game can have meant. Asked about an act, it is answered for that one.
"""

from __future__ import annotations

from typing import Any

import msgspec
from google.protobuf.json_format import ParseDict, ParseError
from kifu.v1 import decisions_pb2
from kifu.v1 import match_service_pb2 as pb
from msgspec import Struct

from domain.games.kit.choices.rows import UNNAMED
from domain.record.decisions import Act
from domain.record.values import Ref
from domain.words.phrases import capital, joined
from service import wire
from service.api.calls.errors import malformed
from service.web.answers import rendered
from service.web.seats import asked
from service.web.seats.seated import Seated
from service.web.site import Site

#: About how many acts of a card it is answered.
MOST = 2


class Asking(Struct, forbid_unknown_fields=True):
    """About a card, or about an act as a request has it in JSON."""

    card: int | str = 0
    act: dict[str, Any] | None = None


class Objection(Struct, frozen=True):
    """Why one act can't be done: the act, the sentence, and its rules with their gists."""

    act: str
    text: str
    rules: list[tuple[str, str]]


def read(body: bytes) -> Asking:
    """Read the question of a page; raises `Fault`."""
    try:
        return msgspec.json.decode(body, type=Asking)
    except (msgspec.DecodeError, msgspec.ValidationError):
        raise malformed("body", "must say a card or an act") from None


async def answer(site: Site, found: Seated, asking: Asking) -> dict[str, Any]:
    """The objections, as a fragment; raises `Fault`."""
    if asking.act is not None:
        try:
            message = ParseDict(asking.act, decisions_pb2.Act())
        except ParseError:
            raise malformed("act", "must be an act") from None
        acts = [wire.act_of(message)]
    else:
        acts = list(_acts_with(found, asking.card))
    objections = list[Objection]()
    for act in acts:
        one = await _objection(site, found, act, any_card=asking.act is not None)
        if one is not None and len(objections) < MOST:
            objections.append(one)
    names = found.names
    subject = names.ref(asking.card, apart=True) if asking.card else ""
    decides = asked.offer_of(found) is not None
    html = rendered(
        "seats/refusals.html",
        found.language,
        subject=subject,
        print=found.print_of(asking.card),
        objections=_together(objections),
        decides=decides,
    )
    announced = joined(" ", [one.text for one in objections[:2]])
    return {"html": html, "announced": found.language.say(announced), "refused": len(objections)}


def _acts_with(found: Seated, card: Ref) -> list[Act]:
    """The acts with a card at such a decision that are not offered."""
    offer, decision = asked.offer_of(found), found.pos.decision
    if offer is None or decision is None or not _known(found, card):
        return []
    manifest = found.book.manifest
    offered = {option.kind for option in offer.options if option.card == card}
    kinds = manifest.answers.get(decision.kind, ())
    return [
        Act(kind, card)
        for kind in kinds
        if kind not in offered and kind != UNNAMED and "{card}" in manifest.label("acts", kind)
    ]


def _known(found: Seated, card: Ref) -> bool:
    return isinstance(card, int) and card in found.pos.cards


async def _objection(site: Site, found: Seated, act: Act, *, any_card: bool) -> Objection | None:
    """Why an act can't be done; None: it can, or nobody would do it with this card."""
    request = pb.ExplainRefusalRequest(match_id=found.match, act=wire.act(act), **found.named)
    refusal = await site.ask(request, found.visitor.sender)
    if refusal.allowed or (refusal.wrong_card and not any_card):
        return None
    names, language = found.names, found.language
    text = language.say(capital(names.act(act, apart=True)))
    gists = [(cite, language.say(found.book.gist(cite))) for cite in refusal.rules]
    return Objection(text, language.say(capital(refusal.text)), gists)


def _together(objections: list[Objection]) -> list[Objection]:
    """Refusals with the same reason, as one."""
    found: dict[str, list[Objection]] = {}
    for one in objections:
        found.setdefault(one.text, []).append(one)
    return [
        Objection(", ".join(one.act for one in some), text, some[0].rules)
        for text, some in found.items()
    ]
