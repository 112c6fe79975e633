"""Acts that are negated, and waiting effects whose cards have lost the text, on a toy's table."""

from __future__ import annotations

from copy import copy
from typing import Any, cast

import pytest

from domain.effects.constant.calculator import TEXTS
from domain.effects.constant.silence import LOST, in_force
from domain.effects.constant.texts import derive
from domain.effects.language.vocabulary import Clause, Effect, Group
from domain.effects.select import Running, Terms
from domain.engine.rulebook import go
from domain.engine.signals import Play
from domain.engine.table import Table
from domain.games.kit.effects import negation, triggers
from domain.games.kit.effects.triggers import Policy, Triggers
from domain.games.kit.flow.window import Rules, Window
from domain.record import events as ev
from domain.record.position import Pending, Position
from domain.record.values import Change, Ref
from tests.support.clauses import clause
from tests.toy import TOY
from tests.unit.effects.test_calculator import Plain

COMES = Effect(kind="triggered", name="x", on="comes")
CALLED = Effect(kind="activated", name="call")


class Texts(Plain):
    """Cards with a text that triggers, one to be activated and one that is always there."""

    words = {"negate": ("toy:1",), "impossible": ("toy:2",)}  # noqa: RUF012
    still: tuple[str, ...] = ()

    def effect(self, p: Position, ref: str) -> Effect:
        return COMES if ref.endswith("/x") else CALLED

    def effects(self, p: Position, number: int) -> list[tuple[str, Effect]]:
        always = Effect(kind="constant", name="always", do=[clause("modify", key="power", n=1)])
        card = f"T{number:02}"
        return [(f"{card}/x", COMES), (f"{card}/call", CALLED), (f"{card}/always", always)]


TERMS = Texts({}, dict.fromkeys(range(1, 6), 1))


def table(cards: int = 3) -> Table:
    t = Table(Position(), TOY.manifest)
    t.emit(ev.TurnBegan(1, 0))
    t.make([f"T{n:02}" for n in range(1, cards + 1)], "field/0", "deck", "toy:1")
    derive(t, TERMS)
    return t


def takes(t: Table, card: int, what: object = True) -> None:
    t.modify(card, [card], Change(TEXTS, "lose", what), "turn", "toy:1")  # type: ignore[arg-type]
    derive(t, TERMS)


# -- texts that were lost --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "left", "expected"),
    [
        (True, [], "texts"),
        ("triggered", ["call", "always"], "triggered"),
        ("constant", ["x", "call"], "constant"),
        ("/call", ["x", "always"], "/call"),
        ("card:T01/x", ["call", "always"], None),
    ],
)
def test_texts_are_lost_by_kind_and_by_name_and_come_back(
    what: object, left: list[str], expected: str | None
) -> None:
    t = table()
    takes(t, 1, what)
    assert [effect.name for _, effect in in_force(TERMS, t.pos, 1)] == left
    assert t.pos.cards[1].stats.get(LOST) == expected
    assert (t.pos.cards[1].stat("power") == 2) == ("always" in left)
    assert len(in_force(TERMS, t.pos, 2)) == 3
    (gone,) = t.move([1], "trash/0", "deck", "toy:1")
    assert [effect.name for _, effect in in_force(TERMS, t.pos, 1)] == (left if expected else ["x", "call", "always"])  # fmt: skip  # noqa: E501
    assert len(in_force(TERMS, t.pos, gone)) == 3
    takes(t, 2)
    t.expire("turn", "toy:5")
    derive(t, TERMS)
    assert LOST not in t.pos.cards[2].stats
    assert t.pos.cards[2].stat("power") == 2


def test_several_losses_add_up_and_all_is_all() -> None:
    t = table()
    for what, expected in (
        ("triggered", "triggered"),
        ("/call", "triggered + /call"),
        (True, "texts"),
    ):
        takes(t, 1, what)
        assert t.pos.cards[1].stats[LOST] == expected


@pytest.mark.parametrize(("policy", "done"), [("stays", [1, 2]), ("void", [2])])
@pytest.mark.parametrize("leaves", [False, True])
def test_what_waits_as_its_text_is_lost_is_the_books_to_say(
    policy: Any, done: list[int], leaves: bool
) -> None:
    carried: list[Ref] = []

    def carry_out(t: Table, act: Pending) -> Play:
        carried.append(act.source)
        t.end_act(act.id, "resolved", "toy:1")
        return
        yield

    queue = _queue(Policy("oldest", "own", lost=policy), carry_out)
    t = table()
    for card in (1, 2):
        t.trigger(f"T{card:02}/x", card, 0, t.pos.seq, "toy:1", group=card)
    takes(t, 1)
    if leaves:
        t.move([1], "trash/0", "deck", "toy:1")
    assert [*queue.resolve(t)] == []
    assert carried == done
    assert not t.pos.pending


def test_a_lost_text_still_triggers_where_it_comes_to_nothing_later() -> None:
    t, terms = table(), copy(TERMS)
    terms.still = ("triggered",)
    takes(t, 1)
    left = in_force(cast(Terms, terms), t.pos, 1)
    assert [effect.kind for _, effect in left] == ["triggered"]


def test_a_lost_text_does_not_trigger() -> None:
    queue = _queue(Policy("oldest", "own"), lambda t, act: iter(()))
    t = table()
    takes(t, 1, "triggered")
    for card in (1, 2):
        with t.at_once():
            queue.occur(t, "comes", card, t.pos.seq)
    assert [act.source for act in t.pos.waiting()] == [2]


