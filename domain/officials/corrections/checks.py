"""Checks of fixes: the things they name, who would learn of them, and verb by verb.

Each check yields the faults of a fix as the table stands. Which checks a verb has, and what it
does, is in `verbs`; the fix itself is in `fixes`. What officials may not do at all is in
`checks`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from domain.effects.constant.calculator import CONSTANT, LAYERS, OPERATIONS, TEXTS, factor
from domain.effects.language.spelling import meant
from domain.engine.rulebook import Rulebook
from domain.engine.table import Table
from domain.officials.corrections.fixes import Fix, named
from domain.record.groups import group_from
from domain.record.position import UNKNOWN, Position
from domain.record.schema.manifest import Zone
from domain.record.values import EVERYONE, Ref
from domain.words.phrases import Phrase, phrase


class Proposal(NamedTuple):
    """A fix that is being checked: the table as it stands, and the cards of the match."""

    rules: Rulebook
    t: Table
    fix: Fix
    known: Mapping[str, Any]

    @property
    def p(self) -> Position:
        return self.t.pos


# -- whom and what a fix names ---------------------------------------------------------------------


def hidden(proposal: Proposal, openly: bool) -> Iterator[Phrase]:
    """Cards that lie hidden, though the fix would name them to all (`openly`: its `cards` too)."""
    t, fix = proposal.t, proposal.fix
    cards = fix.cards if openly else ()
    refs: tuple[Ref, ...] = (*cards, fix.src, fix.dst, fix.subject, fix.host)
    holders = {"match", *t.manifest.places(), *(f"seat/{n}" for n in range(t.manifest.seats))}
    for ref in refs if fix.verb != "draw" else ():
        if not ref or ref in holders:
            continue
        if not isinstance(ref, int) or not t.pos.present(ref):
            yield phrase("there is no {ref!r} here", ref=ref)
        elif t.pos.cards[ref].follow != EVERYONE:
            yield phrase("@{ref} is hidden: this would show everybody which card it is", ref=ref)


def misnamed(proposal: Proposal) -> Iterator[Phrase]:
    """Names that are no cards of the match, or that a card can't be given."""
    p, fix, real = proposal.p, proposal.fix, proposal.p.heading.mode == "table"
    for name in fix.names:
        if name not in proposal.known and not (real and name == UNKNOWN):
            yield phrase("there is no card {name!r}", name=name)
    if fix.verb == "make":
        return
    for number, name in named(fix):
        if not real or (p.cards[number].id not in ("", name) and fix.verb != "name"):
            yield phrase("it is known which card @{number} is", number=number)
    if len(fix.names) > len(fix.cards):
        yield phrase("more names than cards")


def _declared(proposal: Proposal, kind: str, word: str, what: str) -> Iterator[Phrase]:
    """Whether the manifest has a word in one of its lists."""
    words = proposal.t.manifest.words(kind)
    if word not in words:
        yield phrase(
            "there is no {what} {word!r}{meant}", what=what, word=word, meant=meant(word, words)
        )


def seats(proposal: Proposal) -> Iterator[Phrase]:
    """Whether the seats that it names exist."""
    seats, fix = range(proposal.t.manifest.seats), proposal.fix
    if any(seat not in seats for seat in (*fix.seats, *([] if fix.seat is None else [fix.seat]))):
        yield phrase("there is no such seat")


# -- cards -----------------------------------------------------------------------------------------


def move(proposal: Proposal) -> Iterator[Phrase]:
    """Whether the index is one of the place, and cards can lie so there."""
    p, fix = proposal.p, proposal.fix
    if fix.at is not None and not 0 <= fix.at <= len(p.zone(fix.place)):
        yield phrase("place {at} is none in {place}", at=fix.at, place=fix.place)
    yield from _lies(proposal, [fix.place])


def turn(proposal: Proposal) -> Iterator[Phrase]:
    """Whether it says how the cards are turned, and they can lie so where they are."""
    fix = proposal.fix
    if fix.up is None and fix.orient is None:
        yield phrase("it says neither over nor sideways")
    yield from _lies(proposal, [proposal.p.cards[number].place for number in fix.cards])


def _lies(proposal: Proposal, places: list[str]) -> Iterator[Phrase]:
    orient, zone = proposal.fix.orient, proposal.t.manifest.zone
    if orient is not None and any(orient not in (zone(place).orients or ("",)) for place in places):
        yield phrase("cards do not lie {orient!r} there", orient=orient)


def draw(proposal: Proposal) -> Iterator[Phrase]:
    """Whether the place has that many cards."""
    there = len(proposal.p.zone(str(proposal.fix.src)))
    if there < proposal.fix.n:
        yield phrase("there are only {there} cards", there=there)


