"""The index of a game's cards has what the game says of them.

    python -m tests.unit.cli.test_card_index

writes those of all games, once cards or their wording have changed.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from domain import games
from domain.telling.book import Book
from domain.words.tables import Language
from replay_cli.cardindex import reading, writing


def written(game: str) -> str:
    """The index of a game as it should be."""
    return "\n".join([*writing.lines(game), ""])


@pytest.mark.parametrize("game", games.names())
def test_an_index_is_what_the_cards_make(game: str) -> None:
    lies = (games.folder(game) / reading.INDEX).read_text("utf-8")
    assert lies == written(game), "python -m tests.unit.cli.test_card_index writes it"


@pytest.mark.parametrize("game", games.names())
def test_cards_are_found_in_an_index_as_in_the_game(game: str) -> None:
    rules = games.rulebook(games.chosen(game))
    book = Book.of(rules)
    deck, parts = next(iter(book.decks.items()))
    for words, name, of in (((), "", None), (("A", "e"), "", None), ((), deck, parts)):
        found = reading.find(game, words, name)
        known = writing.find(rules, book, words, of, Language())
        assert found is not None
        assert found.cards
        assert _data(found) == _data(known)


def _data(found: reading.Found) -> str:
    """All that may be shown, in the order in which it is shown."""
    cards = [[*card[:-1], *card.wording()] for card in found.cards]
    return json.dumps([found.shared, cards, found.numbers])


def test_only_cards_that_are_found_are_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head, *cards = writing.lines("gundam")
    first = next(line for line in cards if line.startswith("ST01-001\t"))
    others = [f"X-{n}\tx-{n} gundam unit\tno JSON\tno JSON" for n in range(5000)]
    (tmp_path / reading.INDEX).write_text("\n".join([head, *others, first]), "utf-8")
    monkeypatch.setattr(games, "folder", lambda game: tmp_path)
    for words, deck in ((["ST01-001"], ""), ([], "ST01")):
        found = reading.find("gundam", words, deck)
        assert found is not None
        assert [card.id for card in found.cards] == ["ST01-001"]
    assert reading.find("gundam", [], "a deck of no index") is None


if __name__ == "__main__":
    for name in games.names():
        (games.folder(name) / reading.INDEX).write_text(written(name), "utf-8")
