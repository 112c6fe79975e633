"""Whatever is tried at a tournament: the record leads to what is, and refusals leave no trace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from domain.engine.rulebook import Refused
from domain.tournament.acts import calls, clocks, lists, penalties, players, results, rounds
from domain.tournament.folding import apply
from domain.tournament.record import CONCEDED, RULED, Format, Outcome, Table
from domain.tournament.state import Stage, State
from domain.tournament.tournament import Tournament
from tests.properties.strategies import examples
from tests.support.tournaments import BAD_LIST, LIST, RULES, by, opened

number = st.integers(0, 5)
tables = st.lists(st.integers(1, 3), max_size=2).map(tuple)
texts = st.sampled_from(["", "why"])
outcomes = st.builds(
    Outcome,
    st.integers(0, 2),
    st.integers(0, 2),
    st.integers(0, 1),
    number,
    st.sampled_from(["played", CONCEDED, RULED]),
)
pairings = st.permutations(range(1, 6)).map(
    lambda who: [Table(1, who[0], who[1]), Table(2, who[2], who[3]), Table(3, who[4], 0)]
)
#: Commands, those that move a round along more often than others.
COMMANDS: dict[Callable[..., Any], tuple[st.SearchStrategy[Any], ...]] = {
    players.enter: (st.lists(st.tuples(st.sampled_from(["Ann", "Bea", "Cy"]), texts)),),
    players.correct: (number, st.sampled_from(["Dee", "Player 1"]), texts),
    players.drop: (number,),
    players.reinstate: (number,),
    lists.hand_in: (number, st.sampled_from([LIST, BAD_LIST]), st.just(RULES)),
    lists.accept: (tables,),
    lists.reopen: (number, texts),
    rounds.pair: (pairings | st.just([Table(1, 1, 2)]) | st.just([Table(1, 2, 2)]),),
    rounds.open_round: (st.integers(0, 2),),
    rounds.start: (),
    rounds.end: (),
    rounds.finish: (),
    results.report: (st.just(0), st.integers(1, 3), outcomes),
    results.correct: (st.integers(0, 2), st.integers(1, 3), outcomes, texts),
    results.withdraw: (st.integers(0, 2), st.integers(1, 3), texts, st.sampled_from([0, 0, 7])),
    clocks.pause: (st.just(0), tables),
    clocks.resume: (st.just(0), tables),
    clocks.extend: (st.integers(-1, 2), st.just(0), tables),
    clocks.call_time: (st.just(0), tables),
    calls.raise_call: (st.integers(1, 3), number),
    calls.take: (st.integers(1, 2),),
    calls.answer: (st.integers(1, 2), texts, st.integers(0, 1)),
    penalties.penalise: (number, st.sampled_from(["warning", "frown"]), texts),
    penalties.withdraw: (st.integers(20, 40), texts),
}
OFTEN = [rounds.pair, rounds.open_round, rounds.start, rounds.end, *[results.report] * 6]


@st.composite
def commands(draw: st.DrawFn) -> tuple[Callable[..., Any], tuple[Any, ...], int]:
    act = draw(st.sampled_from([*COMMANDS, *OFTEN]))
    return act, tuple(draw(one) for one in COMMANDS[act]), draw(st.integers(0, 3000))


def sound(s: State) -> None:
    """What holds at every entry."""
    for n, one in enumerate(s.rounds, 1):
        seated = Counter(player for table in one.tables.values() for player in table.players)
        assert one.number == n
        assert set(seated.values()) <= {1}
        assert one.stage == Stage.ENDED or n == len(s.rounds)
        if one.stage in (Stage.OPENED, Stage.STARTED, Stage.ENDED):
            playing = [p for table in one.tables.values() if table.second for p in table.players]
            assert {*playing} <= one.lists.keys()
    for player in s.players.values():
        assert not player.accepted or not s.lists[player.list].faults


@given(st.lists(commands(), min_size=20, max_size=60))
@examples(60)
def test_the_record_leads_to_what_is_and_refusals_leave_no_trace(
    found: list[tuple[Callable[..., Any], tuple[Any, ...], int]],
) -> None:
    t = opened(Format("lamps", best_of=3, seconds=60), people=5)
    folded, now = State(), 0
    for act, args, passed in found:
        for entry in t.collect():
            apply(folded, entry)
            sound(folded)
        assert folded == t.state
        now += passed
        try:
            act(t, by(now), *args)
        except Refused:
            assert (t.collect(), t.state) == ([], folded)
        else:
            resumed = Tournament(deepcopy(folded))
            act(resumed, by(now), *args)
            assert resumed.state == t.state
