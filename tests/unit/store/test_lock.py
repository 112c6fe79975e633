"""One process has a file, its owner alone can read it, and whatever is wrong with it is said."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Barrier, Thread

import pytest

from service.server import Server
from service.settings import Settings
from service.store.derived import listing
from service.store.records import Records, StoreError, Unwritable, Work
from service.store.sqlite.lock import FileLock, LockTaken, holder, lock_file
from tests.toy import RULEBOOKS
from tests.unit.cli.clis import run
from tests.unit.store.records import toy_log

LOG = toy_log(turns=40)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A file with a match in it, and nothing beside it."""
    return kept(tmp_path / "matches.kifu")


def kept(path: Path) -> Path:
    records = Records(path)
    records.write(Work("aaaaa", LOG, listing.derive("aaaaa", LOG)))
    records.close()
    return path


def test_a_second_process_learns_who_holds_the_lock(data: Path) -> None:
    first = Records(data)
    first.driver.announce("127.0.0.1:7777")
    link = data.with_name("link.kifu")
    link.symlink_to(data)
    for path in (data, link):
        with pytest.raises(Unwritable, match=rf"process {os.getpid()} .*at 127\.0\.0\.1:7777"):
            Records(path)
    first.close()
    assert not lock_file(data).exists()
    Records(data).close()


def test_a_process_that_was_killed_holds_nothing(data: Path) -> None:
    script = (
        "import os, signal; from service.store.sqlite.lock import FileLock;"
        "from pathlib import Path;"
        f" FileLock(Path({str(data)!r})); os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert subprocess.run([sys.executable, "-c", script]).returncode == -9
    found = holder(data)
    assert found is not None
    assert found.pid != os.getpid()
    Records(data).close()


def test_a_process_that_ends_early_lets_go(data: Path) -> None:
    """An interrupt while the data are opened, before anybody would close them."""
    script = (
        "from service.store.sqlite.lock import FileLock; from pathlib import Path;"
        f" FileLock(Path({str(data)!r})); raise KeyboardInterrupt"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True).returncode != 0
    assert not lock_file(data).exists()


def test_of_many_that_begin_at_once_one_has_it_at_a_time(data: Path) -> None:
    barrier, inside, most = Barrier(8), list[int](), list[int]()

    def once(at: int) -> None:
        barrier.wait()
        for _ in range(20):
            try:
                lock = FileLock(data, patience=5)
            except LockTaken:
                continue
            inside.append(at)
            most.append(len(inside))
            inside.remove(at)
            lock.release()

    threads = [Thread(target=once, args=(at,)) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert (len(most), max(most)) == (160, 1)


def test_what_is_read_meanwhile_is_what_is_there(data: Path) -> None:
    writer, reader = Records(data), Records(data, reading=True)
    assert reader.entries("aaaaa") == LOG
    writer.write(Work("bbbbb", LOG, listing.derive("bbbbb", LOG)))
    assert reader.entries("bbbbb") == LOG
    with pytest.raises(Unwritable, match="only read"):
        reader.write(Work("ccccc", LOG))
    reader.close()
    writer.close()


def test_files_are_their_owners_alone(tmp_path: Path) -> None:
    umask = os.umask(0)
    try:
        (tmp_path / "old.kifu").touch(0o644)
        for name in ("new.kifu", "old.kifu"):
            records = Records(tmp_path / name)
            records.write(Work("aaaaa", LOG))
            modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in tmp_path.glob(f"{name}*")}
            assert set(modes) == {name, f"{name}-wal", f"{name}-shm", f"{name}-lock"}
            assert set(modes.values()) == {0o600}
            records.close()
    finally:
        os.umask(umask)


# -- what may be wrong with a file ----------------------------------------------------------------


WRONG: dict[str, tuple[Callable[[Path], object], str]] = {
    "garbage": (lambda p: p.write_bytes(os.urandom(9000)), "no file of matches"),
    "text": (lambda p: p.write_text("notes, and no matches" * 100), "no file of matches"),
    "cut": (lambda p: os.truncate(p, p.stat().st_size // 2), "it is damaged"),
    "cut short": (lambda p: os.truncate(p, 50), "it is damaged"),
    "a folder": (lambda p: (p.unlink(), p.mkdir()), "directory"),
    "something else": (
        lambda p: (p.unlink(), sqlite3.connect(p).execute("CREATE TABLE x (y)")), "something else"
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_an_unusable_file_is_reported_in_a_sentence(data: Path, what: str) -> None:
    spoil, seen = WRONG[what]
    spoil(data)
    for command in ("serve", "-d", str(data), "-p", "0"), ("verify", "--offline", "-d", str(data)):
        found = run(*command, code=2 if what == "a folder" else 3).stderr
        assert seen in " ".join(found.split())


def test_a_file_that_another_program_has_locked_can_still_be_read(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eventsourcing.sqlite.SQLITE3_DEFAULT_LOCK_TIMEOUT", 0.1)
    monkeypatch.setattr("service.store.records.PATIENCE", 0.2)
    with closing(sqlite3.connect(data)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        found = run("serve", "-d", str(data), "-p", "0", code=3).stderr
        assert "another program has locked it" in " ".join(found.split())
        assert "802 entries" in run("verify", "--offline", "-d", str(data)).stdout


def test_a_damaged_page_is_reported_in_a_sentence(data: Path) -> None:
    whole = bytearray(data.read_bytes())
    whole[4096 * 2 :] = os.urandom(len(whole) - 4096 * 2)
    data.write_bytes(whole)
    found = run("verify", "--offline", "-d", str(data), code=3).stderr
    assert "it is damaged" in " ".join(found.split())


@contextmanager
def nobody() -> Iterator[None]:
    """As somebody whom permissions keep from writing: they keep nothing from root."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.fixture
def readonly() -> Iterator[Path]:
    """A file on a read-only medium, as far as permissions can make one."""
    with tempfile.TemporaryDirectory() as name:
        path = kept(Path(name) / "matches.kifu")
        path.with_name("matches.kifu-key").touch(0o644)
        path.chmod(0o444)
        Path(name).chmod(0o555)
        yield path
        Path(name).chmod(0o755)


def test_a_read_only_file_is_read_and_serving_says_what_is_wrong(readonly: Path) -> None:
    with nobody():
        with pytest.raises(Unwritable, match="can't be written"):
            Server(Settings(data=readonly, rulebooks=RULEBOOKS))
        server = Server(Settings(data=readonly, rulebooks=RULEBOOKS, reading=True))
        assert server.records.entries("aaaaa") == LOG
        with pytest.raises(Unwritable, match="can't be written"):
            server.records.write(Work("bbbbb", LOG))
        server.records.close()
        assert len(list(readonly.parent.iterdir())) == 2  # and its key, which is none


def test_only_the_file_is_read_only(readonly: Path) -> None:
    readonly.parent.chmod(0o777)
    with nobody(), pytest.raises(StoreError, match="read-only"):
        Records(readonly)


def test_damage_without_a_text_of_sqlite_is_reported(data: Path) -> None:
    data.write_bytes(data.read_bytes().replace(b"CREATE TABLE", b"CR\x86ATE TABLE"))
    with pytest.raises(StoreError, match="damaged"):
        Records(data)
