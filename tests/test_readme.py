"""Pages for users are tested: every command in README and the pages it leads to, every snippet."""

from __future__ import annotations

import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir, nullcontext
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

import pytest
from click.testing import CliRunner

from replay_cli.main import kifu
from tests.support.marks import only
from tests.unit.cli.clis import begun, forked_servers, on_terminal, serving

ROOT = Path(__file__).parent.parent
PAGES = (
    "README.md", "replay_cli/TOUR.md", "replay_cli/scorekeeper/RECORDING.md",
    "domain/tournament/EVENTS.md", "domain/officials/OFFICIALS.md", "service/deploy/SERVING.md",
    "service/client/CLIENT.md", "service/env/ENV.md",
)  # fmt: skip
TEXTS = {page: (ROOT / page).read_text("utf-8") for page in PAGES}
CI = (ROOT / ".ci/run").read_text("utf-8")
KIFU = [sys.executable, "-m", "replay_cli"]


class Block(NamedTuple):
    """The commands of a console block: each goes on from what those before it have done."""

    page: str
    commands: list[str]


def _blocks(kind: str) -> Iterator[tuple[str, str]]:
    """The blocks of a kind, each with its page."""
    for page, text in TEXTS.items():
        for block in re.findall(rf"^```{kind}\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            yield page, block


BLOCKS = [
    Block(page, [line[2:] for line in block.split("\n") if line.startswith("$ ")])
    for page, block in _blocks("console")
]
COMMANDS = [command for block in BLOCKS for command in block.commands]
#: What can't be run as it stands: it needs a terminal, a server, or is run by other tests.
APART = re.compile(r"pip |kifu (demo|play|serve|replay|record|rules --coverage)|.*matches\.kifu")
TOUR = [
    Block(page, plain)
    for page, commands in BLOCKS
    if (plain := [one for one in commands if not APART.match(one)])
]
SNIPPETS = {page: [one for at, one in _blocks("python") if at == page] for page in PAGES}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Where a reader of a page is: in the repository, with the files that pages show.

    The demo of the tour has been recorded there.
    """
    files = r"\A# (\S+)\n(.*)"
    shown = [
        found.groups()
        for kind in ("toml", "csv")
        for _, block in _blocks(kind)
        if (found := re.match(files, block, re.DOTALL))
    ]

    def made(page: str) -> Path:
        folder = tmp_path_factory.mktemp(Path(page).stem.lower())
        for name in ("tests", "domain"):
            (folder / name).symlink_to(ROOT / name)
        for name, text in shown:
            (folder / name).write_text(text)
        return folder

    @cache
    def demo() -> Path:
        (command,) = {c for c in COMMANDS if c.startswith("kifu demo --seed")}
        folder = made("demo")
        with chdir(folder):
            assert "The record stays in demo.kifu" in _run_here(command)
        return folder

    @cache
    def folder(page: str) -> Path:
        place = made(page)
        for file in demo().glob("demo.kifu*"):
            shutil.copy(file, place)
        return place

    return folder


@pytest.fixture(scope="module")
def address(folders: Callable[[str], Path]) -> Iterator[str]:
    """While the server of the pages runs; on a free port, since 7777 may be taken."""
    (serve,) = {c for c in COMMANDS if c.startswith("kifu serve") and "--http" not in c}
    serve = serve.replace("7777", "0").removeprefix("kifu serve ")
    with serving(*shlex.split(serve), cwd=folders("served")) as found:
        yield found["address"]


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
    """An audit that is given nothing to trust can't prove everything."""
    return (3,) if re.match(r"kifu audit [\w-]+\.", command) else (0,)


def _run_here(command: str) -> str:
    """The same in this process: one need not be begun for each command."""
    words = shlex.split(command.replace("simulate -n 20", "simulate -n 2"))[1:]
    with forked_servers():
        done = CliRunner().invoke(kifu, words)
    assert done.exit_code in _allowed(command), f"{command}\n{done.output[-500:]}"
    return done.stdout


@pytest.mark.parametrize(
    "block",
    only([block for block in TOUR if block.page == "README.md"], TOUR),
    ids=lambda block: f"{block.page}: {block.commands[0]}",
)
def test_commands_of_a_page(
    block: Block, folders: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first of all as a reader types it, the others in this process; of further pages: long.

    Where all of these are about one file of matches, a server is there that they find.
    """
    folder = folders(block.page)
    monkeypatch.chdir(folder)
    first, *others = block.commands
    printed = _run(first, folder) if block is TOUR[0] else _run_here(first)
    assert printed or "export" in first or " -o " in first
    data = {found[1] if (found := re.search(r" -d (\S+)", one)) else "" for one in others}
    alike = len(others) > 1 and len(data) == 1 and all(data)
    with serving("-d", data.pop(), "-p", 0, cwd=folder) if alike else nullcontext():
        for command in others:
            assert _run_here(command) or "export" in command or " -o " in command


@pytest.mark.long
@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("kifu replay")])
def test_the_replay(command: str, folders: Callable[[str], Path]) -> None:
    words, folder = shlex.split(command)[1:], folders("replay")
    assert on_terminal([*KIFU, *words], b"q", until=b"decision", cwd=folder) == 0


@pytest.mark.long
def test_the_scorekeepers_screen(folders: Callable[[str], Path]) -> None:
    """It asks how chance fell, opens a table, and can be left again."""
    (command,) = {c for c in COMMANDS if c.startswith("kifu record")}
    words, folder = shlex.split(command)[1:], folders("record")
    assert on_terminal([*KIFU, *words], b"B\r\x11", b"who chooses", cwd=folder) == 0
    with chdir(folder):
        assert "first or second" in _run_here("kifu decisions -d table.kifu")


@pytest.mark.parametrize(
    "command", [c for c in COMMANDS if c.startswith(("kifu list", "kifu tokens", "kifu codes"))]
)
def test_a_command_for_the_server(
    command: str, folders: Callable[[str], Path], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folders("served"))
    assert _run_here(command.replace("127.0.0.1:7777", address))


@pytest.mark.long
def test_the_demo_is_shown_in_a_browser_until_it_is_ended(
    folders: Callable[[str], Path],
) -> None:
    (command,) = {c for c in COMMANDS if c.endswith("--web")}
    words = [*shlex.split(command)[1:], "--pace", "0", "-d", "web.kifu"]
    process = begun(*words, cwd=folders("web"))
    lines = iter(process.stdout.readline, "")
    page = next(line for line in lines if line.startswith("In a browser: ")).split()[-1]
    for _ in range(2):  # while it is played, and once it is over
        with urlopen(page) as found:
            assert b"<!doctype html>" in found.read()
        assert next(line for line in lines if line.startswith(("Verified", "It is still there")))
    process.send_signal(signal.SIGINT)
    assert "The record stays in web.kifu" in process.stdout.read()
    assert process.wait(20) == 0


def test_pages_are_served(folders: Callable[[str], Path]) -> None:
    (command,) = {c for c in COMMANDS if "--http 8080" in c}
    command = command.replace("8080", "0").replace("matches", "pages").removeprefix("kifu serve ")
    with serving(*shlex.split(command), "-p", 0, cwd=folders("web")) as found:
        assert b"/in" in urlopen(f"{found['web']}/in").read()


@pytest.mark.parametrize("page", [page for page in PAGES if SNIPPETS[page]])
def test_the_snippets(
    page: str,
    folders: Callable[[str], Path],
    address: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = folders("served")
    monkeypatch.chdir(folder)
    if not Path("match.jsonl").exists():
        _run_here("kifu export -d demo.kifu -o match.jsonl")
    token = Path("matches.kifu-token").read_text().strip()
    names = {"token": token}  # of one program: a snippet goes on from those before it
    for snippet in SNIPPETS[page]:
        exec(compile(snippet.replace("127.0.0.1:7777", address), page, "exec"), names)
    bots = "[Result(winner=" in capsys.readouterr().out
    assert bots or page != "README.md", "the bots played their match to its end"


def test_the_two_commands_of_a_newcomer_are_what_ci_runs() -> None:
    first, second = (c for c in COMMANDS if c.startswith("pip "))
    assert first == "pip install -e . && kifu demo"
    assert second == "pip install -e '.[test]' && pytest"
    for step in ("pip install --quiet -e .\n", "\nkifu demo ", "-e '.[test]'\n", "\npytest\n"):
        assert step in CI


def test_the_readme_is_short() -> None:
    assert TEXTS["README.md"].count("\n") <= 200


def test_every_command_is_run_here() -> None:
    kinds = {shlex.split(c)[1] for c in COMMANDS if c.startswith("kifu ")}
    assert kinds >= {
        "demo", "serve", "list", "show", "decisions", "why", "replay", "diff", "verify", "export",
        "import", "simulate", "scenario", "rules", "cards", "open", "desk", "time", "record",
        "auto-pass", "audit",
    }  # fmt: skip
    assert all(c.startswith(("kifu ", "pip ")) for c in COMMANDS)


def test_paths_of_the_architecture_are_there() -> None:
    """What stands in backquotes and looks like a path of this repository is one."""
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    found = re.findall(r"`((?:domain|service|replay_cli|tests|proto)/[\w/.]+)`", text)
    assert found
    for path in found:
        assert (ROOT / path.replace("/X", "/gundam")).exists(), path
