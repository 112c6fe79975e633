"""Every event and position goes over the wire and comes back as it was, byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from kifu.v1 import events_pb2, positions_pb2, values_pb2

from domain.record import events as ev
from domain.record.decisions import Act, Limits, Offer, Option, Part
from domain.record.entries import TYPES, Entry, encode
from domain.record.folding.digests import digest
from domain.record.folding.fold import fold_all
from domain.record.values import RULES, Sealed
from domain.record.views import OFFICIAL, PUBLIC, position, redact
from service import wire
from service.client import convert
from tests.support.made_up import some
from tests.toy import TOY
from tests.unit.store.records import toy_log

RNG = Random(7)


def entries() -> Iterator[Entry]:
    for cls in TYPES.values():
        for at in range(1, 30):
            yield Entry(
                at, at * 1000, at, 0, RNG.randrange(-4, 2), ("toy:1",) * (at % 3), some(RNG, cls)
            )


def sent(entry: Entry) -> Entry:
    data = wire.entry(entry).SerializeToString()
    return wire.entry_of(events_pb2.Entry.FromString(data))


def test_every_event_comes_back_as_it_was_sent() -> None:
    for entry in entries():
        back = sent(entry)
        assert back == entry
        assert encode(back) == encode(entry)


def test_an_official_can_rebuild_the_stored_record_from_what_he_is_sent() -> None:
    log = toy_log(turns=12)
    assert [encode(sent(entry)) for entry in log] == [encode(entry) for entry in log]


def test_what_is_hidden_is_unset_and_not_empty() -> None:
    moved = ev.CardsMoved(
        1, Sealed(1, (5,)), Sealed(1, ()), "hand/0", "deck/0", None, False, "", ""
    )
    message = wire.entry(redact(Entry(1, 0, 1, 0, -1, (), moved), 1)).event.cards_moved
    assert not message.was.HasField("value")
    assert message.was.to == 1
    whole = wire.entry(Entry(1, 0, 1, 0, -1, (), moved)).event.cards_moved
    assert whole.now.HasField("value")
    assert list(whole.now.value.numbers) == []


@pytest.mark.parametrize("viewer", [OFFICIAL, PUBLIC, 0, 1])
def test_positions_come_back_as_they_were_sent(viewer: int) -> None:
    log = toy_log(turns=9)
    for end in range(0, len(log) + 1, 7):
        before = position(log[:end], viewer)
        data = wire.table(before).SerializeToString()
        after = wire.table_of(positions_pb2.Position.FromString(data))
        assert after == before
        assert digest(after) == digest(before)


def test_a_client_can_fold_what_it_received() -> None:
    log = toy_log(turns=4)
    received = [sent(redact(entry, 0)) for entry in log]
    assert fold_all(received) == position(log, 0)


def test_offers_and_acts_come_back() -> None:
    limits = Limits(True, 2, (1, -2), -1, 3, True)
    offer = Offer(
        (
            Option("deploy", 7, (Part("pay", 0, 1, 2, limits), Part("n", -1, 0, 9)), "x"),
            Option("pass"),
        ),
        ((1, 2, "seat/1"), ()),
    )
    assert wire.offer_of(wire.offer(offer)) == offer
    act = Act("attack", "seat/1", ((3, "seat/0"), ()), "main")
    assert wire.act_of(wire.act(act)) == act


def test_an_act_is_made_from_its_option() -> None:
    option = Option("attack", 3, (), "main")
    assert option.act() == Act("attack", 3, (), "main")
    assert option.act(((4, "seat/0"), ())) == Act("attack", 3, ((4, "seat/0"), ()), "main")
    lists: Any = [[4, "seat/0"], []]
    act = option.act(((4, "seat/0"), ()))
    assert wire.act_of(convert.act(option.act(lists))) == act


ATTACK: Any = Option("attack", 3)
NO_ACTS: list[tuple[Any, str]] = [
    (ATTACK, "an act is an Act, as Option.act() makes it, not Option"),
    (Act(ATTACK), "Act.kind: Expected `str`, got `Option`"),
    (Act("attack", ATTACK), "Act.card: Expected `int | str`, got `Option`"),
    (ATTACK.act((4, 5)), "Act.picks[0]: Expected `array`, got `int`"),
    (ATTACK.act(((), (4, ATTACK))), "Act.picks[1][1]: Expected `int | str`, got `Option`"),
    (Act("attack", 3, (), ATTACK), "Act.effect: Expected `str`, got `Option`"),
]


@pytest.mark.parametrize(("given", "results"), NO_ACTS, ids=[results for _, results in NO_ACTS])
def test_a_malformed_act_is_refused_with_its_field(given: Any, results: str) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(results)}$"):
        convert.act(given)


def test_the_manifest_comes_back() -> None:
    assert wire.manifest_of(wire.manifest_(TOY.manifest)) == TOY.manifest


def test_several_numbers_are_a_fact_of_a_frame_and_no_value() -> None:
    opened = ev.FrameOpened(1, "play", 0, 1, {"there": (4, 7), "none": (), "seat": 1, "up": True})
    entry = Entry(1, 0, 1, 0, RULES, (), opened)
    assert wire.entry_of(wire.entry(entry)) == entry
    with pytest.raises(ValueError, match="no value"):
        wire.value_of(values_pb2.Value(numbers=values_pb2.Numbers(numbers=[1, 2])))
