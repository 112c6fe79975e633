"""The numbers of cards as `kifu show --numbers` lists them: of those that the viewer can follow."""

from __future__ import annotations

from domain.record.views import PUBLIC, position
from domain.telling.book import Book
from replay_cli.drawing.numbers import numbers
from tests.playouts import Setup, play

SETUP = Setup(7)


def test_a_list_has_the_numbers_that_its_viewer_can_follow() -> None:
    log, book = play(SETUP), Book.of(SETUP.rules)
    for viewer in (0, PUBLIC):
        pos = position(log, viewer)
        text = "\n".join(numbers(book, pos))
        for place in book.manifest.places():
            shown = [n for n in pos.zone(place) if n]
            if shown and pos.cards[shown[0]].id:
                assert f"@{shown[0]}" in text
    hidden = [n for n in position(log, 0).zone("hand", 0) if n]
    assert not any(f"@{n} " in text for n in hidden), "of a hand the public sees no number"
