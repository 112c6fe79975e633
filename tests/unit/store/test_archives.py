"""An archive holds an event completely, proves it, leaves the store, and comes back as it was."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from domain.record.events import MatchOpened
from domain.record.proof import bundle
from domain.record.proof.anchors.notes import VerifierKey
from domain.record.values import BY_OFFICIAL
from domain.record.views import OFFICIAL, PUBLIC, redact
from domain.tournament.acts import results, rounds
from domain.tournament.record import Entry, Format, ListHandedIn, Outcome
from service.anchors.ledger import Ledger
from service.client import files
from service.keeping import archives, retention
from service.keeping.archives import NotOver
from service.keeping.check.store import Tally, check
from service.keeping.retention import OtherRecord
from service.store import chains
from service.store.derived import listing
from service.store.layout.chaining import ChainBroken
from service.store.records import Records, StoreError, Unwritable, Work
from service.store.schema import KEPT
from service.store.tables import archived
from service.store.tables.archived import InArchive
from service.store.tables.tournaments import Tournaments
from tests.support import stores
from tests.support.stores import EVENT, LIVE, OVER, TABLES
from tests.support.tournaments import WON, by, opened, playing
from tests.unit.cli.clis import answer, run
from tests.unit.store.records import AT, toy_commands, toy_log

ALL = [EVENT, *TABLES]
NAMED = {table.name: table for table in KEPT}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stores.filled(tmp_path_factory.mktemp("store") / "matches.kifu")


@pytest.fixture(scope="module")
def cup(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return archive(whole, tmp_path_factory.mktemp("archive") / "cup.kifu")


@pytest.fixture
def store(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(whole, tmp_path / "matches.kifu"))


def archive(path: Path, target: Path, *ids: str, viewer: int = OFFICIAL) -> Path:
    with closing(Records(path, reading=True)) as records:
        archives.archive(records, target, ids or [EVENT], viewer)
    return target


def key_of(path: Path) -> VerifierKey:
    with closing(Records(path, reading=True)) as records:
        return Ledger(records).known_keys()[-1].key


def faults(path: Path) -> list[object]:
    with closing(Records(path, reading=True)) as records:
        return list(check(records, Tally()))


def kept(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """All that can't be made again."""
    found = stores.tables(path)
    seeds = [(row[0], row[-1]) for row in found["matches"]]
    return {**{name: found.get(name, []) for name in NAMED}, "seeds of matches": seeds}


def test_it_is_a_file_of_matches_that_is_read_and_not_written(whole: Path, cup: Path) -> None:
    assert faults(cup) == []
    with closing(Records(whole, reading=True)) as records:
        for match in TABLES:
            assert files.read(cup, match) == records.entries(match)
    rows, own = stores.tables(cup), stores.tables(whole)
    for name in ("stored_events", "chains", "tournament_entries", "dictionaries"):
        assert {*rows[name]} <= {*own[name]}
    assert {row[0] for row in rows["chains"]} == {*TABLES, f"event {EVENT}"}
    assert not any(rows[name] for name in ("tokens", "codes", "access"))
    with pytest.raises(Unwritable, match="kifu event restore"):
        Records(cup)
    assert [one.name for one in cup.parent.iterdir()] == ["cup.kifu"]
    assert cup.stat().st_mode & 0o077 == 0


def test_an_auditor_needs_nothing_but_the_key(whole: Path, cup: Path) -> None:
    for at, viewer in enumerate((OFFICIAL, PUBLIC)):
        path = cup if viewer == OFFICIAL else archive(whole, cup.with_name("public"), viewer=viewer)
        reports = run("audit", str(path), "--key", str(key_of(whole)), "--json", code=3).stdout
        for report in msgspec.json.decode(reports):
            claims = {claim["name"]: claim["verdict"] for claim in report["claims"]}
            assert claims["unchanged"] == claims["complete"] == "proven"
        printed = run("verify", str(path)).stdout
        assert printed.count("head ") == 2
        assert at or "2 matches and 1 event" in printed
    path.unlink()


def test_the_public_gets_no_secret_and_proves_the_same(whole: Path, tmp_path: Path) -> None:
    path = archive(whole, tmp_path / "public.kifu", viewer=PUBLIC)
    assert faults(path) == []
    with (
        closing(Records(path, reading=True)) as records,
        closing(Records(whole, reading=True)) as own,
    ):
        data = path.read_bytes()
        for match in TABLES:
            chain, copy = chains.find(own, match), archived.proven(records, match)
            assert chain is not None
            assert copy is not None
            assert chain.secret not in data
            assert bundle.check(copy)[-1] == chain.head
            assert copy.entries == [redact(entry, PUBLIC) for entry in own.entries(match)]
        with records.rows("SELECT entry FROM public_entries ORDER BY seq") as found:
            log = [msgspec.msgpack.decode(row[0], type=Entry) for row in found]
        assert len(log) == len(Tournaments(own).log(EVENT)[0])
    handed = [one.event for one in log if isinstance(one.event, ListHandedIn)]
    assert handed
    assert not any(event.deck.parts for event in handed)
    assert all(row[-1] is None for row in stores.tables(path)["matches"])  # no seed
    assert not stores.tables(path)["chains"]
    with pytest.raises(StoreError, match="the public's"):
        retention.whole(path)


