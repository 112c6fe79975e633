"""Interprets a line at a later decision: passes before it are inferred, of either seat.

A line is for a later one where it is addressed to a seat that is not asked, or where its verb can't
answer the open one (`Manifest.answers`). What passes lead to is in `ahead`; what the line
means there is found as at the open decision. The passes are recorded with the act, or not at all.
The end of the turn is passed over as well by what can mean nothing in it.

Whether a card that is named only now may do what is typed, from where it is thought to lie and at
the open decision, the service alone can say: an act that names one may as well be done with an
unknown card of another zone, or at the next stop (`other_ways`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from domain.engine.passes.autopass import pass_of
from domain.record.position import NOBODY, Position, zone_of
from domain.scorekeeping.command import Command
from domain.scorekeeping.session import Session
from domain.scorekeeping.suggestions import suggest, unseen
from domain.scorekeeping.suggestions.guess import Guesses
from domain.scorekeeping.suggestions.suggest import Table
from domain.scorekeeping.understanding import reading
from domain.scorekeeping.understanding.ahead import Ahead, Stop
from domain.telling.names import letter
from domain.text.notation import BadText


def meant(session: Session, t: Table, typed: str) -> Command | None:
    """The command that a line stands for, if it is for a later decision; `t` is the open one.

    If it means nothing at any decision that passes lead to, they are passed as far as a card must
    be named, and the line waits; or `BadText` names the seat that must decide first.
    """
    seat, text = reading.addressed(typed, NOBODY)
    decision, ahead = session.decision, session.ahead
    if decision is None or not _for_later(session, t, seat, text, decision.kind):
        return None
    if ahead is None or not (ahead.stops or ahead.cut):
        return None
    for stop in ahead.stops:
        command = _at(t, stop, seat, text)
        if command is not None:
            return replace(command, passes=stop.passes, ends=stop.ends)
    return _as_far_as_it_goes(t, ahead, text)


def further_on(
    session: Session, t: Table, typed: str, here: Command | None, *, ends: bool
) -> Command | None:
    """The later meaning of a line whose act is not offered `here`, if it is an act at all there.

    This applies if the seat that is asked has no such card, or the card may act only later; `ends`:
    maybe in the next turn.
    """
    seat, text = reading.addressed(typed, NOBODY)
    for stop in session.ahead.stops if session.ahead is not None else ():
        command = _at(t, stop, seat, text) if ends or not stop.ends else None
        if command is not None and (here is None or same(here, t.pos, command, stop.pos)):
            return replace(command, passes=stop.passes, ends=stop.ends)
    return None


def other_ways(session: Session, t: Table, line: str, first: Command) -> Iterator[Command]:
    """Other meanings of a line whose card is named by it: from elsewhere, or at a stop.

    Any other act is on offer where it is allowed.
    """
    if not first.names:
        return
    (seat, typed), card = reading.addressed(line, NOBODY), first.act.card
    ahead = session.ahead.stops if session.ahead is not None else ()
    stops = [stop for stop in ahead if stop.ends == first.ends]
    before = next((stop.pos for stop in stops if stop.passes == first.passes), t.pos)
    text = first.text
    if isinstance(card, int) and card in before.cards:
        zone = zone_of(before.card(card).place)
        text = text if f"{zone}." in typed.casefold() else text.replace(f"{zone}.", "", 1)
    if not first.passes:
        yield from _elsewhere(replace(t, seat=first.seat), typed, first)
    for stop in stops:
        if stop.passes < first.passes:
            continue
        command = first if stop.passes == first.passes else _at(t, stop, seat, text)
        if command is not None and same(first, before, command, stop.pos):
            command = replace(command, passes=stop.passes, ends=stop.ends)
            if command != first:
                yield command
            offer = stop.decision.offers.get(command.seat)
            yield from _elsewhere(
                replace(t, pos=stop.pos, seat=command.seat, offer=offer), typed, command
            )


def _elsewhere(t: Table, typed: str, command: Command) -> Iterator[Command]:
    """The same act with the first unknown card of other zones, and with verbs that begin alike."""
    act, names = command.act, command.names
    named = names.get(act.card) if isinstance(act.card, int) else None
    if named is None:
        return
    cards = {zone_of(t.pos.card(n).place): n for n in reversed(suggest.unknown(t.offer))}
    cards[zone_of(t.pos.card(int(act.card)).place)] = int(act.card)
    if "#" in command.text or any(f"{z.name}." in typed.casefold() for z in t.manifest.zones):
        cards = {zone: card for zone, card in cards.items() if card == act.card}
    others = {n: id_ for n, id_ in names.items() if n != act.card}
    for kind in [act.kind, *(verb for verb in suggest.spelt(t, typed) if verb != act.kind)]:
        for zone, card in cards.items():
            possible = unseen.cards(t.book, t.pos, t.pos.card(card).owner, number=card)
            seen = t.habits.from_zone(kind, zone) is not False and named in possible
            if seen and (kind, card) != (act.kind, act.card):
                way = replace(act, kind=kind, card=card)
                yield replace(command, act=way, names={card: named, **others})


def same(one: Command, before: Position, other: Command, after: Position) -> bool:
    """Whether a command equals an earlier one, apart from the present numbers of its cards.

    It may say more, as what an act on offer asks for besides.
    """
    mine, theirs = _key(one, before), _key(other, after)
    return mine[:2] == theirs[:2] and not Counter(mine) - Counter(theirs)


def _key(command: Command, p: Position) -> list[object]:
    """The key of a command: the act's kind, its card and its picks, known ones by identity."""
    act, names = command.act, command.names
    refs = [act.card, *(ref for part in act.picks for ref in part)]
    cards = [
        names.get(n) or (p.card(n).id or n if n in p.cards else n) if isinstance(n, int) else n
        for n in refs
    ]
    return [act.kind, *cards]


