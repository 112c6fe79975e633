"""Every instruction before every joining word: the clause after it is done as the word says.

Whatever was done, a sentence and `then` follow; `if so` follows what was done at least in part (in
some editions wholly), `after all` and `must` what was done wholly. Each game of the registry has a
table of its instructions, `joins.py` in the folder of its tests; a short run tries one in nine.
"""

from __future__ import annotations

from importlib import import_module
from typing import get_args

import pytest

from domain.effects.language.vocabulary import Join
from domain.games import names
from domain.record.events import CardsMoved
from domain.text.scenario import load, run
from tests.support.games import is_whole
from tests.support.marks import each
from tests.unit.games.joins import WHOLLY, Joins

GAMES: list[Joins] = [
    import_module(f"tests.unit.games.{game}.joins").JOINS for game in names() if is_whole(game)
]
JOINS = get_args(Join)
ROWS = [
    pytest.param(game, name, outcome, join, id=f"{game.game}-{name}-{outcome}-{join}")
    for game in GAMES
    for name, case in game.cases.items()
    for outcome in case.boards
    for join in JOINS
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.game)
def test_every_instruction_is_in_the_table(game: Joins) -> None:
    assert {name.partition(" ")[0] for name in game.cases} == game.instructions
    assert all(WHOLLY in game.cases[name].boards for name in game.instructions)


@pytest.mark.parametrize(("game", "name", "outcome", "join"), each(9, ROWS))
def test_what_follows_is_done_as_the_joining_word_says(
    game: Joins, name: str, outcome: str, join: str
) -> None:
    report = run(load(game.scenario(name, join, outcome)))
    assert report.passed, "\n".join(map(str, report.failures))
    drawn = [
        entry
        for entry in report.entries
        if isinstance(entry.event, CardsMoved) and entry.event.dst == "hand/1"
    ]
    assert bool(drawn) == game.follows(name, join, outcome)
