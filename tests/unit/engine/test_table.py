"""The verbs: what they put in the record, and what they leave out because nothing happens."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.engine.signals import Chance, Diverged
from domain.engine.table import Table
from domain.record import events as ev
from domain.record.entries import Entry, name_of
from domain.record.position import Position
from domain.record.schema.manifest import Conserved
from domain.record.values import CHANCE, EVERYONE, OFFICIALS, RULES, Change, Sealed, Value
from tests.toy import TOY

M = TOY.manifest


def table(*fields: str) -> Table:
    """A table with these cards on seat 0's field, and nothing told of it."""
    t = Table(Position(), M)
    t.make(fields, "field/0", "deck", "toy:1")
    t.out.clear()
    return t


CORES = replace(M, conserved=(Conserved("points", "reserve", "toy:7"),))


def texts(t: Table) -> list[str]:
    return [name_of(entry.event) for entry in t.out]


def test_entries_are_numbered_timed_and_cited() -> None:
    t = Table(Position(), M)
    t.now = 70
    t.emit(ev.TurnBegan(1, 0), "toy:3", "toy:1")
    frame = t.open_frame("play", "toy:4", card="T01")
    entry = t.emit(ev.StepBegan("main"))
    assert [e.seq for e in t.out] == [1, 2, 3]
    assert t.out[0] == Entry(1, 70, 1, 0, RULES, ("toy:3", "toy:1"), ev.TurnBegan(1, 0))
    assert (entry.frame, entry.moment) == (frame, 3)


def test_a_frame_names_its_parent_and_its_cause() -> None:
    t = Table(Position(), M)
    t.emit(ev.TurnBegan(1, 0))
    outer, inner = t.open_frame("play"), t.open_frame("play", cause=1)
    opened = [e.event for e in t.out if isinstance(e.event, ev.FrameOpened)]
    assert [(f.id, f.parent, f.cause) for f in opened] == [(outer, 0, 1), (inner, outer, 1)]
    t.close_frame(inner)
    assert t.pos.frame == outer


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


def test_cards_that_come_into_a_hidden_zone_are_known_to_those_who_see_it() -> None:
    t = Table(Position(), M)
    t.make(["T01"], "hand/1", "deck")
    t.make(["T02"], "deck/1", "deck")
    audiences = [e.event.cards.to for e in t.out if isinstance(e.event, ev.CardsKnown)]
    assert audiences == [0b10, OFFICIALS]


def test_a_move_into_the_open_tells_the_face_and_a_move_in_the_open_does_not() -> None:
    t = Table(Position(), M)
    t.make(["T01"], "hand/0", "deck")
    t.out.clear()
    (card,) = t.move([1], "field/0", "play", "toy:4")
    assert texts(t) == ["cards.moved", "cards.known"]
    t.out.clear()
    t.move([card], "trash/0", "play")
    assert texts(t) == ["cards.moved"]


def test_a_move_is_sealed_from_those_who_can_not_follow() -> None:
    t = Table(Position(), M)
    t.make(["T01"], "deck/0", "deck")
    t.out.clear()
    t.move([1], "hand/0", "draw")
    moved = t.out[0].event
    assert isinstance(moved, ev.CardsMoved)
    assert (moved.was, moved.now) == (Sealed(OFFICIALS, (1,)), Sealed(0b01, (2,)))


def test_a_move_within_a_zone_keeps_the_number_unless_it_hides() -> None:
    t = table("T01", "T02")
    assert t.move([1], "field/0", "play") == [1]
    assert t.pos.zone("field", 0) == [2, 1]
    assert t.move([2], "field/0", "play", hide=True) == [3]


def test_cards_of_several_zones_move_at_one_moment_in_the_given_order() -> None:
    t = table("T01", "T02")
    (third,) = t.make(["T03"], "trash/0", "deck")
    t.out.clear()
    now = t.move([2, third, 1], "deck/0", "play")
    assert t.pos.zone("deck", 0) == now
    assert [t.pos.cards[number].id for number in now] == ["T02", "T03", "T01"]
    assert len({entry.moment for entry in t.out}) == 1


@pytest.mark.parametrize("hide", [True, False])
def test_who_saw_cards_go_does_not_see_in_which_order_they_lie(hide: bool) -> None:
    t = table("T01", "T02", "T03")
    assert t.move([2, 3, 1], "deck/0", "replace", hide=hide) == [4, 5, 6]
    moved = t.out[-1].event
    assert isinstance(moved, ev.CardsMoved)
    assert (moved.was, moved.now) == (Sealed(EVERYONE, (1, 2, 3)), Sealed(OFFICIALS, (6, 4, 5)))
    assert t.pos.zone("deck/0") == [4, 5, 6]
    assert [t.pos.cards[number].id for number in t.pos.zone("deck/0")] == ["T02", "T03", "T01"]


def test_the_top_of_a_zone_comes_topmost_first_and_no_more_than_there_is() -> None:
    t = table("T01", "T02", "T03")
    assert (t.top("field/0", 2), t.top("field/0", 9), t.top("field/0", 0), t.top("deck/1")) == (
        [3, 2], [3, 2, 1], [], [],
    )  # fmt: skip


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


