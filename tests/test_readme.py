"""The README keeps its word: every command in it is run, every snippet too."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from urllib.request import urlopen

import pytest
from click.testing import CliRunner

from replay_cli.main import kifu
from tests.unit.cli.clis import forked_servers, on_terminal

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
CI = (ROOT / ".ci/run").read_text("utf-8")
KIFU = [sys.executable, "-m", "replay_cli"]

#: The commands of each console block: one goes on from where the one before it came to.
BLOCKS = [
    [line[2:] for line in block.split("\n") if line.startswith("$ ")]
    for block in re.findall(r"^```console\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
]
COMMANDS = [command for block in BLOCKS for command in block]
#: What can't be run as it stands: it needs a terminal, a server, or is run by other tests.
APART = re.compile(r"pip |kifu (demo|serve|replay|record)|.*matches\.kifu")
TOUR = [plain for block in BLOCKS if (plain := [c for c in block if not APART.match(c)])]
SNIPPETS = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a reader is: in the repository, with nothing recorded yet."""
    found = tmp_path_factory.mktemp("readme")
    for name in ("tests", "domain"):
        (found / name).symlink_to(ROOT / name)
    files = r"^```(?:toml|csv)\n# (\S+)\n(.*?)^```"
    for name, text in re.findall(files, README, re.MULTILINE | re.DOTALL):
        (found / name).write_text(text)
    return found


@pytest.fixture(scope="module")
def recorded(folder: Path) -> Path:
    """After the demo of the tour."""
    (demo,) = [c for c in COMMANDS if c.startswith("kifu demo") and "--web" not in c]
    said = _run(demo, folder)
    assert "The record stays in demo.kifu" in said
    return folder


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """While the server of the README runs; on a free port, since 7777 may be taken."""
    (serve,) = [c for c in COMMANDS if c.startswith("kifu serve") and "--http" not in c]
    with _serving(serve.replace("7777", "0").removeprefix("kifu "), folder) as found:
        yield found


