"""Folding cards: made, moved, turned, made known, ordered, attached, on their way out, gone.

Where a number is sealed from the reader, a card is one of the zone's zeros. Which part of a list a
card of a real table is from is kept up in `provenance`. Names of places are interned: each entry
brings its own copy, and hundreds of cards lie in the same few.
"""

from __future__ import annotations

from collections.abc import Callable
from sys import intern

from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.folding import provenance
from domain.record.position import Card, Departure, Link, Position, seat_of
from domain.record.schema.policy import watched
from domain.record.values import BY_OFFICIAL, EVERYONE, OFFICIALS


def _cards_made(p: Position, e: Entry, v: ev.CardsMade) -> None:
    numbers = v.cards.value or (0,) * v.n
    place = intern(v.place)
    zone = p.zones.setdefault(place, [])
    zone.extend(numbers)
    p.next_card += v.n
    controller = seat_of(place)
    for number in numbers:
        if number:
            p.cards[number] = Card(
                "", v.owner, v.owner if controller < 0 else controller, place, v.up, v.orient,
                follow=v.cards.to, token=v.token, came=p.turn,
            )  # fmt: skip
    provenance.made(p, numbers, v.part)


def _cards_moved(p: Position, e: Entry, v: ev.CardsMoved) -> None:
    if p.heading.policy.end.tiebreaks:
        _watch(p, e, v.src)
    arriving = _carried(p, v) if v.kept else _renumbered(p, v)
    zone = p.zones.setdefault(v.dst, [])
    if v.at is None:
        zone.extend(arriving)
    else:
        zone[v.at : v.at] = arriving
    if p.heading.parts and v.now.to not in (EVERYONE, OFFICIALS):
        provenance.held(p, zone)


def _watch(p: Position, e: Entry, place: str) -> None:
    """Note who takes a card out of a zone, by the rules, if a tie-break asks for that."""
    zone, _, seat = place.partition("/")
    if seat and e.by != BY_OFFICIAL and zone in watched(p.heading.policy.end.tiebreaks):
        p.took = (p.took if p.took_at == e.moment else 0) | 1 << int(seat)
        p.took_at = e.moment


def _carried(p: Position, v: ev.CardsMoved) -> tuple[int, ...]:
    """Cards leave their place as the objects that they are, with what is laid with them."""
    numbers = v.was.value or (0,) * v.n
    for number in numbers:
        card = _leave(p, number, v.src)
        if card is None:
            continue
        card.place, card.up, card.orient = intern(v.dst), v.up, v.orient
        card.follow |= v.now.to
        p.cards[number] = card
        for rider in card.attached:
            p.zones[p.cards[rider].place].remove(rider)
            p.cards[rider].host = number
        _carry_riders(p, card)
    return numbers


def _renumbered(p: Position, v: ev.CardsMoved) -> list[int]:
    """Cards leave their place, and are other objects with new numbers where they arrive."""
    was, mixed = v.was.value or (0,) * v.n, v.now.value == ()
    now = tuple(range(p.next_card, p.next_card + v.n)) if mixed else v.now.value or (0,) * v.n
    p.next_card += v.n
    if mixed:
        provenance.mixed(p, was)
    real = p.heading.mode == "table"
    if real and EVERYONE not in (v.was.to, v.now.to):
        mixed = _lose_track(p, v, was) or mixed
    for old, new in zip(was, now, strict=True):
        gone = _leave(p, old, v.src)
        if real:
            provenance.moved(p, old, new)
        if gone is not None:
            gone.now = new
            p.departed[old] = gone
            if p.links or p.modifiers:
                _drop_ties(p, old)
        if new:
            card = p.cards[new] = _arrived(p, gone, v)
            if mixed or not card.id:
                card.id = p.named.pop(new, "")
    return sorted(now)


def _carry_riders(p: Position, host: Card) -> None:
    """Move the cards attached to a card along with it, and those attached to them."""
    for rider in host.attached:
        p.cards[rider].place = host.place
        _carry_riders(p, p.cards[rider])


def _lose_track(p: Position, v: ev.CardsMoved, was: tuple[int, ...]) -> bool:
    """Cards of a real table go from hand to hidden: who did not see which they are can't say now.

    A stack's topmost cards can be followed; of any others, and of those they lay among, nobody
    can tell which are which. Whether that is so.
    """
    zone = p.zones.get(v.src, [])
    stack = v.was.to == OFFICIALS
    if (stack and set(was) == set(zone[-v.n :])) or len(zone) == 1:
        return False
    lost = [n for n in zone if n in p.cards and p.cards[n].follow != EVERYONE]
    for number in lost:
        p.cards[number].id = ""
    provenance.mixed(p, lost)
    return True


def _arrived(p: Position, gone: Card | None, v: ev.CardsMoved) -> Card:
    """The card that comes by a new number; `gone` is what it was, if that is known."""
    seat, follow = seat_of(v.dst), v.now.to
    if gone is None:
        owner = seat_of(v.src)
        was, seen, token = "", 0, False
    else:
        owner, was, token = gone.owner, gone.id, gone.token
        seen = gone.seen & v.was.to & follow
    to = seat if seat >= 0 else owner
    return Card(was, owner, to, intern(v.dst), v.up, v.orient, seen, follow, token, p.turn)


def _leave(p: Position, number: int, place: str) -> Card | None:
    """Take a card out of its zone, or off its host; one without a number is the topmost zero."""
    zone = p.zones.setdefault(place, [])
    if not number:
        for at in range(len(zone) - 1, -1, -1):
            if not zone[at]:
                del zone[at]
                break
        return None
    card = p.cards.pop(number, None)
    if card is None:
        return None
    if card.host:
        _detach(p.cards[card.host], number)
        card.host = 0
    elif zone and zone[-1] == number:  # as most do
        zone.pop()
    else:
        zone.remove(number)
    for rider in card.attached:  # a host that left takes its riders out of its keeping
        if rider in p.cards:
            p.cards[rider].host = 0
            p.zones[p.cards[rider].place].append(rider)
    return card


