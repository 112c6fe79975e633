"""Refusals of acts that nobody who knows the game would do with such a card."""

from __future__ import annotations

from random import Random

import pytest

from domain import games
from domain.record.decisions import Act
from tests.playouts import PAIRS, Setup, answer, begin


def test_few_acts_of_a_card_can_have_been_meant() -> None:
    """Of all acts that a main phase has with a card, one or two; of cards that lie idle none."""
    for game in games.names():
        setup, counts = Setup(3, PAIRS[game][0]), list[int]()
        match = begin(setup)
        manifest = match.rules.manifest
        for _ in range(60):
            decision = match.pos.decision
            if decision is None or match.pos.over:
                break
            seat = decision.seats[0]
            offer = decision.offers[seat]
            assert offer is not None
            kinds = [
                kind
                for kind in manifest.answers.get(decision.kind, ())
                if kind != "unknown" and "{card}" in manifest.label("acts", kind)
            ]
            offered = {(option.kind, option.card) for option in offer.options}
            for number in match.pos.zone("hand", seat) if decision.kind == "main" else ():
                refused = [
                    match.why_not(seat, Act(kind, number))
                    for kind in kinds
                    if (kind, number) not in offered
                ]
                meant = [one for one in refused if one is not None and not one.wrong_card]
                counts.append(len(meant))
            match.choose(seat, decision.n, answer(setup, decision.n, offer), match.pos.time + 9)
        assert counts, game
        assert max(counts) <= 2, game
        assert any(counts), game


@pytest.mark.parametrize("game", games.names())
def test_any_act_with_any_card_is_refused_or_not_whatever_is_asked(game: str) -> None:
    """A refusal looks at what an act needs, also where nothing attacks or nothing waits."""
    setup, rng = Setup(3, PAIRS[game][0]), Random(5)
    match = begin(setup)
    kinds = [act.name for act in match.rules.manifest.acts]
    while (decision := match.pos.decision) is not None and decision.n < 90:
        seat = decision.seats[0]
        offer = decision.offers[seat]
        assert offer is not None
        for kind in kinds:
            for card in (0, *rng.sample(sorted(match.pos.cards), 4)):
                for one in range(2):
                    match.why_not(one, Act(kind, card))
        match.choose(seat, decision.n, answer(setup, decision.n, offer), match.pos.time + 9)
