"""Who comes late to the round at hand, and what that costs now by the event's policy.

The time is that since the round was started (`domain.tournament.acts.penalties`). What is given is
one of the hall's acts (`acts`).
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from domain.telling.tournament import given_for
from domain.tournament.record import Infraction
from domain.tournament.state import Player, Round, Stage, State


class Absent(Struct, frozen=True):
    """Somebody whose table plays on: where he sits, and what he was given in this round for it."""

    player: Player
    table: int
    given: Sequence[str] = ()


class Late(Struct, frozen=True):
    """Coming late to a round: from which times on (milliseconds since 1970) it costs what.

    `missing` are those who are not checked in, where players are, and those who were late; `others`
    all who can be: where one did not come, his opponent may not come either, and both lose.
    """

    round: Round
    label: str
    steps: Sequence[tuple[int, str]]
    missing: Sequence[Absent]
    others: Sequence[Absent]


def infraction(s: State) -> Infraction | None:
    """The infraction of who comes late; None: the event's policy has none."""
    return next((one for one in s.format.infractions if one.late), None)


def late(s: State) -> Late | None:
    """Who is late, while a round is played for which that costs anything."""
    found, now = infraction(s), s.round
    if found is None or now is None or now.stage != Stage.STARTED:
        return None
    labels = {one.name: one.called for one in s.format.policy.scheme}
    steps = [(now.started + seconds * 1000, labels[kind]) for seconds, kind in found.late]
    used = any(one.present for one in s.players.values())
    people = _seated(s, now, found)
    missing = [one for one in people if one.given or (used and not one.player.present)]
    return Late(now, found.label or found.name, steps, missing, people)


def _seated(s: State, now: Round, found: Infraction) -> list[Absent]:
    """All who sit at tables that play on, or are over as somebody was late there, by table."""
    given, lost = dict[int, list[str]](), set[int]()
    for one in s.penalties.values():
        if (one.infraction, one.round, one.withdrawn) == (found.name, now.number, ""):
            given.setdefault(one.player, []).append(given_for(s, one))
            kind = s.format.policy.penalty(one.kind)
            lost |= {one.player} if kind is not None and kind.effect else set()
    return [
        Absent(s.players[player], n, given.get(player, ()))
        for n, table in sorted(now.tables.items())
        if table.second and (table.result is None or not lost.isdisjoint(table.players))
        for player in table.players
    ]
