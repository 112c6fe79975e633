"""Modules that docstrings name exist: in the same package, or by a path from one around it.

So do the files that pages lead to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOPS = ("domain", "service", "replay_cli", "tests")
FILES = [file for top in TOPS for file in (ROOT / top).rglob("*.py")]
MODULES = {f.parent.name if f.stem == "__init__" else f.stem for f in FILES}


def is_module(path: str, at: Path) -> bool:
    """Whether a path leads to a module or a package, or to something in a module."""
    above, _, last = path.rpartition("/")
    modules = [here / f"{above}.py" for here in at.parents if above]
    return any(
        (here / path).is_dir() or (here / f"{path}.py").exists() for here in at.parents
    ) or any(last in module.read_text() for module in modules if module.exists())


def astray(file: Path, source: str) -> Iterator[str]:
    """Names of modules in a file's docstring that lead nowhere, and are no words of its code."""
    _, doc, code = source.split('"""', 2) if source.startswith('"""') else ("", "", source)
    for name in re.findall(r"`([a-z_0-9./]+)`", doc):
        path = name.removesuffix(".py").replace(".", "/")
        word = re.search(rf"\b{re.escape(name)}\b", code)
        if path.rpartition("/")[2] in MODULES and not word and not is_module(path, file):
            yield name


def test_modules_that_docstrings_name_exist() -> None:
    wrong = {str(file): [*astray(file, file.read_text())] for file in FILES}
    assert {file: names for file, names in wrong.items() if names} == {}


def anchors(page: Path) -> set[str]:
    """How links call the headings of a page."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def leads_nowhere(page: Path, text: str) -> Iterator[str]:
    """The links of a page to files, or headings of pages, that are not there."""
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        to_page = bool(anchor) and target.suffix == ".md"
        there = target.exists() and (not to_page or anchor in anchors(target))
        if "://" not in link and not there:
            yield link


def test_what_pages_lead_to_exists() -> None:
    pages = [*ROOT.glob("*.md"), *(page for top in TOPS for page in (ROOT / top).rglob("*.md"))]
    wrong = {str(page): [*leads_nowhere(page, page.read_text())] for page in pages}
    assert {page: links for page, links in wrong.items() if links} == {}
    text = "[a](README.md), [b](NONE.md#c), [d](#try-it), [e](README.md#none)"
    assert [*leads_nowhere(ROOT / "README.md", text)] == ["NONE.md#c", "README.md#none"]


def test_a_name_that_leads_nowhere_is_found() -> None:
    source = '"""`memory` is beside it, `store.history` a path; `commit` is neither."""'
    assert [*astray(ROOT / "service/live/matches.py", source)] == ["commit"]
