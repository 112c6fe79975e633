"""A match that is not in memory is resumed from its log, and nobody can tell the difference.

A crash in the middle of a command is undone in the same way: what was not saved never happened.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest
from hypothesis import given

from domain.engine.checks.verify import EXACT, verify
from domain.engine.driver import resting
from domain.engine.match import Deck, Match, Opening
from domain.officials import clocks
from domain.officials.frame import Official
from domain.record.entries import Entry, encode
from domain.record.events import DecisionOpened, NotDone
from domain.record.folding import digests
from domain.record.folding.fold import fold_all
from domain.record.position import decoded
from tests.playouts import (
    RULES,
    Dice,
    Setup,
    begin,
    chances,
    cuts,
    go_on,
    play,
    resume,
    take_turn,
)
from tests.properties.strategies import examples, points, seeds, setups
from tests.support.processes import outputs


@examples(4)
@given(setups())
def test_a_match_resumed_at_any_decision_is_the_live_match(setup: Setup) -> None:
    """At every decision within a step, and at one in four of the others."""

    def compare(match: Match, log: list[Entry]) -> None:
        opened = log[-2].event
        if isinstance(opened, DecisionOpened) and opened.rest and opened.n % 4 != setup.seed % 4:
            return
        repeated = resume(setup, log)
        assert repeated.pos == match.pos
        assert repeated.collect() == []

    play(setup, compare)


@examples(6)
@given(setups(), points(4))
def test_a_resumed_match_goes_on_as_the_live_match(setup: Setup, where: list[float]) -> None:
    log = play(setup)
    stops = cuts(log)
    for share in where:
        cut = stops[int(share * len(stops))]
        assert go_on(resume(setup, log[:cut]), setup, log[:cut]) == log


@examples(6)
@given(setups(), points(6), points(6))
def test_a_match_is_resumed_from_a_snapshot_at_or_before_its_last_resting_point(
    setup: Setup, where: list[float], back: list[float]
) -> None:
    log = play(setup)
    stops = cuts(log)
    for share, earlier in zip(where, back, strict=True):
        cut = stops[int(share * len(stops))]
        at = int(earlier * (resting(log[:cut]) + 1))
        base = decoded(fold_all(log[:at]).encoded())
        repeated = resume(setup, log[at:cut], base, chances(log[:at]))
        assert repeated.pos == fold_all(log[:cut])
        if share == where[0]:
            assert go_on(repeated, setup, log[:cut]) == log


def test_decisions_within_a_step_are_resumed_too() -> None:
    """The properties above would prove little if every decision were a resting point."""
    log = play(Setup(7, ("ST01", "ST04"), 3))
    nested = [cut for cut in cuts(log) if not log[cut - 2].event.rest]  # type: ignore[union-attr]
    assert len(nested) > 20


def test_texts_that_undo_each_other_are_resumed_as_they_were() -> None:
    """Numbers that never settle are stopped in the resumed match as in the live one.

    Each card gives itself an AP for as long as it has none.
    """
    flicker = {"do": "modify", "key": "ap", "n": 1, "to": {"zone": "this"}}
    text = {
        "kind": "constant", "name": "flicker", "when": [{"this": {"ap": "<1"}}], "do": [flicker],
    }  # fmt: skip
    cards = [
        {"id": f"F-{n}", "name": f"Flicker {n}", "type": "unit", "color": "blue", "lv": 1,
         "cost": 1, "hp": 1 + n % 3, "effect": [text]}
        for n in range(13)
    ]  # fmt: skip
    ids = [str(card["id"]) for card in cards]
    main, resources = (ids * 4)[:50], RULES.decks["ST01"]["resource"]
    deck = Deck("flicker", {"main": main, "resource": resources})
    prints = tuple(json.dumps(card) for card in cards)
    opening = Opening(("Ann", "Ben"), (deck, deck), 0, prints=prints)
    setup = Setup(1)
    match, log = Match.open(RULES, opening, Dice(1)), list[Entry]()
    while not match.pos.over and match.pos.decisions < 120:
        log += match.collect()
        if match.pos.decisions % 5 == 0:
            match = Match.resume(RULES, log, Dice(1, chances(log)))
        if match.pos.paused >= 0:
            clocks.go_on(match, Official("Olga", match.pos.time + 1, "the text has no effect"))
        else:
            take_turn(match, setup)
    assert any(isinstance(entry.event, NotDone) and entry.event.why == "endless" for entry in log)
    assert verify(log, RULES).kind == EXACT


def test_another_process_with_other_hashes_plays_and_resumes_the_same_match() -> None:
    script = """if True:
        import sys
        from hashlib import sha256
        from domain.record.entries import encode
        from domain.record.folding.digests import digest
        from tests.playouts import Setup, cuts, play, resume
        for seed, decks in enumerate([("ST01", "ST02"), ("ST03", "ST04")]):
            log = play(Setup(seed, decks))
            print(sha256(encode(log)).hexdigest())
            for cut in cuts(log)[::9]:
                print(digest(resume(Setup(seed, decks), log[:cut]).pos).hex())
    """
    assert len(outputs(script)) == 1


class Crash(Exception):
    """An exception that no code of the rules raises: the match in memory is unfit after it."""


@contextmanager
def crash_at(monkeypatch: pytest.MonkeyPatch, n: int) -> Iterator[None]:
    """The `n`th fold of an entry fails: half of the time before it was applied, half after."""
    real: Callable[..., Any] = digests.fold
    left = n

    def fold(p: Any, e: Entry) -> None:
        nonlocal left
        left -= 1
        if not left and n % 2:
            raise Crash
        real(p, e)
        if not left:
            raise Crash

    with monkeypatch.context() as patch:
        patch.setattr(digests, "fold", fold)
        yield


@examples(4)
@given(setups(restless=True), seeds)
def test_a_command_that_crashes_is_rolled_back_by_resuming(setup: Setup, seed: int) -> None:
    rng, monkeypatch = Random(seed), pytest.MonkeyPatch()
    crashes = 0

    def crash(match: Match, log: list[Entry]) -> None:
        nonlocal crashes
        if rng.random() < 0.2:
            victim = resume(setup, log)
            with crash_at(monkeypatch, rng.randint(1, 12)):
                try:
                    take_turn(victim, setup)
                except Crash:
                    crashes += 1
                else:
                    return
            repeated = resume(setup, log)
            assert repeated.pos == match.pos
            take_turn(repeated, setup)
            crashed.append((len(log), repeated.collect()))

    crashed: list[tuple[int, list[Entry]]] = []
    log = go_on(begin(setup), setup, [], crash)
    assert crashes or len(log) < 500
    for at, entries in crashed:
        assert encode(entries) == encode(log[at : at + len(entries)])
