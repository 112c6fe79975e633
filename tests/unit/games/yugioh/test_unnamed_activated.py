"""Which unnamed card of a real table is meant by the name of one that is activated."""

from __future__ import annotations

import pytest

from domain.text import reading
from tests.unit.games.yugioh.real_table import IDS, RealTable


@pytest.mark.parametrize(
    ("position", "text", "name", "place"),
    [
        ("    B spell: ???? [down]", "activate Waboku", "Waboku", "spell/1"),
        ("    B spell: ???? [down]", "activate hand.Waboku", "Waboku", "hand/1"),
        ("    B spell: ???? [down, new]", "activate Waboku", "Waboku", "hand/1"),
        ("    B spell: none", "activate Waboku", "Waboku", "hand/1"),
        ("    B spell: ???? [down]", "activate Book of Moon -> B.Mokey", "Book of Moon", "spell/1"),
    ],
)
def test_a_card_that_can_be_activated_is_meant_before_one_that_cant(
    position: str, text: str, name: str, place: str
) -> None:
    """A Trap is Set first (ygo:base.trap.1), and it is A's turn (ygo:turn.window.2)."""
    table = RealTable(f"    B hand: 2\n    B monster: Mokey Mokey [up]\n{position}\n")
    table.choose("battle")
    match = table.match
    assert match.pos.decision is not None
    while match.pos.decision.seats != [1]:
        table.choose("pass")
    offer = match.pos.decision.offers[1]

    def renew(names):
        return match.open_to(1, names)

    act, named = reading.read(text, match.pos, match.rules, 1, offer, renew)
    assert named == {act.card: IDS[name]}
    assert match.pos.cards[act.card].place == place
