"""Rules settle only where something was touched since they did: nothing is missed by that.

At each moment at which a game would have its rules settle, whether or not anything was touched,
they settle here once more, with everything derived again: it must change nothing.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from domain import games
from domain.effects.constant.texts import Figures
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.engine.verbs.emitter import Emitter
from domain.games.kit.effects import processes
from replay_cli.playing.fuzz.run import followed
from tests.playouts import begin, go_on, setup_of
from tests.properties.strategies import FACTOR, PROFILE
from tests.support.marks import each

settle = processes.settle
Does = Callable[[Table], Play]


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often rules settled that had nothing to do; it fails where there was something."""
    times = [0]

    def thorough(t: Table, terms: Figures, do: Does, first: Does | None = None) -> Play:
        yield from settle(t, terms, do, first)
        if not t.due.touched:
            before, times[0] = t.pos.seq, times[0] + 1
            t.due.touched = t.due.changed = t.due.numbers = True
            yield from settle(t, terms, do, first)
            assert t.pos.seq == before, f"missed before {t.pos.seq}: {t.out[-2:]}"

    monkeypatch.setattr(Emitter, "unsettled", True)
    monkeypatch.setattr(processes, "settle", thorough)
    return times


@pytest.mark.parametrize("game", each(2, games.names()))
def test_what_was_not_touched_is_settled(game: str, looked: list[int]) -> None:
    for seed in range(2 if PROFILE == "ci" else 4 * FACTOR):
        setup = setup_of(seed, restless=True, game=game)
        go_on(begin(setup), setup, [])
    assert looked[0] > 250


@pytest.mark.parametrize("game", each(2, games.names()))
def test_so_it_is_with_made_up_cards(game: str, looked: list[int]) -> None:
    for seed in range(2, 3 if PROFILE == "ci" else 6 * FACTOR):
        outcome, _ = followed(game, seed)
        assert outcome.finding is None
    assert looked[0] > 50
