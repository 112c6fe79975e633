"""The vocabulary: names, tags, who a sealed value is for, and how entries are stored."""

from __future__ import annotations

import msgspec
import pytest

from domain.record import events as ev
from domain.record.entries import TYPES, Entry, decode, encode, name_of
from domain.record.values import BY_OFFICIAL, CHANCE, EVERYONE, OFFICIALS, RULES, TABLE, Sealed


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
