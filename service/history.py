"""History: a match at any point of its record, at a cost that does not grow with its length.

Every so many entries a snapshot is kept: the position there as the official, the public and each
seat see it, since what a viewer may see is folded from his own entries and can't be masked out of
the whole. A snapshot stands at a resting point, so that a match can be gone on with from it. It is
the index as well: it carries its time and its number of decisions, so nothing is ever looked up by
reading a record from its start.

Snapshots are derived from the entries, behind the play and out of its way; without them everything
reads the same, only slower. Entries are in `store`.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from domain import events as ev
from domain.decisions import Act, Offer, act_of
from domain.events import Entry, Ref
from domain.fold import fold
from domain.position import Position, decoded
from domain.views import OFFICIAL, PUBLIC, redact
from service.store import Recorder, Records, Statement, StoreError

#: Entries between two snapshots, about 50 decisions.
EVERY = 384
PAGE = 96

Recorder.tables.append(
    "CREATE TABLE IF NOT EXISTS snapshots (id TEXT, seq INTEGER, time INTEGER, decisions INTEGER,"
    " views BLOB, PRIMARY KEY (id, seq))"
)


class NoSuchPoint(LookupError):
    """The match has no such decision or entry."""


class Point(Struct, frozen=True):
    """Where to look: at a decision, after an entry, at a time (ms); nothing: at the end."""

    decision: int | None = None
    seq: int | None = None
    time: int | None = None


NOW = Point()


class Side(Struct):
    """What a decision came to for one seat; `seq` is the answer's entry, 0 if there is none yet."""

    offer: Offer | None = None
    act: Act | None = None
    seq: int = 0
    ms: int = 0
    origin: str = ""
    cites: tuple[str, ...] = ()


class Decided(Struct):
    """A decision and what came of it. `dropped`: the game went on without an answer."""

    n: int
    kind: str
    about: Ref
    seq: int
    time: int
    game: int
    turn: int
    step: str
    cites: tuple[str, ...]
    sides: dict[int, Side]
    dropped: bool = False

    @property
    def settled(self) -> bool:
        """Whether nobody is waited for any more."""
        return self.dropped or all(side.seq for side in self.sides.values())


class History:
    """Reads any match at any point, and keeps the snapshots that make it cheap."""

    def __init__(self, records: Records) -> None:
        self.records = records

    # -- positions -------------------------------------------------------------------------------

    def position(self, match: str, viewer: int, point: Point = NOW) -> Position:
        """The position at a point as a viewer may see it; raises `NoSuchPoint`. O(`EVERY`)."""
        pos = self._before(match, viewer, point)
        for entry in self.after(match, pos.seq, until=point.seq):
            if _beyond(point, pos, entry):
                break
            fold(pos, redact(entry, viewer))
        if point.decision is not None and pos.decisions != point.decision:
            raise NoSuchPoint(f"there is no decision {point.decision}")
        if point.seq is not None and pos.seq != point.seq:
            raise NoSuchPoint(f"there is no entry {point.seq}")
        return pos

    def first(self, match: str, point: Point) -> int:
        """The first entry of a point: the one that opened the decision, or not before the time."""
        if point.decision is not None:
            pos = self.position(match, OFFICIAL, point)
            assert pos.decision is not None
            return pos.decision.seq
        if point.time is not None:
            if point.time <= 0:
                return 1
            return self.position(match, OFFICIAL, Point(time=point.time - 1)).seq + 1
        return point.seq or 1

    def resting(self, match: str) -> Position | None:
        """The last snapshot, from where a match can be gone on with; None if there is none."""
        return self._snapshot(match, OFFICIAL, "1")

    def decisions(self, match: str, viewer: int, start: int = 1, count: int = 1) -> list[Decided]:
        """Decisions from number `start` on, as a viewer may see them. O(`EVERY` + those)."""
        pos = self._snapshot(match, viewer, "decisions<?", start) or Position()
        found: list[Decided] = []
        for entry in self.after(match, pos.seq):
            seen = redact(entry, viewer)
            event = seen.event
            if type(event) is ev.DecisionOpened and event.n >= start:
                if len(found) == count:
                    break
                found.append(_opened(pos, seen, event))
            elif found and not found[-1].settled:
                _settle(found[-1], seen)
            elif len(found) == count:
                break
            fold(pos, seen)
            if found and pos.decision is None and not found[-1].settled:
                found[-1].dropped = True
        return found

    def _before(self, match: str, viewer: int, point: Point) -> Position:
        if point.decision is not None:
            found = self._snapshot(match, viewer, "decisions<?", point.decision)
        elif point.seq is not None:
            found = self._snapshot(match, viewer, "seq<=?", point.seq)
        elif point.time is not None:
            found = self._snapshot(match, viewer, "time<=?", point.time)
        else:
            found = self._snapshot(match, viewer, "1")
        return found or Position()

    def after(self, match: str, seq: int, until: int | None = None) -> Iterator[Entry]:
        """The entries after a number, read page by page."""
        while True:
            page = self.records.entries(match, seq, until, PAGE)
            yield from page
            if len(page) < PAGE:
                return
            seq = page[-1].seq

    # -- snapshots -------------------------------------------------------------------------------

    def _snapshot(self, match: str, viewer: int, where: str, *values: Any) -> Position | None:
        """The last snapshot that a condition holds for, as a viewer sees it."""
        sql = f"SELECT seq, views FROM snapshots WHERE id=? AND {where} ORDER BY seq DESC LIMIT 1"
        row = self.records.row(sql, match, *values)
        if row is None:
            return None
        try:
            return decoded(_unpack(row["views"])[viewer - OFFICIAL])
        except (msgspec.DecodeError, zlib.error) as error:
            raise StoreError(f"match {match}: snapshot {row['seq']} is damaged") from error

    def audit(self, match: str) -> int:
        """The first snapshot that is not what the entries add up to; 0 if all are. O(entries)."""
        with self.records.rows(
            "SELECT seq, views FROM snapshots WHERE id=? ORDER BY seq", match
        ) as found:
            kept = {row["seq"]: row["views"] for row in found.fetchall()}
        views: list[Position] = []
        for entry in self.after(match, 0):
            if type(entry.event) is ev.MatchOpened:
                views = [Position() for _ in range(2 + len(entry.event.seats))]
            _fold_each(views, entry)
            if entry.seq in kept and not _holds(kept[entry.seq], views):
                return entry.seq
        return 0

    def advance(self, match: str) -> list[Statement]:
        """The snapshots that are due since the last one, to be saved. O(entries since then)."""
        row = self.records.row(
            "SELECT views FROM snapshots WHERE id=? ORDER BY seq DESC LIMIT 1", match
        )
        views = [decoded(view) for view in _unpack(row["views"])] if row else []
        since, due, rest = views[0].seq if row else 0, list[Statement](), False
        for entry in self.after(match, since):
            event = entry.event
            if type(event) is ev.MatchOpened:
                views = [Position() for _ in range(2 + len(event.seats))]
            rest = rest or (type(event) is ev.DecisionOpened and event.rest)
            if rest and views[0].seq - since >= EVERY:
                since = views[0].seq
                due.append(_save(match, views))
            _fold_each(views, entry)
            rest = type(event) is ev.StepBegan
        return due


