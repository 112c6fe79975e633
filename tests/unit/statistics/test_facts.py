"""Facts of matches, and what they add up to."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.games import names, rulebook
from domain.officials import results
from domain.record.entries import Entry, active
from domain.record.events import CardsMoved, DecisionMade, GameEnded, MatchEnded, TurnBegan
from domain.record.interventions import Rewound
from domain.record.views import OFFICIAL, PUBLIC
from domain.statistics import facts as facts_
from domain.statistics.facts import (
    CORRECTED,
    DRAWN,
    LISTED,
    OPENING,
    PLAYED,
    Facts,
    Zones,
    decode,
    encode,
    facts,
)
from domain.statistics.figures import Figures, Rate, Wanted, added, chosen
from domain.statistics.rows import AGAINST, CARDS, DECKS, SUMMARY, rows
from tests.playouts import PAIRS, Setup, play
from tests.unit.officials.test_results import JUDGE, ended

SETUP = Setup(5, ("ST01", "ST03"))


def of(setup: Setup, log: list[Entry], viewer: int = OFFICIAL) -> Facts:
    found = facts(log, viewer, Zones.of(setup.rules.manifest, setup.rules.tallies))
    assert found is not None
    return found


def test_facts_are_those_of_the_entries() -> None:
    log = play(SETUP)
    found = of(SETUP, log)
    (game,) = found.games
    (over,) = (e.event for e in log if isinstance(e.event, GameEnded))
    turns = [e.event for e in log if isinstance(e.event, TurnBegan)]
    answers = [e.event for e in log if isinstance(e.event, DecisionMade)]
    assert (game.winner, game.why) == (over.winner, over.why)
    assert (game.first, game.turns) == (turns[0].seat, len(turns))
    for seat, side in enumerate(game.sides):
        own = [one for one in answers if one.seat == seat]
        assert (side.answers, side.ms) == (len(own), sum(one.ms for one in own))
    assert found.decks == ("ST01", "ST03")
    assert decode(encode(found)) == found


@pytest.mark.parametrize("game", names())
def test_cards_go_from_the_list_to_the_hand_to_the_table(game: str) -> None:
    setup = Setup(8, PAIRS[game][0])
    log = play(setup)
    found = of(setup, log)
    for seat, side in enumerate(found.games[0].sides):
        cards = [set(ids) for ids in side.cards]
        assert cards[OPENING] <= cards[DRAWN] <= cards[LISTED]
        assert 1 <= len(cards[OPENING]) < len(cards[DRAWN])
        assert cards[PLAYED] & cards[DRAWN]
        assert any(isinstance(e.event, CardsMoved) and e.event.src == f"hand/{seat}" for e in log)
    public = of(setup, log, PUBLIC)
    for mine, theirs in zip(found.games[0].sides, public.games[0].sides, strict=True):
        for all_, some in zip(mine.cards, theirs.cards, strict=True):
            assert set(some) <= set(all_)
    assert not any(side.cards[LISTED] for side in public.games[0].sides)


@pytest.mark.parametrize("game", names())
def test_what_is_skipped_changes_nothing(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = Setup(9, PAIRS[game][-1], best_of=3)
    log = play(setup)
    views = [of(setup, log, viewer) for viewer in (OFFICIAL, PUBLIC, 0, 1)]
    monkeypatch.setattr(facts_, "_SKIPPED", frozenset())
    assert views == [of(setup, log, viewer) for viewer in (OFFICIAL, PUBLIC, 0, 1)]
    assert len(views[0].games) >= 2


def test_a_match_that_is_not_over_has_none() -> None:
    log = play(SETUP)
    live = [e for e in log if not isinstance(e.event, MatchEnded)]
    zones = Zones.of(SETUP.rules.manifest, SETUP.rules.tallies)
    assert facts(live, OFFICIAL, zones) is None


def test_a_corrected_result_is_the_one_that_counts() -> None:
    match, log = ended()
    setup = Setup(5)
    before = of(setup, log)
    results.correct_result(match, JUDGE, 0, (1, 0), "the seats were mixed up")
    after = of(setup, log + match.collect())
    assert before.games[0].winner == 1
    assert (after.winner, after.games[0].winner, after.games[0].why) == (0, 0, CORRECTED)


def test_of_several_games_none_is_guessed() -> None:
    match, log = ended(best_of=3)
    results.correct_result(match, JUDGE, 0, (2, 1), "one was entered the wrong way round")
    found = of(Setup(5), log + match.collect())
    assert found.winner == 0
    assert {one.winner for one in found.games} == {-1}


def test_what_was_abandoned_is_not_counted() -> None:
    _, log = ended()
    turn, last = next(e.seq for e in log if isinstance(e.event, TurnBegan)), log[-1]
    log.append(replace(last, seq=last.seq + 1, event=Rewound(turn, "so")))
    zones = Zones.of(Setup(5).rules.manifest, Setup(5).rules.tallies)
    assert len(active(log)) < len(log)
    assert facts(log, OFFICIAL, zones) is None


# -- adding up -------------------------------------------------------------------------------------


def test_intervals_are_wilsons() -> None:
    """Figures from Brown, Cai and DasGupta's and other tables of the interval."""
    assert Rate(0, 0).interval == (0.0, 1.0)
    low, high = Rate(8, 10).interval
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)
    low, high = Rate(0, 10).interval
    assert (low, round(high, 4)) == (0.0, 0.2775)
    low, high = Rate(50, 100).interval
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)


