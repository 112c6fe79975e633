"""The fold: applies one entry to a position. It knows no game and needs no rules.

It reads redacted entries as well as whole ones (masking comes before folding, never after): where
a number is sealed from the reader, a card is one of the zone's zeros. Everything an event says is
believed; whether it was legal is the rulebook's concern, whether it may be seen that of `views`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count as count_from
from typing import Any

from domain.record import events as ev
from domain.record import provenance
from domain.record.events import Entry, Value
from domain.record.position import (
    Attack,
    Card,
    Clock,
    Decision,
    Frame,
    Modifier,
    Pending,
    Position,
    seat_of,
)


def fold(p: Position, e: Entry) -> None:
    """Apply `e` to `p`, in place. O(cards it names)."""
    p.seq = e.seq
    p.time = e.time
    p.moment = e.moment
    event = e.event
    _APPLY[type(event)](p, e, event)


def fold_all(entries: Iterable[Entry], p: Position | None = None) -> Position:
    """The position that the entries of one active line add up to, from `p` or from nothing."""
    p = Position() if p is None else p
    for entry in entries:
        fold(p, entry)
    return p


# -- the match --------------------------------------------------------------------------------


def _match_opened(p: Position, e: Entry, v: ev.MatchOpened) -> None:
    h = p.heading
    h.game, h.engine, h.mode, h.best_of, h.at = v.game, v.engine, v.mode, v.best_of, v.at
    h.seats, h.digests, h.labels, h.options = v.seats, v.digests, v.labels, v.options
    h.policy, h.prints = v.policy, v.prints
    h.fork = v.origin.match if v.origin is not None else ""
    p.score = [0] * len(v.seats)


def _deck_registered(p: Position, e: Entry, v: ev.DeckRegistered) -> None:
    p.heading.decks[v.seat] = (v.name, v.cards.value)


def _game_began(p: Position, e: Entry, v: ev.GameBegan) -> None:
    p.game, p.turn, p.turn_seat, p.why = v.n, 0, -1, ""
    for table in (p.lost, p.zones, p.cards, p.departed, p.holders, p.marks, p.stats):
        table.clear()
    p.heading.parts.clear()
    p.modifiers.clear()
    p.pending.clear()
    p.frames.clear()
    p.attack = None


def _seat_lost(p: Position, e: Entry, v: ev.SeatLost) -> None:
    for seat in v.seats:
        p.lost[seat] = v.why


def _game_ended(p: Position, e: Entry, v: ev.GameEnded) -> None:
    p.why, p.step, p.attack, p.decision = v.why, "", None, None
    p.frames.clear()
    p.pending.clear()
    if v.winner >= 0:
        p.score[v.winner] += 1


def _match_ended(p: Position, e: Entry, v: ev.MatchEnded) -> None:
    p.over, p.winner, p.score = True, v.winner, list(v.score)
    p.decision = None


# -- the flow ---------------------------------------------------------------------------------


def _turn_began(p: Position, e: Entry, v: ev.TurnBegan) -> None:
    p.turn, p.turn_seat = v.n, v.seat
    p.extra -= p.extra > 0
    p.departed.clear()  # nothing asks across turns; marks hold what must last


def _step_began(p: Position, e: Entry, v: ev.StepBegan) -> None:
    p.step = v.path


def _frame_opened(p: Position, e: Entry, v: ev.FrameOpened) -> None:
    p.frames.append(Frame(v.id, v.kind, v.parent, v.cause, dict(v.facts)))
    p.next_frame = v.id + 1


def _frame_closed(p: Position, e: Entry, v: ev.FrameClosed) -> None:
    p.frames = [frame for frame in p.frames if frame.id != v.id]
    p.marks.pop(f"frame/{v.id}", None)


# -- decisions --------------------------------------------------------------------------------


def _decision_opened(p: Position, e: Entry, v: ev.DecisionOpened) -> None:
    if p.decision is not None:  # asked anew: who was to decide has taken his time all the same
        for seat in p.decision.seats:
            _charge(p, seat, e.time, e.time - p.decision.time, 0)
    p.decision = Decision(v.n, list(v.seats), v.kind, v.about, e.seq, e.time, {}, rest=v.rest)
    p.decisions = v.n


def _options_offered(p: Position, e: Entry, v: ev.OptionsOffered) -> None:
    if p.decision is not None:
        others = p.decision.audience if p.decision.offers else ev.EVERYONE
        p.decision.offers[v.seat] = v.offer.value
        p.decision.audience = v.offer.to & others


def _decision_made(p: Position, e: Entry, v: ev.DecisionMade) -> None:
    _stated(p, v.stated.value)
    _charge(p, v.seat, e.time, v.ms, p.heading.policy.clocks.increment)
    if p.decision is None:
        return
    p.decision.seats.remove(v.seat)
    p.decision.offers.pop(v.seat, None)
    if not p.decision.seats:
        p.decision = None


def _charge(p: Position, seat: int, now: int, ms: int, increment: int) -> None:
    clock = p.clocks.get(f"seat/{seat}")
    if clock is not None and clock.running:
        took = min(ms, max(now - clock.since, 0))  # it may have been set in between
        clock.left, clock.since = clock.left + increment - took, now


def _interjected(p: Position, e: Entry, v: ev.Interjected) -> None:
    _stated(p, v.stated.value)  # what it brings about follows as entries of its own


def _stated(p: Position, said: ev.Stated | None) -> None:
    """Cards are named: those that lie there, and those that will come by these numbers."""
    for number, identity in said.names if said is not None else ():
        card = p.cards.get(number)
        if card is not None:
            card.id = identity
        else:
            p.named[number] = identity


# -- cards ------------------------------------------------------------------------------------


def _cards_made(p: Position, e: Entry, v: ev.CardsMade) -> None:
    numbers = v.cards.value or (0,) * v.n
    zone = p.zones.setdefault(v.place, [])
    zone.extend(numbers)
    p.next_card += v.n
    controller = seat_of(v.place)
    for number in numbers:
        if number:
            p.cards[number] = Card(
                "", v.owner, v.owner if controller < 0 else controller, v.place, v.up, v.orient,
                follow=v.cards.to, token=v.token, came=p.turn,
            )  # fmt: skip

    provenance.made(p, numbers, v.part)


def _cards_moved(p: Position, e: Entry, v: ev.CardsMoved) -> None:
    blank = (0,) * v.n
    was, now = v.was.value or blank, v.now.value or blank
    fresh = not v.kept and (was != now or not was[0])
    mixed = v.now.value == ()
    if mixed:
        now = tuple(range(p.next_card, p.next_card + v.n))
    if fresh:
        p.next_card += v.n
    both = v.was.to & v.now.to
    if mixed:
        provenance.mixed(p, was)
    if p.heading.mode == "table" and fresh and ev.EVERYONE not in (v.was.to, v.now.to):
        mixed = _lose_track(p, v, was) or mixed
    for old, new in zip(was, now, strict=True):
        gone = _leave(p, old, v.src)
        if old and gone is not None and not fresh:
            gone.place, gone.up, gone.orient = v.dst, v.up, v.orient
            gone.follow |= v.now.to
            for rider in gone.attached:  # they stay with it
                p.zones[p.cards[rider].place].remove(rider)
                p.cards[rider].host, p.cards[rider].place = new, v.dst
            p.cards[new] = gone
            continue
        provenance.moved(p, old, new)
        if gone is not None:
            gone.now = new
            p.departed[old] = gone
            _drop_targets(p, old)
        if new:
            card = p.cards[new] = _arrived(p, gone, v, both)
            card.id = p.named.pop(new, "") if mixed or not card.id else card.id
    zone = p.zones.setdefault(v.dst, [])
    arriving = sorted(now) if fresh else now
    if v.at is None:
        zone.extend(arriving)
    else:
        zone[v.at : v.at] = arriving
    if p.heading.parts and v.now.to not in (ev.EVERYONE, ev.OFFICIALS):
        provenance.held(p, zone)


def _lose_track(p: Position, v: ev.CardsMoved, was: tuple[int, ...]) -> bool:
    """Cards of a real table go from hand to hidden: who did not see which they are can't say now.

    A stack's topmost cards can be followed; of any others, and of those they lay among, nobody
    can tell which are which. Whether that is so.
    """
    zone = p.zones.get(v.src, [])
    stack = v.was.to == ev.OFFICIALS
    if (stack and set(was) == set(zone[-v.n :])) or len(zone) == 1:
        return False
    lost = [n for n in zone if n in p.cards and p.cards[n].follow != ev.EVERYONE]
    for number in lost:
        p.cards[number].id = ""
    provenance.mixed(p, lost)
    return True


def _arrived(p: Position, gone: Card | None, v: ev.CardsMoved, both: int) -> Card:
    seat = seat_of(v.dst)
    owner = gone.owner if gone is not None else seat_of(v.src)
    return Card(
        gone.id if gone is not None else "",
        owner,
        seat if seat >= 0 else owner,
        v.dst,
        v.up,
        v.orient,
        seen=gone.seen & both if gone is not None else 0,
        follow=v.now.to,
        token=gone is not None and gone.token,
        came=p.turn,
    )


def _leave(p: Position, number: int, place: str) -> Card | None:
    """Take a card out of its zone, or off its host; an untold one is the topmost zero."""
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
        p.cards[card.host].attached.remove(number)
        card.host = 0
    else:
        zone.remove(number)
    for rider in card.attached:  # a host that left takes its riders out of its keeping
        if rider in p.cards:
            p.cards[rider].host = 0
            p.zones[p.cards[rider].place].append(rider)
    return card


def _drop_targets(p: Position, number: int) -> None:
    """A modifier ends with its last target."""
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
            card = _untold(p, number, v.place)
        card.id = identity or card.id
        card.seen |= v.cards.to
        card.follow |= v.cards.to


def _untold(p: Position, number: int, place: str) -> Card:
    """A card that can be told apart from now on: it was the topmost of the zone's zeros."""
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
        seat = seat_of(v.place)
        for new in range(v.base, v.base + v.n):
            p.cards[new] = Card(
                p.named.pop(new, ""), seat, seat, v.place, False, "", follow=v.order.to
            )
    for new, index in zip(count_from(v.base), order or ()):
        card = cards[old[index]]
        p.cards[new] = Card(
            card.id, card.owner, card.controller, v.place, card.up, card.orient,
            follow=v.order.to, came=card.came,
        )  # fmt: skip