def _detach(host: Card, number: int) -> None:
    host.attached = tuple(rider for rider in host.attached if rider != number)


def _drop_ties(p: Position, number: int) -> None:
    """A modifier ends with its last target; what belongs to a card, or it to, no longer does."""
    for linked in [n for n, link in p.links.items() if number in (n, link.host)]:
        del p.links[linked]
    for key in [k for k, m in p.modifiers.items() if number in m.targets]:
        modifier = p.modifiers[key]
        modifier.targets.remove(number)
        if not modifier.targets and not modifier.scope:
            del p.modifiers[key]


def _cards_turned(p: Position, e: Entry, v: ev.CardsTurned) -> None:
    for number in v.cards:
        card = p.cards[number]
        if v.up is not None:
            card.up = v.up
        if v.orient is not None:
            card.orient = v.orient


def _cards_known(p: Position, e: Entry, v: ev.CardsKnown) -> None:
    if v.cards.value is None:
        return
    for number, identity in reversed(v.cards.value):
        card = p.cards.get(number)
        if card is None:
            card = _number_hidden(p, number, v.place)
        card.id = identity or card.id
        card.seen |= v.cards.to
        card.follow |= v.cards.to


def _number_hidden(p: Position, number: int, place: str) -> Card:
    """Give a number to the topmost of the zone's zeros: the card can be told apart from now on."""
    zone = p.zones.setdefault(place, [])
    for at in range(len(zone) - 1, -1, -1):
        if not zone[at]:
            zone[at] = number
            break
    seat = seat_of(place)
    card = p.cards[number] = Card("", seat, seat, place, False, "")
    return card


def _cards_ordered(p: Position, e: Entry, v: ev.CardsOrdered) -> None:
    old = p.zones.setdefault(v.place, [])
    if not v.base:
        if v.order.value is not None:
            p.zones[v.place] = list(v.order.value)
        return
    p.next_card += v.n
    order = v.order.value
    p.zones[v.place] = [v.base + i for i in range(v.n)] if order is not None else [0] * v.n
    cards = {number: p.cards.pop(number) for number in old if number}
    if order is not None:
        provenance.shuffled(p, old, v.base, order)
    if order == ():  # real cards: nobody knows where any of them lies now
        others = [card.owner for card in cards.values() if card.owner != seat_of(v.place)]
        for new in range(v.base, v.base + v.n):  # each seat still has as many cards as before
            seat = others.pop() if others else seat_of(v.place)
            p.cards[new] = Card(
                p.named.pop(new, ""), seat, seat, v.place, False, "", follow=v.order.to
            )
    place = intern(v.place)
    for new, index in zip(p.zones[place], order or (), strict=False):
        card = cards[old[index]]
        p.cards[new] = Card(
            card.id, card.owner, card.controller, place, card.up, card.orient,
            follow=v.order.to, came=card.came,
        )  # fmt: skip


def _cards_controlled(p: Position, e: Entry, v: ev.CardsControlled) -> None:
    for number in v.cards:
        p.cards[number].controller = v.seat


def _cards_attached(p: Position, e: Entry, v: ev.CardsAttached) -> None:
    for number in v.cards:
        card = p.cards[number]
        if card.host:
            _detach(p.cards[card.host], number)
        else:
            p.zones[card.place].remove(number)
        card.host, card.role = v.host, v.role if v.host else ""
        if v.host:
            p.cards[v.host].attached += (number,)
        else:
            p.zones[card.place].append(number)


def _cards_defined(p: Position, e: Entry, v: ev.CardsDefined) -> None:
    for number in v.cards:
        p.cards[number].defined = dict(v.figures)


def _cards_removed(p: Position, e: Entry, v: ev.CardsRemoved) -> None:
    for number in v.cards:
        card = p.cards.get(number)
        if card is not None:
            _watch(p, e, card.place)
            _leave(p, number, card.place)
            p.departed[number] = card
            _drop_ties(p, number)


def _departure_began(p: Position, e: Entry, v: ev.DepartureBegan) -> None:
    for number in v.cards:
        card, before = p.cards[number], p.departures.pop(number, None)
        card.departing = v.cause
        if v.cause:
            p.departures[number] = Departure(
                v.cause, v.responsible, v.to, v.to, e.seq, card.controller,
                dict(card.stats), dict(card.counters),
            )  # fmt: skip
            if before is not None:
                _keep_first(p.departures[number], before)


def _keep_first(departure: Departure, before: Departure) -> None:
    """Of a departure that replaces another one, keep what the card was when the first began."""
    departure.first, departure.controller = before.first, before.controller
    departure.stats, departure.counters = before.stats, before.counters


def _cards_linked(p: Position, e: Entry, v: ev.CardsLinked) -> None:
    for number in v.cards:
        p.links.pop(number, None)
        if v.host:
            p.links[number] = Link(v.host, v.role)


#: How each event changes a position.
APPLY: dict[type, Callable[..., None]] = {
    ev.CardsMade: _cards_made,
    ev.CardsMoved: _cards_moved,
    ev.CardsTurned: _cards_turned,
    ev.CardsKnown: _cards_known,
    ev.CardsOrdered: _cards_ordered,
    ev.CardsControlled: _cards_controlled,
    ev.CardsAttached: _cards_attached,
    ev.CardsDefined: _cards_defined,
    ev.CardsRemoved: _cards_removed,
    ev.DepartureBegan: _departure_began,
    ev.CardsLinked: _cards_linked,
}
