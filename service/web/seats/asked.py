"""The open decision of a seat, and its open acts, in words.

Options of an offer that nobody can tell apart are one button; a card on the board that can do
something leads to the options that it has. Open acts are separate from the offer; one about a zone
puts its cards in order.
"""

from __future__ import annotations

from typing import Any

from google.protobuf.json_format import MessageToDict
from kifu.v1 import match_service_pb2 as pb
from msgspec import Struct
from msgspec.structs import replace

from domain.engine.passes.autopass import AutoPass
from domain.engine.passes.paced import next_paced
from domain.engine.passes.switches import Switch, markable
from domain.games.kit.choices.rows import UNNAMED
from domain.record.decisions import ORDERED, Act, Offer, Option, Part
from domain.record.fitting.fit import completed
from domain.record.position import NOBODY, Decision, Position
from domain.record.values import Ref
from domain.telling.likeness import likeness
from domain.telling.names import Names, clock_name, letter, player
from domain.tournament.state import place_of
from domain.words.phrases import Phrase, joined, phrase
from service import wire
from service.api.answers import progress
from service.api.calls.errors import Fault
from service.api.calls.requests import ASKS
from service.web.answers import rendered
from service.web.seats.seated import Seated
from service.web.site import Site
from service.web.views import name_of


class Choice(Struct, frozen=True):
    """A button: its option of the offer, in a few words and in all; `more` parts are chosen.

    `like`: the options that nobody can tell from it, itself among them. `print`: where it is said
    what its card does, if that is known, `name` the card's.
    """

    option: int
    text: str
    whole: str
    card: Ref
    more: bool
    like: tuple[int, ...]
    print: str = ""
    name: str = ""


class OpenAct(Struct, frozen=True):
    """An act that stands open beside any decision, by its number among them.

    `like`: those of the same words, itself among them, which differ in a number: that of a zone.
    """

    at: int
    text: str
    ordering: bool
    like: tuple[int, ...] = ()


def offer_of(found: Seated) -> Offer | None:
    """The offer to the seat; None: none."""
    decision = found.pos.decision
    return decision.offers.get(found.seat) if decision is not None and found.plays else None


async def open_acts(site: Site, found: Seated) -> list[Act]:
    """The acts that stand open to a player beside any decision."""
    if not (found.own and found.plays) or found.pos.decision is None:
        return []
    request = pb.GetDecisionRequest(match_id=found.match)
    answer = await site.ask(request, found.visitor.sender)
    return [wire.act_of(one) for one in answer.open_acts]


def ordering(pos: Position, act: Act) -> Offer | None:
    """The picks of an act about a zone: the order of its cards; None: it has none."""
    lying = tuple(pos.zones.get(str(act.card), ())) if isinstance(act.card, str) else ()
    if not lying:
        return None
    part = Part("order", 0, len(lying), len(lying), ORDERED)
    return Offer((Option(act.kind, act.card, (part,)),), (lying,))


def choices(found: Seated, offer: Offer) -> list[Choice]:
    """The options of an offer in order, those that are alike as one."""
    names, alike = found.names, dict[Any, list[Choice]]()
    for at, option in enumerate(offer.options):
        act = option.act(completed(offer, option))
        text, whole = names.brief(offer, option), names.option(offer, option)
        where, name = found.print_of(option.card), names.ref(option.card) if option.card else ""
        one = Choice(at, text, whole, option.card, bool(option.parts), (at,), where, name)
        unnamed = option.kind == UNNAMED
        kind = UNNAMED if unnamed else likeness(found.book, found.pos, act)
        alike.setdefault((whole, kind), []).append(one)
    return [replace(some[0], like=tuple(one.option for one in some)) for some in alike.values()]


def _alike(buttons: list[Choice]) -> dict[int, int]:
    """By which option's button each of the others is reached."""
    return {at: one.option for one in buttons for at in one.like}


def by_card(offer: Offer) -> dict[str, list[int]]:
    """The options that each card or place on the board leads to."""
    found: dict[str, list[int]] = {}
    for at, option in enumerate(offer.options):
        if option.card:
            found.setdefault(str(option.card), []).append(at)
    return found


