"""Cards that are passed over when something occurs have no text that waits for it."""

from __future__ import annotations

import pytest

from domain.games.gundam.effects import figures
from domain.games.kit.effects.triggers import may_wait
from domain.record.folding.fold import fold
from domain.record.position import Position
from tests.playouts import Setup, play

#: Every how many entries of a match the table is looked at.
EVERY = 25


@pytest.mark.parametrize("newest", [False, True])
def test_a_card_is_passed_over_only_if_no_text_of_it_waits(newest: bool) -> None:
    p, passed = Position(), 0
    for n, entry in enumerate(play(Setup(3, newest=newest))):
        fold(p, entry)
        if n % EVERY or n < EVERY:
            continue
        for number in (*p.cards, *p.departed):
            waits = {effect.on for _, effect in figures.text_effects(p, number)}
            for on in figures.stock(p).heard:
                lacks = not may_wait(p, number, figures.waiting(p, on))
                assert not (lacks and on in waits)
                passed += lacks
    assert passed
