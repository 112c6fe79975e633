"""Matches with cards outside the catalogue, whose texts are declared at any time, are matches."""

from __future__ import annotations

import json
from functools import partial
from random import Random

import pytest
from hypothesis import example, given
from msgspec.structs import replace

from domain.effects.declared import DECLARED
from domain.engine.checks.invariants import faults
from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Deck, Match, Opening
from domain.engine.naming import Inputs
from domain.games import rulebook
from domain.record import events as ev
from domain.record.decisions import Offer, act_of
from domain.record.entries import Entry
from domain.record.folding.fold import fold_all
from domain.record.position import Position, decoded
from domain.record.schema.citations import known, texts
from domain.record.schema.wording import faults as undeclared
from replay_cli.playing.fuzz.cards import stock
from replay_cli.playing.fuzz.tables import Scorekeeper, at_table, names_in, public
from replay_cli.playing.fuzz.texts import Writer
from tests.playouts import Dice, Setup, opening, resume, take_turn
from tests.properties.strategies import examples, setups
from tests.support.games import cards_of

COLORS = ("blue", "green", "red", "white")
#: Printed figures only, by game; in the one that has colors, for each of them. A game that is not
#: here plays with its own cards.
CARDS: dict[str, list[dict[str, object]]] = {
    "gundam": [
        {"id": f"P-{color}-{figures['type']}", "color": color, "lv": 1, "cost": 1, **figures}
        for color in COLORS
        for figures in (
            {"name": "Harbour Watch", "type": "unit", "ap": 2, "hp": 2},
            {"name": "Undertow", "type": "command"},
        )
    ],
    "hollow_flux": [
        {"id": "P-001", "name": "Harbour Watch", "type": "character", "cost": 1, "power": 3000},
        {"id": "P-002", "name": "Undertow", "type": "command", "cost": 1},
    ],
    "yugioh": [
        {
            "id": "P-1",
            "name": "Harbour Watch",
            "type": "monster",
            "kind": ["effect"],
            "attribute": "water",
            "race": "fish",
            "stars": 3,
            "atk": 1200,
            "def": 800,
        },
        {"id": "P-2", "name": "Undertow", "type": "spell", "kind": ["normal"]},
    ],
    "battle_spirits": [
        {
            "id": "P-1",
            "name": "Harbour Watch",
            "type": "spirit",
            "colors": ["blue"],
            "cost": 2,
            "symbols": {"blue": 1},
            "levels": [[1, 2000]],
            "icons": ["A"],
        },
        {
            "id": "P-2",
            "name": "Undertow",
            "type": "magic",
            "colors": ["blue"],
            "cost": 1,
            "icons": ["A"],
        },
    ],
    "lamps": [
        {"id": "P-1", "name": "Harbour Watch", "type": "lamp", "color": "", "price": 2, "light": 2},
        {"id": "P-2", "name": "Undertow", "type": "gust", "color": ""},
    ],
}


def brought(setup: Setup) -> Opening:
    """The opening of a setup, with its first cards replaced by such as no catalogue has."""
    given, rules, game = opening(setup), setup.rules, setup.rules.manifest.game
    decks = []
    for deck in given.decks:
        main = deck.parts["main"]
        color = getattr(rules.cards[main[0]], "color", None)
        ids = [str(card["id"]) for card in CARDS.get(game, ()) if card.get("color") == color]
        decks.append(Deck(deck.name, {**deck.parts, "main": [*ids * 3, *main[len(ids * 3) :]]}))
    return replace(given, decks=tuple(decks), prints=tuple(map(json.dumps, CARDS.get(game, ()))))


def declaration(rng: Random, match: Match) -> str:
    """Clauses that nobody objects to, as JSON; empty if none came up."""
    objections = cards_of(match.pos.heading.game).declaration_faults
    writer = Writer(stock(rulebook(match.pos.heading.game)), rng)
    return writer.clauses(lambda text: objections(text, DECLARED, match.pos))


