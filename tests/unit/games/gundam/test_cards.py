"""The card data of the first game: complete, strict, and said in documented words.

What the texts do is in `tables`; that their words are documented, in test_words.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import domain.effects
from domain.effects.catalogue import BadCard, digest
from domain.effects.language import check
from domain.effects.language.vocabulary import Clause, Effect
from domain.games import folder
from domain.games.gundam.lists import cards as catalogue
from domain.games.gundam.lists.cards import CATALOGUE, FIRST
from domain.games.gundam.rulebook import RULEBOOK
from domain.games.kit.lists import sources
from domain.games.kit.lists.cardfiles import laid_out
from domain.record.position import Position

CARDS = CATALOGUE.cards
VOCABULARY = Path(domain.effects.__file__).with_name("VOCABULARY.md").read_text("utf-8")
FURTHER = (Path(domain.effects.__file__).with_name("language") / "FURTHER.md").read_text("utf-8")
#: Names in data, which may be long.
NAMED = re.compile(r"'([^']+)'")
SETS = {"ST01", "ST02", "ST03", "ST04"}


# -- what is there ---------------------------------------------------------------------------------


def test_the_four_sets_are_complete() -> None:
    expected = {f"{name}-{n:03}" for name in SETS for n in range(1, 17)}
    assert {card for card in CARDS if card[:4] in SETS} == expected


def test_design_and_resources() -> None:
    tokens = {card.id for card in FIRST.cards.values() if card.token}
    assert tokens == {"EXB-001", "EXR-001", *(f"T-{n:03}" for n in range(1, 11))}
    assert {f"T-{n:03}" for n in range(1, 28)} < {c.id for c in CARDS.values() if c.token}
    base = CARDS["EXB-001"]
    assert (base.type, base.ap, base.hp) == ("base", 0, 3)  # gcg:4-17-4-1
    assert CARDS["R-001"].type == CARDS["EXR-001"].type == "resource"
    assert not CARDS["R-001"].token


@pytest.mark.parametrize("name", sorted(SETS))
def test_starter_decks_are_legal(name: str) -> None:
    assert RULEBOOK.check_deck(CATALOGUE.decks[name]) == []
    assert CATALOGUE.titles[name]


@pytest.mark.parametrize(
    ("card", "figures"),
    [
        ("ST01-001", ("unit", "blue", 4, 3, 3, 4)),
        ("ST02-011", ("pilot", "blue", 5, 1, 2, 1)),
        ("ST03-001", ("unit", "red", 6, 5, 5, 4)),
        ("ST04-013", ("command", "white", 2, 1, 1, 0)),
        ("ST04-015", ("base", "white", 3, 1, 0, 5)),
        ("T-010", ("unit", "", 0, 0, 2, 4)),
        ("GD01-048", ("unit", "red", 2, 2, 0, 1)),
        ("GD05-110", ("command", "red", 4, 1, 0, 0)),
        ("EXBP-031", ("base", "", 0, 0, 0, 3)),
    ],
)
def test_figures(card: str, figures: tuple[object, ...]) -> None:
    c = CARDS[card]
    assert (c.type, c.color, c.lv, c.cost, c.ap, c.hp) == figures


def test_every_link_condition_is_met_by_some_card() -> None:
    riders = [c for c in CARDS.values() if c.type == "pilot" or c.pilot]
    for card in CARDS.values():
        met = [not card.links]
        for key, wanted in (pair for filter_ in card.links for pair in filter_.items()):
            assert isinstance(wanted, list)
            have = [" ".join(c.called("pilot") if key == "name" else c.traits) for c in riders]
            met += [any(one in names for one in wanted for names in have)]  # 1.9: 3-2-6-4
        assert any(met), card.id


def test_a_link_condition_of_a_name_or_a_trait_is_met_by_either() -> None:
    unit = CARDS["GD04-045"]
    assert unit.links == ({"trait": ["Trinity"]}, {"name": ["Ali al-Saachez"]})


def test_a_command_has_its_pilots_name_only_beneath_a_unit() -> None:
    card = CARDS["ST01-013"]
    assert card.called() == ("Kai's Resolve",)
    assert card.called("pilot") == ("Kai's Resolve", "Kai Shiden")


def test_no_wording_is_in_the_data() -> None:
    def strings(data: object) -> Iterator[str]:
        if isinstance(data, str):
            yield data
        elif isinstance(data, dict):
            for value in data.values():
                yield from strings(value)
        elif isinstance(data, list):
            for value in data:
                yield from strings(value)

    for table in CATALOGUE.tables:
        names = {table["name"], *NAMED.findall(str(table.get("link", "")))}
        texts = {*strings(table)} - names
        assert all(len(text) < 50 and ". " not in text for text in texts), table["id"]


def test_every_card_that_a_program_has_written_is_sound() -> None:
    tables = [table for table in CATALOGUE.tables if "effect" in table]
    assert CATALOGUE.parse(CATALOGUE.tables, printed=True)
    assert {card.id for card in CARDS.values() if card.unread}.isdisjoint(t["id"] for t in tables)


def test_files_of_programs_are_laid_out_as_they_write_them() -> None:
    for file in (folder("gundam") / "lists" / "cards").glob("*.json"):
        text = file.read_text("utf-8")
        assert text == laid_out(json.loads(text)), file.name


def test_it_is_known_of_what_the_texts_of_each_card_were_made() -> None:
    known = sources.known(folder("gundam"))
    assert known.keys() == CARDS.keys()
    for card in CARDS.values():
        source = known[card.id]
        assert (source.made == sources.DECLARED) == card.unread, card.id
        assert bool(source.digest) == (source.made != sources.NOTHING), card.id
        assert bool(source.why) == (source.made == sources.HAND), card.id


def test_the_digest_follows_the_data_and_not_its_layout() -> None:
    tables = FIRST.tables
    assert re.fullmatch("[0-9a-f]{64}", CATALOGUE.digest)
    assert digest(tables[::-1]) == FIRST.digest != CATALOGUE.digest
    assert digest([tables[0] | {"ap": tables[0]["ap"] + 1}, *tables[1:]]) != CATALOGUE.digest


# -- slips are named -------------------------------------------------------------------------------

UNIT = {"id": "X-1", "name": "X", "type": "unit", "hp": 1}
UNSAID = Effect(kind="triggered", name="e", on="deploy")
PAY = {"do": "pay", "n": 1}
ENEMY = {"zone": "battle", "whose": "theirs", "match": {"type": "unit"}}


def triggered(*do: dict[str, Any], **more: Any) -> dict[str, Any]:
    effect = {"kind": "triggered", "name": "e", "on": "deploy", "do": list(do)} | more
    return UNIT | {"effect": [effect]}


CHEAPER = {"do": "modify", "key": "cost", "n": -1}


def priced(*do: dict[str, Any], **more: Any) -> dict[str, Any]:
    return triggered(*do, **({"kind": "play", "on": "", "zone": "hand"} | more))


def performing(effect: str) -> dict[str, Any]:
    return triggered({"do": "perform", "effect": effect}, name="f")


def paid(*costs: dict[str, Any]) -> dict[str, Any]:
    return triggered({"do": "draw"}, kind="activated", on="", at=["main"], cost=list(costs))


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (UNIT | {"wording": "…"}, "unknown field `wording`"),
        (UNIT | {"type": "Unit"}, "Invalid enum value 'Unit'"),
        (UNIT | {"hp": 0}, "a unit needs HP"),
        (UNIT | {"ap": -1}, "never negative"),
        (UNIT | {"id": "X/1"}, "letters, digits and dashes"),
        (UNIT | {"link": {"nam": ["A"]}}, "unknown attribute 'nam'"),
        (UNIT | {"keywords": {"repair": True}}, "repair needs a number"),
        (UNIT | {"keywords": {"blocker": 2}}, "blocker needs true"),
        (UNIT | {"keywords": {"flying": True}}, "unknown keyword 'flying'"),
        (UNIT | {"pilot": {"name": "A"}}, "only Commands have a pilot side"),
        (UNIT | {"token": True, "lv": 1}, "a token has no color, Lv or cost"),
        (triggered({"do": "drew"}), "e, drew: unknown instruction"),
        (triggered({"do": "draw", "place": "hand"}), "e, draw: it does not use `place`"),
        (triggered({"do": "move", "to": {"zone": "this"}}), "e, move: it needs `place`"),
        (triggered({"do": "move", "to": {"zone": "this"}, "place": "bin"}), "unknown zone 'bin'"),
        (triggered({"do": "rest", "to": ENEMY, "choose": {"of": ENEMY}}), "exclude each other"),
        (triggered({"do": "rest", "to": ENEMY | {"whose": "mine"}}), "Invalid enum value 'mine'"),
        (triggered({"do": "rest", "to": {"match": {"hp": "few"}}}), "hp can't be tested"),
        (triggered({"do": "rest", "to": {"match": {"type": "Unit"}}}), "there is no type 'Unit'"),
        (triggered({"do": "modify", "key": "ap"}), "e, modify: it needs `until`"),
        (triggered({"do": "modify", "key": "luck", "until": "turn"}), "unknown figure 'luck'"),
        (triggered({"do": "gain", "key": "breach", "until": "turn"}), "breach needs a number"),
        (triggered({"do": "rest", "to": ENEMY, "until": "dawn"}), "does not use `until`"),
        (triggered({"do": "token", "token": "T-999"}), "there is no token 'T-999'"),
        (triggered({"do": "perform", "effect": "main"}), "the card has no effect 'main'"),
        (triggered({"do": "damage", "n": 1}), "dealt to cards or to a player"),
        (triggered({"do": "destroy", "n": 1, "to": ENEMY}), "e, destroy: it does not use `n`"),
        (triggered({"do": "draw", "random": False}), "e, draw: it does not use `random`"),
        (
            triggered({"do": "draw"}, kind="activated", on="", cost=[{"do": "pay", "x": True}]),
            "the cost pay does not use `x`",
        ),
        (
            triggered({"do": "one-of", "value": ["n"], "options": [[{"do": "draw"}]]}),
            "texts of this game do not use `ways`",
        ),
        (triggered({"do": "draw", "when": [{"most": 9}]}), "go with `count`"),
        (triggered({"do": "discard", "n": -1}), "e, discard: `n` is less than nothing"),
        (triggered({"do": "rest", "to": ENEMY | {"top": -1}}), "`top` counts cards of a zone"),
        (triggered({"do": "rest", "to": {"zone": "it", "top": 1}}), "`top` counts cards of a zone"),
        (triggered({"do": "lose", "key": "flying", "until": "turn"}), "unknown keyword 'flying'"),
        (triggered({"do": "gain", "key": "repair", "value": 0, "until": "turn"}), "needs a number"),
        (triggered({"do": "token", "token": "T-001", "orient": "sideways"}), "lies 'sideways'"),
        (triggered({"do": "ex-resource", "orient": "asleep"}), "nothing lies 'asleep' there"),
        (triggered({"do": "move", "place": "hand", "orient": "rested"}), "nothing lies 'rested'"),
        (triggered({"do": "move", "place": "battle"}), "e, move: nothing is moved to 'battle'"),
        (triggered({"do": "look", "place": "trash"}), "e, look: what lies in 'trash' lies open"),
        (
            triggered(
                {
                    "do": "gain",
                    "key": "blocker",
                    "value": True,
                    "until": "turn",
                    "to": {"zone": "trash", "whose": "yours"},
                }
            ),
            "lies in 'trash' is affected",
        ),
        (triggered({"do": "draw", "when": [{"count": ENEMY, "least": -1}]}), "less than nothing"),
        (triggered({"do": "draw", "when": [{}]}), "a condition asks for something"),
        (triggered({"do": "draw", "when": [{"least": 2}]}), "go with `count`"),
        (triggered({"do": "one-of", "options": [[{"do": "drew"}]]}), "drew: unknown instruction"),
        (triggered({"do": "draw"}, on="dawn"), "unknown occurrence 'dawn'"),
        (triggered({"do": "draw"}, on="burst", about=ENEMY), "a Burst is its own card's"),
        (
            triggered({"do": "draw"}, kind="activated", on="", at=["main"], cost=[PAY, PAY]),
            "each kind of cost stands there once",
        ),
        (triggered({"do": "draw"}, on=""), "`on` belongs to"),
        (triggered({"do": "draw"}, at=["main"]), "`at` belongs to"),
        (triggered({"do": "draw"}, cost=[{"do": "rest"}]), "only activated effects have a cost"),
        (triggered({"do": "draw"}, zone="base"), "no effect works in 'base'"),
        (triggered({"do": "draw"}, zone="hand"), "e: nobody sees what lies there"),
        (priced({"do": "draw"}), "e: it changes the Lv and the cost of this card alone"),
        (priced(CHEAPER, zone=""), "it says in its `zone` from where the card is played"),
        (priced({**CHEAPER, "to": ENEMY}), "it changes the Lv and the cost of this card alone"),
        (
            priced(CHEAPER, when=[{"count": {"zone": "hand", "whose": "theirs"}}]),
            "what a card costs hangs on what all can see",
        ),
        (priced(CHEAPER, cost=[{"do": "pay"}]), "to play a card its cost is paid as it is"),
        (priced(CHEAPER, cost=[{"do": "exile"}]), "the card that is played can't be given for it"),
        (
            UNIT | {"effect": [*priced(CHEAPER)["effect"], *performing("e")["effect"]]},
            "f: nobody carries out what its card costs",
        ),
        (priced(CHEAPER, limit="turn"), "a play effect has no limit"),
        (
            triggered({**CHEAPER, "until": "turn"}),
            "a cost is changed where the card is played from",
        ),
        (
            paid({"do": "exile", "of": {"zone": "trash"}}),
            "exile is of your own cards: battle or base or hand or trash",
        ),
        (paid({"do": "destroy", "n": 2}), "this card is given once: `n` goes with `of`"),
        (triggered({"do": "draw"}, on="lost"), "lost sets nothing off: it can only be replaced"),
        (triggered({"do": "draw"}, kind="replacement", on="dawn"), "unknown occurrence 'dawn'"),
        (
            triggered({"do": "draw"}, kind="replacement", on="lost", about={"match": {"lv": 1}}),
            "of `about` it uses `whose` alone",
        ),
        (triggered({"do": "draw"}, provided=[{"least": 2}]), "go with `count`"),
        (triggered({"do": "draw"}, kind="replacement", provided=[{"turn": "yours"}]), "`provided`"),
        (triggered({"do": "draw"}, kind="constant", on=""), "a constant effect modifies"),
        (triggered(kind="constant", on=""), "it needs `do`"),
        (triggered({"do": "draw"}, kind="command", on="", at=["main"]), "only Commands have"),
    ],
)
def test_a_slip_is_named(table: dict[str, Any], expected: str) -> None:
    with pytest.raises(BadCard) as caught:
        CATALOGUE.parse([table])
    assert expected in str(caught.value)
    assert str(caught.value).startswith(f"{table['id']}: ")


@pytest.mark.parametrize("on", sorted(catalogue.WORDS.occurrences | {"lost"}))
def test_what_can_happen_can_be_replaced_or_a_reason_is_given(on: str) -> None:
    card = triggered({"do": "draw"}, kind="replacement", on=on)
    if why := catalogue.WORDS.replaceable[on]:
        with pytest.raises(BadCard, match=f"{on} can't be replaced: {why}"):
            CATALOGUE.parse([card])
    else:
        assert f"| `{on}` |" in VOCABULARY.partition("## Replacement")[2]
        assert CATALOGUE.parse([card])


def test_all_faults_are_listed_at_once() -> None:
    with pytest.raises(BadCard) as caught:
        CATALOGUE.parse([UNIT | {"hp": 0}, UNIT | {"id": "X-2", "ap": -1}, UNIT])
    assert {line.partition(":")[0] for line in str(caught.value).splitlines()} == {"X-1", "X-2"}
    assert str(caught.value).count("\n") == 2


def test_only_the_catalogue_must_be_whole() -> None:
    assert CATALOGUE.parse([UNIT])["X-1"].hp == 1
    with pytest.raises(BadCard, match="color, Lv and cost"):
        CATALOGUE.parse([UNIT], printed=True)


def test_a_text_without_a_clause_is_left_to_be_declared() -> None:
    assert CATALOGUE.parse([triggered()])["X-1"].effects[0].do == []


def test_declared_clauses_are_checked_alike() -> None:
    text = '[{"do": "draw", "n": 2}, {"do": "token", "token": "T-999"}]'
    faults = catalogue.declaration_faults(text, UNSAID, Position())
    assert faults == ["e, token: there is no token 'T-999'"]
    assert catalogue.declaration_faults("[]", UNSAID, Position())
    assert catalogue.declaration_faults("draw two", UNSAID, Position())


# -- fields are documented, and the document is true ---------------------------------------


def documented(*words: str, pages: str = VOCABULARY) -> list[str]:
    """Those that the document does not mention as code."""
    code = " ".join(re.findall(r"`([^`\n]+)`", pages))
    return [word for word in words if not re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", code)]


@pytest.mark.parametrize("struct", [*catalogue.WORDS.instructions.values(), Effect])
def test_every_field_is_documented(struct: type[msgspec.Struct]) -> None:
    unused = {"cites", "up", "zone"}  # no card of a game here can use them
    names = {field.name for field in msgspec.structs.fields(struct)} - unused
    assert documented(*names, pages=VOCABULARY + FURTHER) == []


def test_the_examples_are_right() -> None:
    blocks = re.findall(r"```toml\n(.*?)```", VOCABULARY, re.DOTALL)
    assert len(blocks) >= 3
    for block in blocks:
        CATALOGUE.parse(tomllib.loads(block)["card"])


def test_the_example_of_a_declaration_is_right() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", VOCABULARY, re.DOTALL)
    assert catalogue.declaration_faults(block, UNSAID, Position()) == []


def test_the_short_examples_are_right() -> None:
    short = re.findall(r"`(\{ do = .*? \})`", VOCABULARY)
    assert {"draw", "move", "one-of", "forbid"} <= {
        tomllib.loads(f"c = {s}")["c"]["do"] for s in short
    }
    for text in short:
        table = tomllib.loads(f"c = {text}")["c"]
        if table["do"] == "pay" or table == {"do": "rest"}:
            continue  # costs
        expected = msgspec.structs.replace(UNSAID, do=[catalogue.WORDS.convert(table, Clause)])
        assert list(check.faults(expected, catalogue.WORDS, ["main", "debt"], ["T-001"])) == [], (
            text
        )


@pytest.mark.parametrize(
    ("group", "found"),
    [
        ({"zone": "hand", "whose": "theirs", "match": {"type": "unit"}}, True),
        ({"zone": "shield", "whose": "yours", "match": {"type": "unit"}}, True),
        ({"zone": "hand", "whose": "yours", "match": {"type": "unit"}}, False),
        ({"zone": "hand", "whose": "theirs"}, False),
        ({"zone": "trash", "whose": "theirs", "match": {"type": "unit"}}, False),
    ],
)
@pytest.mark.parametrize("place", ["effect", "clause"])
def test_no_condition_asks_what_its_player_cant_see(group: dict, found: bool, place: str) -> None:
    when = [{"count": group}]
    clause = {"do": "draw"} | ({"when": when} if place == "clause" else {})
    card = triggered(clause, **({"when": when} if place == "effect" else {}))
    if found:
        with pytest.raises(BadCard, match="can't tell which cards"):
            CATALOGUE.parse([card])
    else:
        CATALOGUE.parse([card])
