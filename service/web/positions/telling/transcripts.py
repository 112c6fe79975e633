"""The transcript of a match as a viewer reads it, line by line, with the entry that completes each.

Which lines an entry completes follows from the entries up to it, so any range of entries has its
lines for ever, and ranges that follow each other make up the whole. If a match is over nothing is
waited for: its lines are complete.

A narrator is kept for each match that is read, and goes on where it stands. The texts of its lines
are cached, bounded in bytes; dropped ones are made again from the record's start.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

from msgspec import Struct

from domain.record.points import Point
from domain.record.position import Position
from domain.record.views import redact
from domain.telling.book import Book
from domain.telling.concerned import concerned
from domain.telling.names import letter
from domain.telling.narration import Line, Narrator
from domain.words.tables import Language
from service.store.history import History

#: Bytes of all transcripts that are kept, and what one takes beside its lines.
MOST, EACH = 48 * 1024 * 1024, 192 * 1024
#: What a line takes beside its texts.
_LINE = 600
#: How many cards a line is about at most.
CARDS = 12
#: Kinds of lines that tell of something that somebody did, and how many decisions back the last of
#: them is looked for, at first and then; 0: from the start.
DONE, BACK = ("act", "effect", "result", "note"), (3, 12, 48, 0)


class Cited(Struct, frozen=True):
    """A rule that is cited, and what it says, in our own words."""

    id: str
    gist: str


class LineData(Struct, frozen=True, omit_defaults=True):
    """A line: `seq` is its first entry, `until` the one that completed it.

    `time` and `ms` are in milliseconds, `by` is the seat's letter, `step` what the step is called,
    `cards` the numbers of those that it is about; none, if they are many.
    """

    seq: int
    until: int
    time: int
    turn: int
    seat: int
    by: str
    step: str
    text: str
    cites: tuple[Cited, ...]
    kind: str
    minor: bool = False
    ms: int = 0
    link: int = 0
    cards: tuple[int, ...] = ()


class Which(NamedTuple):
    """Which transcript: of a match, as somebody sees it, in a language."""

    match: str
    viewer: int
    language: Language


class Transcript:
    """One transcript, up to the last line made."""

    def __init__(
        self, which: Which, book: Book, history: History, start: Position | None = None
    ) -> None:
        """`start`: the position from which on it is made; without it, from the first entry."""
        self._which, self._book, self._history = which, book, history
        self._narrator = Narrator(
            book, at=lambda seq: history.position(which.match, which.viewer, Point(seq=seq))
        )
        if start is not None:
            self._narrator.pos = start
        self._seq = self._narrator.pos.seq
        self._lines: list[LineData] = []
        self._concerned: list[tuple[int, int]] = []  # since the last line: entries and their cards
        self._lock = Lock()
        self.size = EACH

    def lines(self, after: int, upto: int) -> list[LineData]:
        """The lines that entries after one up to another complete. O(entries that are new)."""
        with self._lock:
            if upto > self._seq:
                self._go_on(upto)
            first = bisect_right(self._lines, after, key=lambda line: line.until)
            last = bisect_right(self._lines, upto, key=lambda line: line.until)
            return self._lines[first:last]

    def unfinished(self, upto: int) -> LineData | None:
        """The line that no entry up to `upto` has completed yet, if lines were made up to there."""
        with self._lock:
            line = self._narrator.unfinished() if upto == self._seq else None
            return self._line_data(line, 0) if line is not None else None

    def _go_on(self, upto: int) -> None:
        narrator, which = self._narrator, self._which
        for entry in self._history.after(which.match, self._seq, upto):
            seen = redact(entry, which.viewer)
            found = narrator.feed(seen)
            self._concerned += [(entry.seq, card) for card in concerned(seen)]
            if narrator.pos.over:
                found += narrator.close()
            for line in found:
                line_ = self._line_data(line, entry.seq)
                self._lines.append(line_)
                self.size += _size(line_)
            self._seq = entry.seq

    def _line_data(self, line: Line, until: int) -> LineData:
        say, book = self._which.language.say, self._book
        return LineData(
            line.seq,
            until,
            line.time,
            line.turn,
            line.seat,
            letter(line.seat),
            say(book.manifest.label("steps", line.step)) if line.step else "",
            say(line.text),
            tuple(Cited(cite, say(book.gist(cite))) for cite in line.cites),
            line.kind,
            line.minor,
            line.ms,
            line.link,
            self._cards(line.seq, until),
        )

    def _cards(self, seq: int, until: int) -> tuple[int, ...]:
        """The cards of a line: of its entries, before that which completed it."""
        found = dict.fromkeys(
            card for at, card in self._concerned if seq <= at < max(until, seq + 1)
        )
        self._concerned = [one for one in self._concerned if one[0] >= until]
        return tuple(found) if len(found) <= CARDS else ()


class Transcripts:
    """The transcripts that are kept. To be used in threads."""

    def __init__(
        self, history: History, book: Callable[[str, Language], Book], most: int = MOST
    ) -> None:
        """`book` gives the names of a match's game in a language."""
        self._history, self._book, self._most = history, book, most
        self._kept: OrderedDict[tuple[str, int, str], Transcript] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        """How many are kept."""
        return len(self._kept)

    def lines(self, which: Which, after: int, upto: int) -> list[LineData]:
        """The lines that entries after one up to another complete; all of them must be there."""
        key = which.match, which.viewer, which.language.tag
        with self._lock:
            found = self._kept.pop(key, None)
        if found is None:
            found = Transcript(which, self._book(which.match, which.language), self._history)
        with self._lock:
            found = self._kept.setdefault(key, found)
        try:
            lines = found.lines(after, upto)
        except Exception:
            with self._lock:
                self._kept.pop(key, None)  # it stands in the midst of an entry
            raise
        self._trim()
        return lines

    def unfinished(self, which: Which, upto: int) -> LineData | None:
        """The last line of a transcript as it stands, which may yet become another one."""
        self.lines(which, upto, upto)
        with self._lock:
            found = self._kept.get((which.match, which.viewer, which.language.tag))
        return found.unfinished(upto) if found is not None else None

    def last(self, which: Which, upto: int) -> LineData | None:
        """The last line by an entry about an act, up to now.

        It is made from a few decisions back, and nothing of it is cached: so it costs as little in
        a match that nobody reads.
        """
        match, viewer, history = which.match, which.viewer, self._history
        book = self._book(match, which.language)
        decisions = history.position(match, viewer, Point(seq=upto)).decisions
        for back in BACK:
            start, n = None, decisions - back
            if back and n > 0:
                start = history.position(match, viewer, Point(decision=n), upto)
            line_ = Transcript(which, book, history, start)
            lines = line_.lines(0, upto)
            open_ = line_.unfinished(upto)
            lines += [open_] if open_ is not None else []
            whole = lines[1:] if start is not None else lines  # the first may have begun before
            found = next((one for one in reversed(whole) if _done(one)), None)
            if found is not None or start is None:
                return found
        return None

    def _trim(self) -> None:
        with self._lock:
            size = sum(one.size for one in self._kept.values())
            while size > self._most and len(self._kept) > 1:
                _, gone = self._kept.popitem(last=False)
                size -= gone.size


def _done(line: LineData) -> bool:
    return line.kind in DONE and not line.minor


def _size(line_: LineData) -> int:
    return _LINE + len(line_.text) + sum(len(one.id) + len(one.gist) for one in line_.cites)