def order(proposal: Proposal) -> Iterator[Phrase]:
    """Whether it lists the cards of the place, each once."""
    if sorted(proposal.fix.cards) != sorted(proposal.p.zone(proposal.fix.place)):
        yield phrase("it names every card of the place once")


def shuffle(proposal: Proposal) -> Iterator[Phrase]:
    """Whether its cards can be mixed: not where all see which they are, or how each lies."""
    if not mixable(proposal.t.manifest.zone(proposal.fix.place)):
        yield phrase("the cards of {place} can't be mixed", place=proposal.fix.place)


def mixable(zone: Zone) -> bool:
    """Whether nobody need know which card of a zone is which."""
    return zone.faces != "all" and len(zone.orients) <= 1


def show(proposal: Proposal) -> Iterator[Phrase]:
    """Whether the seats exist, and the cards lie in one place."""
    yield from seats(proposal)
    if len({proposal.p.cards[number].place for number in proposal.fix.cards}) > 1:
        yield phrase("cards of one place at a time")


def ties(proposal: Proposal) -> Iterator[Phrase]:
    """Cards laid with a host, or linked to one."""
    fix = proposal.fix
    if fix.host in fix.cards:
        yield phrase("nothing is laid with itself")
    if fix.verb == "attach" and fix.host and proposal.p.cards[fix.host].host:
        yield phrase("@{number} lies with another card itself", number=fix.host)
    if fix.host and (fix.role or fix.verb == "link"):
        yield from _declared(proposal, "roles", fix.role, phrase("role"))


def define(proposal: Proposal) -> Iterator[Phrase]:
    """Whether the cards lie face down among open ones, and the game knows such figures."""
    for number in proposal.fix.cards:
        card = proposal.p.cards[number]
        if card.up and proposal.fix.figures:
            yield phrase("@{number} lies face up: everybody knows which card it is", number=number)
        elif proposal.t.manifest.zone(card.place).faces != "all":
            yield phrase("@{number} lies where all cards are face down", number=number)
    if proposal.fix.figures:
        yield from proposal.rules.undefinable(proposal.fix.figures)


def depart(proposal: Proposal) -> Iterator[Phrase]:
    """Whether reason and destination are there; without a reason, whether they were leaving.

    A card that would go to where it lies would never be gone.
    """
    p, fix = proposal.p, proposal.fix
    if not fix.kind:
        staying = [number for number in fix.cards if not p.cards[number].departing]
        yield from (phrase("@{number} is not on its way out", number=number) for number in staying)
        return
    yield from _declared(proposal, "reasons", fix.kind, phrase("reason"))
    if not fix.place:
        yield phrase("it needs place")
    for number in fix.cards:
        if p.cards[number].place == fix.place:
            yield phrase("@{number} lies in {place} already", number=number, place=fix.place)


# -- numbers ---------------------------------------------------------------------------------------


def counters(proposal: Proposal) -> Iterator[Phrase]:
    """Whether the kind exists, and the source holds that many."""
    fix = proposal.fix
    yield from _declared(proposal, "counters", fix.kind, phrase("counters"))
    if fix.src == "" and fix.dst == "":
        yield phrase("they come from somewhere or go somewhere")
    if fix.n < 0 or (fix.src != "" and proposal.p.counters(fix.src, fix.kind) < fix.n):
        yield phrase("there are not so many")


def mark(proposal: Proposal) -> Iterator[Phrase]:
    """Whether the game has such a mark."""
    yield from _declared(proposal, "marks", proposal.fix.kind.partition(":")[0], phrase("mark"))


def modify(proposal: Proposal) -> Iterator[Phrase]:
    """A change of a figure, of what cards may do, or of whether their texts count."""
    fix = proposal.fix
    if bool(fix.cards) == bool(fix.place):
        yield phrase("it changes cards, or all that lies at a place")
    if fix.until == CONSTANT:
        yield phrase("what holds as long as a text does follows from the text")
    yield from _declared(proposal, "durations", fix.until or "turn", phrase("duration"))
    layer, _, op = fix.op.rpartition(" ")
    if layer not in LAYERS or (layer and op not in OPERATIONS):
        yield phrase("there is no such change as {op!r}", op=fix.op)
    elif op in ("forbid", "allow"):
        yield from _act(proposal)
    elif op not in ("", *OPERATIONS):
        yield phrase(
            "there is no such change as {op!r}{meant}",
            op=fix.op,
            meant=meant(op, (*OPERATIONS, "forbid", "allow")),
        )
    elif fix.kind == TEXTS:
        yield from _texts(proposal, op)
    else:
        yield from _declared(proposal, "stats", fix.kind, phrase("figure"))
        yield from _figure(proposal, op)


