"""Formats: the lists of banned and restricted cards, and options that can't be meant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from domain.games.gundam.lists import formats
from domain.games.gundam.lists.cards import CATALOGUE
from domain.games.gundam.lists.deck import faults
from domain.record.schema.policy import Policy

DAY = "2026-09-25"


def test_formats() -> None:
    assert formats.chosen({}).limits == ""
    assert formats.limited(formats.chosen({"format": DAY}).limits).copies["ST02-016"] == 2
    assert formats.settled({"format": DAY}) == Policy()


def test_a_banned_card_outside_the_catalogue_is_called_by_its_number() -> None:
    deck = {**CATALOGUE.decks["ST01"], "main": ("GD01-020",)}
    found = faults(deck, CATALOGUE.cards, {"format": DAY})
    assert "GD01-020 is banned" in [str(fault.text) for fault in found]


@pytest.mark.parametrize("name", CATALOGUE.decks)
def test_decks_as_they_are_sold_may_be_played(name: str) -> None:
    assert faults(CATALOGUE.decks[name], CATALOGUE.cards, {"format": DAY}) == []


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"format": "modern"}, "there is no format 'modern'"),
        ({"deck": 50}, "there is no option 'deck'"),
        ({"limits": "2020"}, "there is no list '2020'"),
        ({"limits": "{"}, "limits:"),
        ({"limits": '{"bans": []}'}, "limits:"),
        ({"limits": '{"copies": {"ST01-005": -1}}'}, "fewer than none"),
    ],
)
def test_options_that_cannot_be_meant(options: Mapping[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        formats.settled(options)
