"""The words of the fourth game: each is on one of the pages, and carried out."""

from __future__ import annotations

import re
from pathlib import Path

import domain.effects
import domain.games.battle_spirits
from domain.games.battle_spirits.effects.instructions.costs import WAYS
from domain.games.battle_spirits.lists.words import WORDS

PAGES = [
    Path(domain.effects.__file__).with_name("VOCABULARY.md"),
    Path(domain.effects.__file__).with_name("language") / "FURTHER.md",
    Path(domain.games.battle_spirits.__file__).with_name("effects") / "WORDS.md",
]


def test_every_cost_is_met_in_a_way() -> None:
    assert WORDS.costs.keys() == WAYS.keys()


def test_every_word_is_on_a_page() -> None:
    code = " ".join(
        word for page in PAGES for word in re.findall(r"`([^`\n]+)`", page.read_text("utf-8"))
    )
    words = {*WORDS.occurrences, *WORDS.timings, *WORDS.acts, *WORDS.attributes, *WORDS.zones}
    words |= {*WORDS.instructions, *WORDS.costs, *WORDS.figures, *WORDS.keywords}
    words |= {*WORDS.durations, *WORDS.noted}
    assert {word for word in words if not re.search(rf"(?<![\w-]){word}(?![\w-])", code)} == set()
