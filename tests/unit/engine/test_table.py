"""The verbs: what they put in the record, and what they leave out because nothing happens."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.engine.signals import Diverged
from domain.engine.table import Table
from domain.record import events as ev
from domain.record.entries import Entry
from domain.record.position import Position
from domain.record.values import CHANCE, EVERYONE, OFFICIALS, RULES, Sealed
from tests.toy import TOY

M = TOY.manifest


def table(*fields: str) -> Table:
    """A table with these cards on seat 0's field, and nothing told of it."""
    t = Table(Position(), M)
    t.make(fields, "field/0", "deck", "toy:1")
    t.out.clear()
    return t


def test_entries_are_numbered_timed_and_cited() -> None:
    t = Table(Position(), M)
    t.now = 70
    t.emit(ev.TurnBegan(1, 0), "toy:3", "toy:1")
    frame = t.open_frame("play", "toy:4", card="T01")
    entry = t.emit(ev.StepBegan("main"))
    assert [e.seq for e in t.out] == [1, 2, 3]
    assert t.out[0] == Entry(1, 70, 1, 0, RULES, ("toy:3", "toy:1"), ev.TurnBegan(1, 0))
    assert (entry.frame, entry.moment) == (frame, 3)


def test_what_happens_at_once_shares_a_moment() -> None:
    t = table("T01", "T02")
    with t.at_once():
        t.turn([1], orient="spent")
        with t.at_once():
            t.mark(1, "played", 1)
    t.mark(2, "played", 1)
    moments = [entry.moment for entry in t.out]
    assert moments[0] == moments[1]
    assert moments[2] == moments[1] + 1


def test_an_error_within_a_batch_says_nothing_and_ends_the_batch() -> None:
    t = table("T01")
    with pytest.raises(RuntimeError), t.at_once():
        raise RuntimeError
    assert not t.out
    assert t.moment == t.pos.moment


def test_only_changes_are_emitted() -> None:
    t = table("T01", "T02")
    assert t.turn([1, 2], orient="spent") == (1, 2)
    t.out.clear()
    assert t.turn([1, 2], orient="spent") == ()
    t.mark("seat/0", "played", None)
    t.remove([], "play")
    t.show([], EVERYONE, "play")
    assert t.counters("points", 0, dst=1) == 0
    assert t.expire("turn") == 0
    assert not t.out


@pytest.mark.parametrize("hide", [True, False])
def test_who_saw_cards_go_does_not_see_in_which_order_they_lie(hide: bool) -> None:
    t = table("T01", "T02", "T03")
    assert t.move([2, 3, 1], "deck/0", "replace", hide=hide) == [4, 5, 6]
    moved = t.out[-1].event
    assert isinstance(moved, ev.CardsMoved)
    assert (moved.was, moved.now) == (Sealed(EVERYONE, (1, 2, 3)), Sealed(OFFICIALS, (6, 4, 5)))
    assert t.pos.zone("deck/0") == [4, 5, 6]
    assert [t.pos.cards[number].id for number in t.pos.zone("deck/0")] == ["T02", "T03", "T01"]


# -- running again ---------------------------------------------------------------------------------


def test_rerunning_emits_nothing_new_and_must_agree() -> None:
    first = table("T01")
    first.mark(1, "played", 1, "toy:4")
    first.mark(1, "played", 2, "toy:4")
    repeated = Table(table("T01").pos, M, first.out)
    repeated.mark(1, "played", 1, "toy:4")
    assert repeated.resuming
    assert repeated.out == []
    with pytest.raises(Diverged) as diverged:
        repeated.mark(1, "played", 3, "toy:4")
    assert diverged.value.seq == first.out[1].seq


def test_rerunning_takes_inputs_as_recorded() -> None:
    first = table("T01")
    first.now = 900
    first.input(ev.ChanceDrawn("coin", 2, Sealed(-1, (1,))), "toy:2", by=CHANCE)
    repeated = Table(table("T01").pos, M, first.out)
    taken = repeated.input(ev.ChanceDrawn("coin", 2, Sealed(-1, (0,))), "toy:2", by=CHANCE)
    assert taken == first.out[0].event
    assert repeated.now == 900
    assert not repeated.resuming


@pytest.mark.parametrize("altered", [{"by": RULES}, {"frame": 5}, {"moment": 99}, {"cites": ()}])
def test_an_input_that_can_not_stand_there_diverges(altered: dict[str, object]) -> None:
    first = table("T01")
    first.input(ev.ChanceDrawn("coin", 2, Sealed(-1, (1,))), "toy:2", by=CHANCE)
    repeated = Table(table("T01").pos, M, [replace(first.out[0], **altered)])
    with pytest.raises(Diverged):
        repeated.input(ev.ChanceDrawn("coin", 2, Sealed(-1, ())), "toy:2", by=CHANCE)


# -- later -----------------------------------------------------------------------------------------


def test_what_is_scheduled_comes_due_once_or_is_lifted() -> None:
    t = table("T01")
    first = t.schedule("T01/a", 1, 0, "turn", "toy:4", targets=[1])
    second = t.schedule("", 1, 0, "turn", "toy:4", kind="skip", whose=1)
    third = t.schedule("T01/b", 1, 0, "turn", "toy:4")
    t.lift([third, 99], "toy:4")
    t.emit(ev.TurnBegan(1, 0))
    assert [one.effect for one in t.come_due("turn", "toy:5")] == ["T01/a"]
    t.emit(ev.TurnBegan(2, 1))
    assert [one.kind for one in t.come_due("turn", "toy:5")] == ["skip"]
    t.out.clear()
    assert t.come_due("turn", "toy:5") == []
    t.lift([first, second])
    assert t.out == []


def test_what_lies_hidden_is_neither_linked_nor_scheduled() -> None:
    t = table("T01")
    (hidden,) = t.make(["T02"], "hand/0", "deck", "toy:1")
    for verb in (
        lambda: t.link([hidden], 1, "equip"),
        lambda: t.link([1], hidden, "equip"),
        lambda: t.schedule("", hidden, 0, "turn"),
        lambda: t.schedule("", 1, 0, "turn", targets=[hidden]),
    ):
        with pytest.raises(ValueError, match="lies hidden"):
            verb()


def test_nothing_is_played_on_a_view_of_the_table() -> None:
    t = table("T01")
    view = t.over(t.pos.with_cards({1: replace(t.pos.cards[1], id="T02")}))
    assert (view.pos.cards[1].id, t.pos.cards[1].id, t.over(t.pos)) == ("T02", "T01", t)
    with pytest.raises(RuntimeError, match=r"turn\.began on a view of the table"):
        view.emit(ev.TurnBegan(1, 0))
    with pytest.raises(RuntimeError, match=r"cards\.turned on a view of the table"):
        view.turn([1], "toy:4", orient="spent")
    assert (t.out, t.pos.turn, t.pos.cards[1].orient) == ([], 0, "ready")
