"""Cards outside the catalogue: matches bring their figures, and their texts are declared."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest

from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import BadDeck, Deck, Match, Opening, Refused
from domain.engine.naming import Inputs
from domain.games import rulebook
from domain.games.gundam.lists.cards import CATALOGUE
from domain.record import events as ev
from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.folding.digests import digest
from domain.record.position import decoded
from domain.record.schema import bounds
from domain.record.schema.citations import known, texts
from domain.record.values import EVERYONE, Ref
from domain.text.transcript.read import read
from domain.text.transcript.write import write
from replay_cli.playing.fuzz.tables import Scorekeeper, at_table, names_in, no_dice
from tests import playouts
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


def test_a_command_with_its_figures_only_is_played_and_declared() -> None:
    match, log = begin(), list[Entry]()
    until_played = until(match, log, "command", "X9-002")
    decision = match.pos.decision
    assert decision is not None
    assert decision.kind == "declare"
    hand = len(match.pos.zone("hand", 0))
    with pytest.raises(Refused):
        match.interject(0, "declare", match.pos.time, until_played, (DRAW,))
    match.choose(0, decision.n, Act("declare", until_played, ((DRAW,),)), match.pos.time)
    assert len(match.pos.zone("hand", 0)) == hand + 2
    log += match.collect()
    assert verify(log, RULES).kind == EXACT


def deployed() -> tuple[Match, list[Entry], int]:
    """A match with a card that it brought in play, its player's main phase going on."""
    match, log = begin(), list[Entry]()
    card = until(match, log, "deploy", "X9-001")
    assert match.pos.decision is not None
    assert match.pos.decision.kind == "main"
    return match, log, card


def test_a_declared_text_is_carried_out_and_the_decision_asked_anew() -> None:
    match, log, card = deployed()
    hand, n = len(match.pos.zone("hand", 0)), match.pos.decisions
    assert Act("declare", card) in RULES.open_acts(match.pos, 0)
    match.interject(0, "declare", match.pos.time + 5, card, (DRAW,))
    new = match.collect()
    assert len(match.pos.zone("hand", 0)) == hand + 2
    assert match.pos.decision is not None
    assert (match.pos.decision.kind, match.pos.decision.n) == ("main", n + 1)
    written = new[0].event
    assert isinstance(written, ev.Interjected)
    assert written.picks.to == EVERYONE
    assert new[0].cites == ("house:declared",)
    for_text = [entry for entry in new if "card:X9-001" in entry.cites]
    assert [type(entry.event) for entry in for_text][:2] == [ev.ActDeclared, ev.ActResolving]
    assert type(for_text[-1].event) is ev.ActEnded
    of_cards = texts(RULES.known(PRINTS))
    cites = {cite for entry in new for cite in entry.cites}
    assert all(known(cite, RULES.rules, of_cards) for cite in cites)
    log += new
    assert verify(log, RULES).kind == EXACT
    assert resume(SETUP, log).pos == match.pos


def test_a_declared_text_may_ask_and_destroy() -> None:
    """Its choices are decisions like any other, and what the rules do by themselves follows."""
    match, log, card = deployed()
    of = {"zone": "battle", "whose": "any", "match": {"type": "unit"}}
    text = json.dumps([{"do": "damage", "n": 9, "choose": {"of": of}}])
    match.interject(0, "declare", match.pos.time, card, (text,))
    decision = match.pos.decision
    assert decision is not None
    assert decision.kind == "target"
    log += match.collect()
    assert resume(SETUP, log).pos == match.pos
    with pytest.raises(Refused):
        match.interject(0, "declare", match.pos.time, card, (DRAW,))
    match.choose(0, decision.n, Act("choose", card, ((card,),)), match.pos.time)
    assert not match.pos.present(card)
    assert match.pos.decision is not None
    assert match.pos.decision.kind == "main"
    log += match.collect()
    assert verify(log, RULES).kind == EXACT


def test_what_cant_be_declared_is_refused_and_changes_nothing() -> None:
    match, _, card = deployed()
    theirs = match.pos.zone("resource", 1)[0]
    plain = match.pos.zone("resource", 0)[0]
    bad = json.dumps([{"do": "dance"}])
    probe = json.dumps(
        [{"do": "draw", "when": [{"count": {"zone": "hand", "match": {"type": "base"}}}]}]
    )
    before = digest(match.pos)
    tried: list[tuple[int, Ref, str]] = [
        (1, card, DRAW), (0, theirs, DRAW), (0, plain, DRAW), (0, card, bad), (0, card, "{"),
        (0, card, probe), (0, card, ""), (0, card, "[]"), (0, 9999, DRAW), (0, "seat/0", DRAW),
        (0, match.pos.zone("hand", 0)[0], DRAW),
    ]  # fmt: skip
    for seat, about, text in tried:
        with pytest.raises(Refused) as refused:
            match.interject(seat, "declare", match.pos.time, about, (text,))
        assert "house:declared" in refused.value.refusal.rules
    assert digest(match.pos) == before
    assert match.collect() == []


OWN = {"whose": "yours", "match": {"type": "base"}}


