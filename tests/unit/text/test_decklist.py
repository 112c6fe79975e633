"""Deck lists as text."""

from __future__ import annotations

import pytest

from domain.text import decklists
from tests.playouts import PAIRS, rulebook


@pytest.mark.parametrize(
    ("rows", "cards"),
    [
        (["4 ST01-001"], ["ST01-001"] * 4),
        (["ST01-001", " 2  ST01-002 "], ["ST01-001", "ST01-002", "ST01-002"]),
        ([], []),
    ],
)
def test_rows_are_cards(rows: list[str], cards: list[str]) -> None:
    assert list(decklists.cards(rows)) == cards


@pytest.mark.parametrize(
    "row", ["", "0 A", "101 A", "-1 A", "4 A B", "4x A", "A 4", "9999999 A", 4]
)
def test_an_invalid_row_is_named(row: str) -> None:
    with pytest.raises(ValueError, match=r"is no `4 CARD`|there are 1 to 100"):
        list(decklists.cards([row]))


@pytest.mark.parametrize("game", PAIRS)
def test_ready_made_lists_can_be_written_so(game: str) -> None:
    for parts in rulebook(game).decks.values():
        for cards in parts.values():
            assert sorted(decklists.cards(decklists.rows(cards))) == sorted(cards)
