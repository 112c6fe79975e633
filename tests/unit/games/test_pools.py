"""Decks from pools are checked by every game's rules, but for copies and the main part's size."""

from __future__ import annotations

import pytest

from domain.games import names, rulebook
from domain.record.values import Value
from tests.support.games import is_whole


@pytest.mark.parametrize("game", [name for name in names() if is_whole(name)])
def test_a_deck_from_a_pool_has_any_number_of_copies_and_a_size_of_its_own(game: str) -> None:
    rules = rulebook(game)
    ready = next(iter(rules.decks.values()))
    card = next(card for card in ready["main"] if not rules.check_deck(ready))
    deck = {**ready, "main": (card,) * 41}

    def faults(options: dict[str, Value]) -> list[str]:
        rules.settle(options)
        return [one.rule.partition(":")[0] for one in rules.check_deck(deck, (), options)]

    assert "house" not in faults({})
    assert faults({}) != []
    assert faults({"pool": 41}) == []
    assert faults({"pool": 42}) == ["house"]
    strange = {**deck, "main": (*deck["main"], "none-such")}
    assert len(rules.check_deck(strange, (), {"pool": 41})) == 1


@pytest.mark.parametrize("least", [-1, 201, True, "30", ""])
@pytest.mark.parametrize("game", [name for name in names() if is_whole(name)])
def test_the_option_says_a_number_of_cards(game: str, least: Value) -> None:
    with pytest.raises(ValueError, match="pool: a deck has a number of cards up to 200 at least"):
        rulebook(game).settle({"pool": least})
