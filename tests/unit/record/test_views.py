"""What a viewer may see of an entry; whole matches are in `properties/secrecy/test_knowledge`."""

from __future__ import annotations

import pytest

from domain.record import events as ev
from domain.record.decisions import Answer
from domain.record.entries import Entry
from domain.record.values import EVERYONE, OFFICIALS, Sealed
from domain.record.views import OFFICIAL, PUBLIC, redact
from tests.unit.record.logs import log, match_opened

VIEWERS = (0, 1, PUBLIC, OFFICIAL)


def sealed(to: int) -> Entry:
    (entry,) = log(ev.DecisionOpened(1, (0,), "main", 0, True, Sealed(to, b"digest")))
    return entry


@pytest.mark.parametrize(
    ("to", "sees"),
    [
        (EVERYONE, {0, 1, PUBLIC, OFFICIAL}),
        (OFFICIALS, {OFFICIAL}),
        (0b01, {0, OFFICIAL}),
        (0b10, {1, OFFICIAL}),
        (0b11, {0, 1, OFFICIAL}),
    ],
)
def test_a_value_is_blank_to_whom_it_is_not_addressed(to: int, sees: set[int]) -> None:
    entry = sealed(to)
    for viewer in VIEWERS:
        seen = redact(entry, viewer).event
        assert isinstance(seen, ev.DecisionOpened)
        assert seen.digest == Sealed(to, b"digest" if viewer in sees else None)


def test_an_entry_that_hides_nothing_is_not_copied() -> None:
    (entry,) = log(ev.TurnBegan(1, 0))
    assert all(redact(entry, viewer) is entry for viewer in VIEWERS)
    assert redact(sealed(EVERYONE), 0).event == sealed(EVERYONE).event


def test_redacting_twice_is_redacting_once() -> None:
    once = redact(sealed(0b01), 1)
    assert redact(once, 1) == once


@pytest.mark.parametrize("viewer", [-3, -100])
def test_there_is_no_default_viewer(viewer: int) -> None:
    with pytest.raises(ValueError, match="no such viewer"):
        redact(sealed(EVERYONE), viewer)


def test_a_seat_that_the_match_does_not_have_is_no_viewer() -> None:
    (entry,) = log(match_opened())
    with pytest.raises(ValueError, match="no such viewer"):
        redact(entry, 2)


def test_all_but_the_blank_fields_stays() -> None:
    entry = sealed(OFFICIALS)
    seen = redact(entry, PUBLIC)
    assert (seen.seq, seen.time, seen.moment, seen.frame, seen.by, seen.cites) == (
        entry.seq, entry.time, entry.moment, entry.frame, entry.by, entry.cites,
    )  # fmt: skip
    assert type(seen.event) is type(entry.event)


def test_each_field_is_hidden_by_itself() -> None:
    answer, ticket = Sealed(EVERYONE, Answer(0)), Sealed(1, "ticket")
    made = ev.DecisionMade(1, 0, answer, 5, "seat", ticket, None, Sealed(0))
    (entry,) = log(made)
    seen = redact(entry, 1).event
    assert isinstance(seen, ev.DecisionMade)
    assert (seen.answer.value, seen.ticket.value) == (Answer(0), None)
