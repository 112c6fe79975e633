"""Record that an official looked at hidden information of a live match, if the event says so.

A look is recorded once for each official, viewer and open decision; a stream counts as it begins.
Exempt are the public's view, which shows nothing hidden, forks, and the scorekeeper of a real
table, who has to look.
"""

from __future__ import annotations

from contextlib import suppress

from domain.engine.match import Match, Refused
from domain.engine.signals import Diverged
from domain.officials import rulings
from domain.officials.frame import Official
from domain.record.events import FrameOpened
from domain.record.interventions import Looked
from domain.record.values import Fact
from domain.record.views import OFFICIAL, PUBLIC
from service.identity import Identity, Role
from service.live.matches import Matches, UnknownGame
from service.store.records import ChainBroken

#: How many looks are remembered, so as not to record them twice.
REMEMBERED = 10_000


class Looks:
    """Records looks, as far as they are to be."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._last: dict[tuple[str, str, int], int] = {}  # by match, who, whose eyes

    async def record(self, who: Identity, match: str, viewer: int, why: str = "") -> None:
        """Record that somebody sees a match as a viewer does (`domain.record.views`), and why."""
        if who.role not in (Role.OFFICIAL, Role.ORGANISER) or viewer == PUBLIC:
            return
        try:
            seq = await self._matches.query(match, _open_decision_seq)
        except (Diverged, UnknownGame):  # it can be read, but nothing can be added to it any more
            return
        key = (match, who.subject, viewer)
        if not seq or self._last.get(key) == seq:
            return
        view = "official" if viewer == OFFICIAL else f"seat/{viewer}"

        def command(m: Match, now: int) -> None:
            rulings.look(m, Official(who.subject, now, why), view)

        if not await self._matches.lanes.run(self._is_recorded, match, seq, who.subject, view):
            with suppress(Refused, ChainBroken):  # it ended meanwhile, or nothing can be added
                await self._matches.command(match, command)
        if len(self._last) >= REMEMBERED:
            self._last.clear()
        self._last[key] = seq

    def _is_recorded(self, match: str, seq: int, who: str, view: str) -> bool:
        """Whether the record has this look already, since the open decision was opened."""
        speaker: Fact = ""
        for entry in self._matches.history.after(match, seq):
            event = entry.event
            if isinstance(event, FrameOpened):
                speaker = event.facts.get("who", "")
            elif isinstance(event, Looked) and (speaker, event.view) == (who, view):
                return True
        return False


def _open_decision_seq(m: Match) -> int:
    """The entry of the open decision, where looks at a match are to be recorded; else 0."""
    heading, decision = m.pos.heading, m.pos.decision
    if m.pos.over or heading.fork or heading.policy.replay_evidence == "none":
        return 0
    return decision.seq if decision is not None else 0
