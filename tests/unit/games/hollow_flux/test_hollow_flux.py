"""The second game: its cards as data, its lists, and what its hidden zones keep.

What its book says is in tests/scenarios/hollow_flux; what holds for every game in tests/properties.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import nullcontext
from random import Random
from typing import Any

import pytest

from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Deck, Match, Opening, Refused
from domain.games import rulebook
from domain.games.hollow_flux.lists import deck
from domain.games.hollow_flux.lists.cards import WORDS
from domain.record.decisions import Act
from domain.record.entries import Entry, encode
from domain.record.events import CardsKnown, ChanceDrawn, Interjected
from domain.record.folding.fold import fold, fold_all
from domain.record.position import Position
from domain.record.views import PUBLIC, redact
from tests.playouts import Dice, Setup, acts, begin, cuts, play, resume, take_turn
from tests.properties.secrecy.twins import addressed
from tests.support.marks import each

RULES = rulebook("hollow_flux")
SETUP = Setup(0, ("HX-A", "HX-B"))


# -- cards and lists -------------------------------------------------------------------------------


def test_there_are_thirty_cards_and_both_lists_are_legal() -> None:
    assert list(RULES.cards) == [f"HX-{n:02}" for n in range(1, 31)]
    for cards in RULES.decks.values():
        assert RULES.check_deck(cards) == []
    assert {part: len(cards) for part, cards in RULES.decks["HX-B"].items()} == {
        "main": 30, "guard": 10, "additional": 7,
    }  # fmt: skip


def test_both_sky_arms_conditions_hold_for_the_second_list() -> None:
    assert deck.sky_options(RULES.decks["HX-B"], RULES.cards) == (["HX-17", "HX-18"], False)
    assert deck.sky_options(RULES.decks["HX-A"], RULES.cards) == ([], False)


def paid(*costs: dict[str, Any]) -> dict[str, Any]:
    effect = {"kind": "activated", "name": "a", "cost": list(costs), "do": [{"do": "draw"}]}
    return {"type": "character", "power": 1, "effect": [effect]}


def face_down(value: dict[str, Any]) -> dict[str, Any]:
    clause = {"do": "face-down", "value": value}
    return {"type": "command", "effect": [{"kind": "command", "name": "c", "do": [clause]}]}


@pytest.mark.parametrize(
    ("card", "fault"),
    [
        ({"type": "character"}, "a character needs power"),
        ({"type": "command", "power": 1}, "no power and no keywords"),
        ({"type": "set", "keywords": {"rush": True}}, "unknown keyword 'rush'"),
        ({"type": "set", "keywords": {"pierce": True}}, "pierce needs a number"),
        ({"type": "set", "art": {"colour": "red"}}, "unknown attribute 'colour'"),
        ({"type": "set", "cost": -1}, "never negative"),
        ({"type": "wand"}, "Invalid enum value 'wand'"),
        (paid({"do": "discard"}, {"do": "trash", "of": {"zone": "hand"}}), "of the same zone"),
        (
            paid({"do": "trash", "of": {"zone": "main", "match": {"power": "<3000"}}}),
            "can't tell which cards of 'main' fit: no cost of those",
        ),
        (face_down({"type": "set", "power": 1}), "it is a set card if it is set on something"),
        (face_down({"type": "character"}), "a character needs power"),
        (face_down({"type": "character", "hp": 2}), "power, name and classes, and nothing else"),
        (
            {"type": "set", "sky": {}, "effect": [{"kind": "triggered", "name": "s", "zone": "sky",
                "on": "enter", "do": [{"do": "draw"}]}]},
            "sky-arms go off at a time of the turn",
        ),
        (
            {"type": "set", "effect": [{"kind": "triggered", "name": "s", "on": "damage-trigger",
                "about": {}, "do": [{"do": "draw"}]}]},
            "a damage trigger is its own card's",
        ),
        ({"type": "command", "host": {"whose": "yours"}}, "a set card may be set"),
        ({"type": "set", "host": {"zone": "hand"}}, "a set card may be set"),
        ({"type": "set", "host": {"match": {"hue": "red"}}}, "unknown attribute 'hue'"),
        ({"type": "set", "sky": {"sizes": {"hand": 4}}}, "`sizes` are those of the main"),
        ({"type": "set", "sky": {"sizes": {"main": "many"}}}, "`sizes` are those of the main"),
        ({"type": "set", "sky": {"limits": [{"among": ["hand"]}]}}, "a deck has no part 'hand'"),
        ({"type": "set", "sky": {"limits": [{"of": {"hue": 1}}]}}, "unknown attribute 'hue'"),
        (
            {"type": "command", "effect": [{"kind": "command", "name": "c", "do": [
                {"do": "token", "token": "T"}]}]},
            "token: unknown instruction",
        ),
        (
            {"type": "command", "effect": [{"kind": "activated", "name": "c", "do": [
                {"do": "draw"}]}]},
            "a command card has no activated effects",
        ),
    ],
)  # fmt: skip
def test_a_slip_in_card_data_is_named(card: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=re.escape(fault)):
        RULES.known((json.dumps({"id": "X-1", "name": "Slip", **card}),))


@pytest.mark.parametrize("on", sorted(WORDS.occurrences | WORDS.replaceable.keys()))
def test_what_can_not_be_replaced_is_refused_with_the_reason(on: str) -> None:
    """Everything else is carried out: tests/scenarios/hollow_flux/replaced_*."""
    effect = {"kind": "replacement", "name": "r", "on": on, "do": [{"do": "draw"}]}
    card = {"id": "X-1", "name": "R", "type": "character", "power": 1, "effect": [effect]}
    why = WORDS.replaceable[on]
    refused = pytest.raises(ValueError, match=f"{on} can't be replaced: {re.escape(why)}")
    with refused if why else nullcontext():
        RULES.known((json.dumps(card),))
        assert on in ("destroyed", "destroyed-by-damage", "destroyed-by-effect", "lost")


def test_a_refusal_names_what_is_asked_instead() -> None:
    match = begin(Setup(2, ("HX-A", "HX-B")))
    while match.pos.decision is None or match.pos.decision.kind != "energy":
        take_turn(match, Setup(2, ("HX-A", "HX-B")))
    seat = match.pos.turn_seat
    card = match.pos.zone("hand", seat)[0]
    for act in (Act("play", card), Act("end"), Act("pass")):
        refusal = match.why_not(seat, act)
        assert refusal is not None
        assert "place energy" in refusal.text, act


# -- open acts ---------------------------------------------------------------------------------


def stopping(seed: int) -> Match:
    """A match that stops between the links of a closing chain."""
    decks = tuple(Deck(name, RULES.decks[name]) for name in ("HX-A", "HX-B"))
    opening = Opening(("Ann", "Ben"), decks, 0, options={"stops": True})
    return Match.open(RULES, opening, Dice(seed))


def test_an_extra_draw_may_cut_in_between_two_links_if_the_format_stops_there() -> None:
    match, setup, log, drawn = stopping(5), Setup(5, ("HX-A", "HX-B")), list[Entry](), 0
    while not match.pos.over:
        decision = match.pos.decision
        assert decision is not None
        field = match.pos.zone("damage", 1)
        if decision.kind == "continue" and field:
            hand = len(match.pos.zone("hand", 1))
            match.interject(1, "extra-draw", match.pos.time + 1, field[0])
            drawn += 1
            if not match.pos.over:
                assert match.pos.decision is not None
                repeated = match.pos.decision.kind
                assert repeated in ("continue", "reload")
                assert repeated == "reload" or len(match.pos.zone("hand", 1)) == hand + 1
                take_turn(match, setup)
        else:
            take_turn(match, setup)
        log += match.collect()
    assert drawn > 3
    assert verify(log, RULES).kind == EXACT


def test_a_match_is_resumed_in_the_middle_of_an_extra_draw() -> None:
    """The reload that a drawing player must make is a decision inside an open act."""
    setup, found = Setup(0, ("HX-B", "HX-B"), bot="shy"), 0
    match = begin(setup)
    log = match.collect()
    while not match.pos.over:
        for seat in (0, 1):
            draws = [a for a in RULES.open_acts(match.pos, seat) if a.kind == "extra-draw"]
            if draws and not match.pos.zone("main", seat):
                match.interject(seat, "extra-draw", match.pos.time + 1, draws[0].card)
                break
        else:
            take_turn(match, setup)
        log += match.collect()
        decision = match.pos.decision
        if decision is not None and decision.kind == "reload" and match.pos.frames[-2:-1]:
            found += match.pos.frames[-2].kind == "extra-draw"
            repeated = resume(setup, log)
            assert repeated.pos == match.pos
            take_turn(repeated, setup)
            take_turn(match, setup)
            new = match.collect()
            assert repeated.collect() == new
            log += new
    assert found
    assert verify(log, RULES).kind == EXACT


def test_the_open_decision_is_asked_anew_after_an_extra_draw() -> None:
    setup = Setup(1, ("HX-A", "HX-B"), restless=True)
    log = play(setup)
    draws = [at for at, e in enumerate(log) if isinstance(e.event, Interjected)]
    draws = [at for at in draws if fold_all(log[:at]).decision is not None]
    assert draws
    for at in draws[:4]:
        before = fold_all(log[:at]).decision
        cut = next(cut for cut in cuts(log) if cut > at)
        after = fold_all(log[:cut]).decision
        assert before is not None
        assert after is not None
        assert after.n == before.n + 1
        assert (after.kind, after.seats) == (before.kind, before.seats) or after.kind == "reload"


# -- what nobody may know --------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", each(3, [0, 1, PUBLIC]))
def test_guard_cards_that_he_never_saw_leave_no_trace(viewer: int) -> None:
    """Lists whose guard decks hold the same cards the other way round look the same to him."""
    tried = sum(_looks_the_same(Setup(seed, ("HX-A", "HX-B")), viewer) for seed in range(4))
    assert tried


def _looks_the_same(setup: Setup, viewer: int) -> bool:
    """Whether there were cards to exchange; raises `AssertionError` if he can tell."""
    log, rng = play(setup), Random(setup.seed)
    rival = 1 - viewer if viewer >= 0 else 0
    laid = next(e.event for e in log if isinstance(e.event, CardsKnown) and _guards(e, rival))
    faces = [face for _, face in laid.cards.value or ()]
    numbers = [number for number, _ in laid.cards.value or ()]
    hidden = [n for n in numbers if n not in _learned(log, numbers, viewer)]
    if len(hidden) < 2:
        return False
    mixed = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    order = [faces[numbers.index(mixed.get(n, n))] for n in numbers]
    twin = _twin(setup, log, rival, order)
    assert len(twin) == len(log)
    for one, other in zip(log, twin, strict=True):
        assert encode(redact(one, viewer)) == encode(redact(other, viewer))
    return True


def _guards(entry: Entry, seat: int) -> bool:
    return isinstance(entry.event, CardsKnown) and entry.event.place == f"guard/{seat}"


def _learned(log: list[Entry], numbers: list[int], viewer: int) -> set[int]:
    """The guard cards that a viewer gets to know, or that are acted with."""
    p = Position()
    now = {number: number for number in numbers}
    found = set[int]()
    answers = {entry.seq: act for entry, act in acts(log)}
    for entry in log:
        event: Any = entry.event
        if hasattr(event, "was") and event.was.value:
            for old, new in zip(event.was.value, event.now.value, strict=True):
                now |= {first: new for first, number in now.items() if number == old}
        if isinstance(event, CardsKnown) and addressed(event.cards, viewer):
            seen = {number for number, _ in event.cards.value or ()}
            found |= {first for first, number in now.items() if number in seen}
        act = answers.get(entry.seq)
        if act is not None and act.kind == "reveal":
            found |= {first for first, number in now.items() if number == act.card}
        fold(p, entry)
    return found


def _twin(setup: Setup, log: list[Entry], seat: int, guard: list[str]) -> list[Entry]:
    """The same answers and chance, with another order of one guard list."""
    lists = [dict(setup.rules.decks[name]) for name in setup.decks]
    lists[seat]["guard"] = tuple(guard)
    decks = tuple(Deck(name, parts) for name, parts in zip(setup.decks, lists, strict=True))
    drawn = iter([e.event.result.value or () for e in log if isinstance(e.event, ChanceDrawn)])
    opening = Opening(("Ann", "Ben"), decks, 1_700_000_000_000, setup.best_of)
    match = Match.open(RULES, opening, lambda kind, of: next(drawn))
    new = match.collect()
    for entry, act in acts(log):
        decision = match.pos.decision
        assert decision is not None
        match.choose(entry.by, decision.n, act, entry.time)
        new += match.collect()
    return new


def test_whoever_moves_a_hidden_guard_card_is_asked_whether_it_has_a_trigger_or_not() -> None:
    """The opponent can't tell from the question whether there is one."""
    match = begin(SETUP)
    asked = Counter[int]()
    while not match.pos.over:
        decision = match.pos.decision
        assert decision is not None
        if decision.kind == "trigger":
            offer = decision.offers[decision.seats[0]]
            assert offer is not None
            asked[len(offer.options)] += 1
            with pytest.raises(Refused):
                match.interject(0, "extra-draw", match.pos.time, 1)
        take_turn(match, SETUP)
    assert asked[1] > 2
    assert match.why_not(0, Act("pass")) is not None


@pytest.mark.parametrize("kind", ["attack", "defend"])
def test_no_card_of_another_zone_fights_whoever_records_it(kind: str) -> None:
    p = begin(SETUP).pos
    for number in (p.next_card, p.zone("guard", 0)[0]):
        found = RULES.untenable(p, Act(kind, number))
        assert found == "only a character on the battlefield fights"
    assert RULES.untenable(p, Act(kind)) == ""
