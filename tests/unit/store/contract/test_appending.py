"""Appending: what follows is written whole, by one of those who write it, and nothing else is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier, Event, Thread

import pytest
from msgspec.structs import replace

from domain.engine.passes.autopass import AutoPass
from domain.record.entries import Entry
from domain.record.events import MatchOpened
from service.keeping import archives, retention
from service.keeping.check.store import Tally, check
from service.store import chains
from service.store.commit import Committer
from service.store.derived import listing
from service.store.history import History
from service.store.layout import repacking, training
from service.store.records import (
    Conflict,
    Must,
    Records,
    Statement,
    Unstorable,
    Unwritable,
    Version,
    Work,
)
from service.store.statements import upsert
from service.store.tables import auto_passes, lists, seeds
from tests.support.databases import Place
from tests.support.waiting import PATIENCE
from tests.toy import TOY
from tests.unit.store.records import AT, BY_SERVERS, toy_commands, toy_log

ID = "k7f3q"
#: The highest number of 64 bits.
HIGHEST = 2**63 - 1


def both(place: Place) -> tuple[Records, Records]:
    """Two who write; the second is refused where there is one writer, and tries as that."""
    if place.shared:
        return place.records(), place.records()
    first = place.records()
    with pytest.raises(Unwritable):
        place.records()
    return first, first


def test_of_many_writers_of_the_same_entry_one_succeeds(place: Place) -> None:
    first, second = both(place)
    log = toy_log()
    first.write(Work(ID, log[:8]))
    others = [replace(log[8], time=log[8].time + n) for n in range(6)]
    barrier = Barrier(len(others), timeout=PATIENCE)

    def write(n: int) -> bool:
        barrier.wait()
        try:
            (first, second)[n % 2].write(Work(ID, [others[n]], version=Version(8)))
        except Conflict:
            return False
        return True

    if place.shared:
        with ThreadPoolExecutor(len(others)) as pool:
            won = [n for n, wrote in enumerate(pool.map(write, range(len(others)))) if wrote]
    else:
        barrier = Barrier(1)
        won = [n for n in range(len(others)) if write(n)]
    assert len(won) == 1
    assert second.entries(ID) == [*log[:8], others[won[0]]]
    assert chains.check(second, ID) == chains.head(first, ID)


def test_of_many_who_open_the_same_match_one_does(place: Place) -> None:
    if not place.shared:
        pytest.skip("one writes")
    stores = both(place)
    openings = [toy_commands(seed=n)[0] for n in range(6)]
    barrier = Barrier(len(openings), timeout=PATIENCE)

    def write(n: int) -> bool:
        barrier.wait()
        try:
            stores[n % 2].write(Work(ID, openings[n], listing.derive(ID, openings[n], at=AT)))
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(len(openings)) as pool:
        won = [n for n, wrote in enumerate(pool.map(write, range(len(openings)))) if wrote]
    assert len(won) == 1
    assert stores[0].entries(ID) == openings[won[0]]
    assert chains.check(stores[0], ID) is not None


def test_batches_with_the_same_matches_in_any_order_wait_for_each_other(place: Place) -> None:
    stores = both(place)
    matches = [f"m{n}" for n in range(6)]
    log = toy_log(turns=20)
    stores[0].write(*(Work(match, log[:1]) for match in matches))
    rounds = 8

    def play(n: int) -> int:
        wrote = 0
        for at in range(1, rounds + 1):
            order = matches if (n + at) % 2 else matches[::-1]
            also = [lists.added(f"list {match}", at, ID) for match in order]
            works = [Work(match, [log[at]], also, version=Version(at)) for match in order]
            while stores[0].last(matches[0]) < at:
                continue  # the other is ahead only by what it was told that it has written
            try:
                stores[n].write(*works)
                wrote += 1
            except Conflict:
                pass
            while stores[n].last(matches[0]) <= at:
                continue
        return wrote

    if place.shared:
        with ThreadPoolExecutor(2) as pool:
            wrote = sum(pool.map(play, (0, 1)))
    else:
        wrote = play(0)
    assert wrote == rounds
    assert all(stores[1].entries(match) == log[: rounds + 1] for match in matches)


def test_all_or_nothing_goes_for_what_is_written_with_it(place: Place) -> None:
    records = place.records()
    a, b = toy_commands(seed=1)[0], toy_commands(seed=2)[0]
    records.write(Work("aaaaa", a))
    works = [
        Work("bbbbb", b, [*listing.derive("bbbbb", b, at=AT), seeds.saved("bbbbb", bytes(32))]),
        Work("aaaaa", [a[-1]], [lists.added("some", 1, "x")]),
    ]
    for order in (works, works[::-1]):
        with pytest.raises(Conflict):
            records.write(*order)
    assert records.ids() == ["aaaaa"]
    assert not lists.has(records, "some", 1, "x")
    assert records.row("SELECT id FROM matches WHERE id='bbbbb'") is None
    assert records.row("SELECT id FROM seeds WHERE id='bbbbb'") is None
    assert chains.find(records, "bbbbb") is None


@pytest.mark.parametrize("where", ["alone", "before entries", "in a batch"])
def test_what_must_change_a_row_does_or_nothing_is_saved(place: Place, where: str) -> None:
    records = place.records()
    log = toy_log()
    records.write(Work("", (), [lists.added("some", 1, "x")]))
    there = Must("DELETE FROM lists WHERE list=? AND at=? AND id=?", ("some", 1, "x"))
    absent = Must("DELETE FROM lists WHERE list=? AND at=? AND id=?", ("some", 2, "x"))
    works = {
        "alone": [Work("", (), [there, absent])],
        "before entries": [Work(ID, log[:3], [there, absent])],
        "in a batch": [Work(ID, log[:3], [there]), Work("", (), [absent])],
    }[where]
    with pytest.raises(Conflict):
        records.write(*works)
    assert lists.has(records, "some", 1, "x")
    assert records.last(ID) == 0
    records.write(Work(ID, log[:3], [there]))
    assert not lists.has(records, "some", 1, "x")


def test_a_version_says_how_far_a_match_is_for_others(place: Place) -> None:
    first, second = both(place)
    log = toy_log()
    assert second.version(ID) == Version()
    first.write(Work(ID, log[:5]))
    assert second.version(ID).seq == 5
    if place.shared:
        left = auto_passes.changed(ID, {}, {0: AutoPass(turn=True, steps=("main",))})
        second.write(Work(ID, (), left, version=Version(5), left=True))
        assert first.version(ID) == Version(5, 1)
        for late in (Version(5), Version(4, 1), Version(5, 2)):
            with pytest.raises(Conflict):
                first.write(Work(ID, log[5:6], version=late))
        first.write(Work(ID, log[5:6], version=Version(5, 1)))
        assert second.version(ID) == Version(6, 1)
        with pytest.raises(Conflict):  # there is none to be as far as that
            first.write(Work("other", log[:1], version=Version(0)))


def test_an_entry_of_megabytes_is_an_entry(place: Place) -> None:
    records = place.records()
    log = toy_log()
    opened = log[0].event
    assert isinstance(opened, MatchOpened)
    long = "".join(chr(0x4E00 + n * 7919 % 20_000) for n in range(700_000))
    first = replace(log[0], event=replace(opened, labels={"long": long, "": ""}))
    records.write(Work(ID, [first, *log[1:9]], game="toy"))
    assert records.entries(ID) == [first, *log[1:9]]
    assert chains.check(records, ID) is not None


def test_numbers_are_of_64_bits_and_texts_may_be_empty(place: Place) -> None:
    records = place.records()
    for at, id_ in ((HIGHEST, ""), (-HIGHEST - 1, "z"), (0, "ü\x01'\"\\%?$1")):
        records.write(Work("", (), [lists.added("", at, id_)]))
        assert lists.has(records, "", at, id_)
    before = (HIGHEST, "z")
    assert [at for at, _ in lists.page(records, "", before)] == [HIGHEST, 0, -HIGHEST - 1]
    with pytest.raises(Unstorable):
        records.write(Work("", (), [lists.added("", HIGHEST + 1, "x")]))
    assert len(lists.page(records, "", before)) == 3


def test_lists_are_in_the_order_of_bytes(place: Place) -> None:
    records = place.records()
    ids = ["a", "B", "b", "ä", "Z", "_", "aa", "😀", "\uffff"]
    records.write(Work("", (), [lists.added("some", 7, id_) for id_ in ids]))
    pages = lists.every(records, "some", size=2)
    assert [id_ for page in pages for _, id_ in page] == sorted(ids, key=str.encode, reverse=True)


@pytest.mark.parametrize("text", ["a\x00b", "\udc80"], ids=["NUL", "surrogate"])
def test_what_is_no_text_changes_nothing(place: Place, text: str) -> None:
    records = place.records()
    log = toy_log()
    if text == "a\x00b" and not place.shared:
        pytest.skip("SQLite keeps it")
    with pytest.raises(Unstorable):
        records.write(Work(ID, log[:3], [lists.added(text, 1, "x")]))
    assert records.last(ID) == 0
    records.write(Work(ID, log[:3]))
    assert records.entries(ID) == log[:3]


def test_what_nothing_can_have_is_not_found(place: Place) -> None:
    records = place.records()
    records.write(Work("", (), [lists.added("some", 1, "x")]))
    assert records.row("SELECT id FROM lists WHERE list=?", "some\x00") is None
    with pytest.raises(Unstorable):  # nor is it UTF-8, so nobody who calls can ask for it
        records.row("SELECT id FROM lists WHERE list=?", "\udc80")


def test_a_reader_sees_one_time_while_others_write(place: Place) -> None:
    records = place.records()
    commands = toy_commands(turns=40)
    records.write(Work(ID, commands[0]))
    over = Event()

    def play() -> None:
        try:
            for command in commands[1:]:
                records.write(Work(ID, command))
        finally:
            over.set()

    writer = Thread(target=play)
    writer.start()
    reader = place.records(reading=True)
    while not over.is_set():
        with reader.reading():
            last = reader.last(ID)
            assert len(reader.entries(ID)) == last
            assert chains.check(reader, ID) is not None
            assert reader.last(ID) == last
    writer.join()
    assert chains.check(reader, ID) == chains.head(records, ID)


def test_what_is_repacked_while_others_append_loses_nothing(place: Place) -> None:
    first, second = both(place)
    commands = toy_commands(turns=30)
    for command in commands:
        first.write(Work(ID, command, listing.derive(ID, command, at=AT), "toy"))
    log = [entry for command in commands for entry in command]
    first.write(Work(ID, (), History(first).advance(ID)))
    more = [replace(log[-1], seq=log[-1].seq + n) for n in (1, 2, 3)]
    statements = repacking.repack_statements(first, ID)
    second.write(Work(ID, more[:1]))
    with suppress(Conflict):  # or others were quicker: both are sound
        first.write(Work(ID, (), statements))
    repeated = repacking.repack_statements(first, ID)
    second.write(Work(ID, more[1:]))
    with suppress(Conflict):
        first.write(Work(ID, (), repeated))
    assert second.entries(ID) == [*log, *more]
    assert chains.check(second, ID) == chains.head(first, ID)


@pytest.mark.parametrize("derive", BY_SERVERS)
def test_nothing_of_a_match_that_is_archived_meanwhile_comes_back(
    place: Place, tmp_path: Path, derive: Callable[[Records, str], list[Statement]]
) -> None:
    """By what servers do to a match by themselves."""
    first, second = both(place)
    for command in toy_commands(turns=30):
        first.write(Work(ID, command, listing.derive(ID, command, at=AT), "toy"))
    cup, due = tmp_path / "cup.kifu", derive(first, ID)
    archives.archive(second, cup, [ID])
    retention.take_out(second, cup)
    with pytest.raises(Conflict):
        first.write(Work(ID, (), due))
    assert second.last(ID) == 0
    assert [*check(second, Tally())] == []
    assert retention.bring_back(second, cup) == 1
    assert second.last(ID) > 0
    assert [*check(second, Tally())] == []


def test_servers_that_start_at_once_agree_on_dictionaries(place: Place) -> None:
    stores = both(place)
    data = [training.train(TOY, 20, 2048), training.train(TOY, 30, 2048)]
    barrier = Barrier(2 if place.shared else 1, timeout=PATIENCE)

    def use(n: int) -> None:
        barrier.wait()
        for game in ("toy", "other"):
            stores[n].use_dictionary(game, data[n])
            stores[n].use_dictionary(game, data[1 - n])

    if place.shared:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(use, (0, 1)))
    else:
        use(0)
        use(1)
    log: list[Entry] = toy_log()
    for n, store in enumerate(stores):
        store.write(Work(f"m{n}", log, game="toy"))
    reader = place.records(reading=True)
    assert reader.entries("m0") == reader.entries("m1") == log
    assert reader.row("SELECT count(*) FROM dictionaries")[0] == 4


def test_a_rewritten_row_replaces_the_old_one(place: Place) -> None:
    records = place.records()
    sql = upsert("auto_passes", "id, seat", "id, seat, state")
    for left in (b"1", b"2", b""):
        records.write(Work("", (), [(sql, (ID, 0, left))]))
    assert place.look("SELECT state FROM auto_passes") == [(b"",)]


def test_one_work_that_can_not_be_stored_hinders_no_other(place: Place) -> None:
    records, log = place.records(), toy_log()

    async def go() -> None:
        committer = Committer(records)
        works = [
            Work(f"m{n}", log[:3], [lists.added("\udc80" if n == 1 else "some", 1, f"{n}")])
            for n in range(3)
        ]
        found = await asyncio.gather(*map(committer.submit, works), return_exceptions=True)
        assert [type(one) for one in found] == [tuple, Unstorable, tuple]
        await committer.close()

    asyncio.run(go())
    assert records.ids() == ["m0", "m2"]
