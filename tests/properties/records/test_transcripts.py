"""A match that was written down and recorded again is written down the same, for the same eyes."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.engine.checks.verify import EXACT, verify
from domain.engine.match import Match
from domain.games import rulebook
from domain.record.entries import Entry
from domain.record.events import CardsKnown, CardsMoved, MatchOpened
from domain.record.position import decoded
from domain.record.schema.manifest import Manifest
from domain.record.values import Sealed
from domain.record.views import OFFICIAL, PUBLIC, redact
from domain.text.transcript import lines
from domain.text.transcript.read import read
from domain.text.transcript.tags import IMPORTED
from domain.text.transcript.write import write
from replay_cli.playing.fuzz.tables import Scorekeeper, at_table, names_in, public
from tests.playouts import Setup, answer, begin, opening, play, setup_of
from tests.properties.people.test_officials import officiated
from tests.properties.strategies import examples, seeds, setups

VIEWERS = (OFFICIAL, PUBLIC, 0, 1)


def written(log: list[Entry], viewer: int, setup: Setup) -> str:
    return write([redact(entry, viewer) for entry in log], setup.rules)


def imported(expected: str, setup: Setup) -> list[Entry]:
    lists = dict(enumerate(opening(setup).decks))  # where the transcript states only their names
    log = read(expected, rulebook, lambda _: lists)
    opened = log[0].event
    assert isinstance(opened, MatchOpened)
    assert (opened.mode, opened.options[IMPORTED]) == ("table", "dealer")
    assert verify(log, setup.rules).kind == EXACT
    return log


@pytest.mark.long
@examples(5)
@example(Setup(8512, ("YSYR", "YSYR"), 3, "keen", True), 0)
@example(Setup(8512, ("YSYR", "YSYR"), 3, "keen", True), PUBLIC)
@example(Setup(677, ("ST04", "ST01"), 3, "aimless", True), PUBLIC)
@example(Setup(5045245, ("RSD01", "RSD03"), 3, "keen", True), 1)
@given(setups(), st.sampled_from(VIEWERS))
def test_an_import_is_exported_as_it_was(setup: Setup, viewer: int) -> None:
    log = play(setup)
    expected = written(log, viewer, setup)
    repeated = imported(expected, setup)
    assert written(repeated, viewer, setup) == expected
    if viewer < 0:  # what a seat's own transcript states is addressed to that seat
        manifest = setup.rules.manifest
        found = [_searched(entry, manifest) for entry in stream(repeated)]
        assert found == [_searched(entry, manifest) for entry in stream(log)]


def stream(log: list[Entry]) -> list[Entry]:
    """The public's stream of a match, without its heading."""
    return public(log)[1:]


def _searched(entry: Entry, manifest: Manifest) -> Entry:
    """An entry without the numbers of cards turned up out of where none can be followed.

    The cards of a deck that somebody found, and the order of that deck, are not written.
    """
    match event := entry.event:
        case CardsKnown(place=place, cards=cards) if cards.value and not manifest.follow(place):
            pairs = tuple((0, identity) for _, identity in cards.value)
            return replace(entry, event=replace(event, cards=Sealed(cards.to, pairs)))
        case CardsMoved(src=src, was=was) if was.value and not manifest.follow(src):
            return replace(entry, event=replace(event, was=Sealed(was.to, (0,) * len(was.value))))
    return entry


@examples(5)
@example(Setup(4194305, ("ST03", "ST01"), 1, "aimless", False), 7426, PUBLIC)
@example(Setup(9469, ("HX-A", "HX-A"), 1, "shy", False), 804432, OFFICIAL)
@example(Setup(3301, ("drawn", "drawn"), 3, "keen", False), 943, PUBLIC)
@given(setups(best_of=(1, 3), restless=False), seeds, st.sampled_from((OFFICIAL, PUBLIC)))
def test_so_is_what_officials_did(setup: Setup, seed: int, viewer: int) -> None:
    _, log, judge = officiated(setup, seed)
    if viewer == PUBLIC and judge.done["irregular"]:
        viewer = OFFICIAL  # hidden picks of a play against the rules can't be made up
    expected = written(log, viewer, setup)
    assert written(imported(expected, setup), viewer, setup) == expected


@examples(4)
@given(setups(best_of=(1,), restless=False), seeds)
def test_a_reader_takes_what_people_write(setup: Setup, seed: int) -> None:
    """Without numbers, times, comments and most tags; the order of tags is free."""
    log = play(setup)
    expected = lines.statements(written(log, OFFICIAL, setup))
    tags = [one for one in expected if isinstance(one, lines.Tag)]
    needed = [one for one in tags if one.name[:4] in ("Game", "Deck", "List", "Resu")]
    Random(seed).shuffle(needed)
    rows = [
        lines.Row(one.kind, seat=one.seat, text=one.text, shown=one.shown, rolls=one.rolls)
        for one in expected
        if isinstance(one, lines.Row)
    ]
    repeated = read(lines.text([*needed, *rows]).replace("\n", "\r\n"), rulebook)
    assert [e.event for e in stream(repeated)][-1] == log[-1].event
    assert len(repeated) == len(log)


def entered(setup: Setup) -> list[Entry]:
    """A match that a scorekeeper has entered at a real table, naming what he had to."""
    dealt = begin(setup)
    keeper = Scorekeeper(at_table(setup.rules, opening(setup), dealt.collect()))
    while (decision := dealt.pos.decision) is not None:
        seat, before = decision.seats[0], decoded(dealt.pos.encoded())
        offer = decision.offers[seat]
        assert offer is not None
        act, now = answer(setup, decision.n, offer), dealt.pos.time + 700
        dealt.choose(seat, decision.n, act, now)
        new = dealt.collect()
        choose = partial(Match.choose, seat=seat, n=decision.n, act=act, now=now)
        keeper.enter(lambda m, inputs, c=choose: c(m, inputs=inputs), new, names_in(before, new))  # type: ignore[misc]
    return keeper.log


@examples(3)
@given(setups(best_of=(1,), restless=False), st.sampled_from(VIEWERS))
def test_so_is_a_match_of_a_real_table(setup: Setup, viewer: int) -> None:
    expected = written(entered(setup), viewer, setup)
    assert '[Mode "table"]' in expected
    assert written(read(expected, rulebook), viewer, setup) == expected


#: What is in them: Xyz Summons, a monster Summoned for a discard, declared Levels, texts of Spells
#: that are called like parts of an act, one that costs more in one use than in the other; Magics
#: used one way or the other that turn up cards of their own name, and cards laid back in order.
PLAYED = [
    *(("battle_spirits", seed) for seed in (0, 8)),
    *(("yugioh", seed) for seed in (2, 0, 3, 9)),
]


@pytest.mark.long
@pytest.mark.parametrize(("game", "seed"), PLAYED)
def test_so_are_these_of_a_real_table(game: str, seed: int) -> None:
    setup = setup_of(seed, game=game)._replace(best_of=1)
    log = entered(setup)
    for viewer in (OFFICIAL, PUBLIC):
        expected = written(log, viewer, setup)
        assert written(read(expected, rulebook), viewer, setup) == expected


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_match_that_goes_on_is_written_too(viewer: int) -> None:
    setup = Setup(5, ("ST01", "ST02"))
    log = play(setup)[:400]
    while log[-1].event.__class__.__name__ != "OptionsOffered":
        log.pop()
    expected = written(log, viewer, setup)
    assert '[Result "*"]' in expected
    assert written(imported(expected, setup), viewer, setup) == expected