def declare(match: Match, rng: Random) -> bool:
    """Have a seat declare something, if one may; whether one did."""
    for seat in rng.sample([0, 1], 2):
        for act in match.rules.open_acts(match.pos, seat):
            if act.kind != "declare":
                continue
            text = declaration(rng, match)
            act = replace(act, picks=((text,),))
            if text and match.rules.refusal(match.table, seat, act) is None:
                now = match.pos.time + 10
                match.interject(seat, "declare", now, act.card, act.picks[0])
                return True
    return False


@examples(8)
@example(Setup(125447, ("YSKR", "YSKR"), 1, "keen", True))
@given(setups(best_of=(1,), restless=True))
def test_declared_texts_keep_the_record_sound(setup: Setup) -> None:
    rules, rng = setup.rules, Random(setup.seed)
    match = Match.open(rules, brought(setup), Dice(setup.seed))
    log, declared = match.collect(), 0
    while not match.pos.over and match.pos.decisions < 400:
        done = rng.random() < 0.2 and declare(match, rng)
        if not done:
            take_turn(match, setup)
        log += match.collect()
        declared += done
        if done and not match.pos.over:
            assert resume(setup, log).pos == match.pos
        if match.pos.decision is not None and match.pos.decision.kind == "main":
            assert faults(match.pos, rules) == []
    assert fold_all(log).encoded() == match.pos.encoded()
    if match.pos.over:
        assert verify(log, rules).kind == EXACT
    _cited(log, setup)
    assert declared == sum(
        isinstance(e.event, ev.Interjected) and e.event.kind == "declare" for e in log
    )


def _cited(log: list[Entry], setup: Setup) -> None:
    rules = setup.rules
    of_cards = texts(rules.known(brought(setup).prints))
    cites = {cite for entry in log for cite in entry.cites}
    assert all(known(cite, rules.rules, of_cards) for cite in cites)
    assert not {fault for entry in log for fault in undeclared(rules.manifest, entry)}


def test_something_is_declared_in_such_matches() -> None:
    """The property above would prove little if no card of the kind ever came into play."""
    for setup in (Setup(5, ("ST01", "ST03")), Setup(5, ("HX-A", "HX-B"))):
        match, rng, n = Match.open(setup.rules, brought(setup), Dice(5)), Random(1), 0
        while not match.pos.over and not n:
            n += declare(match, rng)
            take_turn(match, setup)
        assert n


@pytest.mark.parametrize(
    ("seed", "decks"), [(2, ("HX-A", "HX-B")), (7, ("HX-A", "HX-B")), (5, ("ST01", "ST03"))]
)
def test_declared_texts_come_to_the_same_at_a_real_table(seed: int, decks: tuple[str, str]) -> None:
    """The meaning of a text for unnamed cards does not depend on their identities."""
    setup, rng = Setup(seed, decks), Random(seed)
    dealt = Match.open(setup.rules, brought(setup), Dice(seed))
    keeper = Scorekeeper(at_table(setup.rules, brought(setup), dealt.collect()))
    for _ in range(60):
        if dealt.pos.over:
            break
        before = decoded(dealt.pos.encoded())
        if not (rng.random() < 0.4 and declare(dealt, rng)):
            take_turn(dealt, setup)
        entries = dealt.collect()
        given = partial(_entered, entry=entries[0], offers=_offers(before))
        assert public(keeper.enter(given, entries, names_in(before, entries))) == public(entries)


def _offers(p: Position) -> dict[int, Offer | None]:
    return dict(p.decision.offers) if p.decision is not None else {}


def _entered(match: Match, inputs: Inputs, entry: Entry, offers: dict[int, Offer | None]) -> None:
    """Enter what a seat did in a dealt match."""
    event = entry.event
    if isinstance(event, ev.Interjected):
        picks = event.picks.value or ()
        match.interject(event.seat, event.kind, entry.time, event.about, picks, inputs=inputs)
        return
    assert isinstance(event, ev.DecisionMade)
    offer, answer = offers[event.seat], event.answer.value
    assert offer is not None
    assert answer is not None
    match.choose(event.seat, event.n, act_of(offer, answer), entry.time, inputs=inputs)
