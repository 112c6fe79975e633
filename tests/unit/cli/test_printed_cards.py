"""Lists of printed cards are read, compiled and compared; what is wrong with them is named."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from domain import games
from domain.effects.catalogue import Catalogue
from domain.games.kit.lists.cardfiles import laid_out
from tests.unit.cli.clis import run

ROW: dict[str, Any] = {
    "card_number": "ZZ01-001", "name": "Harbour Watch", "card_type": "UNIT", "color": "Blue",
    "level": 3, "cost": 2, "ap_raw": "2", "hp_raw": "4", "zone": "Space Earth",
    "traits": ["Harbour"], "link": "-", "effect": "-",
}  # fmt: skip
PILOT = {"card_type": "PILOT", "ap_raw": "+1", "hp_raw": "+0", "zone": "-"}
TEXT = "【Deploy】Draw 1."


def listed(folder: Path, *rows: dict[str, Any], name: str = "cards.json") -> Path:
    file = folder / name
    file.write_text(json.dumps({"source": "invented", "cards": rows}, indent=1), "utf-8")
    return file


def read(**other: Any) -> dict[str, Any]:
    return games.reading("gundam").read({**ROW, **other}).table


@pytest.mark.parametrize(
    ("other", "key", "value"),
    [
        ({}, "traits", ["Harbour"]),
        ({"traits": "(Harbour) (Tide)"}, "traits", ["Harbour", "Tide"]),
        ({"traits": "Harbour / Tide"}, "traits", ["Harbour", "Tide"]),
        ({}, "terrain", ["space", "earth"]),
        ({"zone": "-"}, "terrain", None),
        ({"ap_raw": None}, "ap", None),
        (PILOT, "ap", 1),
        (PILOT, "hp", None),
        ({"name": "Harbour\u200b  Master\u2019s"}, "name", "Harbour Master's"),
        ({"link": "[Ada Quill]"}, "link", {"name": ["Ada Quill"]}),
        ({"link": "[Ada Quill] / [Bo Reed (Tide)]"}, "link",
         {"name": ["Ada Quill", "Bo Reed (Tide)"]}),
        ({"link": "(Harbour) / (Tide) Trait"}, "link", {"trait": ["Harbour", "Tide"]}),
        ({"link": "(Tide) Trait / [Ada Quill]"}, "link",
         [{"trait": ["Tide"]}, {"name": ["Ada Quill"]}]),
        ({"card_type": "UNIT TOKEN", "color": None, "level": None, "cost": None}, "token", True),
        ({"card_type": "COMMAND", "effect": f"{TEXT}\n【Pilot】[Ada Quill]"}, "pilot",
         {"name": "Ada Quill"}),
        ({"card_type": "EX BASE", "effect": "(Place it.)"}, "type", "base"),
    ],
)  # fmt: skip
def test_figures_are_read(other: dict[str, Any], key: str, value: Any) -> None:
    assert read(**other).get(key) == value


@pytest.mark.parametrize(
    ("other", "fault"),
    [
        ({"card_number": "one"}, "line 4, column card_number: 'ONE' is no card number"),
        ({"name": ""}, "column name: a card has a name"),
        ({"card_type": "Ship"}, "column card_type: there is no type 'SHIP'; there are UNIT"),
        ({"color": "Blue Red"}, "column color: a card has one color, not 2"),
        ({"color": "pink"}, "column color: 'pink' is none of blue"),
        ({"cost": "X"}, "column cost: 'X' is no figure"),
        ({"zone": "sea"}, "column zone: 'sea' is none of earth, space"),
        ({"link": "Ada"}, "column link: 'Ada' is no [name] and no (trait)"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, other: dict[str, Any], fault: str) -> None:
    done = run("cards", "compile", listed(tmp_path, {**ROW, **other}), code=1)
    assert fault in done.stderr


def test_two_cards_of_one_number_are_a_fault_and_one_that_is_there_twice_is_not(
    tmp_path: Path,
) -> None:
    done = run("cards", "compile", listed(tmp_path, ROW, {**ROW, "cost": 3}), code=1)
    assert "ZZ01-001 is another card above" in done.stderr
    run("cards", "compile", listed(tmp_path, ROW, ROW))


def test_what_a_table_and_json_say_is_the_same(tmp_path: Path) -> None:
    row = {**ROW, "effect": f"【Burst】Add this card to your hand.\n{TEXT}"}
    file = tmp_path / "cards.csv"
    with file.open("w", newline="", encoding="utf-8-sig") as out:
        writer = csv.DictWriter(out, row, delimiter=";")
        writer.writeheader()
        writer.writerow({**row, "traits": "Harbour"})
    tables = [
        json.loads(run("cards", "compile", "--json", one).stdout)
        for one in (file, listed(tmp_path, row))
    ]
    assert tables[0] == tables[1]
    (card,) = tables[0]
    assert card["made"] == "print"
    assert [effect["on"] for effect in card["card"]["effect"]] == ["burst", "deploy"]


def test_files_are_written_and_nothing_of_a_text_is_in_them(tmp_path: Path) -> None:
    odd = {**ROW, "card_number": "ZZ01-002", "effect": "【Deploy】Whistle a merry tune."}
    rows = {**ROW, "effect": TEXT}, odd, {**ROW, "card_number": "ZZ01-003"}
    done = run("cards", "compile", listed(tmp_path, *rows), "--into", tmp_path, "--declined")
    assert "ZZ01-002: words: " in done.stdout
    written = (tmp_path / "cards" / "zz01.json").read_text("utf-8")
    assert written == laid_out(json.loads(written))
    first, second, third = json.loads(written)
    assert [effect["name"] for effect in first["effect"]] == ["deploy"]
    assert second["unread"]
    assert "unread" not in third
    made = (tmp_path / "sources" / "zz01.tsv").read_text("utf-8")
    assert [row.split("\t")[1] for row in made.splitlines()] == ["made", "print", "declared", "-"]
    assert "tune" not in written + made


def test_what_the_hand_has_written_is_not_written_twice(tmp_path: Path) -> None:
    """A card that the catalogue has by hand gets figures only; other figures are reported."""
    card = games.rulebook("gundam@1.9").cards["ST01-004"]
    row = {
        **ROW, "card_number": card.id, "name": card.name, "level": card.lv, "cost": card.cost,
        "ap_raw": card.ap, "hp_raw": card.hp, "traits": [*card.traits],
        "link": "[Hayato Kobayashi]", "effect": TEXT,
    }  # fmt: skip
    (same,) = json.loads(run("cards", "compile", "--json", listed(tmp_path, row)).stdout)
    assert (same["made"], "effect" in same["card"]) == ("hand", False)
    done = run("cards", "compile", listed(tmp_path, {**row, "cost": 9}), "--into", tmp_path)
    assert "ST01-004: cost is 2 by hand, 9 in print" in done.stdout
    assert json.loads((tmp_path / "cards" / "st01.json").read_text("utf-8")) == []


def test_errata_and_new_cards_are_found(tmp_path: Path) -> None:
    card = games.rulebook("gundam@1.9").cards["ST01-005"]
    row = {
        **ROW, "card_number": card.id, "name": card.name, "level": card.lv, "cost": card.cost,
        "ap_raw": card.ap, "hp_raw": card.hp, "traits": [*card.traits],
    }  # fmt: skip
    run("cards", "check", listed(tmp_path, row))
    other = {**row, "hp_raw": "9", "effect": TEXT}
    done = run("cards", "check", listed(tmp_path, other, ROW), code=1)
    for text in ("hp: 9 in print, 2 here", "its text is another", "no such card is known"):
        assert text in done.stdout


def test_a_card_that_a_program_has_written_goes_with_what_the_hand_adds(tmp_path: Path) -> None:
    from tests.unit.effects.test_catalogue import NO_WORDS, Card

    (tmp_path / "cards").mkdir()
    (tmp_path / "decks.toml").write_text("", "utf-8")
    written = [{"id": "A-1", "name": "Ant", "power": 2}, {"id": "B-1", "name": "Bee"}]
    (tmp_path / "cards" / "a.json").write_text(laid_out(written), "utf-8")
    (tmp_path / "cards" / "a.toml").write_text('[[card]]\nid = "B-1"\ntext = "works"\n', "utf-8")
    found = Catalogue(
        tmp_path, Card, NO_WORDS, lambda card, known: ["a fault"] * (card.id == "A-1")
    )
    assert [*found.cards.values()] == [Card("B-1", "Bee", 0, "works"), Card("A-1", "Ant", 2)]


@pytest.mark.parametrize("wanted", ["Guntnk", "GD01-0008"])
def test_a_card_that_is_not_there_is_answered_with_the_nearest(wanted: str) -> None:
    assert "Guntank (" in run("cards", wanted, code=3).stderr
