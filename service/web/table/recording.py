"""Carries out what was tapped: a command of a player, or an act of who keeps the score.

`Tapped` is what the page sends. Its `id` names the request, so that it is recorded once however
often it is sent. If the match has gone on since entry `seq`, after which it was tapped, its `line`
is understood anew; else it is what was drawn then as `text`.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec
from grpc import StatusCode
from kifu.v1 import match_service_pb2 as pb
from kifu.v1 import tournament_service_pb2
from msgspec import Struct
from msgspec.structs import replace

from domain.officials import acts
from domain.officials.acts import OfficialAct
from domain.record.decisions import Act
from domain.record.position import NOBODY
from domain.scorekeeping import taps
from domain.scorekeeping.command import (
    Command,
    Outcome,
    Recorded,
    Rejected,
    RollMissing,
)
from domain.scorekeeping.ending import ended_by
from domain.scorekeeping.sending import TAKEN_BACK, by_official, refused
from domain.scorekeeping.taps import Tap
from domain.tournament.state import place_of
from domain.words.phrases import phrase
from service import wire
from service.api.calls.errors import Fault, malformed
from service.web.table.kept import Keeper, names

#: Stands for an act that is no player's, where the service asks how chance fell.
ASIDE = Command(NOBODY, Act(""))
#: Faults after which nobody knows what became of a command: it is to be sent again.
UNCERTAIN = (StatusCode.UNAVAILABLE, StatusCode.DEADLINE_EXCEEDED, StatusCode.RESOURCE_EXHAUSTED)


class Tapped(Struct, frozen=True, forbid_unknown_fields=True):
    """What was tapped. `act` is empty for what a player does, else one of `ACTS`, about `seat`.

    `sure`: what it ends was agreed to. `whole`: it leaves nothing out. `anyway`: though it is
    against the rules.
    """

    id: str
    seq: int = 0
    act: str = ""
    line: str = ""
    text: str = ""
    seat: int = 0
    names: Mapping[int, str] = {}
    rolls: tuple[tuple[int, ...], ...] = ()
    sure: bool = False
    whole: bool = False
    anyway: bool = False


class Several(Struct, frozen=True):
    """Nothing is recorded: there are several ways to do it, of which one has to be tapped."""

    ways: tuple[Tap, ...]


class Unsure(Struct, frozen=True):
    """Nothing is recorded: this ends something, and has to be agreed to."""

    text: str


class Result(Struct, frozen=True):
    """What became of a tap, and the command that it was understood as."""

    outcome: Outcome | Unsure | Several
    command: Command | None = None


def read(body: bytes) -> Tapped:
    """A tap as it was sent; raises `Fault`."""
    try:
        found = msgspec.json.decode(body, type=Tapped, strict=False)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise malformed("body", str(error)) from None
    if not re.fullmatch(r"[0-9a-f]{8,64}", found.id):
        raise malformed("id", phrase("must be the id of a request"))
    return found


async def carried_out(keeper: Keeper, tapped: Tapped) -> Result:
    """Have it recorded, unless it was before; raises `Fault` where that can't be known now."""
    if keeper.kept.recorded(tapped.id):
        return Result(Recorded(0))
    if tapped.act:
        if tapped.act not in ACTS:
            raise malformed("act", phrase("is none of the table's"))
        outcome = await _outcome(ACTS[tapped.act](keeper, tapped))
        return Result(outcome, ASIDE if isinstance(outcome, RollMissing) else None)
    return await _played(keeper, tapped)


async def _played(keeper: Keeper, tapped: Tapped) -> Result:
    """A player's act."""
    command = await _meant(keeper, tapped)
    if isinstance(command, Result):
        return command
    if (end := ended_by(command, keeper.session.pos)) and not tapped.sure:
        return Result(Unsure(end), command)
    names_ = {**command.names, **tapped.names}
    command = replace(command, names=names_, rolls=(*command.rolls, *tapped.rolls))
    if tapped.anyway:
        command = replace(command, irregular=True, interjected=False, implied=False)
    decision = keeper.session.decision
    n = decision.n if decision is not None else 0
    return Result(await _outcome(_sent(keeper, command, n, tapped.id)), command)


async def _meant(keeper: Keeper, tapped: Tapped) -> Command | Result:
    """The command that was tapped, whole; or why there is none, or several."""
    shown = keeper.kept.shown.get(tapped.text) if tapped.seq == keeper.session.seq else None
    if shown is None:
        found = await keeper.understood(tapped.line)
        if found.command is None or found.problem:
            return Result(Rejected("", found.problem or phrase("this says no act here")))
        if found.refused is not None and not tapped.anyway:
            return Result(found.refused, found.command)
        shown = found.command
    if not shown.names or tapped.whole or tapped.anyway:
        return shown
    await keeper.tried(shown)
    bare, line = shown, keeper.kept.line
    command, ways = await keeper.run(lambda: taps.written_out(line, bare))
    return Result(Several(tuple(ways)), command) if ways else command


