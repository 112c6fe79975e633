"""Backups are as the store was at one time, and what was restored says what it lacks."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep

import pytest

from service.anchors.ledger import Ledger
from service.anchors.publishing import publish
from service.keeping import backup
from service.keeping.check.store import Tally, check
from service.store.derived import listing
from service.store.records import Records, StoreError, Work
from tests.support import stores
from tests.unit.cli.clis import run
from tests.unit.store.records import AT, toy_commands


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stores.filled(tmp_path_factory.mktemp("store") / "matches.kifu")


def test_a_copy_is_as_the_file_was_while_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "PAGES", 1)
    path, begun, stop = tmp_path / "matches.kifu", Event(), Event()
    commands = toy_commands(40, 2)
    written = list[int]()

    def write() -> None:
        with closing(Records(path)) as records:
            for at in range(10_000):
                for command in commands[: 1 + at % 3]:
                    also = listing.derive(f"m{at}", command, at=AT)
                    records.write(Work(f"m{at}", command, also))
                written.append(at)
                if at == 20:
                    begun.set()
                if stop.is_set():
                    return

    def copied(left: int, of: int) -> None:
        """Nobody is kept waiting: the first page is not the last, and matches go on meanwhile."""
        end = monotonic() + 20
        while len(written) < before + 5 and monotonic() < end:
            sleep(0.001)

    thread = Thread(target=write)
    thread.start()
    try:
        begun.wait(20)
        before, copy = len(written), tmp_path / "copy.kifu"
        backup.back_up(path, copy, copied)
        after = len(written)
    finally:
        stop.set()
        thread.join()
    assert after >= before + 5
    with closing(Records(copy, reading=True)) as records:
        ids = {int(match[1:]) for match in records.ids()}
        assert {*range(before)} <= ids
        assert ids == {*range(max(ids) + 1)}
        assert max(ids) < after
        assert list(check(records, Tally())) == []
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.startswith("copy")) == ["copy.kifu"]


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
def test_it_is_its_owners_alone_with_its_keys(whole: Path, tmp_path: Path) -> None:
    copy, mask = tmp_path / "copy.kifu", os.umask(0)
    try:
        output = run("store", "backup", str(whole), str(copy), "--keys").stdout
    finally:
        os.umask(mask)
    assert "4 matches" in output
    assert "example.org/log\n" in output  # the newest checkpoint
    assert (tmp_path / "copy.kifu-log-key").read_bytes() == Path(f"{whole}-log-key").read_bytes()
    assert {one.stat().st_mode & 0o777 for one in tmp_path.iterdir()} == {0o600}
    assert stores.tables(copy) == stores.tables(whole)


def test_nothing_is_written_over_and_nothing_half_is_left(whole: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.kifu"
    copy.write_bytes(b"mine")
    with pytest.raises(StoreError, match="is there already"):
        backup.back_up(whole, copy)
    assert copy.read_bytes() == b"mine"
    other = tmp_path / "other.kifu"
    with pytest.raises(ZeroDivisionError):
        backup.back_up(whole, other, lambda left, of: print(1 / 0))
    (tmp_path / "none.kifu").write_bytes(b"no database")
    with pytest.raises(StoreError):
        backup.back_up(tmp_path / "none.kifu", other)
    assert {one.name for one in tmp_path.iterdir()} == {"copy.kifu", "none.kifu"}


def test_a_damaged_file_is_copied_as_it_is_with_a_warning(whole: Path, tmp_path: Path) -> None:
    source, copy = tmp_path / "damaged.kifu", tmp_path / "copy.kifu"
    backup.back_up(whole, source)
    with closing(sqlite3.connect(source)) as connection:
        connection.execute("UPDATE chains SET hash=zeroblob(32) WHERE id=?", (stores.OVER,))
        connection.commit()
    output = run("store", "backup", str(source), str(copy), code=1).stdout
    assert f"match {stores.OVER}: its entries do not lead to its head" in output
    assert copy.exists()


@pytest.fixture
def restored(whole: Path, tmp_path: Path) -> Iterator[tuple[Path, Path, str]]:
    """A store whose last hour is gone, the files of its log, and the key."""
    now, then, log = tmp_path / "now.kifu", tmp_path / "then.kifu", tmp_path / "log"
    backup.back_up(whole, now)
    with closing(Records(now, reading=True)) as records:
        ledger = Ledger(records)
        ledger.load()
        newest = ledger.last()
        assert newest is not None
        publish(ledger, newest, log)
        key = str(ledger.known_keys()[-1].key)
    backup.back_up(now, then)
    with closing(sqlite3.connect(then)) as connection:
        for table in ("stored_events", "chains"):
            name = "originator_id" if table == "stored_events" else "id"
            connection.execute(f"DELETE FROM {table} WHERE {name}=?", (stores.LIVE,))
        connection.execute(
            "DELETE FROM stored_events WHERE originator_id=? AND originator_version>100",
            (stores.OVER,),
        )
        (last,) = connection.execute(
            "SELECT max(originator_version) FROM stored_events WHERE originator_id=?",
            (stores.OVER,),
        ).fetchone()
        connection.execute("DELETE FROM chains WHERE id=?", (stores.OVER,))
        connection.execute("DELETE FROM checkpoints WHERE number>1")
        connection.execute("DELETE FROM leaves WHERE number>=(SELECT size FROM checkpoints)")
        connection.commit()
    with closing(Records(then)) as records:  # chained as it was then
        records.write(Work(stores.OVER, (), since=0))
    yield then, log, key
    assert last <= 100


def test_a_restored_store_says_what_it_lacks(restored: tuple[Path, Path, str]) -> None:
    then, log, key = restored
    output = run("audit", str(then), "--log", str(log), "--key", key, code=1).stdout
    assert "2 of 6 records are behind the log" in output
    assert f"match {stores.LIVE} has 0 of " in output
    found = {one["subject"]: one["behind"] for one in answer_of(then, log, key)}
    assert found[f"match {stores.OVER}"] > 0
    assert found[f"match {stores.TABLES[0]}"] == 0
    by = run(
        "audit", str(then), stores.TABLES[0], "--key", key, "--checkpoint", str(log / "checkpoint"),
        code=1,
    ).stdout  # fmt: skip
    assert "it was rolled back to" in " ".join(by.split())


def answer_of(then: Path, log: Path, key: str) -> list[dict[str, int]]:
    import json

    args = ("audit", str(then), "--log", str(log), "--key", key, "--json")
    found: list[dict[str, int]] = json.loads(run(*args, code=1).stdout)
    return found