def _cards_controlled(p: Position, e: Entry, v: ev.CardsControlled) -> None:
    for number in v.cards:
        p.cards[number].controller = v.seat


def _cards_attached(p: Position, e: Entry, v: ev.CardsAttached) -> None:
    for number in v.cards:
        card = p.cards[number]
        if card.host:
            p.cards[card.host].attached.remove(number)
        else:
            p.zones[card.place].remove(number)
        card.host, card.role = v.host, v.role if v.host else ""
        if v.host:
            p.cards[v.host].attached.append(number)
        else:
            p.zones[card.place].append(number)


def _cards_defined(p: Position, e: Entry, v: ev.CardsDefined) -> None:
    for number in v.cards:
        p.cards[number].defined = dict(v.figures)


def _cards_removed(p: Position, e: Entry, v: ev.CardsRemoved) -> None:
    for number in v.cards:
        card = p.cards.get(number)
        if card is not None:
            _leave(p, number, card.place)
            p.departed[number] = card
            _drop_targets(p, number)


def _departure_began(p: Position, e: Entry, v: ev.DepartureBegan) -> None:
    for number in v.cards:
        p.cards[number].departing = v.cause


# -- numbers ----------------------------------------------------------------------------------


def _counters_moved(p: Position, e: Entry, v: ev.CountersMoved) -> None:
    for holder, n in ((v.src, -v.n), (v.dst, v.n)):
        if holder == "":
            continue
        table = p.cards[holder].counters if isinstance(holder, int) else _of(p.holders, holder)
        left = table.get(v.kind, 0) + n
        if left:
            table[v.kind] = left
        else:
            table.pop(v.kind, None)


