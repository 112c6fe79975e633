"""The aggregate: opening, commands and their refusals, resuming; on the toy game."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.match import BadDeck, Deck, Match, Opening, Refused, Stale
from domain.engine.signals import Diverged
from domain.record import events as ev
from domain.record.decisions import Act
from domain.record.entries import Entry, name_of
from domain.record.folding.fold import fold_all
from domain.record.interventions import Rewound
from domain.record.values import BY_OFFICIAL
from tests.toy import TOY

ONES, TENS = Deck("ones", TOY.decks["ones"]), Deck("tens", TOY.decks["tens"])
OPENING = Opening(("Ann", "Ben"), (ONES, TENS), 5, options={"turns": 4}, ticket="t-0")


def in_order(kind: str, of: int) -> tuple[int, ...]:
    return tuple(range(of)) if kind == "shuffle" else (0,)


def never(kind: str, of: int) -> tuple[int, ...]:
    raise AssertionError("chance was asked again")


def opened(**changed: Any) -> Match:
    return Match.open(TOY, replace(OPENING, **changed), in_order)


def played(match: Match, turns: int = 99) -> list[Entry]:
    """Pass that often; the log."""
    log = match.collect()
    while match.pos.decision is not None and turns:
        match.choose(match.pos.turn_seat, match.pos.decision.n, Act("pass"), match.pos.time + 10)
        log += match.collect()
        turns -= 1
    return log


def test_a_match_is_opened_up_to_its_first_decision() -> None:
    match = opened()
    log = match.collect()
    assert [name_of(entry.event) for entry in log[:3]] == [
        "match.opened", "deck.registered", "deck.registered",
    ]  # fmt: skip
    assert name_of(log[-1].event) == "options.offered"
    assert match.pos.decision is not None
    assert match.pos.heading.options == {"turns": 4}
    assert match.collect() == []


def test_the_number_of_seats_is_checked() -> None:
    with pytest.raises(Refused):
        opened(seats=("Ann",), decks=(ONES,))
    with pytest.raises(Refused) as missing:
        opened(seats=("Ann", "Ben"), decks=(ONES,))
    assert missing.value.refusal.fault == "DECKS_MISSING"
    assert "each of 2 players needs a deck" in str(missing.value)


def test_every_fault_of_every_deck_is_named() -> None:
    bad = Deck("bad", {"main": ["T01"] * 4 + ["T99"] * 3})
    with pytest.raises(BadDeck) as refused:
        opened(decks=(bad, Deck("worse", {})))
    faults = refused.value.faults
    assert [fault.rule for fault in faults[0]] == ["toy:2", "toy:2-1", "toy:2"]
    assert set(faults) == {0, 1}


def test_an_answer_carries_its_time_its_ticket_and_how_long_it_took() -> None:
    match = opened()
    match.collect()
    match.choose(0, 1, Act("pass"), 1_500, "t-1", "timeout")
    first = match.collect()[0]
    assert isinstance(first.event, ev.DecisionMade)
    assert (first.time, first.by, first.cites) == (1_500, 0, ("toy:5",))
    assert (first.event.ms, first.event.origin, first.event.ticket.value) == (
        1_500, "timeout", "t-1",
    )  # fmt: skip
    assert first.event.ticket.to == 0b01


def test_time_never_goes_back() -> None:
    match = opened()
    match.choose(0, 1, Act("pass"), 1_000)
    match.choose(1, 2, Act("pass"), 10)
    log = match.collect()
    assert log[-1].time == 1_000


@pytest.mark.parametrize("n", [0, 2, -1, 10**9])
def test_an_answer_to_another_decision_is_stale(n: int) -> None:
    match = opened()
    with pytest.raises(Stale) as stale:
        match.choose(0, n, Act("pass"), 5)
    assert stale.value.current == 1


@pytest.mark.parametrize(
    ("seat", "rules"), [(1, ("toy:4-1", "toy:4")), (2, ("toy:1",)), (-1, ("toy:1",))]
)
def test_nobody_answers_for_another(seat: int, rules: tuple[str, ...]) -> None:
    match = opened()
    match.collect()
    with pytest.raises(Refused) as refused:
        match.choose(seat, 1, Act("pass"), 5)
    assert refused.value.refusal.rules == rules
    assert match.collect() == []


def test_after_the_end_everything_is_refused() -> None:
    match = opened()
    played(match)
    assert match.pos.over
    for attempt in (
        lambda: match.choose(0, 1, Act("pass"), 5),
        lambda: match.interject(0, "concede", 5),
    ):
        with pytest.raises(Refused):
            attempt()
    assert match.collect() == []


def test_conceding_ends_the_game_from_anywhere() -> None:
    match = opened()
    match.collect()
    match.interject(1, "concede", 700, ticket="t-9")
    log = match.collect()
    assert [name_of(entry.event) for entry in log] == [
        "interjected", "seat.lost", "game.ended", "match.ended",
    ]  # fmt: skip
    assert match.pos.over
    assert match.pos.decision is None
    assert match.pos.winner == 0


# -- resuming --------------------------------------------------------------------------------------


@pytest.mark.parametrize("turns", [0, 1, 3, 99])
def test_a_match_is_resumed_where_its_log_ends(turns: int) -> None:
    match = opened()
    log = played(match, turns)
    repeated = Match.resume(TOY, log, never if turns else in_order)
    assert repeated.pos == match.pos
    assert repeated.collect() == []
    if not match.pos.over:
        assert played(repeated, 1) == played(match, 1)


def test_a_command_that_was_cut_off_is_finished() -> None:
    """The last entries were not saved: what the rules say after the answer is emitted again."""
    match = opened()
    log = played(match, 1)
    answer = next(at for at, e in enumerate(log) if isinstance(e.event, ev.DecisionMade))
    repeated = Match.resume(TOY, log[: answer + 1], in_order)
    assert log[: answer + 1] + repeated.collect() == log


def test_a_record_that_the_rulebook_would_not_have_made_is_not_resumed() -> None:
    match = opened()
    log = played(match, 2)
    wrong = replace(log[-1], cites=("toy:1",))
    with pytest.raises(Diverged) as diverged:
        Match.resume(TOY, [*log[:-1], wrong], never)
    assert diverged.value.seq == log[-1].seq


def test_after_a_rewind_the_match_goes_on_from_there() -> None:
    match = opened()
    log = played(match, 2)
    back = next(e.seq for e in log if isinstance(e.event, ev.OptionsOffered))
    rewound = Entry(len(log) + 1, 90, 0, 0, BY_OFFICIAL, (), Rewound(back, "a misplay"))
    repeated = Match.resume(TOY, [*log, rewound], never)
    assert repeated.pos.decision is not None
    assert repeated.pos.decision.n == 1
    repeated.choose(0, 1, Act("pass"), 100)
    assert next(entry.seq for entry in repeated.collect()) == len(log) + 2


def test_a_snapshot_saves_folding_from_the_start() -> None:
    match = opened()
    log = played(match, 3)
    rest = max(at for at, e in enumerate(log) if isinstance(e.event, ev.StepBegan)) + 1
    repeated = Match.resume(TOY, log[rest:], never, fold_all(log[:rest]))
    assert repeated.pos == match.pos
