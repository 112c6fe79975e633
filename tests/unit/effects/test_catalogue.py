"""Cards and decks as they are read from a game's folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import Struct, structs

from domain.effects.catalogue import BadCard, Catalogue
from domain.effects.language.words import Words


class Card(Struct, forbid_unknown_fields=True, frozen=True):
    id: str
    name: str
    power: int = 0
    text: str = ""


def row(cells):
    return {**cells, "power": int(cells["power"])}


def catalogue(folder: Path, decks: str = "", **files: str) -> Catalogue[Card]:
    (folder / "cards").mkdir()
    for name, found in files.items():
        (folder / "cards" / name.replace("_", ".")).write_text(found, "utf-8")
    (folder / "decks.toml").write_text(decks, "utf-8")
    return Catalogue(folder, Card, NO_WORDS, lambda card, known: (), row=row)


NO_WORDS = Words(zones=(), instructions={})
ROWS = "id\tname\tpower\nA-1\tAnt\t2\nB-1\tBee\t3\n"
TEXT = '[[card]]\nid = "A-1"\nname = "Ant"\ntext = "works"\n'


def test_a_table_adds_to_the_row_of_its_card(tmp_path: Path) -> None:
    found = catalogue(tmp_path, a_tsv=ROWS, a_toml=TEXT)
    assert [*found.cards.values()] == [Card("A-1", "Ant", 2, "works"), Card("B-1", "Bee", 3)]


@pytest.mark.parametrize(
    ("rows", "tables", "fault"),
    [
        (ROWS + "C-1\tCat\n", TEXT, "a.tsv, line 4: "),
        (ROWS + "C-1\tCat\tlots\n", TEXT, "a.tsv, line 4: invalid literal"),
        (ROWS + "A-1\tAnt\t2\n", TEXT, "A-1: listed twice"),
        (ROWS, TEXT + TEXT, "A-1: listed twice"),
        (ROWS, TEXT.replace("Ant", "Aunt"), "A-1: its row says another name"),
    ],
)
def test_slips_in_rows_are_named(tmp_path: Path, rows: str, tables: str, fault: str) -> None:
    with pytest.raises(BadCard, match=fault):
        catalogue(tmp_path, a_tsv=rows, a_toml=tables)


def test_a_deck_lists_cards_by_id_or_by_name(tmp_path: Path) -> None:
    decks = '[D]\ntitle = "D"\n[D.main]\nAnt = 2\nB-1 = 1\n'
    assert catalogue(tmp_path, decks, a_tsv=ROWS).decks["D"]["main"] == ("A-1", "A-1", "B-1")


def test_what_needs_its_text_declared_is_the_same_card(tmp_path: Path) -> None:
    def declarable(card: Card) -> Card:
        return structs.replace(card, text=card.text or "declared")

    catalogue(tmp_path, a_tsv=ROWS)
    cards = Catalogue(
        tmp_path, Card, NO_WORDS, lambda card, known: (), declarable=declarable, row=row
    )
    print_ = '{"id": "A-1", "name": "Ant", "power": 2}'
    assert cards.cards["A-1"].text == cards.known((print_,))["A-1"].text == "declared"
    cards.admit((print_,))
    with pytest.raises(BadCard, match="another card already"):
        cards.admit((print_.replace("2", "3"),))
