"""Whoever reads a match while its file is written sees it as it was, or as it is: never in between.

Something is written (the match opened, played on, ended, repacked, its snapshots made) after each
statement of each way of reading in turn; and a program that writes is killed before each statement.
"""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from math import inf
from pathlib import Path
from threading import get_ident
from typing import Any

import pytest
from kifu.v1 import match_service_pb2 as pb

from domain.record.entries import Entry
from domain.record.events import DecisionOpened
from domain.record.points import NoSuchPoint, Point
from domain.record.views import OFFICIAL
from service.api.calls.pages import Pages
from service.api.reading import Reading
from service.identity import Identity, Role
from service.live.matches import Matches
from service.store import history
from service.store.derived import checks, listing
from service.store.derived.searching import search
from service.store.history import History
from service.store.layout import repacking
from service.store.records import NoSuchMatch, Records, Work
from tests.support.marks import each, only
from tests.toy import RULEBOOKS
from tests.unit.cli.clis import run
from tests.unit.store.records import AT, REWINDS, toy_log, undone_commands

ID = "k7f3q"
COMMANDS = undone_commands(24, 5, REWINDS)
LOG = [entry for command in COMMANDS for entry in command]
#: How many decisions there are, once so many commands were carried out as `WRITTEN` has it.
DECISIONS, SOME = (
    sum(isinstance(entry.event, DecisionOpened) for command in commands for entry in command)
    for commands in (COMMANDS, COMMANDS[:30])
)
MIDDLE = LOG[len(LOG) // 2].time


def play(records: Records, first: int, last: int) -> None:
    """Write some of the commands."""
    for command in COMMANDS[first:last]:
        records.write(Work(ID, command, listing.derive(ID, command, at=AT)))


def snapshots(records: Records) -> None:
    records.write(Work(ID, (), History(records).advance(ID)))


def repack(records: Records) -> None:
    records.write(Work(ID, (), repacking.repack_statements(records, ID)))


#: What is written meanwhile: how many commands there are by then, whether with snapshots, and what
#: follows.
WRITTEN: dict[str, tuple[int, bool, Callable[[Records], None]]] = {
    "opened": (0, False, lambda records: play(records, 0, 1)),
    "played": (30, True, lambda records: play(records, 30, 31)),
    "undone": (30, True, lambda records: play(records, 30, 60)),
    "snapshots": (len(COMMANDS), False, snapshots),
    "ended": (len(COMMANDS) - 1, True, lambda records: play(records, len(COMMANDS) - 1, None)),
    "repacked": (len(COMMANDS), True, repack),
}
#: Ways of reading.
READ: dict[str, Callable[[Records], Any]] = {
    "faults": lambda records: checks.faults(records, ID),
    "audit": lambda records: History(records).audit(ID),
    "find": lambda records: listing.find(records, ID),
    "search": lambda records: [one.id for one in search(records).matches],
    "resting": lambda records: History(records).resting(ID),
    "position": lambda records: History(records).position(ID, OFFICIAL),
    "decision": lambda records: History(records).position(ID, 0, Point(decision=9)),
    "decisions": lambda records: History(records).decisions(ID, OFFICIAL, 5, 40),
    "time": lambda records: History(records).until(ID, MIDDLE),
    "entries": lambda records: records.entries(ID),
    **{
        f"decision {n}": lambda records, n=n: History(records).first(ID, Point(decision=n))
        for n in (SOME, SOME + 1, SOME + 2, DECISIONS, DECISIONS + 1)
    },
}


def answer(read: Callable[[Records], Any], records: Records) -> Any:
    """What is read, or why there is nothing."""
    try:
        return read(records)
    except (NoSuchMatch, NoSuchPoint) as error:
        return repr(error)


def prepared(path: Path, commands: int, kept: bool) -> None:
    """A file with some of the match."""
    with closing(Records(path)) as records:
        other = toy_log(2)
        records.write(Work("other", other, listing.derive("other", other)))
        play(records, 0, commands)
        if kept:
            snapshots(records)


@contextmanager
def interrupted(records: Records, at: int, write: Callable[[], None]) -> Iterator[list[int]]:
    """After statement `at` that this thread reads by, `write`; how many there were."""
    done, rows, mine = [0], records.rows, get_ident()

    @contextmanager
    def counted(sql: str, *parameters: Any) -> Iterator[Any]:
        with rows(sql, *parameters) as found:
            yield found
        done[0] += get_ident() == mine
        if done[0] == at and get_ident() == mine:
            write()

    records.rows = counted  # type: ignore[method-assign]
    try:
        yield done
    finally:
        records.rows = rows  # type: ignore[method-assign]


@pytest.mark.parametrize("step", each(2, (1500, 4)))
@pytest.mark.parametrize("what", only(["repacked"], WRITTEN))
def test_what_is_read_was_so_at_one_time(
    what: str, step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first three statements, the later ones every `step`."""
    monkeypatch.setattr(history, "EVERY", 40)
    commands, kept, write = WRITTEN[what]
    start, path = tmp_path / "start.kifu", tmp_path / "matches.kifu"
    prepared(start, commands, kept)
    for name, read in READ.items():
        at, reached = 0, True
        while reached:
            at += 1 if at < 3 else step
            shutil.copy(start, path)
            with closing(Records(path)) as writer, closing(Records(path, reading=True)) as reader:
                before = answer(read, writer)
                with interrupted(reader, at, lambda writer=writer: write(writer)) as done:  # type: ignore[misc]
                    found = answer(read, reader)
                reached = done[0] >= at
                assert not reader.damaged, f"{name}, {what} after statement {at}"
                if reached:
                    after = answer(read, writer)
                    assert found in (before, after), f"{name}, {what} after statement {at}"
        assert at > 1


@pytest.mark.parametrize("at", [8, 15, 16])
async def test_who_verifies_while_it_is_repacked_finds_nothing(
    at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the server, which repacks a match by itself a moment after its end."""
    monkeypatch.setattr(history, "EVERY", 40)
    path = tmp_path / "matches.kifu"
    prepared(path, len(COMMANDS), True)
    records = Records(path)
    matches = Matches(records, RULEBOOKS)
    waits = f"SELECT 1 FROM lists WHERE list='{listing.UNPACKED}' AND id=?"
    matches.upkeep.last_command = inf  # it is not quiet enough yet

    def repacked() -> None:
        matches.upkeep.last_command = 0
        with closing(sqlite3.connect(path)) as looking:
            while looking.execute(waits, (ID,)).fetchone():
                time.sleep(0.01)

    def faults(*asked: Any) -> list[str]:
        with interrupted(records, at, repacked) as done:
            found = judged(*asked)
        assert done[0] > at
        return found

    judged = checks.faults
    monkeypatch.setattr(checks, "faults", faults)
    request = pb.VerifyMatchRequest(match_id=ID)
    verify = Reading(matches, Pages(b"k" * 32)).verify_match
    found = await verify(request, Identity(Role.ORGANISER, "organiser"))
    await matches.close()
    assert (found.verdict, [*found.derived]) == (pb.VERDICT_EXACT, [])
    assert not records.damaged
    records.close()


def sound(path: Path, log: list[Entry]) -> None:
    """The file reads as it should, both where it lies and once somebody has written to it."""
    with closing(Records(path, reading=True)) as records:
        assert records.entries(ID) == log
        assert checks.faults(records, ID) == []
    with closing(Records(path)) as records:
        snapshots(records)
        repack(records)
        assert records.entries(ID) == log
        assert checks.faults(records, ID) == []
        assert (repacking.to_repack(records), records.damaged) == (["other"], set())


@pytest.mark.parametrize("what", each(2, ["repacked", "snapshots"]))
def test_who_is_killed_before_any_statement_leaves_a_sound_file(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lies on the disk before each statement is what a kill would leave there."""
    monkeypatch.setattr(history, "EVERY", 40)
    path, left = tmp_path / "matches.kifu", list[Path]()
    commands, kept, write = WRITTEN[what]
    prepared(path, commands, kept)

    def keep(statement: str) -> None:
        left.append(tmp_path / f"left-{len(left)}.kifu")
        for end in ("", "-wal"):
            if (file := Path(f"{path}{end}")).exists():
                shutil.copy(file, f"{left[-1]}{end}")

    with closing(Records(path)) as records:
        writer = records.driver.recorder.writer
        writer.execute("PRAGMA cache_size=2")  # so that much of it is written before the commit
        writer.set_trace_callback(keep)
        write(records)
        writer.set_trace_callback(None)
    assert len(left) > 8
    for one in [*left[:-3:24], *left[-3:]]:
        sound(one, LOG)


KILLED = """
import os, signal, sys
from pathlib import Path
from service.store import history
from service.store.records import Records
from tests.unit.store import test_meanwhile as own

history.EVERY = 40
left = int(sys.argv[3])

def count(statement):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)

records = Records(Path(sys.argv[1]))
writer = records.driver.recorder.writer
writer.execute("PRAGMA cache_size=2")
writer.set_trace_callback(count)
own.WRITTEN[sys.argv[2]][2](records)
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="nobody is killed so there")
@pytest.mark.parametrize("what", ["snapshots", "repacked"])
def test_a_file_whose_server_was_killed_is_verified(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "EVERY", 40)
    start, path, at = tmp_path / "start.kifu", tmp_path / "matches.kifu", 0
    commands, kept, _ = WRITTEN[what]
    prepared(start, commands, kept)
    code = -signal.SIGKILL
    while code == -signal.SIGKILL:
        at += 3  # of the writes every third: each takes a process, and a second one
        for end in ("-wal", "-shm", "-lock"):
            Path(f"{path}{end}").unlink(missing_ok=True)
        shutil.copy(start, path)
        code = subprocess.run([sys.executable, "-c", KILLED, path, what, str(at)]).returncode
        found = run("verify", "--offline", "-d", path)
        assert "but its" not in found.stdout
        assert "damaged" not in found.stderr
        sound(path, LOG)
    assert (code, at > 8) == (0, True)
