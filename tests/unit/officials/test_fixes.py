"""Fixes: what of a position an official can set, by which verb, and what nobody can."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import asdict, fields

from domain.effects.language.vocabulary import Effect
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.officials.corrections.correcting import run_play
from domain.officials.corrections.fixes import Fix
from domain.officials.corrections.verbs import VERBS, carry_out, faults
from domain.record import events as ev
from domain.record.groups import Group
from domain.record.position import (
    Attack,
    Card,
    Departure,
    Link,
    Modifier,
    Pending,
    Position,
    Scheduled,
)
from domain.record.values import Change
from tests.cores import GAME

FRONT, REAR, RIVAL, TOP, HELD, LOW, HIGH, DOWN = 1, 2, 3, 5, 6, 7, 8, 9


def table() -> Table:
    """Cards everywhere, an attack, something that waits, something scheduled."""
    t = Table(Position(), GAME.manifest)
    t.emit(ev.TurnBegan(4, 0))
    for place, n in (("field/0", 2), ("field/1", 1), ("deck/0", 2), ("hand/0", 1), ("trash/0", 2)):
        t.make([f"T{k:02}" for k in range(1, n + 1)], place, "deck", owner=0)
    t.make(["T09"], "field/0", "deck", owner=0, up=False)
    t.emit(ev.AttackDeclared(FRONT, "seat/1"))
    t.trigger("T01/x", FRONT, 0, t.pos.seq)
    t.schedule("", "seat/0", 0, "next draw", kind="draw")
    t.modify(FRONT, [FRONT], Change("power", "add", 1), "turn")
    t.depart([REAR], "destroyed", "seat/1", "trash/0")
    return t


def modified(**results: Any) -> Fix:
    return Fix("modify", (FRONT,), **{"kind": "power", "value": 2, **results})


#: By field of a position: what sets it, or why no correction does.
FACTS: Mapping[str, Sequence[Fix] | str] = {
    "heading": "settled as the match was opened",
    "seq": "the record's own", "time": "the record's own", "moment": "the record's own",
    "game": "flow: a rewind", "turn": "flow: a rewind", "turn_seat": "flow: a rewind",
    "step": "flow: a rewind", "over": "a lost game is a penalty, or the rules'",
    "winner": "follows from who has lost", "why": "follows from who has lost",
    "score": "games won", "results": "corrected after the end, or the rules'",
    "lost": "a lost game is a penalty, or the rules'",
    "zones": [Fix("move", (FRONT,), place="hand/0"), Fix("draw", n=1, src="deck/0", place="hand/0"),
              Fix("order", (HIGH, LOW), place="trash/0"), Fix("shuffle", place="deck/0"),
              Fix("make", names=("T01",), place="field/0")],
    "cards": [Fix("remove", (FRONT,))],
    "departed": [Fix("remove", (FRONT,))],
    "holders": [Fix("counters", kind="core", n=1, dst="reserve/0")],
    "marks": [Fix("mark", subject="seat/0", kind="played", value=4)],
    "stats": "derived",
    "modifiers": [modified(), modified(op="set"), modified(op="multiply", value="1/2"),
                  modified(op="original set"), modified(op="lose", value=None),
                  Fix("modify", place="field/0", kind="power", value=1), Fix("end", ids=(1,))],
    "frames": "what is under way is finished, or gone back before",
    "pending": [Fix("trigger", (FRONT,), effect="T01/x"), Fix("void", ids=(1,))],
    "attack": [Fix("retarget", subject=RIVAL)],
    "decision": "asked anew", "decisions": "the record's own",
    "clocks": "time: `clocks`", "paused": "time: `clocks`", "called": "time: `clocks`",
    "extra": "time: `clocks`", "deadline": "time: `clocks`",
    "took": "what the rules took is the record's own", "took_at": "the record's own",
    "named": "names that were stated with a command",
    "next_card": "the record's own", "next_frame": "the record's own",
    "next_modifier": "the record's own", "next_act": "the record's own",
    "links": [Fix("link", (REAR,), host=FRONT, role="equip")],
    "scheduled": [Fix("schedule", kind="draw", seat=1, until="next draw"), Fix("void", ids=(2,))],
    "departures": [Fix("depart", (REAR,), kind="both", place="hand/0", subject="seat/0"),
                   Fix("depart", (REAR,))],
    "cards.id": [Fix("name", (RIVAL,), ("T07",))],
    "cards.owner": "whose list it is from",
    "cards.controller": [Fix("control", (FRONT,), seat=1)],
    "cards.place": [Fix("move", (FRONT,), place="trash/0")],
    "cards.up": [Fix("turn", (FRONT,), up=False)],
    "cards.orient": [Fix("turn", (FRONT,), orient="spent")],
    "cards.seen": [Fix("show", (HELD,), seats=(1,))],
    "cards.follow": [Fix("show", (TOP,), seats=(1,))],
    "cards.token": "made as one, or from a list",
    "cards.came": "when it came is the record's: what it may not do for it is played anyway",
    "cards.host": [Fix("attach", (REAR,), host=FRONT, role="material")],
    "cards.role": [Fix("attach", (REAR,), host=FRONT, role="material")],
    "cards.attached": [Fix("attach", (REAR,), host=FRONT, role="material")],
    "cards.counters": [Fix("counters", kind="core", n=1, dst=FRONT)],
    "cards.stats": "derived: a lasting effect changes what is derived",
    "cards.marks": [Fix("mark", subject=FRONT, kind="played", value=4)],
    "cards.defined": [Fix("define", (DOWN,), figures={"power": 3})],
    "cards.departing": [Fix("depart", (FRONT,), kind="destroyed", place="trash/0")],
    "cards.now": "which object it has become is the record's",
    "modifiers.source": [Fix("modify", (REAR,), kind="power", value=2)],
    "modifiers.targets": [Fix("modify", (FRONT, REAR), kind="power", value=2)],
    "modifiers.change": [modified(op="swap", value="figure")],
    "modifiers.until": [modified(until="next draw")],
    "modifiers.scope": "a constant text's: derived",
    "modifiers.text": "the text that it comes from",
    "links.host": [Fix("link", (REAR,), host=RIVAL, role="equip")],
    "links.role": [Fix("link", (REAR,), host=FRONT, role="material")],
    "scheduled.kind": [Fix("schedule", effect="T01/x", seat=1, until="next draw")],
    "scheduled.effect": [Fix("schedule", effect="T01/x", seat=1, until="next draw")],
    "scheduled.source": [Fix("schedule", (FRONT,), effect="T01/x", seat=1, until="next draw")],
    "scheduled.seat": [Fix("schedule", kind="draw", seat=1, until="next draw")],
    "scheduled.due": [Fix("schedule", kind="draw", seat=0, until="turn")],
    "scheduled.turn": [Fix("schedule", kind="draw", seat=0, until="next draw", turn=7)],
    "scheduled.whose": [Fix("schedule", kind="draw", seat=0, until="next draw", seats=(1,))],
    "scheduled.targets": [Fix("schedule", (RIVAL,), kind="draw", seat=0, until="next draw")],
    "scheduled.x": [Fix("schedule", kind="draw", seat=0, until="next draw", n=2)],
    "scheduled.cause": "the entry that scheduled it",
    "departures.cause": [Fix("depart", (REAR,), kind="both", place="trash/0")],
    "departures.responsible": [Fix("depart", (REAR,), kind="both", place="trash/0", subject=FRONT)],
    "departures.to": [Fix("depart", (REAR,), kind="both", place="hand/0")],
    "departures.first": "where it was to go first stays on record",
    "departures.seq": [Fix("depart", (REAR,), kind="both", place="hand/0")],
    "departures.controller": "what it was as it began to depart stays on record",
    "departures.stats": "what it was as it began to depart stays on record",
    "departures.counters": "what it was as it began to depart stays on record",
    **dict.fromkeys(
        (f"pending.{field.name}" for field in fields(Pending)),
        "as it triggered: it is voided, and triggers anew; what was declared is gone back before",
    ),
    "attack.attacker": "another card's attack is another attack: a rewind",
    "attack.declared": "what was declared first stays on record",
    "attack.target": [Fix("retarget", subject=RIVAL)],
    "attack.defender": [Fix("retarget", subject="seat/1", host=RIVAL)],
}  # fmt: skip
INNER: Mapping[str, type[Any]] = {
    "cards": Card, "modifiers": Modifier, "links": Link, "scheduled": Scheduled,
    "departures": Departure, "pending": Pending, "attack": Attack,
}  # fmt: skip


def test_every_fact_of_a_position_can_be_set_or_there_is_a_reason() -> None:
    every = [field.name for field in fields(Position)]
    every += [f"{part}.{field.name}" for part, cls in INNER.items() for field in fields(cls)]
    assert sorted(FACTS) == sorted(every)
    used = {fix.verb for row in FACTS.values() if not isinstance(row, str) for fix in row}
    assert used == {*VERBS}


def shown(p: Position, fact: str) -> list[Any]:
    """All values of a fact, in an order that does not depend on other facts."""
    part, _, name = fact.partition(".")
    whole = getattr(p, part)
    if not name:
        return [asdict(whole) if part == "attack" else str(whole)]
    several = whole.values() if isinstance(whole, dict) else [whole]
    return sorted(str(getattr(one, name)) for one in several)


def work(t: Table, fix: Fix) -> None:
    def play() -> Play:
        yield from carry_out(GAME, t, fix, ("house:correction",))

    run_play(play(), lambda chance: tuple(reversed(range(chance.of))))


@pytest.mark.parametrize(
    ("fact", "fix"),
    [(fact, fix) for fact, row in FACTS.items() if not isinstance(row, str) for fix in row],
    ids=lambda value: value.verb if isinstance(value, Fix) else value,
)
def test_the_verb_sets_the_fact(fact: str, fix: Fix) -> None:
    t = table()
    before = shown(t.pos, fact)
    work(t, fix)
    assert shown(t.pos, fact) != before
    assert all(entry.cites for entry in t.out[-1:])


class Text:
    """A card with a text that triggers and one that is always there."""

    effects = (
        Effect(kind="triggered", name="x", on="comes"), Effect(kind="constant", name="always"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("fix", "says"),
    [
        (Fix("retarge", subject=RIVAL), "did you mean 'retarget'"),
        (modified(op="orignal set"), "no such change as 'orignal set'"),
        (modified(op="late forbid"), "no such change as 'late forbid'"),
        (modified(op="multipy", value=2), "did you mean 'multiply'"),
        (modified(op="multiply", value="half"), "a number or a fraction"),
        (modified(op="multiply", value=-1), "a number or a fraction"),
        (modified(op="swap", value="power"), "with another one"),
        (modified(op="swap", value="weight"), "no figure 'weight'"),
        (modified(op="lose", value=3), "lost as a whole"),
        (modified(op="set", kind="texts"), "texts are lost"),
        (modified(until="constant"), "follows from the text"),
        (modified(until="trun"), "did you mean 'turn'"),
        (modified(kind="powr"), "did you mean 'power'"),
        (modified(op="forbid", kind="juggle"), "no text forbids or allows 'juggle'"),
        (Fix("modify", (FRONT,), place="field/0", kind="power", value=1), "cards, or all"),
        (Fix("modify", kind="power", value=1), "cards, or all"),
        (Fix("define", (FRONT,), figures={"power": 3}), "lies face up"),
        (Fix("define", (DOWN,), figures={"power": 3}), "no card counts as something else"),
        (Fix("define", (DOWN,), figures={"power": 10**9}), "a number goes from"),
        (Fix("define", (TOP,), figures={"power": 3}), "all cards are face down"),
        (Fix("link", (REAR,), host=FRONT, role="equipp"), "did you mean 'equip'"),
        (Fix("link", (REAR,), host=REAR, role="equip"), "with itself"),
        (Fix("link", (HELD,), host=FRONT, role="equip"), "is hidden"),
        (Fix("link", (REAR,), host=HELD, role="equip"), "is hidden"),
        (Fix("attach", (REAR,), host=FRONT, role="pilot"), "no role 'pilot'"),
        (Fix("depart", (FRONT,)), "not on its way out"),
        (Fix("depart", (FRONT,), kind="destroyed"), "needs place"),
        (Fix("depart", (FRONT,), kind="destroyed", place="field/0"), "in field/0 already"),
        (Fix("depart", (FRONT,), kind="destroyd", place="trash/0"), "did you mean 'destroyed'"),
        (Fix("depart", (HELD,), kind="destroyed", place="trash/0"), "is hidden"),
        (Fix("depart", (FRONT,), kind="both", place="trash/0", subject=TOP), "is hidden"),
        (Fix("trigger", (FRONT,), effect="T01/y"), "no text 'T01/y'"),
        (Fix("trigger", (FRONT,), effect="T01/always"), "does not trigger"),
        (Fix("trigger", (HELD,), effect="T01/x"), "is hidden"),
        (Fix("trigger", (FRONT, REAR), effect="T01/x"), "one card's"),
        (Fix("trigger", (FRONT,), effect="T01/x", seat=7), "no such seat"),
        (Fix("schedule", kind="draw", seat=0, until="turn"), "comes due with 'turn'"),
        (Fix("schedule", kind="draw", until="next draw"), "it needs seat"),
        (Fix("schedule", kind="drew", seat=0, until="next draw"), "did you mean 'draw'"),
        (Fix("schedule", seat=0, until="next draw"), "a text, or a kind of act"),
        (Fix("schedule", effect="T01/y", seat=0, until="next draw"), "no text 'T01/y'"),
        (Fix("schedule", (HELD,), kind="draw", seat=0, until="next draw"), "is hidden"),
        (Fix("void", ids=(9,)), "nothing waits as 9"),
        (Fix("retarget", subject=HELD), "is hidden"),
        (Fix("retarget", subject="seat/9"), "no 'seat/9' here"),
        (Fix("retarget", subject="field/0"), "a card is attacked, or a player"),
        (Fix("retarget", subject=LOW), "can't be attacked"),
        (Fix("retarget", subject="seat/1", host=LOW), "can't be attacked"),
    ],
)
def test_what_is_wrong_with_a_fix(fix: Fix, says: str) -> None:
    found = [*faults(GAME, table(), fix, {"T01": Text})]
    assert any(says in fault for fault in found), found


def test_what_is_being_carried_out_or_was_declared_is_not_voided() -> None:
    t = table()
    t.resolve(1)
    assert [*faults(GAME, t, Fix("void", ids=(1,)), {})] == ["1 is being carried out"]
    number = t.declare("draw", FRONT, 0)
    (fault,) = faults(GAME, t, Fix("void", ids=(number,)), {})
    assert "gone back before" in fault


def test_no_attack_is_retargeted_where_there_is_none() -> None:
    t = table()
    t.emit(ev.AttackEnded("fought"))
    assert [*faults(GAME, t, Fix("retarget", subject=RIVAL), {})] == ["there is no attack"]


@pytest.mark.parametrize("value", ["nonsense", '{"zones":"field"}', 7])
def test_whom_a_ban_is_about_is_a_group(value: object) -> None:
    rules = type(GAME)()  # type: ignore[call-arg]
    rules.barrable = ("attack",)
    fix = Fix("modify", (FRONT,), kind="attack", op="forbid", value=value)  # type: ignore[arg-type]
    assert len([*faults(rules, table(), fix, {})]) == 1
    group = '{"zone":"field"}'
    fix = Fix("modify", (FRONT,), kind="attack", op="forbid", value=group)
    assert [*faults(rules, table(), fix, {})] == []
    t = table()
    VERBS["modify"].does(rules, t, fix, ("toy:1",))
    *_, modifier = t.pos.modifiers.values()
    assert modifier.change == Change("attack", "forbid", True, Group("field"))


def test_nothing_is_laid_with_a_card_that_lies_with_another() -> None:
    """Only the host would take it along: it would be left behind as that one goes."""
    t = table()
    t.emit(ev.CardsAttached((REAR,), FRONT, "material"))
    found = [*faults(GAME, t, Fix("attach", (RIVAL,), host=REAR, role="material"), {})]
    assert any("lies with another card itself" in fault for fault in found), found
