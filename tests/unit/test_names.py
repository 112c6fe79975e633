"""No name is one that CONTRIBUTING's table of names rules out."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLE = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("| not | but | because |")[2]
NOT = [row.split("|")[1] for row in TABLE.splitlines() if row.startswith("| `")]
PARTS = {name for cell in NOT if "in any name" in cell for name in re.findall(r"`(\w+)`", cell)}
FUNCTIONS = {name for cell in NOT for name in re.findall(r"`(\w+)\(\)`", cell)}
#: What a file has somewhere that has such a name: most have not, and need not be parsed.
ANY = re.compile(
    "|".join([*PARTS, *(rf"def {name}\(" for name in FUNCTIONS)]).replace("_", "_?"), re.IGNORECASE
)
#: What pages call things: scripts, templates and styles.
PAGES = [
    path
    for top in ("service", "replay_cli", "domain")
    for path in (ROOT / top).rglob("*")
    if path.suffix in (".js", ".html", ".css")
]
CODE = [*ROOT.glob("[dst]*/**/*.py"), *ROOT.glob("replay_cli/**/*.py"), *ROOT.glob("proto/*.py")]


def code_names(text: str) -> Iterator[tuple[str, bool]]:
    """What is given a name there that may be ruled out, and whether it is a function."""
    for node in ast.walk(ast.parse(text)) if ANY.search(text) else ():
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, True
            case (
                ast.ClassDef(name=name)
                | ast.arg(arg=name)
                | ast.Name(id=name, ctx=ast.Store())
                | ast.Attribute(attr=name, ctx=ast.Store())
                | ast.alias(asname=str(name))
            ):
                yield name, False


def page_names(path: Path) -> Iterator[str]:
    """The names that a script declares, or a template or style gives to elements."""
    text = re.sub(r"/\*.*?\*/|//.*$", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    if path.suffix == ".js":
        yield from re.findall(r"\b(?:const|let|var|function|class) +([\w$]+)", text)
        for many in re.findall(
            r"\b(?:const|let|function) *\w* *[({]([\w$, ={}()\[\]:>]*)[)}]", text
        ):
            yield from re.findall(r"[\w$]+", many)
    if path.suffix == ".html":
        for many in re.findall(r"\b(?:id|class|name)=\"([^\"{}]*)\"", text):
            yield from many.split()
    if path.suffix == ".css":
        yield from re.findall(r"[.#]([a-z][\w-]*)(?=[^{};]*\{)", text)


@cache
def words(name: str) -> str:
    """The words of a name, in small letters, with `_` around and between them."""
    return f"_{re.sub(r'(?<=[a-z0-9])(?=[A-Z])|-', '_', name).lower()}_"


def is_ruled_out(name: str, function: bool = False) -> bool:
    return (function and name in FUNCTIONS) or any(f"_{part}_" in words(name) for part in PARTS)


def test_no_name_is_ruled_out() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in CODE
        for name, function in [
            *code_names(path.read_text("utf-8")),
            *((part, False) for part in path.relative_to(ROOT).with_suffix("").parts),
        ]
        if is_ruled_out(name, function)
    ]
    assert not found


def test_no_name_in_pages_is_ruled_out() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in PAGES
        for name in [*page_names(path), path.stem]
        if is_ruled_out(name)
    ]
    assert not found


@pytest.mark.parametrize(
    "name", ["told", "Told", "_SAID", "is_untold", "StandingAnswer", "is-told"]
)
def test_a_name_is_ruled_out_by_any_of_its_words(name: str) -> None:
    assert is_ruled_out(name)
    assert not is_ruled_out(name + "er")


def test_a_function_is_ruled_out_by_its_name() -> None:
    assert is_ruled_out("no", function=True)
    assert not is_ruled_out("no")