def _act(proposal: Proposal) -> Iterator[Phrase]:
    """The prohibition or permission, and to or by which cards, as a group in JSON."""
    kind, value, acts = proposal.fix.kind, proposal.fix.value, proposal.rules.barrable
    if kind not in acts:
        yield phrase(
            "no text forbids or allows {kind!r}{meant}", kind=kind, meant=meant(kind, acts)
        )
    if value not in (None, True):
        try:
            group_from(str(value))
        except msgspec.DecodeError as error:
            yield phrase(
                "the cards that it is about are a group as in a text: {error}", error=error
            )


def _texts(proposal: Proposal, op: str) -> Iterator[Phrase]:
    if op != "lose":
        yield phrase("texts are lost, and nothing else")


def _figure(proposal: Proposal, op: str) -> Iterator[Phrase]:
    p, fix = proposal.p, proposal.fix
    match op:
        case "lose":
            if fix.value not in (None, True):
                yield phrase("a keyword is lost as a whole")
        case "swap":
            if fix.value == fix.kind:
                yield phrase("a figure changes places with another one")
            yield from _declared(proposal, "stats", str(fix.value), phrase("figure"))
        case "multiply":
            try:
                negative = factor(fix.value) < 0
            except ValueError:
                negative = True
            if negative:
                yield phrase('a figure is multiplied by a number or a fraction ("1/2")')
        case _:  # what is a number now stays one
            now = {type(p.cards[number].stats.get(fix.kind)) for number in fix.cards}
            right = type(fix.value) is int if int in now else not isinstance(fix.value, str)
            if not right:
                yield phrase("a figure is a number, a keyword there or not")


def end(proposal: Proposal) -> Iterator[Phrase]:
    """Whether the modifiers are in force."""
    if any(number not in proposal.p.modifiers for number in proposal.fix.ids):
        yield phrase("there is no such lasting effect")


# -- what waits, and the attack --------------------------------------------------------------------


def trigger(proposal: Proposal) -> Iterator[Phrase]:
    """Whether it names one card, and a text of some card that triggers."""
    yield from seats(proposal)
    if len(proposal.fix.cards) != 1:
        yield phrase("a text is one card's")
    text = _text(proposal)
    if text is not None and text.kind != "triggered":
        yield phrase(
            "{effect} does not trigger: declare it, or play it", effect=proposal.fix.effect
        )
    elif text is None:
        yield phrase("there is no text {effect!r}", effect=proposal.fix.effect)


def _text(proposal: Proposal) -> Any:
    """The text that an effect names, of the cards of the match; None if there is none."""
    card, _, name = proposal.fix.effect.partition("/")
    texts = getattr(proposal.known.get(card), "effects", ())
    return next((text for text in texts if text.name == name), None)


def schedule(proposal: Proposal) -> Iterator[Phrase]:
    """Whether the time is one at which things come due, and one thing is then carried out."""
    fix, times = proposal.fix, proposal.rules.schedules
    yield from seats(proposal)
    if fix.until not in times:
        yield phrase(
            "nothing that is scheduled comes due with {until!r}{meant}",
            until=fix.until,
            meant=meant(fix.until, times),
        )
    if bool(fix.effect) == bool(fix.kind):
        yield phrase("it is a text, or a kind of act")
    elif fix.kind:
        yield from _declared(proposal, "declarations", fix.kind, phrase("kind of act"))
    elif _text(proposal) is None:
        yield phrase("there is no text {effect!r}", effect=fix.effect)


def void(proposal: Proposal) -> Iterator[Phrase]:
    """Whether each of these waits, and may be taken back."""
    p = proposal.p
    for number in proposal.fix.ids:
        act = p.pending.get(number)
        if act is None and number not in p.scheduled:
            yield phrase("nothing waits as {number}", number=number)
        elif act is not None and act.resolving:
            yield phrase("{number} is being carried out", number=number)
        elif act is not None and act.kind != "triggered":
            yield phrase(
                "{number} was declared: it is carried out, or gone back before", number=number
            )


def retarget(proposal: Proposal) -> Iterator[Phrase]:
    """Whether there is an attack, and what it is turned to can be attacked."""
    p, fix = proposal.p, proposal.fix
    if p.attack is None:
        yield phrase("there is no attack")
    for ref in (fix.subject, fix.host):
        if isinstance(ref, int) and p.present(ref) and not p.cards[ref].orient:
            yield phrase("@{ref} can't be attacked, nor take an attack on itself", ref=ref)
        elif ref and not isinstance(ref, int) and not ref.startswith("seat/"):
            yield phrase("a card is attacked, or a player")
