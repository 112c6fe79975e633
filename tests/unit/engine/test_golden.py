"""Golden records (tests/golden) are read, verified and gone on with.

Those of another engine are the same ones under the name of an engine that never was.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.engine.checks.verify import DIVERGED, EXACT, UNVERIFIED, verify
from domain.engine.match import Match, Refused
from domain.engine.rulebook import Rulebook
from domain.games import every, rulebook
from domain.officials import clocks, irregular, rewind, rulings
from domain.officials.adoption import adopt
from domain.officials.corrections import correcting
from domain.officials.corrections.fixes import Fix
from domain.officials.frame import Official
from domain.record import events as ev
from domain.record.decisions import Act, Answer
from domain.record.entries import TYPES, Entry, active
from domain.record.folding.fold import fold_all
from domain.record.interventions import EngineChanged, Unreadable
from domain.record.values import Sealed
from domain.record.views import OFFICIAL, PUBLIC, position, redact
from domain.text.transcript.read import read
from domain.text.transcript.write import write
from replay_cli import record
from service import wire
from service.keeping.check.store import Tally, check
from service.store.derived import listing
from service.store.history import History
from tests.golden import DIRECTORIES, HERE, as_written_by, endless, logs, of_before, playouts, store
from tests.golden import write as golden
from tests.playouts import RULES, Dice, Setup, chances, play, take_turn
from tests.support.marks import each

Alter = Callable[[Entry], Entry | None]
VIEWERS = (OFFICIAL, PUBLIC, 0, 1)


def those(which: Callable[[str, list[Entry]], bool], short: str = "") -> pytest.MarkDecorator:
    """Golden records, by directory and name; a short run tries those whose names end so."""
    found = [
        pytest.param(path, name, marks=() if name.endswith(short) else pytest.mark.long)
        for path in DIRECTORIES
        for name, log in logs(path).items()
        if which(name, log)
    ]
    return pytest.mark.parametrize(
        ("directory", "name"), found, ids=lambda value: getattr(value, "name", value)
    )


PLAYED_ON = ("aaaa", "bbbb", "cccc", "dddd", "ffff")
EVERY = those(lambda name, log: True)
WHOLE = those(lambda name, log: not endless(log))
ENDLESS = those(lambda name, log: endless(log))
LIVE = those(lambda name, log: name[1:] in PLAYED_ON, short="aaaa")
PLAYED = those(lambda name, log: name[1:] != "jjjj")  # that is made by hand
FIRST = those(lambda name, log: name[1:] == "aaaa")
GAMES = pytest.mark.parametrize("game", every())
BY = Official("Olga", 0, "the program was renewed")


def rules_of(log: list[Entry]) -> Rulebook:
    first = log[0].event
    assert isinstance(first, ev.MatchOpened)
    return rulebook(first.game)


def resumed(log: list[Entry]) -> Match:
    return Match.resume(rules_of(log), log, Dice(1, chances(log)))


def test_every_type_of_event_is_in_them() -> None:
    found = {type(e.event) for path in DIRECTORIES for log in logs(path).values() for e in log}
    assert set(TYPES.values()) - found <= {Unreadable}


@GAMES
def test_there_are_some_of_the_engines_at_hand(game: str) -> None:
    assert golden.of_today(game), f"`python -m tests.golden.write {game}` writes them"


@GAMES
def test_every_type_is_in_each_game_today(game: str) -> None:
    kept = [log for path in golden.of_today(game) for log in logs(path).values()]
    today = [log for _, log in golden.logs(game)]
    for of_game in (today, [log for log in kept if rules_of(log).manifest.game == game]):
        found = {type(entry.event) for log in of_game for entry in log}
        assert set(TYPES.values()) - found == {Unreadable} | golden.impossible(game)


@EVERY
def test_everybody_reads_them(directory: Path, name: str) -> None:
    log = logs(directory)[name]
    for viewer in VIEWERS:
        seen = [redact(entry, viewer) for entry in log]
        assert position(active(log), viewer) == fold_all(active(seen))
        assert [wire.entry_of(wire.entry(entry)) for entry in seen] == seen
    assert write(log, rules_of(log))


@pytest.mark.parametrize("directory", DIRECTORIES, ids=lambda path: path.name)
def test_a_store_is_as_it_was_written_lists_them_and_knows_every_position(directory: Path) -> None:
    with store(directory) as records:
        assert [*check(records, Tally())] == []
        history = History(records)
        for name, log in logs(directory).items():
            listed = listing.find(records, name)
            assert listed.heading.game == rules_of(log).manifest.game
            for viewer in VIEWERS:
                assert history.position(name, viewer) == position(active(log), viewer)


@pytest.mark.parametrize("path", sorted(HERE.glob("*/*.jsonl")), ids=lambda path: path.name)
def test_exported_records_are_read(path: Path) -> None:
    assert record.read(path) == logs(path.parent)[path.stem]


# -- what another engine wrote ---------------------------------------------------------------------


@WHOLE
def test_they_are_unverified_and_both_engines_named(directory: Path, name: str) -> None:
    log = of_before(logs(directory)[name])
    rules, opened = rules_of(log), log[0].event
    assert isinstance(opened, ev.MatchOpened)
    verdict = verify(log, rules)
    assert (verdict.kind, verdict.entries) == (UNVERIFIED, len(log))
    assert opened.engine in verdict.reason
    assert rules.manifest.version in verdict.reason
    assert verify(log, None).kind == UNVERIFIED


@ENDLESS
def test_what_follows_no_end_is_found_in_those_made_by_hand(directory: Path, name: str) -> None:
    log = of_before(logs(directory)[name])
    assert "after the end" in verify(log, rules_of(log)).reason
    assert verify(log, None).kind == DIVERGED


def _other_answer(entry: Entry) -> Entry | None:
    if not isinstance(entry.event, ev.DecisionMade) or entry.event.answer.value is None:
        return None
    sealed = Sealed(entry.event.answer.to, Answer(77))
    return replace(entry, event=replace(entry.event, answer=sealed))


def _other_roll(entry: Entry) -> Entry | None:
    drawn = entry.event
    if not isinstance(drawn, ev.ChanceDrawn) or not drawn.result.value:
        return None
    result = Sealed(drawn.result.to, (drawn.of, *drawn.result.value[1:]))
    return replace(entry, event=replace(drawn, result=result))


def _other_card(entry: Entry) -> Entry | None:
    if not isinstance(entry.event, ev.CardsTurned):
        return None
    return replace(entry, event=replace(entry.event, cards=(9_999,)))


@pytest.mark.parametrize("alter", [_other_answer, _other_roll, _other_card])
@FIRST
def test_what_was_altered_is_found_without_its_rules(
    alter: Alter, directory: Path, name: str
) -> None:
    log = of_before(logs(directory)[name])
    at, other = next((at, one) for at, e in enumerate(log) if (one := alter(e)) is not None)
    for altered in ([*log[:at], other, *log[at + 1 :]], [*log[:at], *log[at + 1 :]]):
        assert verify(altered, rules_of(log)).kind == DIVERGED


def test_digests_that_are_right_elsewhere_find_what_was_altered() -> None:
    """A position that differs from where a hand lies otherwise, though it fits the table."""
    log = as_written_by("gundam 0.9", play(Setup(3)))
    assert verify(log, RULES).kind == UNVERIFIED
    at = next(at for at, e in enumerate(log) if isinstance(e.event, ev.Marked) and at > 60)
    marked = log[at].event
    assert isinstance(marked, ev.Marked)
    log[at] = replace(log[at], event=replace(marked, key="other"))
    assert verify(log, RULES).kind == DIVERGED


@LIVE
def test_a_match_of_an_older_engine_is_read_and_not_played(directory: Path, name: str) -> None:
    log = of_before(logs(directory)[name])
    match = resumed(log)
    decision = match.pos.decision
    assert match.pos == fold_all(active(log))
    assert decision is not None
    seat = decision.seats[0]
    act = Act("concede")
    for command in (
        lambda: match.choose(seat, decision.n, act, match.pos.time),
        lambda: match.interject(seat, "concede", match.pos.time),
        lambda: correcting.correct(match, BY, [Fix("shuffle", place="deck/0")]),
        lambda: irregular.play(match, BY, decision.n, seat, act),
        lambda: rulings.penalise(match, BY, seat, "game-loss"),
        lambda: clocks.call_time(match, BY) or clocks.decide(match, BY),
    ):
        with pytest.raises(Refused) as refused:
            command()
        assert refused.value.refusal.fault == "ENGINE_OLDER"
    refusal = match.why_not(seat, act)
    assert refusal is not None
    assert refusal.rules == ("house:engine",)


@LIVE
def test_what_needs_no_rules_may_be_done_to_it(directory: Path, name: str) -> None:
    log = of_before(logs(directory)[name])
    match = resumed(log)
    paused = match.pos.paused >= 0
    for command in (
        lambda: rulings.note(match, BY, "hm", public=True),
        lambda: rulings.rule(match, BY, "so it is", ("house:open",)),
        lambda: rulings.penalise(match, BY, 0, "warning"),
        lambda: irregular.flag(match, BY, "house:open", "seen"),
        lambda: clocks.go_on(match, BY) if paused else clocks.pause(match, BY),
    ):
        command()
        log += match.collect()
        assert resumed(log).pos == match.pos
    assert verify(log, rules_of(log)).kind == UNVERIFIED
    opened = [e.event for e in active(log) if isinstance(e.event, ev.DecisionOpened)]
    back = rewind.rewind(rules_of(log), log, opened[-2].n, BY, Dice(1))
    log += back.collect()
    assert back.unfit is not None
    assert resumed(log).pos == back.pos


@LIVE
def test_a_match_that_is_adopted_goes_on(directory: Path, name: str) -> None:
    log = of_before(logs(directory)[name])
    rules = rules_of(log)
    match = _adopted(log)
    changed = [e for e in log if isinstance(e.event, EngineChanged)]
    assert [e.cites for e in changed] == [("house:engine", "house:official")]
    assert match.pos.heading.engine == rules.manifest.version
    assert match.pos.heading.digests == dict(rules.digests)
    assert resumed(log).pos == match.pos
    played = _played(match, log) if match.pos.heading.mode == "dealer" else log
    repeated = read(write(played, rules), rulebook)
    assert [type(e.event) for e in repeated if isinstance(e.event, EngineChanged)]
    verdict = verify(played, rules)
    assert verdict.kind == UNVERIFIED
    assert f"what {rules.manifest.version} recorded from entry {changed[0].seq}" in verdict.reason
    with pytest.raises(Refused, match="this engine already"):
        adopt(resumed(log), BY)
    for n in (changed[0].seq + 3, len(played) - 2):  # a later entry that is missing or another
        gone = [e for e in played if e.seq != n]
        assert verify(gone, rules).kind == DIVERGED
    first = next(e.event.n for e in log if isinstance(e.event, ev.DecisionOpened) and e.event.rest)
    back = rewind.rewind(rules, played, first, BY, Dice(1))
    assert back.unfit is not None  # it stands where the older engine left it


def _adopted(log: list[Entry]) -> Match:
    """The match adopted, from the last decision that is asked at rest; `log` gets the entries."""
    match = resumed(log)
    try:
        adopt(match, BY)
    except Refused as refused:
        assert refused.refusal.fault == "NOT_AT_REST"  # noqa: PT017
        match = rewind.rewind(match.rules, log, match.table.asked.rested, BY, Dice(1, chances(log)))
        log += match.collect()
        adopt(match, BY)
    log += match.collect()
    return match


def _played(match: Match, log: list[Entry]) -> list[Entry]:
    """Gone on with for a while, now and then by whoever resumes it."""
    bots, played = Setup(4, ("ST01", "ST03")), list(log)
    if match.pos.paused >= 0:
        clocks.go_on(match, BY)
    for step in range(24):
        if match.pos.over:
            break
        take_turn(match, bots)
        played += match.collect()
        if step % 8 == 3:
            repeated = resumed(played)
            assert repeated.pos == match.pos
            match = repeated
    return played


@pytest.mark.parametrize("engine", ["gundam 9.9", "gundam x", "another 1.0"])
@FIRST
def test_what_a_newer_engine_recorded_is_read_and_not_adopted(
    engine: str, directory: Path, name: str
) -> None:
    log = as_written_by(engine, logs(directory)[name])
    match = resumed(log)
    for command in (
        lambda: match.interject(0, "concede", match.pos.time),
        lambda: adopt(match, BY),
    ):
        with pytest.raises(Refused) as refused:
            command()
        assert refused.value.refusal.fault == "ENGINE_NEWER"
    verdict = verify(log, rules_of(log))
    assert verdict.kind == UNVERIFIED
    assert engine in verdict.reason


# -- what this engine does -------------------------------------------------------------------------


@PLAYED
def test_those_of_this_engine_are_exact_and_go_on(directory: Path, name: str) -> None:
    log = logs(directory)[name]
    match = resumed(log)
    assert match.pos == fold_all(active(log))
    goes_on = name[1:] in PLAYED_ON and match.pos.heading.mode == "dealer"
    for whole in (log, _played(match, log) if goes_on else log):
        assert verify(whole, rules_of(log)).kind == EXACT


@pytest.mark.parametrize("seed", each(6, playouts.SEEDS))
@GAMES
def test_an_engine_does_what_its_version_did(game: str, seed: int) -> None:
    version = rulebook(game).manifest.version
    found = (
        f"{version} no longer plays as it did: give it a new version (its manifest.py), unless "
        "nobody has recorded with it yet, then run `python -m tests.golden.playouts`"
    )
    assert playouts.kept()[version][seed : seed + 1] == playouts.played(game, [seed]), found


def test_a_digest_is_of_what_an_entry_says() -> None:
    log = play(Setup(3))
    one = playouts.digest(log)
    assert one == playouts.digest(as_written_by("gundam 0.1", log))
    assert one != playouts.digest(log[:-1])
    for at in (40, 200):
        other = [*log[:at], replace(log[at], cites=("gcg:1-1",)), *log[at + 1 :]]
        assert one != playouts.digest(other)
