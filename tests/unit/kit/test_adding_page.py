"""The page about adding a game keeps its word; Lamps, made from it, is small."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from domain.games.kit import usual
from domain.games.kit.choices.rows import Row
from replay_cli.main import kifu
from tests import playouts
from tests.playouts import PAIRS, rulebook

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "domain/games/ADDING.md"
TEXT = PAGE.read_text("utf-8")
GAME = "lamps"
COMMANDS = [line.strip()[2:] for line in TEXT.splitlines() if line.strip().startswith("$ ")]
#: `kit.choices.rows.Row`, `record.schema.manifest`: what in backquotes begins with a layer.
NAMED = sorted(set(re.findall(r"`((?:kit|record|engine|effects|games)\.[\w.]+)`", TEXT)))


def _found(name: str) -> Any:
    """What a dotted name means, from the module on."""
    parts = re.sub(r"^kit\.", "games.kit.", name).split(".")
    for split in range(len(parts), 0, -1):
        try:
            found: Any = import_module(".".join(["domain", *parts[:split]]))
        except ModuleNotFoundError:
            continue
        for part in parts[split:]:
            found = getattr(found, part)
        return found
    raise LookupError(name)


@pytest.mark.parametrize("name", NAMED)
def test_what_the_page_names_is_there_and_says_what_it_is(name: str) -> None:
    found = _found(name)
    assert isinstance(found, dict) or found.__doc__, f"{name} has no docstring"


@pytest.mark.parametrize("target", re.findall(r"\]\((?!http)([^)]+)\)", TEXT))
def test_links_lead_somewhere(target: str) -> None:
    assert (PAGE.parent / target).exists()


def test_the_fields_of_a_row_are_those_there_are() -> None:
    table = TEXT[TEXT.index("| field |") : TEXT.index("Replies to one question")]
    firsts = [row.split("|")[1] for row in table.splitlines() if row]
    fields = re.findall(r"`(\w+)`", " ".join(firsts))
    assert set(fields) <= set(Row.__struct_fields__)
    assert len(fields) == len(set(fields)) > 10


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_run_for_the_game_that_was_made_from_it(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    command = command.replace("-n 4", "-n 1").replace("GAME", GAME)
    program, *words = shlex.split(command)
    if program == "pytest":  # the run that this test is part of
        assert all((ROOT / word).exists() for word in words if word.startswith("tests/"))
    elif program == "python":
        assert words[:2] == ["-m", "tests.playouts"]
        assert playouts.main(words[2:]) == 0
    else:
        assert program == "kifu"
        given = [str(one) for word in words for one in (ROOT.glob(word) if "*" in word else [word])]
        result = CliRunner().invoke(kifu, given, catch_exceptions=False)
        assert result.exit_code == 0, result.output


# -- the game that was made from it ----------------------------------------------------------------

FOLDER = ROOT / "tests" / GAME


def _lines(path: Path) -> Iterator[int]:
    """The lines that do something: no blank ones, imports, comments or docstrings."""
    text = path.read_text("utf-8")
    aside: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            aside |= {*range(node.lineno, (node.end_lineno or 0) + 1)}
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):  # docstrings
            aside |= {*range(node.lineno, (node.end_lineno or 0) + 1)}
    for n, line in enumerate(text.splitlines(), 1):
        if n not in aside and line.strip() and not line.strip().startswith("#"):
            yield n


def test_the_game_has_the_files_of_the_page_and_no_others() -> None:
    files = {path.name for path in FOLDER.glob("*.*")}
    assert files == {name for name in files if f"`{name}`" in TEXT}
    assert {"rules.tsv", "manifest.py", "cards.py", "texts.py", "acts.py", "rulebook.py"} <= files


def test_the_game_takes_less_than_200_lines() -> None:
    assert sum(sum(1 for _ in _lines(path)) for path in FOLDER.glob("*.py")) < 200


@pytest.mark.parametrize("game", PAIRS)
def test_words_of_the_kit_are_declared_by_every_game(game: str) -> None:
    manifest = rulebook(game).manifest
    for kind in ("decisions", "reasons", "declarations"):
        wanted = {word.name for word in getattr(usual, kind.upper())}
        assert wanted <= set(manifest.words(kind)), kind
