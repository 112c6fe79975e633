"""The sentences of pages: what their templates hand to `t`.

Like a phrase of the code (`translatable`) it is a literal, or a choice of literals. Text that
stands in a template by itself, or in an attribute that is read out or shown, bypasses the tables:
it is a fault, unless there is only the name of the program in it. Scripts have no sentences of
their own: they get them from their page, mostly as data of an element.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from importlib.resources import files
from importlib.resources.abc import Traversable

from jinja2 import Environment, nodes

#: What stands in a template as it is: names, keys of a keyboard.
PLAIN = frozenset({"Kifu", "PgUp", "PgDn", "Home", "End", "Shift"})
#: A word; ids and codes have none, and no name of an attribute is one.
_WORD = re.compile(r"(?<![\w-])(?=[A-Za-z]*[a-z])[A-Za-z]{2,}(?![\w-])")
#: The block of a page that has no text: its class.
_KIND = "kind"
#: Attributes whose values are shown or read out.
_SHOWN = "aria-label|alt|label|placeholder|title"
#: What is no text: tags, and what is typed or read by programs.
_NO_TEXT = re.compile(r"<(script|style|code|kbd)\b.*?</\1>|<[^>]*>", re.DOTALL)


def templates() -> Iterator[tuple[str, str]]:
    """All templates, by their path in the code."""
    yield from _below(files("service.web"), "service/web")


def _below(folder: Traversable, path: str) -> Iterator[tuple[str, str]]:
    for one in sorted(folder.iterdir(), key=lambda one: one.name):
        if one.is_dir():
            yield from _below(one, f"{path}/{one.name}")
        elif one.name.endswith(".html"):
            yield f"{path}/{one.name}", one.read_text("utf-8")


def sentences(path: str, source: str) -> Iterator[tuple[str, str, bool]]:
    """The sentences of a template, each with its place, and whether it is a fault."""
    tree = _environment().parse(source)
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name == "t":
            place = f"{path}:{call.lineno}"
            for text in _literals(call.args[0] if call.args else None):
                yield text or place, place, not text
    for text in _plain(tree):
        yield text, path, True


def _literals(node: nodes.Node | None) -> Iterator[str]:
    """The literals that a node may be; an empty one where it is something else."""
    match node:
        case nodes.Const(value=str(text)):
            yield text
        case nodes.CondExpr(expr1=one, expr2=other):
            yield from _literals(one)
            yield from _literals(other)
        case _:
            yield ""


def _plain(tree: nodes.Template) -> Iterator[str]:
    """The texts of a template that are not handed to `t`."""
    kinds = [block for block in tree.find_all(nodes.Block) if block.name == _KIND]
    apart = {id(one) for block in kinds for one in block.find_all(nodes.Output)}
    parts = [
        one.data if isinstance(one, nodes.TemplateData) else "\0"
        for output in tree.find_all(nodes.Output)
        if id(output) not in apart
        for one in output.nodes
    ]
    text = unescape("".join(parts))
    found = re.findall(rf'\b(?:{_SHOWN})="([^"]*)"', text)
    for one in (*found, *_NO_TEXT.sub("\0", text).split("\0")):
        if not PLAIN.issuperset(_WORD.findall(one)):
            yield one.strip()


@cache
def _environment() -> Environment:
    return Environment(trim_blocks=True, lstrip_blocks=True, autoescape=True)