@contextmanager
def _serving(command: str, folder: Path) -> Iterator[str]:
    """While a server runs; its address."""
    process = subprocess.Popen(
        [*KIFU, *shlex.split(command), "--json", "--log-level", "error"],
        cwd=folder, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    ready = ""
    while not ready.rstrip().endswith("}"):
        line = process.stdout.readline()
        assert line, f"it ended: {process.wait(20)}"
        ready += line
    told = json.loads(ready)
    try:
        yield told.get("web", told["address"])
    finally:
        process.send_signal(signal.SIGTERM)
        code = process.wait(20)
    assert code == 0


def _run(command: str, folder: Path) -> str:
    words = shlex.split(command)
    assert words[0] == "kifu"
    done = subprocess.run(
        [*KIFU, *words[1:]], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode in _allowed(command), f"{command}\n{done.stdout[-500:]}\n{done.stderr}"
    assert "Traceback" not in done.stderr
    return done.stdout


def _allowed(command: str) -> tuple[int, ...]:
    """Whether all rules are witnessed is another test's concern; that it is reported is ours.

    An audit that is given nothing to trust can't prove everything.
    """
    if re.match(r"kifu audit [\w-]+\.", command):
        return (3,)
    return (0, 1) if "--coverage" in command else (0,)


def _run_here(command: str) -> str:
    """The same in this process: one need not be begun for each command."""
    with forked_servers():
        done = CliRunner().invoke(kifu, shlex.split(command)[1:])
    assert done.exit_code in _allowed(command), f"{command}\n{done.output[-500:]}"
    return done.stdout


@pytest.mark.parametrize("block", TOUR, ids=lambda block: block[0])
def test_a_part_of_the_tour(
    block: list[str], recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first command as a reader types it, those after it in this process.

    Where all of these are about one file of matches, a server is there that they find.
    """
    monkeypatch.chdir(recorded)
    first, *others = block
    assert _run(first, recorded) or "export" in first or " -o " in first
    data = {found[1] if (found := re.search(r" -d (\S+)", one)) else "" for one in others}
    alike = len(others) > 1 and len(data) == 1 and all(data)
    served = f"serve --data {data.pop()} --port 0" if alike else ""
    with _serving(served, recorded) if alike else nullcontext():
        for command in others:
            assert _run_here(command) or "export" in command or " -o " in command


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("kifu replay")])
def test_the_replay(command: str, recorded: Path) -> None:
    words = shlex.split(command)[1:]
    assert on_terminal([*KIFU, *words], b"q", until=b"decision", cwd=recorded) == 0


def test_the_scorekeepers_screen(folder: Path) -> None:
    """It asks how chance fell, opens a table, and can be left again."""
    (command,) = [c for c in COMMANDS if c.startswith("kifu record")]
    words = shlex.split(command)[1:]
    assert on_terminal([*KIFU, *words], b"B\r\x11", b"who chooses", cwd=folder) == 0
    said = _run("kifu decisions -d table.kifu", folder)
    assert "first or second" in said


@pytest.mark.parametrize(
    "command", [c for c in COMMANDS if c.startswith(("kifu list", "kifu tokens", "kifu codes"))]
)
def test_a_command_for_the_server(command: str, folder: Path, address: str) -> None:
    assert _run(command.replace("127.0.0.1:7777", address), folder)


def test_the_demo_is_shown_in_a_browser_until_it_is_ended(folder: Path) -> None:
    (command,) = [c for c in COMMANDS if c.endswith("--web")]
    words = [*shlex.split(command)[1:], "--pace", "0", "-d", "web.kifu"]
    process = subprocess.Popen([*KIFU, *words], cwd=folder, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    lines = iter(process.stdout.readline, "")
    page = next(line for line in lines if line.startswith("In a browser: ")).split()[-1]
    for _ in range(2):  # while it is played, and once it is over
        with urlopen(page) as found:
            assert b"<!doctype html>" in found.read()
        assert next(line for line in lines if line.startswith(("Verified", "It is still there")))
    process.send_signal(signal.SIGINT)
    assert "The record stays in web.kifu" in process.stdout.read()
    assert process.wait(20) == 0


def test_pages_are_served(folder: Path) -> None:
    (command,) = [c for c in COMMANDS if "--http 8080" in c]
    command = command.replace("8080", "0").replace("matches", "pages").removeprefix("kifu ")
    with _serving(f"{command} --port 0", folder) as web, urlopen(f"{web}/in") as found:
        assert b"/in" in found.read()


def test_the_snippets(
    recorded: Path,
    address: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(recorded)
    _run("kifu export -d demo.kifu -o match.jsonl", recorded)
    token = Path("matches.kifu-token").read_text().strip()
    assert len(SNIPPETS) == 4
    names = {"token": token}  # of one program: a snippet goes on from those before it
    for snippet in SNIPPETS:
        exec(compile(snippet.replace("127.0.0.1:7777", address), "README.md", "exec"), names)
    assert "[Result(winner=" in capsys.readouterr().out, "the bots played their match to its end"


def test_the_two_commands_of_a_newcomer_are_what_ci_runs() -> None:
    first, second = (c for c in COMMANDS if c.startswith("pip "))
    assert first == "pip install -e . && kifu demo"
    assert second == "pip install -e '.[test]' && pytest"
    for step in ("pip install --quiet -e .\n", "\nkifu demo ", "-e '.[test]'\n", "\npytest\n"):
        assert step in CI


def test_every_command_is_run_here() -> None:
    kinds = {shlex.split(c)[1] for c in COMMANDS if c.startswith("kifu ")}
    assert kinds >= {
        "demo", "serve", "list", "show", "decisions", "why", "replay", "diff", "verify", "export",
        "import", "simulate", "scenario", "rules", "cards", "open", "desk", "time", "record",
        "standing", "audit",
    }  # fmt: skip
    assert all(c.startswith(("kifu ", "pip ")) for c in COMMANDS)


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")), ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!http|#)([^)]+)\)", page.read_text("utf-8")):
        assert (ROOT / target).exists(), target


def test_paths_of_the_architecture_are_there() -> None:
    """What stands in backquotes and looks like a path of this repository is one."""
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    found = re.findall(r"`((?:domain|service|replay_cli|tests|proto)/[\w/.]+)`", text)
    assert found
    for path in found:
        assert (ROOT / path.replace("/X", "/gundam")).exists(), path
