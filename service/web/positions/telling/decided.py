"""A decision as a viewer sees it: the options of each seat, the answer, the time it took."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msgspec import Struct

from domain.record.events import DecisionMade
from domain.record.points import NoSuchPoint, Point
from domain.record.position import Position
from domain.record.views import redact
from domain.telling.book import Book
from domain.telling.names import Names, letter
from domain.words.tables import Language
from service.store.history import History, SeatRecord
from service.web.positions.telling.transcripts import Cited, Which


class Choice(Struct, frozen=True):
    """An option in words; `taken`: it was chosen."""

    text: str
    card: int
    taken: bool


class Side(Struct, frozen=True):
    """The choices of one seat, if they may be seen, and its answer, if it is known.

    `answered` is the answer's entry, 0: not answered. `origin`: `seat`, `implied`, `timeout`, …
    """

    seat: int
    by: str
    options: tuple[Choice, ...] | None
    taken: str
    answered: int
    ms: int
    origin: str
    cites: tuple[Cited, ...]


class Decided(Struct, frozen=True):
    """A decision. `abandoned`: the entry of the rewind that undid it; `dropped`: none was made."""

    n: int
    seq: int
    kind: str
    label: str
    turn: int
    step: str
    time: int
    cites: tuple[Cited, ...]
    seats: tuple[Side, ...]
    dropped: bool
    abandoned: int


class Decisions:
    """Tells decisions. To be used in threads."""

    def __init__(self, history: History, book: Callable[[str, Language], Book]) -> None:
        """`book` gives the names of a match's game in a language."""
        self._history, self._book = history, book

    def decided(self, which: Which, n: int, upto: int) -> Decided:
        """A decision, for somebody who may know of entries up to `upto`; raises `NoSuchPoint`."""
        history, (match, viewer, language) = self._history, which
        with history.records.reading():
            found = history.decisions(match, viewer, n, 1, upto)
            if not found:
                raise NoSuchPoint()
            pos = history.position(match, viewer, Point(decision=n), upto)
            (one,) = found
            book, say = self._book(match, language), language.say
            sides = tuple(self._side(which, book, pos, *pair) for pair in one.sides.items())
        manifest = book.manifest
        return Decided(
            one.n,
            one.seq,
            one.kind,
            say(manifest.label("decisions", one.kind)),
            one.turn,
            say(manifest.label("steps", one.step)),
            one.time,
            _cited(book, language, one.cites),
            sides,
            one.dropped,
            one.abandoned,
        )

    def _side(self, which: Which, book: Book, pos: Position, seat: int, side: SeatRecord) -> Side:
        say, names = which.language.say, Names(book, pos)
        made = self._made(which, side)
        taken = _taken(side, made)
        options, text = None, ""
        if side.offer is not None:
            options = tuple(
                Choice(
                    say(names.option(side.offer, option)),
                    option.card if isinstance(option.card, int) else 0,
                    at == taken,
                )
                for at, option in enumerate(side.offer.options)
            )
        if side.act is not None:
            option = side.offer.options[taken] if side.offer is not None and taken >= 0 else None
            with _named(pos, made):
                text = say(Names(book, pos).act(side.act, option, apart=True))
        cites = _cited(book, which.language, side.cites)
        return Side(seat, letter(seat), options, text, side.seq, side.ms, side.origin, cites)

    def _made(self, which: Which, side: SeatRecord) -> DecisionMade | None:
        """A seat's answer as the viewer may see it, if there is one."""
        if not side.seq:
            return None
        (entry,) = self._history.records.entries(which.match, side.seq - 1, side.seq)
        event = redact(entry, which.viewer).event
        return event if isinstance(event, DecisionMade) else None


@contextmanager
def _named(pos: Position, made: DecisionMade | None) -> Iterator[None]:
    """A position with the cards known that were named along with an answer, at a real table."""
    stated = made.stated.value if made is not None else None
    names = {n: name for n, name in (stated.names if stated else ()) if n in pos.cards}
    before = {n: pos.cards[n].id for n in names}
    for n, name in names.items():
        pos.cards[n].id = name
    yield
    for n, name in before.items():
        pos.cards[n].id = name


def _taken(side: SeatRecord, made: DecisionMade | None) -> int:
    """Which option an answer takes; -1: that is not known, or none of them."""
    answer = made.answer.value if made is not None else None
    options = side.offer.options if side.offer is not None else ()
    if answer is None or side.act is None or answer.option >= len(options):
        return -1
    option = options[answer.option]
    return answer.option if (option.kind, option.card) == (side.act.kind, side.act.card) else -1


def _cited(book: Book, language: Language, cites: tuple[str, ...]) -> tuple[Cited, ...]:
    return tuple(Cited(cite, language.say(book.gist(cite))) for cite in cites)
