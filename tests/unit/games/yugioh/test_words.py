"""The words of Yu-Gi-Oh!: each is on one of the pages, and each instruction is carried out."""

from __future__ import annotations

import re
from pathlib import Path

import domain.effects
import domain.games.yugioh.effects
from domain.effects.language.check import faults
from domain.effects.language.vocabulary import Effect
from domain.games.yugioh.choices.costs import COSTS
from domain.games.yugioh.lists.words import WORDS

PAGES = [
    Path(domain.effects.__file__).with_name("VOCABULARY.md"),
    Path(domain.effects.__file__).with_name("language") / "FURTHER.md",
    Path(domain.games.yugioh.effects.__file__).with_name("WORDS.md"),
]


def test_every_cost_is_met_in_a_way() -> None:
    assert WORDS.costs.keys() == COSTS.keys()


def test_what_is_made_of_other_cards_is_not_chosen_at_random() -> None:
    def texts(by: str) -> list[str]:
        of = {"zone": "extra", "whose": "yours"}
        made = {"do": "summon", "key": "fusion", "choose": {"of": of, "by": by}, "using": of}
        effect = WORDS.convert({"kind": "command", "name": "text", "do": [made]}, Effect)
        return [*map(str, faults(effect, WORDS, ["text"], []))]

    assert texts("you") == []
    (fault,) = texts("random")
    assert "not chosen at random" in fault


def test_every_word_is_on_a_page() -> None:
    code = " ".join(
        word for page in PAGES for word in re.findall(r"`([^`\n]+)`", page.read_text("utf-8"))
    )
    words = {*WORDS.occurrences, *WORDS.timings, *WORDS.acts, *WORDS.attributes, *WORDS.zones}
    words |= {*WORDS.instructions} | {cost.removesuffix("-this") for cost in WORDS.costs}
    assert {word for word in words if not re.search(rf"(?<![\w-]){word}(?![\w-])", code)} == set()
