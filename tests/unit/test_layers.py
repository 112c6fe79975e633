"""The layers of the code: imports lead down only, run in no circle, and name no game.

Each row of `LAYERS` may use the rows above it and itself; the units of one row may not use each
other. The games are those of the registry. An import counts wherever it stands: in a function,
under TYPE_CHECKING, or as the name of a module in a string. ARCHITECTURE.md shows the same picture
to people.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from domain.games import names, package, rulebook

ROOT = Path(__file__).parents[2]
LAYERS = [
    row.split()
    for row in f"""
        domain.words
        domain.record
        domain.statistics
        domain.engine
        domain.effects
        domain.officials domain.tournament
        domain.games.kit
        {" ".join(map(package, names()))}
        domain.games
        domain.text
        domain.telling
        domain.scorekeeping
        service.wire service.telemetry service.identity service.dice service.garbage
        service.changes
        service.store service.news
        service.live
        service.anchors service.credentials
        service.keeping
        service.api
        service.web
        service.settings
        service.hearing service.opening
        service.client service.server service.deploy service.env
        service.tables
        replay_cli.process replay_cli.cells
        replay_cli.sheet replay_cli.paper replay_cli.options
        replay_cli.output
        replay_cli.pages
        replay_cli.checking.glossary replay_cli.checking.templates replay_cli.checking.helps
        replay_cli.checking.workers replay_cli.checking.coverage replay_cli.checking.translatable
        replay_cli.checking.translated
        replay_cli.reaching.rounds
        replay_cli.reaching.asking
        replay_cli.cardindex replay_cli.typed replay_cli.record
        replay_cli.reaching.hosting
        replay_cli.reaching.joined replay_cli.reaching.places replay_cli.reaching.completing
        replay_cli.drawing
        replay_cli.reaching.connection replay_cli.checking.verifying replay_cli.playing
        replay_cli.reaching.looking replay_cli.reaching.stores
        replay_cli.reaching.failures replay_cli.reaching.source
        replay_cli.tournament replay_cli.doctor replay_cli.analysis
        replay_cli.auditing
        replay_cli.dispute
        replay_cli.commands
        replay_cli.scorekeeper
        replay_cli.main
        replay_cli.__main__
        kifu
    """.strip().split("\n")
]
#: The units, and the rows they are in; the longest name that fits is a module's own.
ROWS = {unit: n for n, row in enumerate(LAYERS) for unit in row}
#: The packages above the units: a docstring each.
ROOFS = {"domain", "service", "replay_cli"}
#: Packages of which each module is a unit.
ROOMS = {"replay_cli.checking", "replay_cli.reaching"}

Sources = Mapping[str, str]


@cache
def sources() -> Sources:
    """Module to source, of all that is delivered."""
    found = {}
    for roof in sorted(ROOFS):
        for file in sorted((ROOT / roof).rglob("*.py")):
            name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
            found[name.removesuffix(".__init__")] = file.read_text("utf-8")
    for file in sorted((ROOT / "proto/kifu").glob("*.py")):
        found[f"kifu.{file.stem}".removesuffix(".__init__")] = file.read_text("utf-8")
    return found


@cache
def _imports(module: str, package: bool, source: str) -> frozenset[str]:
    """The dotted names that a module imports, or has in a string."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=aliases):
                found |= {alias.name for alias in aliases}
            case ast.ImportFrom(module=origin, names=aliases, level=level):
                above = module.split(".")[: (-level + package) or None] if level else []
                base = ".".join([*above, *([origin] if origin else [])])
                found |= {f"{base}.{alias.name}" for alias in aliases}
            case ast.Constant(value=str(text)) if re.fullmatch(r"\w+(\.\w+)+", text):
                found.add(text)
    return frozenset(found)


def graph(code: Sources) -> dict[str, set[str]]:
    """Which modules each module uses."""
    packages = {name.rpartition(".")[0] for name in code}
    found: dict[str, set[str]] = {}
    for module, source in code.items():
        names = _imports(module, module in packages, source)
        used = {name if name in code else name.rpartition(".")[0] for name in names}
        found[module] = (used & code.keys()) - {module}
    return found


def unit(module: str) -> str:
    """The unit of `LAYERS` that a module belongs to; empty if it is in none."""
    parts = module.split(".")
    return next((u for n in range(len(parts), 0, -1) if (u := ".".join(parts[:n])) in ROWS), "")


def climbing(code: Sources) -> list[str]:
    """The imports that lead up or aside, and the modules that are in no layer."""
    found = [module for module in code if not unit(module) and module not in ROOFS | ROOMS]
    for module, used in graph(code).items():
        own = unit(module)
        for other in sorted(used - ROOFS - ROOMS):
            theirs = unit(other)
            if own != theirs and ROWS.get(theirs, -1) >= ROWS.get(own, -1):
                found.append(f"{module} -> {other}")
    return found