def test_what_is_taken_out_is_brought_back_as_it_was(store: Path, cup: Path) -> None:
    before = kept(store)
    with closing(Records(store)) as records:
        assert retention.take_out(records, cup) == 3
        assert retention.take_out(records, cup) == 0
        assert {*records.ids()} == {OVER, LIVE}
        assert not Tournaments(records).has(EVENT)
        assert chains.gone(records) == []
        log = toy_log()
        with pytest.raises(ChainBroken):
            records.write(Work(TABLES[0], log))
        with pytest.raises(InArchive):
            listing.find(records, TABLES[0])
        assert archived.find(records, EVENT) is not None
    assert faults(store) == []
    smaller = stores.tables(store)
    assert smaller["chains"] == before["chains"]
    assert not [row for name in ("matches", "lists", "snapshots", "superseded")
                for row in smaller[name] if {*TABLES} & {*row}]  # fmt: skip
    printed = run("audit", str(store), TABLES[0], code=3).stdout
    assert "archived on" in printed
    assert "gone" not in printed
    with closing(Records(store)) as records:
        assert retention.bring_back(records, cup) == 3
        assert retention.bring_back(records, cup) == 0
    assert kept(store) == before
    assert faults(store) == []


def stopping(after: int) -> Callable[[int, int], None]:
    def done(n: int, of: int) -> None:
        if n == after:
            raise InterruptedError

    return done


@pytest.mark.parametrize("after", [1, 2])
def test_what_was_broken_off_is_gone_on_with(store: Path, cup: Path, after: int) -> None:
    before = kept(store)
    for step, count in ((retention.take_out, 3), (retention.bring_back, 3)):
        with closing(Records(store)) as records:
            with pytest.raises(InterruptedError):
                step(records, cup, stopping(after))
            assert faults(store) == []
            assert step(records, cup) == count - after
    assert kept(store) == before


def test_a_match_that_went_on_stays(store: Path, cup: Path) -> None:
    with closing(Records(store)) as records:
        last = records.entries(TABLES[1])[-1]
        more = msgspec.structs.replace(last, seq=last.seq + 1, by=BY_OFFICIAL)
        records.write(Work(TABLES[1], [more]))
        before = kept(store)
        with pytest.raises(OtherRecord, match="nothing was removed"):
            retention.take_out(records, cup)
        with pytest.raises(OtherRecord, match="or more of it"):
            retention.bring_back(records, cup)
    assert kept(store) == before


def test_it_comes_to_another_store_with_other_dictionaries(
    whole: Path, cup: Path, tmp_path: Path
) -> None:
    path = tmp_path / "other.kifu"
    with closing(Records(path)) as records:
        records.use_dictionary("yugioh")  # which takes number 1
        retention.bring_back(records, cup)
        with closing(Records(whole, reading=True)) as own:
            for match in TABLES:
                assert records.entries(match) == own.entries(match)
                assert chains.find(records, match) == chains.find(own, match)
            assert Tournaments(records).log(EVENT) == Tournaments(own).log(EVENT)
    assert faults(path) == []
    numbers = {state[4] for *_, state in stores.tables(path)["stored_events"]}
    assert numbers == {2}


def test_only_what_is_over_is_archived(whole: Path, tmp_path: Path) -> None:
    for ids, wrong in (([LIVE], "not over"), (["none"], "no event and no match")):
        with pytest.raises(StoreError, match=wrong):
            archive(whole, tmp_path / "x.kifu", *ids)
    assert issubclass(NotOver, StoreError)
    path = archive(whole, tmp_path / "one.kifu", OVER)
    with closing(Records(path, reading=True)) as records:
        assert records.ids() == [OVER]
    assert {one.name for one in tmp_path.iterdir()} == {"one.kifu"}


def test_a_match_that_was_never_begun_goes_with_its_event(store: Path, tmp_path: Path) -> None:
    """As those do whose results were entered by hand."""
    never, first = f"{EVENT}.r1.t99", toy_log()[0]
    assert isinstance(first.event, MatchOpened)
    waiting = replace(first, event=replace(first.event, waits="the round"))
    with closing(Records(store)) as records:
        records.write(Work(never, [waiting], listing.derive(never, [waiting]), "toy"))
    with pytest.raises(NotOver, match="t99"):
        archive(store, tmp_path / "one.kifu", never)
    found = archive(store, tmp_path / "all.kifu")
    assert {row[0] for row in stores.tables(found)["chains"]} == {*TABLES, never, f"event {EVENT}"}
    assert faults(found) == []


