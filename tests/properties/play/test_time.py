"""Time called at any decision of any match: it ends when the policy says, by who is ahead then."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.engine import timekeeping
from domain.engine.checks.invariants import faults
from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Match
from domain.officials import clocks
from domain.officials.frame import Official
from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.folding.fold import fold_all
from domain.record.schema.policy import LEVEL, Clocks, EndOfTime, Policy
from tests.playouts import Dice, Setup, cuts, opening, resume, take_turn
from tests.properties.strategies import examples, setups
from tests.support.games import tiebreaks


def policies(game: str) -> st.SearchStrategy[Policy]:
    """Clocks that may run out, a few turns or none, some of the game's tie-breaks."""
    ends = st.builds(
        EndOfTime,
        st.integers(0, 3),
        st.just(0),
        st.sampled_from([(), tiebreaks(game)[:1], tiebreaks(game)]),
    )
    hands = st.builds(Clocks, st.just(2_100_000), st.sampled_from([0, 60_000]), st.just(1_000))
    return st.builds(Policy, clocks=hands, end=ends)


@examples(12)
@given(setups(best_of=(1, 3)), st.data(), st.integers(1, 60))
def test_a_match_ends_as_its_policy_says_once_time_is_called(
    setup: Setup, data: st.DataObject, when: int
) -> None:
    policy = data.draw(policies(setup.rules.manifest.game))
    wanted = replace(opening(setup), policy=policy)
    match = Match.open(setup.rules, wanted, Dice(setup.seed))
    log, called = match.collect(), 0
    while not match.pos.over:
        if match.pos.decisions >= when and not called:
            clocks.call_time(match, Official("Joy", match.pos.time + 7))
            called = match.pos.seq
        take_turn(match, setup)
        log += match.collect()
        if called and match.pos.decisions % 5 == 0 and not match.pos.over:
            assert faults(match.pos, match.rules) == []
            assert resume(setup, log).pos == match.pos
    assert fold_all(log).encoded() == match.pos.encoded()
    assert verify(log, setup.rules).kind == EXACT
    cut = cuts(log)[-1]
    assert resume(setup, log[:cut]).pos == fold_all(log[:cut])
    if called:
        _ended_by_policy(log, called, policy)


def _ended_by_policy(log: list[Entry], called: int, policy: Policy) -> None:
    """No turn and no game too many; who lost by time was behind, or nobody was ahead."""
    after = log[called:]
    begun = [e for e in after if isinstance(e.event, ev.TurnBegan)]
    assert len(begun) <= policy.end.turns
    assert not [e for e in after if isinstance(e.event, ev.GameBegan)]
    for entry in after:
        if isinstance(entry.event, ev.SeatLost) and entry.event.why == "time":
            assert len(begun) == policy.end.turns
            by_name = entry.cites[0].startswith("policy:end.tiebreaks.")
            assert by_name == (len(entry.event.seats) == 1)


@examples(12)
@given(setups(best_of=(1, 3)), st.data(), st.integers(1, 60), st.integers(0, 25))
def test_minutes_that_run_out_end_a_match_at_that_time_however_late_that_is_noticed(
    setup: Setup, data: st.DataObject, when: int, more: int
) -> None:
    """From the log at every point the same follows, and by whoever notices it."""
    ties = tiebreaks(setup.rules.manifest.game)
    zones = {zone.name for zone in setup.rules.manifest.zones if not zone.shared}
    ties = (*(f"last({name})" for name in ties if name in zones), *ties)
    level, finish = data.draw(st.sampled_from(LEVEL)), data.draw(st.booleans())
    end = EndOfTime(3, 600_000, ties, finish=finish, level=level, rule="trm:5.2")
    wanted = replace(opening(setup), policy=Policy(end=end))
    match = Match.open(setup.rules, wanted, Dice(setup.seed))
    log = match.collect()
    while not match.pos.over and match.pos.decisions < when:
        take_turn(match, setup)
    if not match.pos.over:
        clocks.call_time(match, Official("Joy", match.pos.time + 7))
    for _ in range(more):
        if not match.pos.over and timekeeping.too_late(match.pos, match.pos.time + 9_000) is None:
            take_turn(match, setup)
    log += match.collect()
    while finish and not match.pos.over and timekeeping.runs_out(match.pos) is None:
        take_turn(match, setup)
        log += match.collect()
    if match.pos.over:
        return
    due, before = timekeeping.runs_out(match.pos), len(log)
    assert due is not None
    assert due == max(match.pos.deadline, match.pos.time)
    late = resume(setup, log)
    clocks.run_out(match, Official("kifu", due))
    clocks.run_out(late, Official("kifu", due + 86_400_000))
    log += match.collect()
    assert log[before:] == late.collect()
    assert match.pos.over
    assert {entry.time for entry in log[before:]} == {due}
    assert log[before].cites[:2] == ("policy:end.ms", "trm:5.2")
    assert verify(log, setup.rules).kind == EXACT
    for cut in (*cuts(log)[-5:], len(log)):
        assert resume(setup, log[:cut]).pos == fold_all(log[:cut])