def _modifier_began(p: Position, e: Entry, v: ev.ModifierBegan) -> None:
    text = next((cite for cite in e.cites if cite.startswith("card:")), "")
    p.modifiers[v.id] = Modifier(v.source, list(v.targets), v.change, v.until, v.scope, text)
    p.next_modifier = v.id + 1


def _modifier_ended(p: Position, e: Entry, v: ev.ModifierEnded) -> None:
    for key in v.ids:
        p.modifiers.pop(key, None)


def _stats_set(p: Position, e: Entry, v: ev.StatsSet) -> None:
    for subject, key, value in v.stats.value or ():
        if isinstance(subject, int):
            _set(p.cards[subject].stats, key, value)
        else:
            _set(_of(p.stats, subject), key, value)


def _marked(p: Position, e: Entry, v: ev.Marked) -> None:
    if isinstance(v.subject, int):
        _set(p.card(v.subject).marks, v.key, v.value)
    else:
        _set(_of(p.marks, v.subject), v.key, v.value)


def _set(table: dict[str, Value], key: str, value: Value) -> None:
    if value is None:
        table.pop(key, None)
    else:
        table[key] = value


def _of(tables: dict[str, dict[str, Any]], name: str) -> dict[str, Any]:
    return tables.setdefault(name, {})


# -- effects ----------------------------------------------------------------------------------


def _effect_triggered(p: Position, e: Entry, v: ev.EffectTriggered) -> None:
    p.pending[v.id] = Pending(
        v.id, "triggered", v.effect, v.source, v.seat, v.cause, v.group or e.moment, v.optional,
        moment=e.moment, about=v.about,
    )  # fmt: skip
    p.next_act = v.id + 1


