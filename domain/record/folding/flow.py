"""Folding the match: its opening and end, games, turns, steps, frames, decisions and clocks."""

from __future__ import annotations

from collections.abc import Callable

from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.interventions import (
    CardsBrought,
    ClockSet,
    EngineChanged,
    MatchBegan,
    Paused,
    ResultCorrected,
    SeedCommitted,
    SeedGiven,
    SeedsOpened,
    TimeCalled,
)
from domain.record.position import Clock, Decision, Frame, Position, Result
from domain.record.values import EVERYONE

# -- the match --------------------------------------------------------------------------------


def _match_opened(p: Position, e: Entry, v: ev.MatchOpened) -> None:
    h = p.heading
    h.game, h.engine, h.mode, h.best_of, h.at = v.game, v.engine, v.mode, v.best_of, v.at
    h.seats, h.digests, h.labels, h.options = v.seats, v.digests, v.labels, v.options
    h.policy, h.prints = v.policy, v.prints
    h.chance, h.commitment, h.waits = v.chance, v.commitment, v.waits
    h.fork = v.origin.match if v.origin is not None else ""
    p.score = [0] * len(v.seats)


def _cards_brought(p: Position, e: Entry, v: CardsBrought) -> None:
    p.heading.prints = (*p.heading.prints, *v.prints)
    p.heading.later += len(v.prints)


def _deck_registered(p: Position, e: Entry, v: ev.DeckRegistered) -> None:
    p.heading.decks[v.seat] = (v.name, v.cards.value)


def _match_began(p: Position, e: Entry, v: MatchBegan) -> None:
    p.heading.waits = ""


def _seed_committed(p: Position, e: Entry, v: SeedCommitted) -> None:
    p.heading.commitments[v.seat] = v.commitment
    if not v.commitment:  # an official has it begin with the seeds of the others
        p.heading.waits = "seeds"


def _seed_given(p: Position, e: Entry, v: SeedGiven) -> None:
    p.heading.seeds[v.seat] = v.seed.value or b""


def _seeds_opened(p: Position, e: Entry, v: SeedsOpened) -> None:
    p.heading.opened = True


def _game_began(p: Position, e: Entry, v: ev.GameBegan) -> None:
    p.game, p.turn, p.turn_seat, p.why = v.n, 0, -1, ""
    p.took = p.took_at = 0
    for table in (
        p.lost, p.zones, p.cards, p.departed, p.holders, p.marks, p.stats,
        p.links, p.scheduled, p.departures,
    ):  # fmt: skip
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
    p.results.append(Result(v.winner, v.score, e.seq))
    p.decision = None


def _result_corrected(p: Position, e: Entry, v: ResultCorrected) -> None:
    p.results.append(Result(v.winner, v.score, e.seq, v.lost))
    p.winner, p.score = v.winner, list(v.score)


# -- the flow ---------------------------------------------------------------------------------


def _turn_began(p: Position, e: Entry, v: ev.TurnBegan) -> None:
    p.turn, p.turn_seat = v.n, v.seat
    p.extra -= p.extra > 0
    _forget(p)
    p.cards = {**p.cards}  # without the room that shuffles have left in it, which is half of it


def _forget(p: Position) -> None:
    """Cards that left are forgotten, but for those that something scheduled is about.

    What such cards were before is kept too: they may come back to where and how they lay. Nothing
    else asks for them across turns; marks hold what must last.
    """
    about = {ref for one in p.scheduled.values() for ref in one.targets if isinstance(ref, int)}
    kept = {number for number, was in p.departed.items() if was.now in about} if about else set()
    for one in p.scheduled.values():
        for ref in (one.source, *one.targets):
            while isinstance(ref, int) and ref in p.departed and ref not in kept:
                kept.add(ref)
                ref = p.departed[ref].now
    for number in [n for n in p.departed if n not in kept]:
        del p.departed[number]
    for number in [n for n in p.departures if n not in p.cards and n not in kept]:
        del p.departures[number]


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
    if p.decision is not None:  # asked again: who was to decide has taken his time all the same
        for seat in p.decision.seats:
            _charge(p, seat, e.time, e.time - p.decision.time, 0)
    p.decision = Decision(v.n, list(v.seats), v.kind, v.about, e.seq, e.time, {}, rest=v.rest)
    p.decisions = v.n


def _options_offered(p: Position, e: Entry, v: ev.OptionsOffered) -> None:
    if p.decision is not None:
        others = p.decision.audience if p.decision.offers else EVERYONE
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


def _stated(p: Position, stated: ev.Stated | None) -> None:
    """Cards are named: those that lie there, and those that will come by these numbers."""
    for number, identity in stated.names if stated is not None else ():
        card = p.cards.get(number)
        if card is not None:
            card.id = identity
        else:
            p.named[number] = identity


# -- clocks and time ------------------------------------------------------------------------------


def _clock_set(p: Position, e: Entry, v: ClockSet) -> None:
    p.clocks[v.clock] = Clock(v.left, v.running, e.time)


def _paused(p: Position, e: Entry, v: Paused) -> None:
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


def _time_called(p: Position, e: Entry, v: TimeCalled) -> None:
    p.called, p.extra = True, v.turns
    p.deadline = (e.time if p.paused < 0 else p.paused) + v.ms if v.ms else 0


def _engine_changed(p: Position, e: Entry, v: EngineChanged) -> None:
    p.heading.engine, p.heading.digests = v.engine, v.digests


#: How each event changes a position.
APPLY: dict[type, Callable[..., None]] = {
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
    CardsBrought: _cards_brought,
    ClockSet: _clock_set,
    EngineChanged: _engine_changed,
    MatchBegan: _match_began,
    SeedCommitted: _seed_committed,
    SeedGiven: _seed_given,
    SeedsOpened: _seeds_opened,
    Paused: _paused,
    ResultCorrected: _result_corrected,
    TimeCalled: _time_called,
}
