"""The acts of the desk's forms: the request of each, and what to confirm first.

The forms have the fields of the acts (`domain.officials.acts`), read as they are typed at a
terminal (`domain.text.desk`). What the sender saw, an open decision or a result, goes along: if it
is another by then, the API refuses it as stale.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kifu.v1 import desk_service_pb2 as pb
from kifu.v1.match_service_pb2 import GetPositionRequest
from msgspec import Struct
from msgspec.structs import replace

from domain.engine.rulebook import Refused, Rulebook
from domain.officials import acts
from domain.officials.acts import ACTS, OfficialAct
from domain.record.position import Position
from domain.record.views import OFFICIAL
from domain.telling import at_event, consequences
from domain.telling.at_event import AtEvent
from domain.telling.names import player
from domain.text import desk, notation
from domain.tournament.record import PlayerPenalised
from domain.words.fields import Kind, Typed
from domain.words.phrases import Phrase, joined, message_of, phrase
from service import wire
from service.api.calls.errors import malformed
from service.web.desk.seen import Desk, place
from service.web.hall import meanwhile
from service.web.hall.prepared import Form, Prepared
from service.web.site import Site

#: Acts that have no form of their own: one is asked for by a preview, one is the scorekeeper's.
ELSEWHERE = ("rewind", "undo")


class Asked(Struct, frozen=True):
    """The input of an act: the match as everybody sees it, and the form."""

    site: Site
    seen: Desk
    form: Form


class _At(Struct, frozen=True):
    """The match that an act is read at."""

    pos: Position
    rules: Rulebook


def forms(seen: Desk) -> list[tuple[type[OfficialAct], Sequence[Typed]]]:
    """The acts that have a form for this match, with their fields."""
    return [
        (act, desk.TYPED[name])
        for name, act in ACTS.items()
        if name not in ELSEWHERE and (act.when != "table" or seen.table)
    ]


async def prepared(name: str, asked: Asked) -> Prepared:
    """The command that a form means; raises `Fault`."""
    if name == "fork":
        return _fork(asked)
    if name not in desk.TYPED:
        raise malformed("act", phrase("is not one of the desk's"))
    if name == desk.REOPEN and not asked.seen.pos.over:
        raise malformed("act", phrase("the match is not over: there is no end to take back"))
    given = {one.name: _read(one, asked.form) for one in desk.TYPED[name]}
    try:
        act = await _meant(name, given, asked)
    except (notation.BadText, desk.BadAct) as error:
        raise malformed("text", message_of(error)) from None
    act, more, news = await _at_event(act, asked)
    warning = joined(" ", [part for part in (more, _warning(act, asked)) if part])
    request = wire.desk_request(asked.seen.id, act)
    return Prepared(request, warning, desk.done(act), news, undecided=act.undecided)


async def _at_event(act: OfficialAct, asked: Asked) -> tuple[OfficialAct, Phrase, tuple[str, ...]]:
    """The act with what its event proposes, what it does there, and what was done there meanwhile.

    Only of acts that the event counts: penalties, and what changes the result of a match.
    """
    seen, site, news = asked.seen, asked.site, tuple[str, ...]()
    counts = isinstance(act, acts.RecordPenalty | acts.CorrectResult | acts.RewindMatch)
    found = await place(site, seen.visitor, seen.id) if counts else None
    if found is None:
        return act, Phrase(""), news
    at = AtEvent(found.s, seen.id, found.time, found.runs)
    try:
        act, made = at_event.proposed(act, at)
    except Refused as error:
        raise malformed("infraction", error.refusal.text) from None
    if isinstance(act, acts.RecordPenalty) and found.runs:
        player = str(found.players[act.seat]) if act.seat < len(found.players) else ""
        last = asked.form.number("seen", 0)
        kinds = (PlayerPenalised,)
        news = await meanwhile.news(site, seen.visitor, found.s, last, kinds, "player", player)
    return act, at_event.consequences(act, made, seen.pos, at), news


def _read(one: Typed, form: Form) -> Any:
    """The value of a form's field; None if it is not given. Raises `Fault`."""
    name = "text" if one.field.kind == Kind.ACT else one.name  # `act` says which form it is
    texts = [form.text(name)] if form.text(name) else []
    if one.field.kind in (Kind.RULES, Kind.ROLLS):
        apart = "," if one.field.kind == Kind.RULES else " "
        texts = form.text(name).replace(apart, " ").split()
    elif one.many:
        texts = form.lines(name)
    if not texts and one.needed:
        raise malformed(name, phrase("is missing"))
    try:
        found = [desk.value(one, text) for text in texts]
    except ValueError as error:
        raise malformed(name, str(error)) from None
    return found if one.many else found[0] if found else None


async def _meant(name: str, given: dict[str, Any], asked: Asked) -> OfficialAct:
    """The act; what is hidden is looked at to understand one that is read by that."""
    site, seen = asked.site, asked.seen
    at, run = _At(seen.pos, site.matches.rulebook(seen.match.game)), site.matches.lanes.run
    if name in ACTS and ACTS[name].looks:
        request = GetPositionRequest(match_id=seen.id)
        await site.servicer.record_look(seen.visitor.who, request)
        at = _At(await run(lambda: site.matches.history.position(seen.id, OFFICIAL)), at.rules)
    act = await run(lambda: desk.meant(name, given, at))
    if isinstance(act, acts.RecordIrregularity | acts.CorrectPosition):
        act = replace(act, decision=asked.form.number("open", 0) or seen.decision)
    return act


def _warning(act: OfficialAct, asked: Asked) -> str:
    """The question before an act, if any."""
    seen = asked.seen
    match act:
        case acts.RecordNote(public=True):
            return phrase("Everybody who sees the match reads this note.")
        case acts.AdoptEngine():
            return phrase("The match goes on under the present engine; the recorded entries stay.")
        case acts.AcceptRecord():
            return phrase(
                "The match goes on although its entries are not those that were "
                "chained; this is recorded publicly."
            )
        case acts.RecordIrregularity(seat=seat):
            return phrase(
                "{player} has done this against the rules; the game goes on from it.",
                player=player(seat),
            )
        case acts.CorrectPosition():
            typed = "\n".join(asked.form.lines("fixes"))
            return phrase("The position is put right, for all to see: {fixes}", fixes=typed)
        case acts.RewindMatch(decision=n):
            return _back(n, consequences.revival(seen.pos))
    manifest = asked.site.matches.rulebook(seen.match.game).manifest
    return consequences.act(seen.id, act, seen.pos, manifest)


def _back(n: int, revived: Phrase) -> Phrase:
    what = consequences.GO_BACK
    if not revived:
        return phrase("Back to decision {n}. {what}", n=n, what=what)
    return phrase("Back to decision {n}. {what} {revived}", n=n, what=what, revived=revived)


def _fork(asked: Asked) -> Prepared:
    n = asked.form.number("decision")
    warning = phrase(
        "This opens an unofficial copy at decision {n}. It shows you all hidden "
        "information: {what}.",
        n=n, what=consequences.look(entry=False),
    )  # fmt: skip
    request = pb.ForkMatchRequest(match_id=asked.seen.id, decision=n)
    return Prepared(request, warning, phrase("A fork stands at decision {n}.", n=n))
