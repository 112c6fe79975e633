"""Penalties at a tournament: what is proposed, what they cost, who may give them, appeals."""

from __future__ import annotations

import pytest

from domain.engine.rulebook import Refused
from domain.tournament.acts import (
    appeals,
    calls,
    clocks,
    decks,
    penalties,
    players,
    results,
    rounds,
)
from domain.tournament.folding import fold
from domain.tournament.record import (
    CONCEDED,
    RULED,
    Format,
    Infraction,
    Outcome,
)
from domain.tournament.tournament import Sender
from tests.support.tournaments import (
    WON,
    by,
    opened,
    playing,
    refused,
)

LATE = ((0, "warning"), (300, "game-loss"), (600, "match-loss"))
JUDGED = Format(
    "lamps",
    seconds=3000,
    infractions=(
        Infraction("slow-play", "Slow play", "warning", "game-loss", "trm:7.4"),
        Infraction("late", "Not there", "warning", late=LATE),
        Infraction("taunts", "", "warning"),
    ),
    conceding=True,
)


def test_an_infraction_proposes_a_penalty_and_repeats_raise_it() -> None:
    t = opened(JUDGED)

    def made(player: int, name: str) -> tuple[str, str, int]:
        found = penalties.proposed(t.state, player, name, 0)
        return found.usual, found.kind, len(found.earlier)

    assert made(1, "slow-play") == ("warning", "warning", 0)
    first = penalties.penalise(t, by(), 1, "warning", infraction="slow-play")
    penalties.penalise(t, by(), 1, "warning", infraction="taunts", game_state="accepted")
    assert made(1, "slow-play") == ("warning", "game-loss", 1)
    assert made(2, "slow-play") == ("warning", "warning", 0)
    penalties.penalise(t, by(), 1, "game-loss", infraction="slow-play")
    assert made(1, "slow-play") == ("warning", "game-loss", 2)  # as far as it goes
    penalties.penalise(t, by(), 1, "match-loss", infraction="taunts")
    assert made(1, "taunts") == ("warning", "disqualification", 2)
    penalties.withdraw(t, by(), first, "it was his opponent")
    assert made(1, "slow-play") == ("warning", "game-loss", 1)
    assert refused(t, penalties.penalise, 1, "warning", infraction="x") == "NO_SUCH_INFRACTION"
    assert refused(t, penalties.penalise, 1, "warning", "so", game_state="x") == "BAD_GAME_STATE"
    with pytest.raises(Refused):
        made(1, "x")
    with pytest.raises(Refused):
        made(1, "late")  # before any round


def test_coming_late_costs_by_the_time_since_the_round_was_started() -> None:
    t = playing(opened(JUDGED), (1, 2), now=1000)
    clocks.extend(t, by(2000), 600, 1)
    costs = [
        penalties.proposed(t.state, 1, "late", 1000 + seconds * 1000).kind
        for seconds in (0, 299, 300, 599, 600, 9999)
    ]
    assert costs == ["warning", "warning", "game-loss", "game-loss", "match-loss", "match-loss"]
    penalties.penalise(t, by(), 1, "warning", round_=1, infraction="late")
    assert penalties.proposed(t.state, 1, "late", 301_000).kind == "game-loss"
    assert (
        penalties.proposed(t.state, 1, "late", 299_000).kind == "warning"
    )  # which repeats nothing
    assert refused(t, penalties.penalise, 1, "warning", round_=1, infraction="late") == (
        "SAME_PENALTY"
    )
    results.report(t, by(), 1, 1, WON)
    rounds.end(t, by(), 1)
    with pytest.raises(Refused):  # nobody is late to a round that is over
        penalties.proposed(t.state, 1, "late", 301_000)
    playing(t, (1, 2), now=900_000)
    assert penalties.proposed(t.state, 1, "late", 901_000).kind == "game-loss"  # by repeat
    with pytest.raises(Refused):
        penalties.proposed(t.state, 1, "late", 901_000, 1)


