"""The words of each game's texts: each is on one of the pages, and each cost is met in a way."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import pytest

import domain.effects
from domain.effects.language.vocabulary import Join
from domain.games import newest, package, rulebook

SHARED = Path(domain.effects.__file__).parent
PAGES = (SHARED / "VOCABULARY.md", SHARED / "language/FURTHER.md")
#: Where a game says how each of its costs is paid.
PAID = {
    "battle_spirits": ("effects.instructions.costs", "WAYS"),
    "yugioh": ("choices.costs", "COSTS"),
}
KINDS = {"constant", "triggered", "activated", "command", "replacement"}


def undocumented(game: str, *words: str) -> list[str]:
    """Those that no page mentions as code."""
    own = Path(import_module(package(game)).__path__[0]) / "effects/WORDS.md"
    pages = [page.read_text("utf-8") for page in (*PAGES, own) if page.exists()]
    code = " ".join(re.findall(r"`([^`\n]+)`", "\n".join(pages)))
    return [word for word in words if not re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", code)]


@pytest.mark.parametrize("game", newest())
def test_every_word_is_on_a_page(game: str) -> None:
    known = rulebook(game).words
    words = {*known.instructions, *known.occurrences, *known.replaceable, *known.timings}
    words |= {*known.acts, *known.attributes, *known.figures, *known.keywords}
    words |= {*known.durations, *known.noted, *KINDS, *get_args(Join)}
    words |= {*known.zones} if not game.startswith("gundam") else set()  # its book says them
    words |= {cost.removesuffix("-this") for cost in known.costs}
    assert undocumented(game, *words) == []


@pytest.mark.parametrize("game", PAID)
def test_every_cost_is_met_in_a_way(game: str) -> None:
    module, table = PAID[game]
    ways = getattr(import_module(f"{package(game)}.{module}"), table)
    assert rulebook(game).words.costs.keys() == ways.keys()


@pytest.mark.parametrize("game", ["gundam@1.9", "hollow_flux"])
def test_every_word_that_texts_may_wait_for_is_derived(game: str) -> None:
    """From an event, or from a step of the turn."""
    rules: Any = rulebook(game)
    derived = {one.word for some in rules.occurrences.patterns.values() for one in some}
    assert derived | rules.turn.times == set(rules.words.occurrences)
    assert not derived & rules.turn.times
