"""Each field of an event is stated to be open or kept from somebody; one forgotten is an error."""

from __future__ import annotations

import pytest

from domain.record import views
from domain.record.entries import TYPES
from domain.record.events import CardsMade, Event
from domain.record.proof.chain import SECRET as SIZE
from domain.record.proof.chain import Head, Part, leaf, parts
from domain.record.proof.openings import openings, proven
from domain.record.values import OFFICIALS, Open, Sealed, kept_fields
from domain.record.views import OFFICIAL, PUBLIC, redact
from tests.unit.record.logs import log, made

SECRET = bytes(range(SIZE))
#: What an earlier program hashed of an event that the later one knows to have a field more.
BEFORE = made("field/0", 1, to=1)


class Forgotten(Event, frozen=True):
    n: Open[int]
    card: str


class Nested(Event, frozen=True):
    cards: Open[tuple[Sealed[int], ...]]


class Defaulted(Event, frozen=True):
    n: Open[int]
    seen: Sealed[int] = Sealed(OFFICIALS)


class Later(CardsMade, frozen=True, tag=20):
    who: Sealed[str] | None = None


@pytest.mark.parametrize(
    ("cls", "why"),
    [
        (Forgotten, "Forgotten.card is neither Open nor Sealed"),
        (Nested, "Nested.cards is neither Open nor Sealed"),
        (Defaulted, "Defaulted.seen is kept: its default can only be None"),
    ],
)
def test_a_field_of_which_nothing_is_stated_is_an_error(cls: type[Event], why: str) -> None:
    with pytest.raises(TypeError, match=why):
        kept_fields(cls)


def test_every_event_states_it_of_every_field() -> None:
    assert {cls: kept_fields(cls) for cls in TYPES.values()} == views.SEALED
    assert kept_fields(Later) == ((1, "cards"), (9, "who"))


def test_a_kept_field_that_came_later_leaves_older_events_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (before,) = log(BEFORE)
    fields = {name: getattr(BEFORE, name) for name in BEFORE.__struct_fields__}
    monkeypatch.setitem(views.SEALED, Later, kept_fields(Later))
    (read,) = log(Later(**fields))
    assert leaf(read, SECRET) == leaf(before, SECRET)
    assert [part.field for part in parts(read)] == [1]
    (now,) = log(Later(**fields, who=Sealed(1, "A")))
    assert parts(now)[1] == Part(9, 1, "A")
    assert [redact(now, viewer).event.who for viewer in (PUBLIC, 0)] == [  # type: ignore[union-attr]
        Sealed(1), Sealed(1, "A"),
    ]  # fmt: skip
    for entry in (read, now):
        heads = {
            proven(Head(0, b""), [redact(entry, viewer)], openings([entry], SECRET, viewer), viewer)
            for viewer in (PUBLIC, 0, 1, OFFICIAL)
        }
        assert len(heads) == 1
