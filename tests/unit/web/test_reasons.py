"""The causes of an entry: told by what is known up to it, whatever follows."""

from __future__ import annotations

from random import Random

import pytest

from domain.games import rulebook
from domain.record.events import CardsKnown
from domain.record.views import OFFICIAL, PUBLIC
from domain.telling.book import Book
from service.store.history import History
from service.web.positions.telling.reasons import Entries
from service.web.positions.telling.transcripts import Which
from tests import golden
from tests.support.marks import each
from tests.unit.web.test_transcripts import ENGLISH, chosen


@pytest.mark.parametrize("directory", each(3, golden.DIRECTORIES), ids=lambda one: one.name)
def test_settled_reasons_stay_whatever_follows(directory: golden.Path) -> None:
    rng = Random(1)
    with golden.store(directory) as records:
        for match, log in chosen(directory):
            book = Book.of(rulebook(log[0].event.game)).further(log[0].event.prints)  # type: ignore[union-attr]
            last = len(log)
            for viewer in (PUBLIC, 1, OFFICIAL):
                which = Which(match, viewer, ENGLISH)
                kept = Entries(History(records), lambda match, language, book=book: book)
                for seq in {1, last, *(rng.randrange(1, last + 1) for _ in range(12))}:
                    now = Entries(History(records), lambda match, language, book=book: book)
                    found = now.reasons(which, seq, seq)
                    assert not found.settled, "what follows at the same moment is not known"
                    moment = log[seq - 1].moment
                    end = next(
                        (
                            one.seq for one in log[seq:]
                            if one.moment != moment or not isinstance(one.event, CardsKnown)
                        ),
                        0,
                    )  # fmt: skip
                    if end:
                        first = now.reasons(which, seq, end)
                        assert first.settled
                        assert first == kept.reasons(which, seq, last)
                        repeated = kept.reasons(which, seq, seq)
                        assert repeated == found, "no more than may be known by then"


def test_records_that_are_kept_are_bounded() -> None:
    directory = golden.DIRECTORIES[0]
    logs = golden.logs(directory)
    with golden.store(directory) as records:
        names = [*logs][:3]
        books = {name: Book.of(rulebook(logs[name][0].event.game)) for name in names}  # type: ignore[union-attr]
        kept = Entries(History(records), lambda match, language: books[match], most=1)
        found = [kept.reasons(Which(one, PUBLIC, ENGLISH), 3, len(logs[one])) for one in names]
        assert len(kept) == 1
        assert found == [
            kept.reasons(Which(one, PUBLIC, ENGLISH), 3, len(logs[one])) for one in names
        ]