def _queue(policy: Policy, carry_out: Any, rule: negation.Book | None = None) -> Triggers:
    book = triggers.Book(
        cites=lambda ref, effect: ("toy:1",), order="toy:1", watched=lambda p: frozenset(),
        carry_out=carry_out, used_up=lambda t, source, run: False, lost=("toy:2",), negation=rule,
    )  # fmt: skip
    return Triggers(cast(Terms, TERMS), policy, book)


# -- acts that are negated -------------------------------------------------------------------------


class Chain:
    """Acts that answer each other; carrying one out may negate others."""

    def __init__(self, *orders: Clause | None) -> None:
        """Card 1, 2, … declares an act, the later ones in answer; each does what its clause says.

        Of a negated activation the use is given back, of a negated effect it is not.
        """
        self.book = negation.Book(self.may, self.after, ("toy:3",))
        self.window = Window(
            kind="main", rules=Rules(cause=lambda p, holds: ()), follow=lambda t: iter(()),
            frame="w", step="ask", resolve="resolve", negation=self.book,
        )  # fmt: skip
        self.negate = negation.negating(self.book)
        self.orders, self.done, self.used = orders, list[Ref](), list[tuple[Ref, str]]()
        self.t = table(len(orders))
        self.window.begin(self.t, "toy:1")
        for card, _ in enumerate(orders, 1):
            self.t.declare("play", card, 0, "toy:1", effect=f"T{card:02}/call")
        self.over = 0
        go(self.t, "resolve", "toy:1")

    def may(self, p: Position, act: Pending, what: str) -> bool:
        return act.source != 4

    def after(self, t: Table, act: Pending, what: str) -> None:
        self.used.append((act.source, what))

    def carry(self, t: Table, act: Pending) -> Play:
        assert isinstance(act.source, int)
        clause = self.orders[act.source - 1]
        t.resolve(act.id, "toy:1")
        self.done.append(act.source)
        if clause is not None:
            run = Running(act.id, act.effect, CALLED, act.source, 0, 0)
            meant = int(str(clause.to.match["id"])) if clause.to is not None else 0
            yield from self.negate(clause, t, cast(Terms, TERMS), run, [meant] if meant else [])
        t.end_act(act.id, "resolved", "toy:1")

    def run(self) -> list[str]:
        """Everything is carried out from the latest down; how the acts ended, in that order."""
        while not self.over:
            after = {"play": self.end}
            assert [*self.window.carry_out(self.t, {"play": self.carry}, after)] == []
        ended = (e.event for e in self.t.out)
        return [event.outcome for event in ended if isinstance(event, ev.ActEnded)]

    def end(self, t: Table, act: Pending) -> None:
        self.over += 1


ACTIVATION, EFFECT = "activation", "effect"


def says(what: str, card: int = 0) -> Clause:
    return clause("negate", key=what, to=Group(match={"id": card}) if card else None)


@pytest.mark.parametrize(
    ("orders", "done", "ended", "used"),
    [
        ((None, None), [2, 1], ["resolved", "resolved"], []),
        ((None, says(ACTIVATION)), [2], ["activation negated", "resolved"], [(1, ACTIVATION)]),
        ((None, says(EFFECT)), [2], ["resolved", "effect negated"], [(1, EFFECT)]),
        (
            (None, None, says(EFFECT)), [3, 1], ["resolved", "effect negated", "resolved"],
            [(2, EFFECT)],
        ),
        (
            (None, None, says(ACTIVATION, 1)), [3, 2],
            ["activation negated", "resolved", "resolved"], [(1, ACTIVATION)],
        ),
        (
            (None, says(EFFECT), says(EFFECT)), [3, 1], ["resolved", "effect negated", "resolved"],
            [(2, EFFECT)],
        ),
        (
            (None, says(ACTIVATION, 1), says(EFFECT, 1)), [3, 2],
            ["resolved", "resolved", "effect negated"], [(1, EFFECT)],
        ),
    ],
)  # fmt: skip
def test_a_negated_act_comes_to_nothing(
    orders: tuple[Clause | None, ...], done: list[int], ended: list[str], used: list[Any]
) -> None:
    chain = Chain(*orders)
    assert chain.run() == ended
    assert (chain.done, chain.used, chain.over) == (done, used, 1)
    assert not chain.t.pos.pending
    assert not any(chain.t.pos.marks.values())


def test_what_no_book_lets_be_negated_is_not_done() -> None:
    chain = Chain(None, None, None, None, says(EFFECT, 4))
    assert chain.run() == ["resolved"] * 5
    (found,) = [e.event for e in chain.t.out if isinstance(e.event, ev.NotDone)]
    assert (found.what, found.why) == ("negate", "impossible")


def test_a_waiting_trigger_can_be_negated_too() -> None:
    chain, carried = Chain(None), list[Ref]()

    def carry_out(t: Table, act: Pending) -> Play:
        carried.append(act.source)
        t.end_act(act.id, "resolved", "toy:1")
        return
        yield

    queue = _queue(Policy("oldest", "own"), carry_out, chain.book)
    t = table()
    for card in (1, 2):
        t.trigger(f"T{card:02}/x", card, 0, t.pos.seq, "toy:1", group=card)
    run = Running(0, "T03/call", CALLED, 3, 0, 0)
    assert [*chain.negate(says(EFFECT, 1), t, cast(Terms, TERMS), run, [1])] == []
    assert [*queue.resolve(t)] == []
    assert carried == [2]
    assert chain.used == [(1, EFFECT)]
