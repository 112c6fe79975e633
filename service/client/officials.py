"""The client's calls at the officials' desk (see `client`), said by the token's holder.

Each call answers with the entries that it added and the decision that is open by then.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kifu.v1 import desk_service_pb2 as pb
from kifu.v1 import match_service_pb2
from kifu.v1.values_pb2 import Identity

from domain.officials import rewind
from domain.officials.corrections import Fix
from domain.record.decisions import Act
from service import wire

#: How chance fell at a real table, in order: each an order, or one outcome.
Rolls = Sequence[Sequence[int]]

_WAYS = {
    rewind.AS_THEY_WERE: pb.PUT_BACK_AS_IT_WAS,
    rewind.RANDOM: pb.PUT_BACK_RANDOM,
    rewind.SHUFFLE: pb.PUT_BACK_SHUFFLE,
}


class Desk:
    """The part of a client that is for officials. `request_id` names a call (one is made up)."""

    desk: Any
    call: Callable[..., Any]

    def rule(
        self,
        match: str,
        text: str,
        rules: Sequence[str] = (),
        *,
        about: int = 0,
        decision: int = 0,
        evidence: int = 0,
        request_id: str = "",
    ) -> pb.Recorded:
        """Rule on an entry, on a decision, or on nothing in particular."""
        request = pb.RecordRulingRequest(
            match_id=match,
            text=text,
            rules=rules,
            about=about,
            decision=decision,
            evidence=evidence,
            request_id=_name(request_id),
        )
        return _recorded(self.call(self.desk.RecordRuling, request))

    def penalise(
        self,
        match: str,
        seat: int,
        kind: str,
        note: str = "",
        request_id: str = "",
        *,
        rolls: Rolls = (),
    ) -> pb.Recorded:
        """Penalise a seat by the event's scheme; `rolls` as in `choose`, if a next game begins."""
        request = pb.RecordPenaltyRequest(
            match_id=match,
            seat=seat,
            kind=kind,
            note=note,
            request_id=_name(request_id),
            rolls=told_rolls(rolls),
        )
        return _recorded(self.call(self.desk.RecordPenalty, request))

    def note(
        self, match: str, text: str, *, about: int = 0, public: bool = False, request_id: str = ""
    ) -> pb.Recorded:
        """Write something down, for officials or for all."""
        request = pb.RecordNoteRequest(
            match_id=match, text=text, about=about, public=public, request_id=_name(request_id)
        )
        return _recorded(self.call(self.desk.RecordNote, request))

    def pause(
        self, match: str, paused: bool = True, why: str = "", request_id: str = ""
    ) -> pb.Recorded:
        """Let a match stand still, or go on."""
        request = pb.SetPausedRequest(
            match_id=match, paused=paused, why=why, request_id=_name(request_id)
        )
        return _recorded(self.call(self.desk.SetPaused, request))

    def adopt(self, match: str, why: str = "", request_id: str = "") -> pb.Recorded:
        """Let a match that an older engine recorded go on under the server's."""
        request = pb.AdoptEngineRequest(match_id=match, why=why, request_id=_name(request_id))
        return _recorded(self.call(self.desk.AdoptEngine, request))

    def set_clock(
        self,
        match: str,
        clock: str,
        left: int | None = None,
        running: bool | None = None,
        why: str = "",
        request_id: str = "",
    ) -> pb.Recorded:
        """Set a clock (`round`, `seat/0`) to so many milliseconds; start it or stop it."""
        request = pb.SetClockRequest(
            match_id=match,
            clock=clock,
            left=left,
            running=running,
            why=why,
            request_id=_name(request_id),
        )
        return _recorded(self.call(self.desk.SetClock, request))

    def extend(
        self, match: str, clock: str, ms: int, why: str = "", request_id: str = ""
    ) -> pb.Recorded:
        """Give more time on a clock, in milliseconds."""
        request = pb.ExtendTimeRequest(
            match_id=match, clock=clock, ms=ms, why=why, request_id=_name(request_id)
        )
        return _recorded(self.call(self.desk.ExtendTime, request))

    def call_time(self, match: str, request_id: str = "") -> pb.Recorded:
        """The round is over; what the event says of that begins."""
        request = pb.CallTimeRequest(match_id=match, request_id=_name(request_id))
        return _recorded(self.call(self.desk.CallTime, request))

    def decide_by_time(self, match: str, request_id: str = "") -> pb.Recorded:
        """End the game now, by the tie-breaks of the event."""
        request = pb.DecideByTimeRequest(match_id=match, request_id=_name(request_id))
        return _recorded(self.call(self.desk.DecideByTime, request))

    def flag_clock(
        self, match: str, seat: int, request_id: str = "", *, rolls: Rolls = ()
    ) -> pb.Recorded:
        """A seat's clock has run out; `rolls` as in `penalise`."""
        request = pb.FlagClockRequest(
            match_id=match, seat=seat, request_id=_name(request_id), rolls=told_rolls(rolls)
        )
        return _recorded(self.call(self.desk.FlagClock, request))

    def flag(
        self,
        match: str,
        rule: str,
        note: str,
        *,
        seat: int | None = None,
        about: int = 0,
        request_id: str = "",
    ) -> pb.Recorded:
        """Flag what was done against a rule, and is in the record already."""
        request = pb.RecordIrregularityRequest(
            match_id=match,
            rule=rule,
            note=note,
            seat=seat,
            about=about,
            request_id=_name(request_id),
        )
        return _recorded(self.call(self.desk.RecordIrregularity, request))

    def play_anyway(
        self,
        match: str,
        decision: int,
        seat: int,
        act: Act,
        note: str = "",
        *,
        names: Mapping[int, str] | None = None,
        rolls: Rolls = (),
        request_id: str = "",
    ) -> pb.Recorded:
        """Record an act that the rules refuse at the open decision; it is carried out."""
        request = pb.RecordIrregularityRequest(
            match_id=match,
            decision=decision,
            seat=seat,
            act=wire.act(act),
            note=note,
            names=[Identity(number=n, card=card) for n, card in (names or {}).items()],
            rolls=told_rolls(rolls),
            request_id=_name(request_id),
        )
        return _recorded(self.call(self.desk.RecordIrregularity, request))

    def correct(
        self,
        match: str,
        decision: int,
        fixes: Sequence[Fix],
        why: str,
        *,
        rule: str = "",
        seat: int | None = None,
        request_id: str = "",
        rolls: Rolls = (),
    ) -> pb.Recorded:
        """Put a position right at the open decision; `rolls` as in `penalise`."""
        request = pb.CorrectPositionRequest(
            match_id=match,
            decision=decision,
            fixes=[wire.fix(fix) for fix in fixes],
            why=why,
            rule=rule,
            seat=seat,
            request_id=_name(request_id),
            rolls=told_rolls(rolls),
        )
        return _recorded(self.call(self.desk.CorrectPosition, request))

    def preview_rewind(self, match: str, decision: int) -> pb.PreviewRewindResponse:
        """What going back to a decision would undo, and what was seen since."""
        request = pb.PreviewRewindRequest(match_id=match, decision=decision)
        found: pb.PreviewRewindResponse = self.call(self.desk.PreviewRewind, request)
        return found

    def rewind(
        self,
        match: str,
        decision: int,
        why: str,
        put_back: str = rewind.AS_THEY_WERE,
        *,
        cards: Mapping[int, str] | None = None,
        open_decision: int = 0,
        request_id: str = "",
    ) -> pb.Recorded:
        """Go back to a decision. `put_back`: one of `rewind.WAYS`; `cards`: those put otherwise."""
        request = pb.RewindMatchRequest(
            match_id=match,
            decision=decision,
            why=why,
            put_back=_WAYS[put_back],
            cards=[
                pb.CardPutBack(card=card, put_back=_WAYS[way])
                for card, way in (cards or {}).items()
            ],
            open_decision=open_decision,
            request_id=_name(request_id),
        )
        return _recorded(self.call(self.desk.RewindMatch, request))

    def undo(
        self, match: str, why: str = "", open_decision: int = 0, request_id: str = ""
    ) -> pb.Recorded:
        """Take back one's last entry at a real table."""
        request = pb.UndoEntryRequest(
            match_id=match, why=why, open_decision=open_decision, request_id=_name(request_id)
        )
        return _recorded(self.call(self.desk.UndoEntry, request))

    def fork(self, match: str, decision: int, request_id: str = "") -> tuple[str, str]:
        """Begin a match with all of this one up to a decision: its id, an official's token."""
        request = pb.ForkMatchRequest(
            match_id=match, decision=decision, request_id=_name(request_id)
        )
        response = self.call(self.desk.ForkMatch, request)
        tokens = {grant.role: grant.token for grant in response.tokens}
        return response.match.id, tokens["official"]


def told_rolls(rolls: Rolls) -> list[match_service_pb2.Roll]:
    """How chance fell, as messages."""
    return [match_service_pb2.Roll(outcome=roll) for roll in rolls]


def _name(request_id: str) -> str:
    return request_id or uuid.uuid4().hex


def _recorded(response: Any) -> pb.Recorded:
    found: pb.Recorded = response.recorded
    return found
