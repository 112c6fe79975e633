"""Lists in files of other programs."""

from __future__ import annotations

import pytest

from domain.record.schema.listing import ListForm, ListHeading
from domain.text import decklists
from domain.text.deckfiles import BadFile, form_of, read, write
from tests.playouts import PAIRS, rulebook

FORM = ListForm(
    ".lst",
    4,
    (
        ListHeading("#main", "main"),
        ListHeading("#extra", "extra"),
        ListHeading("!side", "side"),
    ),
)
KNOWN = {"0012", "0345", "6789"}
WHOLE = "#created by Ann\n#main\n12\n12\n345\n#extra\n6789\n!side\n0345\n"
PARTS = {"main": ["0012", "0012", "0345"], "extra": ["6789"], "side": ["0345"]}


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (WHOLE, PARTS),
        (WHOLE.replace("\n", "\r\n"), PARTS),
        ("\ufeff" + WHOLE.replace("\n", "\r"), PARTS),
        (WHOLE.replace("\n", " \n\n\t").upper().replace("12", "# a remark\n12"), PARTS),
        ("12", {"main": ["0012"]}),
        ("#main\n12\n!side\n345", {"main": ["0012"], "side": ["0345"]}),
        ("#extra\n6789\n#main\n12\n#extra\n6789", {"main": ["0012"], "extra": ["6789", "6789"]}),
    ],
)
def test_a_file_says_a_list(text: str, parts: dict[str, list[str]]) -> None:
    assert read(text, FORM, KNOWN) == parts


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "it lists no cards"),
        ("#main\n!side\n", "it lists no cards"),
        ("#main\n12\n99", "line 3: no card is numbered 99"),
        ("#main\r\n12\r\n99\r\n98", "line 3: no card is numbered 99; line 4: no card is numbered"),
        ("#main\nMoon", "line 2: 'Moon' is no card"),
        ("#main\n3 12", "line 2: '3 12' is no card"),
        ("#main\n-12", "line 2: '-12' is no card"),
        ("#main\n1²", "line 2: '1²' is no card"),
        ("!deck\n12", "line 1: '!deck' is no card"),
        ("1234567890" * 50, "line 1: no card is numbered 1234567890"),
        ("99\n" * 30, "and 10 more"),
    ],
)
def test_what_is_wrong_with_a_file_is_named_with_its_line(text: str, fault: str) -> None:
    with pytest.raises(BadFile) as refused:
        read(text, FORM, KNOWN)
    assert fault in str(refused.value)


def test_a_list_is_written_as_it_is_read() -> None:
    text = write(PARTS, FORM, "Ann's\nlist")
    assert text == "# Ann's list\n#main\n12\n12\n345\n#extra\n6789\n!side\n345\n"
    assert read(text, FORM, KNOWN) == PARTS


@pytest.mark.parametrize("parts", [{"main": ["X-01"]}, {"main": ["12"]}, {"deck": ["0012"]}])
def test_what_a_form_has_no_room_for_is_not_written(parts: dict[str, list[str]]) -> None:
    with pytest.raises(ValueError, match=r"no number of 4 digits|no part deck"):
        write(parts, FORM)


def test_a_form_is_known_by_the_name_of_the_file() -> None:
    assert form_of("Mine.LST", [FORM]) == FORM
    assert form_of("mine.toml", [FORM]) is None


# -- deck lists as text ----------------------------------------------------------------------------


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