async def _sent(keeper: Keeper, command: Command, n: int, name: str) -> Any:
    """Send a command as the answer to decision `n`."""
    match, about = keeper.match, {"seat": command.seat}
    stated = {"names": names(command), "rolls": [pb.Roll(outcome=one) for one in command.rolls]}
    named: dict[str, Any] = {"match_id": match, "request_id": name, **about, **stated}
    act = by_official(command, n)
    if act is not None:
        return await _record(keeper, act, name)
    if command.withdraws:
        return await keeper.ask(pb.WithdrawAutoPassRequest(match_id=match, **about))
    if command.auto_pass is not None:
        left = command.auto_pass
        until = pb.AutoPass(
            until_turn_ends=left.turn, until_rival_acts=left.rival, steps=left.steps
        )
        return await keeper.ask(pb.SetAutoPassRequest(decision=n, auto_pass=until, **named))
    if command.interjected:
        return await keeper.ask(pb.InterjectRequest(act=wire.act(command.act), **named))
    named |= {"implied": command.implied, "passes": command.passes, "ends": bool(command.ends)}
    return await keeper.ask(pb.ChooseRequest(decision=n, act=wire.act(command.act), **named))


async def _outcome(call: Awaitable[Any]) -> Outcome:
    """What became of a call; raises `Fault` where that is not known."""
    try:
        done = await call
    except Fault as fault:
        if fault.code in UNCERTAIN:
            raise
        return refused(fault.reason, fault.text, fault.metadata)
    return Recorded(getattr(done, "last_seq", 0))


# -- what is no act of a player --------------------------------------------------------------------


async def _record(keeper: Keeper, act: OfficialAct, name: str) -> Any:
    request = wire.desk_request(keeper.match, replace(act, request_id=name))
    return (await keeper.ask(request)).recorded


async def _begin(keeper: Keeper, tapped: Tapped) -> Any:
    return await _record(keeper, acts.BeginMatch(rolls=tapped.rolls), tapped.id)


async def _undo(keeper: Keeper, tapped: Tapped) -> Any:
    """Take the last entry back, or the end of a match; what it is was shown before."""
    pos = keeper.session.pos
    if tapped.seq != keeper.session.seq:
        text = phrase("The match has gone on meanwhile: look at what would be taken back now.")
        raise Fault(StatusCode.ABORTED, "DECISION_STALE", text)
    if pos.over:
        back = acts.RewindMatch(pos.decisions, TAKEN_BACK, result=pos.results[-1].seq)
        return await _record(keeper, back, tapped.id)
    n = pos.decision.n if pos.decision is not None else 0
    return await _record(keeper, acts.UndoEntry(open_decision=n), tapped.id)


async def _shuffle(keeper: Keeper, tapped: Tapped) -> Any:
    act = acts.RecordShuffle(tapped.seat, tapped.seat, keeper.session.pos.rival(tapped.seat))
    return await _record(keeper, act, tapped.id)


async def _judge(keeper: Keeper, tapped: Tapped) -> Any:
    place = place_of(keeper.match)
    if place is None:
        text = phrase("this match is of no event: no judge can be called")
        raise Fault(StatusCode.FAILED_PRECONDITION, "NO_EVENT", text)
    event, _, table = place
    call = tournament_service_pb2.RaiseCallRequest(
        event_id=event, table=table, text=tapped.line, request_id=tapped.id
    )
    return await keeper.ask(call)


async def _pause(keeper: Keeper, tapped: Tapped) -> Any:
    paused = keeper.session.pos.paused >= 0
    act = acts.ResumeMatch() if paused else acts.PauseMatch()
    return await _record(keeper, act, tapped.id)


async def _time(keeper: Keeper, tapped: Tapped) -> Any:
    return await _record(keeper, acts.CallTime(), tapped.id)


async def _penalty(keeper: Keeper, tapped: Tapped) -> Any:
    act = acts.RecordPenalty(tapped.seat, tapped.line, rolls=tapped.rolls)
    return await _record(keeper, act, tapped.id)


async def _bring(keeper: Keeper, tapped: Tapped) -> Any:
    return await _record(keeper, acts.BringCards((tapped.line,)), tapped.id)


ACTS: Mapping[str, Callable[[Keeper, Tapped], Awaitable[Any]]] = {
    "begin": _begin, "undo": _undo, "shuffle": _shuffle, "judge": _judge, "pause": _pause,
    "time": _time, "penalty": _penalty, "prints": _bring,
}  # fmt: skip
#: What is told once one is recorded of which nothing is seen on the board.
DONE: Mapping[str, str] = {
    "shuffle": acts.RecordShuffle.done, "judge": phrase("a judge is called to this table"),
    "time": acts.CallTime.done, "penalty": acts.RecordPenalty.done,
    "prints": acts.BringCards.done,
}  # fmt: skip
