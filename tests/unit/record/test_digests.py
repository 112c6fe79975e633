"""The digest of a position: what it stands for, that parts are enough, that it survives growth."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import Struct
from msgspec.inspect import StructType

from domain.record import events as ev
from domain.record.entries import AnyEvent, Entry
from domain.record.folding import digests
from domain.record.folding.digests import (
    APART,
    LAID_OUT,
    TOUCHED,
    Digester,
    digest,
    encoder,
    touches_zones,
)
from domain.record.folding.fold import fold_all
from domain.record.interventions import EngineChanged
from domain.record.position import Card, Position
from domain.record.values import EVERYONE, Sealed
from tests.unit.record.logs import known, log, made, match_opened, moved


def table(*events: AnyEvent) -> Position:
    return fold_all(log(*events))


def test_it_changes_with_the_table_and_not_with_the_heading() -> None:
    events: list[AnyEvent] = [made("field/0", 1), known("field/0", {1: "T1"})]
    first = digest(table(match_opened(), *events))
    assert digest(table(match_opened(engine="2", at=5), *events)) == first
    assert digest(table(match_opened(), events[0])) != first
    assert digest(table(match_opened(), events[0], known("field/0", {1: "T2"}))) != first
    assert len(first) == 8


def _digested(*events: AnyEvent) -> bytes:
    p = table(made("field/0", 1, 2), *events)
    p.seq, p.time, p.moment = 9, 90, 9
    return digest(p)


def test_a_departure_is_in_it_by_its_cause_alone() -> None:
    went = [ev.DepartureBegan((1,), *where) for where in (
        ("destroyed", 2, "trash/0"), ("destroyed", "seat/1", "hand/0"), ("returned", 2, "trash/0"),
    )]  # fmt: skip
    same, other, different = map(_digested, went)
    assert same == other != different


#: After these events the digest of parts has to be that of the whole, each time.
COURSE: tuple[AnyEvent, ...] = (
    ev.GameBegan(1),
    made("deck/0", 1, 2, 3, 4),
    ev.CardsOrdered("deck/0", 4, 5, Sealed(0, (3, 1, 0, 2)), "shuffled"),
    moved("deck/0", "field/0", {8: 9, 7: 10}),
    known("field/0", {9: "T1", 10: "T2"}),
    ev.CardsAttached((10,), 9, "pilot"),
    ev.CountersMoved("damage", 2, "", 9),
    ev.CountersMoved("life", 4, "", "seat/1"),
    ev.StatsSet(Sealed(EVERYONE, ((9, "ap", 3), ("seat/0", "lv", 1)))),
    ev.Marked(9, "turned", 1),
    ev.CardsTurned((9,), False, "rested"),
    ev.CardsControlled((9,), 1),
    ev.CardsDefined((9,), {"ap": 1}),
    ev.DepartureBegan((9,), "destroyed", "seat/1", "trash/0"),
    moved("field/0", "trash/0", {9: 11}),
    ev.Marked(9, "late", 1),
    ev.CardsRemoved((10,), "gone"),
    ev.TurnBegan(2, 1),
    EngineChanged("2", {}),
    ev.GameBegan(2),
)


def test_parts_are_enough() -> None:
    p = Position()
    parts = Digester(p)
    for entry in log(*COURSE):
        before = parts.digest()
        parts.fold(entry)
        assert parts.digest() == digest(p) != before, entry.event


def test_parts_that_were_changed_elsewhere_are_rehashed() -> None:
    entries: list[Entry] = log(made("field/0", 1), ev.Marked(1, "a", 1), ev.StepBegan("main"))
    p = Position()
    parts = Digester(p)
    parts.fold(entries[0])
    parts.digest()
    fold_all(entries[1:2], p)
    assert parts.digest() == digest(p)
    fold_all(entries[2:], p)
    assert parts.digest() == digest(p)


def test_every_event_that_folds_a_card_says_so() -> None:
    """What is not in the table touches all cards, so it need not be whole; it is to be right."""
    assert {type(event) for event in COURSE} - {EngineChanged, ev.GameBegan} <= {*TOUCHED}


# -- growth -----------------------------------------------------------------------------------


def _structs(type_: type[Struct], found: dict[type, None]) -> dict[type, None]:
    """A struct and those within it, as far as they count and are arrays."""
    if type_ in found or not type_.__struct_config__.array_like:
        return found
    found[type_] = None
    info = msgspec.inspect.type_info(type_)
    assert isinstance(info, StructType)
    fields = [f.type for f in info.fields if type_ is not Position or f.encode_name not in APART]
    while fields:
        each = fields.pop()
        if isinstance(each, StructType):
            _structs(each.cls, found)
        for name in each.__struct_fields__:
            inner = getattr(each, name)
            several = inner if isinstance(inner, tuple) else (inner,)
            fields += [one for one in several if isinstance(one, msgspec.inspect.Type)]
    return found


def test_each_struct_of_a_position_is_laid_out() -> None:
    assert {*_structs(Position, {}), Card} == {*LAID_OUT}


def _value(type_: type[Struct]) -> Struct:
    """One whose last field has its default, and where it has none a value that was there before."""
    kinds = {f.name: f for f in msgspec.structs.fields(type_)}
    given = {"id": "T1", "place": "field/0"}
    return type_(**{name: given.get(name, 1) for name, f in kinds.items() if f.required})


def _grow(type_: type[Struct], monkeypatch: pytest.MonkeyPatch) -> type[Struct]:
    """The type as a later version has it, with one more field."""
    grown = msgspec.defstruct(type_.__name__, [("later", int, 0)], bases=(type_,), array_like=True)
    monkeypatch.setitem(LAID_OUT, grown, LAID_OUT[type_])
    return grown


@pytest.mark.parametrize(
    "type_", sorted({*LAID_OUT} - {Position}, key=str), ids=lambda type_: type_.__name__
)
def test_a_later_field_changes_no_digest_until_it_says_something(
    type_: type[Struct], monkeypatch: pytest.MonkeyPatch
) -> None:
    older, grown = _value(type_), _grow(type_, monkeypatch)
    same = grown(**msgspec.structs.asdict(older))
    other = grown(**msgspec.structs.asdict(older), later=1)
    assert encoder(grown)([same]) == encoder(type_)([older]) != encoder(grown)([other])


def test_a_later_field_of_the_position_changes_none_either(monkeypatch: pytest.MonkeyPatch) -> None:
    older, grown = table(made("field/0", 1)), _grow(Position, monkeypatch)
    same, before = msgspec.msgpack.decode(older.encoded(), type=grown), digest(older)
    assert isinstance(same, Position)
    monkeypatch.setattr(digests, "_LATER", digests.later(grown))
    assert digest(same) == before
    same.later = 1  # type: ignore[attr-defined]
    assert digest(same) != before


@pytest.mark.parametrize(("event", "touches"), [
    (known("hand/0", {2: "T1"}), False),
    (known("field/0", {1: "T1"}), True),
    (ev.CardsTurned((2,), None, "rested"), False),
    (ev.CardsTurned((2, 1), None, "rested"), True),
    (ev.CountersMoved("core", 1, "reserve/0", 2), False),
    (ev.CountersMoved("core", 1, 1, ""), True),
    (ev.Marked("match", "passes", 1), False),
    (made("hand/0", 3), True),  # where it will lie is not looked up
    (moved("hand/0", "trash/0", {2: 3}), False),
    (moved("hand/0", "field/0", {2: 3}), True),
    (ev.ModifierEnded((1,), "turn"), True),  # touches no card by itself, and all that follows
    (ev.GameBegan(1), True),  # not in the table
])  # fmt: skip
def test_an_event_is_taken_to_touch_a_zone_unless_it_is_known_not_to(
    event: ev.Event, touches: bool
) -> None:
    p = table(made("field/0", 1), made("hand/0", 2))
    assert touches_zones(p, event, ("field",)) == touches
    assert touches_zones(p, event, ())
