"""The wheel: all that a program needs is in it, with its types, and nothing is left of it after."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from email.parser import Parser
from pathlib import Path
from urllib.request import urlopen
from zipfile import ZipFile

import pytest

from tests.end_to_end.installed.conftest import run

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[3]

#: What a user's program may look like.
PROGRAM = """
from collections.abc import Iterator

from kifu import PUBLIC, Act, BadFile, CallError, Client, Entry, Point, Position
from kifu import connect, fold, read
from kifu.v1 import events_pb2, match_service_pb2


def hands(path: str) -> Iterator[int]:
    entries: list[Entry] = read(path)
    position: Position = fold(entries, Point(decision=5), PUBLIC)
    yield len(position.zone("hand", 0))


def follow(address: str, token: str) -> str:
    client: Client
    with connect(address, token) as client:
        try:
            found: match_service_pb2.Match = next(client.list_matches())
            for entry, position in client.follow(found.id):
                print(entry.seq, position.score[0])
            for position in client.positions(found.id, each="decision"):
                print(position.tally("life", 0))
            client.choose(found.id, 1, Act("pass"))
        except (CallError, BadFile) as error:
            return error.text
    return events_pb2.Entry(seq=1).event.WhichOneof("event") or ""
"""


def test_what_is_in_it(wheel: Path) -> None:
    with ZipFile(wheel) as found:
        names = set(found.namelist())
        (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        shown = Parser().parsestr(found.read(metadata).decode())
    for top in ("kifu", "domain", "service", "replay_cli"):
        assert f"{top}/py.typed" in names
    assert "kifu/v1/events.proto" in names
    assert "kifu/v1/events_pb2.pyi" in names
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {
        "kifu", "domain", "service", "replay_cli",
    }  # fmt: skip
    shipped = {"service/deploy/nginx.conf", "service/web/WEB.md"} | {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "service/web").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert len([name for name in shipped if name.endswith((".html", ".css", ".js"))]) > 30
    assert shipped <= names
    assert shown["License-Expression"] == "Apache-2.0"
    needed = [text for text in shown.get_all("Requires-Dist", []) if "extra ==" not in text]
    assert needed
    assert not [text for text in needed if "grpcio-tools" in text or "mypy" in text]


def test_it_runs(fresh: Path, tmp_path: Path) -> None:
    """Without what only builds and tests need."""
    run([fresh / "kifu", "demo", "--seed", "1", "--data", "d.kifu"], tmp_path)
    code = "from kifu import fold, read; print(fold(read('d.kifu')).over)"
    assert run([fresh / "python", "-c", code], tmp_path) == "True\n"
    run([fresh / "kifu", "proto", "contract"], tmp_path)
    assert "PositionChanges" in (tmp_path / "contract/kifu/v1/positions.proto").read_text()
    for absent in ("grpc_tools", "pytest", "mypy"):
        done = subprocess.run([fresh / "python", "-c", f"import {absent}"], check=False, stderr=-3)
        assert done.returncode == 1


def test_its_pages_are_served(fresh: Path, tmp_path: Path) -> None:
    """With their styles and scripts, which lie beside the code."""
    command = [fresh / "kifu", "serve", "--port", "0", "--http", "0", "--json", "-d", "w.kifu"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=-1, stderr=-3, text=True)
    assert process.stdout is not None
    seen = ""
    while not seen.rstrip().endswith("}"):
        line = process.stdout.readline()
        assert line, f"it ended: {process.wait(20)}"
        seen += line
    web = json.loads(seen)["web"]
    try:
        with urlopen(f"{web}/in") as found:
            page = found.read().decode()
        parts = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
        assert len(parts) >= 3
        for part in parts:
            with urlopen(web + part) as found:
                assert found.read()
        with urlopen(f"{web}/themes/plain.css") as found:
            assert found.read()
    finally:
        process.terminate()
    assert process.wait(20) == 0


def test_its_types(fresh: Path, tmp_path: Path) -> None:
    """As a user's mypy sees them: what is right is, what is wrong is found."""
    (tmp_path / "right.py").write_text(PROGRAM)
    wrong = (
        "from kifu import connect, fold\n\nfold('x')\nconnect('x').position(7)\nfold([]).turns\n"
    )
    (tmp_path / "wrong.py").write_text(wrong)
    mypy = [sys.executable, "-m", "mypy", "--strict", "--python-executable", fresh / "python"]
    assert "no issues" in run([*mypy, "right.py"], tmp_path)
    found = subprocess.run([*map(str, mypy), "wrong.py"], cwd=tmp_path, check=False, stdout=-1)
    lines = [line.split(b":")[1] for line in found.stdout.splitlines() if b": error:" in line]
    assert lines == [b"3", b"4", b"5"]


def test_nothing_is_left_of_it(fresh: Path, wheel: Path, tmp_path: Path) -> None:
    (site,) = fresh.parent.glob("lib/*/site-packages")
    run([fresh / "python", "-c", "import kifu; kifu.connect"], tmp_path)
    assert (site / "kifu").is_dir()
    run([fresh / "pip", "uninstall", "-q", "-y", "kifu"], tmp_path)
    left = {"kifu", "domain", "service", "replay_cli"} & {one.name for one in site.iterdir()}
    command = (fresh / "kifu").exists()
    run([fresh / "pip", "install", "-q", "--no-deps", wheel], tmp_path)  # others may come after it
    assert not left
    assert not command
