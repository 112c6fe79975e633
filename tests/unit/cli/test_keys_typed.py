"""How much a scorekeeper types: what is found by a few letters, and the keys of whole matches."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from statistics import median

import pytest
from msgspec.structs import replace

from domain.engine.match import Match
from domain.games import names
from domain.record import events as ev
from domain.record.decisions import Act
from domain.record.entries import Entry
from domain.record.fitting.fit import completed
from domain.scorekeeping.line.input_line import InputLine
from domain.scorekeeping.session import Session
from domain.scorekeeping.suggestions import fuzzy, suggest
from domain.telling.book import Book
from domain.text import notation
from domain.text.notation import parse, write
from replay_cli.playing.fuzz.tables import public
from replay_cli.playing.playout import play
from tests.playouts import FLUX, PAIRS, RULES, Setup, answer, begin, opening
from tests.support.marks import each
from tests.support.scorekeepers import Typist, desk

NAMES = [card.name for card in RULES.cards.values()][:64]


# -- fuzzy search ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("gm", "GM"),
        ("guntank", "Guntank"),
        ("gutnank", "Guntank"),  # two letters swapped
        ("zowrt", "Zowort"),  # one missing
        ("zowoort", "Zowort"),  # one too many
        ("am ray", "Amuro Ray"),
        ("ray", "Amuro Ray"),
        ("hvyarms", "Gundam Heavyarms"),  # letters in order, from the first
        ("wb", "White Base"),  # the starts of its words, run together
    ],
)
def test_what_may_be_meant(typed: str, meant: str) -> None:
    (best, *_) = [name for _, name in fuzzy.ranked(typed, NAMES, str)]
    assert best == meant


def test_words_in_order_come_first_and_nonsense_finds_nothing() -> None:
    lines = ["attack GM -> Zowort", "attack Zowort -> GM", "end"]
    assert fuzzy.ranked("a zo gm", lines, str)[0][1] == lines[1]
    assert fuzzy.ranked("a gm zo", lines, str)[0][1] == lines[0]
    assert fuzzy.ranked("xyzzy", [*NAMES, *lines], str) == []
    for second in ("gm 2", "gm2"):
        assert [name for _, name in fuzzy.ranked(second, ["GM#1", "GM#2"], str)] == ["GM#2"]


@pytest.mark.parametrize("seed", [0, pytest.param(3, marks=pytest.mark.long)])
def test_a_card_whose_name_is_spelt_is_meant_even_if_only_another_like_it_is_on_offer(
    seed: int,
) -> None:
    """`attack GM -> Zaku I`: not the Zaku II, which has all of its letters."""
    session, tried = Session("m", Book.of(RULES)), 0
    for entry in play(RULES, ("ST03", "ST03"), seed):
        session.feed([entry])
        if not isinstance(entry.event, ev.OptionsOffered) or entry.event.offer.value is None:
            continue
        seat, line = entry.event.seat, InputLine(session)
        names = notation.Names(session.pos, RULES, seat)
        attackers = [o.card for o in entry.event.offer.value.options if o.kind == "attack"][:2]
        for card, target in product(attackers, suggest.own_front(line.table(1 - seat))):
            line.type(f"attack {names.bare(int(card))} -> {names.bare(target)}")
            command, tried = line.understood().command, tried + 1
            picks = command.act.picks if command is not None else ()
            assert all(names.bare(int(n)) == names.bare(target) for n in picks[0]), line.typed
    assert tried > 50


# -- how many keys it takes ------------------------------------------------------------------------


def _play(setup: Setup) -> tuple[Typist, Sequence[Entry], Sequence[Entry]]:
    """A dealt match of bots, typed act by act as it goes; both records."""
    match = begin(setup)
    dealt = match.collect()
    service = desk(setup.rules, opening(setup), dealt)
    typist = Typist(service, Book.of(setup.rules))
    while not match.pos.over:
        decision = match.pos.decision
        assert decision is not None
        seat = decision.seats[0]
        act, text = _as_typed(match, setup, decision.n, seat)
        match.choose(seat, decision.n, act, match.pos.time + 1)
        dealt += match.collect()
        typist.enter(act, text, lambda number: match.pos.card(number).id)
    return typist, service.log, dealt


def _as_typed(match: Match, setup: Setup, n: int, seat: int) -> tuple[Act, str]:
    """What the bot does as somebody would say it: costs are paid as they come."""
    decision, manifest = match.pos.decision, match.rules.manifest
    assert decision is not None
    offer = decision.offers[seat]
    assert offer is not None
    act = answer(setup, n, offer)
    option = next(
        o for o in offer.options if (o.kind, o.card, o.effect) == (act.kind, act.card, act.effect)
    )
    free = not option.card or "{}" in manifest.label("acts", option.kind)
    given = {
        at: picked
        for at, (part, picked) in enumerate(zip(option.parts, act.picks, strict=True))
        if free or part.name in ("host", "target", option.kind)
    }
    picks = completed(offer, option, given)
    text = write(Act(act.kind, act.card, picks, act.effect), match.pos, match.rules, seat, offer)
    found = parse(text, match.pos, match.rules, seat, offer)
    return found, notation.write(found, match.pos, match.rules, seat, offer)


@pytest.mark.parametrize(
    "setup",
    [
        pytest.param(Setup(3, ("ST01", "ST03")), marks=pytest.mark.long),
        pytest.param(Setup(7, ("ST02", "ST04")), marks=pytest.mark.long),
        pytest.param(Setup(2, ("HX-B", "HX-B")), marks=pytest.mark.long),
    ],
    ids=["gundam", "other decks", "hollow_flux"],
)
def test_a_whole_match_is_typed_with_few_keys(setup: Setup) -> None:
    typist, typed, dealt = _play(setup)
    assert public(list(typed)) == public(list(dealt)), "what was typed is what was played"
    keys = [len(pressed) for _, pressed in typist.keys]
    assert median(keys) <= 2
    before = 2 if setup.rules is FLUX else 0  # its players face cards up before the first turn
    assert sorted(keys)[-1 - before] <= 10


@pytest.mark.long
def test_a_game_that_asks_often_is_typed_with_few_keys() -> None:
    """A stretch of Yu-Gi-Oh!, with Set cards that are named as they are turned up."""
    setup = Setup(11, ("YSYR", "YSKR"))
    match = begin(setup)
    dealt = match.collect()
    service = desk(setup.rules, opening(setup), dealt)
    typist, found = Typist(service, Book.of(setup.rules)), list[int]()
    while (decision := match.pos.decision) is not None and decision.n < 150:
        n, seat = decision.n, decision.seats[0]
        act, text = _as_typed(match, setup, n, seat)
        match.choose(seat, n, act, match.pos.time + 1)
        typist.enter(act, text, lambda number: match.pos.card(number).id)
        if act.kind not in setup.rules.passes:
            found.append(len(typist.keys[-1][1]))
    keys = sorted(len(pressed) for _, pressed in typist.keys)
    assert median(keys) <= 1
    assert keys[int(len(keys) * 0.95)] <= 3
    assert median(found) <= 1.5
    assert sorted(found)[int(len(found) * 0.95)] <= 5


@pytest.mark.parametrize("game", each(2, names()))
def test_a_match_is_typed_without_its_passes(game: str) -> None:
    """One in twenty at the most, where the open decision is not of the same kind as the act's."""
    late = game == "battle_spirits"  # its players attack late, and so pass late
    enough = 10 if late else 20
    setup = Setup(1 if late else 4, PAIRS[game][0])
    match = begin(setup)
    dealt = match.collect()
    service = desk(setup.rules, opening(setup), dealt)
    typist, unsaid = Typist(service, Book.of(setup.rules)), list[tuple[Act, str]]()
    passed = typed = 0

    def name(number: int) -> str:
        return match.pos.card(number).id

    while (decision := match.pos.decision) is not None and (decision.n < 60 or passed < enough):
        n, seat = decision.n, decision.seats[0]
        act, text = _as_typed(match, setup, n, seat)
        match.choose(seat, n, act, match.pos.time + 1)
        dealt += match.collect()
        if act.kind in setup.rules.passes and not match.pos.over:
            unsaid.append((act, text))
            passed += 1
            continue
        asked = typist.session.decision
        assert asked is not None
        mistakable = asked.kind == decision.kind  # the line may be meant for it just as well
        passes = typist.enter_unsaid(act, text, seat, name, unsaid)
        typed += 0 if mistakable else passes
    for one in unsaid:
        typist.enter(*one, name)
    origins = [e.event.origin for e in service.log if isinstance(e.event, ev.DecisionMade)]
    assert origins.count("implied") > enough * 3 // 4
    assert typed * 20 <= origins.count("implied")
    assert public(_entries(service.log)) == public(_entries(dealt))


