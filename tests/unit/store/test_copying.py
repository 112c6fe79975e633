"""A store is copied whole between files and databases, and never over another's records."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from domain.record.proof.anchors.leaves import Leaf
from domain.record.values import BY_OFFICIAL
from service.anchors import keys
from service.anchors.ledger import Ledger
from service.anchors.publishing import publish
from service.keeping import archives, copying, retention, rows
from service.keeping.check.store import Tally, check
from service.keeping.copying import OtherStore
from service.store import chains
from service.store.derived import listing
from service.store.records import Records, Work
from service.store.schema import KEPT
from tests.support import stores
from tests.support.stores import EVENT, MATCHES, OVER, TABLES
from tests.unit.cli.clis import answer, run
from tests.unit.store.records import AT


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stores.filled(tmp_path_factory.mktemp("store") / "matches.kifu")


@pytest.fixture
def source(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(whole, tmp_path / "source.kifu"))


def opened(where: Path | str, *, reading: bool = True) -> Any:
    return closing(Records(where, reading=reading))


def kept(where: Path | str) -> dict[str, Any]:
    """All that can't be made again, and what lists it."""
    with opened(where) as records:
        found = {table.name: [*rows.read(records, table)] for table in KEPT}
        for name in ("matches", "lists", "rewinds", "superseded", "tiles"):
            with records.rows(f"SELECT * FROM {name}") as some:
                found[name] = [tuple(row) for row in some]
    return {name: sorted(some, key=repr) for name, some in found.items()}


def copied(source: Path | str, target: Path | str, **options: Any) -> copying.Copied:
    with opened(source) as read, opened(target, reading=False) as written:
        return copying.copy(read, written, **options)


def faults(where: Path | str) -> list[object]:
    with opened(where) as records:
        return list(check(records, Tally()))


def stopping(after: int) -> Callable[[int, int], None]:
    def done(n: int, of: int) -> None:
        if n == after:
            raise InterruptedError

    return done


def test_all_of_it_goes_to_another_file(source: Path, tmp_path: Path) -> None:
    before, target = source.read_bytes(), tmp_path / "target.kifu"
    found = answer("store", "copy", str(source), str(target))
    assert (found["copied"], found["there"]) == (len(MATCHES) + 1, 0)
    assert source.read_bytes() == before
    assert kept(target) == kept(source)
    assert faults(target) == []
    assert "5 were there" in run("store", "copy", str(source), str(target)).stdout


def test_it_goes_to_postgresql_and_back(source: Path, tmp_path: Path, postgres_url: str) -> None:
    with pytest.raises(InterruptedError):
        copied(source, postgres_url, done=stopping(3))
    assert copied(source, postgres_url).there == 3
    assert kept(postgres_url) == kept(source)
    assert faults(postgres_url) == []
    back = tmp_path / "back.kifu"
    assert copied(postgres_url, back).copied == len(MATCHES) + 1
    assert kept(back) == kept(source)
    assert faults(back) == []


def test_what_is_missing_on_lists_is_there_in_the_copy(source: Path, tmp_path: Path) -> None:
    """A token that was revoked would be good again; a database is mended only so."""
    with closing(sqlite3.connect(source)) as connection:
        connection.execute("DELETE FROM lists")
        connection.commit()
    assert faults(source)
    copied(source, tmp_path / "copy.kifu")
    assert faults(tmp_path / "copy.kifu") == []


@pytest.mark.parametrize("after", [1, 3])
def test_what_broke_off_goes_on(source: Path, tmp_path: Path, after: int) -> None:
    target = tmp_path / "target.kifu"
    with pytest.raises(InterruptedError):
        copied(source, target, done=stopping(after))
    found = copied(source, target)
    assert (found.copied, found.there) == (len(MATCHES) + 1 - after, after)
    assert kept(target) == kept(source)
    assert faults(target) == []


