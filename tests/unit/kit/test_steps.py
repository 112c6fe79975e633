"""The table of a turn's steps: which times come when, what follows, what goes on until ended."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from domain.effects.language.vocabulary import Effect
from domain.effects.select import Terms
from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.effects.triggers import Book, Policy, Triggers
from domain.games.kit.flow.steps import Stage, Steps
from domain.record import events as ev
from domain.record.decisions import Act, Offer, Option
from domain.record.position import Pending
from tests.unit.kit.flows import drive, table

TIMES = ("dawn", "main-end", "dusk")
TEXTS = {word: Effect(kind="triggered", name=word, on=word) for word in TIMES}


def settle(t: Table) -> Play:
    return
    yield


TERMS = SimpleNamespace(
    effect=lambda p, ref: TEXTS[ref.partition("/")[2]],
    effects=lambda p, number: [(f"T/{word}", effect) for word, effect in TEXTS.items()],
    workplaces=lambda p: iter(p.zone("field", 0)),
    attribute=lambda p, number, key: None,
    settle=settle,
)


def carry_out(t: Table, act: Pending) -> Play:
    t.end_act(act.id, "resolved", "toy:4")
    return
    yield


TRIGGERS = Triggers(
    cast(Terms, TERMS),
    Policy("all", "own"),
    Book(
        cites=lambda ref, effect: ("toy:4",),
        order="toy:4",
        watched=lambda p: frozenset(),
        carry_out=carry_out,
        used_up=lambda t, source, run: False,
    ),
)


def draw(t: Table) -> None:
    t.move(t.top("deck/0"), "hand/0", "draw", "toy:3")


def main(t: Table) -> Play:
    act = yield from t.ask(0, "main", Offer((Option("play"), Option("pass"))), "toy:4")
    if act.kind == "pass":
        yield from TURN.end(t)


TURN = Steps(
    TRIGGERS,
    {
        "draw": Stage(draw, "main", ("toy:3",), begins="dawn"),
        "main": Stage(main, "late", ("toy:5",), ends="main-end", round=True),
        "late": Stage(begins="dusk", then=lambda t: go(t, "", "toy:5")),
    },
)


def event_names(t: Table) -> list[str]:
    """What was emitted, in short."""

    def short(event: Any) -> str:
        match event:
            case ev.StepBegan(path=path):
                return f"> {path}"
            case ev.EffectTriggered(effect=effect):
                return effect.partition("/")[2]
            case ev.ActEnded():
                return "done"
            case ev.CardsMoved():
                return "drawn"
            case ev.DecisionOpened():
                return "asked"
        return ""

    return [word for entry in t.out if (word := short(entry.event))]


def test_times_come_by_the_table_and_what_they_set_off_is_done_before_the_step_goes_on() -> None:
    t = table()
    t.make(["T01"], "field/0", "setup")
    t.make(["T02"], "deck/0", "setup")
    go(t, "draw")
    t.out.clear()

    def flow() -> Play:
        while t.pos.step:
            yield from TURN.run[t.pos.step](t)

    drive(flow(), Act("play"), Act("pass"))
    assert event_names(t) == [
        "dawn", "done", "drawn", "> main", "asked", "asked", "main-end", "done", "> late",
        "dusk", "done", "> ",
    ]  # fmt: skip


def test_the_times_of_a_turn_are_those_of_its_steps() -> None:
    assert TURN.times == frozenset(TIMES)


def test_all_that_a_time_sets_off_has_the_same_cause() -> None:
    t = table()
    t.make(["T01", "T02"], "field/0", "setup")
    go(t, "draw")
    began = t.pos.seq
    TRIGGERS.time(t, "dawn")
    found = [one.event.cause for one in t.out if isinstance(one.event, ev.EffectTriggered)]
    assert found == [began, began]
