"""The client's calls for officials (see `client`): rulings, penalties, time, corrections, rewinds.

Each call answers with the entries that it added and the decision that is open by then.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from kifu.v1 import desk_service_pb2 as pb

from domain.officials import ways
from domain.officials.corrections.fixes import Fix
from domain.record.decisions import Act
from service import wire
from service.client import convert
from service.client.connection import Connection
from service.client.convert import Rolls

_WAYS = {
    ways.AS_THEY_WERE: pb.PUT_BACK_AS_IT_WAS,
    ways.RANDOM: pb.PUT_BACK_RANDOM,
    ways.SHUFFLE: pb.PUT_BACK_SHUFFLE,
}


class Officials(Connection):
    """Calls for officials. `request_id` names one, so that it may be repeated (one is made up)."""

    def _record(self, method: str, match: str, request_id: str, **fields: Any) -> pb.Recorded:
        """Call a method whose request has these fields, and which answers with what it recorded."""
        request = getattr(pb, f"{method}Request")(
            match_id=match, request_id=_name(request_id), **fields
        )
        found: pb.Recorded = self.call(getattr(self.desk, method), request).recorded
        return found

    def begin(
        self, match: str, why: str = "", request_id: str = "", *, rolls: Rolls = ()
    ) -> pb.Recorded:
        """Have a match begin that waits; `rolls` as in `penalise`."""
        return self._record("BeginMatch", match, request_id, why=why, rolls=convert.rolls(rolls))

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
        return self._record(
            "RecordRuling",
            match,
            request_id,
            text=text,
            rules=rules,
            about=about,
            decision=decision,
            evidence=evidence,
        )

    def penalise(
        self,
        match: str,
        seat: int,
        kind: str,
        note: str = "",
        request_id: str = "",
        *,
        rolls: Rolls = (),
        result: int = 0,
    ) -> pb.Recorded:
        """Penalise a seat by the event's scheme; `rolls` as in `choose`, if a next game begins.

        `result`: the entry with the result that is to stand until then, of a match that is over.
        """
        return self._record(
            "RecordPenalty",
            match,
            request_id,
            seat=seat,
            kind=kind,
            note=note,
            rolls=convert.rolls(rolls),
            result=result,
        )

    def correct_result(
        self,
        match: str,
        winner: int,
        score: Sequence[int],
        note: str,
        *,
        result: int = 0,
        request_id: str = "",
    ) -> pb.Recorded:
        """Correct the result of a match that is over (`winner` -1: a draw); `result` as above."""
        return self._record(
            "CorrectResult", match, request_id, winner=winner, score=score, note=note, result=result
        )

    def note(
        self, match: str, text: str, *, about: int = 0, public: bool = False, request_id: str = ""
    ) -> pb.Recorded:
        """Write something down, for officials or for all."""
        return self._record("RecordNote", match, request_id, text=text, about=about, public=public)

    def accept(self, match: str, why: str = "", request_id: str = "") -> pb.Recorded:
        """Let a match go on whose entries are not those that were chained."""
        return self._record("AcceptRecord", match, request_id, why=why)

    def shuffle(
        self,
        match: str,
        seat: int,
        by: int,
        cut: int | None = None,
        checked: str = "",
        request_id: str = "",
    ) -> pb.Recorded:
        """Write down how a seat's real cards were shuffled; `BY_OFFICIAL`: by an official."""
        return self._record(
            "RecordShuffle", match, request_id, seat=seat, by=by, cut=cut, checked=checked
        )

    def pause(
        self, match: str, paused: bool = True, why: str = "", request_id: str = ""
    ) -> pb.Recorded:
        """Let a match stand still, or go on."""
        return self._record("SetPaused", match, request_id, paused=paused, why=why)

    def adopt(self, match: str, why: str = "", request_id: str = "") -> pb.Recorded:
        """Let a match that an older engine recorded go on under the server's."""
        return self._record("AdoptEngine", match, request_id, why=why)

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
        return self._record(
            "SetClock", match, request_id, clock=clock, left=left, running=running, why=why
        )

    def extend(
        self, match: str, clock: str, ms: int, why: str = "", request_id: str = ""
    ) -> pb.Recorded:
        """Give more time on a clock, in milliseconds."""
        return self._record("ExtendTime", match, request_id, clock=clock, ms=ms, why=why)

    def call_time(self, match: str, request_id: str = "") -> pb.Recorded:
        """The round is over; what the event says of that begins."""
        return self._record("CallTime", match, request_id)

    def decide_by_time(self, match: str, request_id: str = "") -> pb.Recorded:
        """End the game now, by the tie-breaks of the event."""
        return self._record("DecideByTime", match, request_id)

    def flag_clock(
        self, match: str, seat: int, request_id: str = "", *, rolls: Rolls = ()
    ) -> pb.Recorded:
        """A seat's clock has run out; `rolls` as in `penalise`."""
        return self._record("FlagClock", match, request_id, seat=seat, rolls=convert.rolls(rolls))

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
        return self._record(
            "RecordIrregularity", match, request_id, rule=rule, note=note, seat=seat, about=about
        )

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
        passes: int = 0,
        ends: bool = False,
        request_id: str = "",
    ) -> pb.Recorded:
        """Record an act that the rules refuse at the open decision; it is carried out.

        `passes` and `ends` are as in `choose`.
        """
        return self._record(
            "RecordIrregularity",
            match,
            request_id,
            decision=decision,
            seat=seat,
            act=convert.act(act),
            note=note,
            names=convert.names(names or {}),
            rolls=convert.rolls(rolls),
            passes=passes,
            ends=ends,
        )

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
        return self._record(
            "CorrectPosition",
            match,
            request_id,
            decision=decision,
            fixes=[wire.fix(fix) for fix in fixes],
            why=why,
            rule=rule,
            seat=seat,
            rolls=convert.rolls(rolls),
        )

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
        put_back: str = ways.AS_THEY_WERE,
        *,
        cards: Mapping[int, str] | None = None,
        open_decision: int = 0,
        result: int = 0,
        request_id: str = "",
    ) -> pb.Recorded:
        """Go back to a decision. `put_back`: one of `ways.WAYS`; `cards`: those put otherwise.

        `result` as in `penalise`: a match that is over is live again.
        """
        return self._record(
            "RewindMatch",
            match,
            request_id,
            decision=decision,
            why=why,
            put_back=_WAYS[put_back],
            cards=[
                pb.CardPutBack(card=card, put_back=_WAYS[way])
                for card, way in (cards or {}).items()
            ],
            open_decision=open_decision,
            result=result,
        )

    def undo(
        self, match: str, why: str = "", open_decision: int = 0, request_id: str = ""
    ) -> pb.Recorded:
        """Take back one's last entry at a real table."""
        return self._record("UndoEntry", match, request_id, why=why, open_decision=open_decision)

    def fork(self, match: str, decision: int, request_id: str = "") -> tuple[str, str]:
        """Begin a match with all of this one up to a decision: its id, an official's token."""
        request = pb.ForkMatchRequest(
            match_id=match, decision=decision, request_id=_name(request_id)
        )
        response = self.call(self.desk.ForkMatch, request)
        tokens = {grant.role: grant.token for grant in response.tokens}
        return response.match.id, tokens["official"]


def _name(request_id: str) -> str:
    return request_id or uuid.uuid4().hex
