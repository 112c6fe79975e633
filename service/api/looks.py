"""Record that an official or organiser looks at hidden information, before he is shown any.

Where the event says so, a look at a live match is an entry of it, once for each official, viewer
and open decision; a stream counts as it begins. Any other look (at a match that is over, a fork, a
match whose event records none) is a line of the log of access (`live.access`). Exempt are the
public's view, which shows nothing hidden, and the scorekeeper of a real table, who has to look.
"""

from __future__ import annotations

from typing import Any

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
from service.store.records import ChainBroken, Full

#: What is read, by the requests that ask for it.
_WHAT = {
    "GetPositionRequest": "position",
    "ListDecisionsRequest": "decisions",
    "GetDecisionRequest": "decisions",
    "ListEventsRequest": "entries",
    "WatchEventsRequest": "stream",
    "WatchPositionRequest": "stream",
    "GetProofRequest": "proof",
    "ExplainRefusalRequest": "why-not",
    "ForeseePassesRequest": "passes",
    "PreviewRewindRequest": "preview",
    "ForkMatchRequest": "fork",
}
#: How many looks are remembered, so as not to record them twice.
REMEMBERED = 10_000


class Looks:
    """Records looks, where the policy requires it."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._last: dict[tuple[str, str, int], int] = {}  # by match, who, whose eyes

    async def record(
        self, who: Identity, request: Any, viewer: int, why: str = "", *, entry: bool = False
    ) -> None:
        """Record what somebody asks to see of a match, as a viewer sees it, and why.

        `entry`: as an entry, if the match stands at a decision.
        """
        if who.role not in (Role.OFFICIAL, Role.ORGANISER) or viewer == PUBLIC:
            return
        match, view = request.match_id, "official" if viewer == OFFICIAL else f"seat/{viewer}"
        if not (entry and await self._entered(who, match, viewer, view, why)):
            what = _WHAT[request.DESCRIPTOR.name]
            await self._matches.access.add(who, match, what, view, why)

    async def _entered(self, who: Identity, match: str, viewer: int, view: str, why: str) -> bool:
        """Whether the record of a match has this look, or has it now."""
        try:
            seq = await self._matches.query(match, _open_decision_seq)
        except (Diverged, UnknownGame):  # it can be read, but nothing can be added to it any more
            return False
        key = (match, who.subject, viewer)
        if not seq or self._last.get(key) == seq:
            return bool(seq)

        def command(m: Match, now: int) -> None:
            rulings.look(m, Official(who.subject, now, why), view)

        if not await self._matches.lanes.run(self._is_recorded, match, seq, who.subject, view):
            try:
                await self._matches.command(match, command)
            except (Refused, ChainBroken, Full):  # it ended meanwhile, or nothing can be added
                return False
        if len(self._last) >= REMEMBERED:
            self._last.clear()
        self._last[key] = seq
        return True

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