def test_a_loss_falls_on_the_match_that_goes_on_or_on_the_next() -> None:
    t = opened(JUDGED)
    before = penalties.penalise(t, by(), 1, "game-loss", infraction="slow-play")
    penalties.penalise(t, by(), 1, "warning", "costs nothing")
    gone = penalties.penalise(t, by(), 1, "match-loss", "a mistake")
    penalties.withdraw(t, by(), gone, "it was nothing")
    playing(t, (1, 2), (3, 0))
    now = t.state.rounds[0]

    def due(table: int = 1) -> list[int]:
        return [one.seq for one in penalties.owed(t.state, now, now.tables[table])]

    assert due() == [before]
    penalties.penalise(t, by(), 3, "game-loss", "who has a bye")
    assert due(2) == []
    penalties.carried(t, by(), before, "ev3t.r1.t1", 30)
    assert due() == []
    assert t.state.penalties[before].source == 30
    results.report(t, by(), 1, 1, WON)
    penalties.penalise(t, by(), 2, "match-loss", "for the next")
    assert due() == []
    late = penalties.penalise(t, by(), 2, "match-loss", round_=1, infraction="late")
    assert due() == [late]
    assert t.state == fold(t.collect())


def test_who_is_disqualified_drops_and_who_drops_concedes() -> None:
    t = playing(opened(JUDGED), (1, 2), (3, 4))
    penalties.penalise(t, by(), 1, "disqualification", "cheated")
    assert t.state.players[1].dropped
    players.drop(t, by(), 4)
    outcome = t.state.rounds[0].tables[2].outcome
    assert outcome == Outcome(1, 0, 0, 3, CONCEDED)
    players.drop(t, by(), 3)  # who has won by then
    assert t.state.rounds[0].tables[2].outcome == outcome
    unrecorded = playing(opened(Format("lamps", 3, "")), (1, 2))
    penalties.penalise(unrecorded, by(), 1, "match-loss", "cheated")
    assert unrecorded.state.rounds[0].tables[1].outcome == Outcome(0, 2, 0, 2, RULED)


def test_infractions_are_those_of_the_scheme() -> None:
    for wrong in (
        (Infraction("x", "", "frown"),),
        (Infraction("x", "", "warning", "frown"),),
        (Infraction("x", "", "warning"), Infraction("x", "", "warning")),
        (Infraction("", "", "warning"),),
        (Infraction("x", "", "warning", rule="trm:99"),),
        (Infraction("x", late=((300, "warning"), (0, "caution"))),),
    ):
        with pytest.raises(Refused):
            opened(Format("lamps", infractions=wrong))


def test_who_is_barred_is_not_entered_and_officials_do_not_play() -> None:
    t = opened(Format("lamps", apart=True))
    players.bar(t, by(), "Max Maus", "suspended")
    players.bar(t, by(), "k9")
    assert refused(t, players.bar, "k9") == "SAME_BAR"
    assert refused(t, players.enter, [("max maus", "")]) == "PLAYER_BARRED"
    assert refused(t, players.enter, [("Moritz", "K9")]) == "PLAYER_BARRED"
    assert refused(t, players.correct, 1, "Max Maus", "k1") == "PLAYER_BARRED"
    players.bar(t, by(), "k9", lift=True)
    assert refused(t, players.bar, "k9", lift=True) == "SAME_BAR"
    players.enter(t, by(), [("Moritz", "k9")])
    players.name_official(t, by(), "Jo", "judge")
    assert refused(t, players.enter, [("jo", "")]) == "OFFICIAL_PLAYS"
    assert refused(t, players.name_official, "Moritz", "judge") == "OFFICIAL_PLAYS"
    players.drop(t, by(), 5)
    players.name_official(t, by(), "Moritz", "judge")
    assert refused(t, players.reinstate, 5) == "OFFICIAL_PLAYS"
    house = opened()
    players.name_official(house, by(), "Player 1", "judge")  # where the file does not say so
    assert t.state == fold(t.collect())


