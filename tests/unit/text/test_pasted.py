"""Deck lists as people paste them: every form is read, and what is wrong is named with its line."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.games import newest, rulebook
from domain.telling.book import Book, CardFacts
from domain.text import decklists
from domain.text.pasted import BadList, completed, read

UNIT, COMMAND = {"lv": 1}, {"lv": 2}
CARDS = {
    "XA01-008": CardFacts("XA01-008", "Harbour Watch", "unit", UNIT),
    "XA01-009": CardFacts("XA01-009", "0 Tide", "unit", UNIT),
    "XA01-010": CardFacts("XA01-010", "Undertow", "command", COMMAND),
    "XB02-010": CardFacts("XB02-010", "Undertow", "command", {"lv": 3}),
    "XB02-011": CardFacts("XB02-011", "Quay Wall, Unit 2", "base", {"kind": ["wall"]}),
    "R-001": CardFacts("R-001", "Coin", "resource"),
    "R-002": CardFacts("R-002", "Coin", "resource"),
    "T-001": CardFacts("T-001", "Harbour Watch", "unit", {"token": True}),
}
DECK = {"main": ("XA01-008", "XA01-010", "XB02-011"), "resource": ("R-001",)}


def counts(text: str) -> dict[str, dict[str, int]]:
    return {part: dict(Counter(cards)) for part, cards in read(text, CARDS, {"D": DECK}).items()}


@pytest.mark.parametrize(
    "line",
    [
        "4 XA01-008 Harbour Watch", "4x XA01-008", "4 x XA01-008", "4xXA01-008", "XA01-008 x4",
        "XA01-008x4", "XA01-008 4", "XA01-008: 4", "XA01-008,4", "4\tXA01-008", "4|XA01-008",
        "(4) xa01-008", "4 XA01-008_p1", "4 XA01-008-P2 Harbour Watch", "4 Harbour Watch",
        "Harbour Watch x4", "4x Harbour Watch (XA01-008)", "4 harbour  watch [XA01-008]",
        "Harbour Watch XA01-008 ×4", "\ufeff4 XA01-008\r\n",
        "x4 XA01-008", "1. 4x XA01-008", "- 4 XA01-008", "4 - Harbour Watch", "Harbour Watch (4)",
        "4 Harbour Watch (XA01) 008", "4 Harbour Watch XA01 008 *F*", "4 xa01008", "4 XA01_008",
        '{"XA01-008": 4}', '["4xXA01-008"]', '[["XA01-008", 4]]', 'deck list: ["XA01-008" ,4]',
        '["XA01-008", "XA01-008", "XA01-008", "XA01-008"]', "https://deck.example/4\n4 XA01-008",
        '{"deckName": "Quay", "cards": [{"card_number": "XA01-008", "qty": "4"}]}',
    ],
)  # fmt: skip
def test_forms_of_a_row(line: str) -> None:
    assert counts(line) == {"main": {"XA01-008": 4}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("XA01-008", {"main": {"XA01-008": 1}}),
        ("0 Tide", {"main": {"XA01-009": 1}}),
        ("3 0 Tide", {"main": {"XA01-009": 3}}),
        ("XB02-011 Quay Wall, Unit 2", {"main": {"XB02-011": 1}}),
        ("2 Quay Wall, Unit 2", {"main": {"XB02-011": 2}}),
        ("10 Coin", {"resource": {"R-001": 10}}),
        ("# mine\n// of May\n\nUnits (4):\n4 XA01-008\nCommands:\n2 XA01-010\n[resource]\n10 R-002",
         {"main": {"XA01-008": 4, "XA01-010": 2}, "resource": {"R-002": 10}}),
        ("A list of mine\n4 XA01-008\n2 XA01-008_p3", {"main": {"XA01-008": 6}}),
        ("Main Deck (4)\n4 XA01-008\nTokens\n1 T-001\nSideboard\n1 XA01-010",
         {"main": {"XA01-008": 4}, "tokens": {"T-001": 1}, "side": {"XA01-010": 1}}),
        ("//resource deck\n10 R-001\n== Main ==\n1 XA01-008",
         {"main": {"XA01-008": 1}, "resource": {"R-001": 10}}),
        ("Count,Card Number,Card Name\n4,XA01-008,\"Watch, of a harbour\"\n10,R-001,Coin\n",
         {"main": {"XA01-008": 4}, "resource": {"R-001": 10}}),
        ('{"main": ["XA01-008", {"name": "Harbour Watch", "count": 2}], "side": {"XA01-010": 1}}',
         {"main": {"XA01-008": 3}, "side": {"XA01-010": 1}}),
        ("SB: 1 XA01-010\n2 XA01-008\nSide: Harbour Watch x2",
         {"side": {"XA01-010": 1, "XA01-008": 2}, "main": {"XA01-008": 2}}),
        ("** Sideboard **\n1 XA01-010\nMain: 2 cards\n2 XA01-008\nSideboard 1\n1 XB02-010",
         {"side": {"XA01-010": 1, "XB02-010": 1}, "main": {"XA01-008": 2}}),
        ("- Harbour Watch\n- 0 Tide", {"main": {"XA01-008": 1, "XA01-009": 1}}),
        ("Quantity,Name,Set,Number\n4,Harbour Watch,XA01,008", {"main": {"XA01-008": 4}}),
        ("Name;Qty;Section\nHarbour Watch;2;main\nCoin;3;resource",
         {"main": {"XA01-008": 2}, "resource": {"R-001": 3}}),
    ],
)  # fmt: skip
def test_whole_lists(text: str, expected: dict[str, dict[str, int]]) -> None:
    assert counts(text) == expected


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "it lists no cards"),
        ("# nothing\n\n", "it lists no cards"),
        ("\n4 Undertow", "line 2: Undertow may be XA01-010, XB02-010: write the number"),
        ("4 Harbor Watch", "no card is called 'Harbor Watch'; did you mean Harbour Watch (XA01-"),
        ("4 XA01-088", "no card is numbered XA01-088; did you mean Harbour Watch (XA01-008)?"),
        ("4 XA01-008 Undertow", "line 1: XA01-008 is Harbour Watch, not Undertow"),
        ("4 XA01-008\n1 Zzz", "line 2: no card is called 'Zzz'"),
        ("0 XA01-008", "of a card there are 1 to 100, not 0"),
        ("101 XA01-008", "of a card there are 1 to 100, not 101"),
        ("Harbor Watch\n4 XA01-008", "line 1: no card is called 'Harbor Watch'; did you mean"),
        ("XA01-008 Harbour Watch 4/50", "write 4 XA01-008"),
        ('["XA01-088"]', "line 1: no card is numbered XA01-088"),
        ("[" * 5000, "no card is called '[["),
        ('{"XA01-008": true}', "it lists no cards"),
        ("1 Zzz\n" * 30, "and 10 more"),
        ("x" * 5000, "no card is called 'xxx"),
        ("Count,Card Number\nmany,XA01-008", "line 2: 'many' is no number"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: str, fault: str) -> None:
    with pytest.raises(BadList) as refused:
        read(text, CARDS, {"D": DECK})
    assert fault in str(refused.value)


def test_what_all_decks_have_alike_need_not_be_typed() -> None:
    decks = {"D": DECK, "E": {**DECK, "main": ("XA01-008",)}}
    assert completed({"main": ["XA01-009"]}, decks) == {"main": ["XA01-009"], "resource": ["R-001"]}
    typed = {"main": ["XA01-009"], "resource": ["R-002"]}
    assert completed(typed, decks) == typed
    assert completed({"main": []}, {"D": DECK}) == {"main": []}  # which says nothing of others


@pytest.mark.parametrize("game", newest())
def test_lists_in_our_own_notation_are_read(game: str) -> None:
    book = Book.of(rulebook(game))
    for deck in book.decks.values():
        found = read(decklists.whole(deck), book.cards, book.decks)
        assert {p: sorted(c) for p, c in found.items()} == {p: sorted(c) for p, c in deck.items()}


@pytest.mark.parametrize("game", [game for game in newest() if game != "hollow_flux"])
def test_without_headings_cards_go_where_ready_made_decks_have_them(game: str) -> None:
    book = Book.of(rulebook(game))
    for deck in book.decks.values():
        cards = {part: ids for part, ids in deck.items() if part != "side"}
        found = read(
            "\n".join(card for ids in cards.values() for card in ids), book.cards, book.decks
        )
        assert {p: sorted(c) for p, c in found.items()} == {p: sorted(c) for p, c in cards.items()}
