"""History: the position and the decisions of a match at any point, at constant cost.

A snapshot is kept every so many entries (`snapshots`), at a resting point, so that a match can be
resumed from one.

A rewind deletes nothing: the position at an entry is the fold of the line that was active there, so
abandoned entries can be read too, and a snapshot serves every line that it lies on. For a viewer
with a `delay` the first `upto` entries are the whole record.

Snapshots are derived and made in the background; without them everything reads the same, only
slower. Entries are in `records`, the active line is in `rewinds`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import chain

from msgspec import Struct

from domain.record import events as ev
from domain.record.decisions import Act, Offer
from domain.record.entries import TYPES, Entry, undone
from domain.record.folding.fold import fold
from domain.record.interventions import Rewound
from domain.record.points import NOW, NoSuchPoint, Point
from domain.record.position import Position
from domain.record.values import RULES, Ref
from domain.record.views import OFFICIAL, PUBLIC, answered, redact
from domain.words.phrases import phrase
from service.store.derived import rewinds
from service.store.derived.rewinds import Line
from service.store.derived.snapshots import Snapshots
from service.store.records import LAST, Records, Statement, StoreError

#: Entries between two snapshots, about 15 decisions.
EVERY = 128
PAGE = 128


class SeatRecord(Struct):
    """A decision of one seat, and its answer; `seq` is the answer's entry, 0 if it is open."""

    offer: Offer | None = None
    act: Act | None = None
    seq: int = 0
    ms: int = 0
    origin: str = ""
    cites: tuple[str, ...] = ()


class DecisionRecord(Struct):
    """A decision and its answers.

    `dropped`: the game went on without an answer. `abandoned` is the entry of the rewind that undid
    the decision; 0: it stands.
    """

    n: int
    kind: str
    about: Ref
    seq: int
    time: int
    game: int
    turn: int
    step: str
    cites: tuple[str, ...]
    sides: dict[int, SeatRecord]
    dropped: bool = False
    abandoned: int = 0

    @property
    def settled(self) -> bool:
        """Whether nobody is waited for any more."""
        return self.dropped or all(side.seq for side in self.sides.values())