def test_a_source_in_use_is_read_as_it_is_at_one_time(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "target.kifu"
    before = kept(source)
    with opened(source, reading=False) as server:
        last = server.entries(OVER)[-1]

        def played(n: int, of: int) -> None:
            entry = replace(last, seq=last.seq + n, by=BY_OFFICIAL)
            server.write(Work(OVER, [entry]))

        copied(source, target, done=played)
        assert kept(target) == before
        found = copied(source, target)  # which takes over what was added, and no more
        assert (found.copied, found.there) == (1, len(MATCHES))
        assert chains.head(server, OVER).seq == last.seq + len(MATCHES) + 1
    assert kept(target)["stored_events"] == kept(source)["stored_events"]


DAMAGE = {
    "another match": "UPDATE chains SET hash=zeroblob(32) WHERE id='k7f3q'",
    "another secret": "UPDATE chains SET secret=zeroblob(32) WHERE id='k7f3q'",
    "another event": "UPDATE tournament_entries SET topic='9' WHERE originator_version=3",
    "another log": "UPDATE leaves SET head=zeroblob(32) WHERE number=5",
    "other looks": "UPDATE access SET hash=zeroblob(32) WHERE n=1",
}


@pytest.mark.parametrize("what", DAMAGE)
def test_nothing_is_written_over_others(source: Path, tmp_path: Path, what: str) -> None:
    target = tmp_path / "target.kifu"
    shutil.copy(source, target)
    with closing(sqlite3.connect(target)) as connection:
        assert connection.execute(DAMAGE[what]).rowcount
        connection.execute("DELETE FROM chains WHERE id='m2x9p'")
        connection.execute("DELETE FROM stored_events WHERE originator_id='m2x9p'")
        connection.commit()
    before = kept(target)
    with pytest.raises(OtherStore, match="nothing was copied"):
        copied(source, target)
    assert kept(target) == before


def test_a_match_with_more_entries_is_not_cut(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "target.kifu"
    shutil.copy(source, target)
    with opened(target, reading=False) as records:
        last = records.entries(OVER)[-1]
        records.write(Work(OVER, [replace(last, seq=last.seq + 1, by=BY_OFFICIAL)]))
    with pytest.raises(OtherStore, match=f"match {OVER}"):
        copied(source, target)


def test_what_was_archived_in_the_target_is_not_copied_over(source: Path, tmp_path: Path) -> None:
    target, cup = tmp_path / "target.kifu", tmp_path / "cup.kifu"
    copied(source, target)
    with opened(target) as records:
        archives.archive(records, cup, [EVENT])
    with opened(target, reading=False) as records:
        retention.take_out(records, cup)
    with pytest.raises(OtherStore, match=f"match {TABLES[0]}"):
        copied(source, target)


def test_an_address_in_a_file_is_taken_by_whatever_takes_an_address(
    source: Path, tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As servers in containers have it, and `KIFU_STORE` there, which these commands read."""
    monkeypatch.chdir(tmp_path)
    Path("store").write_text(f"{postgres_url}\n")
    run("store", "copy", str(source), "@store")
    assert answer("store", "check", "@store")["faults"] == []
    monkeypatch.setenv("KIFU_STORE", "@store")
    run("event", "archive", EVENT, "cup.kifu", "--remove", "--yes")
    assert "3 records are in postgresql://127" in run("event", "restore", "cup.kifu").output
    run("store", "copy", "@store", "back.kifu")
    assert kept(tmp_path / "back.kifu") == kept(source)
    run("audit", "@store", code=3)
    Path("store").write_text("cup.kifu")
    printed = run("store", "copy", str(source), "@store", code=2).stderr
    assert "store does not contain the address of a database" in printed
    assert {one.name for one in tmp_path.iterdir()} >= {"store", "cup.kifu", "back.kifu"}
    assert not Path("@store").exists()


def test_concurrent_restores_fail_and_can_be_retried(
    source: Path, tmp_path: Path, postgres_url: str
) -> None:
    copied(source, postgres_url)
    cup, before = tmp_path / "cup.kifu", kept(postgres_url)
    run("event", "archive", EVENT, str(cup), "--store", postgres_url, "--remove", "--yes")
    find, others = retention._is_there, [True]

    def found(*given: Any) -> bool:
        """Whether it is there; then it is, since the other one was quicker."""
        there = find(*given)
        if others:
            others.pop()
            with opened(postgres_url, reading=False) as records:
                assert retention.bring_back(records, cup) == 3
        return there

    with patch.object(retention, "_is_there", found):
        printed = run("event", "restore", str(cup), "--store", postgres_url, code=1).stderr
    assert "at the same time: begin again" in printed
    assert kept(postgres_url) == before
    assert answer("event", "restore", str(cup), "--store", postgres_url)["restored"] == 0


def test_a_database_is_dumped_restored_and_audited(
    whole: Path, source: Path, tmp_path: Path, postgres_server: Any
) -> None:
    """As BACKUP.md says it, with PostgreSQL's own programs."""
    whole_key = keys.key_file(whole)
    url, back = postgres_server.database(), postgres_server.database(empty=True)
    copied(source, url)
    dump, log = tmp_path / "kifu.dump", tmp_path / "log"
    with opened(url, reading=False) as records:
        last = records.entries(OVER)[-1]
        ledger = Ledger(records, keys.read(whole_key))
        for at, made in ((1, dump), (2, None)):  # an entry before the dump, and one after it
            entry = replace(last, seq=last.seq + at, by=BY_OFFICIAL)
            records.write(Work(OVER, [entry], listing.derive(OVER, [entry], at=AT)))
            ledger.load()
            grown = ledger.grow([Leaf(OVER, chains.head(records, OVER))])
            records.write(Work("", (), grown.statements))
            ledger.take(grown)
            if made is not None:
                pg(
                    postgres_server,
                    "pg_dump",
                    "--format=custom",
                    "--no-owner",
                    f"--file={made}",
                    url,
                )
        newest = ledger.last()
        assert newest is not None
        publish(ledger, newest, log)
        key = str(ledger.known_keys()[-1].key)
    pg(
        postgres_server,
        "pg_restore",
        "--no-owner",
        "--exit-on-error",
        f"--dbname={back}",
        str(dump),
    )
    assert faults(back) == []
    printed = run("audit", back, "--log", str(log), "--key", key, code=1).stdout
    assert "1 of 6 records are behind the log, by 1 entries in all" in printed
    assert f"match {OVER} has {last.seq + 1:,} of {last.seq + 2:,} entries" in printed


def pg(server: Any, program: str, *arguments: str) -> None:
    subprocess.run([server.program(program), *arguments], check=True, capture_output=True)