def test_a_match_that_nobody_ended_goes_with_its_event(tmp_path: Path) -> None:
    """Where its result was entered by hand: nothing depends on what it might come to."""
    path, entries = (
        tmp_path / "matches.kifu",
        [one for some in toy_commands(6, 3)[:4] for one in some],
    )
    with closing(Records(path)) as records:
        for match in TABLES:
            records.write(Work(match, entries, listing.derive(match, entries, at=AT), "toy"))
        t = playing(opened(Format("toy")), (1, 2), (3, 4))
        results.report(t, by(), 1, 1, WON)
        results.report(t, by(), 1, 2, Outcome(0, 1, 0, 4), seq=9)  # its match says so
        rounds.end(t, by())
        rounds.finish(t, by())
        events = Tournaments(records)
        statements, head = events.saved(EVENT, t.collect())
        records.write(Work("", (), statements))
        with pytest.raises(NotOver, match=rf"match {TABLES[1]}$"):
            archives.archive(records, tmp_path / "x.kifu", [EVENT])
        results.correct(t, by(), 1, 2, Outcome(1, 0, 0, 3), "as the players say")
        statements, _ = events.saved(EVENT, t.collect(), head)
        records.write(Work("", (), statements))
    for viewer in (PUBLIC, OFFICIAL):
        cup = archive(path, tmp_path / f"{viewer}.kifu", viewer=viewer)
        assert faults(cup) == []
    before = kept(path)
    with closing(Records(path)) as records:
        retention.take_out(records, cup)
        assert records.ids() == []
        retention.bring_back(records, cup)
        assert listing.find(records, TABLES[0]).state == listing.LIVE
        assert records.entries(TABLES[0]) == entries
    assert kept(path) == before
    assert faults(path) == []


def test_an_archive_is_neither_archived_nor_copied(cup: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is an archive"):
        archive(cup, tmp_path / "x.kifu")
    printed = run("store", "copy", str(cup), str(tmp_path / "y.kifu"), code=3).output
    assert "kifu event restore" in printed


def test_a_damaged_record_is_not_archived(store: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("UPDATE chains SET hash=zeroblob(32) WHERE id=?", (TABLES[1],))
        connection.commit()
    with pytest.raises(StoreError, match="is not archived"):
        archive(store, tmp_path / "x.kifu")
    assert not (tmp_path / "x.kifu").exists()


def changes(path: Path) -> Iterator[tuple[str, str, tuple[object, ...]]]:
    """What may become of an archive: a byte of a value of what it holds, in each column."""
    rng = Random(1)
    for table in ("stored_events", "chains", "tournament_entries", "archived", "log_keys"):
        for row in stores.tables(path)[table][:1]:
            for name, value in zip(NAMED[table].columns, row, strict=False):
                if isinstance(value, bytes) and value:
                    place = rng.randrange(len(value))
                    new = value[:place] + bytes([value[place] ^ 4]) + value[place + 1 :]
                    yield table, f"{name}=?", (new,)
                elif name not in ("number", "at", "size", "time", "endorsed", "viewer"):
                    yield table, f"{name}=?", (f"{value}x" if isinstance(value, str) else 10_000,)


def test_nothing_is_removed_for_a_damaged_archive(store: Path, cup: Path, tmp_path: Path) -> None:
    before, tried = kept(store), 0
    with closing(Records(store)) as records:
        for table, change, values in changes(cup):
            path = Path(shutil.copy(cup, tmp_path / f"{tried}.kifu"))
            with closing(sqlite3.connect(path)) as connection:
                key = NAMED[table].key[0]
                where = f"{key}=(SELECT min({key}) FROM {table})"
                connection.execute(f"UPDATE OR IGNORE {table} SET {change} WHERE {where}", values)
                connection.commit()
            try:
                retention.take_out(records, path)
            except StoreError:
                tried += 1
            else:
                raise AssertionError((table, change, values))
    assert tried > 15
    assert kept(store) == before


def test_the_command_line_asks_and_goes_on(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "cup.kifu"
    line = ("event", "archive", EVENT, str(path), "-d", str(store))
    assert answer(*line)["matches"] == 2
    assert "is there already" in run(*line, code=3).output
    refused = run(*line, "--remove", code=1)
    assert "nobody can be asked" in refused.output
    run(*line, "--remove", stdin="n\n", code=1)
    assert faults(store) == []
    run("event", "archive", OVER, str(path), "-d", str(store), "--remove", "-y", code=1)
    run(*line, "--remove", "--as", "public", code=2)
    assert answer(*line, "--remove", "-y")["removed"] == 3
    assert answer("event", "restore", str(path), "-d", str(store))["restored"] == 3