async def now(site: Site, found: Seated) -> dict[str, Any]:
    """The present question, as fragments and as data for the scripts."""
    left = await _left(site, found)
    passing = _passing(found, left)
    pos, offer = found.pos, None if passing else offer_of(found)
    shown = await _shown(site, found, offer, left, passing)
    decision = pos.decision
    return {
        "seq": pos.seq,
        "decision": decision.n if decision is not None else 0,
        "mine": offer is not None,
        "over": pos.over,
        "announced": "" if passing else found.language.say(question(found)),
        "head": rendered("seats/head.html", found.language, **shown),
        "html": rendered("seats/choices.html", found.language, **shown),
        "cards": by_card(offer) if offer is not None else {},
        "only": len(offer.options) == 1 and bool(offer.options[0].parts) if offer else False,
        "unnamed": [one.kind == UNNAMED for one in offer.options] if offer is not None else [],
        "parts": [bool(one.parts) for one in offer.options] if offer is not None else [],
        "acts": [MessageToDict(wire.act(one.act())) for one in offer.options] if offer else [],
        "alike": _alike(shown["choices"]),
        "clocks": clocks(found, site.matches.clock()),
        "seeds": seeds(found),
    }


def seeds(found: Seated) -> dict[str, Any] | None:
    """The data for a browser to give the seat's part in chance; None: it is not waited for."""
    heading = found.pos.heading
    if heading.waits != "seeds" or not found.own:
        return None
    mine = heading.commitments.get(found.seat, b"")
    return {
        "service": heading.commitment.hex(),
        "mine": mine.hex(),
        "all": len(heading.commitments) == len(heading.seats),
    }


async def _shown(
    site: Site, found: Seated, offer: Offer | None, left: pb.GetAutoPassResponse, passing: bool
) -> dict[str, Any]:
    """All that the templates say of what is asked."""
    pos, manifest = found.pos, found.book.manifest
    here = choices(found, offer) if offer is not None else []
    auto = left.auto_pass if left.HasField("auto_pass") else None
    return {
        "found": found,
        "view": name_of(found.seat),
        "pos": pos,
        "choices": here,
        "open_acts": _open_acts(found, await open_acts(site, found)),
        "question": question(found),
        "passing": passing,
        "note": note(found),
        "left_text": _left_text(found, auto) if auto is not None else "",
        "asks": ASKS[left.pass_switch.asks] or "always",
        "windows": [
            (kind, manifest.label("decisions", kind), kind in left.pass_switch.marked)
            for kind in markable(manifest)
        ],
        "steps": manifest.steps,
        "seats": _seats(found),
        "turn": _turn(found),
        "passes": passes(found),
        "event": place_of(found.match) is not None,
        "pair": site.pairs.of(found.match) is not None and found.own,
        "enters": found.plays and not found.own,
    }


async def _left(site: Site, found: Seated) -> pb.GetAutoPassResponse:
    """The auto-pass of the seat, and its switch."""
    if not found.plays or found.pos.over or found.pos.heading.waits:
        return pb.GetAutoPassResponse()
    request = pb.GetAutoPassRequest(match_id=found.match, **found.named)
    try:
        answer: pb.GetAutoPassResponse = await site.ask(request, found.visitor.sender)
    except Fault:  # it is shown where it is asked for
        return pb.GetAutoPassResponse()
    return answer


def _passing(found: Seated, left: pb.GetAutoPassResponse) -> bool:
    """Whether the seat's switch passes at the open decision, in its time."""
    message = left.pass_switch
    if not ASKS[message.asks] or not found.own:
        return False
    switch = Switch(ASKS[message.asks], tuple(message.marked), since=message.since)
    passes = {found.seat: AutoPass(switch=switch, ended=True)}
    return next_paced(passes, found.pos, found.book.manifest.passes) is not None


def _left_text(found: Seated, left: pb.AutoPass) -> Phrase:
    manifest = found.book.manifest
    parts = [phrase("wherever it may")]
    if left.steps:
        steps = joined(", ", [manifest.label("steps", one) for one in left.steps])
        parts = [phrase("in {steps}", steps=steps)]
    if left.until_turn_ends:
        parts.append(phrase("until the turn ends"))
    if left.until_rival_acts:
        parts.append(phrase("until somebody else acts"))
    return phrase("The seat passes {when}.", when=joined(", ", parts))


def _open_acts(found: Seated, acts: list[Act]) -> list[OpenAct]:
    names, alike = found.names, dict[str, list[OpenAct]]()
    for at, act in enumerate(acts):
        if not isinstance(act.card, str) or len(found.pos.zones.get(act.card, ())) > 1:
            one = OpenAct(at, names.act(act, apart=True), ordering(found.pos, act) is not None)
            alike.setdefault(one.text, []).append(one)
    return [replace(some[0], like=tuple(one.at for one in some)) for some in alike.values()]


# -- in words --------------------------------------------------------------------------------------


