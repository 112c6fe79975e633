"""Matches that are opened to wait: nothing is asked, timed or drawn before they begin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Match, Refused
from domain.engine.naming import Misstated
from domain.engine.passes.autopass import AutoPass
from domain.engine.signals import RollRequired
from domain.games import rulebook
from domain.officials import beginning, clocks, irregular, rewind, rulings
from domain.officials.adoption import adopt
from domain.officials.corrections import correcting
from domain.officials.corrections.fixes import Fix
from domain.officials.frame import Official
from domain.record import events as ev
from domain.record.decisions import Act
from domain.record.entries import Entry, name_of
from domain.record.interventions import ClockSet, MatchBegan
from domain.record.schema.policy import Clocks, Policy
from domain.record.values import BY_OFFICIAL
from domain.record.views import OFFICIAL, PUBLIC, position, redact
from domain.text.transcript.read import read
from domain.text.transcript.write import write
from tests.playouts import Dice, Setup, opening, resume, take_turn

SETUP = Setup(5, ("ST01", "ST03"))
TIMED = Policy(clocks=Clocks(round=60_000, seat=30_000))
BY = Official("Judge Joy", 9_000, "everybody sits")


def never(kind: str, of: int) -> tuple[int, ...]:
    raise AssertionError("chance fell before the match began")


def waiting(dice: Any = never, **changed: Any) -> Match:
    given = replace(opening(SETUP), **{"policy": TIMED, "waits": "official", **changed})
    return Match.open(SETUP.rules, given, dice)


def test_it_is_opened_with_its_lists_and_nothing_else() -> None:
    match = waiting()
    log = match.collect()
    assert [name_of(e.event) for e in log] == [
        "match.opened", "deck.registered", "deck.registered",
    ]  # fmt: skip
    assert match.pos.heading.waits == "official"
    assert match.pos.decision is None
    assert not match.pos.clocks
    assert verify(log, SETUP.rules).kind == EXACT
    assert Match.resume(SETUP.rules, log, never).pos == match.pos


def test_it_begins_by_an_official_and_is_played_like_any_other() -> None:
    match = waiting(Dice(SETUP.seed))
    beginning.begin(match, BY)
    log = match.collect()
    assert [e.time for e in log if isinstance(e.event, ClockSet)] == [9_000] * 3
    (began,) = [e for e in log if isinstance(e.event, MatchBegan)]
    assert (began.by, began.cites) == (BY_OFFICIAL, ("house:begin", "house:official"))
    assert not match.pos.heading.waits
    assert match.pos.decision is not None
    while not match.pos.over:
        take_turn(match, SETUP)
        log += match.collect()
    plain = Match.open(SETUP.rules, replace(opening(SETUP), policy=TIMED), Dice(SETUP.seed))
    drawn = [e.event for e in plain.collect() if isinstance(e.event, ev.ChanceDrawn)]
    assert drawn == [e.event for e in log if isinstance(e.event, ev.ChanceDrawn)][: len(drawn)]
    assert verify(log, SETUP.rules).kind == EXACT
    for viewer in (0, 1, PUBLIC, OFFICIAL):
        assert position(log, viewer).heading.waits == ""


def test_it_is_resumed_at_every_entry_of_its_beginning() -> None:
    match = waiting(Dice(SETUP.seed))
    rulings.note(match, replace(BY, now=3), "Ann is late")
    beginning.begin(match, BY)
    log = match.collect()
    kinds = [type(e.event) for e in log]
    began, started = kinds.index(MatchBegan), kinds.index(ev.StepBegan)
    for n in range(3, len(log) + 1):
        resumed = resume(SETUP, log[:n])
        assert bool(resumed.pos.heading.waits) == (n <= began)
        assert (resumed.pos.decision is not None) == (n > started)
        if n > started:
            assert resumed.pos == match.pos


@pytest.mark.parametrize(
    "command",
    [
        lambda m: m.choose(0, 1, Act("pass"), 10),
        lambda m: m.interject(0, "concede", 10),
        lambda m: m.set_auto_pass(0, 1, AutoPass(True), 10),
        lambda m: clocks.pause(m, BY),
        lambda m: clocks.go_on(m, BY),
        lambda m: clocks.call_time(m, BY),
        lambda m: clocks.decide(m, BY),
        lambda m: clocks.set_clock(m, BY, "round", 5),
        lambda m: clocks.extend(m, BY, "round", 5),
        lambda m: clocks.flag(m, BY, 0),
        lambda m: rulings.penalise(m, BY, 0, "game-loss"),
        lambda m: correcting.correct(m, BY, [Fix("mark", subject="seat/0", kind="x", value=1)]),
        lambda m: irregular.play(m, BY, 1, 0, Act("pass")),
        lambda m: adopt(m, BY),
    ],
)
def test_whatever_plays_or_times_it_is_refused(command: Callable[[Match], object]) -> None:
    match = waiting()
    match.collect()
    with pytest.raises(Refused) as refused:
        command(match)
    assert refused.value.refusal.fault == "MATCH_WAITING"
    assert refused.value.refusal.rules == ("house:begin",)
    assert not match.collect()
    objection = match.why_not(0, Act("pass"))
    assert objection is not None
    assert objection.fault == "MATCH_WAITING"


def test_notes_of_officials_before_the_beginning_are_recorded() -> None:
    match = waiting(policy=replace(TIMED, replay_evidence="rulings"))
    rulings.note(match, BY, "Ann is late")
    rulings.penalise(match, BY, 0, "caution")
    rulings.rule(match, BY, "She may sit down.")
    rulings.look(match, BY, "official")
    log = match.collect()
    assert Match.resume(SETUP.rules, log, never).pos == match.pos


def test_it_does_not_begin_twice() -> None:
    match = waiting(Dice(SETUP.seed))
    beginning.begin(match, BY)
    match.collect()
    with pytest.raises(Refused) as refused:
        beginning.begin(match, BY)
    assert refused.value.refusal.fault == "MATCH_BEGUN"
    assert not match.collect()


def test_going_back_does_not_go_behind_its_beginning() -> None:
    match = waiting(Dice(SETUP.seed))
    log = match.collect()
    with pytest.raises(Refused):
        rewind.rewind(SETUP.rules, log, 1, BY, Dice(SETUP.seed))
    beginning.begin(match, BY)
    log += match.collect()
    take_turn(match, SETUP)
    log += match.collect()
    back = rewind.rewind(SETUP.rules, log, 1, replace(BY, now=20_000), Dice(SETUP.seed))
    assert not back.pos.heading.waits
    assert back.pos.decision is not None


def test_at_a_real_table_the_roll_comes_with_the_beginning() -> None:
    match = waiting(mode="table", chance="table")
    match.collect()
    with pytest.raises(RollRequired):
        beginning.begin(match, BY)
    match = waiting(mode="table", chance="table")
    log = match.collect()
    beginning.begin(match, replace(BY, rolls=((1,),)))
    log += match.collect()
    (rolled,) = [e.event for e in log if isinstance(e.event, ev.ChanceDrawn) if e.event.of == 2]
    assert rolled.result.value == (1,)
    with pytest.raises(Misstated):
        waiting(mode="table", rolls=((1,),))


def test_a_fork_of_it_has_begun_and_its_chance_is_its_own() -> None:
    match = waiting(Dice(SETUP.seed), chance="seed")
    log = match.collect()
    beginning.begin(match, BY)
    log += match.collect()
    fork = resume(SETUP, rewind.fork(log, "k7f3q", 1))
    assert not fork.pos.heading.waits
    assert fork.pos.heading.chance == "system"


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"waits": "rain"}, "BAD_FORMAT"),
        ({"waits": "seeds"}, "BAD_FORMAT"),
        ({"chance": "stars"}, "BAD_CHANCE"),
        ({"chance": "table"}, "BAD_CHANCE"),
        ({"mode": "table", "chance": "system"}, "BAD_CHANCE"),
        ({"chance": "shared", "waits": "seeds"}, "BAD_CHANCE"),
        ({"commitment": b"x" * 32}, "BAD_CHANCE"),
    ],
)
def test_what_can_not_be_waited_for_or_drawn_from_is_refused(
    changed: dict[str, Any], fault: str
) -> None:
    with pytest.raises(Refused) as refused:
        Match.open(SETUP.rules, replace(opening(SETUP), **changed), never)
    assert refused.value.refusal.fault == fault


def test_whoever_may_see_it_sees_where_chance_comes_from() -> None:
    log: list[Entry] = waiting(chance="seed").collect()
    for viewer in (0, 1, PUBLIC):
        assert position([redact(e, viewer) for e in log], viewer).heading.chance == "seed"


@pytest.mark.parametrize("viewer", [OFFICIAL, PUBLIC])
def test_its_transcript_is_read_back(viewer: int) -> None:
    match = waiting(Dice(SETUP.seed), chance="system")
    rulings.note(match, replace(BY, now=3), "Ann is late", public=True)
    beginning.begin(match, BY)
    for _ in range(6):
        take_turn(match, SETUP)
    log = match.collect()
    text = write([redact(e, viewer) for e in log], SETUP.rules)
    assert '[Chance "system"]' in text
    repeated = read(text, rulebook)
    assert write([redact(e, viewer) for e in repeated], SETUP.rules) == text
    if viewer == PUBLIC:
        seen = [[redact(e, viewer) for e in one[1:]] for one in (log, repeated)]
        assert seen[0] == seen[1]
