"""The client's calls for officials (see `client`): a method for each of `domain.officials.acts`.

Each takes the match and the fields of the act (`request_id` names it, so that it may be repeated;
one is made up), and answers with the entries that it added and the decision that is open by then.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import update_wrapper
from typing import Concatenate, ParamSpec

from kifu.v1 import desk_service_pb2 as pb
from msgspec.structs import replace

from domain.officials import acts
from domain.officials.acts import OfficialAct
from service import wire
from service.client.connection import Connection

P = ParamSpec("P")


def _recording(
    act: Callable[P, OfficialAct],
) -> Callable[Concatenate[Officials, str, P], pb.Recorded]:
    """The method that has an act recorded in a match."""

    def method(self: Officials, match: str, /, *args: P.args, **fields: P.kwargs) -> pb.Recorded:
        return self.record(match, act(*args, **fields))

    return update_wrapper(method, act, ("__doc__", "__name__"), ())  # for `help`


class Officials(Connection):
    """Calls for officials."""

    def record(self, match: str, act: OfficialAct) -> pb.Recorded:
        """Have an act of an official recorded."""
        named = replace(act, request_id=act.request_id or uuid.uuid4().hex)
        method = getattr(self.desk, type(act).__name__)
        found: pb.Recorded = self.call(method, wire.desk_request(match, named)).recorded
        return found

    begin = _recording(acts.BeginMatch)
    rule = _recording(acts.RecordRuling)
    penalise = _recording(acts.RecordPenalty)
    correct_result = _recording(acts.CorrectResult)
    note = _recording(acts.RecordNote)
    shuffle = _recording(acts.RecordShuffle)
    bring_cards = _recording(acts.BringCards)
    pause = _recording(acts.PauseMatch)
    resume = _recording(acts.ResumeMatch)
    adopt = _recording(acts.AdoptEngine)
    accept = _recording(acts.AcceptRecord)
    flag = _recording(acts.FlagIrregularity)
    play_anyway = _recording(acts.RecordIrregularity)
    correct = _recording(acts.CorrectPosition)
    rewind = _recording(acts.RewindMatch)
    undo = _recording(acts.UndoEntry)
    call_time = _recording(acts.CallTime)
    decide_by_time = _recording(acts.DecideByTime)
    flag_clock = _recording(acts.FlagClock)
    extend = _recording(acts.ExtendTime)
    set_clock = _recording(acts.SetClock)

    def preview_rewind(self, match: str, decision: int) -> pb.PreviewRewindResponse:
        """The entries that a rewind to a decision would undo, and what was seen since."""
        request = pb.PreviewRewindRequest(match_id=match, decision=decision)
        found: pb.PreviewRewindResponse = self.call(self.desk.PreviewRewind, request)
        return found

    def fork(self, match: str, decision: int, request_id: str = "") -> tuple[str, str]:
        """Begin a match with all of this one up to a decision: its id, an official's token."""
        name = request_id or uuid.uuid4().hex
        request = pb.ForkMatchRequest(match_id=match, decision=decision, request_id=name)
        response = self.call(self.desk.ForkMatch, request)
        tokens = {grant.role: grant.token for grant in response.tokens}
        return response.match.id, tokens["official"]
