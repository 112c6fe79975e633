"""What officials put into the record, one thing at a time; random mixes are in the properties."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from domain.engine.match import Match
from domain.engine.rulebook import Refused
from domain.officials import clocks, rulings
from domain.officials.frame import Official
from domain.record import events as ev
from domain.record.entries import AnyEvent, Entry, active
from domain.record.folding.fold import fold_all
from domain.record.interventions import Looked, Noted, Ruling
from domain.record.schema.policy import Clocks, PenaltyKind, Policy
from domain.record.values import BY_OFFICIAL, OFFICIALS, Sealed
from domain.record.views import PUBLIC, redact
from tests.playouts import Dice, Setup, opening, take_turn

SETUP = Setup(5)
NOW = 1_000_000  # later than anything the bots do
JUDGE = Official("Ada", NOW, "because")
TIMED = Policy(clocks=Clocks(3_600_000, 1_200_000), replay_evidence="rulings")


def opened(policy: Policy = TIMED, best_of: int = 1) -> tuple[Match, list[Entry]]:
    """A match some decisions after its opening, and its log."""
    setup = SETUP._replace(best_of=best_of)
    match = Match.open(setup.rules, replace(opening(setup), policy=policy), Dice(setup.seed))
    for _ in range(8):
        take_turn(match, setup)
    return match, match.collect()


def events_of(match: Match) -> list[AnyEvent]:
    """What was added between an official's frame's opening and its end."""
    entries = match.collect()
    assert {entry.by for entry in entries} == {BY_OFFICIAL}
    assert isinstance(entries[0].event, ev.FrameOpened)
    assert entries[0].event.facts["who"] == "Ada"
    assert isinstance(entries[-1].event, ev.FrameClosed)
    return [entry.event for entry in entries[1:-1]]


def fault(call: Callable[..., object], *args: object, **kwargs: object) -> str:
    with pytest.raises(Refused) as caught:
        call(*args, **kwargs)
    assert caught.value.refusal.rules[-1] in ("house:official", "house:pause")
    return caught.value.refusal.fault


def test_a_ruling_cites_what_it_applies() -> None:
    match, log = opened()
    rulings.rule(match, JUDGE, "the attack stands", ("gcg:7-3-1",), about=12, decision=3)
    _, ruling, _ = match.collect()
    assert ruling.event == Ruling(12, "the attack stands", 3)
    assert ruling.cites == ("gcg:7-3-1", "house:ruling", "house:official")
    assert fault(rulings.rule, match, JUDGE, "so", ("gcg:0",)) == "RULE_UNKNOWN"
    assert fault(rulings.rule, match, JUDGE, "so", about=10**6) == "NO_SUCH_ENTRY"
    assert fault(rulings.rule, match, JUDGE, "so", evidence=log[0]) == "NO_SUCH_LOOK"


def test_a_ruling_rests_on_a_look_where_the_event_says_so() -> None:
    match, _ = opened()
    rulings.look(match, JUDGE, "seat/1")
    _, look, _ = match.collect()
    assert redact(look, PUBLIC).event == Looked("seat/1", Sealed(OFFICIALS))
    rulings.rule(match, JUDGE, "he held it", evidence=look)
    assert events_of(match) == [Ruling(0, "he held it", 0, look.seq)]
    assert fault(rulings.look, match, JUDGE, "seat/7") == "NO_SUCH_SEAT"
    stern, _ = opened(replace(TIMED, replay_evidence="investigation"))
    assert fault(rulings.rule, stern, JUDGE, "so", evidence=look) == "NO_EVIDENCE"
    none, _ = opened(Policy())
    assert fault(rulings.look, none, JUDGE, "official") == "NO_EVIDENCE"


def test_an_event_has_penalties_of_its_own() -> None:
    match, _ = opened(Policy(penalties=(PenaltyKind("sent-home", "Sent home", "match loss"),)))
    assert fault(rulings.penalise, match, JUDGE, 0, "warning") == "NO_SUCH_PENALTY"
    assert fault(rulings.penalise, match, JUDGE, 2, "sent-home") == "NO_SUCH_SEAT"
    rulings.penalise(match, JUDGE, 0, "sent-home")
    assert match.pos.winner == 1


def test_notes_are_for_officials_unless_they_are_for_all() -> None:
    match, _ = opened()
    for public in (False, True):
        rulings.note(match, JUDGE, "looked tired", 7, public)
        _, note, _ = match.collect()
        seen = redact(note, PUBLIC).event
        assert isinstance(seen, Noted)
        assert (seen.text.value == "looked tired") is public
    assert fault(rulings.note, match, JUDGE, "  ") == "TEXT_MISSING"
    assert fault(rulings.note, match, JUDGE, "x" * 2001) == "TEXT_TOO_LONG"


def test_no_act_is_taken_while_the_match_is_paused() -> None:
    match, log = opened()
    assert fault(clocks.go_on, match, JUDGE) == "NOT_PAUSED"
    clocks.pause(match, JUDGE)
    assert fault(take_turn, match, SETUP) == "PAUSED"
    assert fault(match.interject, 0, "concede", NOW) == "PAUSED"
    assert fault(clocks.pause, match, JUDGE) == "PAUSED_ALREADY"
    left = match.pos.left("round", NOW)
    clocks.go_on(match, replace(JUDGE, now=NOW + 15_000))
    assert match.pos.left("round", NOW + 15_000) == left
    take_turn(match, SETUP)
    log += match.collect()
    assert fold_all(active(log)) == match.pos


def test_clocks_are_set_stopped_and_extended() -> None:
    match, _ = opened()
    shown = match.pos.left("round", NOW)
    clocks.extend(match, JUDGE, "round", 5_000)
    assert match.pos.left("round", NOW) == shown + 5_000
    clocks.set_clock(match, JUDGE, "round", running=False)
    assert match.pos.left("round", NOW + 90_000) == shown + 5_000
    assert match.pos.decision is not None
    clock = f"seat/{match.pos.decision.seats[0]}"
    clocks.set_clock(match, JUDGE, clock, 7_000)
    assert match.pos.left(clock, match.pos.time + 1_000) == 6_000
    assert fault(clocks.set_clock, match, JUDGE, "sundial", 1) == "NO_SUCH_CLOCK"
    assert fault(clocks.set_clock, match, JUDGE, "round", -1) == "BAD_TIME"
    assert fault(clocks.extend, match, JUDGE, "round", 0) == "BAD_TIME"
