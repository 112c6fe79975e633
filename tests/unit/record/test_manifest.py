"""The manifest: who sees and follows what, the words of a table, and words that nobody declared."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.games import names, rulebook
from domain.record import events as ev
from domain.record.decisions import Offer, Option, Part
from domain.record.entries import TYPES, AnyEvent
from domain.record.schema.manifest import KINDS, Conserved, Manifest, Slots, Word, Zone
from domain.record.schema.wording import SORTS, faults, sorts_of
from domain.record.values import EVERYONE, OFFICIALS, Change, Sealed
from tests.toy import TOY
from tests.unit.record.logs import known, log, made, moved

M = TOY.manifest


def test_who_sees_faces_and_who_can_follow() -> None:
    assert [M.faces(place) for place in ("field/0", "hand/0", "hand/1", "deck/0")] == [
        EVERYONE, 0b01, 0b10, OFFICIALS,
    ]  # fmt: skip
    assert [M.follow(place) for place in ("field/0", "hand/0", "hand/1", "deck/0")] == [
        EVERYONE, 0b01, 0b10, OFFICIALS,
    ]  # fmt: skip


def test_places_go_seat_by_seat_and_shared_ones_come_last() -> None:
    zones = (
        Zone("stack", "Stack", "all", "all", shared=True),
        Zone("hand", "Hand", "owner", "owner"),
    )
    table = msgspec.structs.replace(M, zones=zones)
    assert list(table.places()) == ["hand/0", "hand/1", "stack"]


def test_an_undeclared_place_is_an_error() -> None:
    with pytest.raises(KeyError):
        M.zone("attic/0")


def test_words_have_labels_and_unknown_ones_stand_for_themselves() -> None:
    assert M.label("steps", "main") == "Main"
    assert M.label("steps", "tea") == "tea"


def test_the_digest_is_that_of_the_content() -> None:
    copy = msgspec.json.decode(msgspec.json.encode(M), type=Manifest)
    assert copy.digest() == M.digest()
    more = msgspec.structs.replace(M, steps=(*M.steps, Word("tea", "Tea")))
    assert more.digest() != M.digest()


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (ev.StepBegan("tea"), ["'tea' (steps)"]),
        (ev.FrameOpened(1, "tea", 0, 1, {}), ["'tea' (frames)"]),
        (ev.DecisionOpened(1, (0,), "tea", 0, True, Sealed(0)), ["'tea' (decisions)"]),
        (made("attic/0", 1), ["zone 'attic/0'"]),
        (moved("attic/0", "field/0", {1: 2}), ["zone 'attic/0'"]),
        (known("field/0", {1: "T1"}), []),
        (ev.CardsOrdered("deck/0", 1, 0, Sealed(0, (1,)), "tea"), ["'tea' (reasons)"]),
        (ev.CountersMoved("tea", 1, "", 1), ["'tea' (counters)"]),
        (ev.StatsSet(Sealed(-1, ((1, "tea", 1),))), ["'tea' (stats)"]),
        (ev.Marked(1, "played:T1", 1), []),
        (ev.Marked(1, "tea:T1", 1), ["'tea' (marks)"]),
        (ev.NotDone("draw", 1, "tea"), ["'tea' (reasons)"]),
        (ev.NotDone("tea", 1, "draw"), ["'tea' (attempts)"]),
        (ev.FrameClosed(1, "tea"), ["'tea' (outcomes)"]),
        (ev.ActEnded(1, "tea"), ["'tea' (outcomes)"]),
        (ev.AttackEnded("tea"), ["'tea' (outcomes)"]),
        (ev.AttackChanged(1, 2, "tea"), ["'tea' (reasons)"]),
        (ev.CardsAttached((1,), 2, "tea"), ["'tea' (roles)"]),
        (ev.CardsRemoved((1,), "tea"), ["'tea' (reasons)"]),
        (ev.DepartureBegan((1,), "tea", 2, "attic/0"), ["'tea' (reasons)", "zone 'attic/0'"]),
        (ev.ModifierBegan(1, 1, (1,), Change("power", "add", 1), "tea"), ["'tea' (durations)"]),
        (ev.CardsLinked((1,), 2, "tea"), ["'tea' (roles)"]),
        (
            ev.EffectScheduled(1, "tea", "", 1, 0, "dusk"),
            ["'tea' (declarations)", "'dusk' (durations)"],
        ),
        (ev.EffectScheduled(1, "", "T1/x", 1, 0, "turn"), []),
        (ev.ScheduleEnded((1,), "tea"), ["'tea' (outcomes)"]),
        (ev.ModifierEnded((1,), "tea"), ["'tea' (durations or reasons)"]),
        (ev.ActDeclared(1, "tea", 1, "T1/x", 0), ["'tea' (declarations)"]),
        (ev.Interjected(0, "tea", 0, Sealed(1), Sealed(1), Sealed(0)), ["'tea' (acts)"]),
        (ev.DamageDealt(1, 2, 1, "tea"), ["'tea' (damages)"]),
        (ev.ChanceDrawn("tea", 2, Sealed(-1, (0,))), ["'tea' (chances)"]),
        (ev.GameEnded(0, "tea"), ["'tea' (reasons)"]),
        (ev.SeatLost((0,), "tea"), ["'tea' (reasons)"]),
        (ev.TurnBegan(1, 0), []),
    ],
)
def test_a_word_that_nobody_declared_is_found(event: AnyEvent, words: list[str]) -> None:
    (entry,) = log(event)
    found = list(faults(M, entry))
    assert len(found) == len(words)
    assert all(word in fault for word, fault in zip(words, found, strict=True))


def test_the_acts_and_parts_of_an_offer_must_be_declared_too() -> None:
    offer = Offer((Option("fly", 0, (Part("wings", 0),)), Option("pass")), ((1,),))
    (entry,) = log(ev.OptionsOffered(1, 0, Sealed(1, offer)))
    assert [fault.split()[2] for fault in faults(M, entry)] == ["'fly'", "'wings'"]


def test_every_field_of_every_event_is_of_a_known_sort() -> None:
    found = {"ticket", "digest", "offer", "answer", "stated", "scope"}
    for event in TYPES.values():
        fields = sorts_of(event)
        data = {path.partition(".")[0] for path in fields} | found
        assert data >= {field.name for field in msgspec.structs.fields(event)}
        assert {sort for sorts in fields.values() for sort in sorts} <= {*SORTS, *KINDS}


@pytest.mark.parametrize("game", names())
def test_games_declare_what_their_texts_may_ask_for(game: str) -> None:
    rules = rulebook(game)
    asked = set(rules.words.instructions)
    assert asked <= rules.manifest.words("attempts").keys()
    assert set(rules.words.durations) <= rules.manifest.words("durations").keys()


def test_lists_are_in_the_digest_where_they_say_something() -> None:
    others = (
        replace(M, apart=("pilot",)),
        replace(M, conserved=(Conserved("points", "field", "toy:7"),)),
        replace(M, slots=(Slots("field", "spot", 5),)),
    )
    assert len({one.digest() for one in (M, *others)}) == 4
    entering = replace(M, passes=("fly",), signs=(Word("points", "*"),), composed={"fly": ("a",)})
    assert entering.digest() == M.digest()


@pytest.mark.parametrize("grown", [Manifest, Zone, Word, Slots, Conserved])
def test_what_it_grows_by_leaves_its_digest_as_it_is(grown: type[Any]) -> None:
    def later(one: Any, then: int) -> Any:
        known = {name: getattr(one, name) for name in one.__struct_fields__}
        return type_(**known, later=then)

    def all_of(manifest: Manifest, then: int) -> Manifest:
        lists = {
            name: tuple(later(one, then) if type(one) is grown else one for one in of)
            for name in ("zones", "steps", "conserved", "slots")
            for of in [getattr(manifest, name)]
        }
        return later(manifest, then) if grown is Manifest else replace(manifest, **lists)

    type_ = msgspec.defstruct(grown.__name__, [("later", int, 0)], bases=(grown,), frozen=True)
    kept = Conserved("points", "field", "toy:7")
    older = replace(M, conserved=(kept,), slots=(Slots("field", "spot", 5),))
    assert all_of(older, 0).digest() == older.digest()
    assert all_of(older, 1).digest() != older.digest()
