"""The steps by which a match ends once time is called, as a judge reads them."""

from __future__ import annotations

import pytest

from domain.games import rulebook
from domain.record.schema.policy import EndOfTime, Policy
from domain.telling.book import ENGLISH
from domain.telling.ending import steps


def lines(game: str = "gundam", best_of: int = 1, together: str = "", **end: object) -> list[str]:
    policy = Policy(end=EndOfTime(**end), together=together)  # type: ignore[arg-type]
    return [ENGLISH.say(one) for one in steps(policy, rulebook(game).manifest, best_of)]


def test_the_steps_of_the_manual() -> None:
    found = lines(
        best_of=3, together="turn player", turns=3, fewer=1, ms=300_000, lead=True, finish=True,
        tiebreaks=("shield+base", "deck"), level="both lose", rule="trm:5.2",
    )  # fmt: skip
    assert found == [
        "who has won more games has won the match",
        "the turn is finished; then 3 more are played, 2 if it is that of who goes second",
        "that takes 5:00 at most",
        "an attack or an effect that has begun is played to its end",
        "then who has more: Shields + Base",
        "then who has more: Deck",
        "if that is level too, both lose",
        "if both lose a game at once, the turn player loses it",
        "by trm:5.2",
    ]


def test_figures_that_are_fewer_left_out_or_held_by_cards() -> None:
    found = lines("battle_spirits", tiebreaks=("life<5", "-field:core+trash:core"), level="lots")
    assert found == [
        "the turn is finished",
        "then who has more: Life: left out if each has 5 or more",
        "then who has fewer wins: core in Field + core in Trash",
        "if that is level too, a lot decides",
    ]


@pytest.mark.parametrize("game", ["gundam", "yugioh", "battle_spirits", "hollow_flux"])
def test_an_event_without_settings_has_steps_too(game: str) -> None:
    assert lines(game) == ["the turn is finished", "if that is level too, it is a draw"]
