"""Random matches of all games and deck pairs run to their end.

`python -m tests.playouts 1000 --game NAME` runs more.
"""

from __future__ import annotations

import pytest

from tests.playouts import PAIRS, checked, main, setup_of
from tests.properties.strategies import FACTOR, PROFILE
from tests.support.marks import each

#: How many decisions are tried at a time: of a game with many to a match, fewer matches.
ENOUGH = 150 if PROFILE == "ci" else 1_500 * FACTOR


@pytest.mark.parametrize("first", each(4, range(0, 40 * FACTOR, 10)))
@pytest.mark.parametrize("game", sorted(PAIRS))
def test_matches_end_with_every_card_in_its_place_and_an_exact_record(
    game: str, first: int
) -> None:
    tried = 0
    for seed in range(first, first + 10):
        tally = checked(setup_of(seed, seed % 4 == 3, game))
        assert tally.decisions > 2
        assert tally.why
        tried += tally.decisions
        if tried > ENOUGH:
            break


def test_the_command_that_runs_many_reports(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["1", "--seed", "100"]) == 0
    assert "1 matches played, checked and verified" in capsys.readouterr().out
