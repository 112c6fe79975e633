"""What any process of the program leaves behind: no traceback, no file, nobody else's code."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from replay_cli import process
from replay_cli.reaching import hosting
from service.store.derived import listing
from service.store.records import Records, Work
from tests.support.marks import each
from tests.support.waiting import until
from tests.unit.cli.clis import log, run

KIFU = [sys.executable, "-P", "-m", "replay_cli"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a match in it, and nothing beside it."""
    path = tmp_path_factory.mktemp("kept") / "kept.kifu"
    with closing(Records(path)) as records:
        records.write(Work("aaaaa", log(3), listing.derive("aaaaa", log(3))))
    return path


@pytest.fixture
def alone(data: Path, tmp_path: Path) -> Path:
    """The same file in a folder of its own."""
    return Path(shutil.copy(data, tmp_path / "alone.kifu"))


def started(*args: object, cwd: Path, **env: str) -> subprocess.Popen[str]:
    """The program, as the leader of a group that a terminal would interrupt."""
    return subprocess.Popen(
        [*KIFU, *map(str, args)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd,
        text=True, errors="replace",
        env={**os.environ, **env}, start_new_session=True,
    )  # fmt: skip


# -- interrupts and pipes -------------------------------------------------------------------------


@pytest.mark.long
def test_an_interrupt_at_any_time_leaves_no_traceback(alone: Path) -> None:
    rng, running = random.Random(14), []
    commands = [("demo", "-d"), ("list", "-d"), ("watch", "-y", "-d"), ("serve", "-p", 0, "-d")]
    for n, (name, *more) in enumerate(commands):
        file = alone if name in ("list", "watch") else alone.with_name(f"{n}.kifu")
        running.append((started(name, *more, file, cwd=alone.parent), rng.uniform(0.3, 4.0)))
    begun = time.monotonic()
    for child, due in sorted(running, key=lambda one: one[1]):
        time.sleep(max(0.0, begun + due - time.monotonic()))
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGINT)
    for child, _ in running:
        out, err = child.communicate(timeout=60)
        assert "Traceback" not in out + err, (child.args, err)
        assert "Exception" not in err, (child.args, err)
        assert child.returncode in (0, process.INTERRUPTED, -signal.SIGINT), (child.args, err)
    # servers of commands that were interrupted end by themselves
    until(lambda: not list(alone.parent.glob("*-lock")))


@pytest.mark.parametrize(
    "args",
    each(3, ["watch -y --json -d {}", "watch -y --all -d {}", "rules --json"]),
)
def test_a_reader_who_leaves_early_is_no_error(alone: Path, args: str) -> None:
    child = started(*args.format(alone).split(), cwd=alone.parent)
    assert child.stdout is not None
    assert child.stdout.readline()
    child.stdout.close()
    assert child.stderr is not None
    output = child.stderr.read()
    assert not {"Traceback", "Exception", "Broken pipe"} & set(output.replace(":", " ").split()), (
        output
    )
    assert child.wait(30) in (0, 1)  # 1: click was about to write help or a page


# -- whose code is run ----------------------------------------------------------------------------


def test_no_code_is_taken_from_the_current_folder(alone: Path) -> None:
    for name in ("service", "domain", "kifu", "grpc", "replay_cli", "msgspec", "json", "signal"):
        folder = alone.parent / name
        folder.mkdir()
        (folder / "__init__.py").write_text("raise SystemExit('somebody else is run')")
    child = started("list", "-d", alone, cwd=alone.parent, PYTHONPATH="")
    out, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (0, "")
    assert "aaaaa" in out


def test_an_empty_part_of_the_path_is_not_the_current_folder(monkeypatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["", "/there", ""]))
    assert hosting._environment()["PYTHONPATH"] == "/there"


# -- what is left ---------------------------------------------------------------------------------


@pytest.mark.parametrize("args", ["list", "show --decision 5", "verify", "export"])
def test_what_only_reads_makes_no_file(alone: Path, args: str) -> None:
    run(*args.split(), "-d", alone)
    assert [*alone.parent.iterdir()] == [alone]


def test_what_is_no_file_of_matches_stays_as_it_is(tmp_path: Path, data: Path) -> None:
    exported = tmp_path / "one.jsonl"
    run("export", "-d", data, "-o", exported)
    texts = {
        "README.md": ("# Notes", "no file of matches"),
        "empty.kifu": ("", "is empty"),
        "match.txt": ('[Kifu "1"]\n', "is a transcript"),
        "match.jsonl": (exported.read_text(), "is an exported record"),
        "proof": ('{"kifu-proof":1,', "is a bundle"),
    }
    for name, (text, output) in texts.items():
        file = tmp_path / name
        file.write_text(text)
        file.chmod(0o644)
        found = run("show", "-d", file, code=3).stderr
        assert output in found
        assert str(file) in found
        assert (file.read_text(), file.stat().st_mode & 0o777) == (text, 0o644)
    assert {p.name for p in tmp_path.iterdir()} == {*texts, "one.jsonl"}


# -- letters that there are not -------------------------------------------------------------------


@pytest.fixture(scope="module")
def shown(data: Path) -> dict[str, str]:
    """A board and a list of cards, as they come out in an encoding."""
    found = {}
    for encoding in ("utf-8", "latin-1", "ascii"):
        child = started(
            "cards", "zaku", "--json", cwd=data.parent,
            PYTHONIOENCODING=encoding, PYTHONUTF8="0", LC_ALL="C",
        )  # fmt: skip
        out, err = child.communicate(timeout=60)
        assert (child.returncode, err) == (0, "")
        found[encoding] = out
    return found


def test_data_are_the_same_in_any_encoding(shown: dict[str, str]) -> None:
    assert len({json.dumps(json.loads(text)) for text in shown.values()}) == 1
    assert shown["ascii"].isascii()


@pytest.mark.long
def test_letters_that_an_encoding_lacks_are_replaced(data: Path) -> None:
    child = started("show", "--decision", 60, "-d", data, cwd=data.parent, PYTHONIOENCODING="ascii")
    out, err = child.communicate(timeout=60)
    assert child.returncode == 0, err
    assert "Traceback" not in err
    assert "Hand" in out
    assert "-- " in out, "the lines of a board are drawn all the same"


def test_what_is_wrong_with_a_file_is_printed_without_a_traceback(alone: Path) -> None:
    with closing(sqlite3.connect(alone)) as db:
        db.execute("UPDATE stored_events SET state = x'00'")
        db.commit()
    for command in ("show", "verify"):
        assert "are damaged" in run(command, "-d", alone, code=1).stderr


def test_an_argument_that_is_no_text(alone: Path) -> None:
    child = started(
        "show", b"\xff\xfe".decode(errors="surrogateescape"), "-d", alone, cwd=alone.parent
    )
    _, err = child.communicate(timeout=60)
    assert child.returncode == 2
    assert "no text in UTF-8" in err


@pytest.fixture(autouse=True)
def _no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("KIFU_SERVER", "KIFU_DATA", "KIFU_TOKEN", "KIFU_HOST", "KIFU_PORT"):
        monkeypatch.delenv(name, raising=False)
