"""Results that the players of a table report themselves: they agree, differ, take back."""

from __future__ import annotations

import pytest

from domain.engine.rulebook import Refused
from domain.telling.tournament import sentence
from domain.tournament import record as ev
from domain.tournament.acts import calls, claims, results, rounds
from domain.tournament.record import Format, Outcome
from domain.tournament.state import Seating
from domain.tournament.tournament import Tournament
from tests.support.tournaments import LOST, WON, by, opened, playing


def at_table(best_of: int = 1, by_: str = "") -> tuple[Tournament, Seating]:
    t = opened(Format("lamps", best_of=best_of, mode="", seconds=60), people=3, accepted=False)
    playing(t, (1, 2), (3, 0))
    t.state.rounds[0].by = by_ or t.state.rounds[0].by
    t.collect()
    return t, t.state.rounds[0].tables[1]


def refused(t: Tournament, player: int, outcome: Outcome, round_: int = 0) -> str:
    t.collect()
    with pytest.raises(Refused) as caught:
        claims.claim(t, by(), player, outcome, round_)
    assert not t.collect()
    return caught.value.refusal.fault


def test_what_both_say_is_the_result() -> None:
    t, table = at_table()
    claims.claim(t, by(name="Player 1"), 1, WON)
    assert (table.result, table.claim(1), table.claim(2)) == (None, WON, None)
    claims.claim(t, by(name="Player 2"), 2, WON)
    assert table.result is not None
    assert (table.outcome, table.result.both, table.claims) == (WON, True, [])
    last = t.collect()[-1].event
    assert sentence(last, t.state) == "round 1, table 1: 1-0, Player 1 won (by both players)"
    assert refused(t, 1, LOST) == "RESULT_THERE"


def test_a_judge_is_called_once_where_they_differ() -> None:
    t, table = at_table()
    claims.claim(t, by(), 1, WON)
    claims.claim(t, by(), 2, LOST)
    assert table.disputed
    (call,) = t.state.calls.values()
    assert (call.table, call.player) == (1, 2)
    assert call.text == "They report different results: 1-0; 0-1"
    claims.withdraw(t, by(), 2)
    assert not table.disputed
    claims.claim(t, by(), 2, LOST)
    assert len(t.state.calls) == 1
    calls.answer(t, by(), 1)
    claims.claim(t, by(), 2, WON)  # they agree after all
    assert (table.outcome, len(t.state.calls)) == (WON, 1)


def test_an_official_says_the_last_word() -> None:
    t, table = at_table()
    claims.claim(t, by(), 1, WON)
    results.report(t, by(), 1, 1, LOST)
    assert (table.outcome, table.claims) == (LOST, [])
    assert table.result is not None
    assert not table.result.both
    results.withdraw(t, by(), 1, 1, "wrong")
    claims.claim(t, by(), 2, WON)
    assert table.result is None  # of what was said before nothing is left
    claims.claim(t, by(), 1, WON)
    results.correct(t, by(), 1, 1, LOST, "they err")
    assert table.outcome == LOST


def test_what_cannot_be_claimed() -> None:
    t, _ = at_table(best_of=3)
    assert refused(t, 1, WON, 2) == "NO_SUCH_ROUND"
    assert refused(t, 1, Outcome(3, 0, 0, 1)) == "BAD_RESULT"
    assert refused(t, 1, Outcome(2, 0, 0, 3)) == "BAD_RESULT"
    assert refused(t, 1, Outcome(2, 0, 0, 1, ev.NO_SHOW)) == "BAD_RESULT"
    assert refused(t, 1, Outcome(0, 0, 0, 0, ev.AGREED, both_lost=True)) == "BAD_RESULT"
    assert refused(t, 3, Outcome(2, 0, 0, 3)) == "RESULT_THERE"  # a bye
    assert refused(t, 4, WON) == "NO_SUCH_PLAYER"
    with pytest.raises(Refused):
        claims.withdraw(t, by(), 1)
    claims.claim(t, by(), 1, Outcome(2, 1, 0, 1))
    assert refused(t, 1, Outcome(2, 1, 0, 1)) == "SAME_RESULT"
    claims.claim(t, by(), 2, Outcome(2, 1, 0, 1))
    rounds.end(t, by())
    assert refused(t, 1, WON) == "ROUND_ENDED"
    t, _ = at_table(by_=ev.ELIMINATION)
    assert refused(t, 1, Outcome(0, 0, 1)) == "RESULT_DRAWN"
    t = playing(opened(people=2), (1, 2))
    assert refused(t, 1, WON) == "RESULT_RECORDED"
