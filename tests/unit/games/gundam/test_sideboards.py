"""Sideboards: a series whose lists change between games is resumed anywhere, and secretly so."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Deck, Match, Opening
from domain.games import rulebook
from domain.record import events as ev
from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.folding.fold import fold_all
from domain.record.views import redact
from tests.playouts import AT, Dice, chances

BOOK = rulebook("gundam@1.9")
SIDE = ("GD01-001",) * 4 + ("GD01-002",) * 4 + ("GD01-003",) * 2
OPTIONS: dict[str, Any] = {"format": "best-of-three", "first": "seat 1"}


def opened(options: dict[str, Any] = OPTIONS) -> Match:
    lists = [{**BOOK.decks["ST01"], "side": SIDE}, BOOK.decks["ST03"]]
    decks = tuple(Deck(f"list {n}", one) for n, one in enumerate(lists))
    opening = Opening(("Ann", "Ben"), decks, AT, 3, options=options)
    return Match.open(BOOK, opening, Dice(7))


def played(swap: str) -> list[Entry]:
    """A series in which the first seat concedes, exchanges cards, and concedes once more."""
    match, log = opened(), list[Entry]()
    while not match.pos.over:
        log += match.collect()
        decision = match.pos.decision
        assert decision is not None
        resumed = Match.resume(BOOK, log, Dice(7, chances(log)))
        assert (resumed.pos, resumed.table.out) == (match.pos, [])
        now, (seat, *_) = match.pos.time + 1, decision.seats
        if decision.kind == "main":
            match.interject(0, "concede", now)
            continue
        answers = {
            "turn-order": Act("first"),
            "redraw": Act("keep"),
            "side": Act("side", 0, ((swap,),)),
        }
        match.choose(seat, decision.n, answers[decision.kind], now)
    return log + match.collect()


def test_a_series_is_resumed_at_every_decision_and_verifies() -> None:
    log = played("4 ST01-005 -> GD01-001")
    assert verify(log, BOOK).kind == EXACT
    lists = [one.event for one in log if isinstance(one.event, ev.DeckRegistered)]
    assert [(one.seat, one.sizes) for one in lists] == [
        (0, {"main": 50, "resource": 10, "side": 10}),
        (1, {"main": 50, "resource": 10}),
        (0, {"main": 50, "resource": 10, "side": 10}),
    ]
    cards = fold_all(log).heading.decks[0][1]
    assert cards is not None
    assert (cards["main"].count("GD01-001"), cards["side"].count("ST01-005")) == (4, 4)
    asked = [one.event for one in log if isinstance(one.event, ev.DecisionOpened)]
    assert [one.seats for one in asked if one.kind == "turn-order"] == [(1,), (0,)]


@pytest.mark.parametrize("viewer", [1, -1])
def test_nobody_else_can_tell_what_was_exchanged(viewer: int) -> None:
    """Up to the first card of the second game, whose order of the deck is another."""
    seen = []
    for swap in ("", "4 ST01-005 -> GD01-001"):
        log = played(swap)
        upto = next(n for n, one in enumerate(log) if one.event == ev.GameBegan(2))
        seen.append([redact(one, viewer) for one in log[:upto]])
    assert seen[0] == seen[1]
