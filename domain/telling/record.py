"""A record in memory: a viewer's entries, with fast access to the position at any of them.

Positions are folded from marks kept on the way, so that stepping back is as quick as forward.
Abandoned entries are included: each lies on the line that was active when it was written.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from domain.record import events as ev
from domain.record.decisions import Act, Offer
from domain.record.entries import Entry, active, undone
from domain.record.folding.fold import fold
from domain.record.interventions import Rewound
from domain.record.points import NoSuchPoint, Point
from domain.record.position import Position, decoded
from domain.record.views import answered
from domain.words.phrases import phrase

#: Entries between two marks.
EVERY = 150


class Taken(Struct):
    """A decision of one seat, and its consequences. `made` is the answer's entry, 0 if none.

    `names` says which cards were named along with the answer, at a real table. `abandoned` is the
    entry of the rewind that undid it, or its answer; 0: it stands.
    """

    n: int
    seat: int
    kind: str
    seq: int
    time: int
    turn: int
    step: str
    cites: tuple[str, ...]
    offer: Offer | None = None
    act: Act | None = None
    made: int = 0
    ms: int = 0
    origin: str = ""
    why: tuple[str, ...] = ()
    names: tuple[tuple[int, str], ...] = ()
    abandoned: int = 0


class Record:
    """Entries in order: `line` is the active line, `log` has all there is."""

    def __init__(self, log: Sequence[Entry]) -> None:
        self.log = list(log)
        self.line = active(self.log)
        self.rewinds = [
            (entry.seq, entry.event.to) for entry in log if isinstance(entry.event, Rewound)
        ]
        self._seqs = [entry.seq for entry in self.line]
        self._marks: list[tuple[int, bytes]] = [(0, Position().encoded())]
        self._before: dict[int, Record] = {}
        self._all = {entry.seq: entry for entry in log}

    # -- around ----------------------------------------------------------------------------------

    def index(self, seq: int) -> int:
        """How many entries of the line lie up to and including entry `seq`."""
        return bisect_right(self._seqs, seq)

    def entry(self, seq: int) -> Entry:
        """The entry of that number, on any line; raises `NoSuchPoint`."""
        if seq not in self._all:
            raise NoSuchPoint(phrase("there is no entry {n}", n=seq))
        return self._all[seq]

    def position(self, count: int) -> Position:
        """The position after the first `count` entries of the line. O(`EVERY`)."""
        at, data = next(mark for mark in reversed(self._marks) if mark[0] <= count)
        pos = decoded(data)
        for entry in self.line[at:count]:
            fold(pos, entry)
            at += 1
            if at - self._marks[-1][0] >= EVERY:
                self._marks.append((at, pos.encoded()))
        return pos

    def find(self, point: Point) -> int:
        """The last entry of a point, on any line; raises `NoSuchPoint`."""
        if point.seq is not None:
            return self.entry(point.seq).seq
        if point.time is not None:
            return max((e.seq for e in self.log if e.time <= point.time), default=0)
        if point.decision is not None:
            for at, entry in enumerate(self.log):
                event = entry.event
                if isinstance(event, ev.DecisionOpened) and event.n == point.decision:
                    return self.log[self._offered(at + 1) - 1].seq
            raise NoSuchPoint(phrase("there is no decision {n}", n=point.decision))
        return self.log[-1].seq

    def _offered(self, at: int) -> int:
        """The options belong to their decision."""
        while at < len(self.log) and isinstance(self.log[at].event, ev.OptionsOffered):
            at += 1
        return at

    # -- rewinds ---------------------------------------------------------------------------------

    def undone(self, seq: int) -> int:
        """The rewind that abandoned an entry; 0: it stands."""
        return undone(self.rewinds, seq)

    def lying(self, seq: int) -> tuple[Record, int]:
        """The record on whose line an entry lies, and how many entries of it lead up to it.

        A rewind itself stands for the entry that it went back to. Raises `NoSuchPoint`.
        """
        event = self.entry(seq).event
        if isinstance(event, Rewound):
            return self.lying(event.to)
        there = self._until(self.undone(seq))
        return there, there.index(seq)

    def after(self, seq: int) -> Position:
        """The position after an entry on any line; the first one, for 0. O(`EVERY`)."""
        if not seq:
            return Position()
        there, count = self.lying(seq)
        return there.position(count)

    def _until(self, rewind: int) -> Record:
        """The record as it was when a rewind was about to be made; 0: as it is."""
        if rewind and rewind not in self._before:
            self._before[rewind] = Record([e for e in self.log if e.seq < rewind])
        return self._before[rewind] if rewind else self

    # -- decisions -------------------------------------------------------------------------------

    def as_answered(self, taken: Taken) -> Position:
        """The position at a decision, with the cards known that were named with the answer."""
        pos = self.after(taken.seq)
        for number, name in taken.names:
            if number in pos.cards:
                pos.cards[number].id = name
        return pos

    @cached_property
    def decisions(self) -> list[Taken]:
        """Every decision of every seat, in order, abandoned ones and undone answers included."""
        found = list(_decisions(self.line))
        for rewind, _ in self.rewinds:
            for one in _decisions(self._until(rewind).line):
                if rewind in (self.undone(one.seq), self.undone(one.made)):
                    one.abandoned = rewind
                    found.append(one)
        return sorted(found, key=lambda one: (one.n, not one.made, one.made))


def _decisions(line: Iterable[Entry]) -> Iterator[Taken]:
    open_: dict[int, Taken] = {}
    turn, step, whole = 0, "", False
    for entry in line:
        match entry.event:
            case ev.GameBegan():
                turn = 0
            case ev.TurnBegan(n=n):
                turn = n
            case ev.StepBegan(path=path):
                step = path
            case ev.DecisionOpened(n=n, seats=seats, kind=kind, digest=digest):
                whole = digest.value is not None
                yield from open_.values()
                at = (entry.seq, entry.time, turn, step, entry.cites)
                open_ = {seat: Taken(n, seat, kind, *at) for seat in seats}
            case ev.OptionsOffered(seat=seat, offer=offer) if seat in open_:
                open_[seat].offer = offer.value
            case ev.DecisionMade(seat=seat) as made if seat in open_:
                taken = open_.pop(seat)
                taken.made, taken.ms, taken.origin = entry.seq, made.ms, made.origin
                taken.why = entry.cites
                taken.names = made.stated.value.names if made.stated.value is not None else ()
                taken.offer, taken.act = answered(made, taken.offer, whole)
                yield taken
            case _:
                pass
    yield from open_.values()
