"""Cards outside the catalogue: matches bring their figures, and their texts are declared."""

from __future__ import annotations

import json
from typing import Any

import pytest

from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import BadDeck, Deck, Match, Opening, Refused
from domain.games import rulebook
from domain.games.gundam.lists.cards import CATALOGUE
from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.folding.digests import digest
from domain.record.schema import bounds
from domain.text.transcript.read import read
from domain.text.transcript.write import write
from tests.playouts import AT, Dice, Setup, answer, resume

SETUP = Setup(5, ("ST01", "ST03"), bot="shy")
RULES = SETUP.rules
UNIT = {"id": "X9-001", "name": "Harbour Watch", "type": "unit", "color": "blue",
        "lv": 1, "cost": 1, "ap": 2, "hp": 3}  # fmt: skip
ORDER = {"id": "X9-002", "name": "Undertow", "type": "command", "color": "blue", "lv": 1, "cost": 1}
PRINTS = (json.dumps(UNIT), json.dumps(ORDER))
LIES = ("battle/0", "resolving/0")
DRAW = json.dumps([{"do": "draw", "n": 2}])


def decks(*cards: str) -> tuple[Deck, ...]:
    """The usual decks, with copies of these cards in the place of others."""
    changed = list(RULES.decks["ST01"]["main"])
    kept = changed[: len(changed) - 4 * len(cards)]
    main = [*kept, *(card for card in cards for _ in range(4))]
    return (
        Deck("Mine", {**RULES.decks["ST01"], "main": main}),
        Deck("ST03", RULES.decks["ST03"]),
    )


def begin(prints: tuple[str, ...] = PRINTS) -> Match:
    opening = Opening(("Ann", "Ben"), decks("X9-001", "X9-002"), AT, prints=prints)
    return Match.open(RULES, opening, Dice(SETUP.seed))


def until(match: Match, log: list[Entry], kind: str, of: str) -> int:
    """Play on until seat 0 has done such an act with such a card; its number now."""
    while not match.pos.over:
        log += match.collect()
        decision = match.pos.decision
        assert decision is not None
        seat = decision.seats[0]
        offer = decision.offers[seat]
        assert offer is not None
        act = answer(SETUP, decision.n, offer)
        for option in offer.options if seat == 0 else ():
            if option.kind == kind and match.pos.cards[int(option.card)].id == of:
                act = Act(kind, option.card, (), option.effect)
        match.choose(seat, decision.n, act, match.pos.time + 1000)
        played = act.kind == kind and seat == 0
        lying = [n for n, c in match.pos.cards.items() if c.id == of and c.place in LIES]
        if played and lying:
            log += match.collect()
            return lying[-1]
    raise AssertionError("it never came to that")


# -- bringing cards --------------------------------------------------------------------------------


def test_a_match_brings_cards_that_no_catalogue_has() -> None:
    match = begin()
    assert match.pos.heading.prints == PRINTS
    assert RULES.known(PRINTS)["X9-001"].ap == 2
    assert "X9-001" not in RULES.cards
    log = match.collect()
    assert verify(log, RULES).kind == EXACT
    assert resume(SETUP, log).pos == match.pos


def test_two_matches_bring_different_cards_by_one_name() -> None:
    """Each is played, resumed and verified by its own, whichever came first."""
    one, other = begin(), begin((json.dumps({**UNIT, "ap": 5}), PRINTS[1]))
    logs: list[list[Entry]] = [[], []]
    for match, log, ap in ((one, logs[0], 2), (other, logs[1], 5), (one, logs[0], 2)):
        card = until(match, log, "deploy", "X9-001")
        assert match.pos.cards[card].stat("ap") == ap
    for match, log in zip((one, other), logs, strict=True):
        assert resume(SETUP, log).pos == match.pos
        assert verify(log, RULES).kind == EXACT


@pytest.mark.parametrize("card", [{"id": "ST01-001"}, {"id": "ST01-001", "ap": 5}])
def test_no_card_takes_the_place_of_the_games_own(card: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="ST01-001: is another card already"):
        CATALOGUE.admit((json.dumps({**UNIT, **card}),))


@pytest.mark.parametrize(
    "deep", ['{"id": ' + "[" * 1000 + "]" * 1000 + "}", '{"a": ' * 1000 + "1" + "}" * 1000]
)
def test_a_card_is_not_nested_without_end(deep: str) -> None:
    with pytest.raises(ValueError, match="24 deep at most"):
        CATALOGUE.admit((deep,))


def test_a_name_may_have_any_marks() -> None:
    CATALOGUE.admit((json.dumps({**UNIT, "name": '["' * 1000}),))


