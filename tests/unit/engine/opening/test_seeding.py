"""Seeds for chance: who is bound to what when, who opens what to whom, and what begins by it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Match, Refused
from domain.engine.opening import seeding
from domain.games import rulebook
from domain.officials import beginning, rewind
from domain.officials.frame import Official
from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.interventions import MatchBegan, SeedCommitted, SeedGiven, SeedsOpened
from domain.record.proof import draws
from domain.record.views import OFFICIAL, PUBLIC, position, redact
from domain.text.transcript.read import read
from domain.text.transcript.write import write
from tests.playouts import take_turn
from tests.support.marks import each
from tests.support.seeds import ID, OWN, SERVICE, SETUP, begun, bound, finished, seed_of, waiting

BY = Official("Judge Joy", 9_000, "Ben has no client")


def refused(command: Callable[[], object], fault: str) -> None:
    with pytest.raises(Refused) as refusal:
        command()
    assert refusal.value.refusal.fault == fault


def chances(log: list[Entry]) -> list[ev.ChanceDrawn]:
    return [e.event for e in log if isinstance(e.event, ev.ChanceDrawn)]


def resumed(log: list[Entry]) -> Match:
    return Match.resume(SETUP.rules, log, draws.Shared(OWN, len(chances(log))))


def test_it_begins_by_itself_with_the_last_seed() -> None:
    match = waiting()
    for seat in (1, 0):
        seeding.commit(match, seat, bound(seat), 10)
    seeding.give(match, 0, seed_of(0), 20)
    assert match.pos.heading.waits == "seeds"
    assert match.pos.decision is None
    seeding.give(match, 1, seed_of(1), 30)
    log = match.collect()
    assert match.pos.decision is not None
    (began,) = [e for e in log if isinstance(e.event, MatchBegan)]
    assert began.event == MatchBegan()
    assert began.time == 30
    key = draws.key(SERVICE, OWN, [seed_of(0), seed_of(1)])
    for n, drawn in enumerate(chances(log), 1):
        assert drawn.result.value == draws.draw(key, n, drawn.kind, drawn.of)


def test_repeating_it_changes_nothing() -> None:
    match = waiting()
    for _ in range(2):
        seeding.commit(match, 0, bound(0), 10)
    seeding.commit(match, 1, bound(1), 10)
    for _ in range(2):
        seeding.give(match, 0, seed_of(0), 20)
    assert sum(isinstance(e.event, SeedCommitted | SeedGiven) for e in match.collect()) == 3
    seeding.give(match, 1, seed_of(1), 20)
    match.collect()
    seeding.give(match, 1, seed_of(1), 40)  # the answer was lost; the match has begun
    assert not match.collect()


def test_nobody_opens_a_seed_before_all_are_bound() -> None:
    match = waiting()
    refused(lambda: seeding.give(match, 0, seed_of(0), 5), "SEED_UNCOMMITTED")
    seeding.commit(match, 0, bound(0), 10)
    refused(lambda: seeding.give(match, 0, seed_of(0), 15), "SEED_EARLY")
    seeding.commit(match, 0, bound(0, seed_of("another")), 16)  # its client was started again
    seeding.commit(match, 1, bound(1), 17)
    refused(lambda: seeding.commit(match, 0, bound(0), 18), "SEED_LATE")
    refused(lambda: seeding.give(match, 0, seed_of(0), 19), "BAD_SEED")
    seeding.give(match, 0, seed_of("another"), 19)


def test_who_commits_to_what_another_did_can_not_open_it() -> None:
    match = waiting()
    seeding.commit(match, 0, bound(0), 10)
    seeding.commit(match, 1, bound(0), 11)  # a copy
    seeding.give(match, 0, seed_of(0), 12)
    refused(lambda: seeding.give(match, 1, seed_of(0), 13), "BAD_SEED")
    elsewhere = draws.of_seat(draws.of_service("other", OWN), 1, seed_of(1))
    assert elsewhere != bound(1)


@pytest.mark.parametrize("data", [b"", b"x" * 31, b"x" * 33])
def test_what_is_no_commitment_and_no_seed(data: bytes) -> None:
    match = waiting()
    refused(lambda: seeding.commit(match, 0, data, 10), "BAD_SEED")
    seeding.commit(match, 0, bound(0, data), 10)
    seeding.commit(match, 1, bound(1), 10)
    refused(lambda: seeding.give(match, 0, data, 11), "BAD_SEED")


def test_only_where_chance_comes_from_seeds_are_any_given() -> None:
    match = Match.open(SETUP.rules, replace(_plain(), waits="official"), _never)
    refused(lambda: seeding.commit(match, 0, bound(0), 10), "NOT_SHARED")
    refused(lambda: seeding.give(match, 0, seed_of(0), 10), "NOT_SHARED")
    refused(lambda: seeding.commit(waiting(), 2, bound(2), 10), "NO_SUCH_SEAT")
    refused(lambda: seeding.commit(begun(), 0, bound(0), 30), "MATCH_BEGUN")


def test_what_an_official_need_not_wait_for_is_named() -> None:
    silent = waiting()
    beginning.begin(silent, BY)
    assert _without(silent) == ((0, "silent"), (1, "silent"))
    withheld = waiting()
    for seat in (0, 1):
        seeding.commit(withheld, seat, bound(seat), 10)
    seeding.give(withheld, 0, seed_of(0), 20)
    refused(lambda: seeding.give(withheld, 1, seed_of("other"), 20), "BAD_SEED")
    beginning.begin(withheld, BY)
    assert _without(withheld) == ((1, "misfit"),)


def test_who_is_bound_may_open_his_seed_though_another_never_is() -> None:
    match = waiting(waits="official")
    seeding.commit(match, 0, bound(0), 10)
    beginning.begin(match, BY)
    assert match.pos.heading.waits == "seeds"
    refused(lambda: seeding.commit(match, 1, bound(1), 9_001), "SEED_LATE")
    seeding.give(match, 0, seed_of(0), 9_002)
    log = match.collect()
    key = draws.key(SERVICE, OWN, [seed_of(0), b""])
    for n, drawn in enumerate(chances(log), 1):
        assert drawn.result.value == draws.draw(key, n, drawn.kind, drawn.of)
    assert [e.event for e in log if isinstance(e.event, MatchBegan)] == [
        MatchBegan(((1, "silent"),))
    ]


def test_an_officials_second_word_has_it_begin_whatever_is_missing() -> None:
    match = waiting()
    seeding.commit(match, 0, bound(0), 10)
    beginning.begin(match, BY)
    assert match.pos.decision is None
    beginning.begin(match, BY)
    assert match.pos.decision is not None
    assert _without(match) == ((0, "withheld"), (1, "silent"))


def _without(match: Match) -> object:
    (began,) = [e.event for e in match.collect() if isinstance(e.event, MatchBegan)]
    return began.without


def test_seeds_are_for_their_seats_until_the_end_and_then_for_all() -> None:
    log = finished(begun())
    opened = [e for e in log if isinstance(e.event, SeedsOpened)]
    assert [e.event for e in opened] == [SeedsOpened(OWN, (seed_of(0), seed_of(1)))]
    assert isinstance(log[log.index(opened[0]) - 1].event, ev.MatchEnded)
    for viewer in (0, 1, PUBLIC):
        seen = [redact(e, viewer) for e in log]
        given = {e.event.seat: e.event.seed.value for e in seen if isinstance(e.event, SeedGiven)}
        assert given == {s: seed_of(s) if s == viewer else None for s in (0, 1)}
        assert redact(opened[0], viewer) == opened[0]
        before = position(seen[: opened[0].seq - 1], viewer).heading
        assert before.seeds == {s: seed_of(s) if s == viewer else b"" for s in (0, 1)}
    assert verify(log, SETUP.rules).kind == EXACT
    assert resumed(log).pos.heading.opened


def test_it_is_gone_on_with_from_every_entry_with_the_same_chance() -> None:
    match = begun()
    log = finished(match)
    inputs = [at for at, e in enumerate(log) if e.by in (0, 1)]
    for at in inputs[:60:3]:
        found = resumed(log[:at])
        event = log[at].event
        found.table.now = log[at].time
        if isinstance(event, SeedCommitted):
            seeding.commit(found, event.seat, event.commitment, log[at].time)
        elif isinstance(event, SeedGiven):
            assert event.seed.value is not None
            seeding.give(found, event.seat, event.seed.value, log[at].time)
        elif isinstance(event, ev.DecisionMade):
            take_turn_as(found, log[at])
        new = found.collect()
        assert new == log[at : at + len(new)]


def take_turn_as(match: Match, entry: Entry) -> None:
    """Give the answer that was recorded."""
    assert isinstance(entry.event, ev.DecisionMade)
    match.table.now = entry.time
    match.driver.take(match.table.input(entry.event, *entry.cites, by=entry.by))


def test_a_series_and_what_was_undone_draw_on_by_number() -> None:
    match = begun(best_of=3)
    log = match.collect()
    for _ in range(8):
        take_turn(match, SETUP)
        log += match.collect()
    back = rewind.rewind(SETUP.rules, log, 2, replace(BY, now=match.pos.time), match.dice)
    log += finished(back)
    games = sum(isinstance(e.event, ev.GameBegan) for e in log)
    assert games > 2
    key = draws.key(SERVICE, OWN, [seed_of(0), seed_of(1)])
    for n, drawn in enumerate(chances(log), 1):
        assert drawn.result.value == draws.draw(key, n, drawn.kind, drawn.of)


def test_a_fork_tells_nothing_of_what_the_match_will_draw() -> None:
    match = begun()
    log = match.collect()
    fork = rewind.fork(log, ID, 1)
    opened = fork[0].event
    assert isinstance(opened, ev.MatchOpened)
    assert (opened.chance, opened.commitment) == ("system", b"")
    assert not any(isinstance(e.event, SeedsOpened) for e in fork)


@pytest.mark.parametrize("viewer", each(2, [PUBLIC, OFFICIAL]))
def test_its_transcript_is_read_back(viewer: int) -> None:
    excluding = waiting()
    seeding.commit(excluding, 0, bound(0), 10)
    beginning.begin(excluding, BY)
    seeding.give(excluding, 0, seed_of(0), 20)
    for match in (begun(), excluding):
        _read_back(finished(match), viewer)


def _read_back(log: list[Entry], viewer: int) -> None:
    text = write([redact(e, viewer) for e in log], SETUP.rules)
    assert '[Chance "shared"]' in text
    repeated = read(text, rulebook)
    assert write([redact(e, viewer) for e in repeated], SETUP.rules) == text


def _plain() -> object:
    from tests.playouts import opening

    return opening(SETUP)


def _never(kind: str, of: int) -> tuple[int, ...]:
    raise AssertionError("nothing is drawn")