def some() -> list[tuple[str, Facts]]:
    made = [(Setup(n, ("ST01", ("ST01", "ST03")[n % 2])), f"event{n % 2}.{n}") for n in range(6)]
    return [(match, of(setup, play(setup))) for setup, match in made]


def test_figures_add_up() -> None:
    many = some()
    f = added(one for _, one in many)
    assert (f.matches, f.games, f.undecided) == (6, 6, 0)
    assert sum(f.ends.values()) == sum(f.lengths.values()) == 6
    assert f.order.rate("first").won + f.order.rate("second").won == 6
    assert f.seats.rate("A").of == f.seats.rate("B").of == 6
    assert f.played == {"ST01": 9, "ST03": 3}
    assert f.decks.rate("ST01").of == 3  # against itself it can't but win half
    assert f.decks.rate("ST01").won == f.versus("ST01", "ST03").won
    assert f.versus("ST01", "ST03").won + f.versus("ST03", "ST01").won == 3
    assert f.versus("ST01", "ST01").of == 3
    assert f.cards[LISTED].rate("ST01-001").of == 9
    assert added((one for _, one in many), cards=False).cards == Figures().cards


@pytest.mark.parametrize(
    ("wanted", "n"),
    [
        (Wanted(), 6), (Wanted(game="gundam"), 6), (Wanted(game="yugioh"), 0),
        (Wanted(event="event1"), 3), (Wanted(event="event"), 0), (Wanted(edition="1.0"), 6),
        (Wanted(edition="1.9"), 0), (Wanted(best_of=3), 0), (Wanted(best_of=1), 6),
        (Wanted(labels={"round": "1"}), 0), (Wanted(deck="ST03"), 3),
        (Wanted(deck="ST01", versus="ST03"), 3), (Wanted(deck="ST01", versus="ST01"), 3),
        (Wanted(deck="ST03", versus="ST03"), 0), (Wanted(card="ST03-001"), 3),
        (Wanted(since=1_700_000_000_001), 0), (Wanted(until=1_700_000_000_000), 0),
    ],
)  # fmt: skip
def test_matches_are_selected(wanted: Wanted, n: int) -> None:
    assert len([*chosen(some(), wanted)]) == n


def test_rows_are_of_one_form() -> None:
    f = added(one for _, one in some())
    kinds = {by: {row.kind for row in rows(f, by)} for by in (SUMMARY, DECKS, AGAINST, CARDS)}
    assert kinds[SUMMARY] == {"turn", "seat", "deck", "end"}
    assert (kinds[DECKS], kinds[AGAINST]) == ({"deck"}, {"against"})
    assert kinds[CARDS] == {"listed", "opening", "drawn", "played"}
    with pytest.raises(KeyError):
        rows(f, "colours")


def test_every_game_has_zones_that_are_counted() -> None:
    for game in names():
        rules = rulebook(game)
        zones = Zones.of(rules.manifest, rules.tallies)
        assert zones.hand in zones.held
        assert zones.in_play
        assert not zones.in_play & zones.held