_pack = msgspec.msgpack.Encoder().encode
_views = msgspec.msgpack.Decoder(list[bytes]).decode


def _unpack(data: bytes) -> list[bytes]:
    return _views(zlib.decompress(data))


def _fold_each(views: list[Position], entry: Entry) -> None:
    """Apply an entry to everybody's position, as each of them sees it."""
    public = redact(entry, PUBLIC)
    fold(views[0], entry)
    fold(views[1], public)
    for seat, pos in enumerate(views[2:]):  # what everybody may see is the same for all
        fold(pos, entry if public is entry else redact(entry, seat))


def _holds(data: bytes, views: list[Position]) -> bool:
    try:
        return [decoded(view) for view in _unpack(data)] == views
    except (msgspec.DecodeError, zlib.error):
        return False


def _save(match: str, views: list[Position]) -> Statement:
    whole = views[0]  # its number, time and decisions are those of all
    data = zlib.compress(_pack([view.encoded() for view in views]))
    row = (match, whole.seq, whole.time, whole.decisions, data)
    return "INSERT OR REPLACE INTO snapshots VALUES (?,?,?,?,?)", row


def _beyond(point: Point, pos: Position, entry: Entry) -> bool:
    if point.decision is not None:
        return pos.decisions >= point.decision and type(entry.event) is not ev.OptionsOffered
    return point.time is not None and entry.time > point.time


def _opened(pos: Position, entry: Entry, event: ev.DecisionOpened) -> Decided:
    return Decided(
        event.n,
        event.kind,
        event.about,
        entry.seq,
        entry.time,
        pos.game,
        pos.turn,
        pos.step,
        entry.cites,
        {seat: Side() for seat in event.seats},
    )


def _settle(decided: Decided, entry: Entry) -> None:
    event = entry.event
    if type(event) is ev.OptionsOffered:
        decided.sides[event.seat].offer = event.offer.value
    elif type(event) is ev.DecisionMade and event.n == decided.n:
        side = decided.sides[event.seat]
        side.seq, side.ms, side.origin, side.cites = entry.seq, event.ms, event.origin, entry.cites
        if side.offer is not None and event.answer.value is not None:
            side.act = act_of(side.offer, event.answer.value)
