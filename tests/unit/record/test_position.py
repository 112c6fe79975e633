"""The position: what it answers, and what its cards share."""

from __future__ import annotations

import pytest

from domain.record import events as ev
from domain.record.entries import AnyEvent
from domain.record.folding.fold import fold_all
from domain.record.position import Card, Position, decoded
from tests.unit.record.logs import log, made, moved


def table(*events: AnyEvent) -> Position:
    return fold_all(log(*events))


def test_a_card_is_found_by_its_last_number_however_often_it_moved() -> None:
    p = table(
        made("field/0", 1),
        moved("field/0", "trash/0", {1: 2}),
        moved("trash/0", "field/0", {2: 3}),
    )
    assert (p.latest(1), p.latest(2), p.latest(3)) == (3, 3, 3)
    assert p.latest(99) == 0
    assert [p.present(number) for number in (1, 2, 3, "seat/0")] == [False, False, True, False]
    with pytest.raises(KeyError):
        p.card(99)


def test_a_copy_shares_nothing() -> None:
    p = table(made("field/0", 1), ev.Marked(1, "a", 1))
    copy = decoded(p.encoded())
    assert copy == p
    fold_all(log(ev.Marked(1, "a", 2), start=3), copy)
    assert p.mark(1, "a") == 1


def test_what_cards_do_not_have_is_shared_and_can_not_be_filled() -> None:
    one, other = (Card("X", 0, 0, "field/0", True, "") for _ in range(2))
    assert one.marks is other.marks is one.counters
    with pytest.raises(TypeError, match="a table of its own"):
        one.counters["damage"] = 1
    read = decoded(Position(cards={1: one, 2: other}).encoded())
    assert read.cards[1].counters is not read.cards[2].counters
    assert read.cards[1].place is not read.cards[2].place
    kept = read.slimmed().cards
    assert kept[1].counters is kept[2].counters is one.counters
    assert kept[1].place is kept[2].place
