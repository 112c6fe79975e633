"""What means nothing in a card's text is refused as the card is loaded, in every game."""

from __future__ import annotations

import pytest
from msgspec import json

from domain import games
from domain.effects.catalogue import BadCard
from domain.engine.match import Deck, Match, Opening

MONSTER = {
    "type": "monster", "kind": ["effect"], "stars": 4, "attribute": "dark", "race": "fiend",
    "atk": 1000, "def": 1000,
}  # fmt: skip
SPELL = {"type": "spell", "kind": ["normal"]}
SPIRIT = {
    "type": "spirit", "colors": ["red"], "cost": 0, "icons": ["A"], "levels": [[1, 1000]],
}  # fmt: skip
DRAW = [{"do": "draw"}]


def _constant(**clause: object) -> dict[str, object]:
    return {"kind": "constant", "do": [clause]}


def _early(layer: str = "", **group: object) -> dict[str, object]:
    return _constant(do="modify", key="atk", n=500, layer=layer, to={"zone": "monster", **group})


@pytest.mark.parametrize(
    ("game", "card", "effect", "fault"),
    [
        *(
            ("yugioh", SPELL, {"kind": "command", "cost": [{"do": cost}], "do": DRAW}, "needs `of`")
            for cost in ("send", "banish", "overlay", "take")
        ),
        *(
            ("yugioh", SPELL, {"kind": "command", "cost": [{"do": cost}], "do": DRAW}, "`key`")
            for cost in ("take-this", "oath")
        ),
        *(
            (
                "battle_spirits", SPIRIT,
                {"kind": "activated", "at": ["main"], "cost": [{"do": cost}], "do": DRAW},
                "needs `of`",
            )
            for cost in ("discard", "show", "exhaust")
        ),
        (
            "battle_spirits", SPIRIT,
            {"kind": "activated", "at": ["main"], "on": "beats", "do": DRAW}, "`on` belongs",
        ),
        (
            "battle_spirits", SPIRIT,
            {"kind": "triggered", "on": "beats", "may": True, "misses": True, "do": DRAW},
            "do not use `misses`",
        ),
        (
            "yugioh", SPELL,
            {"kind": "activated", "zone": "hand", "at": ["condition"], "do": [{"do": "deploy"}]},
            "only a monster Special Summons itself so",
        ),
        ("yugioh", MONSTER, _early(match={"early-atk": "!=1000"}), "early-atk is worked out"),
        ("yugioh", MONSTER, _early(most="early-atk"), "early-atk is worked out"),
        (
            "yugioh", MONSTER,
            _early(like={"key": "name", "of": {"match": {"early-atk": "<=5"}}}),
            "early-atk is worked out",
        ),
        (
            "yugioh", MONSTER, _constant(do="destroy", to={"zone": "hand", "whose": "yours"}),
            "'hand' is hidden",
        ),
    ],
)  # fmt: skip
def test_what_means_nothing_is_refused(
    game: str, card: dict[str, object], effect: dict[str, object], fault: str
) -> None:
    text = json.encode(
        {"id": "Z-1", "name": "Zed", **card, "effect": [{"name": "e", **effect}]}
    ).decode()
    with pytest.raises(BadCard, match=fault):
        games.rulebook(game).admit((text,))


def test_a_number_that_counts_late_may_hang_on_one_that_does_not() -> None:
    text = {"id": "Z-1", "name": "Zed", **MONSTER}
    text["effect"] = [{"name": "e", **_early("last", match={"early-atk": ">=1000"})}]
    games.rulebook("yugioh").admit((json.encode(text).decode(),))


@pytest.mark.parametrize("game", games.newest())
def test_a_list_that_nothing_is_wrong_with_can_be_played(game: str) -> None:
    """Parts that a list may be without are left out of it."""
    rules = games.rulebook(game)
    whole = dict(rules.decks[next(iter(rules.decks))])
    for part in list(whole):
        parts = {name: cards for name, cards in whole.items() if name != part}
        if not rules.check_deck(parts):
            whole = parts
    deck = Deck("bare", whole)
    match = Match.open(rules, Opening(("Ann", "Ben"), (deck, deck), 0), lambda kind, of: (
        tuple(range(of)) if kind in ("shuffle", "order") else (0,)
    ))  # fmt: skip
    assert match.pos.decision is not None
