"""The responses of queries and streams of matches, as messages (match_service.proto).

What is asked, and who may ask it, is in `reading`; single values are converted by `service.wire`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kifu.v1 import match_service_pb2 as pb

from domain.engine.rulebook import Refusal
from domain.record.position import Position, seat_of
from domain.record.views import redact
from service import wire
from service.api.calls import pages
from service.api.calls.languages import current
from service.live.streams.channels import Recent
from service.store.history import DecisionRecord

#: The clock that belongs to no seat.
ROUND = "round"
#: Messages of a stream carry at most so many entries.
BATCH = 128


def explained(refusal: Refusal | None, unverified: str = "") -> pb.ExplainRefusalResponse:
    """Why an act may not be done; None: it may."""
    found = pb.ExplainRefusalResponse(allowed=refusal is None)
    if refusal is not None:
        found.reason, found.text = refusal.fault, current().say(refusal.text)
        found.rules.extend(refusal.rules)
        found.wrong_card = refusal.wrong_card
    found.unverified = current().say(unverified)
    return found


def progress(pos: Position, opened: int, now: int) -> pb.Progress:
    """How far a match is; `opened` is in milliseconds since 1970, `now` since it was opened."""
    asked = pos.decision.seats if pos.decision is not None else ()
    found = pb.Progress(
        game=pos.game,
        turn=pos.turn,
        turn_seat=pos.turn_seat,
        step=pos.step,
        deciding=asked,
        score=pos.score,
        paused=pos.paused >= 0,
    )
    found.last_time.FromMilliseconds(opened + pos.time)
    for name, clock in pos.clocks.items():
        runs = clock.running and pos.paused < 0 and not pos.over
        runs = runs and (name == ROUND or seat_of(name) in asked)
        found.clocks.add(
            clock=name, left=pos.left(name, pos.time if pos.over else now), running=runs
        )
    return found


def decision_message(record: DecisionRecord, with_offers: bool) -> pb.DecisionRecord:
    """A decision and its answers; the options themselves only if they are asked for."""
    found = pb.DecisionRecord(
        n=record.n,
        kind=record.kind,
        seq=record.seq,
        time=record.time,
        game=record.game,
        turn=record.turn,
        step=record.step,
        cites=record.cites,
        dropped=record.dropped,
        abandoned=record.abandoned,
    )
    if record.about != 0:
        found.about.CopyFrom(wire.ref(record.about))
    for seat, side in record.sides.items():
        one = found.seats.add(
            seat=seat, seq=side.seq, ms=side.ms, origin=side.origin, cites=side.cites
        )
        if side.offer is not None:
            one.options = len(side.offer.options)
            if with_offers:
                one.offer.CopyFrom(wire.clamped(wire.offer, side.offer))
        if side.act is not None:
            one.act.CopyFrom(wire.clamped(wire.act, side.act))
    return found


def messages(lines: Sequence[Recent], viewer: int, heads: bool) -> Iterator[bytes]:
    """Entries as the messages of a stream, serialised, each with its head if there are `heads`."""
    while lines:
        sent = pages.up_to_limit(lines[:BATCH], lambda line: _message(line, viewer))
        message = pb.WatchEventsResponse(entries=sent, seq=sent[-1].seq)
        head = lines[len(sent) - 1].head
        if heads and head is not None and head.since <= head.seq:
            message.head.CopyFrom(wire.head(head))
        lines = lines[len(sent) :]
        yield message.SerializeToString()


def _message(line: Recent, viewer: int) -> Any:
    """An entry as a viewer sees it; streams of the same match share the work."""
    found = line.sent.get(viewer)
    if found is None:
        found = line.sent[viewer] = wire.entry_or_unreadable(redact(line.entry, viewer))
    return found
