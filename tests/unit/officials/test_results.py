"""After the end: what officials still record, results that are superseded, an end taken back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from domain.engine.checks.verify import DIVERGED, EXACT, verify
from domain.engine.match import Match
from domain.engine.rulebook import Refused
from domain.officials import adoption, clocks, irregular, results, rewind, rulings
from domain.officials.corrections.correcting import Fix, correct
from domain.officials.frame import Official
from domain.record import events as ev
from domain.record.decisions import Act
from domain.record.entries import AnyEvent, Entry, active
from domain.record.folding.fold import fold_all
from domain.record.interventions import Penalty, ResultCorrected
from domain.record.position import Position, Result
from domain.record.schema.policy import GAME_LOSS, MATCH_LOSS
from domain.record.values import BY_OFFICIAL, CHANCE, EVERYONE, RULES, Sealed
from domain.text.transcript.read import read
from domain.text.transcript.write import write
from tests.playouts import Dice, Setup, begin, chances, go_on, resume, take_turn

SETUP = Setup(5)
JUDGE = Official("Ada", 10**7, "because")


def ended(best_of: int = 1, loses: int = 0) -> tuple[Match, list[Entry]]:
    """A match some decisions long that a seat has lost, and its log."""
    match = begin(SETUP._replace(best_of=best_of))
    for _ in range(12):
        take_turn(match, SETUP)
    while not match.pos.over:
        rulings.penalise(match, JUDGE, loses, "game-loss")
    return match, match.collect()


def fault(call: Callable[..., object], *args: object) -> str:
    with pytest.raises(Refused) as caught:
        call(*args)
    assert caught.value.refusal.rules
    return caught.value.refusal.fault


def test_a_corrected_result_supersedes_the_one_before_it() -> None:
    match, log = ended()
    (first,) = match.pos.results
    results.correct_result(match, JUDGE, 0, (1, 0), "the seats were mixed up")
    log += (added := match.collect())
    opened, corrected, closed = added
    assert isinstance(opened.event, ev.FrameOpened)
    assert (opened.event.facts["what"], opened.event.cause) == ("result", first.seq)
    assert corrected.event == ResultCorrected(0, (1, 0), "the seats were mixed up")
    assert corrected.cites == ("house:result", "house:official")
    assert isinstance(closed.event, ev.FrameClosed)
    p = fold_all(active(log))
    assert (p.over, p.winner, p.score) == (True, 0, [1, 0])
    assert p.results == [first, Result(0, (1, 0), corrected.seq)]
    assert verify(log, SETUP.rules).kind == EXACT
    assert resume(SETUP, log).pos == p == match.pos


def test_what_is_no_result_is_refused() -> None:
    match, log = ended(best_of=3)
    alter = partial(fault, results.correct_result, match, JUDGE)
    assert alter(1, (0, 2), "so") == "SAME_RESULT"
    assert alter(2, (0, 2), "so") == "NO_SUCH_SEAT"
    assert alter(-2, (0, 2), "so") == "NO_SUCH_SEAT"
    assert alter(0, (2,), "so") == "BAD_RESULT"
    assert alter(0, (2, 2), "so") == "BAD_RESULT"
    assert alter(0, (2, -1), "so") == "BAD_RESULT"
    assert alter(0, (2, 1), " ") == "TEXT_MISSING"
    assert match.collect() == []
    assert verify(log, SETUP.rules).kind == EXACT
    live = begin(SETUP)
    assert fault(results.correct_result, live, JUDGE, 0, (1, 0), "so") == "MATCH_LIVE"


def test_officials_still_speak_after_the_end() -> None:
    match, log = ended()
    before = match.pos.encoded()
    rulings.rule(match, JUDGE, "it stands", about=3)
    rulings.note(match, JUDGE, "for all", public=True)
    rulings.penalise(match, JUDGE, 1, "warning")
    irregular.flag(match, JUDGE, "house:concede", "spoke out of turn", 1)
    log += match.collect()
    assert (match.pos.over, match.pos.results) == (True, fold_all(active(log)).results)
    assert len(match.pos.results) == 1
    assert match.pos.zones == fold_all(active(log[: len(log) - 12])).zones
    assert match.pos.encoded() != before
    assert verify(log, SETUP.rules).kind == EXACT
    assert resume(SETUP, log).pos == match.pos


def test_what_needs_a_live_match_is_refused_after_its_end() -> None:
    match, _ = ended()
    shuffle = [Fix("shuffle", place="deck/0")]
    for call in (
        partial(clocks.call_time, match, JUDGE),
        partial(clocks.pause, match, JUDGE),
        partial(clocks.go_on, match, JUDGE),
        partial(clocks.set_clock, match, JUDGE, "round", 1),
        partial(correct, match, JUDGE, shuffle, "house:concede", 0),
        partial(irregular.play, match, JUDGE, 12, 0, Act("pass")),
        partial(adoption.adopt, match, JUDGE),
        partial(rulings.look, match, JUDGE, "official"),
        partial(match.interject, 0, "concede", 10**7),
    ):
        assert fault(call) == "MATCH_OVER"
    assert match.collect() == []


@pytest.mark.parametrize(
    ("score", "game", "seat", "effect", "winner", "then", "lost"),
    [
        ([0, 1], 1, 1, GAME_LOSS, 0, (1, 0), ()),
        ([0, 1], 1, 0, GAME_LOSS, 1, (0, 1), ()),  # he has lost all there is
        ([0, 1], 1, 1, MATCH_LOSS, 0, (0, 1), (1,)),
        ([0, 1], 1, 0, MATCH_LOSS, 1, (0, 1), (0,)),
        ([0, 0], 1, 0, GAME_LOSS, 1, (0, 1), ()),  # both had lost it
        ([2, 1], 3, 0, GAME_LOSS, 1, (1, 2), ()),
        ([2, 0], 2, 0, GAME_LOSS, -1, (1, 1), ()),  # no third game was played
        ([2, 0], 2, 0, MATCH_LOSS, 1, (2, 0), (0,)),
    ],
)  # fmt: skip
def test_a_penalty_after_the_end(
    score: list[int], game: int, seat: int, effect: str, winner: int, then: tuple[int, ...],
    lost: tuple[int, ...],
) -> None:  # fmt: skip
    ahead = -1 if score[0] == score[1] else int(score[1] > score[0])
    p = Position(over=True, winner=ahead, score=score, game=game)
    p.results = [Result(ahead, tuple(score), 99)]
    assert results.after_penalty(p, seat, effect) == results.Outcome(winner, then, lost)


def test_penalties_supersede_the_result() -> None:
    match, log = ended(best_of=3)
    rulings.penalise(match, JUDGE, 1, "disqualification", "a marked deck")
    _, penalty, corrected, _ = added = match.collect()
    log += added
    assert penalty.event == Penalty(1, "disqualification", "a marked deck", MATCH_LOSS)
    assert corrected.event == ResultCorrected(0, (0, 2), "a marked deck", (1,))
    assert corrected.cites == ("house:result", "house:penalty", "house:official")
    assert (match.pos.winner, match.pos.score) == (0, [0, 2])
    rulings.penalise(match, JUDGE, 1, "disqualification", "once more")
    log += (added := match.collect())
    assert [type(entry.event) for entry in added[1:-1]] == [Penalty], "nothing else comes of it"
    rulings.penalise(match, JUDGE, 0, "match-loss", "so had he")
    log += match.collect()
    assert (match.pos.winner, match.pos.results[-1].lost) == (-1, (0, 1)), "nobody is left to win"
    assert verify(log, SETUP.rules).kind == EXACT
    assert resume(SETUP, log).pos == match.pos


def test_a_match_that_was_lost_by_a_penalty_is_not_won_after_it() -> None:
    match = begin(SETUP)
    rulings.penalise(match, JUDGE, 0, "match-loss")
    rulings.penalise(match, JUDGE, 1, "match-loss")
    assert (match.pos.winner, match.pos.score) == (-1, [0, 1])


def test_an_end_is_taken_back_and_the_match_plays_on_to_another() -> None:
    match, log = ended()
    results.correct_result(match, JUDGE, 0, (1, 0), "mixed up")
    log += match.collect()
    n = match.pos.decisions
    assert fault(rewind.rewind, match.rules, log, n + 1, JUDGE, match.dice) == "NO_SUCH_DECISION"
    back = rewind.rewind(match.rules, log, n, JUDGE, match.dice)
    log += back.collect()
    p = back.pos
    assert (p.over, p.winner, p.results) == (False, -1, [])
    assert p.decision is not None
    assert p.decision.n == n
    assert verify(log, SETUP.rules).kind == EXACT
    assert resume(SETUP, log).pos == p
    go_on(back, SETUP, log)
    assert back.pos.over
    assert len(back.pos.results) == 1
    assert sum(isinstance(entry.event, ev.MatchEnded) for entry in log) == 2
    assert sum(isinstance(entry.event, ev.MatchEnded) for entry in active(log)) == 1
    assert verify(log, SETUP.rules).kind == EXACT
    rulings.note(back, JUDGE, "so it ended after all")
    log += back.collect()
    assert resume(SETUP, log).pos == back.pos


def _inserted(log: list[Entry], event: AnyEvent, by: int, *cites: str) -> list[Entry]:
    """A log whose last entry has another event."""
    last = log[-1]
    return [*log, Entry(last.seq + 1, last.time, last.moment + 1, 0, by, cites, event)]


@pytest.mark.parametrize(
    ("event", "by"),
    [
        (ev.MatchEnded(0, (1, 0)), RULES),
        (ev.MatchEnded(0, (1, 0)), BY_OFFICIAL),
        (ev.CardsRemoved((1,), "penalty"), BY_OFFICIAL),
        (ev.ChanceDrawn("die", 6, Sealed(EVERYONE, (1,))), CHANCE),
        (ev.TurnBegan(40, 0), BY_OFFICIAL),
        (clocks.Paused(True, ""), BY_OFFICIAL),
        (ResultCorrected(0, (1, 0), "", ()), RULES),
        (ResultCorrected(2, (1, 0), "", ()), BY_OFFICIAL),
        (ResultCorrected(0, (1,), "", ()), BY_OFFICIAL),
        (ResultCorrected(0, (1, 0), "", (0,)), BY_OFFICIAL),
    ],
)
def test_what_nobody_records_after_the_end_is_found(event: AnyEvent, by: int) -> None:
    _, log = ended()
    assert verify(_inserted(log, event, by), SETUP.rules).kind == DIVERGED
    assert verify(_inserted(log, event, by), None).kind == DIVERGED


def test_a_result_is_not_corrected_before_the_end() -> None:
    match = begin(SETUP)
    forged = _inserted(match.collect(), ResultCorrected(0, (1, 0), ""), BY_OFFICIAL)
    assert verify(forged, SETUP.rules).kind == DIVERGED


def test_a_transcript_tells_what_came_after_the_end() -> None:
    match, log = ended(best_of=3)
    results.correct_result(match, JUDGE, 0, (2, 1), "mixed up")
    rulings.note(match, JUDGE, "told the players", public=True)
    log += match.collect()
    text = write(log, SETUP.rules)
    assert '[Result "A 2-1"]' in text
    assert '[Superseded ["B 0-2"]]' in text
    repeated = read(text, lambda game: SETUP.rules)
    assert fold_all(active(repeated)).results == match.pos.results
    back = rewind.rewind(match.rules, log, match.pos.decisions, JUDGE, match.dice)
    log += back.collect()
    go_on(back, SETUP._replace(best_of=3), log)
    repeated = read(write(log, SETUP.rules), lambda game: SETUP.rules)
    assert fold_all(active(repeated)).results == back.pos.results
    wrong = text.replace('"B 0-2"', '"B 1-2"')
    with pytest.raises(ValueError, match="Superseded"):
        read(wrong, lambda game: SETUP.rules)


def test_where_chance_is_called_for_after_an_end_was_taken_back() -> None:
    """What was drawn on the abandoned line is not drawn again: chance goes on."""
    match, log = ended(best_of=3)
    drawn = chances(log)
    opened = (entry.event for entry in log if isinstance(entry.event, ev.DecisionOpened))
    n = [event.n for event in opened if event.rest][-1]
    back = rewind.rewind(match.rules, log, n, JUDGE, Dice(SETUP.seed, drawn))
    log += back.collect()
    correct(back, JUDGE, [Fix("shuffle", place="deck/0")])
    log += back.collect()
    assert chances(log) > drawn
    assert verify(log, SETUP.rules).kind == EXACT
