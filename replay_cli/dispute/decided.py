"""The decisions of a page: who was asked, the options, the one taken, the clocks."""

from __future__ import annotations

from collections.abc import Iterator

from domain.record.points import Point
from domain.record.position import Position
from domain.telling.book import Book
from domain.telling.names import Names, clock_name, countdown, player
from domain.telling.narration import is_choice
from domain.telling.record import Record, Taken
from domain.words.phrases import joined, phrase
from replay_cli.dispute.model import Answered, Choice
from replay_cli.dispute.tables import plain
from replay_cli.drawing import choices


def answered(record: Record, book: Book, one: Taken) -> Answered:
    """A decision of one seat, as far as the viewer may know it."""
    pos = record.after(record.find(Point(decision=one.n)))
    return Answered(
        one.n,
        one.seat,
        plain(player(one.seat)),
        plain(book.manifest.label("decisions", one.kind)),
        one.turn,
        plain(book.manifest.label("steps", one.step)),
        one.seq,
        one.time,
        one.cites,
        tuple(_choices(book, pos, one)),
        one.offer is None,
        plain(_taken(record, book, pos, one)),
        one.made,
        one.ms,
        one.origin,
        one.why,
        tuple(_clocks(record, pos, one)),
        one.offer is None or is_choice(one.offer),
        one.abandoned,
    )


def _choices(book: Book, pos: Position, one: Taken) -> Iterator[Choice]:
    """The options, in order; the one that was taken as it was taken."""
    if one.offer is None:
        return
    found = choices.written(book, pos, one.seat, one.offer, one.act)
    yield from (
        Choice(n, plain(option.text), str(option.typed), option.taken)
        for n, option in enumerate(found, 1)
    )


def _taken(record: Record, book: Book, pos: Position, one: Taken) -> str:
    """The option taken, in words; of a hidden answer what everybody could see of it."""
    if not one.made:
        return phrase("undone while open") if one.abandoned else phrase("nothing yet")
    if one.act is not None and one.offer is not None:
        return choices.taken_text(book, pos, one.offer, one.act)
    act = one.act or getattr(record.entry(one.made).event, "act", None)
    if act is None:
        return phrase("hidden from the reader")
    names = Names(book, pos)  # without its option nothing tells which part a pick is of
    return joined("; ", filter(None, [names.act(act), *names.picked(act, None).values()]))


def _clocks(record: Record, pos: Position, one: Taken) -> Iterator[tuple[str, str, str]]:
    """Each clock as the decision was asked, and as it was answered."""
    answer = record.entry(one.made).time if one.made else one.time
    for name in pos.clocks:
        before, after = (countdown(pos.left(name, at)) for at in (one.time, answer))
        yield plain(clock_name(name)), before, after if one.made else ""
