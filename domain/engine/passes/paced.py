"""The passes that switches make (`switches`): which, and at what time.

A seat is asked only where it could do something else (`ABLE`), or only at the kinds of decisions
that it marked (`MARKED`); with `ABLE` always at those, too. Elsewhere it passes, after a delay:
drawn from a secret of the switch and the number of the decision, and from nothing that is hidden on
the table. A pass that the seat makes by hand, where its switch might have made it, is held back
until the same time (`held_until`). So games that differ only in whether the seat could respond look
the same to all others, entry by entry and moment by moment. Who calls it tells the time
(`Match.answer_paced`).

What remains: a seat that is asked and thinks for longer than the delay shows that it was asked.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from domain.engine.passes.autopass import AutoPasses, pass_of
from domain.engine.passes.switches import ABLE, Switch, delay
from domain.record.decisions import Act
from domain.record.position import Decision, Position


class Paced(NamedTuple):
    """The pass of a seat at the open decision, and at which time of the match it is due."""

    seat: int
    act: Act
    due: int


def next_paced(all_: AutoPasses, p: Position, passes: Collection[str]) -> Paced | None:
    """The pass that a switch makes at the open decision, in its time; None: none.

    `passes` are the kinds of acts that pass.
    """
    decision = p.decision
    if decision is None or p.over or p.paused >= 0 or len(decision.seats) != 1:
        return None
    seat = decision.seats[0]
    switch, offer = _switch(all_, seat, decision), decision.offers.get(seat)
    act = pass_of(passes, offer)
    if switch is None or offer is None or act is None:
        return None
    if switch.asks == ABLE and any(one.kind not in passes for one in offer.options):
        return None
    return Paced(seat, act, _due(switch, decision))


def held_until(all_: AutoPasses, p: Position, passes: Collection[str], seat: int, act: Act) -> int:
    """Until when a pass that a seat makes by hand is held back; 0: it is not."""
    decision = p.decision
    if decision is None or len(decision.seats) != 1 or act.kind not in passes:
        return 0
    switch = _switch(all_, seat, decision)
    return _due(switch, decision) if switch is not None else 0


def _switch(all_: AutoPasses, seat: int, d: Decision) -> Switch | None:
    """The switch of a seat, if it is one for such a decision."""
    left = all_.get(seat)
    switch = left.switch if left is not None else None
    return switch if switch and d.n > switch.since and d.kind not in switch.marked else None


def _due(switch: Switch, d: Decision) -> int:
    return d.time + delay(switch.secret, d.n)
