"""Takes over the result, penalties and clock of a table's match into the event's record.

What the two have is compared, and what differs is added; so it may be looked at any number of
times. A result entered by an official stands, even if the match ends otherwise; once he withdraws
it, that of the match counts.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from domain.engine import timekeeping
from domain.engine.series import WHOLE_MATCH, lost_by_all
from domain.record.interventions import Penalty
from domain.record.position import Position
from domain.tournament import record as ev
from domain.tournament.acts import checks, clocks, penalties, results
from domain.tournament.state import Round, Seating, Stage, State, place_of
from domain.tournament.tournament import Sender, Tournament

#: How far the clocks of a match and its table may be apart, in milliseconds.
TOLERANCE = 2000


class Cause(Struct, frozen=True):
    """An infraction, by its name, and what became of the game, as `PlayerPenalised` has them."""

    infraction: str = ""
    game_state: str = ""


class Played(Struct, frozen=True):
    """How a match stands `now`, a time of the match: its position after entry `last`.

    `penalties` are those that stand, by entry; `given` says of those that were carried over to it
    which entry of the tournament gave them, `causes` of others what they are for, if that has a
    name; `conceded`: it ended by somebody's conceding.
    """

    position: Position
    last: int
    now: int
    penalties: Mapping[int, Penalty]
    conceded: bool = False
    given: Mapping[int, int] = {}
    causes: Mapping[int, Cause] = {}

    @property
    def left(self) -> int | None:
        """The time on its round's clock, in milliseconds; None: it has none."""
        p = self.position
        if timekeeping.ROUND not in p.clocks:
            return None
        return p.left(timekeeping.ROUND, max(self.now, p.time))


def take_result(t: Tournament, by: Sender, match: str, found: Played) -> None:
    """Add the result of a match, and its penalties."""
    place = _place(t.state, match)
    if place is None:
        return
    round_, table = place
    _take_penalties(t, by, match, found, round_, table)
    stands, p = table.result, found.position
    last = p.results[-1].seq if p.over and p.results else 0
    if stands is not None and (not stands.source or stands.source == last):
        return
    if not last:
        if stands is not None:
            results.withdraw(t, by, round_.number, table.number, "", found.last)
        return
    outcome = outcome_of(found, table)
    if stands is None:
        results.report(t, by, round_.number, table.number, outcome, last)
    else:
        results.correct(t, by, round_.number, table.number, outcome, "", last)


def _take_penalties(
    t: Tournament, by: Sender, match: str, found: Played, round_: Round, table: Seating
) -> None:
    known = {one.source: one for one in t.state.penalties.values() if one.match == match}
    for seq, given in found.penalties.items():
        if seq in known or given.seat >= len(table.players):
            continue
        here = t.state.penalties.get(found.given.get(seq, 0))
        if here is not None and not here.match:
            penalties.carried(t, by, here.seq, match, seq)
        else:
            player, cause = table.players[given.seat], found.causes.get(seq, Cause())
            note = given.note if given.note != cause.infraction else ""
            penalties.penalise(
                t, by, player, given.kind, note, round_.number, cause.infraction, cause.game_state,
                match, seq,
            )  # fmt: skip
    for seq, one in known.items():
        if seq not in found.penalties and not one.withdrawn:
            penalties.withdraw(t, by, one.seq, "the match went back to before it")


def outcome_of(found: Played, table: Seating) -> ev.Outcome:
    """The outcome for its table of a match that is over, whose first player has seat 0.

    A winner whom the games do not show was ruled to be it, or the other conceded.
    """
    p = found.position
    result, wins = p.results[-1], p.heading.best_of // 2 + 1
    first, second = (min(n, wins) for n in result.score)
    winner = table.players[result.winner] if result.winner >= 0 else 0
    lost = result.lost or [seat for seat, why in p.lost.items() if why == WHOLE_MATCH]
    ahead = table.first if first > second else table.second if second > first else 0
    conceded = len(p.results) == 1 and found.conceded
    how = ev.RULED if lost else ev.CONCEDED if conceded else ev.PLAYED
    if how == ev.PLAYED and winner != ahead:
        how = ev.RULED
    by_time = len(p.results) == 1 and lost_by_all(p)
    both_lost = (len(lost) > 1 or by_time) and not winner
    drawn = max(p.game - first - second, 0) if how == ev.PLAYED and len(p.results) == 1 else 0
    return ev.Outcome(first, second, drawn, winner, how, both_lost)


def take_clock(t: Tournament, by: Sender, match: str, found: Played) -> None:
    """Let the clock of a table be what that of its match was made to be at the table."""
    place, p = _place(t.state, match), found.position
    if place is None or place[0].stage != Stage.STARTED or p.over or p.heading.waits:
        return
    (round_, table), at = place, [place[1].number]
    clock = table.clock
    if clock is None:
        return
    if clock.running and p.paused >= 0:
        clocks.pause(t, by, round_.number, at)
    elif not clock.running and p.paused < 0:
        clocks.resume(t, by, round_.number, at)
    if p.called and not clock.called and table.result is None:
        clocks.call_time(t, by, round_.number, at)
    if found.left is None or clock.called or not round_.seconds:
        return
    ahead = max(found.left, 0) - max(clock.at(max(by.now, t.state.time)), 0)
    if abs(ahead) > TOLERANCE:
        seconds = max(-checks.LONGEST, min(round(ahead / 1000), checks.LONGEST))
        clocks.extend(t, by, seconds, round_.number, at)


def started(s: State, match: str) -> bool:
    """Whether the round of a match has started; True for one that is no match of its."""
    place = _place(s, match)
    return place is None or place[0].stage in (Stage.STARTED, Stage.ENDED)


def over(s: State, match: str) -> bool:
    """Whether the round of a match has ended with a result of its table."""
    place = _place(s, match)
    return place is not None and place[0].stage == Stage.ENDED and place[1].result is not None


def _place(s: State, match: str) -> tuple[Round, Seating] | None:
    """The round and the table of a match; None: it is not in this tournament."""
    place = place_of(match)
    if place is None or not 1 <= place[1] <= len(s.rounds):
        return None
    round_ = s.rounds[place[1] - 1]
    table = round_.tables.get(place[2])
    return None if table is None or round_.stage == Stage.PAIRED else (round_, table)
