"""No card is ever lost, doubled or invented, and tables keep the book's limits."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import example, given

from domain.engine.checks.invariants import lost, misplaced, viewers
from domain.engine.match import Match
from domain.record.entries import Entry
from domain.record.events import FrameClosed, FrameOpened, Interjected
from domain.record.folding.fold import fold
from domain.record.position import Position, decoded
from domain.record.views import redact
from tests.playouts import Setup, play
from tests.properties.strategies import examples, setups


@examples(5)
@given(setups())
def test_every_card_lies_in_one_place_at_every_entry(setup: Setup) -> None:
    p = Position()
    for entry in play(setup):
        fold(p, entry)
        assert not list(misplaced(p)), entry


@examples(5)
@given(setups())
def test_the_registered_cards_are_all_there_at_every_decision(setup: Setup) -> None:
    def check(match: Match, log: list[Entry]) -> None:
        assert not list(lost(match.pos))

    play(setup, check)


@examples(5)
@example(Setup(893, ("FUSION", "XYZ"), 1, "keen", False))
@example(Setup(171142, ("ST04", "ST04"), 1, "aimless", True))
@given(setups())
def test_no_limit_is_exceeded_between_two_moments(setup: Setup) -> None:
    p = Position()
    for entry, after in pairwise(play(setup)):
        fold(p, entry)
        if entry.moment != after.moment:
            assert not list(setup.rules.disorder(p, False)), entry


@examples(5)
@given(setups())
def test_every_viewer_counts_the_same_cards_in_every_zone(setup: Setup) -> None:
    tables = {viewer: Position() for viewer in viewers(setup.rules.manifest)}
    for entry in play(setup):
        for viewer, p in tables.items():
            fold(p, redact(entry, viewer))
        counts = [{place: len(zone) for place, zone in p.zones.items()} for p in tables.values()]
        assert all(count == counts[0] for count in counts), entry


@examples(5)
@given(setups(restless=False))
def test_frames_close_and_every_cause_came_before(setup: Setup) -> None:
    p = Position()
    for entry in play(setup):
        if isinstance(entry.event, FrameOpened):
            assert 0 < entry.event.cause < entry.seq
            assert entry.event.parent == p.frame
        if isinstance(entry.event, FrameClosed):
            assert entry.event.id == p.frame
        fold(p, entry)
        if p.step == "main" and p.decision is not None and p.decision.kind == "main":
            assert not p.frames
            assert not p.pending
    assert not p.frames


@examples(5)
@given(setups(restless=True))
def test_tidying_keeps_every_card_as_it_is(setup: Setup) -> None:
    p = Position()
    for entry, after in pairwise(play(setup)):
        fold(p, entry)
        if isinstance(entry.event, Interjected) and entry.event.kind == "reorder":
            tidied = decoded(p.encoded())
            fold(tidied, after)
            place = str(entry.event.about)
            assert sorted(tidied.zone(place)) == sorted(p.zone(place))
            assert tidied.cards == p.cards
            assert tidied.decision == p.decision
