"""What matches with made-up cards have brought to light, and no scenario can show."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Match
from domain.games.yugioh.rulebook import RULEBOOK
from domain.record.decisions import Act, Limits, Offer, Option, Part
from domain.record.events import DecisionMade
from domain.record.fitting import solver
from domain.record.fitting.fit import completed
from domain.text.scenario import load
from domain.text.scenario.setting import lay
from replay_cli.playing.bots import seeded_dice


def at(position: str) -> Match:
    """A match that goes on from a position."""
    scenario = load("scenario -\ngame yugioh\nposition\n" + position)
    match = Match(RULEBOOK, lay(RULEBOOK, scenario.setting, "-"), seeded_dice(1))
    match.driver.start()
    return match


def test_an_act_is_allowed_by_the_rules_of_what_it_leaves_out() -> None:
    match = at("    step battle\n    A monster: Gemini Elf\n    B monster: none\n")
    decision, (elf,) = match.pos.decision, match.pos.zones["monster/0"]
    assert decision is not None
    match.choose(0, decision.n, Act("attack", elf), match.pos.time + 1)
    log = match.collect()
    (made,) = (entry for entry in log if isinstance(entry.event, DecisionMade))
    assert made.cites == ("ygo:combat.direct.1",)
    assert verify(log, RULEBOOK).kind == EXACT


def test_tributes_are_found_among_many_that_weigh_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Six dozen cards of two decks, of which a Ritual asks for those of Levels enough."""
    tried = [0]
    after = solver._Search._state_after

    def counted(*args: Any) -> Any:
        tried[0] += 1
        return after(*args)

    monkeypatch.setattr(solver._Search, "_state_after", counted)
    weights = (4, 0, 0, 0, 0, 0, 2, 0, 2, 0, 0, 3, 0, 3, 0, 1, 3, 0, 0, 3, 0, 0, 4, 4) * 3
    limits = Limits(weights=weights, least=7, most=sum(weights), minimal=True)
    part, pool = Part("material", 0, 1, len(weights), limits), tuple(range(1, len(weights) + 1))
    option = Option("make", 0, (part,))
    (picked,) = completed(Offer((option,), (pool,)), option)
    worth = [weights[number - 1] for number in picked if isinstance(number, int)]
    assert sum(worth) >= 7 > sum(worth) - min(worth)
    assert tried[0] < 5_000