class History:
    """Reads any match at any point, and keeps the snapshots that make it cheap."""

    def __init__(self, records: Records) -> None:
        self.records = records
        self._snapshots = Snapshots(records)

    # -- positions -------------------------------------------------------------------------------

    def position(self, match: str, viewer: int, point: Point = NOW, upto: int = LAST) -> Position:
        """The position at a point as a viewer may see it; raises `NoSuchPoint`. O(`EVERY`)."""
        with self.records.reading():
            if point.decision is not None:
                found = self._decision(match, viewer, point.decision, upto)
                if found is not None:
                    return found
            line = self.line(match, self.last(match, point, upto))
            pos = self._snapshot(match, viewer, line) or Position()
            for entry in self._entries_on(match, line, pos.seq):
                fold_entry(match, pos, redact(entry, viewer))
            return pos

    def _decision(self, match: str, viewer: int, n: int, upto: int) -> Position | None:
        """The position at a decision, if it is found going straight on from a snapshot."""
        place = self._snapshots.before(match, n)
        views = self._snapshots.read(match, place, viewer) if place else [Position()]
        if not views:
            return None
        pos, opened = views[0], False
        for run in self.records.runs(match, pos.seq):
            for entry in run:
                kind = type(entry.event)
                if opened and kind is not ev.OptionsOffered:
                    return pos
                if kind is Rewound or (entry.seq > upto and not opened):
                    return None
                if kind is ev.DecisionOpened:
                    opened = entry.event.n == n  # type: ignore[union-attr]
                fold_entry(match, pos, redact(entry, viewer))
        return pos if opened else None

    def last(self, match: str, point: Point, upto: int = LAST) -> int:
        """The last entry of a point: the decision's options, at the time; raises `NoSuchPoint`."""
        if point.decision is not None:
            return self.offered(match, self._opening(match, point.decision, upto))
        if point.seq is not None:
            if not 0 < point.seq <= min(upto, self.records.last(match)):
                raise NoSuchPoint(phrase("there is no entry {n}", n=point.seq))
            return point.seq
        return upto if point.time is None else self.until(match, point.time, upto)

    def first(self, match: str, point: Point, upto: int = LAST) -> int:
        """The first entry of a point: the one that opened the decision, or not before the time."""
        if point.decision is not None:
            return self._opening(match, point.decision, upto)
        if point.time is not None:
            return self.until(match, point.time - 1, upto) + 1
        return point.seq or 1

    def until(self, match: str, time: int, upto: int = LAST) -> int:
        """The last entry that is not later than a time; 0 if all are. O(log entries)."""
        first, last = 0, min(upto, self.records.last(match))
        while first < last:
            run = self.records.run(match, (first + last + 1) // 2)
            if run[-1].time <= time:
                first = run[-1].seq
            elif run[0].time > time:
                last = run[0].seq - 1
            else:
                first = run[0].seq + bisect_right(run, time, key=lambda entry: entry.time) - 1
                break
        return min(first, last)

    def offered(self, match: str, seq: int) -> int:
        """The last entry of the options of the decision that entry `seq` opened."""
        with self.records.reading():
            for entry in chain.from_iterable(self.records.runs(match, seq)):
                if type(entry.event) is not ev.OptionsOffered:
                    break
                seq = entry.seq
        return seq

    def resting(self, match: str) -> Position | None:
        """The last snapshot from which the match can be resumed; None if there is none."""
        with self.records.reading():
            return self._snapshot(match, OFFICIAL, self.line(match))

    def leading_to(
        self, match: str, n: int, upto: int = LAST
    ) -> tuple[Position | None, list[Entry]]:
        """The snapshot and entries from which a match is resumed at decision `n`.

        On the line that the decision lies on; raises `NoSuchPoint`. O(`EVERY`).
        """
        with self.records.reading():
            line = self.line(match, self.last(match, Point(decision=n), upto))
            base = self._snapshot(match, OFFICIAL, line)
            return base, [*self._entries_on(match, line, base.seq if base is not None else 0)]

    def line(self, match: str, last: int = LAST) -> Line:
        """The active line of the entries up to `last`. O(rewinds)."""
        return rewinds.line(rewinds.find(self.records, match, last), last)

    def after(self, match: str, seq: int, until: int | None = None) -> Iterator[Entry]:
        """The entries after a number, read page by page."""
        while True:
            page = self.records.entries(match, seq, until, PAGE)
            yield from page
            if len(page) < PAGE:
                return
            seq = page[-1].seq

    def _entries_on(self, match: str, line: Line, seq: int) -> Iterator[Entry]:
        """The entries of a line after a number. Only while the records are `reading`."""
        for first, last in line:
            if last > seq:
                yield from chain.from_iterable(self.records.runs(match, max(first - 1, seq), last))

    def _opening(self, match: str, n: int, upto: int) -> int:
        """The entry that opened decision `n`; raises `NoSuchPoint`. Numbers go up, without gaps."""
        with self.records.reading():
            return self._find_opening(match, n, upto)

    def _find_opening(self, match: str, n: int, upto: int) -> int:
        place = self._snapshots.before(match, n)
        seq, before = (place.seq, place.decisions) if place is not None else (0, 0)
        found = self.records.find(match, _DECISION, n - before, seq, upto)
        right = self._number(match, found) == n if found else self._beyond_last(match, n, upto)
        if seq and not right:
            self.records.report_damage(match, f"snapshot {seq}")
            found = self.records.find(match, _DECISION, n, 0, upto)
        if not found:
            raise NoSuchPoint(phrase("there is no decision {n}", n=n))
        return found

    def _beyond_last(self, match: str, n: int, upto: int) -> bool:
        """Whether there are fewer decisions than `n`."""
        last = self.records.find(match, _DECISION, -1, 0, upto)
        return not last or self._number(match, last) < n

    def _number(self, match: str, seq: int) -> int:
        run = self.records.run(match, seq)
        event = run[seq - run[0].seq].event
        return event.n if type(event) is ev.DecisionOpened else 0

    # -- decisions -------------------------------------------------------------------------------

    def decisions(
        self, match: str, viewer: int, start: int = 1, count: int = 1, upto: int = LAST,
        *, active: bool = False,
    ) -> list[DecisionRecord]:  # fmt: skip
        """Decisions from number `start` on, as a viewer may see them. O(`EVERY` + those).

        Undone ones come with the answers that they had, unless only those that are `active` are
        asked for.
        """
        with self.records.reading():
            return self._decisions(match, viewer, start, count, upto, active)

    def _decisions(
        self, match: str, viewer: int, start: int, count: int, upto: int, active: bool
    ) -> list[DecisionRecord]:
        known = rewinds.find(self.records, match, upto)
        found: list[DecisionRecord] = []
        while len(found) < count:
            n, more = start + len(found), count - len(found)
            try:
                seq = self._opening(match, n, upto)
            except NoSuchPoint:
                break
            back = 0 if active else undone(known, seq)
            line = rewinds.line(known, back - 1 if back else upto)
            some = self._read_decisions(match, viewer, line, seq, n, more)
            if active:
                return some
            run = [one for at, one in enumerate(some, n) if one.n == at]
            if not run:
                raise StoreError(
                    phrase(
                        "match {match}: decision {n} is not where it should be", match=match, n=n
                    )
                )
            for one in run:
                one.abandoned = back
            found += run
        return found

    def _read_decisions(
        self, match: str, viewer: int, line: Line, seq: int, start: int, count: int
    ) -> list[DecisionRecord]:
        """Decisions on a line; number `start` was opened at entry `seq`."""
        pos = self._snapshot(match, viewer, rewinds.cut(line, seq - 1)) or Position()
        found: list[DecisionRecord] = []
        for entry in self._entries_on(match, line, pos.seq):
            seen = redact(entry, viewer)
            event = seen.event
            if type(event) is ev.DecisionOpened and event.n >= start:
                if len(found) == count:
                    break
                found.append(_opened(pos, seen, event))
            elif found and not found[-1].settled:
                _record_answer(found[-1], seen, viewer == OFFICIAL)
            elif len(found) == count:
                break
            fold_entry(match, pos, seen)
            if found and pos.decision is None and not found[-1].settled:
                found[-1].dropped = True
        return found

    # -- snapshots -------------------------------------------------------------------------------

    def _snapshot(self, match: str, viewer: int, line: Line) -> Position | None:
        """The last snapshot on a line, as a viewer sees it."""
        views = self._views(match, line, viewer)
        return views[0] if views else None

    def _views(self, match: str, line: Line, viewer: int | None = None) -> list[Position]:
        """The last snapshot on a line, in a viewer's view or in all views; none if there is none.

        One that is damaged is bypassed.
        """
        for first, last in reversed(line):
            while place := self._snapshots.last(match, first, last):
                if views := self._snapshots.read(match, place, viewer):
                    return views
                last = place.seq - 1
        return []

    def _all_views(self, match: str, last: int) -> tuple[list[Position], int]:
        """The position after an entry as everybody sees it, and the snapshot's that it came from.

        O(`EVERY`).
        """
        with self.records.reading():
            line = self.line(match, last)
            views = self._views(match, line)
            since = views[0].seq if views else 0
            for entry in self._entries_on(match, line, since):
                _fold_each(match, views, entry)
            return views, since

    def audit(self, match: str, upto: int = LAST) -> int:
        """The first snapshot that is not what the entries add up to; 0 if all are. O(entries).

        -1: one that is of no entry at all.
        """
        with self.records.reading():
            return self._first_fault(match, upto)

    def _first_fault(self, match: str, upto: int) -> int:
        if self._snapshots.stray(match):
            return -1
        kept = {place.seq: place for place in self._snapshots.every(match, upto)}
        views: list[Position] = []
        for entry in self.after(match, 0, upto):
            if type(entry.event) is Rewound:
                views, _ = self._all_views(match, entry.seq)
            else:
                _fold_each(match, views, entry)
            place = kept.pop(entry.seq, None)
            if place and self._snapshots.read(match, place) not in (None, views):
                return entry.seq
        return min(kept, default=0)  # one that is of no entry

    def advance(self, match: str) -> list[Statement]:
        """The snapshots that are due since the last one, to be saved. O(entries since then).

        After a rewind there is none until a decision was opened: its number must not be used again,
        and is known from the entries after a snapshot only if it is not below it.
        """
        with self.records.reading():
            views = self._views(match, [(1, LAST)])
            since, highest = (views[0].seq, views[0].decisions) if views else (0, 0)
            due, rest = list[Statement](), False
            if self._snapshots.last(match, since + 1):
                due.append(("DELETE FROM snapshots WHERE id=? AND seq>?", (match, since)))
            place = self._snapshots.last(match, since, since)
            before = self._snapshots.load(match, place) if place else None
        for entry in self.after(match, since):
            event = entry.event
            if type(event) is Rewound:
                (views, since), rest = self._all_views(match, entry.seq), False
                continue
            if type(event) is ev.DecisionOpened:
                rest = rest or event.rest
            if rest and views[0].seq - since >= EVERY and views[0].decisions == highest:
                since = views[0].seq
                before, statement = self._snapshots.save(match, views, before)
                due.append(statement)
            if type(event) is ev.DecisionOpened:
                highest = event.n
            _fold_each(match, views, entry)
            rest = type(event) is ev.StepBegan and entry.by == RULES
        return due


_DECISION = next(tag for tag, cls in TYPES.items() if cls is ev.DecisionOpened)


def fold_entry(match: str, pos: Position, entry: Entry) -> None:
    """Apply an entry to a position; `StoreError` if it can't be what followed there."""
    try:
        fold(pos, entry)
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        text = f"match {match}: entry {entry.seq} is damaged (it does not follow from the others)"
        raise StoreError(text) from error


def _fold_each(match: str, views: list[Position], entry: Entry) -> None:
    """Apply an entry to everybody's position, as each of them sees it."""
    if type(entry.event) is ev.MatchOpened:
        views[:] = [Position() for _ in range(2 + len(entry.event.seats))]
    public = redact(entry, PUBLIC)
    fold_entry(match, views[0], entry)
    fold_entry(match, views[1], public)
    for seat, pos in enumerate(views[2:]):  # what everybody may see is the same for all
        fold_entry(match, pos, entry if public is entry else redact(entry, seat))


def _opened(pos: Position, entry: Entry, event: ev.DecisionOpened) -> DecisionRecord:
    return DecisionRecord(
        event.n,
        event.kind,
        event.about,
        entry.seq,
        entry.time,
        pos.game,
        pos.turn,
        pos.step,
        entry.cites,
        {seat: SeatRecord() for seat in event.seats},
    )


def _record_answer(decided: DecisionRecord, entry: Entry, whole: bool) -> None:
    event = entry.event
    if type(event) is ev.OptionsOffered:
        decided.sides[event.seat].offer = event.offer.value
    elif type(event) is ev.DecisionMade and event.n == decided.n:
        side = decided.sides[event.seat]
        side.seq, side.ms, side.origin, side.cites = entry.seq, event.ms, event.origin, entry.cites
        side.offer, side.act = answered(event, side.offer, whole)
