"""After any acts of officials the record is whole, resumable, exact, and reveals nothing hidden."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given

from domain.engine.checks.invariants import lost, misplaced
from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Match
from domain.officials.rewind import fork
from domain.record.entries import Entry, active
from domain.record.events import MatchEnded
from domain.record.folding.fold import fold, fold_all
from domain.record.interventions import Rewound
from domain.record.position import Position
from domain.record.schema.citations import known, texts
from domain.record.schema.wording import faults
from domain.record.values import BY_OFFICIAL
from domain.record.views import PUBLIC, redact
from replay_cli.playing.fuzz.officials import RandomOfficial
from tests.playouts import Setup, begin, cuts, go_on, resume, take_turn
from tests.properties.strategies import examples, points, seeds, setups
from tests.support.officials import nonsense, refusal_of

#: How likely officials go on once it is over.
AFTER_END = 0.8
#: How long a match under an official's eyes is followed, in decisions.
LENGTH = 60


def officiated(
    setup: Setup, seed: int, share: float = 0.25
) -> tuple[Match, list[Entry], RandomOfficial]:
    """A match and its log, in which an official has done this and that."""
    rng = Random(seed)
    match, random_official = begin(setup), RandomOfficial(rng, partial(resume, setup))
    log = match.collect()
    for _ in range(LENGTH):
        if rng.random() < (AFTER_END if match.pos.over else share):
            match = random_official.act(match, log)
            assert match.pos == fold_all(active(log))
            assert [*misplaced(match.pos), *lost(match.pos)] == []
        elif match.pos.over:
            break
        if match.pos.over:
            continue
        take_turn(match, setup)
        log += match.collect()
    return match, log, random_official


@examples(12)
@given(setups(best_of=(1, 3)), seeds)
def test_the_record_is_exact_and_its_fold_is_the_live_match(setup: Setup, seed: int) -> None:
    match, log, _ = officiated(setup, seed)
    assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
    assert all(a.time <= b.time for a, b in pairwise(log))
    assert fold_all(active(log)) == match.pos
    verdict = verify(log, setup.rules)
    assert verdict.kind == EXACT, verdict


@examples(8)
@given(setups(best_of=(1, 3)), seeds, points(8))
def test_it_is_resumed_at_any_entry_even_within_a_command(
    setup: Setup, seed: int, where: list[float]
) -> None:
    """The rulebook adds the same entries after a cut; within an official's frame it adds none."""
    match, log, _ = officiated(setup, seed)
    starts = max(cuts(log)[0], 1)
    for share in where:
        cut = starts + int(share * (len(log) - starts))
        repeated = resume(setup, log[:cut])
        added = repeated.collect()
        assert added == log[cut : cut + len(added)]
        assert repeated.pos == fold_all(active(log[: cut + len(added)]))
    assert resume(setup, log).pos == match.pos


@examples(4)
@given(setups(), seeds)
def test_a_match_goes_on_to_its_end_afterwards(setup: Setup, seed: int) -> None:
    match, log, _ = officiated(setup, seed)
    live = list(log)
    if not match.pos.over:
        go_on(match, setup, live)
        assert go_on(resume(setup, log), setup, list(log)) == live
    assert verify(live, setup.rules).kind == EXACT


@examples(6)
@given(setups(), seeds)
def test_no_viewer_is_shown_what_he_never_learned(setup: Setup, seed: int) -> None:
    """Every face on a viewer's table is the true one, and every zone has its true size."""
    _, log, _ = officiated(setup, seed)
    for viewer in (0, 1, PUBLIC):
        whole, seen = Position(), Position()
        for entry in active(log):
            fold(whole, entry)
            fold(seen, redact(entry, viewer))
            assert {place: len(zone) for place, zone in seen.zones.items()} == {
                place: len(zone) for place, zone in whole.zones.items()
            }
        for number, card in seen.cards.items():
            assert card.id in ("", whole.cards[number].id)
            assert card.place == whole.cards[number].place


@examples(6)
@given(setups(), seeds)
def test_it_is_cited_and_worded_as_everything_is(setup: Setup, seed: int) -> None:
    _, log, _ = officiated(setup, seed)
    rules, of_cards = setup.rules, texts(setup.rules.cards)
    for entry in log:
        assert list(faults(rules.manifest, entry)) == []
        if entry.by == BY_OFFICIAL:
            assert entry.cites
        for cite in entry.cites:
            assert known(cite, rules.rules, of_cards), cite


@examples(6)
@given(setups(), seeds)
def test_what_is_refused_leaves_no_trace(setup: Setup, seed: int) -> None:
    match, log, _ = officiated(setup, seed)
    before = match.pos.encoded()
    for number, call in enumerate(nonsense(match, log)):
        assert refusal_of(call), number
        assert match.pos.encoded() == before
        assert match.collect() == []


@examples(6)
@given(setups(), seeds, points(2))
def test_a_fork_stands_where_it_was_forked_and_can_be_played_on(
    setup: Setup, seed: int, where: list[float]
) -> None:
    _, log, _ = officiated(setup, seed)
    stops = cuts(log)
    for share in where:
        stop = stops[int(share * len(stops))]
        n = log[stop - 2].event.n  # type: ignore[union-attr]
        forked = fork(log, "origin", n)
        assert forked[1:] == log[1:stop]
        branch = resume(setup, forked)
        assert branch.pos.decision == fold_all(active(log[:stop])).decision
        assert branch.pos.heading.fork == "origin"
        take_turn(branch, setup)
        assert verify([*forked, *branch.collect()], setup.rules).kind == EXACT
        assert refusal_of(partial(fork, forked, "again", n)) == "FORKED_ALREADY"


@pytest.mark.long
def test_officials_of_these_tests_do_everything() -> None:
    """The properties above would prove little if nothing of it ever happened."""
    done: Counter[str] = Counter()
    rewinds = taken_back = 0
    for seed in range(16):
        _, log, random_official = officiated(Setup(seed, DECKS[seed % 2]), seed, 0.5)
        done += random_official.done
        rewinds += sum(isinstance(entry.event, Rewound) for entry in log)
        ends = [isinstance(entry.event, MatchEnded) for entry in log]
        taken_back += sum(ends) - any(ends)
    assert set(done) >= {"words", "pause", "correct", "irregular", "rewind", "result"}
    assert taken_back > 0
    assert min(done[way] for way in ("as they were", "random", "shuffle")) > 0
    assert rewinds > 5


@pytest.mark.long
def test_corrections_of_these_tests_are_of_every_kind() -> None:
    """Late in a game, where there is something to put right; nobody sees more than he may."""
    done: Counter[str] = Counter()
    for seed in range(6):
        setup = Setup(seed, DECKS[seed % 2], restless=True)
        match, rng = begin(setup), Random(seed)
        random_official = RandomOfficial(rng, partial(resume, setup))
        log = match.collect()
        while not match.pos.over and match.pos.decisions < 120:
            if match.pos.turn > 4:
                match = random_official.act(match, log, "correct")
            if match.pos.paused >= 0:
                break
            take_turn(match, setup)
            log += match.collect()
        assert verify(log, setup.rules).kind == EXACT
        done += random_official.done
    fixed = {what.removeprefix("fix ") for what in done if what.startswith("fix ")}
    wanted = {"modify", "end", "link", "control", "trigger", "counters", "turn", "retarget"}
    assert fixed >= wanted, done


DECKS = (("ST01", "ST03"), ("HX-A", "HX-B"))