def circle(code: Sources) -> list[str]:
    """Modules that import each other in a circle, in order; none: there is no circle."""
    try:
        TopologicalSorter(graph(code)).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def _names_and_texts(source: str) -> Iterator[str]:
    """The names and texts of a module, docstrings aside."""
    tree = ast.parse(source)
    texts = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in texts:
                yield text
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                yield name
            case ast.ImportFrom(module=str(name)):
                yield name


@cache
def _all_words(source: str) -> str:
    """The same, a line each; a module is parsed once for all games and tests."""
    return "\n".join(_names_and_texts(source))


def naming(code: Sources) -> list[str]:
    """The modules that name a game which is not their own."""
    words = {game: rf"{game}|\b{rulebook(game).manifest.prefix}:" for game in names()}
    return [
        f"{module} names {game}"
        for module, source in code.items()
        if module != "domain.games"  # the registry
        for game, word in words.items()
        if not f"{module}.".startswith(f"domain.games.{game}.")
        and re.search(word, source, re.IGNORECASE)  # most do not, and need not be parsed
        and re.search(word, _all_words(source), re.IGNORECASE)
    ]


def test_imports_lead_down() -> None:
    assert climbing(sources()) == []


def test_imports_run_in_no_circle() -> None:
    assert circle(sources()) == []


def test_only_the_registry_names_games() -> None:
    assert naming(sources()) == []


# -- and they would be found -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("module", "planted", "arrow"),
    [
        ("domain.record.folding.fold", "from domain.engine import match", "domain.engine.match"),
        ("domain.record.folding.fold", "import domain.engine.match", "domain.engine.match"),
        ("domain.engine.match", "def f():\n from domain.text.names import x", "domain.text.names"),
        (
            "domain.officials.rulings",
            "if TYPE_CHECKING:\n from domain.games.kit import game",
            "domain.games.kit.game",
        ),
        (
            "domain.games.gundam.choices.play",
            "from ...hollow_flux import choices",
            "domain.games.hollow_flux",
        ),
        ("domain.games.gundam", "from .hollow_flux import x", ""),
        ("domain.text.names", "import_module('service.wire')", "service.wire"),
        ("service.telemetry.logs", "from service import wire", "service.wire"),
        ("service.store.sqlite.file", "from service.live.lanes import Lanes", "service.live.lanes"),
        ("service.client.client", "from service import server", "service.server"),
        ("service.wire", "from kifu import read", "kifu"),
        ("replay_cli.output", "from replay_cli.main import main", "replay_cli.main"),
    ],
)
def test_an_arrow_that_climbs_is_found(module: str, planted: str, arrow: str) -> None:
    found = climbing({**sources(), module: planted})
    assert all(text.startswith(f"{module} -> {arrow}") for text in found)
    assert len(found) == bool(arrow)


def test_what_one_game_imports_of_another_is_found() -> None:
    games = [package(game) for game in names()]
    pairs = list(zip(games, [*games[1:], games[0]], strict=True))
    planted = {f"{game}.planted": f"from {other} import rulebook" for game, other in pairs}
    arrows = [f"{game}.planted -> {other}.rulebook" for game, other in pairs]
    assert climbing({**sources(), **planted}) == arrows


def test_a_module_in_no_layer_is_found() -> None:
    assert climbing({**sources(), "domain.attic": ""}) == ["domain.attic"]


def test_a_circle_is_found() -> None:
    planted = {
        "domain.record.events": "if TYPE_CHECKING:\n from domain.record import position",
        "domain.record.position": "from domain.record.events import Entry",
    }
    found = circle({**sources(), **planted})
    assert {"domain.record.events", "domain.record.position"} <= set(found)


@pytest.mark.parametrize(
    ("module", "planted", "found"),
    [
        ("service.server", "DEFAULT = 'gundam'", ["service.server names gundam"]),
        ("service.server", "cites = ('gcg:1-2',)", ["service.server names gundam"]),
        ("domain.games.kit.game", "f = gundam.play", ["domain.games.kit.game names gundam"]),
        ("domain.games.gundam.choices.play", "x = 'gundam gcg:1-1'", []),
        (
            "domain.games.gundam.choices.play",
            "x = 'hf:1'",
            ["domain.games.gundam.choices.play names hollow_flux"],
        ),
        ("service.server", "'''Such as gcg:1-2 of gundam.'''", []),
    ],
)
def test_a_game_that_is_named_is_found(module: str, planted: str, found: list[str]) -> None:
    assert naming({module: planted}) == found
