"""The fold, event by event: what each of them does to a table, whole and redacted."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import structs

from domain.record import events as ev
from domain.record.decisions import Answer
from domain.record.entries import TYPES, AnyEvent, Entry, active, decode, encode, name_of
from domain.record.folding.fold import fold_all
from domain.record.interventions import Rewound
from domain.record.position import Position
from domain.record.values import (
    BY_OFFICIAL,
    CHANCE,
    EVERYONE,
    OFFICIALS,
    RULES,
    TABLE,
    Change,
    Sealed,
)
from domain.record.views import PUBLIC, position
from tests.unit.record.logs import known, log, made, moved

HIDDEN, OWNER = 0, 1


def table(*events: AnyEvent) -> Position:
    return fold_all(log(*events))


def test_what_is_set_to_none_is_gone() -> None:
    p = table(ev.Marked("seat/0", "played", 1), ev.Marked("seat/0", "played", None))
    assert p.mark("seat/0", "played") is None
    stats = Sealed(-1, ((1, "power", None), ("seat/0", "power", 2)))
    p = table(made("field/0", 1), ev.StatsSet(Sealed(-1, ((1, "power", 3),))), ev.StatsSet(stats))
    assert (p.cards[1].stats, p.stats["seat/0"]) == ({}, {"power": 2})


@pytest.mark.parametrize(
    ("to", "readers"), [((-1,), (-1, -1)), ((-1, -1), (-1, -1)), ((1, 2), (1, 2)), ((2, 1), (1, 2))]
)
def test_each_seat_of_a_decision_reads_its_own_options_and_answer(
    to: tuple[int, ...], readers: tuple[int, int]
) -> None:
    opened = ev.DecisionOpened(1, (0, 1), "main", 0, True, Sealed(0, b""))
    offers = [ev.OptionsOffered(1, seat, Sealed(mask)) for seat, mask in enumerate(to)]
    p = table(opened, *offers)
    assert p.decision is not None
    assert (p.decision.readers(0), p.decision.readers(1)) == readers


def test_a_decision_of_two_seats_is_open_until_both_have_answered() -> None:
    digest, answer = Sealed(0, b""), Sealed(0, Answer(0))
    opened = ev.DecisionOpened(1, (0, 1), "main", 0, True, digest)
    one = ev.DecisionMade(1, 1, answer, 5, "seat", Sealed(2, ""), None, Sealed(0))
    other = ev.DecisionMade(1, 0, answer, 5, "seat", Sealed(1, ""), None, Sealed(0))
    p = table(opened, one)
    assert p.decision is not None
    assert p.decision.seats == [0]
    assert table(opened, one, other).decision is None


def _falling(*events: AnyEvent) -> Position:
    return table(
        made("field/0", 1),
        ev.StatsSet(Sealed(-1, ((1, "level", 2),))),
        ev.CountersMoved("core", 3, "", 1),
        ev.DepartureBegan((1,), "destroyed", 9, "trash/0"),
        *events,
    )


def test_a_departure_is_known_for_the_turn_or_called_off() -> None:
    gone = moved("field/0", "trash/0", {1: 2})
    assert _falling(gone).departures[1].responsible == 9
    assert _falling(gone, ev.TurnBegan(2, 1)).departures == {}
    assert _falling(ev.TurnBegan(2, 1)).departures[1].cause == "destroyed"
    p = _falling(ev.DepartureBegan((1,), "", 0, ""))
    assert (p.departures, p.cards[1].departing) == ({}, "")


def _later(**fields: object) -> ev.EffectScheduled:
    return structs.replace(ev.EffectScheduled(7, "", "T1/x", 1, 0, "standby"), **fields)


def test_cards_that_something_scheduled_is_about_are_known_across_turns() -> None:
    events = (
        made("field/0", 1, 2, 3),
        _later(targets=(2,)),
        moved("field/0", "trash/0", {1: 4, 2: 5, 3: 6}),
        moved("trash/0", "field/0", {5: 7}),
        moved("field/0", "trash/0", {7: 8}),
        ev.TurnBegan(2, 1),
    )
    p = table(*events)
    assert (sorted(p.departed), p.latest(2), p.latest(3)) == ([1, 2, 5, 7], 8, 0)
    late = table(*events, ev.ScheduleEnded((7,), "resolved"), ev.TurnBegan(3, 0))
    assert late.departed == {}


# -- redacted --------------------------------------------------------------------------------------


def test_an_unfollowed_zone_is_a_count_and_a_shown_card_its_topmost_unknown() -> None:
    events = log(
        made("hand/0", 1, 2, to=OWNER, up=False),
        moved("hand/0", "field/0", {1: 3}, was=OWNER),
        known("field/0", {3: "T1"}),
    )
    p = position(events, PUBLIC)
    assert p.zones == {"hand/0": [0], "field/0": [3]}
    assert (p.cards[3].id, p.cards[3].owner, p.next_card) == ("T1", 0, 4)


@pytest.mark.parametrize("kept", [True, False])
def test_who_sees_no_numbers_learns_whether_cards_got_new_ones(kept: bool) -> None:
    now = {2: 2, 1: 1} if kept else {2: 4, 1: 5}
    within = moved("deck/0", "deck/0", now, was=OWNER, now=OWNER, at=0)
    within = structs.replace(within, kept=kept)
    events = log(made("deck/0", 1, 2, 3, to=OWNER, up=False), within)
    whole, p = position(events, 0), position(events, 1)
    assert p.zones == {"deck/0": [0, 0, 0]}
    assert p.next_card == whole.next_card == (4 if kept else 6)


def test_a_card_shown_where_it_could_not_be_followed_gets_its_number() -> None:
    events = log(made("deck/0", 1, 2, 3, to=HIDDEN), known("deck/0", {3: "T3"}))
    p = position(events, 1)
    assert p.zones == {"deck/0": [0, 0, 3]}
    assert p.cards[3].id == "T3"


def test_a_shuffle_leaves_zeros_to_those_who_do_not_see_the_order() -> None:
    events = log(
        made("deck/0", 1, 2, to=OWNER),
        ev.CardsOrdered("deck/0", 2, 3, Sealed(HIDDEN, (1, 0)), "shuffle"),
    )
    p = position(events, 0)
    assert (p.zones, p.cards, p.next_card) == ({"deck/0": [0, 0]}, {}, 5)


# -- the active line -------------------------------------------------------------------------------


def test_a_rewind_takes_entries_off_the_line_and_is_none_of_them() -> None:
    events: list[AnyEvent] = [ev.StepBegan(str(n)) for n in range(1, 6)]
    rewound = log(*events, Rewound(2, ""), ev.StepBegan("again"))
    assert [entry.seq for entry in active(rewound)] == [1, 2, 7]


def test_a_rewind_may_go_back_before_another() -> None:
    steps = [ev.StepBegan(str(n)) for n in range(1, 4)]
    rewound = log(*steps, Rewound(2, ""), ev.StepBegan("b"), Rewound(1, ""))
    assert [entry.seq for entry in active(rewound)] == [1]


def test_riders_go_along_with_a_host_that_keeps_its_number() -> None:
    p = table(
        made("field/0", 1, 2, 3),
        ev.CardsAttached((2,), 1, "pilot"),
        ev.CardsAttached((3,), 2, "badge"),
        moved("field/0", "field/1", {1: 1}),
    )
    assert p.zones == {"field/0": [], "field/1": [1]}
    assert {p.cards[rider].place for rider in (2, 3)} == {"field/1"}


@pytest.mark.parametrize(
    "parted",
    [
        ev.CardsLinked((2,), 0, ""),
        ev.CardsRemoved((2,), "play"),
        moved("field/0", "trash/0", {1: 3}),
    ],
)
def test_a_link_lasts_until_it_is_cut_or_either_card_leaves(parted: AnyEvent) -> None:
    linked = (made("field/0", 1, 2), ev.CardsLinked((2,), 1, "equip"))
    p = table(*linked)
    assert (p.linked(1), p.linked(1, "equip"), p.linked(1, "aura")) == ([2], [2], [])
    assert p.zone("field", 0) == [1, 2]
    assert table(*linked, parted).links == {}


def test_real_cards_that_are_shuffled_stay_as_many_of_each_owner() -> None:
    shuffle = ev.CardsOrdered("deck/0", 3, 5, Sealed(HIDDEN, ()), "shuffle")
    theirs = (made("deck/1", 4), moved("deck/1", "deck/0", {4: 4}))
    p = table(made("deck/0", 1, 2), *theirs, shuffle)
    assert p.zone("deck", 0) == [5, 6, 7]
    assert sorted(card.owner for card in p.cards.values()) == [0, 0, 1]


def test_nothing_but_its_name_goes_with_a_new_object() -> None:
    p = table(
        made("field/0", 1),
        known("field/0", {1: "T1"}),
        ev.CountersMoved("damage", 2, "", 1),
        ev.Marked(1, "played", True),
        ev.ModifierBegan(1, 1, (1,), Change("power", "add", 1), "turn"),
        moved("field/0", "trash/0", {1: 2}),
    )
    assert (p.cards[2].counters, p.cards[2].marks, p.modifiers) == ({}, {}, {})
    assert p.card(1).counters == {"damage": 2}


def test_a_modifier_with_other_targets_or_a_scope_stays() -> None:
    change = Change("power", "add", 1)
    p = table(
        made("field/0", 1, 2),
        ev.ModifierBegan(1, 9, (1, 2), change, "turn"),
        ev.ModifierBegan(2, 9, (1,), change, "turn", "{}"),
        moved("field/0", "trash/0", {1: 3}),
    )
    assert {key: m.targets for key, m in p.modifiers.items()} == {1: [2], 2: []}


def test_counters_come_from_the_supply_and_vanish_at_none() -> None:
    p = table(
        made("field/0", 1),
        ev.CountersMoved("damage", 3, "", 1),
        ev.CountersMoved("damage", 3, 1, "seat/0"),
    )
    assert (p.cards[1].counters, p.holders) == ({}, {"seat/0": {"damage": 3}})


def test_an_attack_keeps_its_first_target() -> None:
    p = table(ev.AttackDeclared(1, "seat/1"), ev.AttackChanged(4, 4, "block"))
    assert p.attack is not None
    assert (p.attack.declared, p.attack.target, p.attack.defender) == ("seat/1", 4, 4)


def test_last_known_cards_are_kept_until_the_turn_is_over() -> None:
    events: list[AnyEvent] = [made("field/0", 1), moved("field/0", "trash/0", {1: 2})]
    assert table(*events).card(1).place == "field/0"
    assert table(*events, ev.TurnBegan(2, 1)).departed == {}


def test_what_is_laid_with_a_card_goes_along_when_it_keeps_its_number() -> None:
    p = table(
        made("field/0", 1, 2, 3, 4),
        ev.CardsAttached((2,), 1, "pilot"),
        ev.CardsAttached((3,), 2, "gear"),
        ev.CardsLinked((4,), 1, "equip"),
        ev.CardsControlled((1, 2, 3), 1),
        moved("field/0", "field/1", {1: 1}),
    )
    assert p.zones == {"field/0": [4], "field/1": [1]}
    cards = [(p.cards[n].host, p.cards[n].role, p.cards[n].place) for n in (1, 2, 3, 4)]
    assert cards == [
        (0, "", "field/1"), (1, "pilot", "field/1"), (2, "gear", "field/1"), (0, "", "field/0"),
    ]  # fmt: skip
    assert (p.cards[1].attached, p.cards[2].attached, p.linked(1)) == ((2,), (3,), [4])
    assert (p.departed, p.next_card) == ({}, 5)


def test_a_departure_keeps_its_cause_its_end_its_blame_and_what_the_card_was() -> None:
    one = _falling(
        ev.StatsSet(Sealed(-1, ((1, "level", 0),))), ev.CountersMoved("core", 3, 1, "trash/0")
    ).departures[1]
    assert (one.cause, one.responsible, one.to, one.first, one.seq) == (
        "destroyed", 9, "trash/0", "trash/0", 4,
    )  # fmt: skip
    assert (one.controller, one.stats, one.counters) == (0, {"level": 2}, {"core": 3})


def test_a_later_departure_replaces_the_first_but_for_where_it_began() -> None:
    p = _falling(
        ev.StatsSet(Sealed(-1, ((1, "level", 0),))),
        ev.DepartureBegan((1,), "returned", "seat/1", "hand/0"),
    )
    one = p.departures[1]
    assert (p.cards[1].departing, one.cause, one.responsible, one.to, one.first, one.seq) == (
        "returned", "returned", "seat/1", "hand/0", "trash/0", 6,
    )  # fmt: skip
    assert one.stats == {"level": 2}


@pytest.mark.parametrize(
    ("event", "turns"),
    [
        (_later(), [3, 4, 5]),
        (_later(turn=4), [4, 5]),
        (_later(whose=1), [4]),
        (_later(whose=1, turn=5), []),
        (_later(due="end"), []),
    ],
)
def test_what_is_scheduled_is_due_at_its_time(event: ev.EffectScheduled, turns: list[int]) -> None:
    due = [n for n in (3, 4, 5) if list(table(event, ev.TurnBegan(n, (n - 1) % 2)).due("standby"))]
    assert due == turns


def test_what_was_scheduled_is_there_until_it_ends() -> None:
    p = table(made("field/0", 1), _later(), _later(id=8))
    assert (list(p.scheduled), p.next_act, p.scheduled[7].cause) == ([7, 8], 9, 2)
    ended = table(made("field/0", 1), _later(), _later(id=8), ev.ScheduleEnded((7,), "void"))
    assert list(ended.scheduled) == [8]
    assert table(_later(), ev.GameBegan(2)).scheduled == {}


# -- the vocabulary: names, tags, who a sealed value is for, and how entries are stored ------------


def test_every_event_type_has_a_name_and_a_docstring() -> None:
    names = [name_of(cls) for cls in TYPES.values()]
    assert len(set(names)) == len(names)
    assert all(cls.__doc__ for cls in TYPES.values())


@pytest.mark.parametrize(
    ("to", "opens"),
    [(EVERYONE, [True, True, True]), (OFFICIALS, [False] * 3), (0b01, [True, False, False]),
     (0b10, [False, True, False]), (0b11, [True, True, False])],
)  # fmt: skip
def test_a_sealed_value_opens_to_its_audience(to: int, opens: list[bool]) -> None:
    """Seat 0, seat 1, the public."""
    assert [Sealed(to, "x").opens_to(mask) for mask in (1, 2, -1)] == opens


def test_an_entry_by_anybody_but_the_rules_is_an_input() -> None:
    assert not entry(RULES).input
    assert all(entry(by).input for by in (0, 1, CHANCE, BY_OFFICIAL, TABLE))


def test_an_entry_is_stored_as_an_array_without_field_names() -> None:
    stored = encode(entry(RULES))
    assert len(stored) < 40
    assert b"turn" not in stored
    assert decode(stored) == entry(RULES)


@pytest.mark.parametrize("stored", [b"", b"\x00", b"\xc1", b"\x97\x01", b"\x80", b"\x90"])
def test_what_is_no_entry_is_refused(stored: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode(stored)


def test_an_unknown_tag_is_refused() -> None:
    stored = msgspec.msgpack.encode([1, 0, 1, 0, -1, ["toy:1"], [99, 1]])
    with pytest.raises(msgspec.ValidationError):
        decode(stored)


def entry(by: int) -> Entry:
    return Entry(7, 1_000, 5, 0, by, ("toy:3",), ev.TurnBegan(2, 1))
