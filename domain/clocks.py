"""Time: the clocks of a match, and how it ends once its time is over.

Nothing in the domain reads a clock: `now` always is what a command brought, in milliseconds since
the match was opened. An event's policy says which clocks there are, how much is played after time
was called and what decides then. Clocks start as the match opens (`start`); the fold charges a
seat's with its answers; pauses stop them all. What officials do about time is in `desk`.

Once time is called, the present turn is finished, and as many more are played as the policy says:
`Position.extra` is how many may still begin (-1: no count, officials end it). A turn that may not
begin is not recorded: the game ends in its stead (`begin_turn`), by the tie-breaks, and no further
game of a series is begun. A tie-break counts the cards of a seat in a zone (those attached to
others aside; in a shared zone, those it controls) or else its counters of a kind.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.events import OFFICIAL, RULES, ClockSet, SeatLost, TurnBegan
from domain.manifest import Manifest
from domain.policy import Policy
from domain.policy import faults as policy_faults
from domain.position import Position
from domain.table import Over, Table

#: Why a game that the tie-breaks, or a clock, decided was lost.
WHY = "time"
ROUND = "round"


def seat_clock(seat: int) -> str:
    """The name of a seat's clock."""
    return f"seat/{seat}"


def faults(policy: Policy, manifest: Manifest) -> Iterator[str]:
    """Everything wrong with a policy for matches of this game."""
    yield from policy_faults(policy)
    known = {zone.name for zone in manifest.zones} | {word.name for word in manifest.counters}
    for tiebreak in policy.end.tiebreaks:
        if tiebreak.removeprefix("-") not in known:
            yield f"tiebreaks: {tiebreak!r} is no zone and no kind of counter of {manifest.title}"


def start(t: Table) -> None:
    """Start the clocks of the policy, as the match is opened."""
    clocks = t.pos.heading.policy.clocks
    if clocks.round:
        t.emit(ClockSet(ROUND, clocks.round, True), "policy:clocks.round", by=OFFICIAL)
    if clocks.seat:
        for seat in range(t.manifest.seats):
            event = ClockSet(seat_clock(seat), clocks.seat, True)
            t.emit(event, "policy:clocks.seat", by=OFFICIAL)


# -- when time is over -----------------------------------------------------------------------------


def late(p: Position, now: int) -> bool:
    """Whether the match is over for good by the clock, so that no seat may act any more."""
    if p.paused >= 0:
        now = min(now, p.paused)
    return bool(p.deadline) and now > p.deadline


def begin_turn(t: Table, seat: int, *cites: str) -> None:
    """The next turn begins, of this seat; or the game ends, if time was called and none is left."""
    p = t.pos
    if p.called and p.extra == 0:
        decide(t, "policy:end.turns", "house:time")
        raise Over
    t.emit(TurnBegan(p.turn + 1, seat), *cites)


def decide(t: Table, *cites: str, by: int = RULES) -> None:
    """The tie-breaks say who has lost; all, if nobody is ahead by any of them."""
    policy = t.pos.heading.policy
    losers, at = behind(t.pos, t.manifest)
    rule = f"policy:end.tiebreaks.{policy.end.tiebreaks[at]}" if at >= 0 else "policy:end.tiebreaks"
    t.emit(SeatLost(losers, WHY), rule, *cites, by=by)


def behind(p: Position, manifest: Manifest) -> tuple[tuple[int, ...], int]:
    """Who is not ahead, and the number of the tie-break that says so; (everybody, -1) if none."""
    seats = tuple(range(manifest.seats))
    for at, tiebreak in enumerate(p.heading.policy.end.tiebreaks):
        figures = [figure(p, manifest, tiebreak, seat) for seat in seats]
        losers = tuple(seat for seat in seats if figures[seat] < max(figures))
        if losers:
            return losers, at
    return seats, -1


def figure(p: Position, manifest: Manifest, tiebreak: str, seat: int) -> int:
    """What a seat has by a tie-break: the more, the better."""
    name = tiebreak.removeprefix("-")
    zone = next((zone for zone in manifest.zones if zone.name == name), None)
    if zone is None:
        n = p.counters(f"seat/{seat}", name)
    elif zone.shared:
        n = sum(p.cards[number].controller == seat for number in p.zone(name) if number)
    else:
        n = len(p.zone(name, seat))
    return -n if tiebreak.startswith("-") else n
