"""What occurs, derived from the entries of a moment: when it sets texts off, and with what cause.

The texts here wait for cards that come to the field (`comes`), go to a trash (`goes`) or are spent;
a card that goes is laid aside by the rules, unless something waits for it.
"""

from __future__ import annotations

from contextlib import suppress
from types import SimpleNamespace
from typing import Any, cast

import pytest

from domain.effects.language.vocabulary import Effect
from domain.effects.select import Terms
from domain.engine.table import Table
from domain.games.gundam.rulebook import RULEBOOK as GUNDAM
from domain.games.hollow_flux.rulebook import RULEBOOK as HOLLOW_FLUX
from domain.games.kit.effects.occurrences import Note, Occurrences, Pattern
from domain.games.kit.effects.triggers import Book, Policy, Triggers
from domain.record import events as ev
from domain.record.position import Pending, Position
from domain.record.values import BY_OFFICIAL
from tests.toy import TOY

TEXTS = {word: Effect(kind="triggered", name=word, on=word) for word in ("comes", "goes", "spent")}


def after(t: Table, note: Note) -> None:
    t.mark(note.befallen, "played", True)


TERMS = SimpleNamespace(
    effects=lambda p, number: [(f"T/{word}", effect) for word, effect in TEXTS.items()],
    workplaces=lambda p: iter(()),
    attribute=lambda p, number, key: None,
)
TRIGGERS = Triggers(
    cast(Terms, TERMS),
    Policy("all", "own", misses=lambda p, act: act.optional),
    Book(
        cites=lambda ref, effect: ("toy:4",),
        order="toy:4",
        watched=lambda p: frozenset(),
        carry_out=lambda t, act: iter(()),  # type: ignore[arg-type,return-value]
        used_up=lambda t, source, run: False,
    ),
)
OCCURRENCES = Occurrences(
    TRIGGERS,
    lambda p: frozenset(TEXTS),
    (
        Pattern("comes", ev.CardsMoved, lambda c: c.event.dst == "field/0", lambda c: c.now),
        Pattern("goes", ev.CardsMoved, lambda c: c.event.dst == "trash/0", then=after),
        Pattern("spent", ev.CardsTurned, lambda c: c.event.orient == "spent"),
        Pattern("ignored", ev.CardsTurned),
    ),
    happens=frozenset({ev.CardsMoved, ev.CountersMoved}),
    aside=lambda entry: getattr(entry.event, "why", "") == "sweep",
)


@pytest.fixture
def t() -> Table:
    """Three cards in a hand, numbered 1 to 3."""
    t = Table(Position(), TOY.manifest)
    t.make(["T01", "T02", "T03"], "hand/0", "setup")
    t.out.clear()
    t.play_by(SimpleNamespace(occurrences=OCCURRENCES, touching=frozenset()))
    return t


def event_names(t: Table) -> list[str]:
    """What was emitted, in short: triggers with their source and the distance to their cause."""

    def short(entry: Any) -> str:
        event = entry.event
        if type(event) is ev.EffectTriggered:
            word = event.effect.partition("/")[2]
            return f"{word} @{event.source} -{entry.seq - event.cause}"
        return str(type(event).__name__)

    return [short(entry) for entry in t.out]


def test_it_sets_off_at_the_end_of_its_moment(t: Table) -> None:
    with t.at_once():
        t.move([1], "field/0", "play")
        t.move([2], "field/0", "play")
        t.counters("points", 1, dst="seat/0")
    moved = ["CardsMoved", "CardsKnown"]
    assert event_names(t) == [*moved, *moved, "CountersMoved", "comes @4 -4", "comes @5 -3"]
    assert len({entry.moment for entry in t.out}) == 1


def test_it_sets_off_amid_its_moment_where_the_book_goes_on_after_it(t: Table) -> None:
    with t.at_once():
        t.move([1], "field/0", "play")
        t.set_off()
        t.counters("points", 1, dst="seat/0")
    assert event_names(t) == ["CardsMoved", "CardsKnown", "comes @4 -1", "CountersMoved"]


def test_a_moment_of_its_own_needs_no_batch(t: Table) -> None:
    t.move([1], "field/0", "play")
    t.turn([4], orient="spent")
    assert event_names(t)[3:] == ["CardsTurned", "spent @4 -1"]
    assert t.out[-1].moment == t.out[-2].moment == t.out[0].moment + 1


def test_its_cause_is_the_entry_and_the_rules_go_on_after_each(t: Table) -> None:
    with t.at_once():
        t.move([1], "trash/0", "play")
        t.move([2], "trash/0", "play")
        t.set_off([2, 1])
    moved = ["CardsMoved", "CardsKnown"]
    assert event_names(t) == [*moved, *moved, "goes @2 -1", "Marked", "goes @1 -5", "Marked"]


def test_what_officials_do_sets_nothing_off_nor_what_was_broken_off(t: Table) -> None:
    with t.speaking(BY_OFFICIAL):
        t.move([1], "field/0", "play")
    with suppress(LookupError), t.at_once():
        t.move([2], "field/0", "play")
        raise LookupError
    t.counters("points", 1, dst="seat/0")
    assert not any("comes" in one for one in event_names(t))


@pytest.mark.parametrize(
    ("what", "missed"),
    [("nothing", False), ("sweep", False), ("shown", False), ("points", True), ("moved", True)],
)
def test_the_last_thing_to_happen_can_be_asked_for(t: Table, what: str, missed: bool) -> None:
    """What is swept away or shown is no thing that happens; what no text waits for is one."""
    t.move([1], "field/0", "play")
    (act,) = t.pos.waiting()
    assert isinstance(act, Pending)
    match what:
        case "sweep":
            t.move([2], "hand/0", "sweep")
        case "shown":
            t.show([2], 3, "show")
        case "points":
            t.counters("points", 1, dst="seat/0")
        case "moved":
            t.move([2], "deck/0", "draw")
    assert not TRIGGERS.missed(t, act)  # it is not one of those that miss their time
    act.optional = True
    assert TRIGGERS.missed(t, act) == missed


@pytest.mark.parametrize("game", [GUNDAM, HOLLOW_FLUX])
def test_every_word_that_texts_may_wait_for_is_derived(game: Any) -> None:
    """From an event, or from a step of the turn."""
    derived = {one.word for some in game.occurrences.patterns.values() for one in some}
    assert derived | game.turn.times == set(game.words.occurrences)
    assert not derived & game.turn.times
