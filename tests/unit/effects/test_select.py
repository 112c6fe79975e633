"""Which cards a text speaks of: those laid beneath others, by what they are to their hosts."""

from __future__ import annotations

from copy import copy

import pytest

from domain.effects.language.vocabulary import Effect, Group
from domain.effects.select import Running, members
from domain.games.gundam.effects.texts import TERMS
from domain.record import events as ev
from domain.record.folding.fold import fold
from domain.record.position import Position
from tests.playouts import Setup, play


def _paired() -> tuple[Position, int, int]:
    """A table with a pilot beneath a unit, and the two."""
    p = Position()
    for entry in play(Setup(7)):
        fold(p, entry)
        match entry.event:
            case ev.CardsAttached(cards=(pilot,), host=host, role="pilot"):
                return p, host, pilot
            case _:
                pass
    raise AssertionError("nobody paired anything")


@pytest.mark.parametrize(("apart", "found"), [((), True), (("pilot",), False)])
def test_a_card_beneath_another_lies_in_its_zone_or_not_by_its_role(
    apart: tuple[str, ...], found: bool
) -> None:
    p, host, pilot = _paired()
    terms = copy(TERMS)
    terms.apart = apart
    run = Running(0, "", Effect(kind="triggered", name="x"), host, p.cards[host].controller, 0)
    assert (pilot in members(terms, p, Group(match={"role": "pilot"}), run)) == found
    assert host in members(terms, p, Group(match={"type": "unit"}), run)