def test_derived_numbers_are_emitted_when_they_change_with_their_rules() -> None:
    t = table("T01", "T02")

    def rule(card: int, key: str, value: Value) -> str:
        return {"power": "toy:4", "speed": "toy:5"}[key]

    assert t.stats([(1, {"power": 2, "speed": 1}), (2, {"power": 3})], rule)
    assert not t.stats([(1, {"power": 2, "speed": 1}), (2, {"power": 3})], rule)
    assert t.stats([(1, {"power": 2}), (2, {"power": 4})], rule)
    last = t.out[-1]
    assert last.event == ev.StatsSet(Sealed(EVERYONE, ((1, "speed", None), (2, "power", 4))))
    assert last.cites == ("toy:5", "toy:4")


def test_counters_go_only_as_far_as_there_are_any() -> None:
    t = table("T01")
    assert t.counters("points", 3, dst=1) == 3
    assert t.counters("points", 5, src=1, dst="seat/0") == 3
    assert (t.pos.counters(1, "points"), t.pos.counters("seat/0", "points")) == (0, 3)


def test_lasting_effects_expire_together() -> None:
    t, change = table("T01"), Change("power", "add", 1)
    ids = [t.modify(1, [1], change, until) for until in ("turn", "game", "turn")]
    assert t.expire("turn", "toy:5") == 2
    assert t.out[-1].event == ev.ModifierEnded((ids[0], ids[2]), "turn")
    assert list(t.pos.modifiers) == [ids[1]]


def test_a_shuffle_asks_chance_and_gives_every_card_a_new_number() -> None:
    t = table("T01", "T02", "T03")
    play = t.shuffle("field/0", "toy:2")
    asked = next(play)
    assert isinstance(asked, Chance)
    assert (asked.kind, asked.of) == ("shuffle", 3)
    with pytest.raises(StopIteration):
        play.send((2, 0, 1))
    assert t.pos.zone("field", 0) == [4, 5, 6]
    assert [t.pos.cards[number].id for number in (4, 5, 6)] == ["T03", "T01", "T02"]


def test_a_hidden_card_is_shown_before_it_leaves_the_game() -> None:
    t = Table(Position(), M)
    t.make(["T01"], "hand/0", "deck")
    t.out.clear()
    t.remove([1], "play")
    assert texts(t) == ["cards.known", "cards.removed"]


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


# -- what is conserved -----------------------------------------------------------------------------


def _with_points() -> Table:
    t = Table(Position(), CORES)
    t.make(("T01", "T02"), "field/1", "deck", "toy:1", owner=0)
    t.counters("points", 3, "toy:1", dst=1)
    t.out.clear()
    return t


def _handed_over(t: Table) -> None:
    first, second = t.out[:2]
    assert first.event == ev.CountersMoved("points", 3, 1, "reserve/0")
    assert first.cites[0] == "toy:7"
    assert first.moment == second.moment
    assert t.pos.counters("reserve/0", "points") == 3
    assert t.pos.departed[1].counters == {}


def test_a_card_that_leaves_hands_over_what_is_conserved_to_its_owner() -> None:
    t = _with_points()
    t.move([1, 2], "trash/0", "play", "toy:5")
    assert texts(t) == ["counters.moved", "cards.moved"]
    _handed_over(t)


def test_a_card_that_is_removed_hands_it_over_as_well() -> None:
    t = _with_points()
    t.remove([1, 2], "play", "toy:5")
    assert texts(t) == ["counters.moved", "cards.removed"]
    _handed_over(t)


@pytest.mark.parametrize(("dst", "same"), [("field/1", False), ("field/0", True)])
def test_a_card_that_stays_the_same_keeps_what_is_conserved(dst: str, same: bool) -> None:
    t = _with_points()
    t.move([1], dst, "play", "toy:5", same=same)
    assert texts(t) == ["cards.moved"]
    assert t.pos.counters(1, "points") == 3


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


def test_links_and_departures_are_recorded_as_given() -> None:
    t = table("T01", "T02")
    t.link([2], 1, "equip", "toy:4")
    t.depart([1], "play", "seat/1", "trash/0", "toy:4")
    assert t.pos.linked(1, "equip") == [2]
    assert t.pos.departures[1].responsible == "seat/1"
    t.move([1], "trash/0", "play", "toy:4")
    assert (t.pos.links, t.pos.departures[1].to) == ({}, "trash/0")


def test_nothing_is_played_on_a_view_of_the_table() -> None:
    t = table("T01")
    view = t.over(t.pos.with_cards({1: replace(t.pos.cards[1], id="T02")}))
    assert (view.pos.cards[1].id, t.pos.cards[1].id, t.over(t.pos)) == ("T02", "T01", t)
    with pytest.raises(RuntimeError, match=r"turn\.began on a view of the table"):
        view.emit(ev.TurnBegan(1, 0))
    with pytest.raises(RuntimeError, match=r"cards\.turned on a view of the table"):
        view.turn([1], "toy:4", orient="spent")
    assert (t.out, t.pos.turn, t.pos.cards[1].orient) == ([], 0, "ready")
