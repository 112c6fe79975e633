"""An entry in words, and its chain of causes, each link with its rules.

It depends on the entries up to it, and on those that bring identities at the same moment: so it is
final once the entry after those is known. Of each match that is asked about, the entries as a
viewer sees them are kept, bounded in number.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from msgspec import Struct

from domain.record.entries import name_of
from domain.record.events import CardsKnown
from domain.record.views import redact
from domain.telling.book import Book
from domain.telling.causes import Cause, causes
from domain.telling.names import letter
from domain.telling.record import Record
from domain.words.tables import Language
from service.store.history import History
from service.web.positions.telling.transcripts import Cited, Which

#: Entries that are kept of all matches.
MOST = 30_000


class Link(Struct, frozen=True):
    """A link of a chain of causes: an entry in words; `link`: how the one before followed."""

    seq: int
    link: str
    text: str
    turn: int
    step: str
    cites: tuple[Cited, ...]


class Reasons(Struct, frozen=True):
    """An entry, and its chain of causes, itself first. `settled`: it is final."""

    seq: int
    event: str
    time: int
    moment: int
    frame: int
    by: str
    text: str
    cites: tuple[Cited, ...]
    causes: tuple[Link, ...]
    settled: bool


class Entries:
    """Explains entries. To be used in threads."""

    def __init__(
        self, history: History, book: Callable[[str, Language], Book], most: int = MOST
    ) -> None:
        """`book` gives the names of a match's game in a language."""
        self._history, self._book, self._most = history, book, most
        self._kept: OrderedDict[tuple[str, int], Record] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        """How many records are kept."""
        return len(self._kept)

    def reasons(self, which: Which, seq: int, upto: int) -> Reasons:
        """An entry and its causes, for somebody who may know of those up to `upto`."""
        record, settled = self._record(which, seq, upto)
        book = self._book(which.match, which.language)
        say = which.language.say
        chain = causes(record, book, seq)

        def cites(cause: Cause) -> tuple[Cited, ...]:
            return tuple(Cited(one, say(book.gist(one))) for one in cause.entry.cites)

        links = tuple(
            Link(one.entry.seq, say(one.link), say(one.text), one.turn, say(one.step), cites(one))
            for one in chain
        )
        entry, text = chain[0].entry, links[0].text
        return Reasons(
            seq,
            name_of(entry.event),
            entry.time,
            entry.moment,
            entry.frame,
            letter(entry.by),
            text,
            links[0].cites,
            links,
            settled,
        )

    def _record(self, which: Which, seq: int, upto: int) -> tuple[Record, bool]:
        """A record that tells of an entry, and whether all that it takes is known.

        A cached one may have more: the text depends on no later entries, once it is known that none
        of those at the same moment is missing.
        """
        record = self._kept_record(which, upto)
        moment, end = record.log[seq - 1].moment, seq
        while end < upto:
            entry = record.log[end]
            if entry.moment != moment or not isinstance(entry.event, CardsKnown):
                return record, True
            end += 1
        return Record(record.log[:end]), False

    def _kept_record(self, which: Which, upto: int) -> Record:
        key = which.match, which.viewer
        with self._lock:
            known = self._kept.pop(key, None)
        log = known.log if known is not None else []
        if known is None or len(log) < upto:
            new = self._history.after(which.match, len(log), upto)
            known = Record([*log, *(redact(entry, which.viewer) for entry in new)])
        with self._lock:
            self._kept[key] = known
            many = sum(len(one.log) for one in self._kept.values())
            while many > self._most and len(self._kept) > 1:
                many -= len(self._kept.popitem(last=False)[1].log)
        return known
