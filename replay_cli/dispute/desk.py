"""The acts and looks of officials in a match, in order.

Each of their frames is a row, on any line of the record; notes for officials are shown only to
officials.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.officials.frame import KIND
from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.interventions import Looked, Rewound, Ruling
from domain.telling.book import Book
from domain.telling.causes import describe
from domain.telling.narration import narrate
from domain.telling.record import Record
from domain.words.phrases import joined
from replay_cli.dispute.model import Official
from replay_cli.dispute.tables import plain

LOOK = "look"


def officials(
    record: Record, book: Book, decisions: Sequence[int], opened: int, closed: int
) -> Iterator[Official]:
    """The acts of officials: before entry `opened`, since entry `closed`, or in between."""
    texts: dict[int, str] = {}
    for line in narrate(book, record.log, quiet=False):
        texts[line.seq] = joined("; ", filter(None, [texts.get(line.seq, ""), line.text]))
    for frame in _frames(record.log):
        who, what, why = _spoken(frame)
        first, lines = frame[0], [texts[entry.seq] for entry in frame if entry.seq in texts]
        yield Official(
            first.seq,
            first.time,
            "before" if first.seq < opened else "during" if first.seq < closed else "since",
            who,
            what,
            plain(joined("; ", lines) if lines else describe(record, book, first.seq)),
            why,
            first.cites,
            any(_about(entry, decisions, opened, closed) for entry in frame),
        )


def _spoken(frame: Sequence[Entry]) -> tuple[str, str, str]:
    """The author, his act and his reason, as far as the reader may know."""
    who = what = why = ""
    for entry in frame:
        match entry.event:
            case Rewound(note=note, who=name):
                who, what, why = name, "rewind", note
            case ev.FrameOpened(facts=facts) if not what:
                who, what, why = (str(facts.get(key, "")) for key in ("who", "what", "why"))
            case Looked(why=reason):
                why = reason.value or why
            case _:
                pass
    return who, what, why


def _frames(log: Sequence[Entry]) -> Iterator[list[Entry]]:
    """The entries of each official's frame; a rewind comes before the frame that it leads to."""
    frame: list[Entry] = []
    number = 0
    for entry in log:
        event = entry.event
        opens = isinstance(event, ev.FrameOpened) and event.kind == KIND
        if frame and not number and not opens:
            yield frame
            frame = []
        if opens and not number and isinstance(event, ev.FrameOpened):
            number = event.id
        if number or isinstance(event, Rewound):
            frame.append(entry)
        if number and isinstance(event, ev.FrameClosed) and event.id == number:
            yield frame
            frame, number = [], 0
    if frame:
        yield frame


def _about(entry: Entry, decisions: Sequence[int], opened: int, closed: int) -> bool:
    """Whether a ruling or anything else of an official's is about what the page is about."""
    event = entry.event
    if isinstance(event, Ruling) and event.decision in decisions:
        return True
    about = getattr(event, "about", 0) or getattr(event, "cause", 0)
    return isinstance(about, int) and bool(about) and opened <= about <= closed
