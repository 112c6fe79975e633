"""The chains of a store: written with the entries, and noticed where those are others."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import pytest
from msgspec.structs import replace

from domain.record.entries import Entry
from domain.record.events import MatchOpened
from domain.record.proof.chain import chained
from domain.record.proof.openings import Unproven, follow
from domain.record.views import OFFICIAL, PUBLIC, redact
from service.store import chains
from service.store.derived import checks
from service.store.layout import packing
from service.store.layout.chaining import ChainBroken
from service.store.records import Conflict, Records, Work
from tests.support.databases import Place
from tests.support.marks import each
from tests.unit.store.chained import ID, begun, chain_of, keep, linked
from tests.unit.store.records import toy_commands, toy_log

VIEWERS = (OFFICIAL, PUBLIC, 0, 1)
Tampering = Callable[[Place, list[Entry]], None]


@pytest.fixture
def records(place: Place) -> Records:
    return place.records()


def test_a_head_is_what_the_entries_lead_to(records: Records) -> None:
    commands = toy_commands(turns=20)
    found = keep(records, commands)
    log = [entry for command in commands for entry in command]
    chain = chain_of(records)
    assert chain.head == chained(begun(log), log, chain.secret)
    assert chains.check(records, ID) == chains.head(records, ID) == chain.head
    assert dict(chains.heads(records)) == {ID: chain.head}
    for seq in (0, 1, 7, len(log) // 2, len(log) - 1):
        there = chained(begun(log), log[:seq], chain.secret)
        assert chains.head(records, ID, seq) == there
        following = chains.heads_of(records, ID, log[seq : seq + 5])
        assert [head.hash for head in following] == found[seq : seq + 5]
        assert chains.heads_of(records, ID, log[seq : seq + 5], there) == following
        assert not seq or found[seq - 1] == there.hash


@pytest.mark.parametrize("viewer", VIEWERS)
def test_every_viewer_proves_his_copy_and_any_part_of_it(records: Records, viewer: int) -> None:
    log = toy_log(turns=12)
    keep(records, [log])
    copy = [redact(entry, viewer) for entry in log]
    whole = chains.proof(records, ID, viewer)
    assert follow(whole, copy, viewer) == chains.head(records, ID)
    first = chains.proof(records, ID, viewer, until=20)
    second = chains.proof(records, ID, viewer, 20, 30)
    assert follow(first, copy[:20], viewer) == second.before
    assert follow(second, copy[20:30], viewer) == chains.head(records, ID, 30)
    with pytest.raises(Unproven):
        follow(replace(whole, match="bbbbb"), copy, viewer)
    with pytest.raises(Unproven):
        follow(whole, copy[:-1], viewer)
    with pytest.raises(Unproven):
        follow(whole, [*copy[:-1], replace(copy[-1], time=copy[-1].time + 1)], viewer)


def test_each_match_has_a_secret_of_its_own(records: Records) -> None:
    log = toy_log()
    for match in ("aaaaa", "bbbbb"):
        keep(records, [log], match)
    one, other = (chain_of(records, match) for match in ("aaaaa", "bbbbb"))
    assert one.secret != other.secret
    assert one.head.hash != other.head.hash


def rewritten(change: Callable[[list[Entry]], list[Entry]]) -> Tampering:
    """A change of the entries by somebody who makes all checksums and listings right."""

    def tamper(place: Place, log: list[Entry]) -> None:
        entries = change(list(log))
        with closing(place.records()) as records:
            compression = records.row_mapper.compression
            rows = [packing.pack(ID, run, compression, 0) for run in packing.runs(entries)]
            records.write(Work("", (), [
                ("DELETE FROM stored_events WHERE originator_id=?", (ID,)),
                *(("INSERT INTO stored_events (originator_id, originator_version, topic, state)"
                   " VALUES (?,?,?,?)", (ID, *row)) for row in rows),
            ]))  # fmt: skip
            for statements in checks.rebuild_statements(records, ID):
                records.write(Work(ID, (), statements))

    return tamper


def statement(sql: str, *values: object) -> Tampering:
    def tamper(place: Place, log: list[Entry]) -> None:
        assert place.change(sql, *values)

    return tamper


def _cited(log: list[Entry]) -> list[Entry]:
    return [*log[:9], replace(log[9], cites=("toy:9",)), *log[10:]]


def _named(log: list[Entry]) -> list[Entry]:
    opened = log[0].event
    assert isinstance(opened, MatchOpened)
    return [replace(log[0], event=replace(opened, seats=("Eve", "Ben"))), *log[1:]]


def _swapped(log: list[Entry]) -> list[Entry]:
    one, other = log[-2], log[-1]
    return [*log[:-2], replace(one, event=other.event), replace(other, event=one.event)]


TAMPERINGS = {
    "a citation": rewritten(_cited),
    "a name": rewritten(_named),
    "events swapped": rewritten(_swapped),
    "the end cut": rewritten(lambda log: log[:-1]),
    "an entry more": rewritten(lambda log: [*log, replace(log[-1], seq=len(log) + 1)]),
    "another match": rewritten(lambda log: toy_log(seed=7)[: len(log)]),
    "another secret": statement("UPDATE chains SET secret=?", bytes(32)),
    "another hash": statement("UPDATE chains SET hash=?", bytes(32)),
    "a hash too short": statement("UPDATE chains SET hash=?", b"\0"),
    "another number": statement("UPDATE chains SET seq=seq-1"),
    "no number": statement("UPDATE chains SET seq=0"),
    "chained since": statement("UPDATE chains SET since=3"),
    "exchanged chains": statement(
        "UPDATE chains SET (secret, hash) = (SELECT secret, hash FROM chains WHERE id='other')"
        " WHERE id='aaaaa'"
    ),
}


@pytest.mark.parametrize("how", each(3, TAMPERINGS))
def test_entries_that_do_not_fit_are_noticed(place: Place, how: str) -> None:
    log = toy_log()
    with closing(place.records()) as records:
        keep(records, [log])
        keep(records, [toy_log(seed=3)], "other")
    TAMPERINGS[how](place, log)
    with closing(place.records()) as records:
        with pytest.raises(ChainBroken, match="do not fit"):
            chains.check(records, ID)
        assert list(checks.rebuild(records))
        with pytest.raises(ChainBroken):  # it is not made to fit
            chains.check(records, ID)


def test_each_bit_of_a_chain_counts(place: Place) -> None:
    with closing(place.records()) as records:
        keep(records, toy_commands(turns=2))
        chain = chain_of(records)
        for name, whole in (("hash", chain.head.hash), ("secret", chain.secret)):
            sql = f"UPDATE chains SET {name}=?"
            for bit in range(0, 256, 29 if place.shared else 7):
                flipped = (int.from_bytes(whole) ^ 1 << bit).to_bytes(32)
                records.write(Work("", (), [(sql, (flipped,))]))
                with pytest.raises(ChainBroken):
                    chains.check(records, ID)
            records.write(Work("", (), [(sql, (whole,))]))
        assert chains.check(records, ID) == chain.head


def test_what_was_compared_is_compared_once(records: Records) -> None:
    commands = toy_commands(turns=20)
    keep(records, commands[:9])
    known = chains.check(records, ID)
    keep(records, commands[9:])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("service.store.chains.genesis", None)
        head = chains.check(records, ID, known)
    assert head == chains.check(records, ID)
    assert head is not None
    assert known is not None
    for wrong in (replace(known, hash=bytes(32)), replace(head, hash=bytes(32))):
        with pytest.raises(ChainBroken):
            chains.check(records, ID, wrong)
    assert chains.check(records, ID, replace(known, hash=bytes(32), since=3)) == head


@pytest.mark.parametrize("how", ["the end cut", "an entry more"])
def test_nothing_is_chained_over_what_was_cut_or_added(place: Place, how: str) -> None:
    log = toy_log()
    with closing(place.records()) as records:
        keep(records, [log])
        keep(records, [toy_log(seed=3)[:9]], "other")
    TAMPERINGS[how](place, log)
    with closing(place.records()) as records:
        last = records.last(ID)
        with pytest.raises(ChainBroken, match=r"ends at entry|were chained"):
            records.write(Work(ID, [replace(log[-1], seq=last + 1)]))
        assert records.last(ID) == last
        links = linked(records, Work("other", [toy_log(seed=3)[9]]))  # others go on
        assert links[-1].seq == 10


def test_a_conflict_is_one_before_it_is_anything_else(records: Records) -> None:
    log = toy_log()
    keep(records, [log])
    was = chains.head(records, ID)
    with pytest.raises(Conflict):
        records.write(Work(ID, [log[-1]]))
    assert chains.check(records, ID) == was


def test_a_record_that_is_written_whole_says_since_when(records: Records) -> None:
    log = toy_log()
    links = linked(records, Work(ID, log, since=len(log)))
    assert links[-1].since == len(log)
    chain = chain_of(records)
    repeated = linked(records, Work(ID, [replace(log[-1], seq=len(log) + 1)], since=len(log)))
    assert chain.secret == chain_of(records).secret  # older heads can still be compared with
    assert chains.check(records, ID) == repeated[-1]
