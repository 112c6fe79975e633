"""Time called at any decision of any match: it ends when the policy says, by who is ahead then."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.engine.checks.invariants import faults
from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Match
from domain.officials import clocks
from domain.officials.frame import Official
from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.folding.fold import fold_all
from domain.record.schema.policy import Clocks, EndOfTime, Policy
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