def question(found: Seated) -> Phrase:
    """The open question of the match, as a heading."""
    pos, decision = found.pos, found.pos.decision
    if pos.over:
        return outcome(pos)
    if pos.heading.waits == "seeds":
        return _joining(found)
    if pos.heading.waits:
        return phrase("The match waits until an official has it begin.")
    if pos.paused >= 0:
        return phrase("The match is paused by an official.")
    if decision is None:
        return phrase("Nothing is asked at the moment.")
    kind = _kind(found, decision)
    if found.seat in decision.seats:
        if found.own:
            return phrase("You decide: {kind}", kind=kind)
        return phrase("{player} decides: {kind}", player=player(found.seat), kind=kind)
    names = joined(", ", [pos.heading.seats[seat] for seat in decision.seats])
    return phrase("Waiting for {players}: {kind}", players=names, kind=kind)


def _joining(found: Seated) -> Phrase:
    """Who has not opened the page yet, as far as all can see: chance needs all of them."""
    heading = found.pos.heading
    away = [seat for seat in range(len(heading.seats)) if seat not in heading.commitments]
    names = joined(", ", [heading.seats[seat] for seat in away])
    if away and away != [found.seat]:
        return phrase("Waiting for {names} to join.", names=names)
    return phrase("The match is about to begin.")


def note(found: Seated) -> Phrase | None:
    """A note next to the question."""
    decision, pos = found.pos.decision, found.pos
    if not found.plays and not pos.over:
        if found.own:
            return phrase("This match is played with real cards: a scorekeeper enters your acts.")
        return phrase("You watch: only the seats act in a dealt match.")
    if decision is not None and found.seat in decision.seats and len(decision.seats) > 1:
        return phrase("Both sides decide this at once; nobody sees the other's answer before.")
    return None


def _kind(found: Seated, decision: Decision) -> Phrase:
    label = found.book.manifest.label("decisions", decision.kind)
    if not decision.about:
        return label
    about = Names(found.book, found.pos).ref(decision.about)
    return phrase("{kind} ({about})", kind=label, about=about)


def outcome(pos: Position) -> Phrase:
    """How the match ended; how it stands, while it is being played."""
    score = joined(" : ", [str(n) for n in pos.score]) if pos.score else ""
    if not pos.over:
        return phrase("{score}", score=score)
    if pos.winner == NOBODY:
        return phrase("The match is over: nobody won ({score}).", score=score)
    winner = pos.heading.seats[pos.winner]
    return phrase("The match is over: {player} won ({score}).", player=winner, score=score)


def _turn(found: Seated) -> Phrase:
    pos, manifest = found.pos, found.book.manifest
    if not pos.turn:
        return phrase("Game {n}", n=pos.game) if pos.game else phrase("Before the game")
    whose = player(pos.turn_seat)
    turn = phrase("turn {n}, {player}", n=pos.turn, player=whose)
    if pos.stands_in:
        step = manifest.label("steps", pos.stands_in)
        turn = phrase("turn {n}, {player}: {step}", n=pos.turn, player=whose, step=step)
    if pos.heading.best_of > 1:
        return phrase("Game {n}, {turn}", n=pos.game, turn=turn)
    return phrase("{turn}", turn=turn)


def _seats(found: Seated) -> list[dict[str, Any]]:
    pos = found.pos
    asked = pos.decision.seats if pos.decision is not None else []
    return [
        {
            "seat": seat,
            "letter": letter(seat),
            "name": name,
            "score": pos.score[seat] if seat < len(pos.score) else 0,
            "asked": seat in asked,
            "here": seat == found.seat,
        }
        for seat, name in enumerate(pos.heading.seats)
    ]


def clocks(found: Seated, now: int) -> list[dict[str, Any]]:
    """The display of the clocks at a time of the match, for a script that lets them run on."""
    opened = found.pos.heading.at
    return [
        {
            "name": found.language.say(clock_name(one.clock)),
            "left": one.left,
            "running": one.running,
        }
        for one in progress(found.pos, opened, now - opened).clocks
    ]


def listed(found: Seated) -> list[tuple[str, str]]:
    """The cards of the seat's list, by id and name, for naming a card."""
    _, parts = found.pos.heading.decks.get(found.seat, ("", None))
    if found.own or not found.plays or parts is None:
        return []
    ids = dict.fromkeys(card for some in parts.values() for card in some)
    return [(card, found.book.name(card)) for card in ids]


def passes(found: Seated) -> bool:
    """Whether an answer can be left to be given for the seat."""
    pos = found.pos
    begun = pos.decision is not None and not pos.over and not pos.heading.waits
    return found.plays and begun and bool(found.book.manifest.passes)
