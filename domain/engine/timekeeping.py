"""The time of a match: its clocks, when it is too late to act, and how a game ends by time.

Nothing in the domain reads a clock: `now` always is what a command brought, in milliseconds since
the match was opened. An event's policy says which clocks there are (`start` starts them as a match
is opened); the fold charges a seat's clock with its answers, and pauses stop them all. What a clock
shows is `Position.left`. What officials do about time is in `officials.clocks`.

Once an official has called time, the present turn is finished, and as many more are played as the
event's policy says: `Position.extra` is how many may still begin (-1: no count, officials end it).
A turn that may not begin is not recorded: the game ends in its stead (`begin_turn`), by the
tie-breaks, and no further game of a series is begun (`series.conclude`). So it does once the
minutes are over that the policy gives (`runs_out`). A tie-break counts the cards of a seat in zones
(those attached to others aside; in a shared zone, those it controls), or else its counters of a
kind; or it asks who took a card out of zones last (`Position.took`). Where all are level, the
policy says what that comes to, if no seat has won more games than another.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.rulebook import Refusal, refuse
from domain.engine.series import BY_TIME, FIRST, between, level
from domain.engine.signals import Over
from domain.engine.table import Table
from domain.record.events import SeatLost, TurnBegan
from domain.record.interventions import ClockSet
from domain.record.position import Position
from domain.record.schema.manifest import Manifest
from domain.record.schema.policy import PLAY_ON, Policy, Tiebreak
from domain.record.schema.policy import faults as policy_faults
from domain.record.values import BY_OFFICIAL
from domain.words.phrases import Phrase, phrase

ROUND = "round"
#: How long after the minutes, and after the last entry, a real table waits for what was done in
#: time, in milliseconds.
ENTERED = 60_000


def faults(policy: Policy, manifest: Manifest) -> Iterator[Phrase]:
    """Everything wrong with a policy for matches of this game."""
    yield from policy_faults(policy)
    yield from _strange_tiebreaks(policy, manifest)


def _strange_tiebreaks(policy: Policy, manifest: Manifest) -> Iterator[Phrase]:
    """The tie-breaks of a policy that mean nothing in a game."""
    zones, kinds = [{one.name for one in of} for of in (manifest.zones, manifest.counters)]
    known = zones | kinds | {f"{zone}:{kind}" for zone in zones for kind in kinds}
    of_seats = {zone.name for zone in manifest.zones if not zone.shared}
    for tiebreak in policy.end.tiebreaks:
        read = Tiebreak.read(tiebreak)
        if not (of_seats if read.last else known).issuperset(read.names):
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
    if not p.deadline or now <= p.deadline or (p.heading.policy.end.finish and _under_way(p)):
        return None
    rules = ("house:time", "policy:end.ms")
    return refuse("time is over, and the game ends by that", *rules, fault="TIME_OVER")


def runs_out(p: Position) -> int | None:
    """When the minutes after time was called end the match; None: they do not, as it stands.

    What the policy lets be finished (`finish`) is waited for, and at a real table what is entered
    after it was done.
    """
    if p.over or p.heading.fork or p.paused >= 0 or not (p.called and p.deadline):
        return None
    if p.heading.policy.end.finish and _under_way(p):
        return None
    return max(p.deadline, p.time) + (ENTERED if p.heading.mode == "table" else 0)


def _under_way(p: Position) -> bool:
    """Whether an attack or an effect has begun that is not at its end."""
    return p.attack is not None or (p.decision is not None and not p.decision.rest)


# -- once time was called --------------------------------------------------------------------------


def extra_turns(p: Position) -> int:
    """How many turns may still begin if time is called now; -1: no count."""
    end = p.heading.policy.end
    if not end.turns and end.ms:
        return -1
    second = p.turn and not p.mark(f"seat/{p.turn_seat}", FIRST)
    return end.turns - end.fewer if second else end.turns


def ends_at_once(p: Position) -> bool:
    """Whether calling time now ends the match: by games won, or as no further game may begin."""
    end = p.heading.policy.end
    return (end.lead and not level(p)) or (end.between and (between(p) or _not_begun(p)))


def _not_begun(p: Position) -> bool:
    """Whether a further game of a series is being set up: no turn has begun."""
    return p.game > 1 and not p.turn


def begin_turn(t: Table, seat: int, *cites: str) -> None:
    """The next turn begins, of this seat; or the game ends, if time was called and none is left."""
    p = t.pos
    if p.called and p.extra == 0:
        if not _plays_on(p, t.manifest):
            decide(t, "policy:end.turns", "house:time")
            raise Over
        cites = (*cites, *p.heading.policy.end.cites("policy:end.level"), "house:time")
    t.emit(TurnBegan(p.turn + 1, seat), *cites)


def _plays_on(p: Position, manifest: Manifest) -> bool:
    """Whether turn after turn is played until the comparisons differ."""
    if p.heading.policy.end.level != PLAY_ON or not level(p):
        return False
    losers, _ = behind(p, manifest)
    return len(losers) == manifest.seats


def decide(t: Table, *cites: str) -> None:
    """The tie-breaks say who has lost; all have, if nobody is ahead by any of them."""
    p, end = t.pos, t.pos.heading.policy.end
    losers, rule = behind(p, t.manifest)
    t.emit(SeatLost(losers, BY_TIME), *end.cites(rule), *cites)


def behind(p: Position, manifest: Manifest) -> tuple[tuple[int, ...], str]:
    """The seats that are behind, and the tie-break (its citation); all, if none differs.

    All as well where games won have decided the match (`lead`), or the game was only being set up
    (`between`): nobody wins it.
    """
    seats, end = tuple(range(manifest.seats)), p.heading.policy.end
    if end.lead and not level(p):
        return seats, "policy:end.lead"
    if end.between and _not_begun(p):
        return seats, "policy:end.between"
    for text in end.tiebreaks:
        tiebreak = Tiebreak.read(text)
        figures = [figure(p, manifest, tiebreak, seat) for seat in seats]
        if tiebreak.below and min(figures) >= tiebreak.below:
            continue
        ahead = min(figures) if tiebreak.fewer else max(figures)
        losers = tuple(seat for seat in seats if figures[seat] != ahead)
        if losers:
            return losers, f"policy:end.tiebreaks.{text}"
    return seats, "policy:end.tiebreaks"


def figure(p: Position, manifest: Manifest, tiebreak: Tiebreak, seat: int) -> int:
    """A seat's figure for a tie-break."""
    if tiebreak.last:
        return p.took >> seat & 1
    return sum(_counted(p, manifest, name, seat) for name in tiebreak.names)


def _counted(p: Position, manifest: Manifest, name: str, seat: int) -> int:
    """A seat's cards in a zone, its counters of a kind, or those that a zone and its cards hold."""
    place, _, kind = name.partition(":")
    zone = next((zone for zone in manifest.zones if zone.name == place), None)
    if kind:
        cards = sum(p.cards[n].counters.get(kind, 0) for n in p.zone(place, seat) if n)
        return cards + p.holders.get(f"{place}/{seat}", {}).get(kind, 0)
    if zone is None:
        return p.counters(f"seat/{seat}", name)
    if zone.shared:
        return sum(p.cards[number].controller == seat for number in p.zone(name) if number)
    if zone.style == "counters":  # it holds no cards
        return sum(p.holders.get(f"{name}/{seat}", {}).values())
    return len(p.zone(name, seat))
