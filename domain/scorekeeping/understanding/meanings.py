"""The commands that a line may stand for, the likeliest first.

An act on offer is meant before any other. Then what a later decision takes, if the open one does
not; then the seat's cards that lie open, and those that nobody has named. A command that is refused
is followed by others that say the same: with a card from elsewhere, or at a later decision. Which
of them the service would record is for `line.input_line` to find out, before Enter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.record.position import NOBODY
from domain.scorekeeping.command import Command
from domain.scorekeeping.session import Session
from domain.scorekeeping.suggestions import suggest
from domain.scorekeeping.suggestions.guess import Guesses
from domain.scorekeeping.suggestions.suggest import Row, Table
from domain.scorekeeping.understanding import later, reading
from domain.text.notation import BadText


class Line(Struct, frozen=True):
    """A line, and the suggestions for it.

    `t` is for the seat that it is addressed to, `asked` for the one that is to decide; `text` is
    the line without the seat.
    """

    session: Session
    t: Table
    asked: Table
    typed: str
    text: str
    rows: Sequence[Row]


def meanings(line: Line) -> Iterator[Command]:
    """The possible meanings of a line; raises `BadText` if it is no act at all."""
    first = likeliest(line)
    yield first
    if first.implied or first.interjected:
        return
    for row in line.rows:
        same = later.same(first, line.t.pos, row.command, line.t.pos)
        if row.sure and same and not first.passes and row.command != first:
            yield row.command
    yield from later.other_ways(line.session, line.asked, line.typed, first)


def likeliest(line: Line) -> Command:
    """The likeliest meaning of a line, as far as known here; raises `BadText`."""
    top = line.rows[0] if line.rows and line.rows[0].sure else None
    if top is not None and not top.command.names and not top.unoffered:
        return _read(line) if reading.names_others(line.t, line.text, top.command) else top.command
    exact = reading.exact(line.t, line.text) if line.t.seat != NOBODY else None
    if exact is not None:
        return exact
    try:
        ahead = later.meant(line.session, line.asked, line.typed)
    except BadText:
        if top is None:
            raise
        return top.command  # it can't be done now, nor where passes lead: against the rules
    if ahead is not None:
        return ahead
    if top is not None:
        further = _further(line, top.command) if top.unoffered else None
        return further or top.command
    return _read(line)


def next_turn(line: Line, first: Command) -> Command | None:
    """The meaning in the next turn of a line that is refused here."""
    return later.further_on(line.session, line.asked, line.typed, first, ends=True)


def _read(line: Line) -> Command:
    """The meaning of a line in the notation, here or later; else its best interpretation."""
    try:
        here = reading.read(line.t, line.text)
    except BadText:
        further = _further(line, None)
        if further is not None:
            return further
        guesses = sorted(Guesses(line.t).unlisted(line.text), key=lambda row: -row.score)
        if guesses and guesses[0].sure:
            return guesses[0].command
        if line.rows:
            return line.rows[0].command
        raise
    if here.interjected or here.names or suggest.is_on_offer(line.t.offer, here.act):
        return here
    return _further(line, here) or here


def _further(line: Line, here: Command | None) -> Command | None:
    return later.further_on(line.session, line.asked, line.typed, here, ends=here is None)