@pytest.mark.parametrize(
    "clause",
    [
        {"do": "draw", "when": [{"count": {"zone": "shield", **OWN}}]},
        {"do": "draw", "when": [{"count": {"zone": "deck", **OWN}}]},
        {"do": "move", "to": {"zone": "shield", **OWN}, "place": "hand"},
        {"do": "damage", "n": 1, "choose": {"of": {"zone": "shield", **OWN}}},
        {"do": "rest", "choose": {"of": {"zone": "hand", "match": {"type": "base"}}}},
    ],
)  # fmt: skip
def test_no_declared_text_asks_what_lies_face_down(clause: dict[str, Any]) -> None:
    match, _, card = deployed()
    with pytest.raises(Refused, match="which cards of his"):
        match.interject(0, "declare", match.pos.time, card, (json.dumps([clause]),))


def test_a_declared_text_may_search_ones_own_deck() -> None:
    match, _, card = deployed()
    text = json.dumps([{"do": "move", "choose": {"of": {"zone": "deck", **OWN}}, "place": "hand"}])
    match.interject(0, "declare", match.pos.time, card, (text,))
    decision = match.pos.decision
    assert decision is not None
    assert decision.kind == "target"


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


def test_who_may_act_in_an_action_step_still_may_after_a_declaration() -> None:
    match, log, card = deployed()
    match.choose(0, match.pos.decisions, Act("end"), match.pos.time)
    assert match.pos.decision is not None
    assert match.pos.decision.kind == "action"
    match.choose(1, match.pos.decisions, Act("pass"), match.pos.time)
    assert match.pos.decision.seats == [0]
    match.interject(0, "declare", match.pos.time, card, (DRAW,))
    assert match.pos.decision is not None
    assert (match.pos.decision.kind, match.pos.decision.seats) == ("action", [0])
    log += match.collect()
    assert resume(SETUP, log).pos == match.pos
    match.choose(0, match.pos.decisions, Act("pass"), match.pos.time)
    assert match.pos.decision.seats == [1]
    assert match.pos.mark("match", "priority") is None


def test_what_means_nothing_for_a_card_is_not_done() -> None:
    match, log, card = deployed()
    mine = {"whose": "yours"}
    text = json.dumps(
        [
            {"do": "rest", "to": {"zone": "hand", "whose": "theirs"}},
            {"do": "destroy", "to": {"zone": "deck", **mine}},
            {"do": "move", "to": {"zone": "this"}, "place": "base"},
            {"do": "deploy", "to": {"zone": "resource", **mine}},
        ]
    )
    match.interject(0, "declare", match.pos.time, card, (text,))
    new = match.collect()
    written = [entry for entry in new if isinstance(entry.event, ev.NotDone)]
    assert {entry.event.what for entry in written if isinstance(entry.event, ev.NotDone)} == {
        "rest", "destroy", "move", "deploy",
    }  # fmt: skip
    assert all(entry.cites == ("house:declared", "card:X9-001") for entry in written)
    assert {entry.event.ref for entry in written if isinstance(entry.event, ev.NotDone)} == {card}
    assert not [entry for entry in new if isinstance(entry.event, ev.CardsMoved | ev.CardsTurned)]
    assert verify(log + new, RULES).kind == EXACT


def test_at_a_real_table_any_card_in_sight_may_be_declared() -> None:
    """A card of the catalogue, in a match that brings none."""
    opening = playouts.opening(SETUP)
    dealt = Match.open(RULES, opening, Dice(SETUP.seed))
    keeper = Scorekeeper(at_table(RULES, opening, dealt.collect()))
    while not (units := keeper.match.pos.zone("battle", 0)):
        decision = dealt.pos.decision
        assert decision is not None
        n, seat, offer = decision.n, decision.seats[0], decision.offers[decision.seats[0]]
        assert offer is not None
        act, pos = answer(SETUP, n, offer), decoded(dealt.pos.encoded())
        dealt.choose(seat, n, act, dealt.pos.time)
        entries = dealt.collect()
        command = partial(_choose, seat=seat, n=n, act=act)
        keeper.enter(command, entries, names_in(pos, entries))
    match = keeper.match
    assert any(act.kind == "declare" for act in RULES.open_acts(match.pos, 0))
    before = match.pos.cards[units[0]].stat("ap")
    more = {"do": "modify", "key": "ap", "n": 3, "until": "turn", "to": {"zone": "this"}}
    match.interject(0, "declare", match.pos.time, units[0], (json.dumps([more]),))
    assert match.pos.cards[units[0]].stat("ap") == before + 3
    log = keeper.log + match.collect()
    assert verify(log, RULES).kind == EXACT
    assert Match.resume(RULES, log, no_dice).pos == match.pos


def _choose(match: Match, inputs: Inputs, seat: int, n: int, act: Act) -> None:
    match.choose(seat, n, act, match.pos.time, inputs=inputs)


def test_a_transcript_with_cards_of_the_match_is_read_back() -> None:
    match, log, card = deployed()
    match.interject(0, "declare", match.pos.time, card, (DRAW,))
    log += match.collect()
    written = write(log, RULES)
    assert f"declare Harbour Watch text {DRAW}" in written
    assert write(read(written, rulebook), RULES) == written