def test_grave_penalties_are_the_head_judges_by_the_manual() -> None:
    t = opened(Format("lamps", reserved="match-loss", rules="bandai-2025"))
    penalties.penalise(t, by(), 1, "game-loss", "slow")
    for kind in ("match-loss", "disqualification"):
        with pytest.raises(Refused) as error:
            penalties.penalise(t, by(), 1, kind, "cheated")
        assert error.value.refusal.rules[0] == "trm:7.3"
        assert "nobody is named" in str(error.value.refusal.text)
    players.name_official(t, by(), "Ida", "judge")
    players.name_official(t, by(), "Eva", "head judge")
    assert refused(t, penalties.penalise, 1, "match-loss", "so") == "HEAD_JUDGE_ONLY"
    penalties.penalise(t, by(name="Eva"), 1, "match-loss", "so")
    penalties.penalise(t, Sender("Org", 0, organises=True), 1, "match-loss", "so")
    penalties.penalise(t, by(), 1, "match-loss", "so", match="ev3t.r1.t1", seq=9)  # as it was there
    with pytest.raises(Refused):
        opened(Format("lamps", reserved="frown"))


def test_an_appeal_is_against_a_ruling_and_the_head_judge_answers_it() -> None:
    t = playing(opened(Format("lamps", seconds=60, rules="bandai-2025")), (1, 2), (3, 4))
    players.name_official(t, by(), "Eva", "head judge")
    call = calls.raise_call(t, by(), 1, 2, "is that so?")
    assert refused(t, appeals.appeal, "no", call) == "NO_RULING"
    calls.answer(t, by(1000), call, "it is")
    assert refused(t, appeals.appeal, "no") == "NO_RULING"
    assert refused(t, appeals.appeal, "no", call, 0, 30) == "NO_RULING"
    assert refused(t, appeals.appeal, "no", 9) == "NO_SUCH_CALL"
    assert refused(t, appeals.appeal, "no", call, player=3) == "NO_SUCH_PLAYER"
    first = appeals.appeal(t, by(), "no", call, player=2)
    assert refused(t, appeals.appeal, "no", call) == "APPEALED"
    second = appeals.appeal(t, by(), "no", table=2, seq=30)
    assert refused(t, appeals.answer, first) == "HEAD_JUDGE_ONLY"
    head = by(name="Eva")
    with pytest.raises(Refused):
        appeals.answer(t, head, first, "", overturned=True)  # which needs words
    appeals.answer(t, head, first, "it is not", overturned=True, seconds=30)
    assert refused(t, appeals.answer, first) == "APPEAL_ANSWERED"
    assert refused(t, appeals.answer, 9) == "NO_SUCH_APPEAL"
    appeals.answer(t, head, second)
    kept = [(one.table, one.call, one.seq, one.overturned) for one in t.state.appeals.values()]
    assert kept == [(1, call, 0, True), (2, 0, 30, False)]
    clock = t.state.rounds[0].tables[1].clock
    assert clock is not None
    assert clock.left == 90_000
    assert t.state == fold(t.collect())


def test_a_fault_in_a_deck_is_penalised_with_it_and_falls_on_a_match() -> None:
    t = opened(JUDGED)
    fault = {"fault": "41 cards", "infraction": "slow-play"}
    assert refused(t, decks.check, 1, infraction="slow-play", kind="warning") == "TEXT_MISSING"
    assert refused(t, decks.check, 1, kind="game-loss", **{**fault, "infraction": "x"}) == (
        "NO_SUCH_INFRACTION"
    )
    assert refused(t, decks.check, 1, **fault) == "NO_SUCH_PENALTY"
    decks.check(t, by(), 1, kind="game-loss", **fault)
    (given,) = t.state.penalties.values()
    assert (given.kind, given.note, given.round) == ("game-loss", "41 cards", 0)
    (checked,) = t.state.checks
    assert (checked.player, checked.fault) == (1, "41 cards")
    playing(t, (1, 2), (3, 4))
    now = t.state.rounds[0]
    assert penalties.owed(t.state, now, now.tables[1]) == [given]
    decks.check(t, by(), 3, kind="disqualification", **fault)
    assert t.state.players[3].dropped
    assert t.state == fold(t.collect())
