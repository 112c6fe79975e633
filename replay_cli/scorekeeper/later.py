"""What a line means at a later decision: passes before it go without saying, by either seat.

A line is for a later one where it is addressed to a seat that is not asked, or where its verb can't
answer the open one (`Manifest.answers`). What passes lead to is in `ahead`; what the line
means there is found as at the open decision. The passes are recorded with the act, or not at all.
"""

from __future__ import annotations

from msgspec.structs import replace

from domain.engine.passes.standing import pass_of
from domain.record.position import NOBODY
from domain.text.notation import BadText
from replay_cli.drawing.names import letter
from replay_cli.scorekeeper import reading
from replay_cli.scorekeeper.ahead import Ahead, Stop
from replay_cli.scorekeeper.command import Command
from replay_cli.scorekeeper.session import Session
from replay_cli.scorekeeper.suggestions import suggest
from replay_cli.scorekeeper.suggestions.guess import Guesses
from replay_cli.scorekeeper.suggestions.suggest import Table


def meant(session: Session, t: Table, typed: str) -> Command | None:
    """The command that a line stands for, if it is for a later decision; `t` is the open one.

    Where it means nothing at any that passes lead to, they are passed as far as a card must be
    named, and the line waits; or `BadText` says who has something else to decide first.
    """
    seat, text = reading.addressed(typed, NOBODY)
    decision = session.decision
    if decision is None or not _for_later(session, t, seat, text, decision.kind):
        return None
    ahead = session.ahead
    if ahead is None or not (ahead.stops or ahead.cut):
        return None
    for stop in ahead.stops:
        command = _at(t, stop, seat, text)
        if command is not None:
            return replace(command, passes=stop.passes)
    return _as_far_as_it_goes(t, ahead)


def _for_later(session: Session, t: Table, seat: int, text: str, kind: str) -> bool:
    if seat in (NOBODY, t.seat):
        return bool(suggest.verbs(t, text)) and not _answers(t, text, kind)
    try:
        return not reading.read(replace(t, seat=seat, offer=session.offer(seat)), text).beside
    except BadText:
        return True


def _answers(t: Table, text: str, kind: str) -> bool:
    """Whether a verb of a text may answer decisions of a kind."""
    offered = {option.kind for option in t.offer.options} if t.offer is not None else set()
    return not offered.union(t.manifest.answers.get(kind, ())).isdisjoint(suggest.verbs(t, text))


def _at(t: Table, stop: Stop, seat: int, text: str) -> Command | None:
    """What a text means at one of the stops."""
    for whose in stop.decision.seats if seat == NOBODY else [seat]:
        offer = stop.decision.offers.get(whose)
        if offer is None:
            continue
        there = replace(t, pos=stop.pos, seat=whose, offer=offer)
        if not _answers(there, text, stop.decision.kind):
            continue
        known = suggest.offered(there)
        rows = suggest.suggestions(there, text, known, Guesses(there).rows(text))
        if rows and rows[0].sure:
            return rows[0].command
        try:
            command = reading.read(there, text)
        except BadText:
            continue
        if not command.beside and (command.names or reading.on_offer(offer, command.act)):
            return command
    return None


def _as_far_as_it_goes(t: Table, ahead: Ahead) -> Command:
    """The last pass before a card must be named; `BadText` where there is no pass any more."""
    last = ahead.stops[-1] if ahead.stops else None
    if last is not None:
        seat = last.decision.seats[0]
        t = replace(t, pos=last.pos, seat=seat, offer=last.decision.offers.get(seat))
    act, decision = pass_of(t.manifest.passes, t.offer), t.pos.decision
    if act is None or not ahead.cut:
        kind = t.manifest.label("decisions", decision.kind) if decision is not None else ""
        raise BadText(f"{letter(t.seat)} has to decide first: {kind}")
    passes = last.passes if last is not None else 0
    return Command(t.seat, act, t.write(act), implied=True, passes=passes)
