"""The events after a decision: line by line up to the next choices, with causes.

Lines are the transcript's (`domain.telling.narration`), passes included; causes are those of
`kifu why` (`domain.telling.causes`), up to one that stands among the lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.record import events as ev
from domain.record.entries import Entry
from domain.telling.book import Book
from domain.telling.causes import causes
from domain.telling.names import player
from domain.telling.narration import Line, narrate
from domain.telling.record import Record
from domain.words.phrases import phrase
from replay_cli.dispute.model import Because, Happening
from replay_cli.dispute.tables import plain

#: The most lines.
MOST = 120


class Stretch(Struct, frozen=True):
    """The entries `first` to `last` of a line of the record; why they end there."""

    line: Sequence[Entry]
    first: int
    last: int
    ends: str


def after_choice(record: Record, book: Book, seq: int, choices: int, upto: int) -> Stretch:
    """From an entry on to the end of the game, or until so many further choices were made.

    Passing does not count. It does not end before entry `upto`.
    """
    there, _ = record.lying(max(seq, upto))
    last, asked, left = seq, None, choices
    for entry in there.line[there.index(seq - 1) :]:
        event = entry.event
        if type(event) is ev.DecisionMade and entry.seq > seq:
            if _kind(record, event, entry.seq) not in book.manifest.passes:
                left -= 1
            if left <= 0 and entry.seq > upto:
                asked = (event.n, event.seat)
                break
        last = entry.seq
        if type(event) in (ev.GameEnded, ev.MatchEnded) and entry.seq >= upto:
            break
    if asked is None:
        return Stretch(there.line, seq, last, phrase("the record, or the game, ends here"))
    n, seat = asked
    ends = phrase("then {player} chooses again: decision {n}", player=player(seat), n=n)
    return Stretch(there.line, seq, last, ends)


def _kind(record: Record, made: ev.DecisionMade, seq: int) -> str:
    """The kind of an answer's act, as far as the viewer may know."""
    if made.act is not None:
        return made.act.kind
    taken = next((one for one in record.decisions if one.made == seq), None)
    return taken.act.kind if taken is not None and taken.act is not None else ""


def of_turn(record: Record, first: int) -> Stretch:
    """From an entry to the end of its turn."""
    there, _ = record.lying(first)
    last = first
    for entry in there.line[there.index(first) :]:
        if isinstance(entry.event, ev.TurnBegan | ev.GameBegan):
            break
        last = entry.seq
    return Stretch(there.line, first, last, phrase("the turn ends here"))


def happenings(record: Record, book: Book, stretch: Stretch, entry: int) -> list[Happening]:
    """The lines of a stretch, at the most `MOST`; the one that `entry` belongs to is marked."""
    upto = [one for one in stretch.line if one.seq <= stretch.last]
    lines = [line for line in narrate(book, upto, quiet=False) if line.seq >= stretch.first]
    lines = [line for line in lines if not line.minor or line.seq == entry][:MOST]
    listed = {line.seq for line in lines}
    meant = max((seq for seq in listed if seq <= entry), default=0) if entry else 0
    return [_happening(record, book, line, listed, entry if line.seq == meant else 0)
            for line in lines]  # fmt: skip


def _happening(record: Record, book: Book, line: Line, listed: set[int], entry: int) -> Happening:
    chain = _causes(record, book, entry or line.seq, set() if entry else listed - {line.seq})
    return Happening(
        line.seq,
        line.time,
        line.turn,
        plain(book.manifest.label("steps", line.step)),
        plain(player(line.seat)) if line.seat >= 0 else "",
        plain(line.text),
        line.cites,
        tuple(chain),
        bool(entry),
    )


def _causes(record: Record, book: Book, seq: int, listed: set[int]) -> Iterator[Because]:
    """The causes of an entry, link by link, up to one that is listed or to a choice."""
    for cause in causes(record, book, seq)[1:]:
        yield Because(plain(cause.link), cause.entry.seq, plain(cause.text))
        if cause.entry.seq in listed:
            return