@pytest.mark.parametrize("bad", ["", "[]", "{}", '{"id": "X9-003", "name": "Bare"}', '{"id": 7}'])
def test_cards_that_cant_be_are_refused(bad: str) -> None:
    opening = Opening(("Ann", "Ben"), decks(), AT, prints=(bad,))
    with pytest.raises(Refused) as refused:
        Match.open(RULES, opening, Dice(1))
    assert refused.value.refusal.fault == "BAD_PRINTS"


def test_a_list_has_only_cards_that_its_own_match_brings() -> None:
    begin()
    with pytest.raises(BadDeck, match="X9-001"):
        Match.open(RULES, Opening(("Ann", "Ben"), decks("X9-001"), AT), Dice(1))


# -- declaring -------------------------------------------------------------------------------------


def deployed() -> tuple[Match, list[Entry], int]:
    """A match with a card that it brought in play, its player's main phase going on."""
    match, log = begin(), list[Entry]()
    card = until(match, log, "deploy", "X9-001")
    assert match.pos.decision is not None
    assert match.pos.decision.kind == "main"
    return match, log, card


def modify(n: int) -> str:
    to = {"zone": "this"}
    return json.dumps([{"do": "modify", "key": "ap", "n": n, "until": "turn", "to": to}])


@pytest.mark.parametrize(
    "text",
    [
        modify(3_000_000_000), modify(-(2**63)), modify(10**30), modify(bounds.FIGURE + 1),
        json.dumps([{"do": "draw", "key": "x" * 201}]), json.dumps([{"do": "draw\u0000"}]),
        json.dumps([{"do": "draw", "n": 1e300}]), f'[{{"value": {"[" * 2000}', "[" * 4000,
        json.dumps([{"do": "one-of", "options": [[]] * 2000}]), " " * 5000 + DRAW,
        json.dumps([{"do": "draw", "value": [1] * 2000}]),
    ],
)  # fmt: skip
def test_a_declaration_out_of_all_proportion_is_refused(text: str) -> None:
    match, _, card = deployed()
    before = digest(match.pos)
    with pytest.raises(Refused) as refused:
        match.interject(0, "declare", match.pos.time, card, (text,))
    assert "house:bounds" in refused.value.refusal.rules
    assert refused.value.refusal.fault == "OUT_OF_BOUNDS"
    assert digest(match.pos) == before
    assert match.collect() == []


@pytest.mark.parametrize(
    "more",
    [
        {"ap": 2**63 - 1}, {"hp": bounds.FIGURE + 1}, {"lv": -(10**40)}, {"name": "x" * 201},
        {"name": "two\nlines"}, {"traits": ["x"] * 3000},
    ],
)  # fmt: skip
def test_a_print_out_of_all_proportion_is_refused(more: dict[str, Any]) -> None:
    refuse_prints(json.dumps({**UNIT, **more}))


def test_a_print_nested_deeply_is_refused() -> None:
    refuse_prints('{"effect": ' + "[" * 1000 + "]" * 1000 + "}")


@pytest.mark.parametrize(
    "texts",
    [[json.dumps(UNIT)] * 401, [json.dumps({"id": "x" * 100, "n": n}) for n in range(1999)]],
)
def test_more_cards_than_a_match_may_bring_are_refused(texts: list[str]) -> None:
    refuse_prints(*texts)


def refuse_prints(*texts: str) -> None:
    with pytest.raises(Refused) as refused:
        Match.open(RULES, Opening(("Ann", "Ben"), decks(), AT, prints=texts), Dice(1))
    assert refused.value.refusal.rules == ("house:bounds", "house:prints")


def test_sums_stop_at_the_range_of_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """A figure that grows by effect after effect, and the counters that a card holds."""
    monkeypatch.setattr(bounds, "RANGE", 10)
    match, _, card = deployed()
    for _ in range(3):
        match.interject(0, "declare", match.pos.time, card, (modify(7),))
    assert match.pos.cards[card].stat("ap") == 10
    assert match.table.counters("damage", 8, dst=card) == 8
    assert match.table.counters("damage", 8, dst=card) == 2
    assert match.table.counters("damage", 8, dst=card) == 0
    assert match.pos.counters(card, "damage") == 10


def test_a_transcript_with_cards_of_the_match_is_read_back() -> None:
    match, log, card = deployed()
    match.interject(0, "declare", match.pos.time, card, (DRAW,))
    log += match.collect()
    written = write(log, RULES)
    assert f"declare Harbour Watch text {DRAW}" in written
    assert write(read(written, rulebook), RULES) == written
