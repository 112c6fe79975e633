"""The chain and its openings, over golden records: they have every type of event."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

import msgspec
import pytest
from msgspec.structs import asdict, replace

from domain.record.entries import Entry, decode, encode
from domain.record.events import MatchOpened, Stated
from domain.record.proof.chain import Head, chained, genesis, leaf, parts, salt, short, split
from domain.record.proof.openings import Unproven, discloses, openings, proven
from domain.record.values import Sealed
from domain.record.views import OFFICIAL, PUBLIC, SEALED, redact
from tests.golden import DIRECTORIES, logs
from tests.support.marks import each
from tests.unit.record.proof.vectors import disclose

VIEWERS = (OFFICIAL, PUBLIC, 0, 1)
SECRET = bytes(range(32))
LOGS = [
    pytest.param(log, id=f"{directory.name}/{name}")
    for directory in DIRECTORIES
    for name, log in logs(directory).items()
]


def begun(log: list[Entry], match: str = "m") -> Head:
    assert isinstance(log[0].event, MatchOpened)
    return genesis(match, log[0].event)


@pytest.mark.parametrize("log", LOGS)
def test_every_viewers_copy_leads_to_one_head(log: list[Entry]) -> None:
    head = chained(begun(log), log, SECRET)
    assert head.seq == len(log)
    for viewer in VIEWERS:
        copy = [redact(entry, viewer) for entry in log]
        assert proven(begun(log), copy, openings(log, SECRET, viewer), viewer) == head


@pytest.mark.parametrize("log", each(6, LOGS))
def test_no_field_of_a_copy_can_be_changed(log: list[Entry]) -> None:
    for entry in log[:400]:
        for viewer in VIEWERS:
            shown = redact(entry, viewer)
            (opened,) = openings([entry], SECRET, viewer)
            before = Head(entry.seq - 1, b"")
            right = proven(before, [shown], [opened], viewer)
            for wrong in altered(shown):
                try:
                    found = proven(before, [wrong], [opened], viewer)
                except Unproven:
                    continue
                assert found != right, (shown, wrong)


def altered(entry: Entry) -> Iterator[Entry]:
    """An entry with each of its fields changed, one at a time."""
    yield replace(entry, time=entry.time + 1)
    yield replace(entry, moment=entry.moment + 1)
    yield replace(entry, frame=entry.frame + 1)
    yield replace(entry, by=entry.by + 5)
    yield replace(entry, cites=(*entry.cites, "house:x"))
    for name, value in asdict(entry.event).items():
        for other in changed(value):
            yield replace(entry, event=replace(entry.event, **{name: other}))


def changed(value: object) -> Iterator[object]:
    match value:
        case Sealed():
            yield Sealed(2 if value.to != 2 else 1, value.value)
            filled = [Stated(((1, "GD01-001"),))] if value.value is None else []
            yield from (Sealed(value.to, other) for other in [*filled, *changed(value.value)])
        case bool():
            yield not value
        case int():
            yield value + 1
        case str():
            yield value + "x"
        case bytes():
            yield value + b"x"
        case tuple():
            yield (*value, *(value[-1:] or (1,)))
        case dict():
            yield {**value, "x": 1}


def test_a_stored_entry_reads_as_what_was_chained() -> None:
    log = LOGS[0].values[0]
    assert isinstance(log, list)
    head = chained(begun(log), log, SECRET)
    assert chained(begun(log), [decode(encode(entry)) for entry in log], SECRET) == head


def test_a_hash_is_what_the_page_says() -> None:
    log = LOGS[0].values[0]
    assert isinstance(log, list)
    first = begun(log)
    link = sha256(b"\0" + first.hash + leaf(log[0], SECRET)).digest()
    assert chained(first, log[:1], SECRET) == Head(1, link)


def test_the_first_hash_binds_what_the_record_is_of() -> None:
    log = LOGS[0].values[0]
    assert isinstance(log, list)
    assert isinstance(log[0].event, MatchOpened)
    opened = log[0].event
    others = {
        genesis(*given).hash
        for given in (
            ("m", opened),
            ("n", opened),
            ("m", opened, 7),
            ("m", replace(opened, game="other")),
            ("m", replace(opened, engine="other")),
            ("m", replace(opened, digests={**opened.digests, "rules": "0"})),
        )
    }
    assert len(others) == 6


def test_entries_out_of_order_are_not_chained() -> None:
    log = LOGS[0].values[0]
    assert isinstance(log, list)
    with pytest.raises(ValueError, match="entry 2 stands where 1 should"):
        chained(begun(log), log[1:], SECRET)
    copy, shown = log[1:], [*openings(log, SECRET, OFFICIAL)][1:]
    with pytest.raises(Unproven, match="missing"):
        proven(begun(log), copy, shown, OFFICIAL)


def test_a_part_can_be_disclosed_alone() -> None:
    for parameter in LOGS[:4]:
        log = parameter.values[0]
        assert isinstance(log, list)
        for entry in log[:300]:
            (opened,) = openings([entry], SECRET, PUBLIC)
            for part in parts(entry):
                shown = disclose(entry, part.field, SECRET)
                seen = redact(entry, PUBLIC)
                assert discloses(shown, seen, opened, PUBLIC)
                forged = replace(shown, value=msgspec.msgpack.encode("else"))
                assert not discloses(forged, seen, opened, PUBLIC)
    with pytest.raises(KeyError):
        disclose(log[0], 99, SECRET)


def test_an_entry_keeps_no_more_than_its_parts() -> None:
    for parameter in LOGS:
        for entry in parameter.values[0]:
            assert isinstance(entry, Entry)
            hidden = redact(entry, PUBLIC) != entry
            assert not hidden or parts(entry)
            known = {number for number, _ in SEALED[type(entry.event)]}
            assert all(part.field in known or part.field >= 64 for part in parts(entry))
            assert split(entry)[1] == redact(entry, PUBLIC)


def test_salts_differ_by_entry_field_and_secret() -> None:
    made = {
        salt(key, seq, field)
        for key in (SECRET, b"x" * 32)
        for seq in (1, 2, 256)
        for field in (0, 1)
    }
    assert len(made) == 12


def test_the_short_form_is_thirty_digits() -> None:
    assert short(bytes(32)) == "00000 00000 00000 00000 00000 00000"
    assert short((10**30 + 12_345).to_bytes(32)) == "00000 00000 00000 00000 00000 12345"
    assert Head(1, bytes(31) + b"\x07").short.endswith("00007")
