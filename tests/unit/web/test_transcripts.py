"""Lines by ranges of entries: however it is cut, the whole is the transcript."""

from __future__ import annotations

import itertools
from pathlib import Path
from random import Random

import pytest

from domain.games import rulebook
from domain.record.entries import Entry, active
from domain.record.folding.fold import fold_all
from domain.record.interventions import Rewound
from domain.record.views import OFFICIAL, PUBLIC, redact
from domain.telling.book import Book
from domain.telling.narration import narrate
from domain.words.tables import language
from service.store.history import History
from service.web.positions.telling.transcripts import DONE, LineData, Transcripts, Which
from tests import golden

ENGLISH = language("en")


def ranges(rng: Random, last: int) -> list[tuple[int, int]]:
    """A record cut anywhere."""
    cuts = sorted({0, last, *(rng.randrange(last) for _ in range(rng.choice([0, 3, last])))})
    return list(itertools.pairwise(cuts))


def chosen(directory: Path) -> list[tuple[str, list[Entry]]]:
    """A few matches of a directory: those that were rewound, and some other."""
    found = [*golden.logs(directory).items()]
    back = [one for one in found if any(isinstance(e.event, Rewound) for e in one[1])]
    return [*back[:2], *found[:1]]


@pytest.mark.parametrize("directory", golden.DIRECTORIES, ids=lambda one: one.name)
def test_ranges_make_up_the_transcript(directory: Path) -> None:
    rng = Random(1)
    with golden.store(directory) as records:
        for match, log in chosen(directory):
            book = Book.of(rulebook(log[0].event.game)).further(log[0].event.prints)  # type: ignore[union-attr]
            kept = Transcripts(History(records), lambda match, language, book=book: book)
            over = fold_all(active(log)).over
            for viewer in (PUBLIC, 0, 1, OFFICIAL):
                seen = [redact(entry, viewer) for entry in log]
                lines = narrate(book, seen)
                which = Which(match, viewer, ENGLISH)
                for _ in range(3):
                    some = ranges(rng, len(log))
                    parts = {one: kept.lines(which, *one) for one in rng.sample(some, len(some))}
                    shown = [line for one in some for line in parts[one]]
                    open_ = len(lines) - len(shown)
                    assert 0 <= open_ <= 1
                    assert [brief(one) for one in shown] == [
                        (one.seq, one.text, one.cites, one.minor) for one in lines[: len(shown)]
                    ]
                assert open_ == 0 or not over


def brief(shown: LineData) -> tuple[int, str, tuple[str, ...], bool]:
    return shown.seq, shown.text, tuple(one.id for one in shown.cites), shown.minor


def test_dropped_lines_are_made_anew() -> None:
    with golden.store(golden.DIRECTORIES[0]) as records:
        names = [*golden.logs(golden.DIRECTORIES[0])][:3]
        logs = golden.logs(golden.DIRECTORIES[0])
        book = Book.of(rulebook(logs[names[0]][0].event.game))  # type: ignore[union-attr]
        kept = Transcripts(History(records), lambda match, language: book, most=1)
        first = [kept.lines(Which(one, PUBLIC, ENGLISH), 0, len(logs[one])) for one in names]
        assert len(kept) == 1
        assert first == [
            kept.lines(Which(one, PUBLIC, ENGLISH), 0, len(logs[one])) for one in names
        ]


@pytest.mark.parametrize("directory", golden.DIRECTORIES, ids=lambda one: one.name)
def test_what_was_done_last_is_the_last_line_that_says_so(directory: Path) -> None:
    rng, found = Random(2), set[str]()
    with golden.store(directory) as records:
        match, log = chosen(directory)[0]
        book = Book.of(rulebook(log[0].event.game)).further(log[0].event.prints)  # type: ignore[union-attr]
        kept = Transcripts(History(records), lambda match, language: book)
        which = Which(match, PUBLIC, ENGLISH)
        for upto in sorted(rng.sample(range(1, len(log) + 1), min(4, len(log)))):
            open_ = kept.unfinished(which, upto)
            shown = kept.lines(which, 0, upto) + ([open_] if open_ is not None else [])
            done = [brief(one) for one in shown if one.kind in DONE and not one.minor]
            last = kept.last(which, upto)
            assert last is None if not done else last is not None and brief(last) == done[-1]
            found |= {last.text} if last is not None else set()
    assert len(found) > 1
