"""What all Pilots and all Bases of the catalogue have in common: their Bursts, a Base's shield."""

from __future__ import annotations

import pytest

from domain.games import rulebook
from domain.text.scenario import load, run

CARDS = rulebook("gundam").cards.values()
PILOTS = [card.id for card in CARDS if card.type == "pilot"]
BASES = [card.id for card in CARDS if card.type == "base" and not card.token]
BURST = """\
game gundam
position
    A battle: Gundam Sandrock
    B shield: GM, {0}
A: attack Gundam Sandrock -> player
all: no block
all: pass
B: burst {0}
"""
DEPLOYED = """\
game gundam
position
    A hand: {0}
    A resource: 8
    A shield: GM, Gundam Sandrock
    B battle: GM
A: deploy {0}
    A base: {0}
    A hand: Gundam Sandrock
    A shield: GM
"""


def expect(script: str) -> None:
    report = run(load(script))
    assert report.passed, "\n".join(map(str, report.failures))


@pytest.mark.parametrize("pilot", PILOTS)
def test_a_pilots_burst_takes_it_to_hand(pilot: str) -> None:
    expect(BURST.format(pilot) + f"    B hand: {pilot}\n    B trash: none")


@pytest.mark.parametrize("base", BASES)
def test_a_bases_burst_deploys_it_and_takes_the_top_shield_to_hand(base: str) -> None:
    expect(BURST.format(base) + f"    B base: {base}\n    B hand: GM\n    B battle: none")


@pytest.mark.parametrize("base", BASES)
def test_a_base_takes_the_top_shield_to_hand(base: str) -> None:
    expect(DEPLOYED.format(base))
