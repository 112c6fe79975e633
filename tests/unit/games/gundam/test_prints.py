"""What the book says must be printed on cards is asked of card data when it is loaded."""

import pytest

from domain.effects.catalogue import BadCard
from domain.games.gundam.lists.cards import CATALOGUE

parse = CATALOGUE.parse

UNIT = {"id": "X-1", "name": "X", "type": "unit", "color": "red", "lv": 1, "cost": 1, "hp": 1}


@pytest.mark.rule("gcg:2-8-2", "gcg:2-9-2", "gcg:2-4-2")
@pytest.mark.parametrize("figure", ["color", "lv", "cost"])
def test_every_card_of_a_deck_has_a_color_a_level_and_a_cost(figure):
    assert parse([UNIT], printed=True)["X-1"].lv == 1
    with pytest.raises(BadCard, match="all but tokens and Resources have a color, Lv and cost"):
        parse([{key: value for key, value in UNIT.items() if key != figure}], printed=True)
    parse([{"id": "X-2", "name": "Y", "type": "resource"}], printed=True)


@pytest.mark.rule("gcg:1-2-4")
def test_no_text_concedes():
    effect = {"kind": "triggered", "name": "x", "on": "deploy", "do": [{"do": "concede"}]}
    with pytest.raises(BadCard, match="concede: unknown instruction"):
        parse([UNIT | {"effect": [effect]}])


@pytest.mark.rule("gcg:2-11-2", "gcg@1.9:3-2-6")
def test_only_units_have_a_link_condition():
    link = {"link": {"name": ["Amuro Ray"]}}
    assert parse([UNIT | link])["X-1"].link
    with pytest.raises(BadCard, match="only Units have a link condition"):
        parse([UNIT | link | {"type": "base"}])