def _act_declared(p: Position, e: Entry, v: ev.ActDeclared) -> None:
    p.pending[v.id] = Pending(
        v.id, v.kind, v.effect, v.source, v.seat, e.seq, e.moment,
        targets=v.targets, x=v.x, speed=v.speed, mode=v.mode,
    )  # fmt: skip
    p.next_act = v.id + 1


def _act_resolving(p: Position, e: Entry, v: ev.ActResolving) -> None:
    act = p.pending[v.id]
    act.resolving = True
    p.frames.append(Frame(v.frame, "act", p.frame, act.cause, {"act": v.id}))
    p.next_frame = v.frame + 1


def _act_ended(p: Position, e: Entry, v: ev.ActEnded) -> None:
    p.pending.pop(v.id, None)
    p.frames = [frame for frame in p.frames if frame.facts.get("act") != v.id]


# -- combat -----------------------------------------------------------------------------------


def _attack_declared(p: Position, e: Entry, v: ev.AttackDeclared) -> None:
    p.attack = Attack(v.attacker, v.target, v.target)


def _attack_changed(p: Position, e: Entry, v: ev.AttackChanged) -> None:
    if p.attack is not None:
        p.attack.target, p.attack.defender = v.target, v.defender


def _attack_ended(p: Position, e: Entry, v: ev.AttackEnded) -> None:
    p.attack = None


def _clock_set(p: Position, e: Entry, v: ev.ClockSet) -> None:
    p.clocks[v.clock] = Clock(v.left, v.running, e.time)


def _paused(p: Position, e: Entry, v: ev.Paused) -> None:
    """While a match stands still no time passes, for its clocks and for who is to decide."""
    if v.on == (p.paused >= 0):
        return
    if v.on:
        p.paused = e.time
        return
    for clock in p.clocks.values():
        clock.since += e.time - max(clock.since, p.paused)
    if p.decision is not None:
        p.decision.time += e.time - max(p.decision.time, p.paused)
    if p.deadline:
        p.deadline += e.time - p.paused
    p.paused = -1


def _time_called(p: Position, e: Entry, v: ev.TimeCalled) -> None:
    p.called, p.extra = True, v.turns
    p.deadline = (e.time if p.paused < 0 else p.paused) + v.ms if v.ms else 0


def _engine_changed(p: Position, e: Entry, v: ev.EngineChanged) -> None:
    p.heading.engine, p.heading.digests = v.engine, v.digests


def _nothing(p: Position, e: Entry, v: ev.Event) -> None:
    """It is told, and changes no table: damage, chance, rulings. What follows from it does."""


_APPLY: dict[type, Callable[[Position, Entry, Any], None]] = {
    ev.MatchOpened: _match_opened,
    ev.DeckRegistered: _deck_registered,
    ev.GameBegan: _game_began,
    ev.SeatLost: _seat_lost,
    ev.GameEnded: _game_ended,
    ev.MatchEnded: _match_ended,
    ev.TurnBegan: _turn_began,
    ev.StepBegan: _step_began,
    ev.FrameOpened: _frame_opened,
    ev.FrameClosed: _frame_closed,
    ev.DecisionOpened: _decision_opened,
    ev.OptionsOffered: _options_offered,
    ev.DecisionMade: _decision_made,
    ev.Interjected: _interjected,
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
    ev.CountersMoved: _counters_moved,
    ev.ModifierBegan: _modifier_began,
    ev.ModifierEnded: _modifier_ended,
    ev.StatsSet: _stats_set,
    ev.Marked: _marked,
    ev.EffectTriggered: _effect_triggered,
    ev.ActDeclared: _act_declared,
    ev.ActResolving: _act_resolving,
    ev.ActEnded: _act_ended,
    ev.NotDone: _nothing,
    ev.AttackDeclared: _attack_declared,
    ev.AttackChanged: _attack_changed,
    ev.AttackEnded: _attack_ended,
    ev.DamageDealt: _nothing,
    ev.ChanceDrawn: _nothing,
    ev.Irregularity: _nothing,
    ev.Ruling: _nothing,
    ev.Penalty: _nothing,
    ev.Rewound: _nothing,
    ev.ClockSet: _clock_set,
    ev.EngineChanged: _engine_changed,
    ev.Noted: _nothing,
    ev.Paused: _paused,
    ev.TimeCalled: _time_called,
    ev.Looked: _nothing,
    ev.Unreadable: _nothing,
}


def active(entries: Iterable[Entry]) -> list[Entry]:
    """The active line: entries that no later rewind abandoned, rewinds themselves left out.

    An entry's number is its place in the log, so the active line may have gaps in its numbers.
    """
    line: list[Entry] = []
    for entry in entries:
        if isinstance(entry.event, ev.Rewound):
            while line and line[-1].seq > entry.event.to:
                line.pop()
        else:
            line.append(entry)
    return line
