"""What learners and analysts get: matches that a viewer can't tell apart give the same of both."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from kifu import tables

from domain.games import names
from domain.record.entries import Entry
from domain.record.views import PUBLIC
from service.env import observing
from service.env.layout import Layout
from service.env.menu import Menu
from service.env.observing import Observer
from service.tables import arrow
from tests.playouts import Setup, cuts, play
from tests.properties.secrecy.twins import Case, noticed, twins
from tests.properties.strategies import examples, seeds, setups


def observed(setup: Setup, log: list[Entry], seat: int, ends: list[int]) -> list[bytes]:
    """What the seat observes after each of so many entries, with its menu where it is asked."""
    layout = Layout(setup.rules, 250)
    observer, found = Observer(layout, seat), list[bytes]()
    for start, end in pairwise([0, *ends]):
        observer.follow(log[start:end])
        offer = observer.offer
        menu = Menu(offer) if offer is not None else None
        found.append(observer.observed(menu).tobytes())
    return found


def distinguished(case: Case) -> object:
    """Where the observations of two matches differ for a seat; None: nowhere."""
    setup, log, twin, seat, _ = case
    ends = [cut for cut in cuts(log) if cut <= min(twin.same, len(twin.log))]
    both = [observed(setup, one, seat, ends) for one in (log, twin.log)]
    return next((end for end, one, other in zip(ends, *both, strict=True) if one != other), None)


@examples(4)
@given(setups(restless=False), st.sampled_from([0, 1]), seeds)
def test_twins_give_the_same_observations(setup: Setup, seat: int, seed: int) -> None:
    assume(setup.rules.manifest.name in names())
    log = play(setup)
    for twin in twins(setup, log, seat, seed):
        assert distinguished(Case(setup, log, twin, seat, seed)) is None


def tabulated(case: Case) -> object:
    """The tables that differ for a viewer; none: the matches are the same to him."""
    _, log, twin, viewer, _ = case
    same = min(twin.same, len(twin.log))  # not every answer can be given in every twin
    both = [tables.of(one[:same], "m", viewer) for one in (log, twin.log)]
    return [name for name, table in both[0].items() if not table.equals(both[1][name])]


@examples(4)
@given(setups(restless=False), st.sampled_from([0, 1, PUBLIC]), seeds)
def test_twins_give_the_same_tables(setup: Setup, viewer: int, seed: int) -> None:
    log = play(setup)
    for twin in twins(setup, log, viewer, seed):
        assert tabulated(Case(setup, log, twin, viewer, seed)) == []


@pytest.mark.long
def test_tables_of_everything_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow, "redact", lambda entry, viewer: entry)
    assert noticed(tabulated, (0, PUBLIC))


@pytest.mark.long
def test_an_observer_of_everything_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observing, "redact", lambda entry, viewer: entry)
    assert noticed(distinguished, (0, 1))
