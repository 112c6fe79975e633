"""The record is complete: folding it gives the table as it was, without any rules."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given

from domain.engine.match import Match
from domain.record.entries import Entry, decode, encode
from domain.record.events import DecisionOpened
from domain.record.folding.digests import digest
from domain.record.folding.fold import fold, fold_all
from domain.record.position import Position, decoded
from tests.playouts import Setup, begin, go_on, play
from tests.properties.strategies import examples, points, setups


@examples(6)
@given(setups())
def test_the_fold_of_the_log_is_the_live_position_at_every_decision(setup: Setup) -> None:
    folded, seen = Position(), 0

    def compare(match: Match, log: list[Entry]) -> None:
        nonlocal seen
        fold_all(log[seen:], folded)
        seen = len(log)
        assert folded == match.pos
        assert digest(folded) == digest(match.pos)

    match = begin(setup)
    log = go_on(match, setup, [], compare)
    assert fold_all(log) == match.pos


@examples(6)
@given(setups())
def test_the_recorded_digests_are_those_of_the_folded_positions(setup: Setup) -> None:
    p = Position()
    for entry in play(setup):
        if isinstance(entry.event, DecisionOpened):
            assert entry.event.digest.value == digest(p)
        fold(p, entry)


@examples(4)
@given(setups())
def test_every_entry_survives_being_stored(setup: Setup) -> None:
    log = play(setup)
    for entry in log:
        assert decode(encode(entry)) == entry


@examples(4)
@given(setups(), points(5))
def test_a_stored_position_goes_on_as_the_position_would(setup: Setup, where: list[float]) -> None:
    log = play(setup)
    whole = fold_all(log)
    for share in where:
        at = int(share * len(log))
        before = fold_all(log[:at])
        copy = decoded(before.encoded())
        assert copy == before
        assert digest(copy) == digest(before)
        assert fold_all(log[at:], copy) == whole


@examples(4)
@given(setups())
def test_numbers_times_and_moments_only_go_up(setup: Setup) -> None:
    log = play(setup)
    assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
    for before, after in pairwise(log):
        assert before.time <= after.time
        assert before.moment <= after.moment
