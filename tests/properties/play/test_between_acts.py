"""Between acts nothing is unfinished: an official can put the table right, and play goes on there.

What is in the middle of something (a target, an order, a payment) can't be asked again.
"""

from __future__ import annotations

import pytest
from hypothesis import given

from domain.engine.match import Match
from domain.games import names, rulebook
from domain.officials.corrections.correcting import correct
from domain.officials.corrections.fixes import Fix
from domain.officials.frame import Official
from domain.record.entries import Entry
from tests.playouts import play, resume, setup_of
from tests.properties.strategies import examples, seeds

#: The decisions of each game by which its players act, one after the other.
ACTING = {game: {*rulebook(game).acts.questions, "energy"} for game in names()}


@pytest.mark.parametrize("game", ACTING)
@examples(2)
@given(seeds)
def test_an_official_can_correct_wherever_a_player_acts(game: str, seed: int) -> None:
    setup = setup_of(seed, game=game)

    def put_right(match: Match, log: list[Entry]) -> None:
        decision = match.pos.decision
        assert decision is not None
        if decision.kind not in ACTING[game] or decision.n % 7 != seed % 7:
            return
        repeated = resume(setup, log)
        by = Official("Ada", repeated.pos.time + 1, "a card was miscounted")
        correct(repeated, by, [Fix("mark", subject="seat/0", kind="first", value=7)])
        more = repeated.collect()
        now = repeated.pos.decision
        assert now is not None
        asked_before = now.kind == "hand"  # with the step, its timing begins again
        assert asked_before or (now.kind, now.seats) == (decision.kind, decision.seats)
        assert repeated.pos.step == match.pos.step
        assert resume(setup, log + more).pos == repeated.pos

    play(setup, put_right)


def test_a_hand_that_an_official_takes_is_asked_for_nothing_any_more() -> None:
    setup = setup_of(3, game="yugioh")
    taken: list[str] = []

    def take(match: Match, log: list[Entry]) -> None:
        decision = match.pos.decision
        assert decision is not None
        if decision.kind != "hand" or taken:
            return
        repeated, seat = resume(setup, log), decision.seats[0]
        hand = tuple(repeated.pos.zone("hand", seat))
        by = Official("Ada", repeated.pos.time + 1, "the hand was drawn too early")
        correct(repeated, by, [Fix("move", cards=hand, place=f"deck/{seat}")])
        now = repeated.pos.decision
        assert now is not None
        assert (now.kind, repeated.pos.mark("match", "class")) == ("window", None)
        taken.append(now.kind)

    play(setup, take)
    assert taken
