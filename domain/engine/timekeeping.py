"""The time of a match: its clocks, when it is too late to act, and how a game ends by time.

Nothing in the domain reads a clock: `now` always is what a command brought, in milliseconds since
the match was opened. An event's policy says which clocks there are (`start` starts them as a match
is opened); the fold charges a seat's clock with its answers, and pauses stop them all. What a clock
shows is `Position.left`. What officials do about time is in `officials.clocks`.

Once an official has called time, the present turn is finished, and as many more are played as the
event's policy says: `Position.extra` is how many may still begin (-1: no count, officials end it).
A turn that may not begin is not recorded: the game ends in its stead (`begin_turn`), by the
tie-breaks, and no further game of a series is begun (`series.conclude`). A tie-break counts the
cards of a seat in a zone (those attached to others aside; in a shared zone, those it controls), or
else its counters of a kind.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.rulebook import Refusal, refuse
from domain.engine.signals import Over
from domain.engine.table import Table
from domain.record.events import SeatLost, TurnBegan
from domain.record.interventions import ClockSet
from domain.record.position import Position
from domain.record.schema.manifest import Manifest
from domain.record.schema.policy import Policy
from domain.record.schema.policy import faults as policy_faults
from domain.record.values import BY_OFFICIAL
from domain.words.phrases import Phrase, phrase

ROUND = "round"
#: Why a game that the tie-breaks, or a clock, decided was lost.
WHY = "time"


def faults(policy: Policy, manifest: Manifest) -> Iterator[Phrase]:
    """Everything wrong with a policy for matches of this game."""
    yield from policy_faults(policy)
    yield from _strange_tiebreaks(policy, manifest)


def _strange_tiebreaks(policy: Policy, manifest: Manifest) -> Iterator[Phrase]:
    """The tie-breaks of a policy that mean nothing in a game."""
    known = {zone.name for zone in manifest.zones} | {word.name for word in manifest.counters}
    for tiebreak in policy.end.tiebreaks:
        if tiebreak.removeprefix("-") not in known:
            yield phrase(
                "end.tiebreaks: {title} has no zone or counter {tiebreak!r}",
                title=manifest.title,
                tiebreak=tiebreak,
            )


def start(t: Table) -> None:
    """Start the clocks of the policy, as the match is opened."""
    clocks = t.pos.heading.policy.clocks
    if clocks.round:
        t.emit(ClockSet(ROUND, clocks.round, True), "policy:clocks.round", by=BY_OFFICIAL)
    for seat in range(t.manifest.seats) if clocks.seat else ():
        event = ClockSet(f"seat/{seat}", clocks.seat, True)
        t.emit(event, "policy:clocks.seat", by=BY_OFFICIAL)


def too_late(p: Position, now: int) -> Refusal | None:
    """Why no seat may act any more: the minutes after time was called are over as well.

    At a real table nothing is too late: what was done in time may be entered after it. Nor is
    anything in a fork, which is unofficial.
    """
    if p.heading.mode == "table" or p.heading.fork:
        return None
    if p.paused >= 0:
        now = min(now, p.paused)
    if not p.deadline or now <= p.deadline:
        return None
    rules = ("house:time", "policy:end.ms")
    return refuse("time is over; an official ends the game", *rules, fault="TIME_OVER")


# -- once time was called --------------------------------------------------------------------------


def begin_turn(t: Table, seat: int, *cites: str) -> None:
    """The next turn begins, of this seat; or the game ends, if time was called and none is left."""
    p = t.pos
    if p.called and p.extra == 0:
        decide(t, "policy:end.turns", "house:time")
        raise Over
    t.emit(TurnBegan(p.turn + 1, seat), *cites)


def decide(t: Table, *cites: str) -> None:
    """The tie-breaks say who has lost; all have, if nobody is ahead by any of them."""
    losers, rule = behind(t.pos, t.manifest)
    t.emit(SeatLost(losers, WHY), rule, *cites)


def behind(p: Position, manifest: Manifest) -> tuple[tuple[int, ...], str]:
    """The seats that are behind, and the tie-break (its citation); all, if none differs."""
    seats = tuple(range(manifest.seats))
    for tiebreak in p.heading.policy.end.tiebreaks:
        figures = [figure(p, manifest, tiebreak, seat) for seat in seats]
        losers = tuple(seat for seat in seats if figures[seat] < max(figures))
        if losers:
            return losers, f"policy:end.tiebreaks.{tiebreak}"
    return seats, "policy:end.tiebreaks"


def figure(p: Position, manifest: Manifest, tiebreak: str, seat: int) -> int:
    """A seat's figure for a tie-break: the more, the better."""
    name = tiebreak.removeprefix("-")
    zone = next((zone for zone in manifest.zones if zone.name == name), None)
    if zone is None:
        n = p.counters(f"seat/{seat}", name)
    elif zone.shared:
        n = sum(p.cards[number].controller == seat for number in p.zone(name) if number)
    elif zone.style == "counters":  # it holds no cards
        n = sum(p.holders.get(f"{name}/{seat}", {}).values())
    else:
        n = len(p.zone(name, seat))
    return -n if tiebreak.startswith("-") else n
