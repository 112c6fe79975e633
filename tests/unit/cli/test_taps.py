"""How much a scorekeeper taps: whole stretches of recorded matches of all games, passes unsaid."""

from __future__ import annotations

from statistics import median

import pytest

from domain.games import names
from domain.record.decisions import Act
from domain.telling.book import Book
from tests.playouts import PAIRS, Setup, begin, opening
from tests.support.marks import each
from tests.support.scorekeepers import desk
from tests.support.thumbs import Thumb
from tests.unit.cli.test_keys_typed import _as_typed

#: Decisions that are recorded of each match, and taps that begin it: the button, and the roll.
STRETCH, BEGUN = 200, 2


@pytest.mark.parametrize("game", each(1, names()))
def test_a_match_is_recorded_with_few_taps(game: str) -> None:
    setup = Setup(4, PAIRS[game][0])
    match = begin(setup)
    dealt = match.collect()
    thumb = Thumb(desk(setup.rules, opening(setup), dealt), Book.of(setup.rules))
    passed, ends, before = list[tuple[Act, str]](), list[int](), BEGUN

    def name(number: int) -> str:
        return match.pos.card(number).id

    while (decision := match.pos.decision) is not None and decision.n < STRETCH:
        n, seat, turn = decision.n, decision.seats[0], match.pos.turn
        act, text = _as_typed(match, setup, n, seat)
        match.choose(seat, n, act, match.pos.time + 1)
        if act.kind in setup.rules.passes and not match.pos.over:
            passed.append((act, text))
            continue
        first = len(thumb.keys)
        thumb.enter_unsaid(act, text, seat, name, passed)
        taps = len(thumb.keys[-1][1])
        if not turn:
            before += sum(len(keys) for done, keys in thumb.keys[first:] if "," not in done)
        if act.kind == "end":
            ends.append(taps)
    # cards that are put face up before the first turn take a tap each, the chip and the button
    several = [one for one in thumb.keys if "," in one[0]]
    assert all(len(keys) <= done.count(",") + 3 for done, keys in several), several
    taken = sorted(len(keys) for done, keys in thumb.keys if "," not in done)
    dear = [one for one in thumb.keys if len(one[1]) > 4]
    assert median(taken) <= 1
    assert taken[int(len(taken) * 0.95)] <= 4, dear
    assert not ends or max(ends) == 1, ends
    assert before <= 8, thumb.keys[:8]
