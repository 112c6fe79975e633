"""Statistics: two matches that a viewer can't tell apart have the same facts for him."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.record.entries import Entry
from domain.record.events import MatchEnded
from domain.record.values import RULES
from domain.record.views import OFFICIAL, PUBLIC, redact
from domain.statistics import facts as facts_
from domain.statistics.facts import Facts, Zones, facts
from tests.playouts import Setup, play
from tests.properties.secrecy.twins import Case, noticed, twins
from tests.properties.strategies import examples, seeds, setups


def read(setup: Setup, log: list[Entry], viewer: int) -> Facts | None:
    rules = setup.rules
    return facts(log, viewer, Zones.of(rules.manifest, rules.tallies))


def over(log: list[Entry], same: int) -> list[Entry]:
    """A match up to some entry, where it is over: facts are of such matches alone."""
    log = log[:same]
    end = MatchEnded(-1, (0, 0))
    return [*log, Entry(log[-1].seq + 1, log[-1].time, log[-1].moment + 1, 0, RULES, (), end)]


def distinguished(case: Case) -> object:
    """Whether the facts of two matches differ for a viewer."""
    setup, log, twin, viewer, _ = case
    same = min(twin.same, len(twin.log), len(log))
    one, other = (read(setup, over(of, same), viewer) for of in (log, twin.log))
    return None if one == other else (one, other)


@examples(6)
@given(setups(restless=False), st.sampled_from([PUBLIC, 0, 1]), seeds)
def test_twins_have_the_same_facts(setup: Setup, viewer: int, seed: int) -> None:
    log = play(setup)
    for twin in twins(setup, log, viewer, seed):
        assert distinguished(Case(setup, log, twin, viewer, seed)) is None


@examples(6)
@given(setups(), st.sampled_from([PUBLIC, 0, 1]))
def test_facts_are_of_what_the_viewer_gets(setup: Setup, viewer: int) -> None:
    log = play(setup)
    seen = [redact(entry, viewer) for entry in log]
    assert read(setup, log, viewer) == read(setup, seen, viewer) == read(setup, seen, OFFICIAL)


def test_facts_of_the_whole_record_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts_, "redact", lambda entry, viewer: entry)
    assert noticed(distinguished, (PUBLIC,))