def test_the_words_of_a_verb_are_not_read_as_a_zone() -> None:
    """`set monster` and a name, while an unknown card lies in the zone of that name."""
    setup = Setup(3, PAIRS["yugioh"][0])
    match = begin(setup)
    service = desk(setup.rules, opening(setup), match.collect())
    typist = Typist(service, Book.of(setup.rules))
    while True:
        decision, pos = match.pos.decision, match.pos
        assert decision is not None
        seat = decision.seats[0]
        lying = typist.session.pos.zone(f"monster/{seat}")
        unknown = any(not typist.session.pos.card(n).id for n in lying)
        if unknown and decision.kind == "main":
            break
        act, text = _as_typed(match, setup, decision.n, seat)
        match.choose(seat, decision.n, act, pos.time + 1)
        typist.enter(act, text, lambda number: match.pos.card(number).id)
    for line, name, kind, zone in (
        ("set monster {}", "Giant Soldier of Stone", "set-monster", "hand"),
        ("set mon {}", "Giant Soldier of Stone", "set-monster", "hand"),
        ("set monster.{}", "Trap Hole", "set", "monster"),
        ("set {}", "Trap Hole", "set", "hand"),
    ):
        typist.input_line.type(line.format(name))
        command = typist.input_line.understood().command
        assert command is not None
        assert (command.act.kind, command.text) == (kind, f"{kind} {zone}.{name}")
        (number,) = command.names
        assert typist.session.pos.card(number).place == f"{zone}/{seat}"


def _entries(log: Sequence[Entry]) -> list[Entry]:
    """A record as if everything had been said."""
    return [
        replace(e, time=0, event=replace(e.event, origin="seat", ms=0))
        if isinstance(e.event, ev.DecisionMade)
        else replace(e, time=0)
        for e in log
    ]