def _for_later(session: Session, t: Table, seat: int, text: str, kind: str) -> bool:
    own = seat in (NOBODY, t.seat)
    if own and (not suggest.verbs(t, text) or _answers(t, text, kind)):
        return False
    there = t if own else replace(t, seat=seat, offer=session.offer(seat))
    try:
        return not reading.read(there, text).interjected
    except BadText:
        return True


def _answers(t: Table, text: str, kind: str) -> bool:
    """Whether a verb of a text may answer decisions of a kind."""
    offered = {option.kind for option in t.offer.options} if t.offer is not None else set()
    return not offered.union(t.manifest.answers.get(kind, ())).isdisjoint(suggest.verbs(t, text))


def _at(t: Table, stop: Stop, seat: int, text: str) -> Command | None:
    """The meaning of a text at one of the stops."""
    for whose in stop.decision.seats if seat == NOBODY else [seat]:
        offer = stop.decision.offers.get(whose)
        if offer is None:
            continue
        there = replace(t, pos=stop.pos, seat=whose, offer=offer)
        if not _answers(there, text, stop.decision.kind):
            continue
        if whose not in stop.suggested:
            stop.suggested[whose] = suggest.offered(there), Guesses(there)
        known, guesses = stop.suggested[whose]
        rows = suggest.suggestions(there, text, known, guesses.rows(text, legal=True))
        if rows and rows[0].sure:
            return rows[0].command
        try:
            command = reading.read(there, text)
        except BadText:
            continue
        if not command.interjected and (command.names or suggest.is_on_offer(offer, command.act)):
            return command
    return None


def _as_far_as_it_goes(t: Table, ahead: Ahead, text: str) -> Command:
    """The last pass before a card must be named; `BadText` where there is no pass any more."""
    stops = [stop for stop in ahead.stops if not stop.ends]  # no turn is ended for what may be
    last = stops[-1] if stops else None
    cut = ahead.cut and len(stops) == len(ahead.stops)
    if last is not None:
        seat = last.decision.seats[0]
        t = replace(t, pos=last.pos, seat=seat, offer=last.decision.offers.get(seat))
    act, decision = pass_of(t.manifest.passes, t.offer), t.pos.decision
    if act is not None and cut:
        passes = last.passes if last is not None else 0
        return Command(t.seat, act, t.write(act), implied=True, passes=passes)
    kind = decision.kind if decision is not None else ""
    if _answers(t, text, kind):
        reading.read(t, text)  # which explains why it is none
    raise BadText(f"{letter(t.seat)} has to decide first: {t.manifest.label('decisions', kind)}")
